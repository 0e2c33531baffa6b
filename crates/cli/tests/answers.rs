//! classify, match, split, try, schema, profiles, completions: what they answer.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod common;

use common::{compare, run};
use serde_json::{Value, json};

fn lines(out: &str) -> Vec<Value> {
    out.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

#[test]
fn classify_answers_each_line_in_its_order() {
    let input = "{\"text\":\"同意\"}\n{\"text\":\"ok, but leave the tests\",\"id\":7}\n{\"text\":\"is it safe?\"}\nno\n{\"text\":1}\n\n{\"text\":\"\\ud800\"}\n{}";
    let ran = run(&["classify", "--jsonl"], input);
    let answers = lines(&ran.out);
    assert_eq!(answers[0], json!({"verdict":"approve","why":null,"note":null}));
    assert_eq!(answers[1], json!({"verdict":"amend","why":null,"note":"but leave the tests"}));
    assert_eq!(answers[2], json!({"verdict":"other","why":"question","note":null}));
    for bad in &answers[3..] {
        assert_eq!(bad.as_object().unwrap().keys().collect::<Vec<_>>(), ["error"], "{bad}");
    }
    assert_eq!((answers.len(), ran.code), (7, 1));
    assert_eq!(ran.err, "plan-gate: lines that could not be read: 4; the first is line 4\n");
}

#[test]
fn classify_reads_the_text_wherever_it_stands() {
    for (arguments, input) in [
        (&["classify", "--json", "go ahead"][..], ""),
        (&["classify", "--json", "go", "ahead"], ""),
        (&["classify", "--json"], "go ahead\n"),
        (&["classify", "--json", "-"], "go ahead"),
    ] {
        let ran = run(arguments, input);
        assert_eq!((ran.code, &lines(&ran.out)[0]["verdict"]), (0, &json!("approve")), "{arguments:?}");
    }
}

#[test]
fn explanations_mark_the_words_that_decided() {
    let mut shown = String::new();
    for text in [
        "好的，但先别动测试",
        "ok, but skip the \"sure\" tests",
        "行不行",
        "先这样，我同意\n> 同意",
        "yes \u{1b}[31m and \u{202e} more",
    ] {
        let ran = run(&["classify", "--explain", text], "");
        assert_eq!(ran.code, 0, "{text}: {}", ran.err);
        shown.push_str(&ran.out);
        shown.push('\n');
    }
    shown.push_str(&run(&["classify", "--explain", "--lang", "zh", "好的，但先别动测试"], "").out);
    compare("explanations.txt", &shown);
}

#[test]
fn match_answers_each_line_in_its_order() {
    let cases = [
        (
            r#"{"scope":{"tools":["write"],"files":["src"],"commands":[],"urls":[],"agents":[]},"call":{"tool":"write","args":{"file_path":"src/a.ts","content":""}},"profile":"dsh","root":null,"pathStyle":"posix"}"#,
            "allow",
            "in_scope",
        ),
        (
            r#"{"scope":{"tools":["write"],"files":["src"]},"call":{"tool":"write","args":{"file_path":"subway/a.ts","content":""}},"profile":"dsh"}"#,
            "hold",
            "outside",
        ),
        (
            r#"{"scope":{"tools":["write"],"files":["src"]},"call":{"tool":"write","args":{"file_path":"/srv/src/a","content":""}},"profile":"dsh","root":"/srv","pathStyle":"posix"}"#,
            "allow",
            "in_scope",
        ),
        (
            r#"{"scope":{"tools":["write"],"files":["SRC"]},"call":{"tool":"write","args":{"file_path":"src\\a","content":""}},"profile":"dsh","pathStyle":"windows"}"#,
            "allow",
            "in_scope",
        ),
        (
            r#"{"scope":{},"call":{"tool":"read","args":{"file_path":"a"}},"profile":"dsh"}"#,
            "allow",
            "read_only",
        ),
        (
            r#"{"scope":{"tools":["*"],"files":["."]},"call":{"tool":"write","args":{"file_path":"a","file_path":"b"}},"profile":"dsh"}"#,
            "refuse",
            "duplicate_key",
        ),
        (
            r#"{"scope":{"tools":["*"],"files":["."]},"call":{"tool":"write","args":"a"},"profile":"dsh"}"#,
            "refuse",
            "arguments_not_object",
        ),
        (
            r#"{"scope":{"tools":["write"],"files":["*.ts"]},"call":{"tool":"write","args":{"file_path":"a.ts"}},"profile":"dsh"}"#,
            "refuse",
            "invalid_plan",
        ),
        (
            r#"{"scope":{"tools":["bash"],"commands":["npm test *"]},"call":{"tool":"bash","args":{"command":"NPM TEST -u"}},"profile":"dsh"}"#,
            "allow",
            "in_scope",
        ),
        (
            r#"{"scope":{"tools":["bash"],"commands":["npm test *"]},"call":{"tool":"bash","args":{"command":"NPM TEST -u"}},"profile":"dsh","commandCase":"exact"}"#,
            "hold",
            "outside",
        ),
        (
            r#"{"scope":{"tools":["bash"],"commands":["npm test *"]},"call":{"tool":"bash","args":{"command":"npm test && rm -rf /"}},"profile":"dsh"}"#,
            "hold",
            "outside",
        ),
        // What cannot be judged is an error and a refusal in one.
        (r#"{"scope":{"tool":[]},"call":{"tool":"read","args":{}}}"#, "refuse", "unavailable"),
        (r#"{"scope":{},"call":{"tool":"read","args":{}},"profil":"dsh"}"#, "refuse", "unavailable"),
        (r#"{"scope":{},"call":{"tool":"read","args":{}},"profile":"none"}"#, "refuse", "unavailable"),
        (r#"{"scope":{},"call":{"tool":"read","args":{}},"root":"relative"}"#, "refuse", "unavailable"),
        ("[]", "refuse", "unavailable"),
    ];
    let input: String = cases.iter().map(|(line, ..)| format!("{line}\n")).collect();
    let ran = run(&["match", "--jsonl"], &input);
    let answers = lines(&ran.out);
    assert_eq!(answers.len(), cases.len());
    for ((line, decision, why), answer) in cases.iter().zip(&answers) {
        assert_eq!(
            (&answer["decision"], &answer["why"]),
            (&json!(decision), &json!(why)),
            "{line}\n{answer}"
        );
        assert_eq!(answer["outside"].as_array().unwrap().is_empty(), *why != "outside", "{line}");
        assert_eq!(answer["error"].is_null(), *why != "unavailable", "{line}");
    }
    assert_eq!(ran.code, 1);
    assert_eq!(answers[1]["outside"][0]["why"], "file_not_listed");
}

#[test]
fn match_explains_itself() {
    let mut shown = String::new();
    for arguments in [
        &[
            "--profile",
            "dsh",
            "--tools",
            "write",
            "edit",
            "--files",
            "src",
            "--tool",
            "write",
            "--args",
            r#"{"file_path":"src/a"}"#,
            "--explain",
        ][..],
        &["--profile", "dsh", "--files", "src", "--tool", "write", "--args", r#"{"file_path":"srx/a"}"#],
        &[
            "--profile",
            "dsh",
            "--tools",
            "bash",
            "--commands",
            "npm test *",
            "--tool",
            "bash",
            "--args",
            r#"{"command":"npm test > /etc/x"}"#,
        ],
        &["--profile", "dsh", "--tool", "write", "--args", "{}"],
        &["--tools", "*", "--tool", "write", "--args", "{bad"],
        &["--profile", "claude-code", "--tools", "CronCreate", "--tool", "CronCreate"],
        &[
            "--lang",
            "zh",
            "--profile",
            "dsh",
            "--tools",
            "write",
            "--files",
            "src",
            "--tool",
            "write",
            "--args",
            r#"{"file_path":"b"}"#,
            "--explain",
        ],
    ] {
        let ran = run(&[&["match"], arguments].concat(), "");
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.err);
        shown.push_str(&ran.out);
        shown.push('\n');
    }
    compare("matches.txt", &shown);
}

#[test]
fn split_takes_lines_apart() {
    let input = "{\"command\":\"npm test && git commit -m 'a; b' > log &\",\"dialect\":\"bash\"}\n{\"command\":\"$(\",\"dialect\":\"bash\"}\n{\"command\":\"ls\",\"dialect\":\"fish\"}\n{\"command\":\"A=1 ls\"}";
    let ran = run(&["split", "--jsonl"], input);
    let answers = lines(&ran.out);
    assert_eq!(answers[0]["parts"][0]["words"], json!(["npm", "test"]));
    assert_eq!(answers[0]["parts"][1]["redirects"], json!([{"op": ">", "target": "log"}]));
    assert_eq!(answers[0]["parts"][1]["words"], json!(["git", "commit", "-m", "a; b"]));
    assert_eq!((&answers[0]["opaque"], &answers[0]["parts"][0]["background"]), (&Value::Null, &json!(true)));
    assert_eq!(answers[1]["parts"], json!([]));
    assert!(answers[1]["opaque"].is_string());
    assert!(answers[2]["error"].is_string());
    assert_eq!(answers[3]["parts"][0]["assignments"], json!(["A=1"]));
    assert_eq!(ran.code, 1);
    let shown = run(&["split", "npm test && git commit -m \"a; b\" > log.txt"], "");
    assert!(shown.out.contains("[git] [commit] [-m] [a; b] > log.txt"), "{}", shown.out);
}

#[test]
fn a_game_by_hand_from_a_pipe() {
    let game = include_str!("cases/game.txt");
    let ran = run(&["try", "--profile", "dsh"], game);
    compare("game.txt", &ran.out);
    compare("game.err.txt", &ran.err);
    assert_eq!(ran.code, 1);
    let fine = run(&["try"], "help\nquit\n");
    assert_eq!((fine.code, fine.err.as_str()), (0, ""));
}

#[test]
fn definitions_and_profiles_are_json_for_programs() {
    for (arguments, language) in [
        (&["schema"][..], "en"),
        (&["schema", "--language", "zh"], "zh"),
        (&["--lang", "zh", "schema"], "zh"),
    ] {
        let ran = run(arguments, "");
        let schema: Value = serde_json::from_str(&ran.out).unwrap();
        let zh = schema["description"].as_str().unwrap().contains('计');
        assert_eq!((&schema["name"], zh), (&json!("propose_plan"), language == "zh"), "{arguments:?}");
    }
    let all: Value = serde_json::from_str(&run(&["profiles", "--json"], "").out).unwrap();
    let names: Vec<&str> =
        all.as_array().unwrap().iter().map(|one| one["profile"].as_str().unwrap()).collect();
    assert_eq!(names, ["dsh", "claude-code", "codex", "gemini-cli", "opencode", "qwen-code", "generic"]);
    for name in names {
        let one: Value = serde_json::from_str(&run(&["profiles", name, "--json"], "").out).unwrap();
        let shown = run(&["profiles", name], "").out;
        for tool in one["tools"].as_array().unwrap() {
            for tool in tool["names"].as_array().unwrap() {
                assert!(shown.contains(tool.as_str().unwrap()), "{name} {tool}");
            }
        }
    }
}

#[test]
fn completions_know_every_command_and_option_of_the_help() {
    let commands =
        ["replay", "classify", "match", "split", "try", "schema", "profiles", "completions", "man"];
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(&["completions", shell], "").out;
        for command in commands {
            assert!(script.contains(command), "{shell} {command}");
            for word in run(&[command, "--help"], "").out.split_whitespace() {
                let Some(option) = word.strip_prefix("--").filter(|_| word.is_ascii()) else { continue };
                let option: String =
                    option.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect();
                assert!(option.is_empty() || script.contains(&option), "{shell} {command} --{option}");
            }
        }
    }
    assert!(run(&["man"], "").out.contains(".TH plan-gate 1"));
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(run(&["man", "--out", directory.path().to_str().unwrap()], "").code, 0);
    assert!(directory.path().join("plan-gate-replay.1").is_file());
}
