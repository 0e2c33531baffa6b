//! Words, quotes and extended patterns.

use super::{Parse, Parser};
use crate::shell::{Marks, Word};
use plan_gate_core::Dialect;

/// What a byte means inside a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Plain,
    /// Ends the word: blank, newline or an operator.
    Break,
    Special,
    /// A control character.
    Control,
}

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn classes() -> [Class; 256] {
    let mut table = [Class::Plain; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | b';' | b'|' | b'&' | b')' => Class::Break,
            b'(' | b'<' | b'>' | b'\'' | b'"' | b'\\' | b'$' | b'`' | b'*' | b'?' | b'[' | b'{' | b'~' => {
                Class::Special
            }
            0..=8 | 11..=31 | 127 => Class::Control,
            _ => Class::Plain,
        };
        byte += 1;
    }
    table
}

static CLASSES: [Class; 256] = classes();

fn class(byte: u8) -> Class {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(Class::Control)
}

/// Whether a byte ends a word where it is not quoted.
pub(super) fn ends_word(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'|' | b'&' | b'(' | b')' | b'<' | b'>')
}

/// Where a word stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The name of a command: it stops at `(`, which makes it a function.
    Command,
    /// An argument of a builtin that takes `name=(…)`.
    Declaration,
    /// Anything else.
    Argument,
}

/// What has been seen of a word.
#[derive(Default)]
struct Seen {
    marks: Marks,
    brace: bool,
    bracket: bool,
    joined: bool,
}

impl<'a> Parser<'a> {
    /// One word; at least one byte.
    pub(super) fn word(&mut self, place: Place) -> Parse<Word<'a>> {
        let start = self.pos;
        let marks = self.word_extent(start, place)?;
        if self.pos == start {
            return self.refuse("a word is missing");
        }
        self.make_word(start, marks)
    }

    /// The word from `start` to here, with its quotes removed where that is certain.
    pub(super) fn make_word(&mut self, start: usize, marks: Marks) -> Parse<Word<'a>> {
        let raw = self.since(start);
        if marks == Marks::NONE {
            return Ok(Word::new(raw, std::borrow::Cow::Borrowed(raw), marks));
        }
        let (text, marks) = super::unquote::unquote(raw, marks);
        if marks.has(Marks::QUOTED) && text.contains('[') && (text.contains("$(") || text.contains('`')) {
            self.subscript_text = true;
        }
        Ok(Word::new(raw, text, marks))
    }

    /// Moves over the rest of a word that began at `start`.
    pub(super) fn word_extent(&mut self, start: usize, place: Place) -> Parse<Marks> {
        let mut seen = Seen::default();
        if self.dialect == Dialect::Zsh && self.peek(0) == b'=' && self.pos == start {
            return self.refuse("`=command` of zsh");
        }
        loop {
            let rest = self.bytes.get(self.pos..self.end).unwrap_or_default();
            let plain = rest.iter().position(|byte| class(*byte) != Class::Plain);
            self.pos += plain.unwrap_or(rest.len());
            let byte = self.peek(0);
            match class(byte) {
                Class::Plain | Class::Break => break,
                Class::Control if self.at_end() => break,
                Class::Control => return self.refuse("a control character"),
                Class::Special => {
                    if !self.special(byte, start, place, &mut seen)? {
                        break;
                    }
                }
            }
        }
        if seen.joined {
            self.joined(start, place)?;
        }
        if seen.bracket && self.since(start).contains(']') {
            seen.marks.add(Marks::GLOB);
        }
        if seen.brace && (self.since(start).contains(',') || self.since(start).contains("..")) {
            seen.marks.add(Marks::BRACE);
        }
        Ok(seen.marks)
    }

    /// One byte that may mean something. Says whether the word goes on.
    fn special(&mut self, byte: u8, start: usize, place: Place, seen: &mut Seen) -> Parse<bool> {
        match byte {
            b'(' => return self.parenthesis(start, place, seen),
            b'<' | b'>' => {
                if self.peek(1) != b'(' {
                    return Ok(false);
                }
                self.only_bash("process substitution")?;
                seen.marks.add(Marks::PIPE);
                self.pos += 2;
                self.substitution()?;
                return Ok(true);
            }
            b'\'' => {
                seen.marks.add(Marks::QUOTED);
                self.single_quoted()?;
                return Ok(true);
            }
            b'"' => {
                seen.marks.add(Marks::QUOTED);
                let marks = self.double_quoted()?;
                seen.marks.add(marks);
                return Ok(true);
            }
            b'\\' => return self.escaped(start, place, seen),
            b'$' => {
                let marks = self.dollar(false)?;
                seen.marks.add(marks);
                return Ok(true);
            }
            b'`' => {
                seen.marks.add(Marks::SPLITS);
                self.backticks(false)?;
                return Ok(true);
            }
            b'*' | b'?' => seen.marks.add(Marks::GLOB),
            b'[' => seen.bracket = true,
            b'{' if self.peek(1) == b'}' => self.pos += 1,
            b'{' => seen.brace = true,
            b'~' => self.tilde(start, seen),
            _ => {}
        }
        self.pos += 1;
        Ok(true)
    }

    fn tilde(&mut self, start: usize, seen: &mut Seen) {
        let before = self.since(start).bytes().last();
        if matches!(before, None | Some(b'=' | b':')) {
            seen.marks.add(Marks::TILDE);
        }
    }

    fn escaped(&mut self, start: usize, place: Place, seen: &mut Seen) -> Parse<bool> {
        if self.pos + 1 >= self.end {
            return self.refuse("a backslash at the end");
        }
        seen.marks.add(Marks::QUOTED);
        if self.peek(1) == b'\n' {
            // The shell joins the lines before it reads tokens.
            if ends_word(self.peek(2)) || self.pos + 2 >= self.end {
                if self.peek(2) == b'(' || self.pos == start || place == Place::Command {
                    return self.refuse("a line continuation inside a token");
                }
                if matches!(self.peek(2), b'<' | b'>') {
                    return self.refuse("a line continuation inside a token");
                }
                self.pos += 2;
                return Ok(true);
            }
            seen.joined = true;
        }
        self.pos += 1;
        self.skip_char();
        Ok(true)
    }

    /// Over one character, which may have several bytes.
    pub(super) fn skip_char(&mut self) {
        self.pos += 1;
        while self.peek(0) & 0xc0 == 0x80 {
            self.pos += 1;
        }
    }

    /// A word glued over a line end: only where nothing but an argument can come of it.
    fn joined(&mut self, start: usize, place: Place) -> Parse {
        let raw = self.since(start);
        if place == Place::Command || raw.starts_with(|c: char| c.is_ascii_digit() || c == '{') {
            return self.refuse("a line continuation inside a token");
        }
        Ok(())
    }

    /// `(` right behind a word.
    fn parenthesis(&mut self, start: usize, place: Place, seen: &mut Seen) -> Parse<bool> {
        let so_far = self.since(start);
        if place == Place::Command {
            return Ok(false);
        }
        if place == Place::Declaration && super::simple::is_array_name(so_far) {
            self.array()?;
            return if self.at_end() || ends_word(self.peek(0)) {
                seen.marks.add(Marks::SPLITS);
                Ok(true)
            } else {
                self.refuse("something behind an array")
            };
        }
        if so_far.ends_with(['@', '?', '*', '+', '!']) && self.is_bash() {
            seen.marks.add(Marks::GLOB);
            self.extended_pattern()?;
            return Ok(true);
        }
        self.refuse("a parenthesis inside a word")
    }

    /// `(a|*.b)` of `@(a|*.b)`. Where the option is off, bash sees a syntax error and runs nothing.
    pub(super) fn extended_pattern(&mut self) -> Parse {
        let mut depth = 0u32;
        loop {
            match self.peek(0) {
                b'(' => depth += 1,
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        self.pos += 1;
                        return Ok(());
                    }
                }
                b'|' | b'*' | b'?' | b'[' | b']' | b'.' | b'_' | b'-' | b'/' | b'+' | b'@' | b'!' | b'^'
                | b':' | b',' | b'=' | b'%' => {}
                byte if byte.is_ascii_alphanumeric() || byte >= 0x80 => {}
                _ => return self.refuse("an extended pattern"),
            }
            self.pos += 1;
        }
    }

    /// `'…'`
    pub(super) fn single_quoted(&mut self) -> Parse {
        let rest = self.bytes.get(self.pos + 1..self.end).unwrap_or_default();
        let Some(length) = memchr::memchr(b'\'', rest) else { return self.refuse("a quote is not closed") };
        self.quoted_bytes(rest.get(..length).unwrap_or_default())?;
        self.pos += length + 2;
        Ok(())
    }

    /// Quoted text may hold anything but what shells use internally, and no newline while the body
    /// of a here-document is due.
    fn quoted_bytes(&self, bytes: &[u8]) -> Parse {
        if bytes.iter().any(|byte| matches!(byte, 0 | 1 | 127)) {
            return self.refuse("a control character");
        }
        if !self.pending.is_empty() && bytes.contains(&b'\n') {
            return self.refuse("a newline in quotes before a here-document");
        }
        Ok(())
    }

    /// `"…"`, with what it expands.
    pub(super) fn double_quoted(&mut self) -> Parse<Marks> {
        self.deeper(|parser| {
            parser.pos += 1;
            let mut marks = Marks::QUOTED;
            loop {
                let rest = parser.bytes.get(parser.pos..parser.end).unwrap_or_default();
                let stop = |byte: &u8| matches!(byte, b'"' | b'\\' | b'$' | b'`');
                let Some(length) = rest.iter().position(stop) else {
                    return parser.refuse("a quote is not closed");
                };
                parser.quoted_bytes(rest.get(..length).unwrap_or_default())?;
                parser.pos += length;
                match parser.peek(0) {
                    b'"' => {
                        parser.pos += 1;
                        return Ok(marks);
                    }
                    b'\\' => {
                        parser.pos += 1;
                        if parser.at_end() {
                            return parser.refuse("a quote is not closed");
                        }
                        parser.quoted_bytes(&[parser.peek(0)])?;
                        parser.skip_char();
                    }
                    b'$' => {
                        let inner = parser.dollar(true)?;
                        marks.add(inner);
                    }
                    _ => {
                        marks.add(Marks::EXPANDS);
                        parser.backticks(true)?;
                    }
                }
            }
        })
    }
}
