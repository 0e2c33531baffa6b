//! What people would pick instead: programs of their own that print a line of JSON for each number.

use crate::record::{Record, ns, times};
use plan_gate_benches::library::Library;
use plan_gate_benches::measure::Effort;
use serde::Deserialize;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(default = "rust")]
    language: String,
    question: String,
    entries: usize,
    engine: String,
    ns: f64,
    ratio: f64,
}

fn rust() -> String {
    "Rust".to_owned()
}

/// The section.
pub fn run(record: &mut Record, _: Effort) -> Result<(), Box<dyn Error>> {
    let target = PathBuf::from(ROOT).join("target");
    let mut lines = Vec::new();
    let mut missing = Vec::new();
    let rust = Command::new(target.join("peers/release/plan-gate-peers"));
    let mut python = Command::new(target.join("peers-python/bin/python"));
    python.arg(Path::new(ROOT).join("benches/peers/python/peers.py"));
    python.env("PYTHONPATH", Path::new(ROOT).join("bindings/python/src"));
    let mut node = Command::new("node");
    node.arg(Path::new(ROOT).join("benches/peers/node/peers.mjs")).arg(target.join("peers-node"));
    for (language, mut program) in [("Rust", rust), ("Python", python), ("Node", node)] {
        if record.is_quick() {
            program.arg("--quick");
        }
        let output = program.env("PLAN_GATE_LIBRARY", Library::path()).output();
        match output {
            Ok(output) if output.status.success() => {
                for line in String::from_utf8(output.stdout)?.lines() {
                    lines.push(serde_json::from_str::<Line>(line)?);
                }
            }
            Ok(output) => missing.push(format!(
                "{language}: {}",
                String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or("failed").trim()
            )),
            Err(error) => missing.push(format!("{language}: {error}")),
        }
    }
    let mut note = "May this call write this path, when N directories are allowed? Ours answers with its \
                    session, lock, normalising and family; set-ups in README.md. The paths are inside, if \
                    nothing else is said: ours answers the others with a question to the user that it keeps."
        .to_owned();
    for one in missing {
        note.push_str(&format!("\n\nNot measured: {one}"));
    }
    record.section("Peers", &note);
    for language in ["Rust", "Python", "Node"] {
        show(record, language, &lines);
    }
    keep(record, &lines);
    Ok(())
}

fn show(record: &mut Record, language: &str, lines: &[Line]) {
    let rows: Vec<Vec<String>> = lines
        .iter()
        .filter(|line| line.language == language)
        .map(|line| {
            let question = format!("{}, {}", line.question, line.entries);
            vec![question, line.engine.clone(), ns(line.ns), times(line.ratio)]
        })
        .collect();
    if !rows.is_empty() {
        record.rows(&[&format!("{language}: question, N"), "engine", "one question", "of the first"], &rows);
    }
}

/// The numbers that goals ask for.
fn keep(record: &mut Record, lines: &[Line]) {
    let best = |language: &str, question: &str, n: usize, engine: &str| {
        let of = lines.iter().filter(|line| {
            line.language == language
                && line.question == question
                && line.entries == n
                && line.engine.starts_with(engine)
        });
        of.map(|line| line.ratio).min_by(f64::total_cmp)
    };
    let mut set = |name: String, value: Option<f64>| {
        if let Some(value) = value {
            record.set(name, value);
        }
    };
    for n in [5, 50, 1000] {
        for engine in ["cedar-policy", "regorus", "casbin"] {
            set(format!("{engine} {n}"), best("Rust", "inside", n, engine));
            set(format!("{engine} {n} outside"), best("Rust", "outside", n, engine));
        }
        set(format!("python walk {n}"), best("Python", "inside", n, "by hand: set walk"));
        set(format!("cedarpy {n}"), best("Python", "inside", n, "cedarpy"));
        set(format!("node walk {n}"), best("Node", "inside", n, "by hand: set walk"));
        set(format!("node rules {n}"), best("Node", "inside", n, "rules"));
        set(format!("cedar-wasm {n}"), best("Node", "inside", n, "cedar-wasm"));
    }
    let split = |engine: &str| lines.iter().find(|l| l.question == "split" && l.engine.starts_with(engine));
    set("shlex".to_owned(), split("shlex").map(|line| 1.0 / line.ratio));
    set("tree-sitter".to_owned(), split("tree-sitter").map(|line| line.ratio));
    let time = |language: &str, engine: &str, n: usize| {
        let mut of = lines.iter().filter(|l| l.language == language && l.entries == n);
        of.find(|line| line.engine.starts_with(engine)).map(|line| line.ns)
    };
    let over = |a: Option<f64>, b: Option<f64>| Some(a? / b?);
    let python = over(time("Python", "plan-gate", 50), time("Python", "floor: empty call of the same", 0));
    set("python over empty".to_owned(), python);
    set("node over empty".to_owned(), over(time("Node", "plan-gate", 50), time("Node", "floor", 0)));
}
