//! Verdicts on command lines, from a table: entries, files, the line, and whether it is covered.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test fails by panicking")]

use plan_gate_core::{CommandCase, Dialect};
use plan_gate_scope_matcher::command::{CommandCoverage, CommandTable, FileCover};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    commands: Vec<String>,
    #[serde(default)]
    files: Vec<String>,
    command: String,
    #[serde(default = "bash")]
    dialect: Dialect,
    covered: bool,
    #[serde(default)]
    #[allow(dead_code, reason = "for people")]
    note: String,
}

fn bash() -> Dialect {
    Dialect::Bash
}

/// A files list with exact entries and directories, compared lexically; the root is `/root`.
struct Files(Vec<String>);

impl Files {
    fn absolute(cwd: &str, path: &str) -> Option<String> {
        let joined = if path.starts_with('/') { path.to_owned() } else { format!("/root/{cwd}/{path}") };
        let mut segments: Vec<&str> = Vec::new();
        for segment in joined.split('/').filter(|segment| !segment.is_empty() && *segment != ".") {
            if segment == ".." {
                segments.pop()?;
            } else {
                segments.push(segment);
            }
        }
        Some(format!("/{}", segments.join("/")))
    }
}

impl FileCover for Files {
    fn may_write(&self, cwd: &str, path: &str) -> bool {
        let Some(path) = Self::absolute(cwd, path) else { return false };
        self.0.iter().any(|entry| {
            let entry = Self::absolute("", entry).unwrap();
            path == entry || path.starts_with(&format!("{entry}/"))
        })
    }

    fn enter(&self, cwd: &str, dir: &str) -> Option<String> {
        let path = Self::absolute(cwd, dir)?;
        if path == "/root" { Some(String::new()) } else { path.strip_prefix("/root/").map(str::to_owned) }
    }
}

fn check(file: &str) {
    let text = std::fs::read_to_string(format!("{}/tests/cases/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let mut wrong = Vec::new();
    for (number, line) in
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with("//"))
    {
        let case: Case =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{file}:{}: {error}", number + 1));
        let table = CommandTable::compile(&case.commands, CommandCase::Fold).unwrap();
        let coverage = table.covers(&case.command, case.dialect, &Files(case.files.clone()));
        if coverage.is_covered() != case.covered {
            wrong.push(format!(
                "{file}:{}: {:?} of {:?}: {coverage:?}",
                number + 1,
                case.command,
                case.commands
            ));
        }
        if let CommandCoverage::Outside { why, .. } = coverage {
            assert!(!why.is_empty());
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn known_verdicts() {
    check("commands.jsonl");
}

#[test]
fn abuse_of_listed_programs_is_held() {
    check("held.jsonl");
}

#[test]
fn ordinary_calls_pass() {
    check("passes.jsonl");
}

#[test]
fn attacks_are_held() {
    check("attacks.jsonl");
}

#[test]
fn typical_calls_of_many_programs_pass() {
    check("typical.jsonl");
}
