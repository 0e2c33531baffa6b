//! cmd.exe: lists, pipes, redirections and quotes. Variables are put in before cmd reads operators,
//! so a line with `%` or `!` is opaque, and so is everything with `^` or parentheses.

use super::{Marks, Opaque, Part, Redirect, Split, Step, Word};
use std::borrow::Cow;

/// Words that steer or load, and so say nothing about what runs.
const OPAQUE_WORDS: &[&str] =
    &["if", "for", "call", "goto", "rem", "else", "do", "in", "setlocal", "endlocal", "exit", "start"];

pub(super) fn split(line: &str) -> Result<Split<'_>, Opaque> {
    let mut reader = Reader { line, pos: 0, out: Split::default() };
    loop {
        reader.command()?;
        if !reader.separator()? {
            return Ok(reader.out);
        }
    }
}

struct Reader<'a> {
    line: &'a str,
    pos: usize,
    out: Split<'a>,
}

impl<'a> Reader<'a> {
    fn refuse<T>(&self, reason: &'static str) -> Result<T, Opaque> {
        Err(Opaque::new(reason, self.pos))
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.line.as_bytes().get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn blanks(&mut self) {
        while matches!(self.peek(0), b' ' | b'\t') {
            self.pos += 1;
        }
    }

    /// What joins this command to the next; `false` at the end.
    fn separator(&mut self) -> Result<bool, Opaque> {
        let (step, length) = match (self.peek(0), self.peek(1)) {
            (0, _) if self.pos >= self.line.len() => return Ok(false),
            (b'&', b'&') => (Step::And, 2),
            (b'|', b'|') => (Step::Next, 2),
            (b'&' | b'|' | b'\n', _) => (Step::Next, 1),
            _ => return self.refuse("something that is not read with certainty"),
        };
        self.pos += length;
        self.out.steps.push(step);
        Ok(true)
    }

    fn command(&mut self) -> Result<(), Opaque> {
        let mut part = Part::default();
        self.blanks();
        let start = self.pos;
        let mut end = start;
        loop {
            self.blanks();
            match self.peek(0) {
                0 | b'&' | b'|' | b'\n' => break,
                b'<' | b'>' => part.redirects.push(self.redirect()?),
                b'0'..=b'9' if matches!(self.peek(1), b'<' | b'>') && part_may_end(&part, self.pos, end) => {
                    self.pos += 1;
                    part.redirects.push(self.redirect()?);
                }
                _ => {
                    let word = self.word()?;
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

    /// The name of the command: cmd ends it at many characters, so only plain ones are accepted.
    fn name(&self, word: &Word<'_>) -> Result<(), Opaque> {
        let text = word.text();
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '\\' | ':' | ' ');
        if !text.chars().all(plain) || text.starts_with([':', '.']) && !text.starts_with(".\\") {
            return self.refuse("the name of a command that is not read with certainty");
        }
        let lower = text.to_ascii_lowercase();
        let stem = lower.split(['.', '\\', ':']).next().unwrap_or_default();
        if OPAQUE_WORDS.contains(&stem) {
            return self.refuse("a word that steers cmd");
        }
        Ok(())
    }

    fn redirect(&mut self) -> Result<Redirect<'a>, Opaque> {
        let op = match (self.peek(0), self.peek(1)) {
            (b'>', b'>') => ">>",
            (b'>', b'&') => ">&",
            (b'<', b'&') => "<&",
            (b'>', _) => ">",
            _ => "<",
        };
        self.pos += op.len();
        self.blanks();
        if matches!(self.peek(0), 0 | b'&' | b'|' | b'<' | b'>' | b'\n') {
            return self.refuse("a redirection without its target");
        }
        let target = self.word()?;
        // The null device has a name like a file.
        let null = target.text().eq_ignore_ascii_case("nul");
        Ok(Redirect { op, target: if null { Word::literal(Cow::Borrowed("/dev/null")) } else { target } })
    }

    fn word(&mut self) -> Result<Word<'a>, Opaque> {
        let start = self.pos;
        let mut quoted = false;
        let mut marks = Marks::NONE;
        loop {
            match self.peek(0) {
                0 if self.pos >= self.line.len() => break,
                b'"' => {
                    quoted = !quoted;
                    marks.add(Marks::QUOTED);
                    self.pos += 1;
                }
                b'\n' if quoted => return self.refuse("a newline in quotes"),
                b' ' | b'\t' | b'\n' | b'&' | b'|' | b'<' | b'>' if !quoted => break,
                b'%' | b'!' => return self.refuse("a variable, which is put in before operators are read"),
                b'^' | b'(' | b')' if !quoted => return self.refuse("an escape or a group"),
                b'*' | b'?' if !quoted => {
                    marks.add(Marks::GLOB);
                    self.pos += 1;
                }
                0..=31 | 127 => return self.refuse("a control character"),
                _ => self.pos += 1,
            }
        }
        if quoted {
            return self.refuse("a quote is not closed");
        }
        let raw = self.line.get(start..self.pos).unwrap_or_default();
        let text = if marks.certain() && raw.contains('"') {
            Cow::Owned(raw.replace('"', ""))
        } else {
            Cow::Borrowed(raw)
        };
        Ok(Word::new(raw, text, marks))
    }
}

/// Whether a digit begins a redirection here: only behind a blank.
fn part_may_end(part: &Part<'_>, pos: usize, end: usize) -> bool {
    part.words.is_empty() || pos > end
}
