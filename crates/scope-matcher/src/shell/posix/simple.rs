//! Simple commands, assignments and arrays.

use super::words::{Place, ends_word};
use super::{Parse, Parser};
use crate::shell::{Binding, Marks, Part, Step, Word};
use std::borrow::Cow;

/// Whether a word is a command to nobody but means something to the shell.
fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "if" | "then"
            | "else"
            | "elif"
            | "fi"
            | "for"
            | "while"
            | "until"
            | "do"
            | "done"
            | "case"
            | "esac"
            | "in"
            | "function"
            | "select"
            | "coproc"
            | "{"
            | "}"
            | "[["
            | "]]"
            | "time"
            | "!"
    )
}

/// Words that zsh reads as something else than the name of a command.
const ZSH_WORDS: &[&str] = &["noglob", "nocorrect", "repeat", "foreach", "end", "always", "-", "alias"];

impl<'a> Parser<'a> {
    /// A simple command, or the definition of a function; says whether it was the latter.
    pub(super) fn simple(&mut self) -> Parse<bool> {
        let start = self.pos;
        let mut part = Part {
            words: Vec::with_capacity(4),
            in_loop: self.in_loop,
            in_function: self.in_function,
            ..Part::default()
        };
        let mut place = Place::Command;
        let mut end = start;
        loop {
            self.blanks();
            if self.at_end() {
                break;
            }
            if matches!(self.peek(0), b'0'..=b'9' | b'<' | b'>' | b'&')
                && let Some(redirect) = self.redirect()?
            {
                part.redirects.push(redirect);
                end = self.pos;
                continue;
            }
            match self.peek(0) {
                b'\n' | b';' | b'|' | b'&' | b')' | b'#' => break,
                b'(' => {
                    let alone =
                        part.words.len() == 1 && part.redirects.is_empty() && part.assignments.is_empty();
                    if !alone {
                        return self.refuse("a parenthesis that opens nothing");
                    }
                    self.function_behind_name(&part)?;
                    return Ok(true);
                }
                _ => {}
            }
            if place == Place::Command {
                if let Some(assignment) = self.assignment()? {
                    part.assignments.push(assignment);
                    end = self.pos;
                    continue;
                }
                let word = self.word(place)?;
                self.command_word(&word, &part)?;
                place = match word.text() {
                    // Their arguments may be `name=(…)`.
                    "declare" | "export" | "local" | "readonly" | "typeset" => Place::Declaration,
                    _ => Place::Argument,
                };
                part.words.push(word);
            } else {
                let word = self.word(place)?;
                part.words.push(word);
            }
            end = self.pos;
        }
        if end == start {
            return self.refuse("a command is missing");
        }
        part.source = Cow::Borrowed(self.text.get(start..end).unwrap_or_default());
        self.push(part)?;
        Ok(false)
    }

    /// Records a part, and what builtins in it will run besides.
    pub(super) fn push(&mut self, part: Part<'a>) -> Parse {
        for assignment in &part.assignments {
            self.bind_assignment(assignment)?;
        }
        self.out.steps.push(Step::Part(self.out.parts.len()));
        self.out.parts.push(part);
        self.builtin()
    }

    fn bind_assignment(&mut self, assignment: &Word<'a>) -> Parse {
        let raw = assignment.raw();
        let name = raw.split(['=', '+', '[']).next().unwrap_or_default();
        let literal = assignment.text().split_once('=').map_or("", |(_, value)| value);
        // Tracing expands PS4; the others need an interactive shell, which may follow.
        let runs =
            literal.contains("$(") || literal.contains('`') || (name == "PS4" && literal.contains('$'));
        if name.starts_with("PS") && runs {
            return self.refuse("a prompt that expands");
        }
        let value = (!raw.contains("=(")).then(|| assignment.clone());
        self.out.bindings.push(Binding { name: Cow::Owned(name.to_owned()), value });
        Ok(())
    }

    /// What the name of a command may be.
    fn command_word(&mut self, word: &Word<'a>, part: &Part<'a>) -> Parse {
        let raw = word.raw();
        let unknown =
            Marks::SPLITS.with(Marks::EXPANDS).with(Marks::GLOB).with(Marks::BRACE).with(Marks::PIPE);
        if word.marks().has(unknown) {
            return self.refuse("the name of the command is only known when the line runs");
        }
        if is_reserved(raw) {
            let why = if part.assignments.is_empty() && part.redirects.is_empty() {
                "a reserved word in the wrong place"
            } else {
                "a reserved word behind an assignment or a redirection"
            };
            return self.refuse(why);
        }
        if raw.starts_with('!') {
            return self.refuse("history expansion");
        }
        if self.dialect == plan_gate_core::Dialect::Zsh && ZSH_WORDS.contains(&raw) {
            return self.refuse("a word that zsh reads in its own way");
        }
        if raw.starts_with('{') && matches!(self.peek(0), b'<' | b'>') {
            return self.refuse("a variable for a file descriptor");
        }
        Ok(())
    }

    /// `NAME=value`, `NAME+=value`, `NAME[key]=value` or an array, if that is what stands here.
    pub(super) fn assignment(&mut self) -> Parse<Option<Word<'a>>> {
        let start = self.pos;
        if !(self.peek(0) == b'_' || self.peek(0).is_ascii_alphabetic()) {
            return Ok(None);
        }
        self.name();
        match (self.peek(0), self.peek(1)) {
            (b'[', _) => {
                self.only_bash("a subscript")?;
                self.subscript()?;
                if self.peek(0) == b'+' {
                    self.pos += 1;
                }
                if self.peek(0) != b'=' {
                    return self.refuse("a subscript that is not assigned to");
                }
            }
            (b'+', b'=') => {
                self.only_bash("`+=` is not POSIX")?;
                self.pos += 1;
            }
            (b'=', _) => {}
            _ => {
                self.pos = start;
                return Ok(None);
            }
        }
        self.pos += 1;
        if self.peek(0) == b'(' {
            self.only_bash("an array")?;
            self.array()?;
            if !(self.at_end() || ends_word(self.peek(0))) || self.peek(0) == b'(' {
                return self.refuse("something behind an array");
            }
            return self.make_word(start, Marks::SPLITS).map(Some);
        }
        let marks = self.word_extent(self.pos, Place::Argument)?;
        self.make_word(start, marks).map(Some)
    }

    /// At `(` of an array: words up to `)`.
    pub(super) fn array(&mut self) -> Parse {
        if !self.pending.is_empty() {
            return self.refuse("an array before a here-document");
        }
        self.pos += 1;
        loop {
            self.lines(0)?;
            match self.peek(0) {
                b')' => {
                    self.pos += 1;
                    return Ok(());
                }
                b';' | b'|' | b'&' | b'(' => return self.refuse("an operator in an array"),
                b'<' | b'>' if self.peek(1) != b'(' => return self.refuse("an operator in an array"),
                b'[' => {
                    self.subscript()?;
                    if self.peek(0) != b'=' {
                        return self.refuse("a key without a value in an array");
                    }
                    self.pos += 1;
                    self.word_extent(self.pos, Place::Argument)?;
                }
                _ => {
                    self.word(Place::Argument)?;
                }
            }
        }
    }

    /// At `(` behind the first word: `name () body`.
    fn function_behind_name(&mut self, part: &Part<'a>) -> Parse {
        self.pos += 1;
        self.blanks();
        if self.peek(0) != b')' {
            return self.refuse("a parenthesis that opens nothing");
        }
        self.pos += 1;
        let Some(name) = part.words.first() else { return self.refuse("a function without a name") };
        if name.marks() != Marks::NONE {
            return self.refuse("a quoted name of a function");
        }
        let name = Cow::Owned(name.text().to_owned());
        self.function_body(name)
    }
}

/// Whether `text` is `name=` or `name+=`.
pub(super) fn is_array_name(text: &str) -> bool {
    let Some(name) = text.strip_suffix('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    let letter = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
    name.bytes().all(letter) && name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit())
}
