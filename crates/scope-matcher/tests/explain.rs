//! What an answer says: the entry that covered, or what is outside and the nearest entry; and what a yes
//! to a held call grants.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use plan_gate_core::{Config, ScopeList};
use plan_gate_scope_matcher::{Acting, By, CallReading, CompiledScope, Coverage, Grant, Matcher};
use serde_json::json;

fn matcher(config: serde_json::Value) -> Matcher {
    Matcher::new(&serde_json::from_value::<Config>(config).unwrap()).unwrap()
}

fn claude() -> (Matcher, CompiledScope) {
    let matcher = matcher(json!({"profile": "claude-code", "root": "/w/p", "pathStyle": "posix"}));
    let scope = serde_json::from_value(json!({
        "tools": ["Write", "Bash", "WebFetch", "Agent", "mcp__git__*"],
        "files": ["docs", "src/lib/a.ts", "src"],
        "commands": ["npm test *", "cargo build"],
        "urls": ["https://docs.test/guide", "*.api.test"],
        "agents": ["Explore"],
    }))
    .unwrap();
    let compiled = matcher.compile(&scope).unwrap();
    (matcher, compiled)
}

fn acting<'a>(matcher: &'a Matcher, tool: &'a str, args: &'a str) -> Acting<'a> {
    match matcher.read(tool, args.as_bytes()) {
        CallReading::Acting(call) => call,
        other => panic!("{tool} {args}: {other:?}"),
    }
}

#[test]
fn the_entry_that_covered_is_named() {
    let (matcher, scope) = claude();
    for (tool, args, list, place) in [
        ("Write", r#"{"file_path":"/w/p/docs/x.md","content":""}"#, ScopeList::Files, 0),
        ("Write", r#"{"file_path":"src/b.ts","content":""}"#, ScopeList::Files, 2),
        ("Bash", r#"{"command":"cargo build"}"#, ScopeList::Commands, 1),
        ("Bash", r#"{"command":"npm test -- -u"}"#, ScopeList::Commands, 0),
        ("WebFetch", r#"{"url":"https://docs.test/guide/a","prompt":""}"#, ScopeList::Urls, 0),
        ("WebFetch", r#"{"url":"https://v1.api.test/","prompt":""}"#, ScopeList::Urls, 1),
        ("Agent", r#"{"subagent_type":"Explore","prompt":""}"#, ScopeList::Agents, 0),
    ] {
        let findings = matcher.explain(&scope, &[], &acting(&matcher, tool, args));
        let [name, effect] = findings.as_slice() else { panic!("{findings:?}") };
        assert!(matches!(name.by, By::Entry(ScopeList::Tools, _)), "{name:?}");
        assert_eq!(effect.by, By::Entry(list, place), "{args}");
    }
    let both = acting(&matcher, "Bash", r#"{"command":"cargo build && npm test -u"}"#);
    assert!(matches!(matcher.explain(&scope, &[], &both).last().unwrap().by, By::Parts));
    let family = acting(&matcher, "mcp__git__push", "{}");
    assert_eq!(matcher.explain(&scope, &[], &family).last().unwrap().by, By::Entry(ScopeList::Tools, 4));
}

#[test]
fn the_nearest_entry_is_named() {
    let (matcher, scope) = claude();
    for (tool, args, why, nearest) in [
        ("Write", r#"{"file_path":"/w/p/src2/x","content":""}"#, "file_not_listed", None),
        ("Write", r#"{"file_path":"/x/lib/a.ts","content":""}"#, "file_not_listed", Some("src/lib/a.ts")),
        ("Write", r#"{"file_path":"a.ts","content":""}"#, "file_not_listed", Some("src/lib/a.ts")),
        ("Bash", r#"{"command":"npm run build"}"#, "command_not_listed", Some("npm test *")),
        (
            "WebFetch",
            r#"{"url":"https://docs.test/other","prompt":""}"#,
            "url_not_listed",
            Some("https://docs.test/guide"),
        ),
        (
            "WebFetch",
            r#"{"url":"https://x.docs.test/","prompt":""}"#,
            "url_not_listed",
            Some("https://docs.test/guide"),
        ),
        ("WebFetch", r#"{"url":"https://evil.test/","prompt":""}"#, "url_not_listed", None),
        ("Agent", r#"{"subagent_type":"explore","prompt":""}"#, "agent_not_listed", Some("Explore")),
        ("write_it", "{}", "tool_not_listed", Some("Write")),
        ("mcp__git", "{}", "tool_not_listed", Some("mcp__git__*")),
        ("Zap", "{}", "tool_not_listed", None),
    ] {
        let Coverage::Outside(gaps) = matcher.cover(&scope, &[], &acting(&matcher, tool, args)) else {
            panic!("{args} is covered")
        };
        let gap = gaps.first().unwrap();
        assert_eq!((gap.why, gap.nearest.as_deref()), (why, nearest), "{tool} {args}");
    }
}

#[test]
fn explaining_and_covering_agree() {
    let (matcher, scope) = claude();
    for (tool, args) in [
        ("Write", r#"{"file_path":"src/x","content":""}"#),
        ("Write", r#"{"file_path":"x","content":""}"#),
        ("Write", r#"{"file_path":"src/x","content":"","more":1}"#),
        ("Edit", r#"{"file_path":"src/x","old_string":"","new_string":""}"#),
        ("Bash", r#"{"command":"npm test > src/log"}"#),
        ("Bash", r#"{"command":"npm test > log"}"#),
        ("Skill", r#"{"skill":"x"}"#),
    ] {
        let call = acting(&matcher, tool, args);
        for granted in [vec![], vec![matcher.grant(&call)]] {
            let granted: Vec<&Grant> = granted.iter().collect();
            let gaps: Vec<_> = matcher
                .explain(&scope, &granted, &call)
                .into_iter()
                .filter_map(|finding| match finding.by {
                    By::Nothing(gap) => Some(gap),
                    _ => None,
                })
                .collect();
            match matcher.cover(&scope, &granted, &call) {
                Coverage::Covered => assert_eq!(gaps, [], "{args}"),
                Coverage::Outside(outside) => assert_eq!(gaps, outside, "{args}"),
            }
        }
    }
}

/// What a yes to the first call means for the second.
fn after_yes(tool: &str, first: &str, other: &str, second: &str) -> bool {
    let (matcher, _) = claude();
    let nothing = matcher.compile(&plan_gate_core::Scope::default()).unwrap();
    let held = acting(&matcher, tool, first);
    assert_ne!(matcher.cover(&nothing, &[], &held), Coverage::Covered);
    let grant = matcher.grant(&held);
    let grant: Grant = serde_json::from_str(&serde_json::to_string(&grant).unwrap()).unwrap();
    assert_eq!(matcher.cover(&nothing, &[&grant], &held), Coverage::Covered, "{first}");
    matcher.cover(&nothing, &[&grant], &acting(&matcher, other, second)) == Coverage::Covered
}

#[test]
fn a_yes_grants_that_call_and_nothing_else() {
    for (tool, first, second, covered) in [
        (
            "Write",
            r#"{"file_path":"etc/x","content":"1"}"#,
            r#"{"file_path":"./etc//x","content":"2"}"#,
            true,
        ),
        (
            "Write",
            r#"{"file_path":"etc/x","content":"1"}"#,
            r#"{"file_path":"/w/p/etc/x","content":"1"}"#,
            true,
        ),
        (
            "Write",
            r#"{"file_path":"etc/x","content":"1"}"#,
            r#"{"file_path":"etc/x/y","content":"1"}"#,
            false,
        ),
        ("Write", r#"{"file_path":"etc/x","content":"1"}"#, r#"{"file_path":"etc","content":"1"}"#, false),
        (
            "Write",
            r#"{"file_path":"etc/x","content":"1"}"#,
            r#"{"file_path":"etc/x","content":"1","z":1}"#,
            false,
        ),
        // With an argument no plan covers: exactly that call.
        (
            "Write",
            r#"{"file_path":"a","content":"1","z":1}"#,
            r#"{ "z": 1, "content": "1", "file_path": "a"}"#,
            true,
        ),
        (
            "Write",
            r#"{"file_path":"a","content":"1","z":1}"#,
            r#"{"file_path":"a","content":"1","z":2}"#,
            false,
        ),
        (
            "Write",
            r#"{"file_path":"a","content":"1","z":1}"#,
            r#"{"file_path":"a","content":"2","z":1}"#,
            false,
        ),
        ("Write", r#"{"file_path":"a","content":"1","z":1}"#, r#"{"file_path":"a","content":"1"}"#, false),
        ("Bash", r#"{"command":"npm run *"}"#, r#"{"command":"npm run build"}"#, false),
        ("Bash", r#"{"command":"npm run b"}"#, r#"{"command":" NPM  run b"}"#, true),
        ("Bash", r#"{"command":"npm run b"}"#, r#"{"command":"npm run b && npm run b"}"#, false),
        (
            "Bash",
            r#"{"command":"ls","dangerouslyDisableSandbox":true}"#,
            r#"{"command":"ls","dangerouslyDisableSandbox":true}"#,
            true,
        ),
        ("Bash", r#"{"command":"ls","dangerouslyDisableSandbox":true}"#, r#"{"command":"ls"}"#, false),
        (
            "WebFetch",
            r#"{"url":"https://a.test","prompt":""}"#,
            r#"{"url":"https://A.test:443/#x","prompt":"y"}"#,
            true,
        ),
        (
            "WebFetch",
            r#"{"url":"https://a.test","prompt":""}"#,
            r#"{"url":"https://a.test/x","prompt":""}"#,
            false,
        ),
        ("Agent", r#"{"subagent_type":"A","prompt":"x"}"#, r#"{"subagent_type":"A","prompt":"y"}"#, true),
        ("Agent", r#"{"subagent_type":"A","prompt":"x"}"#, r#"{"subagent_type":"B","prompt":"x"}"#, false),
        ("Skill", r#"{"skill":"x"}"#, r#"{"skill":"y"}"#, true),
    ] {
        assert_eq!(after_yes(tool, first, tool, second), covered, "{first} then {second}");
    }
    let edit = r#"{"file_path":"etc/x","old_string":"","new_string":""}"#;
    assert!(!after_yes("Write", r#"{"file_path":"etc/x","content":"1"}"#, "Edit", edit), "another tool");
    assert!(!after_yes("mcp__a__*", "{}", "mcp__a__b", "{}"), "a granted name is no family");
}

#[test]
fn faults_are_all_reported_with_their_places() {
    let matcher =
        matcher(json!({"profile": "dsh", "root": "/w", "pathStyle": "posix", "protectedFiles": [".gate"]}));
    let scope = serde_json::from_value(json!({
        "tools": ["write", "", "schedule_create", "cordis_*", "schedule_*", "*"],
        "files": ["src", "*.ts", "../x", "a\u{202e}b", ".gate/x", ".GATE", "/w/.gate", "/../x"],
        "commands": ["ls", " "],
        "urls": ["a.test", "*", "user@a.test"],
        "agents": ["*", "x"],
    }))
    .unwrap();
    let faults = matcher.compile(&scope).unwrap_err();
    let faults: Vec<String> =
        faults.iter().map(|fault| format!("{} {}", fault.place, fault.code.name())).collect();
    assert_eq!(
        faults,
        [
            "tools[1] blank",
            "tools[2] never_grantable",
            "tools[3] never_grantable",
            "files[1] file_glob",
            "files[2] path_never_matches",
            "files[3] hidden_characters",
            "files[4] protected_file",
            "files[5] protected_file",
            "files[6] protected_file",
            "files[7] path_never_matches",
            "commands[1] blank",
            "urls[1] bare_star",
            "urls[2] url_unreadable",
            "agents[0] bare_star",
        ]
    );
}

#[test]
fn broad_entries_are_warned_about() {
    let matcher = matcher(json!({"root": "/w/p", "pathStyle": "posix"}));
    let scope = serde_json::from_value(json!({
        "tools": ["*", "write"],
        "files": ["/", ".", "/w/p", "/w", "src"],
        "commands": ["*", "bash *", "npm test", "git pu*"],
        "urls": ["*.com", "a.com", "https://*.org:8443/x", "*.example.com"],
    }))
    .unwrap();
    let warnings: Vec<String> = matcher
        .warnings(&scope)
        .iter()
        .map(|warning| format!("{}[{}] {}", warning.list.name(), warning.index, warning.code))
        .collect();
    assert_eq!(
        warnings,
        [
            "tools[0] every_tool",
            "files[0] root_directory",
            "files[1] working_directory",
            "files[2] working_directory",
            "files[3] above_root",
            "commands[0] everything",
            "commands[1] interpreter",
            "commands[3] inside_word",
            "urls[0] every_domain",
            "urls[2] every_domain",
        ]
    );
}
