//! What must hold whatever the input.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail loudly"
)]

use plan_gate_core::{Config, EffectKind, PathStyleChoice, Scope};
use plan_gate_scope_matcher::{CallReading, Coverage, Grant, Matcher};
use proptest::prelude::*;

const STYLES: [PathStyleChoice; 3] =
    [PathStyleChoice::Posix, PathStyleChoice::Macos, PathStyleChoice::Windows];

fn matcher(style: PathStyleChoice, rooted: bool) -> Matcher {
    let root = match style {
        PathStyleChoice::Windows => "C:\\w\\p",
        _ => "/w/p",
    };
    let config = Config { path_style: style, root: rooted.then(|| root.into()), ..Config::default() };
    Matcher::new(&config).unwrap()
}

fn covers(matcher: &Matcher, scope: &Scope, grants: &[&Grant], kind: EffectKind, value: &str) -> bool {
    let Ok(compiled) = matcher.compile(scope) else { return false };
    match matcher.read_effect("t", kind, value) {
        CallReading::Acting(call) => matcher.cover(&compiled, grants, &call) == Coverage::Covered,
        _ => false,
    }
}

fn path() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => "[ab]{1,2}".prop_map(String::from),
        1 => Just(".".to_owned()),
        1 => Just("..".to_owned()),
        1 => Just(String::new()),
        1 => "[A-Z\u{e9}\u{c9}.~\\\\: ]{1,3}".prop_map(String::from),
    ];
    (
        prop_oneof![3 => Just(""), 1 => Just("/"), 1 => Just("C:\\"), 1 => Just("/w/p/")],
        prop::collection::vec(part, 1..6),
    )
        .prop_map(|(head, parts)| format!("{head}{}", parts.join("/")))
}

fn url() -> impl Strategy<Value = String> {
    let host = prop_oneof![
        Just("a.test"),
        Just("b.a.test"),
        Just("A.TEST"),
        Just("127.0.0.1"),
        Just("a.test."),
        Just("*.a.test")
    ];
    let scheme = prop_oneof![4 => Just("https://"), 1 => Just("http://"), 1 => Just(""), 1 => Just("ftp://")];
    let port = prop_oneof![3 => Just(""), 1 => Just(":443"), 1 => Just(":80"), 1 => Just(":8080")];
    (
        scheme,
        host,
        port,
        prop_oneof![Just(""), Just("/"), Just("/x"), Just("/x/y"), Just("/x/../z"), Just("/xy?q#f")],
    )
        .prop_map(|(scheme, host, port, path)| format!("{scheme}{host}{port}{path}"))
}

fn scope(kind: EffectKind, entries: Vec<String>) -> Scope {
    let mut scope = Scope { tools: vec!["t".into()], ..Scope::default() };
    match kind {
        EffectKind::Write => scope.files = entries,
        EffectKind::Fetch => scope.urls = entries,
        EffectKind::Execute => scope.commands = entries,
        EffectKind::Delegate => scope.agents = entries,
        other => panic!("{other:?}"),
    }
    scope
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    /// A longer list covers no less; the entries of the shorter one are still well formed in it.
    #[test]
    fn adding_an_entry_never_removes_coverage(
        entries in prop::collection::vec(path(), 1..20), extra in path(), value in path(), style in 0..3_usize, rooted: bool,
    ) {
        let matcher = matcher(STYLES.into_iter().nth(style).unwrap(), rooted);
        let usable = |entry: &String| matcher.compile(&scope(EffectKind::Write, vec![entry.clone()])).is_ok();
        let entries: Vec<String> = entries.into_iter().filter(usable).collect();
        let before = covers(&matcher, &scope(EffectKind::Write, entries.clone()), &[], EffectKind::Write, &value);
        if usable(&extra) {
            let mut more = entries;
            more.push(extra);
            let after = covers(&matcher, &scope(EffectKind::Write, more), &[], EffectKind::Write, &value);
            prop_assert!(after || !before);
        }
    }

    /// Many entries cover exactly what one of them covers alone.
    #[test]
    fn a_list_is_the_sum_of_its_entries(
        entries in prop::collection::vec(path(), 0..20), value in path(), style in 0..3_usize, rooted: bool,
    ) {
        let matcher = matcher(STYLES.into_iter().nth(style).unwrap(), rooted);
        let alone = |entry: &String| scope(EffectKind::Write, vec![entry.clone()]);
        let entries: Vec<String> = entries.into_iter().filter(|entry| matcher.compile(&alone(entry)).is_ok()).collect();
        let any = entries.iter().any(|entry| covers(&matcher, &alone(entry), &[], EffectKind::Write, &value));
        prop_assert_eq!(covers(&matcher, &scope(EffectKind::Write, entries), &[], EffectKind::Write, &value), any);
    }

    #[test]
    fn a_dot_or_a_doubled_separator_changes_nothing(
        entry in path(), value in path(), place in 0..6_usize, what in 0..2_usize, style in 0..3_usize, rooted: bool,
    ) {
        let matcher = matcher(STYLES.into_iter().nth(style).unwrap(), rooted);
        let inserted = ["/./", "//"].into_iter().nth(what).unwrap();
        // Two separators at the start of a Windows path make a share of it.
        let Some((at, _)) = value.match_indices('/').filter(|(at, _)| *at > 2).nth(place) else { return Ok(()) };
        let other = format!("{}{inserted}{}", &value[..at], &value[at + 1..]);
        let entries = scope(EffectKind::Write, vec![entry]);
        prop_assert_eq!(
            covers(&matcher, &entries, &[], EffectKind::Write, &value),
            covers(&matcher, &entries, &[], EffectKind::Write, &other),
            "{} {}", value, other
        );
    }

    /// A covered directory covers what lies below it.
    #[test]
    fn what_is_below_a_covered_path_is_covered(entry in path(), value in path(), name in "[a-z]{1,8}", style in 0..3_usize, rooted: bool) {
        let matcher = matcher(STYLES.into_iter().nth(style).unwrap(), rooted);
        let entries = scope(EffectKind::Write, vec![entry]);
        let exact = value.contains('\\') || value.contains('~');
        if !exact && !["con", "prn", "aux", "nul"].contains(&name.as_str()) && covers(&matcher, &entries, &[], EffectKind::Write, &value) {
            // `/` and one more make a share on windows.
            let below = format!("{}/{name}", value.trim_end_matches('/'));
            if value.trim_end_matches('/').is_empty() {
                return Ok(());
            }
            prop_assert!(covers(&matcher, &entries, &[], EffectKind::Write, &below), "{}", below);
        }
    }

    #[test]
    fn urls_add_up_as_paths_do(entries in prop::collection::vec(url(), 0..12), value in url()) {
        let matcher = matcher(PathStyleChoice::Posix, false);
        let alone = |entry: &String| scope(EffectKind::Fetch, vec![entry.clone()]);
        let entries: Vec<String> = entries.into_iter().filter(|entry| matcher.compile(&alone(entry)).is_ok()).collect();
        let any = entries.iter().any(|entry| covers(&matcher, &alone(entry), &[], EffectKind::Fetch, &value));
        prop_assert_eq!(covers(&matcher, &scope(EffectKind::Fetch, entries), &[], EffectKind::Fetch, &value), any);
    }

    /// A yes to a held call covers that call, and nothing that is not the same file.
    #[test]
    fn a_grant_is_no_entry(held in path(), other in path(), style in 0..3_usize, rooted: bool) {
        let matcher = matcher(STYLES.into_iter().nth(style).unwrap(), rooted);
        let nothing = Scope::default();
        let CallReading::Acting(call) = matcher.read_effect("t", EffectKind::Write, &held) else { return Ok(()) };
        let grant = matcher.grant(&call);
        let back: Grant = serde_json::from_str(&serde_json::to_string(&grant).unwrap()).unwrap();
        prop_assert_eq!(&back, &grant);
        let grants = [&grant];
        prop_assert!(covers(&matcher, &nothing, &grants, EffectKind::Write, &held));
        prop_assert!(!covers(&matcher, &nothing, &grants, EffectKind::Execute, &held));
        if covers(&matcher, &nothing, &grants, EffectKind::Write, &other) {
            let CallReading::Acting(call) = matcher.read_effect("t", EffectKind::Write, &other) else { panic!() };
            prop_assert_eq!(&matcher.grant(&call), grants[0]);
        }
    }
}

/// Any bytes for arguments, under every profile: an answer, no panic, and nothing free but reading.
#[test]
fn any_arguments_get_an_answer() {
    let matchers: Vec<Matcher> = plan_gate_scope_matcher::Profile::names()
        .iter()
        .map(|profile| serde_json::from_value::<Config>(serde_json::json!({"profile": profile})).unwrap())
        .map(|config| Matcher::new(&config).unwrap())
        .collect();
    let args = (prop::collection::vec(any::<u8>(), 0..200), "[{}\\[\\]\":,a-z0-9\\\\]{0,60}");
    proptest!(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) }, |((bytes, json) in args)| {
        for matcher in &matchers {
            for tool in ["write", "Write", "bash", "Bash", "apply_patch", "web_fetch", "unknown", "mcp__a__b"] {
                for args in [bytes.as_slice(), json.as_bytes()] {
                    let reading = matcher.read(tool, args);
                    prop_assert!(!matches!(reading, CallReading::Free(_)), "{} {:?}", tool, reading);
                    if let CallReading::Acting(call) = reading {
                        prop_assert!(!call.effects.is_empty());
                        let compiled = matcher.compile(&Scope::default()).unwrap();
                        prop_assert!(matcher.cover(&compiled, &[], &call) != Coverage::Covered);
                        prop_assert!(matcher.cover(&compiled, &[&matcher.grant(&call)], &call) == Coverage::Covered);
                    }
                }
            }
        }
    });
}
