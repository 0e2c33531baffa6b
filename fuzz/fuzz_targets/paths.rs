//! Any entry and any path: against a naive reading of POSIX paths, and the rules that hold in all styles.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plan_gate_core::{Config, EffectKind, PathStyleChoice, Scope};
use plan_gate_scope_matcher::{CallReading, Coverage, Matcher};
use std::sync::LazyLock;

static MATCHERS: LazyLock<Vec<Matcher>> = LazyLock::new(|| {
    let matcher = |path_style, root: Option<&str>| {
        Matcher::new(&Config { path_style, root: root.map(str::to_owned), ..Config::default() }).unwrap()
    };
    vec![
        matcher(PathStyleChoice::Posix, None),
        matcher(PathStyleChoice::Posix, Some("/w/p")),
        matcher(PathStyleChoice::Macos, None),
        matcher(PathStyleChoice::Macos, Some("/W/p")),
        matcher(PathStyleChoice::Windows, None),
        matcher(PathStyleChoice::Windows, Some("C:\\w\\p")),
    ]
});

fn covers(matcher: &Matcher, files: &[&str], path: &str) -> Option<bool> {
    let files = files.iter().map(|file| (*file).to_owned()).collect();
    let scope = Scope { tools: vec!["t".into()], files, ..Scope::default() };
    let compiled = matcher.compile(&scope).ok()?;
    Some(match matcher.read_effect("t", EffectKind::Write, path) {
        CallReading::Acting(call) => matcher.cover(&compiled, &[], &call) == Coverage::Covered,
        _ => false,
    })
}

/// The segments of a POSIX path, with an empty one in front when it is absolute.
fn naive(path: &str, root: Option<&str>) -> Option<Vec<String>> {
    let path = match root {
        Some(root) if !path.starts_with('/') => format!("{root}/{path}"),
        _ => path.to_owned(),
    };
    let mut segments = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()?),
            name => segments.push(name.to_owned()),
        }
    }
    if path.starts_with('/') {
        segments.insert(0, String::new());
    }
    Some(segments)
}

fn naive_covers(entry: &str, path: &str, root: Option<&str>) -> bool {
    let odd = |text: &str| text.is_empty() || text.chars().any(char::is_control);
    let (Some(e), Some(p)) = (naive(entry, root), naive(path, root)) else { return false };
    let same_kind = (e.first().is_some_and(String::is_empty)) == (p.first().is_some_and(String::is_empty));
    let exact = path.contains('\\') && p.iter().any(|segment| segment.contains('\\'));
    !odd(entry) && !odd(path) && same_kind && if exact { e == p } else { p.starts_with(&e) }
}

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut parts = text.splitn(3, '\u{1}');
    let (Some(entry), Some(path), Some(other)) = (parts.next(), parts.next(), parts.next()) else { return };
    for (index, matcher) in MATCHERS.iter().enumerate() {
        let Some(covered) = covers(matcher, &[entry], path) else { continue };
        if index < 2 {
            let root = (index == 1).then_some("/w/p");
            assert_eq!(covered, naive_covers(entry, path, root), "root {root:?}, `{entry}`, `{path}`");
        }
        if let Some(more) = covers(matcher, &[entry, other], path) {
            assert!(more || !covered, "an entry took coverage away");
        }
        // Long lists are looked up in another way than short ones.
        let long: Vec<&str> = ["q0", "q1", "q2", "q3", "q4", "q5"].into_iter().chain([entry]).collect();
        let unrelated = covers(matcher, &long[..6], path) == Some(false);
        assert!(!unrelated || covers(matcher, &long, path) == Some(covered), "long and short lists differ");
        // Between a server and its share a dot is a share's name.
        let share = index >= 4 && path.starts_with(['/', '\\']);
        if let Some(at) = path.rfind('/').filter(|at| *at > 2 && !share) {
            let dotted = format!("{}/./{}", &path[..at], &path[at + 1..]);
            assert_eq!(covers(matcher, &[entry], &dotted), Some(covered), "`{dotted}`");
        }
    }
});
