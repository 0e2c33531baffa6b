//! Commands that people and agents type every day are taken apart; what is not says why.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    missing_docs,
    reason = "a test fails by panicking"
)]

use plan_gate_core::Dialect;
use plan_gate_scope_matcher::shell::split;

/// Lines that are opaque on purpose, with the reason.
const OPAQUE: &[(&str, &str)] = &[];

#[test]
fn everyday_lines_are_taken_apart() {
    let lines: Vec<String> =
        include_str!("cases/everyday.txt").lines().map(|line| line.replace('⏎', "\n")).collect();
    let mut refused = Vec::new();
    for line in &lines {
        let split = split(line, Dialect::Bash);
        let expected = OPAQUE.iter().find(|(opaque, _)| opaque == line).map(|(_, reason)| *reason);
        if split.opaque.map(|opaque| opaque.reason()) != expected {
            refused.push(format!("{line}: {:?}", split.opaque));
        }
    }
    println!("{} of {} lines are taken apart", lines.len() - OPAQUE.len(), lines.len());
    assert!(lines.len() > 150);
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
