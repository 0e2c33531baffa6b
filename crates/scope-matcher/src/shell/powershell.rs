//! PowerShell, as far as it reads like a list of commands with words.
//!
//! `; | && || &`, newlines, quotes, backtick escapes, `$name`, `$( )`, `( )` and script blocks as
//! arguments. Everything that PowerShell reads as an expression is opaque, and so is whatever calls
//! a computed command.

use super::{MAX_DEPTH, Marks, Opaque, Part, Redirect, Split, Step, Word};
use std::borrow::Cow;

/// Words that begin a statement of the language.
const KEYWORDS: &[&str] = &[
    "begin",
    "break",
    "catch",
    "class",
    "clean",
    "configuration",
    "continue",
    "data",
    "define",
    "do",
    "dynamicparam",
    "else",
    "elseif",
    "end",
    "enum",
    "exit",
    "filter",
    "finally",
    "for",
    "foreach",
    "from",
    "function",
    "hidden",
    "if",
    "in",
    "inlinescript",
    "param",
    "parallel",
    "process",
    "return",
    "sequence",
    "static",
    "switch",
    "throw",
    "trap",
    "try",
    "until",
    "using",
    "var",
    "while",
    "workflow",
];

pub(super) fn split(line: &str) -> Result<Split<'_>, Opaque> {
    let mut reader = Reader { line, pos: 0, depth: 0, out: Split::default() };
    reader.plain_characters()?;
    reader.statements(0)?;
    Ok(reader.out)
}

struct Reader<'a> {
    line: &'a str,
    pos: usize,
    depth: u8,
    out: Split<'a>,
}

impl<'a> Reader<'a> {
    fn refuse<T>(&self, reason: &'static str) -> Result<T, Opaque> {
        Err(Opaque::new(reason, self.pos))
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.line.as_bytes().get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn since(&self, start: usize) -> &'a str {
        self.line.get(start..self.pos).unwrap_or_default()
    }

    /// PowerShell takes typographic quotes, dashes and blanks for the plain ones.
    fn plain_characters(&self) -> Result<(), Opaque> {
        let bad = |c: char| {
            matches!(c, '\u{2013}'..='\u{2015}' | '\u{2018}'..='\u{201f}' | '\u{7f}' | '\u{85}')
                || (c.is_control() && !matches!(c, '\n' | '\t' | '\r'))
                || (c.is_whitespace() && !c.is_ascii())
        };
        match self.line.char_indices().find(|(_, c)| bad(*c)) {
            Some((at, _)) => Err(Opaque::new("a character that PowerShell takes for another", at)),
            None => Ok(()),
        }
    }

    /// Blanks, continued lines and comments.
    fn blanks(&mut self) -> Result<(), Opaque> {
        loop {
            match (self.peek(0), self.peek(1)) {
                (b' ' | b'\t', _) => self.pos += 1,
                (b'`', b'\n') => self.pos += 2,
                (b'#', _) => {
                    while !matches!(self.peek(0), 0 | b'\n') {
                        self.pos += 1;
                    }
                }
                (b'<', b'#') => return self.refuse("a block comment"),
                _ => return Ok(()),
            }
        }
    }

    /// Statements up to `close` (0: the end), which is consumed.
    fn statements(&mut self, close: u8) -> Result<(), Opaque> {
        if self.depth >= MAX_DEPTH {
            return self.refuse("nested too deep");
        }
        self.depth += 1;
        loop {
            self.blanks()?;
            match self.peek(0) {
                0 if self.pos >= self.line.len() => {
                    if close != 0 {
                        return self.refuse("something is not closed");
                    }
                    break;
                }
                b'\n' | b'\r' | b';' => self.pos += 1,
                byte if byte == close => {
                    self.pos += 1;
                    break;
                }
                _ => self.chain()?,
            }
        }
        self.depth -= 1;
        self.out.steps.push(Step::Next);
        Ok(())
    }

    /// Pipelines joined by `&&` and `||`.
    fn chain(&mut self) -> Result<(), Opaque> {
        let first = self.out.parts.len();
        loop {
            self.command()?;
            let (step, length) = match (self.peek(0), self.peek(1)) {
                (b'&', b'&') => (Step::And, 2),
                (b'|', b'|') => (Step::Next, 2),
                (b'|', _) => (Step::Next, 1),
                (b'&', _) => {
                    self.pos += 1;
                    for part in self.out.parts.iter_mut().skip(first) {
                        part.background = true;
                    }
                    self.out.steps.push(Step::Next);
                    return Ok(());
                }
                _ => {
                    self.out.steps.push(Step::Next);
                    return Ok(());
                }
            };
            self.pos += length;
            self.out.steps.push(step);
            loop {
                self.blanks()?;
                if !matches!(self.peek(0), b'\n' | b'\r') {
                    break;
                }
                self.pos += 1;
            }
        }
    }

    fn command(&mut self) -> Result<(), Opaque> {
        let mut part = Part::default();
        let start = self.pos;
        let mut end = start;
        loop {
            self.blanks()?;
            match self.peek(0) {
                0 if self.pos >= self.line.len() => break,
                b'\n' | b'\r' | b';' | b'|' | b'&' | b')' | b'}' => break,
                b'>' => part.redirects.push(self.redirect()?),
                b'1'..=b'6' | b'*' if self.peek(1) == b'>' => {
                    self.pos += 1;
                    part.redirects.push(self.redirect()?);
                }
                _ => {
                    let word = self.word(part.words.is_empty())?;
                    if part.words.is_empty() {
                        self.name(&word)?;
                    }
                    part.words.push(word);
                }
            }
            end = self.pos;
        }
        if part.words.is_empty() {
            return self.refuse("a command is missing");
        }
        part.source = Cow::Borrowed(self.line.get(start..end).unwrap_or_default());
        self.out.steps.push(Step::Part(self.out.parts.len()));
        self.out.parts.push(part);
        Ok(())
    }

    /// The name of a command: a plain bare word.
    fn name(&self, word: &Word<'_>) -> Result<(), Opaque> {
        let text = word.text();
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '\\' | '/' | ':' | '+');
        let starts = |c: char| c.is_alphabetic() || matches!(c, '_' | '.' | '\\' | '/');
        if word.marks() != Marks::NONE || !text.chars().all(plain) || !text.starts_with(starts) || text == "."
        {
            return self.refuse("not a plain name of a command");
        }
        if KEYWORDS.contains(&text.to_ascii_lowercase().as_str()) {
            return self.refuse("a statement of the language");
        }
        Ok(())
    }

    fn redirect(&mut self) -> Result<Redirect<'a>, Opaque> {
        let op = match self.peek(1) {
            b'>' => ">>",
            b'&' => ">&",
            _ => ">",
        };
        self.pos += op.len();
        self.blanks()?;
        let target = self.word(false)?;
        // `$null` is PowerShell's null device.
        let target = if target.raw().eq_ignore_ascii_case("$null") {
            Word::literal(Cow::Borrowed("/dev/null"))
        } else {
            target
        };
        Ok(Redirect { op, target })
    }

    fn word(&mut self, first: bool) -> Result<Word<'a>, Opaque> {
        let start = self.pos;
        let mut marks = Marks::NONE;
        loop {
            match self.peek(0) {
                0 if self.pos >= self.line.len() => break,
                b' ' | b'\t' | b'\n' | b'\r' | b';' | b'|' | b'&' | b')' | b'}' | b'>' => break,
                b'\'' => {
                    marks.add(Marks::QUOTED);
                    self.single()?;
                }
                b'"' => {
                    marks.add(Marks::QUOTED);
                    let inner = self.double()?;
                    marks.add(inner);
                }
                b'`' => {
                    if matches!(self.peek(1), 0 | b'\n' | b'\r') {
                        return self.refuse("an escaped line end inside a word");
                    }
                    // What letters stand for depends on the version; only signs are certain.
                    if self.peek(1).is_ascii_alphanumeric() {
                        return self.refuse("an escape");
                    }
                    marks.add(Marks::QUOTED);
                    self.pos += 1;
                    self.pos += self
                        .line
                        .get(self.pos..)
                        .and_then(|rest| rest.chars().next())
                        .map_or(1, char::len_utf8);
                }
                b'$' => {
                    self.dollar()?;
                    marks.add(Marks::EXPANDS);
                    if matches!(self.peek(0), b'.' | b'[' | b'(' | b':' | b'+' | b'-' | b'?') {
                        return self.refuse("an expression");
                    }
                }
                b'(' if self.pos == start && !first => {
                    self.pos += 1;
                    self.statements(b')')?;
                    marks.add(Marks::SPLITS);
                    if !matches!(self.peek(0), 0 | b' ' | b'\t' | b'\n' | b'\r' | b';' | b'|' | b')' | b'}') {
                        return self.refuse("an expression");
                    }
                }
                b'{' if self.pos == start && !first => {
                    self.pos += 1;
                    self.out.steps.push(Step::Enter);
                    self.statements(b'}')?;
                    self.out.steps.push(Step::Leave);
                    marks.add(Marks::SPLITS);
                }
                b'(' | b'{' | b'@' | b'<' => return self.refuse("an expression"),
                b'[' if self.pos == start => return self.refuse("an expression"),
                b'*' | b'?' => {
                    marks.add(Marks::GLOB);
                    self.pos += 1;
                }
                b'-' if self.pos == start
                    && self.line.get(self.pos..).is_some_and(|rest| rest.starts_with("--%")) =>
                {
                    return self.refuse("`--%`");
                }
                _ => self.pos += 1,
            }
        }
        if self.pos == start {
            return self.refuse("a word is missing");
        }
        let raw = self.since(start);
        if !marks.has(Marks::QUOTED) || !marks.certain() {
            return Ok(Word::new(raw, Cow::Borrowed(raw), marks));
        }
        match unquote(raw) {
            Some(text) => Ok(Word::new(raw, text, marks)),
            None => self.refuse("an escape"),
        }
    }

    /// `'…'`, in which `''` is a quote.
    fn single(&mut self) -> Result<(), Opaque> {
        self.pos += 1;
        loop {
            match (self.peek(0), self.peek(1)) {
                (0, _) => return self.refuse("a quote is not closed"),
                (b'\'', b'\'') => self.pos += 2,
                (b'\'', _) => {
                    self.pos += 1;
                    return Ok(());
                }
                _ => self.pos += 1,
            }
        }
    }

    fn double(&mut self) -> Result<Marks, Opaque> {
        self.pos += 1;
        let mut marks = Marks::NONE;
        loop {
            match (self.peek(0), self.peek(1)) {
                (0, _) => return self.refuse("a quote is not closed"),
                (b'"', b'"') => self.pos += 2,
                (b'"', _) => {
                    self.pos += 1;
                    return Ok(marks);
                }
                (b'`', 0) => return self.refuse("a quote is not closed"),
                (b'`', next) if next.is_ascii_alphanumeric() || next >= 0x80 => {
                    marks.add(Marks::EXPANDS);
                    self.pos += 1;
                }
                (b'`', _) => self.pos += 2,
                (b'$', b'(') => {
                    marks.add(Marks::EXPANDS);
                    self.dollar()?;
                }
                (b'$', next)
                    if next.is_ascii_alphanumeric() || matches!(next, b'{' | b'_' | b'$' | b'?' | b'^') =>
                {
                    marks.add(Marks::EXPANDS);
                    self.pos += 1;
                }
                _ => self.pos += 1,
            }
        }
    }

    /// `$name`, `$scope:name` or `$( … )`.
    fn dollar(&mut self) -> Result<(), Opaque> {
        self.pos += 1;
        if self.peek(0) == b'(' {
            self.pos += 1;
            return self.statements(b')');
        }
        let start = self.pos;
        while self.peek(0).is_ascii_alphanumeric() || self.peek(0) == b'_' {
            self.pos += 1;
        }
        if self.pos == start {
            return self.refuse("an expression");
        }
        if self.since(start).eq_ignore_ascii_case("env") && self.peek(0) == b':' {
            self.pos += 1;
            while self.peek(0).is_ascii_alphanumeric() || self.peek(0) == b'_' {
                self.pos += 1;
            }
        }
        Ok(())
    }
}

/// The text of a word whose quotes hold nothing that expands.
fn unquote(raw: &str) -> Option<Cow<'_, str>> {
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    let mut quote = None;
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\'' | '"', None) => quote = Some(c),
            (_, Some(open)) if c == open => {
                if chars.peek() == Some(&open) {
                    chars.next();
                    text.push(open);
                } else {
                    quote = None;
                }
            }
            ('`', None | Some('"')) => text.push(chars.next()?),
            _ => text.push(c),
        }
    }
    Some(Cow::Owned(text))
}
