//! Folding: case, width and compatibility forms, Traditional characters, what cannot be seen.
//!
//! Borrowed when there is nothing to do, on the stack for an ordinary reply, on the heap for a long
//! one. Places in the folded text are turned back into places in the original by folding again up to
//! there ([`original`]), so that no map is kept.

use crate::characters::{Characters, Class};
use icu_normalizer::ComposingNormalizerBorrowed;
use std::borrow::Cow;

/// Replies up to this many bytes are folded on the stack.
const STACK_BYTES: usize = 384;

/// Room for a short folded text.
pub(crate) struct Room {
    bytes: [u8; STACK_BYTES],
}

impl Room {
    pub(crate) fn new() -> Self {
        Self { bytes: [0; STACK_BYTES] }
    }
}

/// A folded text.
pub(crate) struct Folded<'a> {
    pub(crate) text: Cow<'a, str>,
    /// Places are the same as in the original.
    pub(crate) aligned: bool,
    /// There may be a quotation, code or a marker in it.
    pub(crate) has_quotes: bool,
    pub(crate) has_question_mark: bool,
}

/// What one piece of text is folded to.
enum Piece {
    Same,
    Char(char),
    Nothing,
    Text(String),
}

/// Folds the piece that begins with `c`; returns its length in bytes, too.
fn piece(characters: &Characters, c: char, rest: &str) -> (usize, Piece) {
    let length = c.len_utf8();
    let after = rest.get(length..).unwrap_or("");
    if after.starts_with(is_combining) {
        let marks: usize = after.chars().take_while(|c| is_combining(*c)).take(8).map(char::len_utf8).sum();
        let whole = rest.get(..length + marks).unwrap_or(rest);
        return (whole.len(), normalized(whole));
    }
    if c.is_ascii() {
        let lower = c.to_ascii_lowercase();
        return (length, if lower == c { Piece::Same } else { Piece::Char(lower) });
    }
    if let Some(simple) = characters.simplified(c) {
        return (length, Piece::Char(simple));
    }
    let piece = match c as u32 {
        0x4e00..=0x9fff => Piece::Same,
        0xff01..=0xff5e => {
            let ascii = char::from_u32(c as u32 - 0xfee0).unwrap_or(c);
            Piece::Char(ascii.to_ascii_lowercase())
        }
        0x85 | 0x2028 | 0x2029 => Piece::Char('\n'),
        _ if characters.is_apostrophe(c) => Piece::Char('\''),
        _ => match characters.class(c) {
            Class::Ignored => Piece::Nothing,
            Class::Blank => Piece::Char(' '),
            Class::Separator | Class::Question | Class::Quote => Piece::Same,
            Class::Ordinary if matches!(c as u32, 0x1f000..=0x1faff) => Piece::Same,
            Class::Ordinary => {
                let mut bytes = [0; 4];
                normalized(c.encode_utf8(&mut bytes))
            }
        },
    };
    (length, piece)
}

fn is_combining(c: char) -> bool {
    matches!(c as u32, 0x300..=0x36f)
}

fn normalized(text: &str) -> Piece {
    let folded = ComposingNormalizerBorrowed::new_nfkc().normalize(text).to_lowercase();
    // What grows out of all proportion is no word of ours; left alone it is content all the same.
    if folded == text || folded.len() > 2 * text.len() { Piece::Same } else { Piece::Text(folded) }
}

/// Whether folding would leave this text as it is, and what the rules must look out for in it.
struct Survey {
    plain: bool,
    quotes: bool,
    question: bool,
}

fn survey(characters: &Characters, text: &str) -> Survey {
    let mut survey = Survey { plain: true, quotes: false, question: false };
    let mut tilde = false;
    for byte in text.bytes() {
        survey.plain &= !byte.is_ascii_uppercase();
        tilde |= byte == b'~';
        match characters.ascii_class(byte) {
            Class::Quote => survey.quotes = true,
            Class::Question => survey.question = true,
            _ => {}
        }
    }
    // A fence, or something struck out; a single tilde only stretches a word.
    survey.quotes |= tilde && text.contains("~~");
    if text.is_ascii() {
        return survey;
    }
    for c in text.chars().filter(|c| !c.is_ascii()) {
        if matches!(c as u32, 0x4e00..=0x9fff) {
            survey.plain &= characters.simplified(c).is_none();
        } else if matches!(c as u32, 0x1f300..=0x1f3fa | 0x1f400..=0x1faff) {
            // Emoji fold to themselves.
        } else {
            match characters.class(c) {
                Class::Quote => survey.quotes = true,
                Class::Question => survey.question = true,
                Class::Separator => {}
                _ => survey.plain = false,
            }
            // The narrow form of a wide character may be any of them.
            let narrow = match c as u32 {
                0xff01..=0xff5e => u8::try_from(c as u32 - 0xfee0).unwrap_or(b'`'),
                0xfe50..=0xfe6f | 0x2047..=0x2049 => b'`',
                _ => b' ',
            };
            survey.quotes |= characters.ascii_class(narrow) == Class::Quote;
            survey.question |= characters.ascii_class(narrow) == Class::Question || narrow == b'`';
        }
    }
    survey
}

/// Folds `text`, if need be into `room`.
pub(crate) fn fold<'a>(characters: &Characters, text: &'a str, room: &'a mut Room) -> Folded<'a> {
    let survey = survey(characters, text);
    let flags = (survey.quotes, survey.question);
    if survey.plain {
        return folded(Cow::Borrowed(text), true, flags);
    }
    if text.is_ascii() {
        if let Some(bytes) = room.bytes.get_mut(..text.len()) {
            bytes.copy_from_slice(text.as_bytes());
            bytes.make_ascii_lowercase();
            if let Ok(text) = std::str::from_utf8(bytes) {
                return folded(Cow::Borrowed(text), true, flags);
            }
        }
        return folded(Cow::Owned(text.to_ascii_lowercase()), true, flags);
    }
    fold_slowly(characters, text, room, flags)
}

fn folded(text: Cow<'_, str>, aligned: bool, (has_quotes, has_question_mark): (bool, bool)) -> Folded<'_> {
    Folded { text, aligned, has_quotes, has_question_mark }
}

/// Where folded text is written: into the room while it lasts, then into a string.
struct Sink<'a> {
    room: &'a mut [u8],
    used: usize,
    long: Option<String>,
}

impl<'a> Sink<'a> {
    fn push(&mut self, piece: &str, still_to_come: usize) {
        if self.long.is_none() {
            if let Some(place) = self.room.get_mut(self.used..self.used + piece.len()) {
                place.copy_from_slice(piece.as_bytes());
                self.used += piece.len();
                return;
            }
            let so_far = self.room.get(..self.used).and_then(|bytes| std::str::from_utf8(bytes).ok());
            let mut long = String::with_capacity(self.used + still_to_come);
            long.push_str(so_far.unwrap_or(""));
            self.long = Some(long);
        }
        if let Some(long) = &mut self.long {
            long.push_str(piece);
        }
    }

    fn finish(self) -> Cow<'a, str> {
        match self.long {
            Some(long) => Cow::Owned(long),
            None => {
                let bytes = self.room.get(..self.used).unwrap_or(&[]);
                std::str::from_utf8(bytes).map_or(Cow::Borrowed(""), Cow::Borrowed)
            }
        }
    }
}

fn fold_slowly<'a>(
    characters: &Characters,
    text: &'a str,
    room: &'a mut Room,
    flags: (bool, bool),
) -> Folded<'a> {
    let mut sink = Sink { room: &mut room.bytes, used: 0, long: None };
    let mut aligned = true;
    let mut rest = text;
    let mut same_from = text;
    while let Some(c) = rest.chars().next() {
        let (length, piece) = piece(characters, c, rest);
        if !matches!(piece, Piece::Same) {
            let same = same_from.get(..same_from.len() - rest.len()).unwrap_or("");
            sink.push(same, same_from.len());
        }
        let after = rest.get(length..).unwrap_or("");
        let mut bytes = [0; 4];
        let new = match &piece {
            Piece::Same => None,
            Piece::Nothing => Some(""),
            Piece::Char(c) => Some(&*c.encode_utf8(&mut bytes)),
            Piece::Text(text) => Some(text.as_str()),
        };
        if let Some(new) = new {
            // One piece that became several has places inside that the original has not.
            aligned &= new.len() == length && new.chars().nth(1).is_none();
            sink.push(new, rest.len());
            same_from = after;
        }
        rest = after;
    }
    sink.push(same_from, same_from.len());
    folded(sink.finish(), aligned, flags)
}

/// The place in `text` that a place in its folded form comes from; linear in it. Inside of what one piece
/// became, it is where that piece begins, or where it ends if `end` is set.
pub(crate) fn original(characters: &Characters, text: &str, place: usize, end: bool) -> usize {
    let mut seen = 0;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (length, piece) = piece(characters, c, rest);
        let new = match piece {
            Piece::Same => length,
            Piece::Nothing => 0,
            Piece::Char(c) => c.len_utf8(),
            Piece::Text(text) => text.len(),
        };
        if (end && seen >= place) || (!end && seen + new > place) {
            break;
        }
        seen += new;
        rest = rest.get(length..).unwrap_or("");
    }
    text.len() - rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_and_finds_the_way_back() {
        let characters = Characters::load().unwrap();
        for (text, want) in [
            ("ok", "ok"),
            ("OK", "ok"),
            ("ＯＫ　！", "ok !"),
            ("請繼續", "请继续"),
            ("👍🏽", "👍"),
            ("o\u{200b}k", "ok"),
            ("Si\u{301}", "sí"),
            ("SÍ", "sí"),
            ("It’s", "it's"),
            ("𝗼𝗸", "ok"),
        ] {
            let mut room = Room::new();
            let folded = fold(&characters, text, &mut room);
            assert_eq!(folded.text, want, "{text}");
            assert!(!folded.aligned || folded.text.len() == text.len());
        }
        let text = "Ｘ\u{200b}ｙ同意";
        assert_eq!(original(&characters, text, 0, false), 0);
        assert_eq!(text.get(original(&characters, text, 2, false)..), Some("同意"));
        assert_eq!(original(&characters, text, 8, true), text.len());
        // One character that becomes two: a place inside it has its beginning and its end.
        assert_eq!(original(&characters, "a‗", 2, false), 1);
        assert_eq!(original(&characters, "a‗", 2, true), 4);
    }

    #[test]
    fn a_long_text_is_folded_alike() {
        let characters = Characters::load().unwrap();
        let long = "同意Ａ".repeat(1000);
        let mut room = Room::new();
        assert_eq!(fold(&characters, &long, &mut room).text, "同意a".repeat(1000));
    }
}
