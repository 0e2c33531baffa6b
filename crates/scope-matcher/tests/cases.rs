//! Entries against paths and URLs: one line of JSON a case.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail loudly")]

mod common;

use plan_gate_core::{Config, EffectKind, PathStyleChoice, Scope};
use plan_gate_scope_matcher::{CallReading, Coverage, Matcher};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    entry: String,
    path: Option<String>,
    url: Option<String>,
    covered: bool,
    style: Option<String>,
    root: Option<String>,
    /// Why, for people.
    #[serde(rename = "note")]
    _note: Option<String>,
}

fn covers(case: &Case) -> bool {
    let path_style = match case.style.as_deref() {
        Some("windows") => PathStyleChoice::Windows,
        Some("macos") => PathStyleChoice::Macos,
        Some("posix") | None => PathStyleChoice::Posix,
        Some(style) => panic!("style `{style}`"),
    };
    let matcher = Matcher::new(&Config { path_style, root: case.root.clone(), ..Config::default() }).unwrap();
    let mut scope = Scope { tools: vec!["t".into()], ..Scope::default() };
    let (kind, value) = match (&case.path, &case.url) {
        (Some(path), None) => {
            scope.files = vec![case.entry.clone()];
            (EffectKind::Write, path)
        }
        (None, Some(url)) => {
            scope.urls = vec![case.entry.clone()];
            (EffectKind::Fetch, url)
        }
        _ => panic!("a path or a URL"),
    };
    let Ok(compiled) = matcher.compile(&scope) else { return false };
    match matcher.read_effect("t", kind, value) {
        CallReading::Acting(call) => matcher.cover(&compiled, &[], &call) == Coverage::Covered,
        CallReading::Refused(_) => false,
        CallReading::Free(reason) => panic!("free: {reason:?}"),
    }
}

fn run(name: &str) {
    let cases: Vec<(usize, Case)> = common::cases(name);
    assert!(!cases.is_empty());
    let wrong = cases.iter().filter(|(_, case)| covers(case) != case.covered);
    let wrong: Vec<String> =
        wrong.map(|(line, case)| format!("{name}:{line}: not {}", case.covered)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn paths() {
    run("paths.jsonl");
}

#[test]
fn urls() {
    run("urls.jsonl");
}
