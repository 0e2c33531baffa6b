//! Whole conversations as a host's hooks tell them, each event with the store opened anew, as hook processes do.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use plan_gate_hosts::engine::{Settings, handle, settle, waiting};
use plan_gate_hosts::{Answer, Environment, Host, read};
use plan_gate_store::{Filter, SqliteStore, Store};
use serde_json::{Value, json};
use std::path::PathBuf;

struct Play {
    host: Host,
    directory: tempfile::TempDir,
    settings: Settings,
    session: &'static str,
    agent: Option<&'static str>,
    root: &'static str,
    calls: u32,
}

impl Play {
    fn new(host: Host) -> Self {
        let settings = Settings {
            home: "/home/u".into(),
            protected: vec![PathBuf::from("/home/u/.local/state/plan-gate"), PathBuf::from("/opt/plan-gate")],
            ..Settings::default()
        };
        let directory = tempfile::tempdir().unwrap();
        Self { host, directory, settings, session: "s1", agent: None, root: "/repo", calls: 0 }
    }

    fn started(host: Host) -> Self {
        let mut play = Self::new(host);
        assert_eq!(play.start("startup"), Answer::NoObjection);
        play
    }

    fn store(&self) -> SqliteStore {
        SqliteStore::open(&self.directory.path().join("state")).unwrap()
    }

    /// One event, in the spelling of the host.
    fn send(&mut self, wanted: &str, fields: Value) -> Answer {
        let facts = self.host.facts();
        let name = facts.install_events.iter().find(|event| {
            let kind = serde_json::to_value(format!("{:?}", facts.events.get(*event).unwrap())).unwrap();
            kind == wanted
        });
        let mut input = fields;
        let map = input.as_object_mut().unwrap();
        map.insert("session_id".to_owned(), json!(self.session));
        map.insert("cwd".to_owned(), json!(self.root));
        map.insert("hook_event_name".to_owned(), json!(name.unwrap()));
        if let Some(agent) = self.agent {
            map.insert("agent_id".to_owned(), json!(agent));
        }
        let event = read(self.host, input.to_string().as_bytes(), &Environment::default()).unwrap();
        handle(self.host, &mut self.store(), &self.settings, &event)
    }

    fn start(&mut self, source: &str) -> Answer {
        self.send("Start", json!({"source": source}))
    }

    fn say(&mut self, words: &str) {
        let answer = self.send("Prompt", json!({"prompt": words, "submitted_prompt": words}));
        assert_eq!(answer, Answer::NoObjection, "{words}");
    }

    fn call(&mut self, wanted: &str, tool: &str, arguments: &Value, id: &str) -> Answer {
        let mut fields = json!({"tool_name": tool, "tool_input": arguments});
        if self.host != Host::GeminiCli {
            fields.as_object_mut().unwrap().insert("tool_use_id".to_owned(), json!(id));
        }
        self.send(wanted, fields)
    }

    /// Before and, if it may run, after.
    fn run(&mut self, tool: &str, arguments: Value) -> Answer {
        self.calls += 1;
        let id = format!("c{}", self.calls);
        let answer = self.call("BeforeTool", tool, &arguments, &id);
        if answer == Answer::NoObjection {
            assert_eq!(self.call("AfterTool", tool, &arguments, &id), Answer::NoObjection);
        }
        answer
    }

    fn write(&mut self, file: &str) -> Answer {
        let (tool, arguments) = match self.host {
            Host::ClaudeCode => {
                ("Write", json!({"file_path": format!("{}/{file}", self.root), "content": "x"}))
            }
            Host::Codex => {
                let patch = format!("*** Begin Patch\n*** Add File: {file}\n+x\n*** End Patch");
                ("apply_patch", json!({"command": patch}))
            }
            Host::GeminiCli => ("write_file", json!({"file_path": file, "content": "x"})),
            Host::QwenCode => {
                ("write_file", json!({"file_path": format!("{}/{file}", self.root), "content": "x"}))
            }
            Host::OpenCode => ("write", json!({"filePath": file, "content": "x"})),
        };
        self.run(tool, arguments)
    }

    fn shell(&mut self, command: &str) -> Answer {
        let (tool, arguments) = match self.host {
            Host::ClaudeCode | Host::Codex => ("Bash", json!({"command": command})),
            Host::GeminiCli | Host::QwenCode => ("run_shell_command", json!({"command": command})),
            Host::OpenCode => ("bash", json!({"command": command, "description": "d"})),
        };
        self.run(tool, arguments)
    }

    fn tools(&self) -> Value {
        match self.host {
            Host::ClaudeCode => json!(["Write", "Bash"]),
            Host::Codex => json!(["apply_patch", "Bash"]),
            Host::GeminiCli | Host::QwenCode => json!(["write_file", "run_shell_command"]),
            Host::OpenCode => json!(["write", "bash"]),
        }
    }

    fn propose(&mut self, files: &[&str]) -> Answer {
        let tool = self.host.facts().propose_tools.first().unwrap().clone();
        let plan =
            json!({"title": "T", "plan": "B", "tools": self.tools(), "files": files, "commands": ["make"]});
        self.run(&tool, plan)
    }

    fn approved(host: Host) -> Self {
        let mut play = Self::started(host);
        assert_eq!(play.propose(&["a.txt"]), Answer::NoObjection);
        play.say("ok");
        play
    }

    fn kinds(&self) -> Vec<(String, Option<String>, Option<String>)> {
        let mut kinds = Vec::new();
        let visit =
            &mut |entry: plan_gate_store::Entry| kinds.push((entry.kind, entry.verdict, entry.reason));
        self.store().journal(&Filter::default(), visit).unwrap();
        kinds
    }
}

fn refused(answer: &Answer, part: &str) -> bool {
    matches!(answer, Answer::Refuse(text) if text.contains(part))
}

macro_rules! assert_refused {
    ($answer:expr, $part:expr, $host:expr) => {
        let answer = $answer;
        assert!(refused(&answer, $part), "{}: {answer:?} does not say `{}`", $host, $part);
    };
}

#[test]
fn denied_planned_approved_in_a_resumed_process_written() {
    for host in Host::ALL {
        let mut play = Play::started(host);
        play.say("make a.txt");
        assert_refused!(play.write("a.txt"), "no plan is approved", host);
        assert_eq!(play.propose(&["a.txt"]), Answer::NoObjection, "{host}");
        assert_refused!(play.write("a.txt"), "waits for the user's approval", host);
        play.start("resume");
        play.say("ok");
        assert_eq!(play.write("a.txt"), Answer::NoObjection, "{host}");
        assert_eq!(play.shell("make"), Answer::NoObjection, "{host}");
        play.start("resume");
        assert_eq!(play.write("a.txt"), Answer::NoObjection, "{host}");
        play.say("now something else: describe the code");
        assert_refused!(play.write("a.txt"), "no plan is approved", host);
        assert!(
            play.kinds().iter().all(|(kind, ..)| kind != "alarm" && kind != "snapshot"),
            "{:?}",
            play.kinds()
        );
    }
}

#[test]
fn yes_and_is_a_revision() {
    for host in Host::ALL {
        let mut play = Play::started(host);
        play.propose(&["a.txt"]);
        play.say("ok, but call it b.txt");
        assert_refused!(play.write("a.txt"), "call it b.txt", host);
        play.propose(&["b.txt"]);
        play.say("ok");
        assert_eq!(play.write("b.txt"), Answer::NoObjection, "{host}");
    }
}

#[test]
fn out_of_scope_is_held_until_a_yes() {
    for host in Host::ALL {
        let mut play = Play::approved(host);
        assert_refused!(play.write("b.txt"), "outside the approved plan", host);
        assert_refused!(play.write("a.txt"), "has not answered yet", host);
        play.start("resume");
        play.say("yes");
        assert_eq!(play.write("b.txt"), Answer::NoObjection, "{host}");
        assert_eq!(play.write("a.txt"), Answer::NoObjection, "{host}");
        assert_refused!(play.shell("make install"), "outside the approved plan", host);
    }
}

#[test]
fn a_child_lives_under_its_roots_approval_and_cannot_propose() {
    for host in Host::ALL.into_iter().filter(|host| *host != Host::GeminiCli) {
        let mut play = Play::started(host);
        play.agent = Some("child");
        assert_refused!(play.write("a.txt"), "no plan is approved", host);
        assert_refused!(play.propose(&["a.txt"]), "sub-agent cannot propose", host);
        // A child's prompt is nobody's reply.
        play.agent = None;
        play.propose(&["a.txt"]);
        play.agent = Some("child");
        let answer = play.send("Prompt", json!({"prompt": "ok", "submitted_prompt": "ok"}));
        assert_eq!(answer, Answer::NoObjection);
        assert_refused!(play.write("a.txt"), "waits for the user's approval", host);
        play.agent = None;
        play.say("ok");
        play.agent = Some("child");
        assert_eq!(play.write("a.txt"), Answer::NoObjection, "{host}");
        assert_refused!(play.write("b.txt"), "outside the approved plan", host);
        play.agent = None;
        play.say("yes");
        play.agent = Some("another");
        assert_eq!(play.write("b.txt"), Answer::NoObjection, "{host}");
        play.agent = None;
        play.say("stop");
        play.agent = Some("child");
        assert_refused!(play.write("a.txt"), "no plan is approved", host);
    }
}

/// Gemini CLI does not tell a child's calls from its parent's.
#[test]
fn where_children_are_hidden_none_may_propose_while_one_may_run() {
    let mut play = Play::started(Host::GeminiCli);
    let tool = "mcp_gate_propose_plan";
    let agent = json!({"agent_name": "generalist", "prompt": "p"});
    let plan = json!({"title": "T", "plan": "B", "tools": ["invoke_agent"], "agents": ["generalist"]});
    assert_eq!(play.run(tool, plan.clone()), Answer::NoObjection);
    play.say("ok");
    assert_eq!(play.call("BeforeTool", "invoke_agent", &agent, ""), Answer::NoObjection);
    assert_refused!(play.run(tool, plan.clone()), "sub-agent cannot propose", "gemini");
    assert_eq!(play.call("AfterTool", "invoke_agent", &agent, ""), Answer::NoObjection);
    assert_eq!(play.run(tool, plan.clone()), Answer::NoObjection);
    // An abort has no after-event: the next message of the user begins anew.
    play.say("ok");
    assert_eq!(play.call("BeforeTool", "invoke_agent", &agent, ""), Answer::NoObjection);
    play.say("go on");
    assert_eq!(play.run(tool, plan), Answer::NoObjection);
}

#[test]
fn nobody_but_the_user_replies() {
    for (host, prompt) in [
        (Host::ClaudeCode, json!({"prompt": "<task-notification>\n<result>ok</result>"})),
        (Host::ClaudeCode, json!({"prompt": "<agent-message from=\"a\">\nok\n</agent-message>"})),
        (Host::QwenCode, json!({"prompt": ""})),
        (Host::QwenCode, json!({"prompt": "ok"})),
        (Host::Codex, json!({"prompt": "ok", "agent_id": "a"})),
    ] {
        let mut play = Play::started(host);
        play.propose(&["a.txt"]);
        play.send("Prompt", prompt.clone());
        assert_refused!(play.write("a.txt"), "waits for the user's approval", host);
        play.say("ok");
        play.send("Prompt", prompt);
        assert_eq!(play.write("a.txt"), Answer::NoObjection, "{host}: an approval was withdrawn");
    }
}

#[test]
fn another_session_id_or_directory_starts_closed() {
    for host in Host::ALL {
        let mut play = Play::approved(host);
        play.session = "s2";
        play.start("startup");
        assert_refused!(play.write("a.txt"), "no plan is approved", host);
        play.session = "s1";
        assert_eq!(play.write("a.txt"), Answer::NoObjection, "{host}");
        play.root = "/elsewhere";
        play.start("resume");
        assert_refused!(play.write("a.txt"), "no plan is approved", host);
        play.root = "/repo";
        play.start("startup");
        assert_refused!(play.write("a.txt"), "no plan is approved", host);
    }
}

#[test]
fn without_a_start_nothing_can_be_approved() {
    for host in Host::ALL {
        let mut play = Play::new(host);
        assert_refused!(play.write("a.txt"), "did not see this session start", host);
        assert_refused!(play.propose(&["a.txt"]), "did not see this session start", host);
        play.say("ok");
        assert_refused!(play.write("a.txt"), "did not see this session start", host);
        play.start("resume");
        play.propose(&["a.txt"]);
        play.say("ok");
        assert_eq!(play.write("a.txt"), Answer::NoObjection, "{host}");
    }
}

#[test]
fn what_ran_otherwise_than_allowed_closes_the_session() {
    for host in Host::ALL {
        let mut play = Play::approved(host);
        let (tool, arguments, other) = match host {
            Host::ClaudeCode | Host::Codex => {
                ("Bash", json!({"command": "make"}), json!({"command": "rm -r x"}))
            }
            Host::OpenCode => ("bash", json!({"command": "make"}), json!({"command": "rm -r x"})),
            _ => ("run_shell_command", json!({"command": "make"}), json!({"command": "rm -r x"})),
        };
        assert_eq!(play.call("BeforeTool", tool, &arguments, "x1"), Answer::NoObjection);
        assert_refused!(play.call("AfterTool", tool, &other, "x1"), "ALARM", host);
        assert_refused!(play.write("a.txt"), "no plan is approved", host);
        let alarms = play.kinds().into_iter().filter(|(kind, ..)| kind == "alarm").count();
        assert_eq!(alarms, 1, "{host}");
    }
}

#[test]
fn what_ran_unseen_closes_the_session_and_what_only_reads_does_not() {
    let mut play = Play::approved(Host::ClaudeCode);
    let read = json!({"file_path": "/repo/b.txt"});
    assert_eq!(play.call("AfterTool", "Read", &read, "y1"), Answer::NoObjection);
    let failed = json!({"command": "rm x"});
    assert_eq!(play.call("AfterFailure", "Bash", &failed, "y2"), Answer::NoObjection);
    assert_eq!(play.write("a.txt"), Answer::NoObjection);
    assert_refused!(play.call("AfterTool", "Bash", &failed, "y3"), "ALARM", "claude");
    assert_refused!(play.write("a.txt"), "no plan is approved", "claude");
}

#[test]
fn hosts_write_the_same_arguments_anew() {
    let mut play = Play::approved(Host::Codex);
    let before = json!({"command": "make"});
    assert_eq!(play.call("BeforeTool", "Bash", &before, "z"), Answer::NoObjection);
    let raw = r#"{"session_id":"s1","hook_event_name":"PostToolUse","tool_name":"Bash","tool_use_id":"z","tool_input": { "command" : "\u006dake" } }"#;
    let event = read(Host::Codex, raw.as_bytes(), &Environment::default()).unwrap();
    assert_eq!(handle(Host::Codex, &mut play.store(), &play.settings, &event), Answer::NoObjection);
}

#[test]
fn the_hosts_own_files_and_ours_are_never_covered() {
    for host in Host::ALL {
        let own = host.facts().protected_root.first().unwrap();
        let mut play = Play::started(host);
        let answer = play.propose(&[own.as_str()]);
        assert_refused!(answer, "can never be covered", host);
        assert_eq!(play.propose(&["."]), Answer::NoObjection, "{host}");
        play.say("ok");
        assert_eq!(play.write("src/a.txt"), Answer::NoObjection, "{host}");
        assert_refused!(play.write(own), "No plan can ever cover it", host);
        assert_refused!(play.write("../home/u/.local/state/plan-gate/gate.db"), "Not run", host);
    }
}

#[test]
fn the_dialog_is_a_button_and_only_the_call_that_ran_presses_it() {
    let mut play = Play::started(Host::ClaudeCode);
    play.settings.attended = true;
    let plan = json!({"title": "T", "plan": "B", "tools": ["Write"], "files": ["a.txt"]});
    let propose = "mcp__gate__propose_plan";
    let answer = play.call("BeforeTool", propose, &plan, "p1");
    assert!(matches!(&answer, Answer::Ask(text) if text.contains("a.txt")), "{answer:?}");
    // "No" in the dialog: no after-event, and nothing is open.
    assert_refused!(play.write("a.txt"), "waits for the user's approval", "claude");
    let answer = play.call("BeforeTool", propose, &plan, "p2");
    assert!(matches!(answer, Answer::Ask(_)));
    // A failed call is no yes.
    assert_eq!(play.call("AfterFailure", propose, &plan, "p2"), Answer::NoObjection);
    assert_refused!(play.write("a.txt"), "waits for the user's approval", "claude");
    play.call("BeforeTool", propose, &plan, "p3");
    assert_eq!(play.call("AfterTool", propose, &plan, "p3"), Answer::NoObjection);
    assert_eq!(play.write("a.txt"), Answer::NoObjection);
    assert!(play.kinds().contains(&("approve".into(), Some("draft_approved".into()), Some("dialog".into()))));
    // Nobody there: no question, and running the tool approves nothing.
    play.settings.attended = false;
    play.call("BeforeTool", propose, &plan, "p4");
    assert_eq!(play.call("AfterTool", propose, &plan, "p4"), Answer::NoObjection);
    assert_refused!(play.write("a.txt"), "waits for the user's approval", "claude");
}

#[test]
fn a_terminal_can_approve_and_reject() {
    for host in Host::ALL {
        let mut play = Play::started(host);
        let settings = play.settings.clone();
        assert!(waiting(&mut play.store(), &settings).unwrap().is_empty());
        play.propose(&["a.txt"]);
        let list = waiting(&mut play.store(), &settings).unwrap();
        let [draft] = list.as_slice() else { panic!("{list:?}") };
        assert!(draft.text.contains("a.txt") && draft.host == host, "{draft:?}");
        settle(&mut play.store(), &settings, draft, false).unwrap();
        assert_refused!(play.write("a.txt"), "no plan is approved", host);
        assert!(settle(&mut play.store(), &settings, draft, true).is_err(), "{host}: it was rejected");
        play.propose(&["a.txt"]);
        settle(&mut play.store(), &settings, draft, true).unwrap();
        assert_eq!(play.write("a.txt"), Answer::NoObjection, "{host}");
        play.write("b.txt");
        let held = waiting(&mut play.store(), &settings).unwrap().remove(0);
        assert!(held.text.contains("b.txt"), "{held:?}");
        settle(&mut play.store(), &settings, &held, false).unwrap();
        assert_eq!(play.write("a.txt"), Answer::NoObjection, "{host}: only that call was rejected");
        play.write("b.txt");
        settle(&mut play.store(), &settings, &held, true).unwrap();
        assert_eq!(play.write("b.txt"), Answer::NoObjection, "{host}");
    }
}

#[test]
fn a_changed_configuration_or_a_damaged_state_is_a_closed_session() {
    let mut play = Play::approved(Host::ClaudeCode);
    play.settings.config = br#"{"pathStyle":"macos"}"#.to_vec();
    assert_refused!(play.shell("make"), "no plan is approved", "claude");
    assert!(play.kinds().iter().any(|(kind, ..)| kind == "snapshot"), "{:?}", play.kinds());

    for snapshot in ["", "{}", "[]", r#"{"version":2}"#] {
        let mut play = Play::approved(Host::ClaudeCode);
        let key = "claude-code/s1";
        let saved = play.store().session(key).unwrap().unwrap();
        let saved = plan_gate_store::Saved { snapshot: snapshot.to_owned(), ..saved };
        let change = plan_gate_store::Change { saved: Some(saved), records: vec![] };
        play.store().with_session(key, 0, &mut |_| Ok(change.clone())).unwrap();
        assert_refused!(play.write("a.txt"), "did not see this session start", "claude");
    }
}

#[test]
fn a_bad_configuration_refuses_everything_and_names_the_key() {
    for (config, part) in [
        ("{", "configuration cannot be used"),
        ("[]", "not a JSON object"),
        (r#"{"root":"/"}"#, "`root`"),
        (r#"{"profile":"generic"}"#, "`profile`"),
        (r#"{"localle":"en"}"#, "localle"),
        (r#"{"protectedFiles":1}"#, "`protectedFiles`"),
        (r#"{"locale":"en","locale":"zh"}"#, "duplicate"),
    ] {
        let mut play = Play::approved(Host::Codex);
        play.settings.config = config.as_bytes().to_vec();
        assert_refused!(play.write("a.txt"), part, config);
        let answer = play.send("Prompt", json!({"prompt": "ok"}));
        assert_refused!(answer, part, config);
    }
}

#[test]
fn settings_that_change_are_not_read_again() {
    let mut play = Play::approved(Host::ClaudeCode);
    let answer =
        play.send("ConfigChange", json!({"source": "local_settings", "file_path": "/repo/.claude/x"}));
    assert_refused!(answer, "/repo/.claude/x", "claude");
    assert_eq!(play.write("a.txt"), Answer::NoObjection);
}

#[test]
fn shell_lines_in_a_skill_are_calls() {
    let mut play = Play::approved(Host::ClaudeCode);
    let mut line = |command: &str| {
        play.send(
            "SkillShell",
            json!({"tool_name": "Bash", "tool_input": {"command": command}, "invoked_by": "claude"}),
        )
    };
    assert_eq!(line("make"), Answer::NoObjection);
    assert_refused!(line("curl example.com"), "outside the approved plan", "claude");
}

#[test]
fn children_are_kept_under_their_root() {
    let mut play = Play::started(Host::ClaudeCode);
    play.agent = Some("a1");
    play.send("ChildStart", json!({"agent_type": "Explore"}));
    let saved = play.store().session("claude-code/s1/a1").unwrap().unwrap();
    assert_eq!(saved.parent.as_deref(), Some("claude-code/s1"));
}

/// On Codex what is typed into a running program reaches no hook.
#[test]
fn a_program_that_waits_for_input_is_refused_where_nobody_sees_what_is_typed() {
    let mut play = Play::started(Host::Codex);
    let plan =
        json!({"title": "T", "plan": "B", "tools": ["Bash"], "commands": ["bash", "python3 *", "bash *"]});
    play.run("mcp__gate__propose_plan", plan);
    play.say("ok");
    assert_refused!(play.shell("bash"), "would wait for input", "codex");
    assert_refused!(play.shell("python3 -i x.py"), "would wait for input", "codex");
    assert_eq!(play.shell("python3 x.py"), Answer::NoObjection);
}
