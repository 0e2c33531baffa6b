//! The floor of reading a reply: one bare pass of an automaton over it.

use daachorse::CharwiseDoubleArrayAhoCorasick;
use serde_json::Value;
use std::collections::BTreeSet;

/// Every word of the shipped word lists, in one automaton.
pub struct Scanner {
    automaton: CharwiseDoubleArrayAhoCorasick<u32>,
}

impl Default for Scanner {
    fn default() -> Self {
        Self::new()
    }
}

impl Scanner {
    /// Builds it.
    ///
    /// # Panics
    ///
    /// When the word lists cannot be read.
    pub fn new() -> Self {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/classifier/data/lexicon");
        let mut words = BTreeSet::new();
        for entry in std::fs::read_dir(folder).expect("the word lists") {
            let path = entry.expect("a file").path();
            if path.extension().is_some_and(|extension| extension == "json") {
                let text = std::fs::read_to_string(&path).expect("a file");
                collect(&serde_json::from_str(&text).expect("JSON"), &mut words);
            }
        }
        let automaton = CharwiseDoubleArrayAhoCorasick::new(words).expect("words");
        Self { automaton }
    }

    /// Words found in a text, overlapping ones too.
    pub fn matches(&self, text: &str) -> usize {
        self.automaton.find_overlapping_iter(text).count()
    }
}

/// Keys of a word list that hold something else: counter-examples, rules of phrases, marks.
const NO_WORDS: [&str; 7] = ["not", "pattern", "tier", "role", "name", "language", "script"];

/// The words of a list, without its [`NO_WORDS`].
fn collect(value: &Value, words: &mut BTreeSet<String>) {
    match value {
        Value::String(word) if !word.is_empty() => {
            words.insert(word.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, words)),
        Value::Object(fields) => fields
            .iter()
            .filter(|(key, _)| !NO_WORDS.contains(&key.as_str()))
            .for_each(|(_, field)| collect(field, words)),
        _ => {}
    }
}
