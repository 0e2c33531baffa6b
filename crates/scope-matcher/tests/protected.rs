//! Protected files win over every entry and every yes, in command lines too.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use plan_gate_core::{Config, ProfileChoice, Reason};
use plan_gate_scope_matcher::{CallReading, Matcher};

fn matcher() -> Matcher {
    Matcher::new(&Config {
        profile: ProfileChoice::Named("dsh".to_owned()),
        root: Some("/w/p".to_owned()),
        path_style: plan_gate_core::PathStyleChoice::Posix,
        protected_files: vec![".claude".to_owned(), "/home/u/.gate/state.db".to_owned()],
        ..Config::default()
    })
    .unwrap()
}

fn refused(matcher: &Matcher, command: &str) -> bool {
    let args = serde_json::json!({"command": command, "description": "d"}).to_string();
    match matcher.read("bash", args.as_bytes()) {
        CallReading::Refused(refusal) => {
            assert_eq!(refusal.reason, Reason::ProtectedFile, "{command}");
            true
        }
        CallReading::Free(_) => panic!("{command} is free"),
        CallReading::Acting(_) => false,
    }
}

#[test]
fn a_line_that_plainly_writes_one_is_refused() {
    let matcher = matcher();
    for line in [
        "echo '{}' > .claude/settings.local.json",
        "echo '{}' >> /w/p/.claude/settings.json",
        "echo x > .CLAUDE/settings.json",
        "cd .claude && echo '{}' > settings.json; cat .claude/x",
        "echo '{}' | tee .claude/settings.json",
        "cp evil.json .claude/settings.json",
        "bash -lc 'echo x > .claude/settings.json'",
        "eval true; echo x > .claude/settings.json",
        "ls && echo x > \".claude/settings.json\"",
        "echo x > /home/u/.gate/state.db",
        "echo x > ~/.gate/state.db",
        "echo x > $HOME/.gate/state.db",
        "echo x > \"$HOME/.gate/state.db\"",
        "timeout 5 cp a ~/.gate/state.db",
    ] {
        assert!(refused(&matcher, line), "{line}");
    }
}

#[test]
fn reading_one_and_writing_elsewhere_are_judged_as_ever() {
    let matcher = matcher();
    for line in [
        "cat .claude/settings.json",
        "git add .claude",
        "echo .claude > notes.txt",
        "cat ~/.gate/state.db",
        "cp .claude/settings.json backup.json",
        "echo x > src/state.db.txt",
        "npm test",
    ] {
        assert!(!refused(&matcher, line), "{line}");
    }
}
