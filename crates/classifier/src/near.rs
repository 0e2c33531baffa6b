//! Near-misses: a long approval word with one letter wrong, missing, added, or two swapped.

use crate::word::{SPACED, Word};

/// Shortest word that may be misspelt, in letters.
pub(crate) const SHORTEST: usize = 6;
/// Longest word that is looked at, in letters.
const LONGEST: usize = 16;

/// The long words of the lexicon.
pub(crate) struct Near {
    words: Vec<(Box<str>, u32)>,
    not: Vec<String>,
}

impl Near {
    /// Keeps the words that may be misspelt: one word of ASCII letters, of a spaced language.
    pub(crate) fn new<'a>(
        all: impl Iterator<Item = (&'a str, u32)>,
        words: &[Word],
        not: Vec<String>,
    ) -> Self {
        let long = |text: &str, index: u32| {
            let word = words.get(index as usize);
            let used = word
                .is_some_and(|word| word.flags & SPACED != 0 && (word.role.approves() || word.role.strips()));
            used && (SHORTEST..=LONGEST).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_lowercase())
        };
        let words = all.filter(|(text, index)| long(text, *index)).map(|(text, index)| (text.into(), index));
        Self { words: words.collect(), not }
    }

    /// The word that `text` (folded) is a slip of, if there is exactly one slip between them.
    pub(crate) fn find(&self, text: &str) -> Option<u32> {
        if !(SHORTEST..=LONGEST).contains(&text.len())
            || !text.bytes().all(|byte| byte.is_ascii_lowercase())
            || self.not.iter().any(|word| word == text)
        {
            return None;
        }
        self.words
            .iter()
            .find(|(word, _)| one_slip(word.as_bytes(), text.as_bytes()))
            .map(|(_, index)| *index)
    }
}

/// Whether one edit or one transposition makes `a` into `b`. The first letter must be right: who
/// misspells a word begins it well, and many other words differ in the first letter alone.
fn one_slip(a: &[u8], b: &[u8]) -> bool {
    if a.len().abs_diff(b.len()) > 1 || a.first() != b.first() {
        return false;
    }
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (a.get(same..).unwrap_or(&[]), b.get(same..).unwrap_or(&[]));
    match (a, b) {
        ([x, y, a @ ..], [u, v, b @ ..]) if x == v && y == u && a == b => true,
        ([_, a @ ..], [_, b @ ..]) if a == b => true,
        ([_, a @ ..], b) if a == b => true,
        (a, [_, b @ ..]) => a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::one_slip;

    #[test]
    fn one_slip_is_one_edit_or_one_swap() {
        for (a, b, want) in [
            ("continue", "conitnue", true),
            ("continue", "contine", true),
            ("continue", "continuue", true),
            ("continue", "continoe", true),
            ("continue", "continue", false),
            ("continue", "contni", false),
            ("continue", "xontinue", false),
            ("continue", "contiun", false),
        ] {
            assert_eq!(one_slip(a.as_bytes(), b.as_bytes()), want, "{a} {b}");
        }
    }
}
