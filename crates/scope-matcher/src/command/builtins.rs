//! What the shell does itself and needs no entry: steering, tests, `cd` inside the root.

use super::directory::Directories;
use super::why;
use super::{FileCover, programs};
use crate::shell::{Part, Split, Word};
use plan_gate_core::Dialect;

/// Builtins that only steer the line.
const STEERING: &[&str] = &[":", "true", "false", "exit", "return", "break", "continue", "shift", "wait"];

/// Variables that change what other programs do.
const VARIABLES: &str = include_str!("../../data/variables.txt");

/// Whether a part needs no entry: `Some(Ok)` if so, `Some(Err)` if it can never be covered, `None`
/// if entries decide.
pub(super) fn free(
    dialect: Dialect,
    part: &Part<'_>,
    split: &Split<'_>,
    directories: &mut Directories,
    files: &dyn FileCover,
) -> Option<Result<(), &'static str>> {
    let Some(first) = part.words.first() else {
        return Some(part.assignments.iter().try_for_each(assignment));
    };
    if !part.assignments.is_empty() {
        return None;
    }
    let name = first.known()?;
    match dialect {
        Dialect::Argv => return None,
        Dialect::Powershell | Dialect::Cmd => {
            return foreign(&name.to_ascii_lowercase(), part, directories, files);
        }
        _ => {}
    }
    let arguments = part.words.get(1..).unwrap_or_default();
    if split.functions.iter().any(|function| function.name == name) {
        let certain = split.functions.iter().all(|function| function.certain) && !part.in_function;
        return certain.then_some(Ok(()));
    }
    // Every name here is short; most programs are told apart by that.
    if name.len() > 8 {
        return None;
    }
    match name {
        "cd" => Some(change(part, arguments, directories, files)),
        "pushd" | "popd" | "dirs" => Some(Err(why::DIRECTORY)),
        "test" | "[" => Some(Ok(())),
        "set" => set(arguments).then_some(Ok(())),
        "read" => read(arguments).then_some(Ok(())),
        "eval" | "source" | "." | "exec" | "command" | "builtin" | "trap" | "alias" | "unalias" => {
            held(name, arguments).map(Err)
        }
        _ => STEERING.contains(&name).then_some(Ok(())),
    }
}

/// The same for PowerShell and cmd: only a change of directory means something.
fn foreign(
    name: &str,
    part: &Part<'_>,
    directories: &mut Directories,
    files: &dyn FileCover,
) -> Option<Result<(), &'static str>> {
    let arguments = part.words.get(1..).unwrap_or_default();
    // What another drive or provider holds is not inside the root.
    let elsewhere = |word: &Word<'_>| word.text().contains(':') || word.text().starts_with(['\\', '/', '~']);
    match name {
        "cd" | "chdir" | "sl" | "set-location" if arguments.iter().any(elsewhere) => {
            Some(Err(why::DIRECTORY))
        }
        "cd" | "chdir" | "sl" | "set-location" => Some(change(part, arguments, directories, files)),
        "pushd" | "popd" | "push-location" | "pop-location" => Some(Err(why::DIRECTORY)),
        _ => None,
    }
}

/// Builtins that run or rename what is in their arguments: only a whole line covers them.
fn held(name: &str, arguments: &[Word<'_>]) -> Option<&'static str> {
    match name {
        "command" if arguments.first().is_some_and(|word| matches!(word.text(), "-v" | "-V")) => None,
        "eval" => Some(why::BUILTIN),
        "source" | "." => Some(why::BUILTIN),
        "trap" => Some(why::BUILTIN),
        "alias" | "unalias" => Some(why::BUILTIN),
        _ => Some(why::BUILTIN),
    }
}

/// `cd dir` with a literal directory inside the root.
fn change(
    part: &Part<'_>,
    arguments: &[Word<'_>],
    directories: &mut Directories,
    files: &dyn FileCover,
) -> Result<(), &'static str> {
    let dir = match arguments {
        [dir] => dir.known(),
        [dashes, dir] if dashes.known() == Some("--") => dir.known(),
        _ => None,
    };
    let Some(dir) = dir.filter(|dir| !dir.is_empty() && *dir != "-" && !dir.starts_with('-')) else {
        return Err(why::DIRECTORY);
    };
    if part.in_loop || part.in_function {
        return Err(why::DIRECTORY);
    }
    if directories.enter(dir, files) { Ok(()) } else { Err(why::DIRECTORY) }
}

/// `set` with options that only make the shell stricter or louder.
fn set(arguments: &[Word<'_>]) -> bool {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let Some(text) = word.known() else { return false };
        let Some(letters) = text.strip_prefix(['-', '+']) else { return false };
        if letters.is_empty() || !letters.chars().all(|c| "euxovnfCbE".contains(c)) {
            return false;
        }
        if letters.contains('o') {
            let option = words.next().and_then(Word::known);
            let strict =
                ["pipefail", "errexit", "nounset", "xtrace", "verbose", "noglob", "noclobber", "errtrace"];
            if !option.is_some_and(|option| strict.contains(&option)) {
                return false;
            }
        }
    }
    !arguments.is_empty()
}

/// `read` into plain names.
fn read(arguments: &[Word<'_>]) -> bool {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let Some(text) = word.known() else { return false };
        match text {
            "-r" | "-s" | "-rs" | "-sr" => {}
            "-d" | "-p" | "-n" | "-t" | "-u" | "-rp" | "-rd" => drop(words.next()),
            name if is_name(name) && assignable(name) => {}
            _ => return false,
        }
    }
    true
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

/// An assignment that stands alone changes a variable of the shell; some variables change programs.
fn assignment(word: &Word<'_>) -> Result<(), &'static str> {
    let name = word.raw().split(['=', '+', '[']).next().unwrap_or_default();
    if assignable(name) { Ok(()) } else { Err(why::VARIABLE) }
}

/// Builtins that give a variable a value: under a prefix entry not one that changes programs.
pub(super) fn assigns_freely(words: &[Word<'_>]) -> bool {
    let Some((first, arguments)) = words.split_first() else { return true };
    let freely = |word: &Word<'_>| {
        let lead = word.lead();
        let name = lead.split(['=', '+', '[']).next().unwrap_or_default();
        (word.certain() || lead.len() > name.len()) && assignable(name)
    };
    match first.text() {
        // Only what stands behind `-v` is a name; glued to it, it is not looked at.
        "printf" => {
            let option = |word: &Word<'_>| word.lead().starts_with("-v");
            !arguments.iter().any(|word| option(word) && word.text() != "-v")
                && arguments
                    .windows(2)
                    .filter(|pair| pair.first().is_some_and(option))
                    .all(|pair| pair.get(1).is_some_and(freely))
        }
        "export" | "declare" | "typeset" | "local" | "readonly" | "read" | "unset" | "mapfile"
        | "readarray" | "getopts" | "let" => arguments.iter().all(freely),
        _ => true,
    }
}

/// Whether no program is known to care for the variable.
fn assignable(name: &str) -> bool {
    !VARIABLES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).any(|pattern| match pattern
        .strip_suffix('*')
    {
        Some(prefix) => name.starts_with(prefix),
        None => name == pattern,
    })
}

/// Functions that would make the rest of the line something else than it looks.
pub(super) fn functions(split: &Split<'_>) -> Option<&'static str> {
    let loops = split.bindings.iter().any(|binding| !assignable(&binding.name));
    if loops {
        return Some(why::VARIABLE);
    }
    if split.functions.is_empty() {
        return None;
    }
    let defined = |name: &str| split.functions.iter().any(|function| function.name == name);
    let first = |part: &Part<'_>| part.words.first().map(|word| word.text().to_owned()).unwrap_or_default();
    let special = |name: &str| {
        STEERING.contains(&name)
            || programs::find(name).is_some()
            || [
                "cd", "test", "[", "set", "read", "eval", "source", ".", "exec", "command", "builtin",
                "trap", "alias", "unset", "pushd", "popd",
            ]
            .contains(&name)
    };
    if split
        .functions
        .iter()
        .any(|function| special(&function.name) || !is_name(&function.name.replace('-', "_")))
    {
        return Some(why::FUNCTION);
    }
    if split.parts.iter().any(|part| part.in_function && defined(&first(part))) {
        return Some(why::FUNCTION);
    }
    if split.parts.iter().any(|part| matches!(first(part).as_str(), "cd" | "unset" | "pushd" | "popd")) {
        return Some(why::FUNCTION);
    }
    None
}
