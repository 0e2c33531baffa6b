//! What a call works on, in one line.

use crate::out::{line, shortened};
use plan_gate_core::json::Strict;
use plan_gate_core::{EffectKind, json};
use plan_gate_scope_matcher::{CallReading, Matcher, Profile};
use serde_json::{Map, Value};

/// Columns that one argument gets where all are shown.
const ARGUMENT: usize = 32;

/// What the gate reads in a call; where that says nothing, the arguments that its profile names; else
/// all of them. Arguments that cannot be read are shown as they are.
pub fn of_call(matcher: &Matcher, profile: &str, tool: &str, args: &str) -> String {
    if let CallReading::Acting(call) = matcher.read(tool, args.as_bytes()) {
        let told = call.effects.iter().filter(|effect| effect.kind != EffectKind::Other);
        let told: Vec<String> = told.map(|effect| line(&effect.value)).collect();
        if !told.is_empty() {
            return told.join("  ");
        }
    }
    let Ok(Strict(Value::Object(fields))) = json::from_slice(args.as_bytes(), usize::MAX) else {
        return line(args);
    };
    named(profile, tool, &fields).unwrap_or_else(|| {
        let all = fields.iter().map(|(name, value)| format!("{name}={}", shortened(&text(value), ARGUMENT)));
        line(&all.collect::<Vec<_>>().join(" "))
    })
}

/// The arguments that the profile names as more than plain.
fn named(profile: &str, tool: &str, fields: &Map<String, Value>) -> Option<String> {
    let profile = Profile::shipped(profile)?.describe();
    let rule = profile.tools.iter().find(|rule| rule.names.contains(&tool))?;
    let telling = |name: &str| rule.arguments.get(name).is_some_and(|argument| argument.is != "plain");
    let values: Vec<String> =
        fields.iter().filter(|(name, _)| telling(name)).map(|(_, value)| text(value)).collect();
    (!values.is_empty()).then(|| line(&values.join("  ")))
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
