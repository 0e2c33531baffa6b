//! Judges a line: the whole of it, then every part.

use super::directory::Directories;
use super::normal::normalise;
use super::programs;
use super::table::{CommandTable, Node};
use super::values::Values;
use super::why;
use super::{CommandCoverage, FileCover, arithmetic, builtins, options, runner, writes};
use crate::shell::{Marks, Part, Split, Step, Word, split};
use plan_gate_core::{Dialect, limits};

/// Wrappers and shells inside each other, in levels.
const MOST_LEVELS: u8 = 8;

/// The entry that covered something; `None` where none was needed.
pub(super) type Entry = Option<usize>;
/// Covered, or why not.
pub(super) type Judged = Result<Entry, &'static str>;

/// One question, with everything needed to answer it.
pub(super) struct Cover<'t> {
    pub table: &'t CommandTable,
    pub dialect: Dialect,
    pub files: &'t dyn FileCover,
    levels: u8,
}

/// A simple command and what is known where it runs.
pub(super) struct Call<'c> {
    pub words: &'c [Word<'c>],
    pub assignments: &'c [Word<'c>],
    /// Empty for a command inside a wrapper: the redirections are those of the wrapper.
    pub redirects: &'c [crate::shell::Redirect<'c>],
    pub values: &'c Values<'c>,
    pub directories: &'c Directories,
    /// Further arguments that nobody knows follow (`xargs`).
    pub appended: bool,
}

impl<'t> Cover<'t> {
    pub(super) fn new(table: &'t CommandTable, dialect: Dialect, files: &'t dyn FileCover) -> Self {
        Self { table, dialect, files, levels: 0 }
    }

    /// The whole line first, then its parts.
    pub(super) fn line(&self, line: &str) -> CommandCoverage {
        let normal = normalise(line, self.dialect, self.table.case);
        if self.dialect != Dialect::Argv
            && let Some(entry) = self.table.entries(self.dialect).line(&normal)
        {
            return CommandCoverage::Covered { entry: Some(entry) };
        }
        if self.dialect == Dialect::Unknown {
            return CommandCoverage::Outside { part: line.to_owned(), why: why::NOT_LISTED, nearest: None };
        }
        if !programs::ready() {
            return CommandCoverage::Outside { part: line.to_owned(), why: why::DATA, nearest: None };
        }
        // Most calls are one plain command under one entry.
        if self.is_posix()
            && let Some(entry) = self.plain(line)
        {
            return CommandCoverage::Covered { entry };
        }
        let split = split(line, self.dialect);
        if split.opaque.is_some() {
            return CommandCoverage::Outside { part: line.to_owned(), why: why::OPAQUE, nearest: None };
        }
        if self.is_posix()
            && let Some(list) = self
                .table
                .entries(self.dialect)
                .sequences
                .iter()
                .find(|list| list.covers(self, &normal, &split))
        {
            return CommandCoverage::Covered { entry: Some(list.entry) };
        }
        match self.split(&split, Directories::new()) {
            Ok(entry) => CommandCoverage::Covered { entry },
            Err((index, why)) => {
                let part = split.parts.get(index);
                CommandCoverage::Outside {
                    part: part.map_or(line, |part| part.source.as_ref()).to_owned(),
                    why,
                    nearest: part.and_then(|part| self.nearest(&part.words)),
                }
            }
        }
    }

    fn is_posix(&self) -> bool {
        matches!(self.dialect, Dialect::Bash | Dialect::Sh | Dialect::Zsh)
    }

    /// The entry for a line that is one plain command, if one covers it.
    fn plain(&self, line: &str) -> Option<Entry> {
        if line.len() > limits::MAX_COMMAND_BYTES {
            return None;
        }
        let words = super::plain::words(line)?;
        let split = Split::default();
        let values = Values::new(&split);
        let call = Call {
            words: &words,
            assignments: &[],
            redirects: &[],
            values: &values,
            directories: &Directories::new(),
            appended: false,
        };
        self.call(&call).ok()
    }

    /// Every part of a line that was taken apart; the index of the first that is outside.
    fn split(&self, split: &Split<'_>, mut directories: Directories) -> Result<Entry, (usize, &'static str)> {
        let values = Values::new(split);
        if let Some(why) = arithmetic::hazard(split).or_else(|| builtins::functions(split)) {
            return Err((split.parts.len(), why));
        }
        let mut covering: Option<Entry> = None;
        for step in &split.steps {
            let Step::Part(index) = *step else {
                directories.step(*step);
                continue;
            };
            let Some(part) = split.parts.get(index) else { continue };
            let entry = self.part(part, split, &values, &mut directories).map_err(|why| (index, why))?;
            if entry.is_some() {
                covering =
                    if covering.is_none() || covering == Some(entry) { Some(entry) } else { Some(None) };
            }
        }
        Ok(covering.flatten())
    }

    fn part(
        &self,
        part: &Part<'_>,
        split: &Split<'_>,
        values: &Values<'_>,
        directories: &mut Directories,
    ) -> Judged {
        // A redirection is opened before the command, also before `cd`.
        let before = self.redirects(&part.redirects, values, directories);
        if let Some(judged) = builtins::free(self.dialect, part, split, directories, self.files) {
            return before.and(judged).map(|()| None);
        }
        let call = Call {
            words: &part.words,
            assignments: &part.assignments,
            redirects: &part.redirects,
            values,
            directories,
            appended: false,
        };
        self.call(&call)
    }

    /// One simple command: an entry, or what a wrapper runs.
    pub(super) fn call(&self, call: &Call<'_>) -> Judged {
        let mut reason = match self.by_entry(call) {
            Ok(entry) => return Ok(entry),
            Err(reason) => reason,
        };
        if self.levels < MOST_LEVELS && call.assignments.is_empty() {
            match self.unwrapped(call) {
                Some(Ok(entry)) => {
                    self.redirects(call.redirects, call.values, call.directories)?;
                    return Ok(entry);
                }
                Some(Err(other)) if reason == why::NOT_LISTED => reason = other,
                Some(Err(_)) | None => {}
            }
        }
        Err(reason)
    }

    /// Entries, from the longest that fits to the shortest.
    fn by_entry(&self, call: &Call<'_>) -> Judged {
        let entries = self.table.entries(self.dialect);
        let Some((mut at, mut node)) = entries.start(call.assignments) else {
            return Err(if call.assignments.is_empty() { why::NOT_LISTED } else { why::ASSIGNMENT });
        };
        if call.words.first().is_none_or(|word| !word.certain() && !word.marks().has(Marks::TILDE)) {
            return Err(why::COMPUTED);
        }
        // Where on the way prefix entries lie: (node, words it fixes).
        let mut found: [Option<(&Node, usize)>; 24] = [None; 24];
        let mut count = 0;
        let mut depth = 0;
        let mut reason = why::NOT_LISTED;
        loop {
            if (node.prefix.is_some() || !node.partials.is_empty())
                && let Some(slot) = found.get_mut(count)
            {
                *slot = Some((node, depth));
                count += 1;
            }
            if depth == call.words.len() {
                match self.exact(node, call) {
                    Some(Ok(entry)) => return Ok(entry),
                    Some(Err(other)) => reason = other,
                    None => {}
                }
                break;
            }
            let Some(word) = call.words.get(depth) else { break };
            // A word that expands means what it meant to the user only if the line changes nothing.
            if word.marks().has(Marks::SPLITS.with(Marks::EXPANDS).with(Marks::PIPE)) && call.values.any() {
                break;
            }
            match entries.next(at, word, self.table.case) {
                Some((next, child)) => (at, node) = (next, child),
                None => break,
            }
            depth += 1;
        }
        for (node, fixed) in found.iter().take(count).rev().flatten() {
            if let Some(word) = call.words.get(*fixed)
                && (*fixed > 0 || word.certain())
                && let Some((partial, entry)) = entries.partial(node, word, self.table.case)
            {
                match self.prefix(call, *fixed, Some(partial)) {
                    Ok(()) => return Ok(Some(entry)),
                    Err(other) => reason = other,
                }
            }
            if let Some(entry) = node.prefix {
                match self.prefix(call, *fixed, None) {
                    Ok(()) => return Ok(Some(entry)),
                    Err(other) => reason = other,
                }
            }
        }
        Err(reason)
    }

    /// Exact entries that end at `node`, whose words are all of the call's.
    fn exact(&self, node: &Node, call: &Call<'_>) -> Option<Judged> {
        let mut judged = None;
        for exact in &node.exact {
            let same = exact.redirects.len() == call.redirects.len()
                && exact.redirects.iter().zip(call.redirects).all(|(entry, redirect)| {
                    entry.0 == redirect.op && entry.1.as_ref() == redirect.target.raw()
                })
                && call.directories.unmoved()
                && exact.redirects.iter().all(|(op, _)| !op.starts_with("<<"));
            let result = if call.appended {
                Err(why::COMPUTED_ARGUMENT)
            } else if programs::of(call.words).is_some_and(|program| options::reads_code(program, call.words))
            {
                Err(why::FED)
            } else if same && !exact.redirects.is_empty() {
                Ok(Some(exact.entry))
            } else {
                self.redirects(call.redirects, call.values, call.directories).map(|()| Some(exact.entry))
            };
            if result.is_ok() {
                return Some(result);
            }
            judged = Some(result);
        }
        judged
    }

    /// Whether a prefix entry that fixes the first words covers the rest of the call.
    pub(super) fn prefix(
        &self,
        call: &Call<'_>,
        fixed: usize,
        partial: Option<&str>,
    ) -> Result<(), &'static str> {
        self.redirects(call.redirects, call.values, call.directories)?;
        self.allowed(call, fixed, partial)
    }

    /// Whether the words behind the fixed ones ask for nothing that needs its own entry.
    pub(super) fn allowed(
        &self,
        call: &Call<'_>,
        fixed: usize,
        partial: Option<&str>,
    ) -> Result<(), &'static str> {
        if self.is_posix() && !builtins::assigns_freely(call.words) {
            return Err(why::VARIABLE);
        }
        let Some(program) = programs::of(call.words) else { return Ok(()) };
        if options::reads_code(program, call.words) && options::is_fed(call.redirects) {
            return Err(why::FED);
        }
        if let Some(runner) = &program.runner {
            runner::allowed(self, program, runner, call, fixed, partial)?;
        }
        options::allowed(self, program, call, fixed, partial)?;
        writes::allowed(self, program, call, fixed)
    }

    /// What a transparent wrapper or a literal shell runs, if the call is one.
    fn unwrapped(&self, call: &Call<'_>) -> Option<Judged> {
        let program = programs::of(call.words)?;
        runner::unwrapped(self, program, call)
    }

    /// The same question one level further in.
    pub(super) fn inner(&self, dialect: Dialect) -> Cover<'t> {
        Cover { table: self.table, dialect, files: self.files, levels: self.levels + 1 }
    }

    /// A line inside the line (`bash -c '…'`), which starts in the same directories.
    pub(super) fn nested(&self, line: &str, dialect: Dialect, directories: &Directories) -> Judged {
        let inner = self.inner(dialect);
        if inner.levels >= MOST_LEVELS {
            return Err(why::OPAQUE);
        }
        let split = split(line, dialect);
        if split.opaque.is_some() {
            return Err(why::OPAQUE);
        }
        inner.split(&split, directories.clone()).map_err(|(_, why)| why)
    }

    /// Whether every file that redirections write may be written.
    fn redirects(
        &self,
        redirects: &[crate::shell::Redirect<'_>],
        values: &Values<'_>,
        directories: &Directories,
    ) -> Result<(), &'static str> {
        redirects.iter().try_for_each(|redirect| writes::redirect(redirect, values, directories, self.files))
    }

    /// The entry that shares most words with the call.
    fn nearest(&self, words: &[Word<'_>]) -> Option<usize> {
        self.table.entries(self.dialect).nearest(words, self.table.case)
    }
}
