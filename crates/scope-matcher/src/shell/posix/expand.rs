//! What begins with `$` or a backtick: substitutions, parameters, arithmetic.

use super::{Close, Held, Parse, Parser, Stop};
use crate::shell::Marks;
use std::borrow::Cow;

impl<'a> Parser<'a> {
    /// At `$`: moves over the expansion and says what it is.
    pub(super) fn dollar(&mut self, quoted: bool) -> Parse<Marks> {
        let expands = if quoted { Marks::EXPANDS } else { Marks::SPLITS };
        match self.peek(1) {
            b'(' if self.peek(2) == b'(' => {
                self.pos += 3;
                self.arithmetic()?;
            }
            b'(' => {
                self.pos += 2;
                self.substitution()?;
            }
            b'{' => {
                self.pos += 2;
                self.expressed(|parser| parser.parameter(quoted))?;
            }
            b'[' => return self.refuse("`$[`, an old form of arithmetic"),
            b'\\' if self.peek(2) == b'\n' => return self.refuse("a line continuation inside a token"),
            b'\'' if !quoted => {
                self.only_sh_free()?;
                self.pos += 1;
                self.ansi_quoted()?;
                return Ok(Marks::QUOTED);
            }
            b'"' if !quoted => {
                self.only_bash("`$\"`")?;
                self.pos += 1;
                self.double_quoted()?;
                return Ok(Marks::EXPANDS);
            }
            b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!' | b'0'..=b'9' => self.pos += 2,
            byte if byte == b'_' || byte.is_ascii_alphabetic() => {
                self.pos += 1;
                self.name();
                if self.dialect == plan_gate_core::Dialect::Zsh && matches!(self.peek(0), b'[' | b':') {
                    return self.refuse("a subscript or modifier of zsh");
                }
            }
            // A lone dollar is a plain character.
            _ => {
                self.pos += 1;
                return Ok(Marks::NONE);
            }
        }
        Ok(expands)
    }

    fn expressed<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let before = std::mem::replace(&mut self.in_expression, true);
        let result = self.deeper(read)?;
        self.in_expression = before;
        Ok(result)
    }

    /// `$'…'` is not POSIX: a plain `sh` reads a dollar and a quoted text.
    fn only_sh_free(&self) -> Parse {
        if self.dialect == plan_gate_core::Dialect::Sh { self.refuse("`$'` is not POSIX") } else { Ok(()) }
    }

    /// A name of letters, digits and `_`.
    pub(super) fn name(&mut self) -> &'a str {
        let start = self.pos;
        while self.peek(0) == b'_' || self.peek(0).is_ascii_alphanumeric() {
            self.pos += 1;
        }
        self.since(start)
    }

    fn ansi_quoted(&mut self) -> Parse {
        self.pos += 1;
        loop {
            match self.peek(0) {
                b'\'' => {
                    self.pos += 1;
                    return Ok(());
                }
                b'\\' if self.peek(1) == b'\'' && self.braces => {
                    return self.refuse("an escaped quote in `$'` in a line with braces");
                }
                b'\\' => self.pos += 2,
                0 | 1 | 127 => return self.refuse("a quote is not closed, or a control character"),
                b'\n' if !self.pending.is_empty() => {
                    return self.refuse("a newline in quotes before a here-document");
                }
                _ => self.pos += 1,
            }
            if self.pos > self.end {
                return self.refuse("a quote is not closed");
            }
        }
    }

    /// Behind `$(`: a program up to `)`.
    pub(super) fn substitution(&mut self) -> Parse {
        let own_pending = self.pending.len();
        let start = self.pos;
        let outer = self.substitution.replace(Held::default());
        let result = self.subshell(Stop::Paren);
        let held = std::mem::replace(&mut self.substitution, outer).unwrap_or_default();
        if held.heredoc && held.compound {
            // bash 5.2 prints the command before it reads it again, and drops what stands between.
            return self.refuse("a here-document beside a compound command in a substitution");
        }
        if let Some(outer) = &mut self.substitution {
            outer.heredoc |= held.heredoc;
            outer.compound |= held.compound;
        }
        result.and_then(|close| match close {
            Close::Paren if own_pending > 0 && self.since(start).contains('\n') => {
                self.refuse("a newline in a substitution before a here-document")
            }
            _ => Ok(()),
        })
    }

    /// At a backtick. bash looks for the next backtick without a backslash, whatever quotes say,
    /// takes one level of backslashes away and reads the rest as a program.
    pub(super) fn backticks(&mut self, quoted: bool) -> Parse {
        let start = self.pos + 1;
        let mut at = start;
        let mut escapes = false;
        loop {
            match self.bytes.get(at).copied().filter(|_| at < self.end) {
                None => return self.refuse("a backtick is not closed"),
                Some(b'`') => break,
                Some(b'\\') => {
                    escapes = true;
                    at += 2;
                }
                Some(_) => at += 1,
            }
        }
        if !self.pending.is_empty() {
            return self.refuse("backticks before a here-document");
        }
        if quoted && self.braces && self.text.get(start..at).unwrap_or_default().contains('"') {
            // bash expands braces first, and there it takes the inner quote for the end of the outer.
            return self.refuse("quotes inside quoted backticks in a line with braces");
        }
        if escapes {
            let inner = self.text.get(start..at).unwrap_or_default();
            if quoted && inner.contains("\\\"") {
                return self.refuse("an escaped quote inside quoted backticks");
            }
            let inner = unescape(inner);
            self.out.steps.push(crate::shell::Step::Enter);
            self.aside(&inner)?;
            self.out.steps.push(crate::shell::Step::Leave);
        } else {
            self.within(start, at, |parser| {
                parser.subshell(Stop::End)?;
                Ok(())
            })?;
        }
        self.pos = at + 1;
        Ok(())
    }

    /// Behind `${`, up to `}`.
    fn parameter(&mut self, quoted: bool) -> Parse {
        let indirect = self.peek(0) == b'!' && self.peek(1) != b'}';
        if indirect {
            self.only_bash("`${!`")?;
            self.pos += 1;
        }
        let length = self.peek(0) == b'#' && self.peek(1) != b'}';
        if length {
            self.pos += 1;
        }
        let name = self.parameter_name()?;
        if self.peek(0) == b'[' {
            self.only_bash("a subscript")?;
            self.subscript()?;
        }
        match self.peek(0) {
            b'}' => {
                if indirect && !matches!(self.bytes.get(self.pos - 1), Some(b'*' | b'@' | b']')) {
                    self.evaluates(name);
                }
                self.pos += 1;
                Ok(())
            }
            _ if indirect || length => {
                if indirect && matches!(self.peek(0), b'*' | b'@') && self.peek(1) == b'}' {
                    self.pos += 2;
                    return Ok(());
                }
                self.refuse("a parameter expansion")
            }
            b':' if matches!(self.peek(1), b'-' | b'=' | b'+' | b'?') => {
                self.pos += 2;
                self.parameter_word(quoted)
            }
            b':' => {
                self.only_bash("a substring")?;
                self.substring()
            }
            b'-' | b'=' | b'+' | b'?' | b'#' | b'%' => {
                self.pos += 1;
                self.parameter_word(quoted)
            }
            b'/' | b'^' | b',' => {
                self.only_bash("a replacement")?;
                self.pos += 1;
                self.parameter_word(quoted)
            }
            b'@' if self.peek(2) == b'}'
                && matches!(self.peek(1), b'Q' | b'U' | b'u' | b'L' | b'a' | b'A' | b'K') =>
            {
                self.only_bash("a transformation")?;
                self.pos += 3;
                Ok(())
            }
            _ => self.refuse("a parameter expansion"),
        }
    }

    fn parameter_name(&mut self) -> Parse<&'a str> {
        let start = self.pos;
        match self.peek(0) {
            b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!' => self.pos += 1,
            byte if byte.is_ascii_digit() => {
                while self.peek(0).is_ascii_digit() {
                    self.pos += 1;
                }
            }
            _ => {
                self.name();
            }
        }
        if self.pos == start { self.refuse("a parameter expansion") } else { Ok(self.since(start)) }
    }

    /// `[…]` behind a name: a simple index or key.
    pub(super) fn subscript(&mut self) -> Parse {
        self.pos += 1;
        let start = self.pos;
        if matches!(self.peek(0), b'@' | b'*') && self.peek(1) == b']' {
            self.pos += 2;
            return Ok(());
        }
        loop {
            match self.peek(0) {
                b']' if self.pos > start => {
                    self.pos += 1;
                    return Ok(());
                }
                b'$' => self.subscript_dollar()?,
                b'_' | b'a'..=b'z' | b'A'..=b'Z' => {
                    let name = self.name();
                    self.evaluates(name);
                }
                b'0'..=b'9' | b'+' | b'-' | b'*' | b'%' | b'.' | b'/' => self.pos += 1,
                b'"' | b'\'' => self.key()?,
                _ => return self.refuse("a subscript"),
            }
        }
    }

    /// `$i` or `${i}` or `$((…))` inside a subscript.
    fn subscript_dollar(&mut self) -> Parse {
        let start = self.pos;
        self.dollar(true)?;
        let source = self.since(start);
        if !source.starts_with("$((") {
            let name = source.trim_start_matches(['$', '{', '#']).trim_end_matches('}');
            self.evaluates(name);
        }
        Ok(())
    }

    /// A quoted key, without anything that expands.
    fn key(&mut self) -> Parse {
        let quote = self.peek(0);
        self.pos += 1;
        while self.peek(0) != quote {
            match self.peek(0) {
                b' ' | b'_' | b'-' | b'.' | b'/' | b':' => self.pos += 1,
                byte if byte.is_ascii_alphanumeric() => self.pos += 1,
                b'$' if quote == b'"' => self.subscript_dollar()?,
                _ => return self.refuse("a subscript"),
            }
        }
        self.pos += 1;
        Ok(())
    }

    /// Notes that the value of a variable will be evaluated.
    pub(super) fn evaluates(&mut self, name: &'a str) {
        self.out.evaluated.push(Cow::Borrowed(name));
    }

    /// The word of `${x:-word}`, up to `}`.
    fn parameter_word(&mut self, quoted: bool) -> Parse {
        loop {
            match self.peek(0) {
                b'}' => {
                    self.pos += 1;
                    return Ok(());
                }
                b'"' => {
                    self.double_quoted()?;
                }
                b'\'' => self.plain_single()?,
                b'\\' => {
                    if self.peek(1) == b'\n' {
                        return self.refuse("a line continuation inside a token");
                    }
                    self.pos += 1;
                    self.skip_char();
                }
                b'$' => {
                    if !quoted && matches!(self.peek(1), b'"') {
                        return self.refuse("`$\"` inside a parameter expansion");
                    }
                    if self.peek(1) == b'\'' {
                        // bash reads it here in one way or the other: the inside must not care.
                        self.pos += 1;
                        self.plain_single()?;
                    } else {
                        self.dollar(quoted)?;
                    }
                }
                b'`' => self.backticks(quoted)?,
                b'<' | b'>' if self.peek(1) == b'(' => {
                    return self.refuse("process substitution inside a parameter expansion");
                }
                b'{' => return self.refuse("a brace inside a parameter expansion"),
                b'(' | b')' if self.in_arithmetic => {
                    return self.refuse("a parenthesis inside a parameter expansion inside arithmetic");
                }
                b'\n' if !self.pending.is_empty() => {
                    return self.refuse("a newline in quotes before a here-document");
                }
                0..=8 | 11..=31 | 127 => return self.refuse("a parameter expansion is not closed"),
                _ => self.pos += 1,
            }
        }
    }

    /// `'…'` where bash may or may not read a quote: the inside must not care.
    fn plain_single(&mut self) -> Parse {
        let rest = self.bytes.get(self.pos + 1..self.end).unwrap_or_default();
        let Some(length) = memchr::memchr(b'\'', rest) else { return self.refuse("a quote is not closed") };
        let inner = rest.get(..length).unwrap_or_default();
        let matters =
            |byte: &u8| matches!(byte, b'}' | b'{' | b'$' | b'`' | b'"' | b'\n' | 0..=8 | 11..=31 | 127);
        if inner.iter().any(matters) || inner.ends_with(b"\\") {
            return self.refuse("a quote inside a parameter expansion");
        }
        self.pos += length + 2;
        Ok(())
    }

    /// `:offset:length}`
    fn substring(&mut self) -> Parse {
        loop {
            match self.peek(0) {
                b'}' => {
                    self.pos += 1;
                    return Ok(());
                }
                b':' | b' ' | b'0'..=b'9' | b'-' | b'+' | b'*' | b'(' | b')' => self.pos += 1,
                b'_' | b'a'..=b'z' | b'A'..=b'Z' => {
                    let name = self.name();
                    self.evaluates(name);
                }
                b'$' => self.subscript_dollar()?,
                _ => return self.refuse("a substring"),
            }
        }
    }

    /// Behind `$((` or `((`, up to `))`.
    ///
    /// bash tries arithmetic first and falls back to a subshell when the parentheses do not fit; so
    /// they must fit here, and the last two must touch.
    pub(super) fn arithmetic(&mut self) -> Parse {
        let before = std::mem::replace(&mut self.in_arithmetic, true);
        self.expressed(|parser| parser.expression(b')'))?;
        self.in_arithmetic = before;
        Ok(())
    }

    fn expression(&mut self, close: u8) -> Parse {
        let mut open = 0u32;
        loop {
            match self.peek(0) {
                b')' if open == 0 => {
                    if self.peek(1) != close {
                        return self.refuse("parentheses that are not arithmetic");
                    }
                    self.pos += 2;
                    return Ok(());
                }
                b'(' => {
                    open += 1;
                    self.pos += 1;
                }
                b')' => {
                    open -= 1;
                    self.pos += 1;
                }
                b'$' => self.arithmetic_dollar()?,
                b'`' => self.backticks(false)?,
                b'_' | b'a'..=b'z' | b'A'..=b'Z' => {
                    let name = self.name();
                    self.evaluates(name);
                    if self.peek(0) == b'[' {
                        self.only_bash("a subscript")?;
                        self.subscript()?;
                    }
                }
                b'0'..=b'9' => self.number(),
                b' ' | b'\t' | b'+' | b'-' | b'*' | b'/' | b'%' | b'<' | b'>' | b'=' | b'!' | b'&' | b'|'
                | b'^' | b'~' | b'?' | b':' | b',' | b';' => self.pos += 1,
                b'\n' if self.pending.is_empty() => self.pos += 1,
                b'"' => self.quoted_operand()?,
                _ => return self.refuse("an arithmetic expression"),
            }
        }
    }

    /// Digits, also with a base (`16#ff`, `0x1f`) or a fraction that bash will complain about.
    fn number(&mut self) {
        while self.peek(0).is_ascii_alphanumeric() || matches!(self.peek(0), b'#' | b'.' | b'@' | b'_') {
            self.pos += 1;
        }
    }

    /// `"$x"` inside arithmetic.
    fn quoted_operand(&mut self) -> Parse {
        self.pos += 1;
        if self.peek(0) == b'$' {
            self.arithmetic_dollar()?;
        } else {
            let name = self.name();
            self.evaluates(name);
        }
        if self.peek(0) != b'"' {
            return self.refuse("an arithmetic expression");
        }
        self.pos += 1;
        Ok(())
    }

    fn arithmetic_dollar(&mut self) -> Parse {
        let start = self.pos;
        if self.peek(1) == b'\'' || self.peek(1) == b'"' {
            return self.refuse("an arithmetic expression");
        }
        self.dollar(true)?;
        let source = self.since(start);
        // What a substitution prints is evaluated like a variable's value; `$((…))` is a number.
        if source.starts_with("$(") {
            if !source.starts_with("$((") {
                self.evaluates("$(");
            }
        } else {
            let name = source.trim_start_matches(['$', '{']).trim_end_matches('}');
            self.evaluates(name);
        }
        Ok(())
    }
}

/// One level of backslashes away, as backticks do it.
fn unescape(inner: &str) -> String {
    let mut text = String::with_capacity(inner.len());
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(next @ ('$' | '`' | '\\'))) => {
                text.push(*next);
                chars.next();
            }
            _ => text.push(c),
        }
    }
    text
}
