//! Plays the cases of `tests/conformance/plan-mode` through the JSON door.
//!
//! The format is described in the README beside them. Every key of a case is known, every answer is
//! compared whole, and every behaviour listed in `behaviours.json` has a case or a reason.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

use plan_gate_plan_mode::PlanMode;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    id: String,
    why: String,
    config: Value,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    #[serde(rename = "do")]
    op: String,
    expect: Value,
    #[serde(flatten)]
    fields: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Behaviour {
    number: String,
    says: String,
    /// Why no case can show it: it is the host's own.
    #[serde(default)]
    host_only: Option<String>,
}

fn cases() -> Vec<Case> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/plan-mode");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the cases are in the repository")
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    let read = |path: PathBuf| -> Vec<Case> {
        let text = std::fs::read_to_string(&path).unwrap();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    files.into_iter().flat_map(read).collect()
}

/// The difference between a step's answer and what it must be, if there is one.
fn play(mode: &mut PlanMode, step: &Step) -> Option<String> {
    let mut request = step.fields.clone();
    request.insert("op".to_owned(), json!(step.op));
    let before = mode.clone();
    match mode.request(Value::Object(request).to_string().as_bytes()) {
        Ok(answer) => {
            let answer: Value = serde_json::from_str(&answer).unwrap();
            (answer != step.expect).then(|| format!("got {answer}\nnot {}", step.expect))
        }
        Err(error) => {
            let expected = step.expect.get("error").unwrap_or(&Value::Null);
            let names = |says: &Value| error.message().contains(says.as_str().unwrap());
            let says = expected["says"].as_array().cloned().unwrap_or_default();
            let right = expected["kind"] == error.kind().name() && says.iter().all(names);
            // A report of a failed append is taken, also where its answer is an error.
            let unchanged = *mode == before || step.op == "appended";
            (!right || !unchanged)
                .then(|| format!("got {error:?}, unchanged: {unchanged}\nnot {}", step.expect))
        }
    }
}

/// Whether the answer was an error that the case expects.
fn expects_error(step: &Step) -> bool {
    step.expect.get("error").is_some_and(Value::is_object)
}

#[test]
fn every_case_passes() {
    let mut failures = Vec::new();
    let cases = cases();
    for case in &cases {
        let mut mode = PlanMode::new(case.config.to_string().as_bytes()).expect("the case's config is good");
        for (number, step) in case.steps.iter().enumerate() {
            if let Some(difference) = play(&mut mode, step) {
                failures.push(format!("{} step {number} `{}`:\n{difference}", case.id, step.op));
                break;
            }
        }
    }
    assert!(failures.is_empty(), "{} of {} cases:\n{}", failures.len(), cases.len(), failures.join("\n\n"));
}

/// `play` itself must be able to fail.
#[test]
fn a_wrong_expectation_is_seen() {
    for step in [
        json!({"do": "get", "expect": {"active": true, "pending": null}}),
        json!({"do": "get", "expect": {"active": false}}),
        json!({"do": "get", "expect": {"error": {"kind": "plan_mode", "says": []}}}),
        json!({"do": "appended", "ok": true, "expect": {"error": {"kind": "invalid_request", "says": []}}}),
        json!({"do": "appended", "ok": true, "expect": {"error": {"kind": "plan_mode", "says": ["moon"]}}}),
        json!({"do": "appended", "ok": true, "expect": {"selection": "committed"}}),
    ] {
        let mut mode = PlanMode::new(br#"{"section":"x"}"#).unwrap();
        let step: Step = serde_json::from_value(step).unwrap();
        assert!(play(&mut mode, &step).is_some(), "{}", step.expect);
    }
}

#[test]
fn every_behaviour_has_a_case_or_a_reason() {
    let listed: Vec<Behaviour> = serde_json::from_str(include_str!("behaviours.json")).unwrap();
    let mut shown: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for case in cases() {
        let number = case.why.strip_prefix("behaviour ").and_then(|rest| rest.split_once(':'));
        let (number, _) = number.unwrap_or_else(|| panic!("{}: `why` names no behaviour", case.id));
        shown.entry(number.to_owned()).or_default().push(case.id);
    }
    let numbers: BTreeSet<&str> = listed.iter().map(|behaviour| behaviour.number.as_str()).collect();
    assert_eq!((listed.len(), numbers.len()), (83, 83));
    for behaviour in &listed {
        assert!(!behaviour.says.is_empty());
        let has_case = shown.contains_key(&behaviour.number);
        assert!(has_case != behaviour.host_only.is_some(), "{}: {}", behaviour.number, behaviour.says);
    }
    for (number, ids) in &shown {
        assert!(numbers.contains(number.as_str()), "{number} of {ids:?}");
    }
}

#[test]
fn ids_are_unique_and_every_operation_is_played() {
    let cases = cases();
    let ids: BTreeSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(ids.len(), cases.len());
    let played: BTreeSet<&str> = cases
        .iter()
        .flat_map(|case| &case.steps)
        .filter(|step| !expects_error(step))
        .map(|step| step.op.as_str())
        .collect();
    let mut documented: Vec<&str> = include_str!("../README.md")
        .lines()
        .filter_map(|line| line.strip_prefix("### `").and_then(|rest| rest.split_once('`')))
        .map(|(op, _)| op)
        .collect();
    documented.sort_unstable();
    assert_eq!(played.into_iter().collect::<Vec<_>>(), documented);
}
