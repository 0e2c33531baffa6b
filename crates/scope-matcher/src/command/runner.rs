//! Programs that run the command in their arguments.

use super::cover::{Call, Cover, Judged};
use super::programs::{Program, Runner};
use super::why;
use crate::shell::Word;
use plan_gate_core::Dialect;
use std::borrow::Cow;

/// Where the command begins, if there is one.
fn command(runner: &Runner, words: &[Word<'_>], start: usize) -> Result<Option<usize>, &'static str> {
    let mut at = start;
    while let Some(word) = words.get(at) {
        let Some(text) = word.known() else { break };
        if text == "--" {
            at += 1;
            break;
        }
        let Some(option) = text.strip_prefix('-').filter(|rest| !rest.is_empty()) else { break };
        at += match option.strip_prefix('-') {
            Some(long) => long_option(runner, long)?,
            None => short_options(runner, option)?,
        };
    }
    for _ in 0..runner.operands {
        match words.get(at) {
            Some(word) if word.certain() => at += 1,
            Some(_) => return Err(why::WRAPPER),
            None => return Ok(None),
        }
    }
    Ok(words.get(at).map(|_| at))
}

/// How many words a long option takes.
fn long_option(runner: &Runner, long: &str) -> Result<usize, &'static str> {
    let (name, glued) = match long.split_once('=') {
        Some((name, _)) => (name, true),
        None => (long, false),
    };
    let listed = |list: &[String]| list.iter().any(|option| option.strip_prefix("--") == Some(name));
    match (listed(&runner.long_values), listed(&runner.long_flags), glued) {
        (true, _, true) | (_, true, _) => Ok(1),
        (true, _, false) => Ok(2),
        _ => Err(why::WRAPPER),
    }
}

fn short_options(runner: &Runner, letters: &str) -> Result<usize, &'static str> {
    for (at, letter) in letters.char_indices() {
        if runner.values.contains(letter) {
            return Ok(if at + letter.len_utf8() == letters.len() { 2 } else { 1 });
        }
        if !runner.flags.contains(letter) {
            return Err(why::WRAPPER);
        }
    }
    Ok(1)
}

/// Whether an entry that fixes `fixed` words of a runner covers the call.
pub(super) fn allowed(
    cover: &Cover<'_>,
    _program: &Program,
    runner: &Runner,
    call: &Call<'_>,
    fixed: usize,
    partial: Option<&str>,
) -> Result<(), &'static str> {
    behind(cover, runner, call, 1, fixed, partial)
}

/// The same, for a runner whose options begin at `start` (behind a subcommand).
pub(super) fn behind(
    cover: &Cover<'_>,
    runner: &Runner,
    call: &Call<'_>,
    start: usize,
    fixed: usize,
    partial: Option<&str>,
) -> Result<(), &'static str> {
    let Some(at) = command(runner, call.words, start)? else { return Ok(()) };
    if fixed > at || (fixed == at && partial.is_some()) {
        // The entry names what is run; only its further words are open.
        if runner.text {
            return Ok(());
        }
        let words = substituted(runner, call.words.get(at..).unwrap_or_default())?;
        let inner = Call {
            words: &words,
            appended: appends(runner, call),
            assignments: &[],
            redirects: &[],
            ..*call
        };
        return cover.inner(cover.dialect).allowed(&inner, fixed - at, partial);
    }
    run(cover, runner, call, at).map(|_| ())
}

/// Whether the command at `at` is covered for itself.
fn run(cover: &Cover<'_>, runner: &Runner, call: &Call<'_>, at: usize) -> Judged {
    let words = call.words.get(at..).unwrap_or_default();
    if runner.text {
        return Err(why::WRAPPER);
    }
    if words.first().and_then(Word::known).is_some_and(is_assignment) {
        return Err(why::ASSIGNMENT);
    }
    let words = substituted(runner, words)?;
    let inner =
        Call { words: &words, appended: appends(runner, call), assignments: &[], redirects: &[], ..*call };
    cover.inner(cover.dialect).call(&inner)
}

fn appends(runner: &Runner, call: &Call<'_>) -> bool {
    call.appended || (runner.appends && !call.words.iter().any(|word| replacement(word.text())))
}

/// Whether the runner puts its input in the place of `{}`.
fn replacement(option: &str) -> bool {
    option.starts_with("-I") || option.starts_with("-i") || option.starts_with("--replace")
}

/// The inner words, with those uncertain that the runner fills in.
fn substituted<'w>(runner: &Runner, words: &'w [Word<'w>]) -> Result<Cow<'w, [Word<'w>]>, &'static str> {
    if !runner.appends {
        return Ok(Cow::Borrowed(words));
    }
    if words.first().is_some_and(|word| word.text().contains(['{', '%', '@', '_'])) {
        return Err(why::COMPUTED);
    }
    let filled = |word: &Word<'w>| {
        // Whatever the placeholder is called, a word of letters only is none of the usual ones.
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '/' | ',' | ':' | '=');
        if word.certain() && !word.text().chars().all(plain) {
            Word::literal(Cow::Owned(word.text().to_owned())).uncertain()
        } else {
            word.clone()
        }
    };
    Ok(Cow::Owned(words.iter().map(filled).collect()))
}

fn is_assignment(text: &str) -> bool {
    let Some((name, _)) = text.split_once('=') else { return false };
    !name.is_empty() && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

/// What a transparent wrapper or a literal shell runs, if the call is one of these.
pub(super) fn unwrapped(cover: &Cover<'_>, program: &Program, call: &Call<'_>) -> Option<Judged> {
    if call.appended {
        return None;
    }
    if let Some(runner) = program.runner.as_ref().filter(|runner| runner.transparent) {
        return match command(runner, call.words, 1) {
            Ok(Some(at)) => Some(run(cover, runner, call, at)),
            Ok(None) => None,
            Err(why) => Some(Err(why)),
        };
    }
    let text = match program.shell? {
        Dialect::Powershell => powershell_text(call.words)?,
        Dialect::Cmd => cmd_text(call.words)?,
        _ => shell_text(call.words)?,
    };
    let dialect = program.shell?;
    Some(text.and_then(|text| {
        if call.redirects.iter().any(|redirect| redirect.op.starts_with("<<")) {
            return Err(why::FED);
        }
        cover.nested(&text, dialect, call.directories)
    }))
}

/// The text of `bash -lc 'text'`.
fn shell_text<'w>(words: &'w [Word<'_>]) -> Option<Result<Cow<'w, str>, &'static str>> {
    let mut at = 1;
    loop {
        let option = words.get(at)?.known()?;
        if matches!(option, "--login" | "--norc" | "--noprofile") {
            at += 1;
            continue;
        }
        let letters = option.strip_prefix('-')?;
        if letters.is_empty() || !letters.chars().all(|c| "lceuxo".contains(c)) {
            return None;
        }
        at += 1;
        if letters.contains('o') {
            let value = words.get(at)?.known()?;
            if letters.contains('c') || !matches!(value, "pipefail" | "errexit" | "nounset" | "xtrace") {
                return None;
            }
            at += 1;
        }
        if letters.contains('c') {
            let text = words.get(at)?;
            return Some(text.known().map(Cow::Borrowed).ok_or(why::SHELL_TEXT));
        }
    }
}

/// The text of `pwsh -NoProfile -Command text`.
fn powershell_text<'w>(words: &'w [Word<'_>]) -> Option<Result<Cow<'w, str>, &'static str>> {
    let mut at = 1;
    loop {
        let option = words.get(at)?.known()?.to_ascii_lowercase();
        at += 1;
        match option.as_str() {
            "-noprofile" | "-nop" | "-nologo" | "-noninteractive" | "-noni" => {}
            "-command" | "-c" => break,
            _ => return None,
        }
    }
    match words.get(at..)? {
        [text] => Some(text.known().map(Cow::Borrowed).ok_or(why::SHELL_TEXT)),
        _ => Some(Err(why::SHELL_TEXT)),
    }
}

/// The text of `cmd /c text`.
fn cmd_text<'w>(words: &'w [Word<'_>]) -> Option<Result<Cow<'w, str>, &'static str>> {
    let mut at = 1;
    while !words.get(at)?.known()?.eq_ignore_ascii_case("/c") {
        if !matches!(words.get(at)?.known()?.to_ascii_lowercase().as_str(), "/d" | "/s" | "/q") {
            return None;
        }
        at += 1;
    }
    match words.get(at + 1..)? {
        [text] => Some(text.known().map(Cow::Borrowed).ok_or(why::SHELL_TEXT)),
        _ => Some(Err(why::SHELL_TEXT)),
    }
}
