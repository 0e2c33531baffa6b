//! Runs the program as a person does, from the root of the repository, in a known language.

use assert_cmd::Command;
use std::path::{Path, PathBuf};

/// What came of a run.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn program() -> Command {
    let mut command = Command::cargo_bin("plan-gate").unwrap();
    command.current_dir(root());
    for name in ["LANG", "LC_ALL", "LC_MESSAGES", "NO_COLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}

pub fn run(arguments: &[&str], input: &str) -> Ran {
    ran(program().args(arguments).write_stdin(input.as_bytes().to_vec()))
}

pub fn ran(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[allow(dead_code, reason = "not every test file compares")]
/// Compares with a committed file; `PLAN_GATE_BLESS=1` writes it anew.
pub fn compare(name: &str, actual: &str) {
    let actual = without_ids(actual);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected").join(name);
    if std::env::var_os("PLAN_GATE_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &actual).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = expected.lines().zip(actual.lines()).position(|(left, right)| left != right);
    let place = differs.unwrap_or_else(|| expected.lines().count().min(actual.lines().count()));
    assert_eq!(
        expected.lines().nth(place),
        actual.lines().nth(place),
        "{name}, line {}; PLAN_GATE_BLESS=1 writes it anew",
        place + 1
    );
    assert_eq!(expected, actual, "{name}");
}

#[allow(clippy::string_slice, reason = "cut where a character was found")]
/// The text with the digits of ids taken out, so that a session can be recorded anew.
fn without_ids(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let in_id = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c) || c == '-';
    let mut rest = text;
    while !rest.is_empty() {
        let length = rest.find(|c| !in_id(c)).unwrap_or(rest.len());
        let (run, after) = rest.split_at(length);
        let digits = run.bytes().filter(|byte| *byte != b'-').count();
        if digits >= 8 && run.bytes().any(|byte| byte.is_ascii_digit()) {
            out.extend(run.chars().map(|c| if c == '-' { '-' } else { 'x' }));
        } else {
            out.push_str(run);
        }
        let other = after.find(in_id).unwrap_or(after.len());
        out.push_str(&after[..other]);
        rest = &after[other..];
    }
    out
}
