//! Plays the worked example of `docs/plan-mode.md`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a test may panic")]

use plan_gate_plan_mode::PlanMode;
use serde_json::Value;

/// Equal, where a string that holds `…` stands for every string that begins like it.
fn matches(expected: &Value, got: &Value) -> bool {
    match (expected, got) {
        (Value::String(expected), Value::String(got)) => match expected.split_once('…') {
            Some((begin, "")) => got.starts_with(begin) && got.len() > begin.len(),
            _ => expected == got,
        },
        (Value::Array(expected), Value::Array(got)) => {
            expected.len() == got.len()
                && expected.iter().zip(got).all(|(expected, got)| matches(expected, got))
        }
        (Value::Object(expected), Value::Object(got)) => {
            expected.len() == got.len()
                && expected.iter().all(|(key, value)| got.get(key).is_some_and(|got| matches(value, got)))
        }
        _ => expected == got,
    }
}

#[test]
fn the_worked_example_answers_as_written() {
    let page = include_str!("../../../docs/plan-mode.md");
    let blocks = page.split("```door\n").skip(1).map(|rest| rest.split_once("```").unwrap().0);
    let lines: Vec<&str> = blocks.flat_map(str::lines).collect();
    assert_eq!(lines.len(), 22, "eleven requests, each with its answer");

    let mut mode =
        PlanMode::new(r#"{"section":"Read before you plan. Name every file."}"#.as_bytes()).unwrap();
    for pair in lines.chunks(2) {
        let request = pair[0].strip_prefix("> ").expect("a request");
        let expected: Value = serde_json::from_str(pair[1].strip_prefix("< ").expect("an answer")).unwrap();
        let got = mode.request(request.as_bytes()).unwrap();
        assert!(matches(&expected, &serde_json::from_str(&got).unwrap()), "{request}\n{got}\n{expected}");
    }
}
