//! bash, and what POSIX shells and zsh read in the same way.
//!
//! A recursive descent over bytes. The grammar is bash 5's; `sh` and `zsh` accept what they read
//! alike and refuse the rest. The oracle of the tests is bash itself.

mod builtins;
mod compound;
mod condition;
mod expand;
mod redirect;
mod simple;
mod unquote;
mod words;

use super::{Binding, Function, MAX_DEPTH, Opaque, Split, Step};
use plan_gate_core::Dialect;
use redirect::Heredoc;
use std::borrow::Cow;

/// Either the thing that was read, or why the whole line is opaque.
type Parse<T = ()> = Result<T, Opaque>;

pub(super) fn split(line: &str, dialect: Dialect) -> Parse<Split<'_>> {
    let mut parser = Parser::new(line, dialect);
    parser.program()?;
    parser.finish()
}

/// Where a list of commands ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// At the end of the text.
    End,
    /// At `)`.
    Paren,
    /// At `;;`, `;&`, `;;&` or `esac`.
    Clause,
    /// At one of these reserved words.
    Words(&'static [&'static str]),
}

/// What ended a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Close {
    End,
    Paren,
    Clause,
    Word(&'static str),
}

/// The reserved word that ends a list, if `bare` is one; anywhere else at the start of a command such
/// a word is an error.
fn closing_word(bare: &str) -> Option<&'static str> {
    Some(match bare {
        "then" => "then",
        "else" => "else",
        "elif" => "elif",
        "fi" => "fi",
        "do" => "do",
        "done" => "done",
        "esac" => "esac",
        "}" => "}",
        "]]" => "]]",
        "in" => "in",
        _ => return None,
    })
}

/// What a substitution holds.
#[derive(Debug, Clone, Copy, Default)]
struct Held {
    heredoc: bool,
    compound: bool,
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    pos: usize,
    /// Reading ends here; less than the length inside backticks and here-documents.
    end: usize,
    depth: u8,
    dialect: Dialect,
    /// Somewhere in the text a `{` stands: braces are expanded before quotes are looked at closely.
    braces: bool,
    out: Split<'a>,
    /// Here-documents whose bodies begin after the next newline.
    pending: Vec<Heredoc<'a>>,
    in_loop: bool,
    in_function: bool,
    /// Inside arithmetic or `${…}`, where bash reads substitutions twice.
    in_expression: bool,
    /// Inside arithmetic, whose end bash finds by counting parentheses.
    in_arithmetic: bool,
    /// What the innermost `$(…)` has held so far; bash prints it and reads it again.
    substitution: Option<Held>,
    /// The command that is read now runs for certain, in the shell itself.
    certain: bool,
    /// A literal text holds something that arithmetic would run.
    subscript_text: bool,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, dialect: Dialect) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            pos: 0,
            end: text.len(),
            depth: 0,
            dialect,
            braces: memchr::memchr(b'{', text.as_bytes()).is_some(),
            out: Split {
                // A part for every so many bytes, so that long lines are not copied again and again.
                parts: Vec::with_capacity(text.len() / 24 + 1),
                steps: Vec::with_capacity(text.len() / 16 + 2),
                ..Split::default()
            },
            pending: Vec::new(),
            in_loop: false,
            in_function: false,
            in_expression: false,
            in_arithmetic: false,
            substitution: None,
            certain: false,
            subscript_text: false,
        }
    }

    /// The whole text as one program.
    fn program(&mut self) -> Parse {
        self.list(Stop::End)?;
        if self.pending.is_empty() { Ok(()) } else { self.refuse("a here-document without its end") }
    }

    fn finish(self) -> Parse<Split<'a>> {
        if self.subscript_text && !self.out.evaluated.is_empty() {
            return Err(Opaque::new("a text that arithmetic could run", 0));
        }
        Ok(self.out)
    }

    fn refuse<T>(&self, reason: &'static str) -> Parse<T> {
        Err(Opaque::new(reason, self.pos))
    }

    fn is_bash(&self) -> bool {
        self.dialect == Dialect::Bash
    }

    /// Refuses what only bash reads this way.
    fn only_bash(&self, reason: &'static str) -> Parse {
        if self.is_bash() { Ok(()) } else { self.refuse(reason) }
    }

    /// The byte `ahead` of here; 0 at the end (the text holds no 0).
    fn peek(&self, ahead: usize) -> u8 {
        let at = self.pos + ahead;
        if at < self.end { self.bytes.get(at).copied().unwrap_or(0) } else { 0 }
    }

    fn at_end(&self) -> bool {
        self.pos >= self.end
    }

    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.pos).unwrap_or_default()
    }

    /// Blanks, and line continuations between tokens.
    fn blanks(&mut self) {
        loop {
            match self.peek(0) {
                b' ' | b'\t' => self.pos += 1,
                b'\\' if self.peek(1) == b'\n' => self.pos += 2,
                _ => return,
            }
        }
    }

    /// Blanks, comments and newlines.
    fn lines(&mut self, own_pending: usize) -> Parse {
        loop {
            self.blanks();
            match self.peek(0) {
                b'\n' => {
                    self.pos += 1;
                    self.bodies(own_pending)?;
                }
                b'#' => self.comment()?,
                _ => return Ok(()),
            }
        }
    }

    /// From `#` up to the newline, which stays.
    fn comment(&mut self) -> Parse {
        if self.dialect == Dialect::Zsh {
            return self.refuse("a comment, which an interactive zsh does not know");
        }
        if self.in_expression {
            return self.refuse("a comment inside an expression");
        }
        let rest = self.bytes.get(self.pos..self.end).unwrap_or_default();
        self.pos += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        Ok(())
    }

    /// The bare word at this place: plain bytes up to something that ends a word.
    fn bare(&self) -> &'a str {
        // No reserved word is longer than `function`; of longer words the beginning tells them apart.
        let most = self.end.min(self.pos + 9);
        let rest = self.bytes.get(self.pos..most).unwrap_or_default();
        let length = rest.iter().position(|byte| words::ends_word(*byte)).unwrap_or(rest.len());
        self.text.get(self.pos..self.pos + length).unwrap_or("a word that is not plain")
    }

    /// Whether a simple command begins here, as far as its first word tells.
    fn is_plain_start(&self) -> bool {
        !matches!(
            self.bare(),
            "" | "{"
                | "if"
                | "while"
                | "until"
                | "for"
                | "case"
                | "select"
                | "function"
                | "coproc"
                | "[["
                | "!"
        )
    }

    /// Goes one level deeper; refuses beyond the limit.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            return self.refuse("nested too deep");
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// A list in a shell of its own: what it changes does not reach the rest.
    fn subshell(&mut self, stop: Stop) -> Parse<Close> {
        let in_loop = std::mem::replace(&mut self.in_loop, false);
        self.out.steps.push(Step::Enter);
        let close = self.list(stop)?;
        self.out.steps.push(Step::Leave);
        self.in_loop = in_loop;
        Ok(close)
    }

    /// Reads `start..end` of the text as a program of its own.
    fn within<T>(&mut self, start: usize, end: usize, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let (pos, old_end) = (self.pos, self.end);
        (self.pos, self.end) = (start, end);
        let result = self.deeper(read)?;
        (self.pos, self.end) = (pos, old_end);
        Ok(result)
    }

    /// Reads another text as a program and takes over what is in it.
    fn aside(&mut self, text: &str) -> Parse {
        let mut inner = Parser::new(text, self.dialect);
        inner.depth = self.depth;
        (inner.in_loop, inner.in_function) = (self.in_loop, self.in_function);
        (inner.in_expression, inner.in_arithmetic) = (self.in_expression, self.in_arithmetic);
        inner.braces |= self.braces;
        inner.deeper(Parser::program)?;
        self.subscript_text |= inner.subscript_text;
        let Split { parts, steps, bindings, evaluated, functions, .. } = inner.out;
        let offset = self.out.parts.len();
        self.out.parts.extend(parts.into_iter().map(|part| part.into_owned()));
        self.out.steps.extend(steps.into_iter().map(|step| match step {
            Step::Part(index) => Step::Part(index + offset),
            other => other,
        }));
        self.out.bindings.extend(bindings.into_iter().map(|binding| Binding {
            name: Cow::Owned(binding.name.into_owned()),
            value: binding.value.map(|word| word.into_owned()),
        }));
        let owned = |name: Cow<'_, str>| -> Cow<'a, str> { Cow::Owned(name.into_owned()) };
        self.out.evaluated.extend(evaluated.into_iter().map(owned));
        let function = |function: Function<'_>| Function { name: owned(function.name), certain: false };
        self.out.functions.extend(functions.into_iter().map(function));
        Ok(())
    }

    /// Commands up to what ends them, which is consumed.
    fn list(&mut self, stop: Stop) -> Parse<Close> {
        self.deeper(|parser| parser.commands(stop))
    }

    fn commands(&mut self, stop: Stop) -> Parse<Close> {
        let own_pending = self.pending.len();
        let mut empty = true;
        loop {
            self.lines(own_pending)?;
            if let Some(close) = self.closer(stop)? {
                if empty && !matches!(stop, Stop::End | Stop::Clause) {
                    return self.refuse("an empty list of commands");
                }
                self.out.steps.push(Step::Next);
                return if self.pending.len() > own_pending {
                    self.refuse("a here-document without its end")
                } else {
                    Ok(close)
                };
            }
            empty = false;
            self.and_or(own_pending)?;
            self.out.steps.push(Step::Next);
        }
    }

    /// What ends the list, if it stands here.
    fn closer(&mut self, stop: Stop) -> Parse<Option<Close>> {
        if self.at_end() {
            return if stop == Stop::End {
                Ok(Some(Close::End))
            } else {
                self.refuse("something is not closed")
            };
        }
        match (self.peek(0), stop) {
            (b')', Stop::Paren) => {
                self.pos += 1;
                return Ok(Some(Close::Paren));
            }
            (b';', Stop::Clause) => {
                let length = match (self.peek(1), self.peek(2)) {
                    (b';', b'&') => 3,
                    (b';', _) | (b'&', _) => 2,
                    _ => return self.refuse("an empty command"),
                };
                if self.peek(length - 1) == b'&' {
                    self.only_bash("a clause that falls through")?;
                }
                self.pos += length;
                return Ok(Some(Close::Clause));
            }
            _ => {}
        }
        let Some(word) = closing_word(self.bare()) else { return Ok(None) };
        let allowed = match stop {
            Stop::Words(words) => words.contains(&word),
            Stop::Clause => word == "esac",
            Stop::End | Stop::Paren => false,
        };
        if !allowed {
            return self.refuse("a reserved word in the wrong place");
        }
        self.pos += word.len();
        Ok(Some(Close::Word(word)))
    }

    /// Pipelines joined by `&&` and `||`, and what separates them from the next.
    fn and_or(&mut self, own_pending: usize) -> Parse {
        let first = self.out.parts.len();
        let functions = self.out.functions.len();
        // Only what stands first in a list of the program itself is sure to run.
        self.certain = self.depth == 1;
        loop {
            let compound = self.pipeline(own_pending)?;
            self.blanks();
            match (self.peek(0), self.peek(1)) {
                (b'&', b'&') => self.out.steps.push(Step::And),
                (b'|', b'|') => self.out.steps.push(Step::Next),
                (b'&', _) => {
                    self.uncertain_functions(functions);
                    return self.separator(first, compound);
                }
                _ => return self.separator(first, compound),
            }
            self.certain = false;
            self.pos += 2;
            self.lines(own_pending)?;
        }
    }

    /// Functions defined since `first` may not be defined for what follows.
    fn uncertain_functions(&mut self, first: usize) {
        for function in self.out.functions.iter_mut().skip(first) {
            function.certain = false;
        }
    }

    fn separator(&mut self, first: usize, compound: bool) -> Parse {
        match (self.peek(0), self.peek(1)) {
            (b'&', next) => {
                if self.dialect == Dialect::Zsh && matches!(next, b'|' | b'!') {
                    return self.refuse("an operator of zsh");
                }
                self.pos += 1;
                for part in self.out.parts.iter_mut().skip(first) {
                    part.background = true;
                }
            }
            (b';', next) if next != b';' && next != b'&' => self.pos += 1,
            (b';' | b'\n' | b'#' | b')', _) => {}
            _ if self.at_end() => {}
            _ if compound && closing_word(self.bare()).is_some() => {}
            _ => return self.refuse("something that cannot follow a command"),
        }
        Ok(())
    }

    /// Commands joined by `|`. Says whether the last one was a compound command.
    fn pipeline(&mut self, own_pending: usize) -> Parse<bool> {
        let mut negated = false;
        let mut timed = false;
        let functions = self.out.functions.len();
        loop {
            match self.bare() {
                "!" if self.peek(1) == b'(' => return self.refuse("`!(` may negate or be a pattern"),
                "!" => self.pos += 1,
                "time" if self.dialect != Dialect::Sh => {
                    self.pos += 4;
                    timed = true;
                    self.blanks();
                    if self.bare() == "-p" {
                        self.pos += 2;
                    }
                }
                _ => break,
            }
            negated = true;
            self.blanks();
        }
        // bash 5.2 does not know `case` behind `time` in a substitution, and ends it at the first `)`.
        if timed && self.substitution.is_some() && !self.is_plain_start() {
            return self.refuse("`time` before a compound command in a substitution");
        }
        loop {
            let compound = self.command()?;
            self.blanks();
            if self.peek(0) != b'|' || self.peek(1) == b'|' {
                if negated {
                    self.out.steps.push(Step::Next);
                }
                return Ok(compound);
            }
            self.pos += 1;
            if self.peek(0) == b'&' {
                if self.dialect == Dialect::Sh {
                    return self.refuse("`|&` is not POSIX");
                }
                self.pos += 1;
            }
            self.out.steps.push(Step::Next);
            self.uncertain_functions(functions);
            self.certain = false;
            self.lines(own_pending)?;
        }
    }
}
