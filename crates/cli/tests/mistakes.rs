//! Each mistake a newcomer can make gives one clear line and a non-zero exit.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod common;

use common::{program, ran, run};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// Arguments, standard input, exit code, what the line says, what it says in Chinese.
const MISTAKES: [(&[&str], &str, i32, &str, &str); 26] = [
    (&[], "", 2, "which command?", "要哪个命令"),
    (&["repaly", "x"], "", 2, "no command `repaly`; did you mean `replay`?", "`replay`"),
    (&["--bogus"], "", 2, "no option `--bogus`", "没有 `--bogus`"),
    (&["replay"], "", 2, "`<FILE>...` is missing", "缺少 `<FILE>...`"),
    (&["replay", "--summry", "x"], "", 2, "did you mean `--summary`?", "`--summary`"),
    (&["replay", "no-such-file"], "", 1, "no-such-file: there is no such file", "没有这个文件"),
    (&["replay", "docs"], "", 1, "docs: there is no *.jsonl file below it", "其下没有"),
    (&["replay", "/dev/null"], "", 1, "/dev/null: is empty", "是空的"),
    (&["replay", "-"], "", 1, "-: is empty", "是空的"),
    (&["replay", "-"], "hello\nyou\n", 1, "-:1: not a JSON object; none of its lines (2)", "不是会话记录"),
    (&["replay", "-"], "{\"type\":\"dance\"}", 1, "unknown type `dance`", "dance"),
    (&["replay", "-", "--profile", "x"], "", 2, "no profile `x`; there are dsh,", "没有 `x` 这份工具档案"),
    (
        &["replay", "-", "--config", "no-such-file"],
        "",
        1,
        "no-such-file: there is no such file",
        "没有这个文件",
    ),
    (&["replay", "-", "--config", "Cargo.toml"], "", 1, "Cargo.toml: expected value", "Cargo.toml"),
    (&["replay", "-", "--path-style", "dos"], "", 2, "--path-style: unknown variant `dos`", "dos"),
    (&["replay", "-", "--root", ""], "{\"type\":\"user\",\"text\":\"a\"}", 1, "root", "root"),
    (&["classify"], "", 1, "standard input is empty", "标准输入是空的"),
    (&["classify", "--jsonl"], "\n", 1, "standard input is empty", "标准输入是空的"),
    (&["classify", "--jsonl"], "{", 1, "lines that could not be read: 1; the first is line 1", "第 1 行"),
    (&["classify", "--jsonl", "ok"], "", 2, "does not go with", "不能和"),
    (&["match"], "", 2, "`--tool <NAME>` is missing", "缺少 `--tool <NAME>`"),
    (&["match", "--jsonl"], "{\"scope\":{},\"call\":{}}", 1, "the first is line 1", "第 1 行"),
    (&["schema", "--language", "fr"], "", 2, "`fr` is no value of `--language <zh|en>`: zh, en", "fr"),
    (&["profiles", "x"], "", 2, "no profile `x`", "没有 `x` 这份工具档案"),
    (&["completions", "ksh"], "", 2, "`ksh` is no value", "ksh"),
    (&["--lang", "fr", "classify", "ok"], "", 2, "`fr` is no value of `--lang", "fr"),
];

#[test]
fn each_mistake_gives_one_clear_line() {
    for (arguments, input, code, says, says_zh) in MISTAKES {
        for (language, says) in [("en_US.UTF-8", says), ("zh_CN.UTF-8", says_zh)] {
            let mut command = program();
            command.env("LANG", language).args(arguments).write_stdin(input);
            let ran = ran(&mut command);
            assert_eq!(ran.code, code, "{arguments:?}: {}", ran.err);
            assert!(
                ran.err.starts_with("plan-gate: ") && ran.err.contains(says),
                "{arguments:?}: {}",
                ran.err
            );
            assert_eq!(ran.err.lines().count(), 1, "{arguments:?}: {}", ran.err);
        }
    }
}

#[test]
fn an_unknown_key_of_a_configuration_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("gate.json");
    for (text, says) in [
        (r#"{"allowTool":[]}"#, "unknown field `allowTool`"),
        (r#"{"allowTools":"read"}"#, "allowTools: invalid type"),
        (r#"{"locale":"fr"}"#, "locale: unknown variant `fr`"),
        (r#"{"profile":"none"}"#, "none"),
        (r#"{"root":"relative"}"#, "root"),
        (r#"{"approvalWords":["不"]}"#, "approvalWords[0]"),
        ("", "is empty"),
    ] {
        std::fs::write(&path, text).unwrap();
        let config = path.to_str().unwrap();
        let ran = run(&["classify", "--config", config, "ok"], "");
        assert!(ran.code == 1 && ran.err.contains(config) && ran.err.contains(says), "{text}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{text}: {}", ran.err);
    }
}

#[test]
fn help_teaches_in_both_languages() {
    for command in ["replay", "classify", "match", "split", "try", "schema", "profiles", "completions", "man"]
    {
        let english = run(&[command, "--help"], "").out;
        assert!(
            english.contains(&format!("plan-gate {command}")) && english.contains("Example"),
            "{command}"
        );
        assert_eq!(english, run(&["help", command], "").out);
        let chinese = run(&["--lang", "zh", command, "--help"], "").out;
        assert!(chinese.contains("例子") && chinese.contains("用法："), "{command}: {chinese}");
    }
    assert_eq!(run(&["--version"], "").out, format!("plan-gate {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let input: String = "{\"text\":\"ok\"}\n".repeat(50_000);
    let mut child = Command::new(env!("CARGO_BIN_EXE_plan-gate"))
        .args(["classify", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(input.as_bytes());
    });
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(first.contains("approve"));
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
}

#[test]
fn an_answer_comes_before_the_next_question() {
    // A program that asks line by line and waits for each answer must not wait for ever.
    let mut child = Command::new(env!("CARGO_BIN_EXE_plan-gate"))
        .args(["classify", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut answers = BufReader::new(stdout).lines();
    for text in ["ok", "no", "同意"] {
        writeln!(stdin, "{{\"text\":\"{text}\"}}").unwrap();
        assert!(answers.next().unwrap().unwrap().contains("verdict"), "{text}");
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
