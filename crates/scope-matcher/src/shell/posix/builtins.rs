//! Builtins that run their arguments: what they run becomes a part too, or the line is opaque.

use super::{Parse, Parser};
use crate::shell::{Part, Step, Word};
use std::borrow::Cow;

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
            "compgen" => self.compgen(),
            "hash" => self.refuse_option('p', "a command is given another path"),
            "enable" => self.refuse_option('f', "a builtin is loaded from a file"),
            "fc" if !self.words().get(1).is_some_and(|word| word.text().starts_with("-l")) => {
                self.refuse("a builtin that runs commands of the history again")
            }
            "alias" if self.dialect != plan_gate_core::Dialect::Bash => self.refuse("an alias"),
            "mapfile" | "readarray" => {
                self.refuse_option('C', "a callback")?;
                self.evaluating(false)
            }
            "test" | "[" | "printf" | "export" | "readonly" | "local" => self.evaluating(true),
            "let" | "declare" | "typeset" | "read" | "unset" | "wait" | "getopts" => self.evaluating(false),
            _ => Ok(()),
        }
    }

    fn words(&self) -> &[Word<'a>] {
        self.out.parts.last().map(|part| part.words.as_slice()).unwrap_or_default()
    }

    /// Refuses an option, also in a cluster, and a word that may become one.
    fn refuse_option(&self, letter: char, why: &'static str) -> Parse {
        let may_be = |word: &Word<'_>| {
            let lead = word.lead();
            let option = lead.starts_with('-') && (lead.contains(letter) || !word.certain());
            option || (!word.certain() && lead.is_empty())
        };
        if self.words().iter().skip(1).any(may_be) { self.refuse(why) } else { Ok(()) }
    }

    /// `compgen` without the options that run something.
    fn compgen(&self) -> Parse {
        ['C', 'W', 'F']
            .iter()
            .try_for_each(|option| self.refuse_option(*option, "a completion that can run commands"))
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
    /// Some do so only behind `-v`, or for a key.
    fn evaluating(&mut self, seldom: bool) -> Parse {
        let words = self.words();
        let runs = |word: &Word<'_>| {
            word.text().contains('[') && (word.text().contains('$') || word.text().contains('`'))
        };
        let variable = |word: &Word<'_>| matches!(word.lead().as_ref(), "-v" | "-R");
        let mut arguments = words.iter().skip(1);
        if seldom && !arguments.clone().any(|word| variable(word) || word.text().contains("]=")) {
            return Ok(());
        }
        if arguments.any(runs) {
            return self.refuse("a subscript that could run a command");
        }
        if words.first().is_some_and(|word| word.text() == "let") {
            self.out.evaluated.push(Cow::Borrowed("let"));
        }
        Ok(())
    }
}
