//! Properties, on generated logs, requests and answers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

use plan_gate_plan_mode::{
    Answer, Caller, ExitCode, LogEvent, Next, PlanMode, Projection, ReviewOutcome, Settled, StepOutcome,
    fold, fold_lines, heading,
};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

fn mode() -> PlanMode {
    PlanMode::new(br#"{"section":"Plan."}"#).unwrap()
}

/// Events of a log: ours, commands, and others that use our keys for their own ends.
fn event() -> impl Strategy<Value = Value> {
    let id = prop_oneof![Just("a"), Just("b"), Just("\u{e9}\n\"")];
    prop_oneof![
        any::<bool>().prop_map(|active| json!({"type": "plan/mode", "active": active})),
        (any::<bool>(), any::<u8>())
            .prop_map(|(a, n)| json!({"seq": n, "active": a, "x": [{}], "type": "plan/mode"})),
        (id.clone(), prop_oneof![Just("plan"), Just("goal")], ".{0,4}|off| off ").prop_map(
            |(id, name, args)| json!({"type": "command/run", "id": id, "name": name, "args": args})
        ),
        id.clone().prop_map(|id| json!({"type": "command/run", "id": id, "name": "plan"})),
        (id, any::<bool>()).prop_map(|(id, ok)| json!({"type": "command/done", "id": id, "ok": ok})),
        (".{0,6}", any::<u16>())
            .prop_map(|(kind, n)| json!({"type": kind, "active": n, "id": null, "ok": [n]})),
    ]
}

fn read(values: &[Value]) -> Vec<LogEvent<'_>> {
    values.iter().map(|value| LogEvent::from_value(value).unwrap()).collect()
}

/// What the user and the host may do, as far as the log can show it.
#[derive(Debug, Clone)]
enum Deed {
    Turn,
    Step(StepOutcome, bool),
    Command(&'static str, u32, bool),
}

fn deed() -> impl Strategy<Value = Deed> {
    let outcome = prop_oneof![
        4 => Just(StepOutcome::Accepted),
        1 => Just(StepOutcome::Rejected),
        1 => Just(StepOutcome::Retried)
    ];
    prop_oneof![
        Just(Deed::Turn),
        (outcome, prop::bool::weighted(0.8)).prop_map(|(outcome, ok)| Deed::Step(outcome, ok)),
        (prop_oneof![Just(""), Just("off"), Just("x")], 0..2_u32, prop::bool::weighted(0.8))
            .prop_map(|(args, images, ok)| Deed::Command(args, images, ok)),
    ]
}

/// Does it, and writes what a host would write into its log.
fn perform(mode: &mut PlanMode, deed: &Deed, log: &mut Vec<Value>) {
    match deed {
        Deed::Turn => {
            if mode.turn_opened().is_err() {
                mode.turn_closed().unwrap();
            }
        }
        Deed::Step(outcome, ok) => {
            if let Ok(Next::Append(event)) = mode.step(*outcome) {
                if *ok {
                    log.push(serde_json::to_value(event).unwrap());
                }
                mode.appended(*ok).unwrap();
            }
        }
        Deed::Command(args, images, ok) => {
            let id = log.len().to_string();
            log.push(json!({"type": "command/run", "id": id, "name": "plan", "args": args}));
            let answer = match mode.command(args, *images).unwrap() {
                Next::Done(answer) => answer,
                Next::Append(event) => {
                    if *ok {
                        log.push(serde_json::to_value(event).unwrap());
                    }
                    let Settled::Command(answer) = mode.appended(*ok).unwrap() else {
                        panic!("not a command")
                    };
                    answer
                }
            };
            log.push(json!({"type": "command/done", "id": id, "ok": answer.ok}));
        }
    }
}

fn answer() -> impl Strategy<Value = Answer> {
    let question = prop_oneof![6 => Just("plan-review".to_owned()), 1 => ".{0,3}".prop_map(String::from)];
    let value = prop_oneof![
        5 => Just("Approve".to_owned()),
        1 => Just("Keep planning".to_owned()),
        1 => Just("approve".to_owned())
    ];
    let text = prop_oneof![5 => Just(None), 1 => Just(Some(" \n".to_owned())), 1 => ".{0,5}".prop_map(Some)];
    (question, vec(value, 0..3), text).prop_map(|(question, selected, text)| Answer {
        question,
        selected,
        text,
    })
}

proptest! {
    #[test]
    fn the_fold_is_the_last_mode_of_the_prefix(values in vec(event(), 0..30), end in 0..40_usize) {
        let events = read(&values);
        let mut expected = false;
        for value in values.iter().take(end).filter(|value| value["type"] == "plan/mode") {
            expected = value["active"] == true;
        }
        prop_assert_eq!(fold(&events, Some(end)), expected);
        prop_assert_eq!(fold(&events, None), fold(&events, Some(values.len())));
        prop_assert_eq!(Projection::of(&events[..end.min(events.len())]).view().active, expected);

        let lines: Vec<String> = values.iter().map(Value::to_string).collect();
        prop_assert_eq!(fold_lines(lines.join("\n\n \r\n").as_bytes(), Some(end)).unwrap(), expected);
    }

    #[test]
    fn text_and_value_are_read_alike(value in event()) {
        let text = value.to_string();
        prop_assert_eq!(LogEvent::read(text.as_bytes()).unwrap(), LogEvent::from_value(&value).unwrap());
    }

    #[test]
    fn only_booleans_are_modes(active in prop_oneof![
        Just(json!(null)), any::<i64>().prop_map(Value::from), any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from), ".*".prop_map(Value::from), Just(json!([true])), Just(json!({"a": true})),
    ]) {
        let event = json!({"type": "plan/mode", "active": active});
        prop_assert_eq!(LogEvent::from_value(&event).is_ok(), active.is_boolean());
        prop_assert_eq!(LogEvent::read(event.to_string().as_bytes()).is_ok(), active.is_boolean());
    }

    #[test]
    fn what_waits_is_never_what_is_logged(values in vec(event(), 0..30)) {
        let mut projection = Projection::default();
        for event in read(&values) {
            projection.step(&event);
            let view = projection.view();
            prop_assert_ne!(view.pending, Some(view.active));
        }
    }

    /// The log alone shows any tab what the driver knows, as long as the user selects by command.
    #[test]
    fn log_and_driver_agree(deeds in vec(deed(), 0..60)) {
        let (mut mode, mut log) = (mode(), Vec::new());
        for deed in &deeds {
            perform(&mut mode, deed, &mut log);
            let events = read(&log);
            let view = mode.get().unwrap();
            prop_assert_eq!(fold(&events, None), view.active);
            prop_assert_eq!(Projection::of(&events).view(), view, "{:?}", log);

            let mut resumed = mode.clone();
            resumed.resume(fold(&events, None));
            prop_assert_eq!(resumed.section(), mode.section());
        }
    }

    #[test]
    fn consent_is_one_approve_and_nothing_else(answers in vec(answer(), 0..3)) {
        let mut mode = mode();
        mode.resume(true);
        mode.exit("c", Caller::Agent, &json!({"plan": "# T"})).unwrap();
        let words = answers.iter().any(|answer| answer.text.as_ref().is_some_and(|text| !text.trim().is_empty()));
        let consent = answers.len() == 1
            && !words
            && answers[0].question == "plan-review"
            && answers[0].selected.len() == 1
            && answers[0].selected[0] == "Approve";
        let result = mode.review("c", &ReviewOutcome::Answered(answers.clone())).unwrap();
        let expected = if consent { ExitCode::Approved } else if words { ExitCode::Feedback } else { ExitCode::KeepPlanning };
        prop_assert_eq!(result.code, expected);
        prop_assert_eq!(mode.get().unwrap().pending, consent.then_some(false));
        for text in answers.iter().filter_map(|answer| answer.text.as_ref()).filter(|text| !text.trim().is_empty()) {
            prop_assert!(result.text.contains(text.as_str()), "the words are verbatim");
        }
    }

    #[test]
    fn a_plan_without_a_heading_is_never_asked_about(plan in "[ \t\n\r#a计]{0,8}") {
        let mut mode = mode();
        mode.resume(true);
        let answer = mode.exit("c", Caller::Agent, &json!({"plan": plan})).unwrap();
        prop_assert_eq!(answer.ask.is_some(), heading(&plan).is_some());
        if let Some(question) = answer.ask {
            prop_assert_eq!(&question.detail, &plan);
            let first = plan.trim_start_matches([' ', '\t', '\n', '\r']);
            prop_assert!(first.starts_with("# ") || first.starts_with("#\t"));
            prop_assert!(plan.contains(['a', '计']));
            prop_assert_eq!(&answer.card.content, &plan);
        }
    }

    #[test]
    fn rubbish_is_refused_and_changes_nothing(bytes in vec(any::<u8>(), 0..60), text in r#"\{"op":"(set|get|fold|exit|step)"(,"[a-z]{1,6}":(true|1|null|"x"|\[\]|\{\})){0,3}\}"#) {
        for input in [&bytes[..], text.as_bytes()] {
            let mut mode = mode();
            let before = mode.clone();
            match mode.request(input) {
                Ok(answer) => prop_assert!(serde_json::from_str::<Value>(&answer).unwrap().is_object()),
                Err(error) => {
                    prop_assert_eq!(&mode, &before);
                    prop_assert!(!error.message().is_empty());
                }
            }
        }
    }
}

#[test]
fn duplicate_keys_and_oversize_are_refused() {
    for (request, kind) in [
        (r#"{"op":"set","active":true,"active":false}"#.to_owned(), "invalid_json"),
        (r#"{"op":"get","op":"get"}"#.to_owned(), "invalid_json"),
        (
            r##"{"op":"exit","call":"c","caller":"agent","args":{"plan":"# a","plan":"# b"}}"##.to_owned(),
            "invalid_json",
        ),
        (r#"{"op":"reload","config":{"section":"a","section":"b"}}"#.to_owned(), "invalid_json"),
        (r#"{"op":"get"} "#.to_owned() + &" ".repeat(4 << 20), "too_large"),
        (r#"{"op":"get"}{"op":"get"}"#.to_owned(), "invalid_json"),
    ] {
        let error = mode().request(request.as_bytes()).unwrap_err();
        assert_eq!(error.kind().name(), kind, "{}", request.get(..60.min(request.len())).unwrap());
    }
    for (config, kind) in [
        (r#"{"section":"a","section":"b"}"#, "invalid_json"),
        (r#"{"section":"a""#, "invalid_json"),
        ("", "invalid_json"),
        ("[]", "invalid_config"),
        (r#"{"section":""}"#, "invalid_config"),
    ] {
        assert_eq!(PlanMode::new(config.as_bytes()).unwrap_err().kind().name(), kind, "{config}");
    }
}

/// However a language writes its JSON, a fault of shape is answered with the same bytes, and names its key.
#[test]
fn a_fault_reads_the_same_however_the_request_is_written() {
    for (dense, airy, message) in [
        (
            r#"{"op":"get","extra":1}"#,
            "{ \"extra\": 1,\n  \"op\": \"get\" }",
            "get.extra: unknown field `extra`, there are no fields",
        ),
        (
            r#"{"op":"set","active":"at line 3 column 4"}"#,
            "{\"active\" : \"at line 3 column 4\", \"op\":\n\"set\"}",
            "set.active: invalid type: string \"at line 3 column 4\", expected a boolean",
        ),
        ("{}", "\n{ }", "`op` is missing: it names the operation"),
        (r#"{"op":null}"#, "{ \"op\" :null}", "`op` is not a string: it names the operation"),
        ("[]", "[ ]", r#"a request is an object: `{"op": "…"}`"#),
        (
            r#"{"op":"review","call":"c","outcome":{"answered":[{"question":1}]}}"#,
            r#"{"outcome":{"answered":[{"question":1}]}, "call":"c", "op":"review"}"#,
            "review.outcome.answered[0].question: invalid type: integer `1`, expected a string",
        ),
    ] {
        for text in [dense, airy] {
            assert_eq!(mode().request(text.as_bytes()).unwrap_err().message(), message, "{text}");
        }
    }
}

#[test]
fn the_tool_is_the_same_to_the_byte() {
    let expected = include_str!("tool.en.json").trim_end();
    let mut mode = mode();
    for active in [false, true] {
        mode.resume(active);
        let answer = mode.request(br#"{"op":"tool"}"#).unwrap();
        assert_eq!(answer, expected);
    }
}

#[test]
fn a_bad_line_is_named() {
    let log = b"{\"type\":\"plan/mode\",\"active\":true}\n\n{\"type\":\"plan/mode\",\"active\":1}\n";
    let error = fold_lines(log, None).unwrap_err();
    assert!(error.message().starts_with("line 3: `active`"), "{error}");
    assert_eq!(fold_lines(log, Some(1)), Ok(true));
    assert!(fold_lines(b"{\"type\":\"x\"", None).unwrap_err().message().starts_with("line 1: "));
}
