//! Files that a command writes: redirections, and programs that exist to write.

use super::FileCover;
use super::cover::{Call, Cover};
use super::directory::Directories;
use super::programs::{Program, Which, Writes};
use super::values::Values;
use super::why;
use crate::shell::{Marks, Redirect, Word};

/// Whether a redirection writes nothing, or only what may be written.
pub(super) fn redirect(
    redirect: &Redirect<'_>,
    values: &Values<'_>,
    directories: &Directories,
    files: &dyn FileCover,
) -> Result<(), &'static str> {
    let target = &redirect.target;
    let reads = matches!(redirect.op, "<" | "<&");
    if redirect.op.starts_with("<<") {
        return Ok(());
    }
    // A pipe to or from a command, which is a part of its own.
    if target.marks() == Marks::PIPE {
        return Ok(());
    }
    if reads && !target.certain() {
        // `/dev/tcp/host/port` is a connection; a relative name cannot become one.
        return match target.lead().chars().next() {
            Some(first) if first != '/' => Ok(()),
            None if values.is_relative(target) => Ok(()),
            _ => Err(why::COMPUTED_FILE),
        };
    }
    let path = target.known().ok_or(why::COMPUTED_FILE)?;
    if is_network(path) {
        return Err(why::NETWORK);
    }
    if reads || duplicates(redirect.op, path) || matches!(path, "/dev/null" | "/dev/stdout" | "/dev/stderr") {
        return Ok(());
    }
    if directories.may_write(path, files) { Ok(()) } else { Err(why::FILE) }
}

/// `2>&1`, `>&-`, `>&2-`: no file.
fn duplicates(op: &str, target: &str) -> bool {
    let digits = target.strip_suffix('-').unwrap_or(target);
    op == ">&" && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// What bash opens as a connection. The path is compared by its segments' start, so that doubled
/// separators do not hide it.
fn is_network(path: &str) -> bool {
    let mut segments = path.split('/').filter(|segment| !segment.is_empty() && *segment != ".");
    path.starts_with('/') && segments.next() == Some("dev") && matches!(segments.next(), Some("tcp" | "udp"))
}

/// Whether a program that exists to write files writes only where it may.
pub(super) fn allowed(
    cover: &Cover<'_>,
    program: &Program,
    call: &Call<'_>,
    fixed: usize,
) -> Result<(), &'static str> {
    let Some(writes) = &program.writes else { return Ok(()) };
    let mut operands = Vec::new();
    let mut targets = Vec::new();
    let mut ended = false;
    let mut words = call.words.iter().enumerate().skip(1);
    while let Some((index, word)) = words.next() {
        if !ended && word.marks().has(Marks::SPLITS) {
            return Err(why::COMPUTED_FILE);
        }
        let lead = word.lead();
        if ended || !lead.starts_with('-') || lead == "-" {
            if !ended && !word.certain() && lead.is_empty() {
                return Err(why::COMPUTED_FILE);
            }
            operands.push((index, word));
            continue;
        }
        let Some(text) = word.known() else { return Err(why::COMPUTED_FILE) };
        if text == "--" {
            ended = true;
            continue;
        }
        match option(writes, text)? {
            Value::None => {}
            Value::Next => drop(words.next()),
            Value::Target(Some(path)) => {
                if !call.directories.may_write(path, cover.files) {
                    return Err(why::FILE);
                }
                targets.push(index);
            }
            Value::Target(None) => {
                let Some((_, word)) = words.next() else { return Err(why::COMPUTED_FILE) };
                may_write(cover, call, word)?;
                targets.push(index);
            }
        }
    }
    if call.appended {
        return Err(why::COMPUTED_FILE);
    }
    let written: &[(usize, &Word<'_>)] = match writes.which {
        Which::All => &operands,
        Which::Second => operands.get(1..).unwrap_or_default(),
        Which::Last if !targets.is_empty() => &[],
        Which::Last => operands.last().map(std::slice::from_ref).unwrap_or_default(),
    };
    for (index, word) in written {
        if *index < fixed {
            continue;
        }
        match &writes.assignment {
            None if writes.remote && is_remote(word) => {}
            None => may_write(cover, call, word)?,
            Some(name) => assigned(cover, call, word, name)?,
        }
    }
    Ok(())
}

fn may_write(cover: &Cover<'_>, call: &Call<'_>, word: &Word<'_>) -> Result<(), &'static str> {
    let path = word.known().ok_or(why::COMPUTED_FILE)?;
    if path == "/dev/null" || call.directories.may_write(path, cover.files) { Ok(()) } else { Err(why::FILE) }
}

/// `host:path` or `rsync://host/path`: a colon before any slash, in a word whose beginning is certain.
fn is_remote(word: &Word<'_>) -> bool {
    let lead = word.lead();
    let host = lead.split('/').next().unwrap_or_default();
    host.contains(':') && !host.starts_with(':') && !word.marks().has(Marks::SPLITS)
}

/// `of=path` among other `name=value` arguments.
fn assigned(cover: &Cover<'_>, call: &Call<'_>, word: &Word<'_>, name: &str) -> Result<(), &'static str> {
    let text = word.known().ok_or(why::COMPUTED_FILE)?;
    match text.strip_prefix(name) {
        Some(path) if path == "/dev/null" || call.directories.may_write(path, cover.files) => Ok(()),
        Some(_) => Err(why::FILE),
        None => Ok(()),
    }
}

/// What follows an option.
enum Value<'t> {
    None,
    Next,
    Target(Option<&'t str>),
}

fn option<'t>(writes: &Writes, text: &'t str) -> Result<Value<'t>, &'static str> {
    let is_target = |name: &str| writes.target.iter().any(|option| option == name);
    if let Some(long) = text.strip_prefix("--") {
        let (name, value) = match long.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (long, None),
        };
        let full = format!("--{name}");
        return match value {
            _ if is_target(&full) => Ok(Value::Target(value)),
            _ if writes.long_flags.contains(&full) => Ok(Value::None),
            Some(_) if writes.long_values.contains(&full) => Ok(Value::None),
            None if writes.long_values.contains(&full) => Ok(Value::Next),
            _ => Err(why::FILE_OPTION),
        };
    }
    let letters = text.strip_prefix('-').unwrap_or(text);
    for (at, letter) in letters.char_indices() {
        let rest = letters.get(at + letter.len_utf8()..).filter(|rest| !rest.is_empty());
        if is_target(&format!("-{letter}")) {
            return Ok(Value::Target(rest));
        }
        if writes.values.contains(letter) {
            return Ok(if rest.is_none() { Value::Next } else { Value::None });
        }
        if !writes.flags.contains(letter) {
            return Err(why::FILE_OPTION);
        }
    }
    Ok(Value::None)
}
