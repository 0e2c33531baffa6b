//! Lines that are one simple command of plain and quoted words, read without allocating.

use crate::shell::{Marks, Word};
use smallvec::SmallVec;
use std::borrow::Cow;

/// The words of such a line. More than these go to the heap.
pub(super) type Words<'a> = SmallVec<[Word<'a>; 24]>;

/// The words, if the line is one simple command that every POSIX shell reads alike: words of plain
/// characters or whole in quotes, and a first word that means nothing to the shell itself.
pub(super) fn words(line: &str) -> Option<Words<'_>> {
    let mut words = Words::new();
    let mut rest = line.trim_matches([' ', '\t']);
    while let Some(first) = rest.bytes().next() {
        let length = match first {
            b'\'' | b'"' => quoted(rest)?,
            _ => plain(rest),
        };
        let raw = rest.get(..length)?;
        rest = rest.get(length..)?;
        // Whatever ends the word here must be a blank.
        if length == 0 || first == b'=' || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
            return None;
        }
        let word = match first {
            b'\'' | b'"' => Word::new(raw, Cow::Borrowed(raw.get(1..length - 1)?), Marks::QUOTED),
            _ => Word::new(raw, Cow::Borrowed(raw), Marks::NONE),
        };
        if words.is_empty() && !is_program(&word) {
            return None;
        }
        words.push(word);
        rest = rest.trim_start_matches([' ', '\t']);
    }
    if words.is_empty() { None } else { Some(words) }
}

/// How many bytes of plain characters stand here.
fn plain(rest: &str) -> usize {
    let is_plain = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'-' | b'_' | b'.' | b'/' | b':' | b'@' | b'%' | b'+' | b',' | b'=')
    };
    rest.bytes().take_while(is_plain).count()
}

/// The length of the quoted text that stands here, if nothing in it expands.
fn quoted(rest: &str) -> Option<usize> {
    let quote = rest.bytes().next()?;
    let inner = rest.get(1..)?;
    let length = inner.bytes().position(|byte| byte == quote)?;
    let text = inner.get(..length)?;
    let special =
        |byte: u8| byte < 32 || byte == 127 || (quote == b'"' && matches!(byte, b'\\' | b'$' | b'`'));
    if text.bytes().any(special) { None } else { Some(length + 2) }
}

/// Whether the first word is a program to every shell: no assignment, no reserved word, no builtin
/// that is looked at more closely.
fn is_program(word: &Word<'_>) -> bool {
    let text = word.text();
    if text.is_empty()
        || word.marks() != Marks::NONE
        || text.contains('=')
        || text.starts_with(['-', '%', ':', '.', '+'])
    {
        // `./x` is the one that begins so and is common.
        return text.starts_with("./") && !text.contains('=') && word.marks() == Marks::NONE;
    }
    if text.len() > 9 {
        return true;
    }
    !matches!(
        text,
        "if" | "then"
            | "else"
            | "elif"
            | "fi"
            | "for"
            | "while"
            | "until"
            | "do"
            | "done"
            | "case"
            | "esac"
            | "in"
            | "function"
            | "select"
            | "coproc"
            | "time"
            | "eval"
            | "trap"
            | "exec"
            | "command"
            | "builtin"
            | "shopt"
            | "set"
            | "compgen"
            | "hash"
            | "enable"
            | "fc"
            | "alias"
            | "unalias"
            | "mapfile"
            | "readarray"
            | "test"
            | "printf"
            | "export"
            | "readonly"
            | "local"
            | "let"
            | "declare"
            | "typeset"
            | "read"
            | "unset"
            | "wait"
            | "getopts"
            | "cd"
            | "pushd"
            | "popd"
            | "dirs"
            | "source"
            | "true"
            | "false"
            | "exit"
            | "return"
            | "break"
            | "continue"
            | "shift"
            | "noglob"
            | "nocorrect"
            | "repeat"
            | "foreach"
            | "end"
            | "always"
            | "history"
            | "bind"
            | "complete"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::split;
    use plan_gate_core::Dialect;

    /// What is read here must be read by every splitter in the same way.
    #[test]
    fn agrees_with_the_splitters() {
        for line in [
            "pnpm test",
            "  a  b\tc ",
            "git commit -m 'a; b' \"c > d\"",
            "./x --a=b",
            "a b=c",
            "x %1 +y",
            "a '' \"\"",
        ] {
            let plain = words(line).unwrap();
            for dialect in [Dialect::Bash, Dialect::Sh, Dialect::Zsh] {
                let split = split(line, dialect);
                let [part] = split.parts.as_slice() else { panic!("{line}") };
                assert!(part.words.iter().map(Word::text).eq(plain.iter().map(Word::text)), "{line}");
            }
        }
        for line in [
            "", "a=b c", "a;b", "a 'b'c", "a \"$x\"", "a\nb", "time a", "cd x", "a *", "a ~", "a b\\ c",
            "'a' b", "a #b", "a 'b", "eval a", "! a", "{ a", "- a", "a >b", "a é",
        ] {
            assert!(words(line).is_none(), "{line}");
        }
    }
}
