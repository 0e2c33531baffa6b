//! Which entry covers a path: a hash walk over its segments, as fast for thousands of entries as for
//! five.

use super::{PathForm, PathReader};
use rustc_hash::FxHashMap;

/// The file entries of a scope in normal text.
#[derive(Debug, Clone, Default)]
pub(crate) struct PathTable {
    entries: Box<[Entry]>,
    /// Hash of the text to its place in `entries`, for tables too long to look through.
    slots: FxHashMap<Box<str>, u32>,
    /// The entry that covers everything inside the root, though it is written as an absolute path.
    above_root: Option<u32>,
}

#[derive(Debug, Clone)]
struct Entry {
    text: Box<str>,
    index: u32,
}

impl PathTable {
    /// A table of normal texts with their places in the plan's list. `reader` made them.
    pub(crate) fn new(texts: Vec<(String, u32)>, reader: &PathReader) -> Self {
        let entries: Box<[Entry]> =
            texts.into_iter().map(|(text, index)| Entry { text: text.into_boxed_str(), index }).collect();
        let above_root = reader.root().and_then(|root| {
            let anchor = reader.anchor_len(root);
            entries.iter().find(|entry| covers(&entry.text, root, anchor)).map(|entry| entry.index)
        });
        let slots = entries.iter().map(|entry| (entry.text.clone(), entry.index)).collect();
        Self { entries, slots, above_root }
    }

    /// The place of the entry that covers this normal text. An exact path is covered by its own only.
    pub(crate) fn find(&self, reader: &PathReader, text: &str, form: &PathForm) -> Option<u32> {
        if form.is_exact() {
            return self.slots.get(text).copied();
        }
        let anchor = reader.anchor_len(text);
        if anchor == 0
            && let Some(index) = self.above_root
        {
            return Some(index);
        }
        self.entries.iter().find(|entry| covers(&entry.text, text, anchor)).map(|entry| entry.index)
    }

    /// The place of the entry that comes nearest: the longest common beginning at a segment boundary.
    pub(crate) fn nearest(&self, text: &str) -> Option<u32> {
        let common = |entry: &str| {
            let pairs = entry.split('/').zip(text.split('/'));
            pairs.take_while(|(a, b)| a == b && !a.is_empty()).count()
        };
        let best =
            self.entries.iter().map(|entry| (common(&entry.text), entry.index)).max_by_key(|(n, _)| *n)?;
        (best.0 > 0).then_some(best.1)
    }
}

/// Whether an entry is the path or a directory above it, at a segment boundary.
fn covers(entry: &str, path: &str, anchor: usize) -> bool {
    if entry.len() < anchor {
        return false;
    }
    match path.strip_prefix(entry) {
        None => false,
        Some("") => true,
        Some(rest) => entry.len() == anchor && (anchor == 0 || entry == "/") || rest.starts_with('/'),
    }
}
