//! Installing into configurations that are already there, and taking it out again.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::unreachable,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use plan_gate_hosts::Host;
use plan_gate_hosts::install::{Edit, Level, Target, command_line, edits};
use serde_json::{Value, json};

const PROGRAM: &str = "/opt/plan-gate/bin/plan-gate";

fn target(level: Level) -> Target {
    Target { level, home: "/home/u".into(), project: "/work".into(), program: PROGRAM.into() }
}

fn all() -> Vec<(Host, Level, Edit)> {
    let mut all = Vec::new();
    for host in Host::ALL {
        for level in [Level::User, Level::Project, Level::System] {
            match edits(host, &target(level)) {
                Ok(edits) => all.extend(edits.into_iter().map(|edit| (host, level, edit))),
                Err(error) => assert!(host == Host::OpenCode && level == Level::System, "{error}"),
            }
        }
    }
    all
}

fn is_toml(edit: &Edit) -> bool {
    edit.path.extension().unwrap() == "toml"
}

/// Comments stripped by hand: the tests' own configurations have them on lines of their own.
fn value(text: &str) -> Value {
    let lines: Vec<_> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    serde_json::from_str(&lines.join("\n")).unwrap_or_else(|error| panic!("{error}: {text}"))
}

const JSON: &[&str] = &[
    "{}\n",
    "{\n}\n",
    "{\"theme\":\"dark\"}\n",
    "{\n  // mine\n  \"permission\": {\"bash\": \"ask\"},\n  \"hooks\": {\n    \"PreToolUse\": [\n      // lint\n      {\"matcher\": \"Write\", \"hooks\": [{\"type\": \"command\", \"command\": \"lint\"}]}\n    ],\n    \"Stop\": []\n  },\n  \"mcpServers\": {\"other\": {\"command\": \"x\"}},\n  \"mcp\": {\"other\": {\"type\": \"local\", \"command\": [\"x\"]}}\n}\n",
];

const TOML: &[&str] = &[
    "",
    "# mine\nmodel = \"gpt\" # the good one\n\n[features]\nweb = true\n",
    "model = \"gpt\"\n\n[[hooks.PreToolUse]]\nmatcher = \"Bash\"\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"lint\"\n\n[mcp_servers.other]\ncommand = \"x\"\n",
];

#[test]
fn installing_twice_is_installing_once_and_uninstalling_takes_it_all_out() {
    for (host, level, edit) in all() {
        if edit.path.ends_with("plugin/plan-gate.js") {
            let new = edit.install(None).unwrap();
            assert_eq!(edit.install(Some(&new)).unwrap(), new);
            assert_eq!(edit.uninstall(&new).unwrap(), None);
            assert!(edit.install(Some("export const Mine = 1")).is_err());
            assert!(edit.uninstall("export const Mine = 1").is_err());
            continue;
        }
        let samples = if is_toml(&edit) { TOML } else { JSON };
        for old in samples {
            let name = format!("{host} {level:?} {} {old}", edit.path.display());
            let new = edit.install(Some(old)).unwrap();
            assert!(new.contains("plan-gate"), "{name}");
            assert_eq!(edit.install(Some(&new)).unwrap(), new, "{name}");
            for line in old.lines().filter(|line| line.contains("mine") || line.contains("lint")) {
                assert!(new.contains(line.trim()), "{name}: `{line}` is lost in\n{new}");
            }
            let back = edit.uninstall(&new).unwrap().unwrap();
            if is_toml(&edit) {
                // What a requirements file pins stays: other hooks may rely on it.
                let pins = [
                    "[features]\nhooks = true\n",
                    "hooks = true\n",
                    "[hooks]\nmanaged_dir = \"/etc/codex\"\n\n",
                ];
                let kept = pins.iter().fold(back, |text, pin| text.replace(pin, ""));
                assert_eq!(kept.trim(), old.trim(), "{name}");
            } else {
                let mut back = value(&back);
                let map = back.as_object_mut().unwrap();
                for pin in ["hooksConfig", "disableAllHooks"] {
                    map.remove(pin);
                }
                let mut old = value(old);
                // An event that was an empty list may have gone.
                old.as_object_mut().unwrap().retain(|_, value| *value != json!({}));
                assert_eq!(back, old, "{name}");
            }
        }
        assert!(edit.install(None).is_ok());
    }
}

#[test]
fn every_event_gets_the_line_in_the_hosts_own_form() {
    for (host, level, edit) in all() {
        let text = edit.install(None).unwrap();
        let command = command_line(host, PROGRAM);
        let has_hooks = text.contains("hook ") && !edit.path.ends_with("plan-gate.js");
        if !has_hooks {
            continue;
        }
        for event in &host.facts().install_events {
            if is_toml(&edit) {
                let document: toml_edit::DocumentMut = text.parse().unwrap();
                let group = document["hooks"][event].as_array_of_tables().unwrap().get(0).unwrap();
                let hook = group["hooks"].as_array_of_tables().unwrap().get(0).unwrap();
                assert_eq!(hook["command"].as_str(), Some(command.as_str()));
                assert_eq!(hook["timeout"].as_integer(), Some(30));
            } else {
                let hook = &value(&text)["hooks"][event][0]["hooks"][0];
                assert_eq!(hook["command"], command, "{host} {event}");
                assert_eq!(hook["timeout"], if host == Host::GeminiCli { 30_000 } else { 30 });
                let closed = (host == Host::ClaudeCode).then(|| json!("block"));
                assert_eq!(hook.get("onFailure"), closed.as_ref());
            }
        }
        if level == Level::System {
            let pinned = match host {
                Host::ClaudeCode => true,
                Host::GeminiCli => value(&text)["hooksConfig"]["enabled"] == true,
                Host::QwenCode => value(&text)["disableAllHooks"] == false,
                Host::Codex => text.contains("[features]\nhooks = true"),
                Host::OpenCode => unreachable!(),
            };
            assert!(pinned, "{host}: {text}");
        }
    }
}

#[test]
fn an_older_installation_is_replaced_not_doubled() {
    for (host, level, edit) in all() {
        let Target { home, project, .. } = target(level);
        let older = Target { level, home, project, program: "/old/plan-gate".into() };
        let older = edits(host, &older).unwrap().into_iter().find(|old| old.path == edit.path).unwrap();
        let samples = match edit.path.extension().unwrap().to_str().unwrap() {
            "toml" => TOML,
            "json" => JSON,
            _ => continue,
        };
        for old in samples {
            let text = edit.install(Some(&older.install(Some(old)).unwrap())).unwrap();
            assert!(!text.contains("/old/"), "{host} {level:?}: {text}");
            let fresh = edit.install(Some(old)).unwrap();
            if is_toml(&edit) {
                assert_eq!(text.matches(PROGRAM).count(), fresh.matches(PROGRAM).count(), "{text}");
            } else {
                assert_eq!(value(&text), value(&fresh), "{host} {level:?}");
            }
        }
    }
}

#[test]
fn what_cannot_be_changed_safely_is_an_error_that_names_file_and_key() {
    let bad_json = [
        ("{", "not JSON"),
        ("[]", "not a JSON object"),
        ("{'a': 1}", "not JSON"),
        (r#"{"hooks": []}"#, "`hooks` is not an object"),
        (r#"{"hooks": {"PreToolUse": {}}}"#, "is not a list"),
        (r#"{"mcpServers": {"gate": {"command": "x"}}}"#, "belongs to another program"),
        (r#"{"mcpServers": 1}"#, "`mcpServers` is not an object"),
    ];
    let edit = edits(Host::QwenCode, &target(Level::User)).unwrap().remove(0);
    for (old, part) in bad_json {
        let error = edit.install(Some(old)).unwrap_err().to_string();
        assert!(error.contains(part) && error.contains("/home/u/.qwen/settings.json"), "{old}: {error}");
    }
    let bad_toml = [
        ("a = ", "not TOML"),
        ("hooks = 1", "`hooks` is not a plain table"),
        ("[hooks]\nPreToolUse = 1", "is not an array of tables"),
        ("[mcp_servers.gate]\ncommand = \"x\"", "belongs to another program"),
    ];
    let edit = edits(Host::Codex, &target(Level::User)).unwrap().remove(0);
    for (old, part) in bad_toml {
        let error = edit.install(Some(old)).unwrap_err().to_string();
        assert!(error.contains(part) && error.contains("config.toml"), "{old}: {error}");
    }
}

/// What stood in OpenCode's permissions before us is what comes back, also over several installations.
#[test]
fn opencode_gets_its_own_permissions_back() {
    let edit = edits(Host::OpenCode, &target(Level::User)).unwrap().remove(0);
    for old in [
        json!({}),
        json!({"permission": "ask"}),
        json!({"permission": {"*": "deny"}}),
        json!({"permission": {"bash": {"git *": "allow"}}}),
    ] {
        let text = edit.install(Some(&old.to_string())).unwrap();
        assert_eq!(value(&text)["permission"], json!({"*": "deny"}));
        let text = edit.install(Some(&text)).unwrap();
        let back = value(&edit.uninstall(&text).unwrap().unwrap());
        // A user who denied everything before and after us has nothing to get back.
        let lost = old == json!({"permission": {"*": "deny"}});
        assert_eq!(back, if lost { json!({}) } else { old.clone() });
    }
}
