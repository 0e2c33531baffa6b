//! Redirections and here-documents.

use super::words::{Place, ends_word};
use super::{Parse, Parser};
use crate::shell::{Marks, Redirect, Word};
use plan_gate_core::Dialect;
use std::borrow::Cow;

/// A here-document whose body is still to come.
pub(super) struct Heredoc<'a> {
    delimiter: &'a str,
    /// `<<-`: leading tabs do not count.
    strip: bool,
    /// The delimiter was quoted: the body expands nothing.
    literal: bool,
}

impl<'a> Parser<'a> {
    /// The redirection that stands here, if one does.
    pub(super) fn redirect(&mut self) -> Parse<Option<Redirect<'a>>> {
        let mut digits = 0;
        while self.peek(digits).is_ascii_digit() {
            digits += 1;
        }
        let (first, second) = (self.peek(digits), self.peek(digits + 1));
        match (first, second) {
            (b'<' | b'>', b'(') if digits > 0 => self.refuse("a number before a process substitution"),
            (b'<' | b'>', b'(') => Ok(None),
            (b'<', _) | (b'>', _) => {
                self.pos += digits + 1;
                self.operator(first).map(Some)
            }
            (b'&', b'>') if digits == 0 => {
                if self.dialect == Dialect::Sh {
                    return self.refuse("`&>` is not POSIX");
                }
                self.pos += 2;
                let append = self.peek(0) == b'>';
                self.pos += usize::from(append);
                self.target(if append { "&>>" } else { "&>" }).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Behind the first byte of the operator.
    fn operator(&mut self, first: u8) -> Parse<Redirect<'a>> {
        let (op, length) = match (first, self.peek(0), self.peek(1)) {
            (b'>', b'>', _) => (">>", 1),
            (b'>', b'|', _) => (">|", 1),
            (b'>', b'&', _) => (">&", 1),
            (b'>', _, _) => (">", 0),
            (_, b'<', b'<') => ("<<<", 2),
            (_, b'<', b'-') => ("<<-", 2),
            (_, b'<', _) => ("<<", 1),
            (_, b'&', _) => ("<&", 1),
            (_, b'>', _) => ("<>", 1),
            _ => ("<", 0),
        };
        self.pos += length;
        match op {
            "<<" | "<<-" => self.heredoc(op),
            "<<<" if self.dialect == Dialect::Sh => self.refuse("`<<<` is not POSIX"),
            _ => self.target(op),
        }
    }

    fn target(&mut self, op: &'static str) -> Parse<Redirect<'a>> {
        if self.dialect == Dialect::Zsh
            && (matches!(self.peek(0), b'!' | b'|') || (op == "<" && self.peek(0).is_ascii_digit()))
        {
            return self.refuse("an operator or pattern of zsh");
        }
        self.blanks();
        if self.at_end() || self.peek(0) == b'#' || (ends_word(self.peek(0)) && self.peek(1) != b'(') {
            return self.refuse("a redirection without its target");
        }
        if matches!(op, ">&" | "<&") && self.peek(0) == b'-' {
            // To bash the dash is a token of its own: `>&-a` closes, and `a` is a word.
            if !(self.is_bash() || self.pos + 1 >= self.end || ends_word(self.peek(1))) {
                return self.refuse("something behind `>&-`");
            }
            let start = self.pos;
            self.pos += 1;
            let dash = self.since(start);
            return Ok(Redirect { op, target: Word::new(dash, Cow::Borrowed(dash), Marks::NONE) });
        }
        let target = self.word(Place::Argument)?;
        if matches!(op, ">&" | "<&")
            && (target.marks() != Marks::NONE || target.text().contains(['$', '(', '=']))
        {
            // bash expands the target of `>&` twice: what quotes protected runs the second time.
            return self.refuse("a target of `>&` that is not plain");
        }
        let duplicates = |text: &str| text.trim_end_matches('-').bytes().all(|byte| byte.is_ascii_digit());
        if op == ">&" && !self.is_bash() && !(target.certain() && duplicates(target.text())) {
            return self.refuse("`>&` with a file");
        }
        Ok(Redirect { op, target })
    }

    fn heredoc(&mut self, op: &'static str) -> Parse<Redirect<'a>> {
        if self.in_expression {
            return self.refuse("a here-document inside an expression");
        }
        if let Some(held) = &mut self.substitution {
            held.heredoc = true;
        }
        while matches!(self.peek(0), b' ' | b'\t') {
            self.pos += 1;
        }
        let start = self.pos;
        let quote = self.peek(0);
        let delimiter = match quote {
            b'\'' | b'"' => {
                self.pos += 1;
                let inner = self.pos;
                while self.peek(0) != quote {
                    if self.at_end() || matches!(self.peek(0), b'$' | b'`' | b'\\' | b'\n' | b'\'' | b'"') {
                        return self.refuse("the delimiter of a here-document");
                    }
                    self.pos += 1;
                }
                let delimiter = self.since(inner);
                self.pos += 1;
                delimiter
            }
            _ => {
                self.pos += usize::from(quote == b'\\');
                let inner = self.pos;
                let plain = |byte: u8| {
                    byte.is_ascii_alphanumeric()
                        || matches!(
                            byte,
                            b'_' | b'.' | b'+' | b'-' | b'@' | b'%' | b':' | b'/' | b'!' | b',' | b'='
                        )
                        || byte >= 0x80
                };
                while plain(self.peek(0)) {
                    self.pos += 1;
                }
                self.since(inner)
            }
        };
        if delimiter.is_empty() || !(self.at_end() || ends_word(self.peek(0))) || self.peek(0) == b'(' {
            return self.refuse("the delimiter of a here-document");
        }
        let literal = matches!(quote, b'\'' | b'"' | b'\\');
        self.pending.push(Heredoc { delimiter, strip: op == "<<-", literal });
        let marks = if literal { Marks::QUOTED } else { Marks::NONE };
        Ok(Redirect { op, target: Word::new(self.since(start), Cow::Borrowed(delimiter), marks) })
    }

    /// Behind a newline: the bodies that begin here. `own` of the pending ones are of an outer list,
    /// whose bodies cannot begin inside this one.
    pub(super) fn bodies(&mut self, own: usize) -> Parse {
        if self.pending.is_empty() {
            return Ok(());
        }
        if own > 0 {
            return self.refuse("a newline in a substitution before a here-document");
        }
        for heredoc in std::mem::take(&mut self.pending) {
            self.body(&heredoc)?;
        }
        Ok(())
    }

    fn body(&mut self, heredoc: &Heredoc<'a>) -> Parse {
        let start = self.pos;
        // The end of the line before was taken away by a backslash.
        let mut continued = false;
        // What such lines come to, as long as it can still be the delimiter.
        let mut joined = String::new();
        while !self.at_end() {
            let line_start = self.pos;
            let rest = self.bytes.get(self.pos..self.end).unwrap_or_default();
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            self.pos += length;
            let line = self.since(line_start);
            self.pos = (self.pos + 1).min(self.end);
            let bare = if heredoc.strip { line.trim_start_matches('\t') } else { line };
            let backslashes = line.bytes().rev().take_while(|byte| *byte == b'\\').count();
            let continues = !heredoc.literal && backslashes % 2 == 1;
            if continued || continues {
                if joined.len() <= heredoc.delimiter.len() {
                    joined.push_str(if continues { bare.strip_suffix('\\').unwrap_or(bare) } else { bare });
                }
                if !continues && joined == heredoc.delimiter {
                    return self.refuse("a continued line that may end a here-document");
                }
                if !continues {
                    joined.clear();
                }
            } else if bare == heredoc.delimiter {
                return self.expand_body(heredoc, start, line_start);
            }
            continued = continues;
        }
        self.refuse("a here-document without its end")
    }

    fn expand_body(&mut self, heredoc: &Heredoc<'a>, start: usize, end: usize) -> Parse {
        let body = self.text.get(start..end).unwrap_or_default();
        if body.bytes().any(|byte| matches!(byte, 0 | 1 | 127)) {
            return self.refuse("a control character");
        }
        if heredoc.literal || !body.contains(['$', '`']) {
            return Ok(());
        }
        if heredoc.strip && body.contains('\n') && body.contains("$(") {
            // The tabs inside a substitution go away before it is read.
            return self.refuse("a substitution in a here-document without its tabs");
        }
        self.within(start, end, Self::body_text)
    }

    /// Like text in double quotes, but a quote is a plain character.
    fn body_text(&mut self) -> Parse {
        while !self.at_end() {
            match self.peek(0) {
                b'\\' => {
                    self.pos += 1;
                    self.skip_char();
                }
                b'$' => {
                    self.dollar(true)?;
                }
                b'`' => self.backticks(true)?,
                _ => self.pos += 1,
            }
        }
        if self.pending.is_empty() { Ok(()) } else { self.refuse("a here-document inside a here-document") }
    }
}
