//! The form in which whole lines are compared.

use plan_gate_core::{CommandCase, Dialect};
use std::borrow::Cow;

/// A line as it is compared with others: blanks folded outside quotes, case folded where it does
/// not count.
///
/// In POSIX shells the case of options and of words with anything but letters, digits, `_`, `-`,
/// `:`, `@` and `,` in them is kept. A line in which it is not plain what is quoted (substitutions,
/// here-documents) is only trimmed. Borrows when nothing changes.
pub fn normalise(line: &str, dialect: Dialect, case: CommandCase) -> Cow<'_, str> {
    match dialect {
        Dialect::Powershell | Dialect::Cmd => folded(blanks(trimmed(line, false), false), case),
        Dialect::Argv => Cow::Borrowed(line),
        _ if is_normal(line, case) => Cow::Borrowed(line),
        _ => posix(line, case),
    }
}

/// The common case, without a second look: single blanks between words that need no folding.
fn is_normal(line: &str, case: CommandCase) -> bool {
    let mut before = b' ';
    for byte in line.bytes() {
        match byte {
            b'\t' => return false,
            b' ' if before == b' ' => return false,
            b'A'..=b'Z' if case == CommandCase::Fold => return false,
            _ => {}
        }
        before = byte;
    }
    before != b' ' && before != b'\n'
}

fn posix(line: &str, case: CommandCase) -> Cow<'_, str> {
    let line = trimmed(line, true);
    if ["$(", "${", "`", "<<", "$'"].iter().any(|nested| line.contains(nested)) {
        return Cow::Borrowed(line);
    }
    match case {
        CommandCase::Exact => blanks(line, true),
        CommandCase::Fold => fold_words(&blanks(line, true)).map_or_else(|| blanks(line, true), Cow::Owned),
    }
}

/// Without blanks and newlines around it; an escaped blank at the end stays.
fn trimmed(line: &str, backslash: bool) -> &str {
    let line = line.trim_start_matches([' ', '\t', '\n']);
    let short = line.trim_end_matches([' ', '\t', '\n']);
    if backslash && short.ends_with('\\') { line } else { short }
}

/// Runs of blanks and tabs outside quotes as one blank.
fn blanks(line: &str, posix: bool) -> Cow<'_, str> {
    if !line.contains('\t') && !line.contains("  ") {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    let mut quote = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', None | Some('"')) if posix => {
                out.push(c);
                out.extend(chars.next());
            }
            ('`', None | Some('"')) if !posix => {
                out.push(c);
                out.extend(chars.next());
            }
            ('\'' | '"', None) => {
                quote = Some(c);
                out.push(c);
            }
            (_, Some(open)) => {
                if c == open {
                    quote = None;
                }
                out.push(c);
            }
            (' ' | '\t', None) if out.ends_with(' ') => {}
            (' ' | '\t', None) => out.push(' '),
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

fn folded(line: Cow<'_, str>, case: CommandCase) -> Cow<'_, str> {
    if case == CommandCase::Fold && line.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(line.to_ascii_lowercase())
    } else {
        line
    }
}

/// The line with the words in lower case whose case does not count; `None` if there are none.
fn fold_words(line: &str) -> Option<String> {
    let folds = |word: &str| word.bytes().any(|byte| byte.is_ascii_uppercase()) && !case_counts(word);
    if !line.split([' ', '\n']).any(folds) {
        return None;
    }
    let mut out = String::with_capacity(line.len());
    for word in line.split_inclusive([' ', '\n']) {
        let bare = word.trim_end_matches([' ', '\n']);
        if case_counts(bare) {
            out.push_str(word);
        } else {
            out.push_str(&word.to_ascii_lowercase());
        }
    }
    (out != line).then_some(out)
}

/// Whether the case of a word counts.
pub(super) fn case_counts(word: &str) -> bool {
    let folds = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '@' | ',');
    word.starts_with(['-', '+']) || !word.chars().all(folds)
}

/// A word as it is compared with others.
pub(super) fn word_key(word: &str, case: CommandCase, whole: bool) -> Cow<'_, str> {
    let folds = case == CommandCase::Fold
        && word.bytes().any(|byte| byte.is_ascii_uppercase())
        && (whole || !case_counts(word));
    if folds { Cow::Owned(word.to_ascii_lowercase()) } else { Cow::Borrowed(word) }
}
