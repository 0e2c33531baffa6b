//! Whole calls under each profile: what their arguments mean, and what becomes of them.

mod common;

use plan_gate_core::{Config, Scope};
use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    profile: Option<String>,
    tool: String,
    /// Arguments as JSON …
    args: Option<Box<RawValue>>,
    /// … or as the text that arrived, which need not be JSON.
    text: Option<String>,
    #[serde(default)]
    config: serde_json::Map<String, serde_json::Value>,
    #[serde(default)]
    scope: Scope,
    is: String,
}

#[test]
fn calls_are_judged_as_written() {
    let mut wrong = Vec::new();
    for (line, case) in common::cases::<Case>("calls.jsonl") {
        let mut config = case.config.clone();
        config.insert("pathStyle".into(), "posix".into());
        config.insert("profile".into(), case.profile.as_deref().unwrap_or("generic").into());
        let config: Config =
            serde_json::from_value(config.into()).unwrap_or_else(|error| panic!("{line}: {error}"));
        let args = case.text.as_deref().unwrap_or_else(|| case.args.as_ref().map_or("{}", |args| args.get()));
        let is = common::judge(&config, &case.scope, &case.tool, args.as_bytes());
        if is != case.is {
            wrong.push(format!("calls.jsonl:{line}: {} is `{is}`, not `{}`", case.tool, case.is));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
