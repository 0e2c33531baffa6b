//! Prefix entries that are lists: `cd web && pnpm *`.
//!
//! Such an entry covers a line that begins with the same text and, taken apart, is the same list with
//! more words at the end of its last command.

use super::cover::{Call, Cover};
use super::directory::Directories;
use super::normal::normalise;
use super::values::Values;
use crate::shell::{Marks, Split, Step, Word, split};
use plan_gate_core::{CommandCase, Dialect};

/// A compiled entry of this kind.
#[derive(Debug, Clone)]
pub(super) struct Sequence {
    pub entry: usize,
    /// The text up to the `*`, as whole lines are compared.
    text: Box<str>,
    /// The sources of all commands but the last.
    before: Vec<Box<str>>,
    /// The words of the last command; the last one may be only a beginning.
    words: Vec<Box<str>>,
    whole_words: bool,
}

impl Sequence {
    /// Reads the text before the `*`, if it is a list of plain commands.
    pub(super) fn new(entry: usize, prefix: &str, case: CommandCase, dialect: Dialect) -> Option<Self> {
        let split = split(prefix.trim_matches([' ', '\t']), dialect);
        let (last, before) = split.parts.split_last()?;
        let plain = |word: &Word<'_>| word.known().map(Box::from);
        let only_lists = split.steps.iter().all(|step| !matches!(step, Step::Enter | Step::Leave));
        if before.is_empty()
            || !only_lists
            || changes(&split)
            || !last.redirects.is_empty()
            || !last.assignments.is_empty()
        {
            return None;
        }
        let words: Vec<Box<str>> = last.words.iter().map(plain).collect::<Option<_>>()?;
        let text = normalise(prefix.trim_start_matches([' ', '\t']), dialect, case);
        Some(Self {
            entry,
            text: text.trim_end_matches([' ', '\t']).into(),
            before: before.iter().map(|part| normalise(&part.source, dialect, case).into()).collect(),
            words,
            whole_words: prefix.ends_with([' ', '\t']),
        })
    }

    /// Whether the entry covers a line, which is given as it is compared and taken apart.
    pub(super) fn covers(&self, cover: &Cover<'_>, normal: &str, split: &Split<'_>) -> bool {
        let Some((last, before)) = split.parts.split_last() else { return false };
        let same = normal.starts_with(self.text.as_ref())
            && !changes(split)
            && split.steps.iter().all(|step| !matches!(step, Step::Enter | Step::Leave))
            && before.len() == self.before.len()
            && before.iter().zip(&self.before).all(|(part, source)| {
                normalise(&part.source, cover.dialect, cover.table.case) == source.as_ref()
            })
            && last.assignments.is_empty()
            && self.begins(&last.words);
        if !same {
            return false;
        }
        let mut directories = Directories::new();
        let mut followed = true;
        for part in before {
            if let [cd, dir] = part.words.as_slice()
                && cd.known() == Some("cd")
            {
                followed &= dir.known().is_some_and(|dir| directories.enter(dir, cover.files));
            }
        }
        if !followed && !last.redirects.is_empty() {
            return false;
        }
        let values = Values::new(split);
        let call = Call {
            words: &last.words,
            assignments: &[],
            redirects: &last.redirects,
            values: &values,
            directories: &directories,
            appended: false,
        };
        let fixed = if self.whole_words { self.words.len() } else { self.words.len() - 1 };
        let partial = if self.whole_words { None } else { self.words.last().map(AsRef::as_ref) };
        cover.prefix(&call, fixed, partial).is_ok()
    }

    /// Whether the words begin with those of the entry.
    fn begins(&self, words: &[Word<'_>]) -> bool {
        let Some((last, whole)) = self.words.split_last() else { return false };
        let known = words.iter().map(Word::known);
        if words.len() < self.words.len() || !whole.iter().zip(known).all(|(entry, word)| word == Some(entry))
        {
            return false;
        }
        let Some(word) = words.get(whole.len()) else { return false };
        let open = word.marks().has(Marks::SPLITS) && whole.is_empty();
        if self.whole_words {
            word.known() == Some(last.as_ref())
        } else {
            !open && word.lead().starts_with(last.as_ref())
        }
    }
}

/// Whether the line defines or computes anything that other parts may depend on.
fn changes(split: &Split<'_>) -> bool {
    split.opaque.is_some()
        || !split.bindings.is_empty()
        || !split.functions.is_empty()
        || !split.evaluated.is_empty()
        || Values::new(split).any()
}
