//! Programs that wait for input, for hosts on which a model can feed a running program unseen.
//!
//! Not every program that reads its input can be known. Shells, interpreters, clients, editors and
//! debuggers can: those are what makes such input a command.

use crate::shell::{Part, Word, split};
use plan_gate_core::Dialect;
use serde::Deserialize;
use std::sync::LazyLock;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    /// Whatever the arguments.
    always: Vec<String>,
    /// Unless they are told what to do.
    told: Vec<Told>,
    attaching: Attaching,
    /// Run the program in their arguments.
    wrappers: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    programs: Vec<String>,
    /// The options that tell them.
    by: Vec<String>,
    /// Whether anything that is no option tells them too.
    by_operand: bool,
    /// Options with which they wait all the same.
    #[serde(default)]
    forced_by: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Attaching {
    programs: Vec<String>,
    options: Vec<String>,
}

static KNOWN: LazyLock<Known> =
    LazyLock::new(|| serde_json::from_str(include_str!("../data/interactive.json")).unwrap_or_default());

/// Wrappers in wrappers, and lines in lines, that are followed.
const MOST_LEVELS: usize = 8;

/// A program in the line that would wait for input, if there is one.
pub(crate) fn waiting_program(line: &str, dialect: Dialect) -> Option<String> {
    in_line(line, dialect, MOST_LEVELS)
}

fn in_line(line: &str, dialect: Dialect, levels: usize) -> Option<String> {
    let levels = levels.checked_sub(1)?;
    let split = split(line, dialect);
    if split.opaque.is_some() {
        let words: Vec<&str> = line.split_whitespace().collect();
        return in_words(&words, dialect, levels);
    }
    let mut parts = split.parts.iter().filter(|part| !reads_from_elsewhere(line, part));
    parts.find_map(|part| {
        let words: Vec<&str> = part.words.iter().map(Word::text).collect();
        in_words(&words, dialect, levels)
    })
}

/// Whether the input of a part is a file, a here-document or another program: nobody can feed that.
fn reads_from_elsewhere(line: &str, part: &Part<'_>) -> bool {
    if part.redirects.iter().any(|redirect| redirect.op.starts_with('<') && redirect.op != "<>") {
        return true;
    }
    let mut places = line.match_indices(&*part.source).peekable();
    places.peek().is_some()
        && places.all(|(place, _)| {
            let before = line.get(..place).unwrap_or_default().trim_end();
            let before = before.strip_suffix("|&").or_else(|| before.strip_suffix('|'));
            before.is_some_and(|before| !before.ends_with('|'))
        })
}

fn in_words(words: &[&str], dialect: Dialect, levels: usize) -> Option<String> {
    let levels = levels.checked_sub(1)?;
    let (first, arguments) = words.split_first()?;
    let name = base(first);
    let known = &*KNOWN;
    let is = |list: &[String]| list.iter().any(|word| word == name);
    let option = |list: &[String]| arguments.iter().any(|word| list.iter().any(|option| option == word));
    let found = || Some(name.to_owned());
    if is(&known.attaching.programs) && option(&known.attaching.options) {
        return found();
    }
    if is(&known.wrappers)
        && let Some(inner) =
            (0..arguments.len()).find_map(|start| in_words(arguments.get(start..)?, dialect, levels))
    {
        return Some(inner);
    }
    if is(&known.always) {
        return if arguments.iter().any(|word| matches!(*word, "--help" | "--version" | "-V")) {
            None
        } else {
            found()
        };
    }
    let told = known.told.iter().find(|told| is(&told.programs))?;
    // `bash -c 'python3 -i'`: what it is given to run waits.
    let by = arguments.iter().position(|word| told.by.iter().any(|option| option == word));
    if let Some(line) = by.and_then(|place| arguments.get(place + 1))
        && let Some(inner) = in_line(line, dialect, levels)
    {
        return Some(inner);
    }
    let operand = told.by_operand && arguments.iter().any(|word| !word.starts_with('-'));
    if option(&told.forced_by) || !(by.is_some() || operand) { found() } else { None }
}

/// `/usr/bin/python3.12` is `python3`.
fn base(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.strip_suffix(".exe").unwrap_or(name);
    match name.rsplit_once('.') {
        Some((head, digits)) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            head
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_is_found_and_what_runs_through_is_not() {
        for line in [
            "bash",
            "/bin/bash",
            "bash -l",
            "bash -i script.sh",
            "python3",
            "python3.12 -i x.py",
            "env FOO=1 python3 -q",
            "sudo bash",
            "timeout 10 bash",
            "cd x && node",
            "ssh host",
            "psql mydb",
            "docker run -it ubuntu bash",
            "kubectl exec -it pod -- sh",
            "bash -c 'python3 -i'",
            "bash -c bash",
            "bash 2>&1 | cat",
            "true | bash; bash",
            "cat",
            "vim x",
            "npx -y bash",
            "python3 -u",
            "bash -e",
            "sqlite3 a.db",
        ] {
            assert!(waiting_program(line, Dialect::Bash).is_some(), "{line}");
        }
        for line in [
            "bash script.sh",
            "bash -c 'make test'",
            "python3 x.py",
            "python3 -m pytest",
            "python3 -c 'print(1)'",
            "node --version",
            "node -v",
            "sed -i s/a/b/ x",
            "cargo test",
            "cat a.txt",
            "cat a.txt | python3",
            "python3 <<'EOF'\nprint(1)\nEOF",
            "bash < script.sh",
            "psql -c 'select 1' mydb",
            "psql mydb < dump.sql",
            "docker run ubuntu ls",
            "npm test",
            "sort a.txt",
            "sed -n 1,5p a.txt",
            "git log --oneline | head -5",
            "echo bash",
            "npx prettier --check .",
        ] {
            assert_eq!(waiting_program(line, Dialect::Bash), None, "{line}");
        }
    }
}
