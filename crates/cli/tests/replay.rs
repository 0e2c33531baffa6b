//! Recorded sessions come out as committed, for people and for programs.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod common;

use common::{compare, program, ran, root, run};
use serde_json::Value;
use std::fmt::Write as _;

const LOGS: [(&str, &[&str], i32); 6] = [
    ("dsh-sms-login.zh", &["tests/sessions/dsh-sms-login.zh.jsonl"], 0),
    ("dsh-rate-limit.en", &["tests/sessions/dsh-rate-limit.en.jsonl"], 0),
    (
        "dsh-subagent.en",
        // The child first: the order of time decides, not the order of the arguments.
        &["tests/sessions/dsh-subagent.en.child.jsonl", "tests/sessions/dsh-subagent.en.jsonl"],
        0,
    ),
    ("dsh-late-yes", &["crates/cli/tests/logs/dsh-late-yes.jsonl"], 0),
    ("claude-code", &["crates/cli/tests/logs/claude-code.jsonl"], 0),
    ("every-line", &["crates/cli/tests/logs/every-line.jsonl"], 1),
];

#[test]
fn conversations_are_shown_as_committed() {
    for (name, files, code) in LOGS {
        let mut arguments = vec!["replay"];
        arguments.extend(files);
        let ran = run(&arguments, "");
        assert_eq!(ran.code, code, "{name}: {}", ran.err);
        compare(&format!("{name}.txt"), &ran.out);
        if code != 0 {
            compare(&format!("{name}.err.txt"), &ran.err);
        } else {
            assert_eq!(ran.err, "", "{name}");
        }
    }
}

#[test]
fn every_line_has_a_record() {
    for (name, files, code) in LOGS {
        let mut arguments = vec!["replay", "--json"];
        arguments.extend(files);
        let ran = run(&arguments, "");
        assert_eq!(ran.code, code, "{name}");
        let records: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for file in files {
            let lines = std::fs::read_to_string(root().join(file)).unwrap().lines().count();
            let numbers: Vec<u64> = records
                .iter()
                .filter(|record| record["file"] == *file)
                .map(|record| record["line"].as_u64().unwrap())
                .collect();
            assert_eq!(numbers, (1..=lines as u64).collect::<Vec<_>>(), "{name} {file}");
        }
        let mut brief = String::new();
        for record in records.iter().filter(|record| record["type"] != "none") {
            let events = record["events"].as_array().cloned().unwrap_or_else(|| vec![record.clone()]);
            for event in events {
                let keys =
                    ["type", "session", "tool", "decision", "reason", "verdict", "settlement", "ok", "phase"];
                let told: Vec<String> = keys
                    .iter()
                    .filter(|key| !event[**key].is_null())
                    .map(|key| event[*key].to_string())
                    .collect();
                writeln!(brief, "{} {}{}", record["line"], told.join(" "), error(record)).unwrap();
            }
        }
        compare(&format!("{name}.records.txt"), &brief);
    }
}

fn error(record: &Value) -> String {
    record["error"].as_str().map(|error| format!("error: {error}")).unwrap_or_default()
}

#[test]
fn the_same_log_in_every_wrapping_is_the_same_session() {
    let path = "tests/sessions/dsh-sms-login.zh.jsonl";
    let plain = run(&["replay", path], "");
    let text = std::fs::read_to_string(root().join(path)).unwrap();
    let named = |out: &str, name: &str| out.replacen(name, "LOG", 1);
    let expected = named(&plain.out, path);
    let piped = run(&["replay", "-"], &text);
    assert_eq!(named(&piped.out, "  -\n"), named(&expected, "  LOG\n"));
    let mut odd = b"\xef\xbb\xbf".to_vec();
    odd.extend(text.replace('\n', "\r\n\r\n").into_bytes());
    let odd = ran(program().args(["replay", "-"]).write_stdin(odd));
    assert_eq!(odd.out, piped.out);
}

#[test]
fn zstd_frames_are_unpacked() {
    // Two frames of stored blocks, written by hand: a log that was flushed twice.
    let frame = |text: &str| {
        let size = u32::try_from(text.len()).unwrap();
        let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0b1010_0000];
        frame.extend(size.to_le_bytes());
        frame.extend_from_slice(&((size << 3) | 1).to_le_bytes()[..3]);
        frame.extend_from_slice(text.as_bytes());
        frame
    };
    let directory = tempfile::tempdir().unwrap();
    let first = "{\"type\":\"user\",\"text\":\"Hello\"}\n";
    let second = "{\"type\":\"call\",\"tool\":\"write\",\"args\":{\"file_path\":\"a\"}}\n";
    let path = directory.path().join("session.jsonl.zstd");
    let packed = [frame(first), frame(second)].concat();
    std::fs::write(&path, &packed).unwrap();
    let whole = run(&["replay", "--json", directory.path().to_str().unwrap()], "");
    assert_eq!((whole.code, whole.out.lines().count()), (0, 2), "{}", whole.err);
    assert!(whole.out.contains(r#""decision":"refuse""#));
    // The host died while it wrote the last frame: what was flushed before is there.
    std::fs::write(&path, &packed[..packed.len() - 9]).unwrap();
    let cut = run(&["replay", "--json", path.to_str().unwrap()], "");
    assert!(cut.out.contains("Hello"), "{}", cut.err);
}

#[test]
fn options_and_configuration_decide() {
    let log = concat!(
        r#"{"type":"call","tool":"notify","args":{}}"#,
        "\n",
        r#"{"type":"propose","plan":{"title":"T","plan":"P","tools":["write"],"files":["src"]}}"#,
        "\n",
        r#"{"type":"user","text":"ship it now"}"#,
        "\n",
        r#"{"type":"call","tool":"write","args":{"file_path":"/srv/shop/src/a","content":""}}"#,
        "\n",
    );
    let directory = tempfile::tempdir().unwrap();
    let config = directory.path().join("gate.json");
    std::fs::write(&config, r#"{"allowTools":["notify"],"approvalWords":["ship it now"]}"#).unwrap();
    let decisions = |arguments: &[&str]| {
        let ran = run(&[&["replay", "--json", "-"], arguments].concat(), log);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let records = ran.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        records.filter_map(|record| Some(record["decision"].as_str()?.to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(decisions(&[]), ["refuse", "refuse"]);
    let config = config.to_str().unwrap();
    assert_eq!(decisions(&["--config", config]), ["allow", "hold"]);
    assert_eq!(
        decisions(&["--config", config, "--root", "/srv/shop", "--profile", "dsh"]),
        ["allow", "allow"]
    );
}

#[test]
fn several_logs_have_a_total_and_bad_ones_do_not_stop_the_rest() {
    let ran = run(&["replay", "--summary", "tests/sessions", "no-such-file", "README.md"], "");
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("All 4 sessions"), "{}", ran.out);
    assert!(!ran.out.contains("短信登录写好了"), "{}", ran.out);
    let complaints: Vec<&str> = ran.err.lines().collect();
    assert_eq!(complaints.len(), 2, "{}", ran.err);
    assert!(complaints[0].ends_with("no-such-file: there is no such file or directory"));
    assert!(complaints[1].contains("README.md:1: not a JSON object"), "{}", ran.err);
}

#[test]
fn colours_only_when_they_are_wanted() {
    let path = "tests/sessions/dsh-sms-login.zh.jsonl";
    assert!(!run(&["replay", path], "").out.contains('\u{1b}'));
    assert!(run(&["--color", "always", "replay", path], "").out.contains("\u{1b}[32m✓"));
    assert!(!ran(program().env("NO_COLOR", "1").args(["replay", path])).out.contains('\u{1b}'));
}

#[test]
fn the_language_is_asked_then_the_locales_then_the_sessions() {
    let path = "tests/sessions/dsh-sms-login.zh.jsonl";
    let heading =
        |command: &mut assert_cmd::Command| ran(command.args(["replay", path])).out.contains("小结");
    assert!(heading(&mut program()));
    assert!(heading(program().env("LANG", "C.UTF-8")));
    assert!(!heading(program().env("LANG", "en_US.UTF-8")));
    assert!(heading(program().env("LC_ALL", "zh_CN.UTF-8").env("LANG", "en_US.UTF-8")));
    let english = run(&["replay", "--lang", "en", path], "");
    assert!(english.out.contains("Not run: execution is closed"), "{}", english.out);
}

/// Every call of the recorded sessions was answered by the gate inside the real host; a replay answers the
/// same, word for word.
#[test]
fn a_replay_answers_what_the_gate_answered_live() {
    let mut compared = 0;
    for (name, files, _) in LOGS.iter().filter(|(_, files, _)| files[0].starts_with("tests/sessions")) {
        let out = run(&[&["replay", "--json"], *files].concat(), "").out;
        let records: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for file in *files {
            let text = std::fs::read_to_string(root().join(file)).unwrap();
            let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            for (place, line) in lines.iter().enumerate().filter(|(_, line)| line["type"] == "tool/call") {
                let call = &line["data"]["callId"];
                let content = |line: &Value| line["data"]["message"]["content"][0].clone();
                let result = lines.iter().map(content).find(|result| result["toolCallId"] == *call).unwrap();
                let live = result["content"][0]["text"].as_str().unwrap_or_default();
                let number = place as u64 + 1;
                let record = records
                    .iter()
                    .find(|record| record["file"] == *file && record["line"] == number)
                    .unwrap();
                let place = format!("{name} {file}:{number}");
                if record["type"] == "propose" {
                    assert_eq!(record["text"], *live, "{place}");
                } else if let Some(refusal) = live.strip_prefix("Error: plan-gate ") {
                    let replayed = format!(
                        "({}): {}",
                        record["reason"].as_str().unwrap(),
                        record["text"].as_str().unwrap()
                    );
                    assert_eq!(refusal, replayed, "{place}");
                } else {
                    assert_eq!(
                        (&record["decision"], &result["isError"]),
                        (&"allow".into(), &false.into()),
                        "{place}"
                    );
                }
                compared += 1;
            }
        }
    }
    assert!(compared >= 25, "{compared}");
}

/// A sub-agent's file is played with its parent's; two copies of one log are two sessions.
#[test]
fn logs_that_belong_together_are_played_together() {
    let directory = tempfile::tempdir().unwrap();
    let read = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    let transcript = read("crates/cli/tests/logs/claude-code.jsonl");
    let lines = |child: bool| {
        let of_child = |line: &&str| line.contains(r#""isSidechain":true"#) == child;
        transcript.lines().filter(of_child).collect::<Vec<_>>().join("\n")
    };
    let copy = read("tests/sessions/dsh-sms-login.zh.jsonl");
    for (name, text) in [
        ("a/agent-a7f3.jsonl", lines(true)),
        ("a/main.jsonl", lines(false)),
        ("b/copy.jsonl", copy.clone()),
        ("b/log.jsonl", copy),
        ("b/notes.txt", "no log".to_owned()),
    ] {
        let path = directory.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let ran = run(&["replay", "--summary", directory.path().to_str().unwrap()], "");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("main.jsonl + "), "{}", ran.out);
    assert!(
        ran.out.contains("All 3 sessions\n  calls     27   ✓ allowed 14   ✗ refused 8   ? held 5"),
        "{}",
        ran.out
    );
}
