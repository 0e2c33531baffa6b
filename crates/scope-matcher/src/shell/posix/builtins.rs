//! Builtins that run their arguments: what they run becomes a part too, or the line is opaque.

use super::{Parse, Parser};
use crate::shell::{Part, Step, Word};
use std::borrow::Cow;

/// Builtins that read a subscript out of an argument and evaluate it.
const EVALUATING: &[&str] = &[
    "let",
    "declare",
    "typeset",
    "local",
    "readonly",
    "export",
    "printf",
    "read",
    "unset",
    "mapfile",
    "readarray",
    "test",
    "[",
    "wait",
    "getopts",
];

impl<'a> Parser<'a> {
    /// Looks at the part that was pushed last.
    pub(super) fn builtin(&mut self) -> Parse {
        let Some(part) = self.out.parts.last() else { return Ok(()) };
        let Some(name) = part.words.first().map(Word::text) else { return Ok(()) };
        // The longest name that matters has nine letters; most programs are told apart right here.
        if name.len() > 9 {
            return Ok(());
        }
        match name {
            "eval" => self.eval(),
            "trap" => self.trap(),
            "exec" | "command" | "builtin" => self.prefixed(),
            "shopt" | "set" => self.option(),
            "mapfile" | "readarray" => self.refuse_option("-C", "a callback"),
            "compgen" => self.compgen(),
            "hash" => self.refuse_option("-p", "a command is given another path"),
            "enable" => self.refuse_option("-f", "a builtin is loaded from a file"),
            "fc" if !self.words().get(1).is_some_and(|word| word.text().starts_with("-l")) => {
                self.refuse("a builtin that runs commands of the history again")
            }
            "alias" if self.dialect != plan_gate_core::Dialect::Bash => self.refuse("an alias"),
            _ => Ok(()),
        }?;
        self.evaluating()
    }

    fn words(&self) -> &[Word<'a>] {
        self.out.parts.last().map(|part| part.words.as_slice()).unwrap_or_default()
    }

    fn refuse_option(&self, option: &str, why: &'static str) -> Parse {
        let may_be =
            |word: &Word<'_>| word.lead().starts_with(option) || (!word.certain() && word.lead().is_empty());
        if self.words().iter().skip(1).any(may_be) { self.refuse(why) } else { Ok(()) }
    }

    /// `compgen` without the options that run something.
    fn compgen(&self) -> Parse {
        ["-C", "-W", "-F"]
            .iter()
            .try_for_each(|option| self.refuse_option(option, "a completion that can run commands"))
    }

    /// `eval` of a certain text is that text; of a computed one, nobody knows.
    fn eval(&mut self) -> Parse {
        let words = self.words();
        if !words.iter().all(Word::certain) {
            return self.refuse("`eval` of a computed text");
        }
        let skip = if words.get(1).is_some_and(|word| word.text() == "--") { 2 } else { 1 };
        let text = words.iter().skip(skip).map(Word::text).collect::<Vec<_>>().join(" ");
        self.aside(&text)
    }

    fn trap(&mut self) -> Parse {
        let mut words = self.words().iter().skip(1).peekable();
        if words.peek().is_some_and(|word| word.text() == "--") {
            words.next();
        }
        let Some(action) = words.next() else { return Ok(()) };
        if words.next().is_none() || matches!(action.text(), "-" | "" | "-l" | "-p") {
            return Ok(());
        }
        let Some(action) = action.known().map(str::to_owned) else {
            return self.refuse("`trap` with a computed text");
        };
        self.out.steps.push(Step::Enter);
        self.aside(&action)?;
        self.out.steps.push(Step::Leave);
        Ok(())
    }

    /// `exec`, `command`, `builtin`: what stands behind them is a command as well.
    fn prefixed(&mut self) -> Parse {
        let words = self.words();
        let name = words.first().map(Word::text).unwrap_or_default().to_owned();
        let mut at = 1;
        while let Some(word) = words.get(at) {
            match (name.as_str(), word.text()) {
                ("command", "-v" | "-V" | "-pv" | "-pV") => return Ok(()),
                ("command", "-p") | ("exec", "-c" | "-l" | "-cl" | "-lc") => at += 1,
                ("exec", "-a") => at += 2,
                (_, "--") => {
                    at += 1;
                    break;
                }
                _ => break,
            }
        }
        let Some(first) = words.get(at) else { return Ok(()) };
        if !first.certain() || first.text().starts_with('-') {
            return self.refuse("the name of the command is only known when the line runs");
        }
        let inner = words.get(at..).unwrap_or_default().to_vec();
        let (in_loop, in_function) = (self.in_loop, self.in_function);
        let source = self.out.parts.last().map(|part| part.source.clone()).unwrap_or(Cow::Borrowed(""));
        self.deeper(|parser| {
            parser.push(Part { words: inner, source, in_loop, in_function, ..Part::default() })
        })
    }

    /// Options of the shell that change how later text is read.
    fn option(&self) -> Parse {
        let matters = |word: &Word<'_>| {
            matches!(
                word.text(),
                "expand_aliases"
                    | "histexpand"
                    | "history"
                    | "keyword"
                    | "posix"
                    | "extdebug"
                    | "array_expand_once"
                    | "assoc_expand_once"
            )
        };
        let words = self.words();
        if words.iter().skip(1).any(matters) {
            return self.refuse("an option that changes how the shell reads");
        }
        let first = words.first().map(Word::text).unwrap_or_default();
        let flags =
            |word: &&Word<'_>| word.text().starts_with(['-', '+']) && word.text().contains(['H', 'k']);
        if first == "set"
            && words.iter().skip(1).take_while(|word| word.text() != "--").any(|word| flags(&word))
        {
            return self.refuse("an option that changes how the shell reads");
        }
        Ok(())
    }

    /// A subscript in an argument of these is evaluated, and what it substitutes runs, quoted or not.
    fn evaluating(&mut self) -> Parse {
        let words = self.words();
        let name = words.first().map(Word::text).unwrap_or_default();
        if !EVALUATING.contains(&name) {
            return Ok(());
        }
        let runs = |word: &Word<'_>| {
            word.text().contains('[')
                && (word.text().contains('$') || word.text().contains('`'))
                && word.text() != "["
        };
        let harmless = matches!(name, "test" | "[" | "printf" | "export" | "readonly" | "local");
        let variable = |word: &Word<'_>| matches!(word.text(), "-v" | "-R");
        if harmless
            && !words.iter().any(variable)
            && !words.iter().skip(1).any(|word| word.text().contains("]="))
        {
            return Ok(());
        }
        if words.iter().skip(1).any(runs) {
            return self.refuse("a subscript that could run a command");
        }
        let name = name.to_owned();
        if name == "let" {
            self.out.evaluated.push(Cow::Borrowed("let"));
        }
        Ok(())
    }
}
