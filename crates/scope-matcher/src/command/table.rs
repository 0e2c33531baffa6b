//! Entries compiled for lookup: whole lines by hash, words by a trie.

use super::cover::Cover;
use super::normal::{normalise, word_key};
use super::sequence::Sequence;
use super::{Breadth, CommandCoverage, FileCover, breadth};
use crate::shell::{Marks, Part, Split, Word, split};
use plan_gate_core::{CommandCase, Dialect, FaultCode};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::borrow::Cow;
use std::hash::BuildHasher;

/// Compiled `commands` entries.
///
/// What a look-up costs does not depend on the number of entries.
#[derive(Debug, Clone, Default)]
pub struct CommandTable {
    pub(super) case: CommandCase,
    posix: Entries,
    powershell: Entries,
    cmd: Entries,
}

/// The entries as one family of shells reads them.
#[derive(Debug, Clone, Default)]
pub(super) struct Entries {
    lines: FxHashMap<Box<str>, usize>,
    nodes: Vec<Node>,
    children: FxHashMap<u64, u32>,
    /// Prefix entries that are lists.
    pub sequences: Vec<Sequence>,
    /// The whole line is compared without case.
    whole: bool,
}

/// A place in the trie of words.
#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    parent: u32,
    key: Box<str>,
    /// The next node with the same hash.
    twin: Option<u32>,
    /// Entries that end here.
    pub exact: Vec<Exact>,
    /// The first entry `words *` that ends here.
    pub prefix: Option<usize>,
    /// Entries `words beginning*`: the beginning of the next word, sorted.
    pub partials: Vec<(Box<str>, usize)>,
}

/// An entry without `*`.
#[derive(Debug, Clone)]
pub(super) struct Exact {
    pub entry: usize,
    /// Redirections of the entry, which the call must then have too.
    pub redirects: Vec<(&'static str, Box<str>)>,
}

impl Node {
    /// An entry that ends here; of the beginnings of words only one that fits `word`.
    fn any(&self, word: Option<&Word<'_>>) -> Option<usize> {
        let fits = |(partial, _): &&(Box<str>, usize)| {
            word.is_none_or(|word| word.text().starts_with(partial.as_ref()))
        };
        let partial = || self.partials.iter().find(fits).map(|(_, entry)| *entry);
        self.exact.first().map(|exact| exact.entry).or(self.prefix).or_else(partial)
    }
}

impl CommandTable {
    /// Compiles entries.
    ///
    /// # Errors
    ///
    /// The entries that cannot be used, each with its index, what is wrong, and the entry.
    pub fn compile(entries: &[String], case: CommandCase) -> Result<Self, Vec<(usize, FaultCode, String)>> {
        let blank = |entry: &str| entry.trim_matches([' ', '\t', '\n']).is_empty();
        let faults: Vec<_> = entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| blank(entry))
            .map(|(index, entry)| (index, FaultCode::Blank, entry.clone()))
            .collect();
        if !faults.is_empty() {
            return Err(faults);
        }
        let of = |dialect| Entries::compile(entries, case, dialect);
        Ok(Self {
            case,
            posix: of(Dialect::Bash),
            powershell: of(Dialect::Powershell),
            cmd: of(Dialect::Cmd),
        })
    }

    /// Whether the entries, together with the files list, cover a line.
    ///
    /// For [`Dialect::Argv`] the line is a JSON array of words.
    pub fn covers(&self, line: &str, dialect: Dialect, files: &dyn FileCover) -> CommandCoverage {
        Cover::new(self, dialect, files).line(line)
    }

    /// Why an entry covers more than its author may think, if it does.
    pub fn broad(entry: &str) -> Option<Breadth> {
        breadth::broad(entry)
    }

    pub(super) fn entries(&self, dialect: Dialect) -> &Entries {
        match dialect {
            Dialect::Powershell => &self.powershell,
            Dialect::Cmd => &self.cmd,
            _ => &self.posix,
        }
    }
}

const ROOT: u32 = 0;

impl Entries {
    fn compile(entries: &[String], case: CommandCase, dialect: Dialect) -> Self {
        let whole = matches!(dialect, Dialect::Powershell | Dialect::Cmd);
        let mut table = Self { whole, nodes: vec![Node::default()], ..Self::default() };
        for (index, entry) in entries.iter().enumerate() {
            match entry.strip_suffix('*') {
                Some(prefix) => table.add_prefix(index, prefix, case, dialect),
                None => table.add_exact(index, entry, case, dialect),
            }
        }
        for node in &mut table.nodes {
            node.partials.sort_by(|a, b| a.0.cmp(&b.0));
        }
        table
    }

    fn add_exact(&mut self, index: usize, entry: &str, case: CommandCase, dialect: Dialect) {
        self.lines.entry(normalise(entry, dialect, case).into()).or_insert(index);
        let split = split(entry, dialect);
        let Some(part) = only_part(&split) else { return };
        let mut node = self.behind_assignments(part);
        for word in &part.words {
            node = self.child_or_new(node, &key(word, case, self.whole));
        }
        let exact = Exact {
            entry: index,
            redirects: part
                .redirects
                .iter()
                .map(|redirect| (redirect.op, redirect.target.raw().into()))
                .collect(),
        };
        if let Some(node) = self.nodes.get_mut(node as usize) {
            node.exact.push(exact);
        }
    }

    fn add_prefix(&mut self, index: usize, prefix: &str, case: CommandCase, dialect: Dialect) {
        let whole_words = prefix.ends_with([' ', '\t']) || prefix.is_empty();
        let trimmed = prefix.trim_matches([' ', '\t']);
        if trimmed.is_empty() {
            if let Some(root) = self.nodes.first_mut() {
                root.prefix.get_or_insert(index);
            }
            return;
        }
        let split = split(trimmed, dialect);
        if split.parts.len() > 1 && dialect == Dialect::Bash {
            self.sequences.extend(Sequence::new(index, prefix, case, dialect));
        }
        let Some(part) = only_part(&split).filter(|part| part.redirects.is_empty()) else { return };
        let (words, partial) = match part.words.split_last() {
            Some((last, words)) if !whole_words => (words, Some(last)),
            _ => (part.words.as_slice(), None),
        };
        let mut node = self.behind_assignments(part);
        for word in words {
            node = self.child_or_new(node, &key(word, case, self.whole));
        }
        let Some(node) = self.nodes.get_mut(node as usize) else { return };
        match partial {
            Some(word) if word.certain() => {
                node.partials.push((word_key(word.text(), case, self.whole).into(), index));
            }
            Some(_) => {}
            None => {
                node.prefix.get_or_insert(index);
            }
        }
    }

    /// The place behind the assignments of an entry: they are compared as they are written.
    fn behind_assignments(&mut self, part: &Part<'_>) -> u32 {
        let mut node = ROOT;
        for word in &part.assignments {
            node = self.child_or_new(node, &assignment_key(word));
        }
        node
    }

    /// The entry that is the whole line.
    pub(super) fn line(&self, normal: &str) -> Option<usize> {
        self.lines.get(normal).copied()
    }

    /// The place behind the assignments in front of a command, if an entry has the same.
    pub(super) fn start(&self, assignments: &[Word<'_>]) -> Option<(u32, &Node)> {
        let mut at = (ROOT, self.nodes.first()?);
        for word in assignments {
            at = self.child(at.0, &assignment_key(word))?;
        }
        Some(at)
    }

    /// The node behind `parent` for a word.
    pub(super) fn next(&self, parent: u32, word: &Word<'_>, case: CommandCase) -> Option<(u32, &Node)> {
        self.child(parent, &key(word, case, self.whole))
    }

    /// The longest partial entry of a node that the word begins with.
    pub(super) fn partial<'t>(
        &self,
        node: &'t Node,
        word: &Word<'_>,
        case: CommandCase,
    ) -> Option<(&'t str, usize)> {
        if node.partials.is_empty() {
            return None;
        }
        let lead = word.lead();
        let lead = word_key(&lead, case, self.whole);
        // Beginnings of the word sort before it; the longest of them is the last, but others that
        // are no beginnings may stand between. Each length is looked up on its own.
        lead.char_indices()
            .map(|(at, c)| at + c.len_utf8())
            .rev()
            .filter_map(|length| lead.get(..length))
            .find_map(|begin| {
                let at = node.partials.binary_search_by(|(partial, _)| partial.as_ref().cmp(begin)).ok()?;
                node.partials.get(at).map(|(partial, entry)| (partial.as_ref(), *entry))
            })
    }

    /// The entry that shares most words with a call, for explanations.
    pub(super) fn nearest(&self, words: &[Word<'_>], case: CommandCase) -> Option<usize> {
        let mut at = ROOT;
        for word in words {
            match self.next(at, word, case) {
                Some((next, _)) => at = next,
                None => break,
            }
        }
        if at == ROOT {
            return self.nodes.first().and_then(|root| root.any(words.first()));
        }
        loop {
            let node = self.nodes.get(at as usize)?;
            if let Some(entry) = node.any(None) {
                return Some(entry);
            }
            let child = self.nodes.iter().skip(1).position(|child| child.parent == at)?;
            at = u32::try_from(child + 1).ok()?;
        }
    }

    fn child(&self, parent: u32, key: &str) -> Option<(u32, &Node)> {
        let mut at = self.children.get(&hash(parent, key)).copied();
        while let Some(index) = at {
            let node = self.nodes.get(index as usize)?;
            if node.parent == parent && node.key.as_ref() == key {
                return Some((index, node));
            }
            at = node.twin;
        }
        None
    }

    fn child_or_new(&mut self, parent: u32, key: &str) -> u32 {
        if let Some((index, _)) = self.child(parent, key) {
            return index;
        }
        let index = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let twin = self.children.insert(hash(parent, key), index);
        self.nodes.push(Node { parent, key: key.into(), twin, ..Node::default() });
        index
    }
}

fn hash(parent: u32, key: &str) -> u64 {
    FxBuildHasher.hash_one((parent, key))
}

fn assignment_key(word: &Word<'_>) -> String {
    format!("\u{3}{}", word.raw())
}

fn only_part<'s, 'a>(split: &'s Split<'a>) -> Option<&'s Part<'a>> {
    match split.parts.as_slice() {
        [part] if split.opaque.is_none() && !part.words.is_empty() => Some(part),
        _ => None,
    }
}

/// The word as it stands in the trie. A word that expands is compared by its source, and apart from
/// every certain text.
fn key<'w>(word: &'w Word<'_>, case: CommandCase, whole: bool) -> Cow<'w, str> {
    if word.certain() {
        word_key(word.text(), case, whole)
    } else if word.marks().has(Marks::SPLITS.with(Marks::EXPANDS).with(Marks::PIPE)) {
        Cow::Owned(format!("\u{1}{}", word.raw()))
    } else {
        Cow::Owned(format!("\u{2}{}", word.raw()))
    }
}
