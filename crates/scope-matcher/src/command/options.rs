//! Options that a prefix entry does not cover.

use super::cover::{Call, Cover};
use super::programs::{Danger, Does, Program, Script, Style, Subcommand};
use super::scripts;
use super::why;
use crate::shell::{Marks, Redirect, Word};
use std::ops::{Bound, Range};

/// Everything that says which options matter in one part of a call.
struct Rules<'p> {
    style: Style,
    bundled: bool,
    values: &'p str,
    value_options: &'p [String],
    /// Options without a value, behind which `--` ends the options.
    plain_flags: &'p [String],
    harmless: [&'p [String]; 2],
    dangers: [&'p [Danger]; 2],
}

/// Whether the words behind the first `fixed` ones hold no such option.
///
/// `partial` is the beginning of the word at `fixed` that the entry names.
pub(super) fn allowed(
    cover: &Cover<'_>,
    program: &Program,
    call: &Call<'_>,
    fixed: usize,
    partial: Option<&str>,
) -> Result<(), &'static str> {
    let (at, sub) = subcommand(program, call.words)?;
    if let Some(sub) = sub {
        subcommand_allowed(cover, sub, call, at, fixed, partial)?;
    }
    let base = Rules {
        style: program.style,
        bundled: program.bundled,
        values: &program.values,
        value_options: &program.value_options,
        plain_flags: &program.plain_flags,
        harmless: [&program.harmless, &[]],
        dangers: [&program.options, &program.global],
    };
    let empty = Subcommand::default();
    match at {
        0 => base.check(cover, call, 1..call.words.len(), fixed, partial)?,
        _ => {
            let sub = sub.unwrap_or(&empty);
            base.check(cover, call, 1..at + 1, fixed, partial)?;
            let own = Rules {
                values: if program.anywhere { &program.values } else { &sub.values },
                value_options: if program.anywhere { &program.value_options } else { &sub.value_options },
                harmless: [&program.harmless, &sub.harmless],
                dangers: [&program.options, &sub.options],
                ..base
            };
            own.check(cover, call, at + 1..call.words.len(), fixed, partial)?;
        }
    }
    match program.script {
        Some(Script::Sed) => scripts::sed(call, fixed),
        Some(Script::Awk) => scripts::awk(call, fixed),
        Some(Script::Tex) => scripts::without(call, fixed, scripts::TEX),
        Some(Script::Sql) => scripts::without(call, fixed, scripts::SQL),
        None => Ok(()),
    }
}

/// The subcommand of a call and where its (last) word stands.
fn subcommand<'p>(
    program: &'p Program,
    words: &[Word<'_>],
) -> Result<(usize, Option<&'p Subcommand>), &'static str> {
    if program.subcommands.is_empty() {
        return Ok((0, None));
    }
    let Some((first, name)) = operand(program, words, 1)? else { return Ok((0, None)) };
    if let Ok(Some((second, next))) = operand(program, words, first + 1)
        && let Some(sub) = two_words(program, name, next)
    {
        return Ok((second, Some(sub)));
    }
    Ok((first, program.subcommands.get(name)))
}

/// The subcommand `name next`. Keys are sorted, so those with the same first word stand together.
fn two_words<'p>(program: &'p Program, name: &str, next: &str) -> Option<&'p Subcommand> {
    let from = (Bound::Included(name), Bound::Unbounded);
    let mut keys = program.subcommands.range::<str, _>(from).take_while(|(key, _)| key.starts_with(name));
    let same = |key: &str| key.strip_prefix(name).and_then(|rest| rest.strip_prefix(' ')) == Some(next);
    keys.find(|(key, _)| same(key)).map(|(_, sub)| sub)
}

/// The first word from `start` that is neither an option nor the value of one.
fn operand<'w>(
    program: &Program,
    words: &'w [Word<'_>],
    start: usize,
) -> Result<Option<(usize, &'w str)>, &'static str> {
    let mut at = start;
    while let Some(word) = words.get(at) {
        let Some(text) = word.known() else { return Err(why::COMPUTED_ARGUMENT) };
        if !text.starts_with('-') || text == "-" {
            return Ok(Some((at, text)));
        }
        let letter =
            text.strip_prefix('-').filter(|rest| rest.len() == 1).and_then(|rest| rest.chars().next());
        let takes = program.value_options.iter().any(|option| option == text)
            || letter.is_some_and(|letter| program.values.contains(letter));
        at += if takes { 2 } else { 1 };
    }
    Ok(None)
}

fn subcommand_allowed(
    cover: &Cover<'_>,
    sub: &Subcommand,
    call: &Call<'_>,
    at: usize,
    fixed: usize,
    partial: Option<&str>,
) -> Result<(), &'static str> {
    let named = fixed > at
        || (fixed == at && partial.is_some() && partial == call.words.get(at).and_then(Word::known));
    if let Some(does) = sub.does
        && !named
        && !call
            .words
            .iter()
            .skip(at + 1)
            .any(|word| word.known().is_some_and(|text| sub.unless.iter().any(|other| other == text)))
    {
        return Err(match does {
            Does::Runs => why::SUBCOMMAND,
            Does::Writes => why::SUBCOMMAND,
            _ => why::SUBCOMMAND,
        });
    }
    match &sub.runner {
        Some(runner) => super::runner::behind(cover, runner, call, at + 1, fixed, partial),
        None => Ok(()),
    }
}

impl Rules<'_> {
    /// The words of a range, of which the first `fixed` of the call are the entry's own.
    fn check(
        &self,
        cover: &Cover<'_>,
        call: &Call<'_>,
        range: Range<usize>,
        fixed: usize,
        partial: Option<&str>,
    ) -> Result<(), &'static str> {
        if self.dangers.iter().all(|dangers| dangers.is_empty()) {
            return Ok(());
        }
        let mut ended = false;
        let mut before: Option<&Word<'_>> = None;
        let last = range.end == call.words.len();
        for (index, word) in call.words.iter().enumerate().take(range.end).skip(range.start) {
            if word.known() == Some("--")
                && self.style != Style::Single
                && before.is_none_or(|before| before.known().is_some_and(|text| self.takes_none(text)))
            {
                ended = true;
            }
            if index >= fixed {
                let named = partial.filter(|_| index == fixed);
                self.word(cover, call, index, word, before, ended, named)?;
            }
            before = Some(word);
        }
        if call.appended && last && !ended { Err(why::COMPUTED_ARGUMENT) } else { Ok(()) }
    }

    #[allow(clippy::too_many_arguments, reason = "one question with all that bears on it")]
    fn word(
        &self,
        cover: &Cover<'_>,
        call: &Call<'_>,
        index: usize,
        word: &Word<'_>,
        before: Option<&Word<'_>>,
        ended: bool,
        named: Option<&str>,
    ) -> Result<(), &'static str> {
        if let Some(text) = word.known() {
            return self.text(cover, call, index, text, ended, named);
        }
        if let Some(texts) = call.values.texts(word) {
            return texts.iter().try_for_each(|text| self.text(cover, call, index, text, ended, named));
        }
        let marks = word.marks();
        let many = Marks::SPLITS.with(Marks::GLOB).with(Marks::BRACE);
        if !marks.has(many) && before.is_some_and(|before| self.takes_value(before)) {
            return Ok(());
        }
        let lead = word.lead();
        // Only what an unquoted expansion leaves behind may begin in any way whatever.
        if marks.has(Marks::SPLITS) {
            let plain =
                ended && !self.all().any(|danger| danger.is.iter().any(|form| !form.starts_with('-')));
            return if plain { Ok(()) } else { Err(why::COMPUTED_ARGUMENT) };
        }
        if !marks.has(Marks::EXPANDS.with(Marks::GLOB).with(Marks::BRACE)) {
            return Ok(());
        }
        let possible = |form: &String| {
            if ended && form.starts_with('-') { false } else { self.could_become(form, &lead) }
        };
        if self.all().any(|danger| danger.is.iter().any(possible)) {
            Err(why::COMPUTED_ARGUMENT)
        } else {
            Ok(())
        }
    }

    fn text(
        &self,
        cover: &Cover<'_>,
        call: &Call<'_>,
        index: usize,
        text: &str,
        ended: bool,
        named: Option<&str>,
    ) -> Result<(), &'static str> {
        if self.harmless.iter().any(|list| list.iter().any(|option| option == text)) {
            return Ok(());
        }
        // `tar cIf prog a.tar`: every letter is an option, and their values follow as words.
        if self.bundled && index == 1 && !text.starts_with('-') {
            let short = |form: &String| {
                let letter = form.strip_prefix('-').filter(|rest| rest.chars().count() == 1);
                letter.is_some_and(|letter| text.contains(letter))
            };
            if let Some(danger) = self.all().find(|danger| danger.is.iter().any(short)) {
                return Err(danger.does.why());
            }
        }
        for danger in self.all() {
            for form in &danger.is {
                if (ended && form.starts_with('-')) || !self.is(form, text) {
                    continue;
                }
                if named.is_some_and(|named| self.is(form, named)) {
                    continue;
                }
                let value = self.value(call, index, form, text);
                let harmless = match danger.does {
                    Does::Enters => value.is_some_and(|dir| call.directories.inside(dir, cover.files)),
                    Does::Writes => value.is_some_and(|path| {
                        matches!(path, "/dev/null" | "-" | "/dev/stdout" | "/dev/stderr")
                    }),
                    _ => false,
                };
                if harmless {
                    continue;
                }
                return Err(danger.does.why());
            }
        }
        Ok(())
    }

    fn all(&self) -> impl Iterator<Item = &Danger> {
        self.dangers.iter().flat_map(|dangers| dangers.iter())
    }

    /// The value of the option, if it is certain: behind `=`, the rest of the word, or the next word.
    fn value<'c>(&self, call: &Call<'c>, index: usize, form: &str, text: &'c str) -> Option<&'c str> {
        let next = || call.words.get(index + 1).and_then(Word::known);
        if let Some((_, value)) = text.split_once('=').filter(|_| form.starts_with("--") || form.len() > 2) {
            return Some(value);
        }
        let letter = form.strip_prefix('-').filter(|rest| rest.chars().count() == 1 && *rest != "-");
        match letter.filter(|_| self.style != Style::Single) {
            Some(letter) if !self.values.contains(letter) => None,
            Some(letter) => match text.split_once(letter).map(|(_, rest)| rest) {
                Some("") => next(),
                rest => rest,
            },
            None if self.value_options.iter().any(|option| option == form) => next(),
            None => None,
        }
    }

    /// Whether a word is certainly no option that takes the next word.
    fn takes_none(&self, text: &str) -> bool {
        !text.starts_with('-') || self.plain_flags.iter().any(|flag| flag == text)
    }

    /// Whether the next word is the value of this one.
    fn takes_value(&self, word: &Word<'_>) -> bool {
        let Some(text) = word.known() else { return false };
        if self.value_options.iter().any(|option| option == text) {
            return true;
        }
        let Some(cluster) = text.strip_prefix('-').filter(|rest| !rest.starts_with('-')) else {
            return false;
        };
        let takes = |letter: char| self.values.contains(letter);
        // The first letter with a value takes the rest of the word, or the next one if there is none.
        self.style != Style::Single && cluster.find(takes).is_some_and(|at| at + 1 == cluster.len())
    }

    /// Whether a certain word is this option.
    fn is(&self, form: &str, text: &str) -> bool {
        if let Some(begin) = form.strip_suffix('*') {
            let double = text.strip_prefix('-').filter(|_| self.style == Style::Single);
            return text.starts_with(begin) || double.is_some_and(|text| text.starts_with(begin));
        }
        if let Some(long) = form.strip_prefix("--") {
            let Some(given) = text.strip_prefix("--") else { return false };
            let name = given.split('=').next().unwrap_or(given);
            return name == long || (self.style == Style::Gnu && !name.is_empty() && long.starts_with(name));
        }
        if let Some(short) = form.strip_prefix('-') {
            if self.style == Style::Single || short.chars().count() != 1 {
                let double = text
                    .strip_prefix('-')
                    .filter(|rest| self.style == Style::Single && rest.starts_with('-'));
                let text = double.unwrap_or(text);
                return text == form || text.strip_prefix(form).is_some_and(|rest| rest.starts_with('='));
            }
            let Some(cluster) = text.strip_prefix('-').filter(|rest| !rest.starts_with('-')) else {
                return false;
            };
            let takes = |letter: char| self.values.contains(letter);
            for letter in cluster.chars() {
                if short.starts_with(letter) {
                    return true;
                }
                if takes(letter) {
                    return false;
                }
            }
            return false;
        }
        if form.ends_with('=') { text.starts_with(form) } else { text == form }
    }

    /// Whether a word that begins with `lead` could turn out to be this option.
    fn could_become(&self, form: &str, lead: &str) -> bool {
        let form = form.trim_end_matches('*');
        if lead.is_empty() || form.starts_with(lead) || lead.starts_with(form) {
            return true;
        }
        if !form.starts_with('-') || !lead.starts_with('-') {
            return false;
        }
        match (form.strip_prefix("--"), lead.strip_prefix("--")) {
            (Some(long), Some(given)) => {
                let name = given.split('=').next().unwrap_or(given);
                long.starts_with(name)
            }
            (None, None) => self.style != Style::Single,
            (None, Some(_)) => self.style == Style::Single,
            (Some(_), None) => lead == "-",
        }
    }
}

/// Whether a call of an interpreter takes its program from the standard input.
pub(super) fn reads_code(program: &Program, words: &[Word<'_>]) -> bool {
    if !program.interpreter && !program.reads_code {
        return false;
    }
    for word in words.iter().skip(1) {
        let Some(text) = word.known() else { return true };
        if matches!(text, "-" | "-s" | "/dev/stdin") {
            return true;
        }
        if !text.starts_with('-') {
            return program.reads_code;
        }
        let inline = program.inline.iter().any(|option| option == text)
            || matches!(text, "-c" | "-e" | "-m" | "--version" | "-V" | "-v" | "--help" | "-h")
            || (program.shell.is_some() && !text.starts_with("--") && text.ends_with('c'));
        if inline {
            return false;
        }
    }
    true
}

/// Whether redirections feed a text of the line to the command.
pub(super) fn is_fed(redirects: &[Redirect<'_>]) -> bool {
    redirects.iter().any(|redirect| redirect.op.starts_with("<<"))
}
