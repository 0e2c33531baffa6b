//! Arithmetic runs commands when a value holds a subscript (`a[$(id)]`): only values that are known
//! to be numbers may be evaluated.

use super::why;
use crate::shell::Split;

/// Parameters that are always numbers.
const NUMBERS: &[&str] = &[
    "#",
    "?",
    "$",
    "!",
    "RANDOM",
    "SECONDS",
    "LINENO",
    "UID",
    "EUID",
    "PPID",
    "BASHPID",
    "COLUMNS",
    "LINES",
    "EPOCHSECONDS",
    "SRANDOM",
];

/// Why the line could run something through arithmetic, if it could.
pub(super) fn hazard(split: &Split<'_>) -> Option<&'static str> {
    let safe = |name: &str| NUMBERS.contains(&name) || name.starts_with('#') || only_numbers(split, name);
    let all = split.evaluated.iter().all(|name| safe(name));
    (!all).then_some(why::ARITHMETIC)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.trim_start_matches(['-', '+']).bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether everything the line gives to a variable is a number, and it gives something.
pub(super) fn only_numbers(split: &Split<'_>, name: &str) -> bool {
    let mut given = false;
    for binding in split.bindings.iter().filter(|binding| binding.name == name) {
        let Some(word) = &binding.value else { return false };
        let raw = word.raw();
        let value = raw
            .strip_prefix(name)
            .map(|rest| rest.trim_start_matches('+'))
            .and_then(|rest| rest.strip_prefix('='))
            .unwrap_or(raw);
        given = true;
        let bare = value.trim_matches('"');
        let number = is_number(bare) || bare.is_empty();
        let sum = bare.starts_with("$((") && bare.ends_with("))") && !bare.contains("$(( $(");
        let count = bare.starts_with("${#") || bare == "$#" || bare == "$?";
        let range = bare
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'))
            .is_some_and(|inside| inside.split("..").all(is_number) || inside.split(',').all(is_number));
        if !(number || sum || count || range) {
            return false;
        }
    }
    let assigned = |part: &crate::shell::Part<'_>| {
        let first = part.words.first().map(crate::shell::Word::text).unwrap_or_default();
        matches!(
            first,
            "read"
                | "declare"
                | "typeset"
                | "local"
                | "export"
                | "readonly"
                | "printf"
                | "mapfile"
                | "readarray"
                | "getopts"
                | "let"
        ) && part
            .words
            .iter()
            .skip(1)
            .any(|word| !word.certain() || word.text().split(['=', '[']).next() == Some(name))
    };
    given && !split.parts.iter().any(assigned)
}
