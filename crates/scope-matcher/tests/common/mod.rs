//! What the tests share: where the cases are, and how a call is judged.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    dead_code,
    reason = "a test may fail loudly; not every test uses all"
)]

use plan_gate_core::{Config, Scope};
use plan_gate_scope_matcher::{CallReading, Coverage, Matcher};
use serde::de::DeserializeOwned;

/// Every line of a file in `tests/cases`, with its number.
pub fn cases<T: DeserializeOwned>(name: &str) -> Vec<(usize, T)> {
    let path = format!("{}/tests/cases/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty());
    lines
        .map(|(index, line)| {
            let case =
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}:{}: {error}", index + 1));
            (index + 1, case)
        })
        .collect()
}

/// `free: read_only`, `refused: path_unusable`, `covered`, `held: file_not_listed, unknown_argument`, or
/// `invalid` when the scope is.
pub fn judge(config: &Config, scope: &Scope, tool: &str, args: &[u8]) -> String {
    let matcher = Matcher::new(config).unwrap();
    let Ok(compiled) = matcher.compile(scope) else { return "invalid".to_owned() };
    match matcher.read(tool, args) {
        CallReading::Free(reason) => format!("free: {}", reason.name()),
        CallReading::Refused(refusal) => format!("refused: {}", refusal.reason.name()),
        CallReading::Acting(call) => match matcher.cover(&compiled, &[], &call) {
            Coverage::Covered => "covered".to_owned(),
            Coverage::Outside(gaps) => {
                let whys: Vec<&str> = gaps.iter().map(|gap| gap.why).collect();
                format!("held: {}", whys.join(", "))
            }
        },
    }
}
