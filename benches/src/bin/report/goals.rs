//! What was aimed at, and whether it was met. Every goal is a ratio inside one run, or a count.

use crate::record::Record;
use std::fmt::Write;

enum Gate {
    AtMost(f64),
    AtLeast(f64),
}
use Gate::{AtLeast, AtMost};

struct Goal {
    number: &'static str,
    what: &'static str,
    measured: &'static str,
    gate: Gate,
}

const fn goal(number: &'static str, what: &'static str, measured: &'static str, gate: Gate) -> Goal {
    Goal { number, what, measured, gate }
}

const GOALS: &[Goal] = &[
    goal("G1", "path decision over call + lock + look-up (aim 8)", "path over floor", AtMost(12.0)),
    goal("G2", "cedar-policy, best form, over ours, 5 entries", "cedar-policy 5", AtLeast(30.0)),
    goal("G2", "the same, 50 entries", "cedar-policy 50", AtLeast(150.0)),
    goal("G2", "the same, 1,000 entries", "cedar-policy 1000", AtLeast(2000.0)),
    goal("G3", "regorus, best form, over ours, 5 entries", "regorus 5", AtLeast(40.0)),
    goal("G3", "the same, 50 entries", "regorus 50", AtLeast(40.0)),
    goal("G3", "the same, 1,000 entries", "regorus 1000", AtLeast(40.0)),
    goal("G4", "path, 1,000 entries over 5", "path growth", AtMost(1.2)),
    goal("G4", "command of three parts, 1,000 entries over 5", "command growth", AtMost(1.5)),
    goal("G5", "taking everyday commands apart, over shlex", "shlex", AtMost(1.0)),
    goal("G5", "tree-sitter-bash over ours", "tree-sitter", AtLeast(20.0)),
    goal("G6", "command line, 160 KB over 16 KB", "line growth", AtMost(12.0)),
    goal("G6", "command line, MB/s", "line MB/s", AtLeast(100.0)),
    goal("G6", "nesting of 100,000 refused within ms", "nesting ms", AtMost(1.0)),
    goal("G8", "reply up to 60 B over one pass of an automaton", "reply over scan", AtMost(5.0)),
    goal("G8", "blocks of a reply that is normal already", "blocks: reply 33 B", AtMost(0.0)),
    goal("G9", "message of 1 MB, GB/s", "message GB/s", AtLeast(0.3)),
    goal("G9", "message, 1 MB over 100 KB", "message growth", AtMost(11.0)),
    goal("G10", "5 KB of arguments to the decision, over the parse", "arguments over parse", AtMost(1.3)),
    goal("G11", "Python ctypes over its own empty call", "python over empty", AtMost(1.4)),
    goal("G12", "set walk in Python over ours, 50 entries", "python walk 50", AtLeast(1.0)),
    goal("G12", "cedarpy over ours, 5 entries", "cedarpy 5", AtLeast(200.0)),
    goal("G13", "Node addon over its own empty call", "node over empty", AtMost(3.0)),
    goal("G14", "set walk in JavaScript over ours, 50 entries", "node walk 50", AtLeast(1.0)),
    goal("G14", "rules of agent programs over ours, 50 entries", "node rules 50", AtLeast(15.0)),
    goal("G14", "cedar-wasm over ours, 5 entries", "cedar-wasm 5", AtLeast(500.0)),
    goal("G16", "a million sessions, shared scope, MB at most", "MB peak, shared scope", AtMost(100.0)),
    goal("G16", "a million sessions, own scopes, MB at most", "MB peak, own scope", AtMost(500.0)),
    goal("G16", "any session over the hot one", "random over hot, shared scope", AtMost(6.0)),
    goal("G17", "two threads on two sessions over one", "two threads over one", AtLeast(1.6)),
    goal("G18", "blocks: a clean path", "blocks: path", AtMost(0.0)),
    goal("G18", "blocks: a known command", "blocks: exact command", AtMost(0.0)),
    goal("G18", "blocks: 1 KB of arguments", "blocks: JSON arguments 1 KB", AtMost(2.0)),
];

/// The table of goals.
pub fn table(record: &Record) -> String {
    let mut out = "| | goal | gate | measured | |\n|---|---|---|---|---|\n".to_owned();
    for goal in GOALS {
        let (gate, met): (String, fn(f64, f64) -> bool) = match goal.gate {
            AtMost(limit) => (format!("≤ {limit}"), |value, limit| value <= limit),
            AtLeast(limit) => (format!("≥ {limit}"), |value, limit| value >= limit),
        };
        let (AtMost(limit) | AtLeast(limit)) = goal.gate;
        let (measured, verdict) = match record.get(goal.measured) {
            None => ("-".to_owned(), "not measured"),
            Some(value) => (number(value), if met(value, limit) { "met" } else { "**missed**" }),
        };
        let _ = writeln!(out, "| {} | {} | {gate} | {measured} | {verdict} |", goal.number, goal.what);
    }
    out
}

fn number(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v.fract() == 0.0 => format!("{v}"),
        v => format!("{v:.2}"),
    }
}
