//! Tool names and agent kinds: exact, or families by prefix.

use rustc_hash::FxHashMap;

/// The tool entries of a scope, or its agent entries (which have no families).
#[derive(Debug, Clone, Default)]
pub(crate) struct NameTable {
    exact: Box<[(Box<str>, u32)]>,
    /// Only for lists too long to look through.
    index: Option<FxHashMap<Box<str>, u32>>,
    prefixes: Box<[(Box<str>, u32)]>,
}

/// Lists longer than this are hashed.
const FEW: usize = 8;

impl NameTable {
    /// A table of names; with `families`, one that ends in `*` covers every name with its prefix.
    pub(crate) fn new(entries: &[String], families: bool) -> Self {
        let mut exact: Vec<(Box<str>, u32)> = Vec::new();
        let mut prefixes: Vec<(Box<str>, u32)> = Vec::new();
        for (entry, place) in entries.iter().zip(0_u32..) {
            match entry.strip_suffix('*').filter(|_| families) {
                Some(prefix) => prefixes.push((prefix.into(), place)),
                None => exact.push((entry.as_str().into(), place)),
            }
        }
        let index = (exact.len() > FEW).then(|| exact.iter().cloned().collect());
        Self { exact: exact.into(), index, prefixes: prefixes.into() }
    }

    /// The place of an entry that covers this name.
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        let exact = match &self.index {
            Some(index) => index.get(name).copied(),
            None => self.exact.iter().find(|(entry, _)| **entry == *name).map(|(_, place)| *place),
        };
        exact.or_else(|| {
            self.prefixes.iter().find(|(prefix, _)| name.starts_with(&**prefix)).map(|(_, place)| *place)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_prefixes_and_agents_have_none() {
        let entries = ["write".to_owned(), "mcp__git__*".to_owned()];
        let tools = NameTable::new(&entries, true);
        for (name, place) in [
            ("write", Some(0)),
            ("Write", None),
            ("writes", None),
            ("mcp__git__push", Some(1)),
            ("mcp__git__", Some(1)),
            ("mcp__git", None),
            ("mcp__gitx__push", None),
        ] {
            assert_eq!(tools.find(name), place, "{name}");
        }
        assert_eq!(NameTable::new(&entries, false).find("mcp__git__push"), None);
        let many: Vec<String> = (0..100).map(|n| format!("tool{n}")).collect();
        assert_eq!(NameTable::new(&many, true).find("tool77"), Some(77));
        assert_eq!(NameTable::new(&many, true).find("tool"), None);
    }
}
