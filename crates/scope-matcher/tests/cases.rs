//! Entries against paths and URLs: one line of JSON a case.

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
    note: Option<String>,
}

fn covers(case: &Case) -> bool {
    let path_style = match case.style.as_deref() {
        Some("windows") => PathStyleChoice::Windows,
        Some("macos") => PathStyleChoice::Macos,
        _ => PathStyleChoice::Posix,
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
    let text = std::fs::read_to_string(format!("{}/tests/cases/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let mut wrong = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let case: Case = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        if covers(&case) != case.covered {
            wrong.push(format!("{line} {}", case.note.as_deref().unwrap_or_default()));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn paths() {
    run("paths.jsonl");
}

#[test]
fn urls() {
    run("urls.jsonl");
}
