//! Hook inputs as each host sends them (`events/HOST.json`), and what they must be read as. Every field that is read
//! stands in `expect`: one that is not there must not have been read.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

use plan_gate_hosts::{Call, Environment, Event, Happening, Host, Prompt, StartSource, read};
use serde_json::{Value, json};

#[test]
fn every_recorded_input_reads_as_it_should() {
    for host in Host::ALL {
        let file = format!("{}/tests/events/{host}.json", env!("CARGO_MANIFEST_DIR"));
        let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        assert!(cases.len() > 20, "{host}");
        for case in cases {
            let input = match &case["raw"] {
                Value::String(raw) => raw.clone(),
                _ => case["input"].to_string(),
            };
            let environment = Environment { root: case["root"].as_str().map(str::to_owned) };
            let expected = &case["expect"];
            match (read(host, input.as_bytes(), &environment), expected["error"].as_str()) {
                (Ok(event), None) => assert_eq!(&tell(&event), expected, "{host}: {}", case["why"]),
                (Err(error), Some(part)) => {
                    let error = error.to_string();
                    assert!(error.contains(part), "{host}: {}: {error}", case["why"]);
                }
                (result, _) => panic!("{host}: {}: {result:?}", case["why"]),
            }
        }
    }
}

fn tell(event: &Event) -> Value {
    let mut told = match &event.happening {
        Happening::Start { source, root } => {
            let name = match source {
                StartSource::New => "new",
                StartSource::Resume => "resume",
                StartSource::Compact => "compact",
            };
            json!({"start": name, "root": root})
        }
        Happening::Prompt(Prompt::Reply(words)) => json!({"reply": words}),
        Happening::Prompt(Prompt::Injected) => json!({"injected": true}),
        Happening::BeforeTool(call) => tell_call("before", call),
        Happening::SkillShell(call) => tell_call("skill", call),
        Happening::AfterTool { call, failed } => {
            let mut told = tell_call("after", call);
            told["failed"] = json!(failed);
            told
        }
        Happening::ChildStart { kind } => json!({"child": kind}),
        Happening::ConfigChange { file } => json!({"config": file}),
        Happening::Ignored => json!({"ignored": true}),
    };
    if let Some(agent) = &event.agent {
        told["agent"] = json!(agent);
    }
    let map = told.as_object_mut().unwrap();
    map.retain(|_, value| !value.is_null());
    told
}

fn tell_call(kind: &str, call: &Call) -> Value {
    let arguments: Value = serde_json::from_str(call.arguments.get()).unwrap();
    json!({kind: call.tool, "arguments": arguments, "id": call.id})
}

#[test]
fn arguments_stay_byte_for_byte() {
    let arguments = r#"{ "b" :1.50, "a":"\u00e9","a":2 }"#;
    let input = format!(
        r#"{{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"x","tool_input":{arguments}}}"#
    );
    let event = read(Host::Codex, input.as_bytes(), &Environment::default()).unwrap();
    let Happening::BeforeTool(call) = event.happening else { panic!("{event:?}") };
    assert_eq!(call.arguments.get(), arguments);
}

#[test]
fn bad_bytes_and_too_many_are_errors() {
    let mut input = br#"{"session_id":"s","hook_event_name":"Stop","x":"_"}"#.to_vec();
    assert!(read(Host::Codex, &input, &Environment::default()).is_ok());
    let place = input.len() - 3;
    input[place] = 0xff;
    assert!(read(Host::Codex, &input, &Environment::default()).is_err());
    let huge = vec![b' '; plan_gate_hosts::MAX_HOOK_BYTES + 1];
    assert!(read(Host::Codex, &huge, &Environment::default()).unwrap_err().to_string().contains("limit"));
}
