//! Tool names and agent kinds: exact, or families by prefix.

use rustc_hash::FxHashMap;

/// Longest list that is looked through, entry by entry.
const FEW: usize = 16;

/// An index over the tool entries of a scope, or its agent entries. Short lists have none.
#[derive(Debug, Clone, Default)]
pub(crate) struct NameTable {
    index: Option<Box<Index>>,
}

#[derive(Debug, Clone)]
struct Index {
    exact: FxHashMap<Box<str>, u32>,
    /// Prefixes of families with the place of the entry.
    prefixes: Box<[(Box<str>, u32)]>,
}

impl NameTable {
    /// An index over these entries, if they are many.
    pub(crate) fn new(entries: &[String]) -> Self {
        if entries.len() <= FEW {
            return Self::default();
        }
        let places = || entries.iter().zip(0_u32..);
        let prefix =
            |(entry, place): (&String, u32)| entry.strip_suffix('*').map(|prefix| (prefix.into(), place));
        let exact = places().map(|(entry, place)| (entry.as_str().into(), place)).collect();
        Self { index: Some(Box::new(Index { exact, prefixes: places().filter_map(prefix).collect() })) }
    }

    /// The place of an entry that covers this name. `entries` are those the table was made of; with
    /// `families`, one that ends in `*` covers every name with its prefix.
    pub(crate) fn find(&self, entries: &[String], families: bool, name: &str) -> Option<u32> {
        let Some(index) = &self.index else {
            let covers = |entry: &String| covers(entry, families, name);
            return entries.iter().zip(0..).find(|(entry, _)| covers(entry)).map(|(_, place)| place);
        };
        let family = || index.prefixes.iter().find(|(prefix, _)| families && name.starts_with(&**prefix));
        index.exact.get(name).copied().or_else(|| family().map(|(_, place)| *place))
    }
}

fn covers(entry: &str, families: bool, name: &str) -> bool {
    match entry.strip_suffix('*') {
        Some(prefix) if families => name.starts_with(prefix),
        _ => entry == name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_prefixes_and_agents_have_none() {
        let few = vec!["write".to_owned(), "mcp__git__*".to_owned()];
        let mut many = few.clone();
        many.extend((0..100).map(|n| format!("tool{n}")));
        for entries in [few, many] {
            let table = NameTable::new(&entries);
            for (name, place) in [
                ("write", Some(0)),
                ("Write", None),
                ("writes", None),
                ("mcp__git__push", Some(1)),
                ("mcp__git__", Some(1)),
                ("mcp__git", None),
                ("mcp__gitx__push", None),
            ] {
                assert_eq!(table.find(&entries, true, name), place, "{name}");
            }
            assert_eq!(table.find(&entries, false, "mcp__git__push"), None);
            assert_eq!(table.find(&entries, true, "tool77").is_some(), entries.len() > 2);
            assert_eq!(table.find(&entries, true, "tool"), None);
        }
    }
}
