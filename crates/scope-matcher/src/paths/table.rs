//! Which entry covers a path: a hash walk over its segments, as fast for thousands of entries as for
//! five.

use super::scan::Ends;
use super::{PathForm, PathReader};
use std::sync::OnceLock;

/// The file entries of a scope in normal text.
#[derive(Debug, Clone, Default)]
pub(crate) struct PathTable {
    /// All texts one after the other.
    texts: Box<str>,
    entries: Box<[Entry]>,
    /// Open addressing; a power of two, at most half full. Empty for a few entries, which are looked
    /// through.
    slots: Box<[Slot]>,
    /// Bit n: some entry has n + 1 segments; the last bit stands for all that have more. Most plans name
    /// directories of a few depths, and only there a path is looked up.
    depths: u64,
    /// The entry for the whole working directory, or all that lies above it.
    whole: Option<u32>,
    /// The entry `/`.
    slash: Option<u32>,
    /// The entries in the order of their texts, made when a long list is first asked for the nearest.
    order: OnceLock<Box<[u32]>>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    start: u32,
    end: u32,
    /// Its place in the plan's list.
    place: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    tag: u32,
    /// The number of the entry, counted from one; zero: free.
    entry: u32,
}

/// Longest list that is looked through, entry by entry.
const FEW: usize = 4;
/// Longest list that is looked through for the nearest entry.
const SHORT: usize = 32;

impl PathTable {
    /// A table of normal texts with their places in the plan's list. `reader` made them.
    pub(crate) fn new(texts: Vec<(String, u32)>, reader: &PathReader) -> Self {
        let mut table = Self::default();
        let mut joined = String::new();
        let mut entries: Vec<Entry> = Vec::with_capacity(texts.len());
        for (text, place) in texts {
            let start = joined.len();
            joined.push_str(&text);
            let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(joined.len())) else { continue };
            entries.push(Entry { start, end, place });
            let covers_root = reader.root().is_some_and(|root| covers(&text, root, reader.anchor_len(root)));
            if text.is_empty() || covers_root {
                table.whole = table.whole.or(Some(place));
            }
            if text == "/" {
                table.slash = table.slash.or(Some(place));
            }
        }
        table.texts = joined.into_boxed_str();
        table.entries = entries.into_boxed_slice();
        if table.entries.len() > FEW {
            table.fill();
        }
        table
    }

    fn fill(&mut self) {
        let size = (self.entries.len() * 2).next_power_of_two();
        let mut slots = vec![Slot::default(); size];
        for (entry, number) in self.entries.iter().zip(1_u32..) {
            let text = self.text(*entry);
            let hash = text.split('/').fold(SEED, |hash, segment| mix(hash, segment.as_bytes()));
            self.depths |= 1 << text.matches('/').count().min(63);
            let mut place = hash as usize & (size - 1);
            while slots.get(place).is_some_and(|slot| slot.entry != 0) {
                place = (place + 1) & (size - 1);
            }
            if let Some(slot) = slots.get_mut(place) {
                *slot = Slot { tag: tag(hash), entry: number };
            }
        }
        self.slots = slots.into_boxed_slice();
    }

    fn text(&self, entry: Entry) -> &str {
        self.texts.get(entry.start as usize..entry.end as usize).unwrap_or_default()
    }

    /// The place of the entry that covers this normal text. An exact path is covered by its own only.
    #[inline]
    pub(crate) fn find(&self, reader: &PathReader, text: &str, form: &PathForm) -> Option<u32> {
        let anchor = reader.anchor_len(text);
        if !form.is_exact() {
            if anchor == 0 && self.whole.is_some() {
                return self.whole;
            }
            if anchor == 1 && self.slash.is_some() {
                return self.slash;
            }
        }
        if self.entries.len() > FEW {
            return self.walk(text, anchor, form.is_exact());
        }
        let covers = |entry: &&Entry| {
            let entry = self.text(**entry);
            if form.is_exact() { entry == text } else { covers(entry, text, anchor) }
        };
        self.entries.iter().find(covers).map(|entry| entry.place)
    }

    /// Looks up the path and every directory above it, from the anchor down.
    fn walk(&self, text: &str, anchor: usize, exact: bool) -> Option<u32> {
        let mut hash = SEED;
        let mut start = 0;
        let mut depths = self.depths;
        for end in Ends::new(text.as_bytes()) {
            hash = mix(hash, text.as_bytes().get(start..end)?);
            if depths & 1 != 0
                && end >= anchor
                && (!exact || end == text.len())
                && let Some(place) = self.probe(hash, text, end)
            {
                return Some(place);
            }
            depths = depths >> 1 | depths & 1 << 63;
            if depths == 0 {
                return None;
            }
            start = end + 1;
        }
        None
    }

    /// The place of the entry that is the first `end` bytes of the text.
    #[inline]
    fn probe(&self, hash: u64, text: &str, end: usize) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut place = hash as usize & mask;
        loop {
            let slot = self.slots.get(place)?;
            let number = (slot.entry as usize).checked_sub(1)?;
            if slot.tag == tag(hash)
                && let Some(entry) = self.entries.get(number)
                && text.as_bytes().get(..end) == Some(self.text(*entry).as_bytes())
            {
                return Some(entry.place);
            }
            place = (place + 1) & mask;
        }
    }

    /// The place of the entry that comes nearest: the longest common beginning at a segment boundary; in
    /// a short list also one with the same last name.
    pub(crate) fn nearest(&self, text: &str) -> Option<u32> {
        let name = text.rsplit('/').next();
        let score = |entry: &Entry| {
            let entry = self.text(*entry);
            let pairs = entry.split('/').zip(text.split('/'));
            let common = pairs.take_while(|(a, b)| a == b && !a.is_empty()).count();
            (common, usize::from(entry.rsplit('/').next() == name))
        };
        let best = if self.entries.len() <= SHORT {
            self.entries.iter().rev().max_by_key(|entry| score(entry))
        } else {
            self.neighbours(text).max_by_key(|entry| score(entry))
        }?;
        (score(best) > (0, 0)).then_some(best.place)
    }

    /// The entries just before and behind the text in order: one of them has the longest common beginning.
    fn neighbours(&self, text: &str) -> impl Iterator<Item = &Entry> {
        let at = |number: &u32| self.entries.get(*number as usize);
        let text_at = |number: &u32| at(number).map_or("", |entry| self.text(*entry));
        let order = self.order.get_or_init(|| {
            let mut order: Vec<u32> = (0_u32..).take(self.entries.len()).collect();
            order.sort_unstable_by(|a, b| text_at(a).cmp(text_at(b)));
            order.into()
        });
        let behind = order.partition_point(|number| text_at(number) < text);
        let pair = [behind.checked_sub(1).and_then(|place| order.get(place)), order.get(behind)];
        pair.into_iter().flatten().filter_map(at)
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
        Some(rest) => entry == "/" || rest.starts_with('/'),
    }
}

const SEED: u64 = 0x51_7c_c1_b7_27_22_0a_95;

fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// Adds a segment to a hash: its length and all its bytes, eight at a time.
#[inline]
fn mix(hash: u64, segment: &[u8]) -> u64 {
    let hash = hash ^ segment.len() as u64;
    if let Some(last) = segment.last_chunk::<8>() {
        let (chunks, _) = segment.as_chunks::<8>();
        let hash = chunks.iter().fold(hash, |hash, chunk| fold(hash ^ u64::from_le_bytes(*chunk)));
        return fold(hash ^ u64::from_le_bytes(*last));
    }
    let word = match (segment.first_chunk::<4>(), segment.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32
        }
        _ => segment.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    fold(hash ^ word)
}

/// Both halves of a product: its low bits know only the low bits of what went in, and names that count up
/// (`module_17`) differ in their last bytes, which are high.
#[inline]
fn fold(word: u64) -> u64 {
    let wide = u128::from(word ^ 0x9e37_79b9_7f4a_7c15) * 0xff51_afd7_ed55_8ccd;
    wide as u64 ^ (wide >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names that count up are what directories are called.
    #[test]
    fn names_that_count_up_lie_apart() {
        for name in ["module_{}", "{}", "test_{}_spec.rs", "the-component-number-{}-of-very-many"] {
            let place = |n: usize| mix(mix(SEED, b"src"), name.replace("{}", &n.to_string()).as_bytes());
            let places: std::collections::HashSet<u64> = (0..1000).map(|n| place(n) & 2047).collect();
            assert!(places.len() > 500, "{name}: {} places for 1000 names", places.len());
        }
    }
}
