//! One pass over the folded text finds every known word; of overlapping ones the leftmost longest stay.

use crate::characters::is_unspaced;
use crate::near;
use crate::table::Table;
use crate::word::{Bits, SPACED, Word};
use smallvec::SmallVec;

/// Words kept at the beginning and at the end of a message; the middle of a long one is content
/// whatever stands there.
const HEAD: usize = 96;
const TAIL: usize = 64;

/// A known word in the text: its place in bytes, its number in the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) word: u32,
}

/// The known words of a message, in order.
pub(crate) type Tokens = SmallVec<[Token; 24]>;

impl Table {
    pub(crate) fn word(&self, token: Token) -> Word {
        self.words.get(token.word as usize).copied().unwrap_or(NO_WORD)
    }
}

const NO_WORD: Word =
    Word { role: crate::word::Role::Content, flags: 0, sets: Bits::NONE, opens: Bits::NONE };

/// Finds the known words of `text`, which is folded and shorter than 4 GiB.
pub(crate) fn scan(table: &Table, text: &str) -> Tokens {
    let mut tokens = Tokens::new();
    for found in table.automaton.find_overlapping_iter(text) {
        let (start, end) = (found.start(), found.end());
        let Some(word) = table.words.get(found.value() as usize) else { continue };
        if word.flags & SPACED != 0 && !stands_alone(table, text, start, end) {
            continue;
        }
        let token = Token { start: start as u32, end: end as u32, word: found.value() };
        keep(&mut tokens, token);
    }
    tokens
}

/// Matches come in the order of their ends: a new one replaces what it contains, and gives way to what
/// began before it.
fn keep(tokens: &mut Tokens, new: Token) {
    let mut kept = tokens.len();
    while let Some(last) = kept.checked_sub(1).and_then(|index| tokens.get(index)) {
        if last.end <= new.start {
            break;
        }
        if last.start < new.start {
            return;
        }
        kept -= 1;
    }
    tokens.truncate(kept);
    tokens.push(new);
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
        if !is_open(table, near, before.next(), true) {
            return false;
        }
    }
    if !matches!(bytes.get(end), None | Some(b' ' | b'\n' | b',')) {
        let mut after = text.get(end..).unwrap_or("").chars();
        let near = after.next();
        return is_open(table, near, after.next(), false);
    }
    true
}

/// Whether a word may begin behind (or end before) `near`, whose neighbour on the far side is `far`.
fn is_open(table: &Table, near: Option<char>, far: Option<char>, left: bool) -> bool {
    let letter = |c: char| c.is_alphanumeric() && !is_unspaced(c);
    let Some(near) = near else { return true };
    if letter(near) || near == '_' && far.is_some_and(letter) {
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
    let mut found = false;
    let mut place = 0;
    for token in tokens.iter().copied() {
        found |= mend_gap(table, text, place, token.start as usize, &mut mended);
        mended.push(token);
        place = token.end as usize;
    }
    found |= mend_gap(table, text, place, text.len(), &mut mended);
    found.then_some(mended)
}

fn mend_gap(table: &Table, text: &str, from: usize, to: usize, mended: &mut Tokens) -> bool {
    let mut found = false;
    let mut place = from;
    for part in text.get(from..to).unwrap_or("").split_inclusive(|c: char| !c.is_ascii_alphabetic()) {
        let word = part.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
        if word.len() >= near::SHORTEST
            && stands_alone(table, text, place, place + word.len())
            && let Some(index) = table.near.find(word)
        {
            mended.push(Token { start: place as u32, end: (place + word.len()) as u32, word: index });
            found = true;
        }
        place += part.len();
    }
    found
}
