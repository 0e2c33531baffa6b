//! A line of a log as one JSON record.

use super::player::{Played, Step};
use plan_gate::Source;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The record of a line: what came of it, or of each thing in it.
pub fn record(file: &str, line: usize, steps: &[Step]) -> Value {
    let mut record = Map::new();
    record.insert("line".to_owned(), Value::from(line));
    record.insert("file".to_owned(), Value::from(file));
    match steps {
        [] => {
            record.insert("type".to_owned(), Value::from("none"));
        }
        [step] => record.extend(of_step(step)),
        steps => {
            record.insert("type".to_owned(), Value::from("several"));
            let events = steps.iter().map(|step| Value::Object(of_step(step))).collect();
            record.insert("events".to_owned(), Value::Array(events));
        }
    }
    Value::Object(record)
}

/// The record of a line that could not be read.
pub fn error(file: &str, line: usize, message: &str) -> Value {
    json!({ "line": line, "file": file, "error": message })
}

fn of_step(step: &Step) -> Map<String, Value> {
    let (kind, rest) = match &step.played {
        Played::Opened { parent, orphan } => ("open", json!({ "parent": parent, "orphan": orphan })),
        Played::Said { source, text, answer, .. } => {
            let kind = if *source == Source::User && !step.child { "user" } else { "message" };
            let head = json!({ "source": source, "text": text });
            (kind, with(head, answer, &[("kind", "verdict")]))
        }
        Played::Proposed { plan, answer } => {
            let head = json!({ "title": title(plan) });
            ("propose", with(head, answer, &[]))
        }
        Played::NotShown { plan } => {
            ("propose", json!({ "title": title(plan), "ok": false, "shown_by_host": false }))
        }
        Played::Called { tool, answer, .. } => ("call", with(json!({ "tool": tool }), answer, &[])),
        Played::RanAnyway => ("result", json!({ "ran_anyway": true })),
        Played::Stance(view) => ("mode", json!({ "active": view.active, "pending": view.pending })),
        Played::Nothing => ("none", json!({})),
    };
    let mut map = Map::new();
    map.insert("type".to_owned(), Value::from(kind));
    map.insert("session".to_owned(), Value::from(step.session.as_str()));
    if let Value::Object(rest) = rest {
        map.extend(rest);
    }
    map.insert("phase".to_owned(), Value::from(step.after));
    map
}

/// `head` with the fields of an answer, some under another name.
fn with<T: Serialize>(head: Value, answer: &T, renamed: &[(&str, &str)]) -> Value {
    let (Value::Object(mut map), Ok(Value::Object(fields))) = (head, serde_json::to_value(answer)) else {
        return Value::Null;
    };
    for (name, value) in fields {
        let new = renamed.iter().find(|(old, _)| *old == name).map_or(name.as_str(), |(_, new)| new);
        map.insert(new.to_owned(), value);
    }
    Value::Object(map)
}

/// The title of a plan that may be no plan at all.
pub fn title(plan: &str) -> String {
    let plan: Value = serde_json::from_str(plan).unwrap_or(Value::Null);
    plan.get("title").and_then(Value::as_str).unwrap_or_default().to_owned()
}
