//! Compound commands: groups, conditionals, loops, functions.

use super::words::{Place, ends_word};
use super::{Close, Parse, Parser, Stop};
use crate::shell::{Binding, Function, Part, Step, Word};
use std::borrow::Cow;

impl<'a> Parser<'a> {
    /// One command. Says whether it was a compound one.
    pub(super) fn command(&mut self) -> Parse<bool> {
        let start = self.pos;
        if self.peek(0) == b'(' {
            if let Some(held) = &mut self.substitution {
                held.compound = true;
            }
            if self.peek(1) == b'(' {
                self.only_bash("`((`")?;
                self.pos += 2;
                self.arithmetic()?;
            } else {
                self.pos += 1;
                self.subshell(Stop::Paren)?;
            }
            self.trailing(start)?;
            return Ok(true);
        }
        let bare = self.bare();
        // The shortest way out for everything that is no reserved word.
        if bare.len() > 8 || !self.reserved(bare)? {
            return self.simple();
        }
        self.trailing(start)?;
        Ok(true)
    }

    /// A compound command that begins with a reserved word, if it does.
    fn reserved(&mut self, bare: &str) -> Parse<bool> {
        let known = self.reserved_word(bare)?;
        if known && let Some(held) = &mut self.substitution {
            held.compound = true;
        }
        Ok(known)
    }

    fn reserved_word(&mut self, bare: &str) -> Parse<bool> {
        match bare {
            "{" => {
                self.pos += 1;
                if !matches!(self.peek(0), b' ' | b'\t' | b'\n' | b'(' | b'<' | b'>') {
                    return self.refuse("a group");
                }
                self.list(Stop::Words(&["}"]))?;
            }
            "if" => self.if_command()?,
            "while" | "until" => {
                self.pos += 5;
                self.looped(|parser| {
                    parser.list(Stop::Words(&["do"]))?;
                    parser.list(Stop::Words(&["done"]))
                })?;
            }
            "for" => {
                self.pos += 3;
                self.for_command()?;
            }
            "select" => {
                self.only_bash("`select` is not POSIX")?;
                self.pos += 6;
                self.for_command()?;
            }
            "case" => {
                self.pos += 4;
                self.case_command()?;
            }
            "[[" => {
                self.only_bash("`[[` is not POSIX")?;
                self.pos += 2;
                self.deeper(Self::condition)?;
            }
            "function" => {
                self.only_bash("`function` is not POSIX")?;
                self.pos += 8;
                self.function_keyword()?;
            }
            "coproc" => {
                self.only_bash("`coproc` is not POSIX")?;
                if self.substitution.is_some() {
                    return self.refuse("a coprocess in a substitution");
                }
                self.pos += 6;
                self.coproc()?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Redirections behind a compound command: a part of their own.
    fn trailing(&mut self, start: usize) -> Parse {
        let mut redirects = Vec::new();
        loop {
            self.blanks();
            match self.redirect()? {
                Some(redirect) => redirects.push(redirect),
                None => break,
            }
        }
        if redirects.is_empty() {
            return Ok(());
        }
        let source = Cow::Borrowed(self.since(start));
        let (in_loop, in_function) = (self.in_loop, self.in_function);
        self.push(Part { redirects, source, in_loop, in_function, ..Part::default() })
    }

    fn looped<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let before = std::mem::replace(&mut self.in_loop, true);
        let result = self.deeper(read)?;
        self.in_loop = before;
        Ok(result)
    }

    fn if_command(&mut self) -> Parse {
        self.pos += 2;
        loop {
            self.list(Stop::Words(&["then"]))?;
            match self.list(Stop::Words(&["elif", "else", "fi"]))? {
                Close::Word("elif") => {}
                Close::Word("else") => {
                    self.list(Stop::Words(&["fi"]))?;
                    return Ok(());
                }
                _ => return Ok(()),
            }
        }
    }

    /// Behind `for` or `select`.
    fn for_command(&mut self) -> Parse {
        self.blanks();
        if self.peek(0) == b'(' && self.peek(1) == b'(' {
            self.only_bash("`for ((`")?;
            self.pos += 2;
            self.counter();
            self.arithmetic()?;
            self.blanks();
            if self.peek(0) == b';' {
                self.pos += 1;
            }
        } else {
            self.for_words()?;
        }
        self.lines(self.pending.len())?;
        if self.bare() != "do" {
            return self.refuse("a loop without `do`");
        }
        self.pos += 2;
        self.looped(|parser| parser.list(Stop::Words(&["done"])))?;
        Ok(())
    }

    /// `for ((i = 0; …`: the counter begins with a number.
    fn counter(&mut self) {
        let start = self.pos;
        self.blanks();
        let name = self.name();
        self.blanks();
        let assigned = self.peek(0) == b'=' && self.peek(1) != b'=';
        if assigned && !name.is_empty() {
            self.pos += 1;
            self.blanks();
            let digits = self.pos;
            while self.peek(0).is_ascii_digit() {
                self.pos += 1;
            }
            let number = self.since(digits);
            self.blanks();
            if self.peek(0) == b';' && !number.is_empty() {
                self.bind(name, Some(Word::literal(Cow::Borrowed(number))));
            }
        }
        self.pos = start;
    }

    /// `name [in words] ;`
    fn for_words(&mut self) -> Parse {
        let name = self.name();
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !ends_word(self.peek(0)) {
            return self.refuse("the variable of a loop");
        }
        self.lines(self.pending.len())?;
        match self.bare() {
            "do" => {
                self.bind(name, None);
                return Ok(());
            }
            "in" => self.pos += 2,
            "" if self.peek(0) == b';' => {
                self.bind(name, None);
                self.pos += 1;
                return Ok(());
            }
            _ => return self.refuse("a loop without `in`"),
        }
        let own = self.pending.len();
        loop {
            self.blanks();
            match self.peek(0) {
                b';' => {
                    self.pos += 1;
                    return Ok(());
                }
                b'\n' => {
                    self.pos += 1;
                    return self.bodies(own);
                }
                b'#' => self.comment()?,
                _ => {
                    let word = self.word(Place::Argument)?;
                    self.bind(name, Some(word));
                }
            }
        }
    }

    pub(super) fn bind(&mut self, name: &'a str, value: Option<Word<'a>>) {
        self.out.bindings.push(Binding { name: Cow::Borrowed(name), value });
    }

    /// Behind `case`.
    fn case_command(&mut self) -> Parse {
        self.blanks();
        self.word(Place::Argument)?;
        let own = self.pending.len();
        self.lines(own)?;
        if self.bare() != "in" {
            return self.refuse("`case` without `in`");
        }
        self.pos += 2;
        self.deeper(|parser| {
            loop {
                parser.lines(own)?;
                if parser.bare() == "esac" {
                    parser.pos += 4;
                    return Ok(());
                }
                parser.patterns()?;
                if parser.list(Stop::Clause)? == Close::Word("esac") {
                    return Ok(());
                }
            }
        })
    }

    /// `a | b)`, with an optional `(` in front.
    fn patterns(&mut self) -> Parse {
        if self.peek(0) == b'(' {
            self.pos += 1;
            self.blanks();
        }
        loop {
            self.word(Place::Argument)?;
            self.blanks();
            match self.peek(0) {
                b'|' => {
                    self.pos += 1;
                    self.blanks();
                }
                b')' => {
                    self.pos += 1;
                    return Ok(());
                }
                _ => return self.refuse("the pattern of a case"),
            }
        }
    }

    /// Behind `function`: `name [()] body`.
    fn function_keyword(&mut self) -> Parse {
        self.blanks();
        let name = self.word(Place::Command)?;
        if name.marks() != crate::shell::Marks::NONE {
            return self.refuse("a quoted name of a function");
        }
        self.blanks();
        if self.peek(0) == b'(' && self.peek(1) != b'(' {
            let open = self.pos;
            self.pos += 1;
            self.blanks();
            if self.peek(0) == b')' {
                self.pos += 1;
            } else {
                // `function f (…)` has a subshell for its body; bash agrees only without a blank list.
                self.pos = open;
                return self.refuse("a function whose body is a subshell");
            }
        }
        self.function_body(Cow::Owned(name.text().to_owned()))
    }

    pub(super) fn function_body(&mut self, name: Cow<'a, str>) -> Parse {
        self.lines(self.pending.len())?;
        self.out.functions.push(Function { name, certain: self.certain });
        let starts = self.peek(0) == b'('
            || matches!(self.bare(), "{" | "if" | "while" | "until" | "for" | "case" | "[[");
        if !starts {
            return self.refuse("the body of a function");
        }
        let (in_function, in_loop) = (self.in_function, self.in_loop);
        (self.in_function, self.in_loop) = (true, false);
        self.out.steps.push(Step::Enter);
        self.deeper(Self::command)?;
        self.out.steps.push(Step::Leave);
        (self.in_function, self.in_loop) = (in_function, in_loop);
        Ok(())
    }

    /// `NAME` of `coproc NAME {`: only in front of a compound command is it a name.
    fn coproc_name(&mut self) {
        let start = self.pos;
        let name = self.name();
        let blank = matches!(self.peek(0), b' ' | b'\t');
        self.blanks();
        let compound = self.peek(0) == b'('
            || matches!(self.bare(), "{" | "if" | "while" | "until" | "for" | "case" | "select" | "[[");
        if name.is_empty() || !blank || !compound {
            self.pos = start;
        }
    }

    /// Behind `coproc`: a simple or compound command in the background.
    fn coproc(&mut self) -> Parse {
        self.blanks();
        let first = self.out.parts.len();
        self.coproc_name();
        self.out.steps.push(Step::Enter);
        self.deeper(Self::command)?;
        self.out.steps.push(Step::Leave);
        for part in self.out.parts.iter_mut().skip(first) {
            part.background = true;
        }
        Ok(())
    }
}
