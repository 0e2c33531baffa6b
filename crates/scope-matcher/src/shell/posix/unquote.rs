//! Removal of quotes, where what is left is certain.

use crate::shell::Marks;
use std::borrow::Cow;

/// The text of a word after the removal of quotes, or its source where that is not certain.
pub(super) fn unquote(raw: &str, marks: Marks) -> (Cow<'_, str>, Marks) {
    if marks == Marks::NONE || !marks.certain() {
        return (Cow::Borrowed(raw), marks);
    }
    if let Some(inner) = one_quote(raw) {
        return (Cow::Borrowed(inner), marks);
    }
    match remove(raw) {
        Some(text) => (Cow::Owned(text), marks),
        None => (Cow::Borrowed(raw), marks.with(Marks::EXPANDS)),
    }
}

/// The inside of a word that is one pair of quotes with nothing to remove inside.
fn one_quote(raw: &str) -> Option<&str> {
    let quote = raw.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let inner = raw.strip_prefix(quote)?.strip_suffix(quote)?;
    let plain = |c: char| c != quote && (quote == '\'' || !matches!(c, '\\' | '$' | '`'));
    inner.chars().all(plain).then_some(inner)
}

/// A `$` here is a plain character or the start of `$'…'`: expansions were marked before.
fn remove(raw: &str) -> Option<String> {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..)?;
        match c {
            '\'' => rest = single(rest, &mut text)?,
            '"' => rest = double(rest, &mut text)?,
            '\\' => {
                let next = rest.chars().next()?;
                rest = rest.get(next.len_utf8()..)?;
                if next != '\n' {
                    text.push(next);
                }
            }
            '$' if rest.starts_with('\'') => rest = ansi(rest.get(1..)?, &mut text)?,
            other => text.push(other),
        }
    }
    Some(text)
}

fn single<'r>(rest: &'r str, text: &mut String) -> Option<&'r str> {
    let (inner, rest) = rest.split_once('\'')?;
    text.push_str(inner);
    Some(rest)
}

fn double<'r>(rest: &'r str, text: &mut String) -> Option<&'r str> {
    let mut chars = rest.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return rest.get(at + 1..),
            '\\' => match chars.next()?.1 {
                '\n' => {}
                next @ ('"' | '\\' | '$' | '`') => text.push(next),
                next => text.extend(['\\', next]),
            },
            other => text.push(other),
        }
    }
    None
}

/// The inside of `$'…'`. Bytes that are no character make the word uncertain.
fn ansi<'r>(rest: &'r str, text: &mut String) -> Option<&'r str> {
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\'' => return rest.get(at + 1..),
            '\\' => {
                let (_, kind) = chars.next()?;
                let mut digits = |most: usize, radix: u32, first: u32| {
                    let mut value = first;
                    for _ in 0..most {
                        let Some(digit) = chars.peek().and_then(|(_, c)| c.to_digit(radix)) else { break };
                        chars.next();
                        value = value.checked_mul(radix)?.checked_add(digit)?;
                    }
                    Some(value)
                };
                let code = match kind {
                    'a' => 7,
                    'b' => 8,
                    'e' | 'E' => 27,
                    'f' => 12,
                    'n' => 10,
                    'r' => 13,
                    't' => 9,
                    'v' => 11,
                    '\\' | '\'' | '"' | '?' => u32::from(kind),
                    '0'..='7' => ascii(digits(2, 8, kind.to_digit(8)?)?)?,
                    'x' => ascii(digits(2, 16, 0)?)?,
                    'u' => digits(4, 16, 0)?,
                    'U' => digits(8, 16, 0)?,
                    _ => return None,
                };
                // A 0 ends the string in bash; leave that to the uncertain.
                text.push(char::from_u32(code).filter(|c| *c != '\0')?);
            }
            other => text.push(other),
        }
    }
    None
}

fn ascii(code: u32) -> Option<u32> {
    (code < 128).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removes_what_bash_removes() {
        for (raw, text) in [
            ("'a b'", "a b"),
            ("\"a b\"", "a b"),
            (r#""a\"b\$c\d""#, r#"a"b$c\d"#),
            (r"a\ b", "a b"),
            (r"'a'\''b'", "a'b"),
            (r"$'a\'b\x41\101\n'", "a'bAA\n"),
            ("\"a\\\nb\"", "ab"),
            ("a\\\nb", "ab"),
            ("$'\u{e9}'", "\u{e9}"),
        ] {
            assert_eq!(unquote(raw, Marks::QUOTED).0, text, "{raw}");
        }
        assert!(!unquote(r"$'\xff'", Marks::QUOTED).1.certain());
        assert!(!unquote(r"$'a\0b'", Marks::QUOTED).1.certain());
    }
}
