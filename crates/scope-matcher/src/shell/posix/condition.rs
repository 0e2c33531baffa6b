//! `[[ … ]]`

use super::words::{Place, ends_word};
use super::{Parse, Parser};

/// Operators that evaluate both sides as arithmetic.
const NUMERIC: &[&str] = &["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

impl Parser<'_> {
    /// Behind `[[`, up to `]]`. Only words, `&&`, `||`, `!`, parentheses and comparisons stand here.
    pub(super) fn condition(&mut self) -> Parse {
        if !matches!(self.peek(0), b' ' | b'\t' | b'\n') {
            return self.refuse("a condition");
        }
        let mut open = 0u32;
        let mut words = 0u32;
        let mut numeric = false;
        let mut operands: Vec<(usize, usize)> = Vec::new();
        loop {
            self.condition_blanks()?;
            match (self.peek(0), self.peek(1)) {
                (b'&', b'&') | (b'|', b'|') => self.pos += 2,
                (b'(', _) => {
                    open += 1;
                    self.pos += 1;
                }
                (b')', _) if open > 0 => {
                    open -= 1;
                    self.pos += 1;
                }
                (b'<' | b'>', next) if next != b'(' => self.pos += 1,
                (b';' | b'&' | b'|' | b')' | b'<' | b'>', _) => return self.refuse("a condition"),
                _ if self.at_end() => return self.refuse("a condition is not closed"),
                _ => {
                    let start = self.pos;
                    let word = self.word(Place::Argument)?;
                    match word.raw() {
                        "]]" => break,
                        "=~" => self.regex()?,
                        "-v" | "-R" => numeric = true,
                        raw if NUMERIC.contains(&raw) => numeric = true,
                        _ => operands.push((start, self.pos)),
                    }
                    words += 1;
                }
            }
        }
        if open > 0 || words == 0 {
            return self.refuse("a condition");
        }
        if numeric {
            self.numeric_operands(&operands)?;
        }
        Ok(())
    }

    fn condition_blanks(&mut self) -> Parse {
        loop {
            self.blanks();
            match self.peek(0) {
                b'\n' if self.pending.is_empty() => self.pos += 1,
                b'\n' | b'#' => return self.refuse("a newline or comment in a condition"),
                _ => return Ok(()),
            }
        }
    }

    /// Operands of a condition with a numeric operator: numbers, and variables that are noted.
    fn numeric_operands(&mut self, operands: &[(usize, usize)]) -> Parse {
        for (start, end) in operands {
            let raw = self.text.get(*start..*end).unwrap_or_default();
            let bare = raw.trim_matches('"').trim_start_matches(['$', '{']).trim_end_matches('}');
            if raw.contains("$(") && !raw.contains("$((") {
                self.evaluates("$(");
            } else if raw.contains('[') || raw.contains('\'') {
                return self.refuse("a subscript in a numeric condition");
            } else if bare.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic()) || raw.contains('$') {
                self.evaluates(bare);
            }
        }
        Ok(())
    }

    /// The pattern behind `=~`: up to a blank outside parentheses.
    fn regex(&mut self) -> Parse {
        self.blanks();
        let start = self.pos;
        let mut open = 0u32;
        loop {
            match self.peek(0) {
                b' ' | b'\t' | b'\n' if open == 0 => break,
                b'(' => {
                    open += 1;
                    self.pos += 1;
                }
                b')' if open > 0 => {
                    open -= 1;
                    self.pos += 1;
                }
                b'\'' => self.single_quoted()?,
                b'"' => {
                    self.double_quoted()?;
                }
                b'$' if ends_word(self.peek(1)) => self.pos += 1,
                b'$' => {
                    self.dollar(false)?;
                }
                b'\\' => {
                    if matches!(self.peek(1), b'\n' | 0) {
                        return self.refuse("a pattern");
                    }
                    self.pos += 1;
                    self.skip_char();
                }
                b'|' if open > 0 => self.pos += 1,
                byte if byte.is_ascii_alphanumeric() || byte >= 0x80 => self.pos += 1,
                b'[' | b']' | b'{' | b'}' | b'^' | b'.' | b'*' | b'+' | b'?' | b'-' | b'_' | b':' | b'/'
                | b',' | b'=' | b'~' | b'@' | b'%' | b'!' => self.pos += 1,
                b'#' if self.pos > start => self.pos += 1,
                _ => return self.refuse("a pattern"),
            }
        }
        if self.pos == start || open > 0 { self.refuse("a pattern") } else { Ok(()) }
    }
}
