//! What a message is made of: words, phrases, and stretches that nobody knows.

use crate::characters::Class;
use crate::scan::Tokens;
use crate::table::Table;
use crate::word::Role;
use smallvec::SmallVec;

/// What lies between an item and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gap {
    None,
    Blank,
    /// Punctuation, a line break, the beginning of the message.
    Break,
}

/// A word, a phrase, or a stretch of text nobody knows (content).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Item {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) role: Role,
    pub(crate) flags: u8,
    pub(crate) gap: Gap,
    pub(crate) state: State,
    /// The phrase it is, as an index into the table.
    pub(crate) phrase: Option<u16>,
    /// It is not in the lexicon.
    pub(crate) unknown: bool,
}

/// What became of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// Carries nothing of its own.
    Stripped,
    /// An approval that counts.
    Counts,
    /// Content: what a note is made of.
    Content,
    /// An approval that is void, and why.
    Negated,
    Past,
    Reported,
    Asks,
}

pub(crate) type Items = SmallVec<[Item; 24]>;

/// Divides the message into words and phrases, from left to right, always taking the longest; what lies
/// between them is filled with content where there is any.
pub(crate) fn arrange(table: &Table, text: &str, tokens: &Tokens, items: &mut Items) {
    let mut place = 0;
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        if (token.start as usize) < place {
            index += 1;
            continue;
        }
        let gap = fill(table, text, place, token.start as usize, items);
        let mut item = longest_at(table, text, tokens, index);
        item.gap = gap;
        place = item.end as usize;
        items.push(item);
    }
    fill(table, text, place, text.len(), items);
}

/// The longest word or phrase that begins where this token does.
fn longest_at(table: &Table, text: &str, tokens: &Tokens, index: usize) -> Item {
    let here = tokens.get(index..).unwrap_or(&[]);
    let start = here.first().map_or(0, |token| token.start);
    let mut item = Item {
        start,
        end: start,
        role: Role::Clause,
        flags: 0,
        gap: Gap::None,
        state: State::Content,
        phrase: None,
        unknown: false,
    };
    // Longer words come first: the longest that plays a part of its own, else the shortest.
    for token in here.iter().take_while(|token| token.start == start) {
        let word = table.word(*token);
        if item.role == Role::Clause {
            (item.end, item.role, item.flags) = (token.end, word.role, word.flags);
        }
    }
    let longest = if item.role == Role::Clause { start } else { item.end };
    if let Some((end, index)) = table.grammar.longest(&table.words, text, here)
        && end > longest
        && let Some(phrase) = table.grammar.phrases.get(index as usize)
    {
        (item.end, item.role, item.flags) = (end, phrase.role, phrase.flags);
        item.phrase = Some(index);
    }
    item
}

/// Reads what lies between two words: an item if there is content in it. Returns how the next word is
/// set off from what comes before it.
fn fill(table: &Table, text: &str, from: usize, to: usize, items: &mut Items) -> Gap {
    let between = text.get(from..to).unwrap_or("");
    let lead = if from == 0 { Gap::Break } else { Gap::None };
    if between.is_empty() {
        return lead;
    }
    let (before, skipped) = blanks(table, between.chars(), lead);
    if skipped == between.len() {
        return before;
    }
    let (after, behind) = blanks(table, between.chars().rev(), Gap::None);
    items.push(Item {
        start: (from + skipped) as u32,
        end: (to - behind) as u32,
        role: Role::Content,
        flags: 0,
        gap: before,
        state: State::Content,
        phrase: None,
        unknown: true,
    });
    after
}

/// Walks over what carries nothing; the strongest gap seen, and the bytes walked over.
fn blanks(table: &Table, characters: impl Iterator<Item = char>, mut gap: Gap) -> (Gap, usize) {
    let mut bytes = 0;
    for c in characters {
        match table.characters.class(c) {
            Class::Separator => gap = Gap::Break,
            Class::Blank if c == '\n' => gap = Gap::Break,
            Class::Blank if gap == Gap::None => gap = Gap::Blank,
            Class::Blank | Class::Ignored => {}
            Class::Ordinary | Class::Question | Class::Quote => break,
        }
        bytes += c.len_utf8();
    }
    (gap, bytes)
}
