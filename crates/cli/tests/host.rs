//! The commands that put the gate in front of a coding agent, against a home of their own. The hosts themselves are
//! played in `tests/hosts`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output, Stdio};

struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn run(&self, arguments: &[&str], input: &str) -> Output {
        use std::io::Write;
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("plan-gate"))
            .args(arguments)
            .current_dir(self.path())
            .env_clear()
            .env("HOME", self.path())
            .env("PATH", "/usr/bin:/bin")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that does not read its input may be gone by now.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    }

    fn says(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments, "");
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    fn standing(&self, host: &str) -> String {
        let rows: Value = serde_json::from_str(&self.says(&["status", "--json"])).unwrap();
        let mut rows = rows.as_array().unwrap().iter();
        let row = rows.find(|row| row["host"] == host && row["level"] == "user").unwrap();
        row["standing"].as_str().unwrap().to_owned()
    }

    fn hook(&self, host: &str, event: &Value) -> (i32, String, String) {
        let output = self.run(&["hook", host], &event.to_string());
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }
}

fn event(name: &str, more: Value) -> Value {
    let mut event = json!({"session_id": "s1", "cwd": "/repo", "hook_event_name": name});
    event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    event
}

fn call(name: &str, id: &str) -> Value {
    let arguments = json!({"file_path": "/repo/a.txt", "content": "x"});
    event(name, json!({"tool_name": "Write", "tool_input": arguments, "tool_use_id": id}))
}

#[test]
fn installs_once_and_takes_out_what_it_put_in() {
    for (host, file, old) in [
        ("claude-code", ".claude/settings.json", "{\n  \"theme\": \"dark\"\n}\n"),
        ("codex", ".codex/config.toml", "model = \"x\" # mine\n"),
        ("gemini-cli", ".gemini/settings.json", "{\n  // mine\n  \"a\": 1\n}\n"),
        ("qwen-code", ".qwen/settings.json", "{\"a\": 1}\n"),
        ("opencode", ".config/opencode/opencode.json", "{\"permission\": {\"bash\": \"ask\"}}\n"),
    ] {
        let home = Home::new();
        let file = home.path().join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, old).unwrap();
        let shown = home.says(&["install", host, "--dry-run"]);
        assert!(shown.contains("+ "), "{host}: {shown}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), old, "{host}");
        let asked = home.run(&["install", host], "");
        assert_eq!(asked.status.code(), Some(2), "{host}: without a terminal it must not write");
        home.says(&["install", host, "--yes"]);
        let new = std::fs::read_to_string(&file).unwrap();
        assert!(new.contains("plan-gate") && new != old, "{host}: {new}");
        assert!(home.says(&["install", host, "--yes"]).contains("Nothing to change"), "{host}");
        assert_eq!(home.standing(host), "installed");
        std::fs::write(&file, new.replace("/plan-gate", "/old/plan-gate")).unwrap();
        assert_eq!(home.standing(host), "differs");
        std::fs::write(&file, new).unwrap();
        home.says(&["uninstall", host, "--yes"]);
        let back = std::fs::read_to_string(&file).unwrap();
        assert!(!back.contains("plan-gate"), "{host}: {back}");
        for line in old.lines().filter(|line| line.contains("mine") || line.contains("dark")) {
            assert!(back.contains(line.trim()), "{host}: {back}");
        }
        let kept = home.path().join(".local/state/plan-gate/backups");
        assert!(std::fs::read_dir(kept).unwrap().count() >= 2, "{host}");
    }
}

#[test]
fn the_doctor_finds_what_is_wrong() {
    let home = Home::new();
    let examine = |home: &Home, host: &str| -> (i32, Vec<(String, String)>) {
        let output = home.run(&["doctor", host, "--json"], "");
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        let findings = value["findings"].as_array().unwrap().iter();
        let word = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
        let findings = findings.map(|finding| (word(finding, "check"), word(finding, "grade"))).collect();
        (output.status.code().unwrap(), findings)
    };
    let has = |findings: &[(String, String)], check: &str, grade: &str| {
        findings.iter().any(|finding| finding.0 == check && finding.1 == grade)
    };
    let (code, findings) = examine(&home, "claude-code");
    assert!(code == 1 && has(&findings, "absent", "bad"), "{findings:?}");
    home.says(&["install", "claude-code", "--yes"]);
    let (code, findings) = examine(&home, "claude-code");
    assert!(
        code == 0 && has(&findings, "installed", "good") && has(&findings, "store", "good"),
        "{findings:?}"
    );
    assert!(has(&findings, "project", "note") && has(&findings, "version", "note"), "{findings:?}");

    let local = home.path().join(".claude/settings.local.json");
    std::fs::write(&local, r#"{"disableAllHooks": true}"#).unwrap();
    let (code, findings) = examine(&home, "claude-code");
    assert!(code == 1 && has(&findings, "switch", "bad"), "{findings:?}");
    std::fs::remove_file(local).unwrap();

    let old = home.path().join("claude");
    std::fs::write(&old, "#!/bin/sh\necho '2.1.197 (Claude Code)'\n").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&old, std::fs::Permissions::from_mode(0o755)).unwrap();
        let output = home.run(&["doctor", "claude-code", "--binary", old.to_str().unwrap()], "");
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stdout).contains("2.1.197 is too old"));
    }

    std::fs::write(home.path().join(".local/state/plan-gate/config.json"), "{\"locale\": 1}").unwrap();
    let (code, findings) = examine(&home, "claude-code");
    assert!(code == 1 && has(&findings, "store", "bad"), "{findings:?}");
    let (_, findings) = examine(&home, "opencode");
    assert!(has(&findings, "launcher", "bad"), "{findings:?}");
}

#[test]
fn a_hook_answers_in_the_one_form_and_keeps_what_happened() {
    let home = Home::new();
    let fine = (0, "{}".to_owned(), String::new());
    assert_eq!(home.hook("claude-code", &event("SessionStart", json!({"source": "startup"}))), fine);
    let (code, out, err) = home.hook("claude-code", &call("PreToolUse", "c1"));
    assert!(code == 2 && out.is_empty() && err.contains("no plan is approved"), "{err}");
    let plan = json!({"title": "T", "plan": "B", "tools": ["Write"], "files": ["a.txt"]});
    let propose = json!({"tool_name": "mcp__gate__propose_plan", "tool_input": plan, "tool_use_id": "c2"});
    assert_eq!(home.hook("claude-code", &event("PreToolUse", propose)), fine);
    let pending: Value = serde_json::from_str(&home.says(&["pending", "--json"])).unwrap();
    assert!(pending["text"].as_str().unwrap().contains("a.txt"), "{pending}");
    let refused = home.run(&["approve", pending["id"].as_str().unwrap()], "y\n");
    assert_eq!(refused.status.code(), Some(1), "approved without a terminal");
    assert_eq!(home.hook("claude-code", &event("UserPromptSubmit", json!({"prompt": "ok"}))), fine);
    assert_eq!(home.hook("claude-code", &call("PreToolUse", "c3")), fine);
    let log = home.says(&["log", "--json"]);
    let kinds: Vec<String> = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["kind"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(kinds, ["start", "before_tool", "propose", "reply", "before_tool"]);
    assert_eq!(home.says(&["log", "--json", "--verdict", "refuse"]).lines().count(), 1);
    assert_eq!(home.says(&["log", "--json", "--session", "s1", "--last", "2"]).lines().count(), 2);
    assert!(home.says(&["log"]).contains("in_scope"));
}

#[test]
fn whatever_goes_wrong_in_a_hook_is_exit_two_with_words() {
    let home = Home::new();
    for (arguments, input) in [
        (&["hook", "codex"][..], ""),
        (&["hook", "codex"], "{"),
        (&["hook", "codex"], "{\"session_id\":\"s\",\"hook_event_name\":\"Nothing\"}"),
        (&["hook", "nohost"], "{}"),
        (&["hook"], "{}"),
        (&["hook", "codex", "--color", "always", "more"], "{}"),
    ] {
        let output = home.run(arguments, input);
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {input}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?} {input}");
    }
    // No place for the store.
    std::fs::create_dir_all(home.path().join(".local/state")).unwrap();
    let place = home.path().join(".local/state/plan-gate");
    let _ = std::fs::remove_dir_all(&place);
    std::fs::write(&place, "").unwrap();
    let (code, out, err) = home.hook("codex", &event("SessionStart", json!({"source": "startup"})));
    assert!(code == 2 && out.is_empty() && err.contains("cannot keep its state"), "{err}");
}
