//! What a vector file holds.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One conversation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conversation {
    /// Unique over all files.
    pub id: String,
    /// The rule it keeps.
    pub why: String,
    /// The configuration.
    pub config: Value,
    /// What happens.
    pub steps: Vec<Map<String, Value>>,
}

/// The folder of the vectors.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance")
}

/// The conversations of one file of the manifest; `Err` says what is wrong with it.
pub fn load(folder: &str) -> Result<Vec<Conversation>, String> {
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()));
    let manifest = root().join("manifest.json");
    let manifest: BTreeMap<String, usize> =
        serde_json::from_str(&read(&manifest)?).map_err(|error| format!("manifest.json: {error}"))?;
    let mut all = Vec::new();
    for (name, count) in manifest.iter().filter(|(name, _)| name.starts_with(folder)) {
        let conversations: Vec<Conversation> =
            serde_json::from_str(&read(&root().join(name))?).map_err(|error| format!("{name}: {error}"))?;
        if conversations.len() != *count {
            return Err(format!("{name}: {} conversations, the manifest says {count}", conversations.len()));
        }
        all.extend(conversations);
    }
    Ok(all)
}

/// Whether `answer` has everything that `expect` names.
pub fn matches(expect: &Value, answer: &Value) -> bool {
    match (expect, answer) {
        (Value::Object(expect), Value::Object(answer)) => {
            expect.iter().all(|(key, value)| match (key.as_str(), value) {
                ("says", Value::Array(words)) => {
                    let message = answer.get("message").and_then(Value::as_str).unwrap_or_default();
                    words.iter().filter_map(Value::as_str).all(|word| message.contains(word))
                }
                _ => answer.get(key).is_some_and(|found| matches(value, found)),
            })
        }
        (Value::Array(expect), Value::Array(answer)) => {
            expect.len() == answer.len() && expect.iter().zip(answer).all(|(a, b)| matches(a, b))
        }
        _ => expect == answer,
    }
}

/// FNV-1a, 64 bits, over every step's outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digest(pub u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// One step.
    pub fn add(&mut self, id: &str, step: usize, typed: Option<u64>, answer: &str) {
        let typed = typed.map_or_else(|| "-".to_owned(), |typed| typed.to_string());
        for byte in format!("{id}\t{step}\t{typed}\t{answer}\n").bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}
