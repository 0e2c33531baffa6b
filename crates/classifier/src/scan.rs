//! One pass over the folded text finds every known word, overlapping ones too: which of them a message
//! is made of is for `judge` to say.

use crate::characters::is_unspaced;
use crate::near;
use crate::phrase::NO_CLASS;
use crate::table::Table;
use crate::word::{SPACED, Word};
use smallvec::SmallVec;

/// A message longer than twice this is looked at only at both its ends, in bytes: it has far too much in
/// it for an approval, and what lies in its middle is content whatever it says.
const END: usize = 8 << 10;
/// Words kept at the beginning and at the end of a message; as above.
const HEAD: usize = 192;
const TAIL: usize = 128;

/// A known word in the text: its place in bytes, its number in the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) word: u32,
}

/// The known words of a message, in the order of their beginnings.
pub(crate) type Tokens = SmallVec<[Token; 36]>;

impl Table {
    pub(crate) fn word(&self, token: Token) -> Word {
        self.words.get(token.word as usize).copied().unwrap_or(NO_WORD)
    }
}

const NO_WORD: Word = Word { role: crate::word::Role::Content, flags: 0, class: NO_CLASS };

/// Finds the known words of `text`, which is folded and shorter than 4 GiB.
pub(crate) fn scan(table: &Table, text: &str) -> Tokens {
    let mut tokens = Tokens::new();
    if text.len() <= 2 * END {
        scan_part(table, text, 0, text.len(), &mut tokens);
    } else {
        scan_part(table, text, 0, text.floor_char_boundary(END), &mut tokens);
        scan_part(table, text, text.ceil_char_boundary(text.len() - END), text.len(), &mut tokens);
    }
    tokens
}

/// Finds the known words between two places of `text`.
fn scan_part(table: &Table, text: &str, from: usize, to: usize, tokens: &mut Tokens) {
    for found in table.automaton.find_overlapping_iter(text.get(from..to).unwrap_or("")) {
        let (start, end) = (from + found.start(), from + found.end());
        let Some(word) = table.words.get(found.value() as usize) else { continue };
        if word.flags & SPACED != 0 && !stands_alone(table, text, start, end) {
            continue;
        }
        keep(tokens, Token { start: start as u32, end: end as u32, word: found.value() });
    }
}

/// Matches come in the order of their ends; they are kept in the order of their beginnings, the longer
/// of two that begin together first.
fn keep(tokens: &mut Tokens, new: Token) {
    if tokens.last().is_none_or(|last| last.start < new.start) {
        tokens.push(new);
    } else {
        let after = tokens.iter().rev().take_while(|token| token.start >= new.start).count();
        tokens.insert(tokens.len() - after, new);
    }
    if tokens.len() > HEAD + 2 * TAIL {
        // What is dropped lies between words that stay, as unknown text: content.
        tokens.drain(HEAD..HEAD + TAIL);
    }
}

/// Whether a word of a spaced language begins and ends here.
fn stands_alone(table: &Table, text: &str, start: usize, end: usize) -> bool {
    let bytes = text.as_bytes();
    // The common case first: blanks or the ends of the text around it.
    let before = start.checked_sub(1).and_then(|index| bytes.get(index));
    if !matches!(before, None | Some(b' ' | b'\n')) {
        let mut before = text.get(..start).unwrap_or("").chars().rev();
        let near = before.next();
        let sentence = near == Some('.') && end - start >= SENTENCE;
        if !sentence && !is_open(table, near, before.next(), true) {
            return false;
        }
    }
    if !matches!(bytes.get(end), None | Some(b' ' | b'\n' | b',')) {
        let mut after = text.get(end..).unwrap_or("").chars();
        let near = after.next();
        let sentence =
            near == Some('.') && after.clone().take_while(char::is_ascii_lowercase).count() >= SENTENCE;
        return sentence || is_open(table, near, after.next(), false);
    }
    true
}

/// A stop without a blank behind it ends a sentence if a word of this many letters follows; a shorter
/// one may be the ending of a file name.
const SENTENCE: usize = 5;

/// Whether a word may begin behind (or end before) `near`, whose neighbour on the far side is `far`.
fn is_open(table: &Table, near: Option<char>, far: Option<char>, left: bool) -> bool {
    let letter = |c: char| c.is_alphanumeric() && !is_unspaced(c);
    let Some(near) = near else { return true };
    if letter(near) {
        return false;
    }
    if left && table.characters.is_prefix(near) {
        return false;
    }
    !(table.characters.is_glue(near) && far.is_some_and(letter))
}

/// Puts in the words that are one slip away from a long known word, among those nobody knew.
pub(crate) fn mend(table: &Table, text: &str, tokens: &Tokens) -> Option<Tokens> {
    let mut mended = Tokens::new();
    let mut place = 0;
    for token in tokens {
        if place < token.start as usize {
            mend_gap(table, text, place, token.start as usize, &mut mended);
        }
        place = place.max(token.end as usize);
    }
    mend_gap(table, text, place, text.len(), &mut mended);
    if mended.is_empty() {
        return None;
    }
    mended.extend_from_slice(tokens);
    mended.sort_unstable_by_key(|token| (token.start, std::cmp::Reverse(token.end)));
    Some(mended)
}

fn mend_gap(table: &Table, text: &str, from: usize, to: usize, mended: &mut Tokens) {
    let mut place = from;
    for part in text.get(from..to).unwrap_or("").split_inclusive(|c: char| !c.is_ascii_alphabetic()) {
        let word = part.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
        if word.len() >= near::SHORTEST
            && stands_alone(table, text, place, place + word.len())
            && let Some(index) = table.near.find(word)
        {
            mended.push(Token { start: place as u32, end: (place + word.len()) as u32, word: index });
        }
        place += part.len();
    }
}
