//! The lexicon files as they are written: strict types, and the checks that make a word safe to add.

use crate::word::Role;
use plan_gate_core::json;
use plan_gate_core::{Error, ErrorKind};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The shipped files, by name.
pub(crate) const FILES: &[(&str, &str)] = &[
    ("en", include_str!("../data/lexicon/en.json")),
    ("zh", include_str!("../data/lexicon/zh.json")),
    ("es", include_str!("../data/lexicon/es.json")),
    ("emoji", include_str!("../data/lexicon/emoji.json")),
];

/// How many counter-examples an approving entry needs.
const LOOKALIKES_NEEDED: usize = 3;

/// One language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lexicon {
    /// Its name, the file's too.
    pub(crate) language: String,
    pub(crate) script: Script,
    /// Single words and fixed expressions that approve.
    pub(crate) approvals: Vec<Approval>,
    /// Sequences of words that mean one thing.
    #[serde(default)]
    pub(crate) phrases: Vec<Phrase>,
    /// Alternatives of sequences, by name, for use inside phrases.
    #[serde(default)]
    pub(crate) parts: BTreeMap<String, Vec<Vec<String>>>,
    /// Words by set; a phrase is written in sets.
    #[serde(default)]
    pub(crate) sets: BTreeMap<String, Vec<String>>,
    /// Words that do not approve, by the part they play.
    #[serde(default)]
    pub(crate) words: BTreeMap<Role, Vec<String>>,
    /// Real words that are one slip away from an approval word and must not be taken for it.
    #[serde(default)]
    pub(crate) not_near: Vec<String>,
}

/// Whether words are separated by blanks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Script {
    /// Yes: a word begins and ends at a word boundary.
    Spaced,
    /// No: a word may stand anywhere.
    Unspaced,
}

/// How much an approving entry needs around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Tier {
    Strong,
    Weak,
    Verb,
    Continuation,
}

impl Tier {
    pub(crate) fn role(self) -> Role {
        match self {
            Self::Strong => Role::Strong,
            Self::Weak => Role::Weak,
            Self::Verb => Role::Verb,
            Self::Continuation => Role::Continuation,
        }
    }
}

/// A word or fixed expression that approves.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Approval {
    pub(crate) word: String,
    /// Other ways to write it, with the same meaning in every place.
    #[serde(default)]
    pub(crate) spellings: Vec<String>,
    pub(crate) tier: Tier,
    #[serde(default)]
    pub(crate) acknowledges: bool,
    #[serde(default)]
    pub(crate) answers: bool,
    #[serde(default)]
    pub(crate) past_sensitive: bool,
    #[serde(default)]
    pub(crate) reluctant: bool,
    /// Sentences with the word in them, or something that looks like it, that are no approvals.
    pub(crate) not: Vec<String>,
}

/// A sequence of words that means one thing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Phrase {
    pub(crate) name: String,
    pub(crate) role: Role,
    /// Set names in order; `?` for none or one, `*` for any number, `<name>` for a part, `=a|b` for
    /// words written in place.
    pub(crate) pattern: Vec<String>,
    #[serde(default)]
    pub(crate) acknowledges: bool,
    #[serde(default)]
    pub(crate) answers: bool,
    #[serde(default)]
    pub(crate) past_sensitive: bool,
    #[serde(default)]
    pub(crate) reluctant: bool,
    /// As for a word; needed when the phrase approves.
    #[serde(default)]
    pub(crate) not: Vec<String>,
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::InvalidConfig, message)
}

impl Lexicon {
    /// Reads one file.
    ///
    /// # Errors
    ///
    /// An unknown field, an entry without its counter-examples or with one that does not concern it, a
    /// word in two tiers or in two parts, a phrase that names no known set.
    pub(crate) fn read(name: &str, text: &str) -> Result<Self, Error> {
        let lexicon: Self = json::from_slice(text.as_bytes(), text.len())
            .map_err(|error| invalid(format!("lexicon `{name}`: {}", error.message())))?;
        if lexicon.language != name {
            return Err(invalid(format!("lexicon `{name}`: the language is `{}`", lexicon.language)));
        }
        lexicon.check_approvals()?;
        lexicon.check_words()?;
        Ok(lexicon)
    }

    fn check_approvals(&self) -> Result<(), Error> {
        let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
        for entry in &self.approvals {
            let word = entry.word.as_str();
            self.check_lookalikes(word, &entry.not)?;
            for spelling in entry.words() {
                if let Some(other) = seen.insert(spelling, word) {
                    return Err(self.fault(spelling, &format!("is listed twice, at `{other}` and `{word}`")));
                }
            }
            let concerns = |sentence: &String| {
                let sentence = sentence.to_lowercase();
                entry.words().any(|spelling| sentence.contains(spelling))
            };
            if !entry.not.iter().any(concerns) {
                return Err(self.fault(word, "has no counter-example that contains it"));
            }
        }
        for phrase in &self.phrases {
            if phrase.role.approves() {
                self.check_lookalikes(&phrase.name, &phrase.not)?;
            }
            if matches!(phrase.role, Role::Verb | Role::Clause) {
                return Err(self.fault(&phrase.name, "has a role that a phrase cannot have"));
            }
        }
        Ok(())
    }

    fn check_lookalikes(&self, entry: &str, not: &[String]) -> Result<(), Error> {
        let mut distinct: Vec<&String> = not.iter().collect();
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.len() < LOOKALIKES_NEEDED {
            let message = format!(
                "needs {LOOKALIKES_NEEDED} sentences under `not` that look like it and are no approvals, \
                 it has {}",
                distinct.len()
            );
            return Err(self.fault(entry, &message));
        }
        Ok(())
    }

    fn check_words(&self) -> Result<(), Error> {
        let mut seen: BTreeMap<&str, Role> = BTreeMap::new();
        for entry in &self.approvals {
            seen.extend(entry.words().map(|word| (word, entry.tier.role())));
        }
        for (role, words) in &self.words {
            if role.approves() || *role == Role::Clause {
                return Err(self.fault(&format!("{role:?}"), "cannot be given under `words`"));
            }
            for word in words {
                if seen.insert(word, *role).is_some() {
                    return Err(self.fault(word, "plays two parts"));
                }
            }
        }
        Ok(())
    }

    fn fault(&self, entry: &str, what: &str) -> Error {
        invalid(format!("lexicon `{}`: `{entry}` {what}", self.language))
    }
}

impl Approval {
    /// The word and its other spellings.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.word).chain(&self.spellings).map(String::as_str)
    }
}

/// The counter-examples of one entry of the lexicon, for tests.
#[derive(Debug, Clone)]
pub struct Lookalikes {
    /// The language's name.
    pub language: String,
    /// The word or the phrase's name.
    pub entry: String,
    /// Sentences that must not be read as an approval.
    pub sentences: Vec<String>,
}

/// The counter-examples of every shipped entry.
///
/// # Errors
///
/// As for building a [`Classifier`](crate::Classifier): a lexicon file is not usable.
pub fn lookalikes() -> Result<Vec<Lookalikes>, Error> {
    let mut all = Vec::new();
    for (name, text) in FILES {
        let lexicon = Lexicon::read(name, text)?;
        let words = lexicon.approvals.into_iter().map(|entry| (entry.word, entry.not));
        let phrases = lexicon.phrases.into_iter().map(|phrase| (phrase.name, phrase.not));
        all.extend(words.chain(phrases).map(|(entry, sentences)| Lookalikes {
            language: (*name).to_owned(),
            entry,
            sentences,
        }));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(rest: &str) -> Result<Lexicon, Error> {
        Lexicon::read("xx", &format!(r#"{{"language":"xx","script":"spaced",{rest}}}"#))
    }

    #[test]
    fn a_word_brings_its_counter_examples() {
        let entry = |not: &str| format!(r#""approvals":[{{"word":"aye","tier":"weak","not":[{not}]}}]"#);
        assert!(read(&entry(r#""aye aye one","no aye","aye or nay""#)).is_ok());
        for (not, why) in [
            ("", "needs 3"),
            (r#""aye one","no aye""#, "needs 3"),
            (r#""aye","aye","aye""#, "needs 3"),
            (r#""a","b","c""#, "no counter-example"),
        ] {
            let message = read(&entry(not)).unwrap_err().message().to_owned();
            assert!(message.contains(why) && message.contains("`aye`"), "{message}");
        }
    }

    #[test]
    fn what_is_unknown_or_double_is_refused() {
        let aye = |tier: &str| format!(r#"{{"word":"aye","tier":"{tier}","not":["aye a","aye b","aye c"]}}"#);
        for (rest, why) in [
            (r#""approvals":[],"color":1"#.to_owned(), "unknown field"),
            (r#""approvals":[{"word":"a","tier":"weak","not":[],"x":1}]"#.to_owned(), "unknown field"),
            (format!(r#""approvals":[{},{}]"#, aye("weak"), aye("strong")), "listed twice"),
            (format!(r#""approvals":[{}],"words":{{"negator":["aye"]}}"#, aye("weak")), "two parts"),
            (r#""approvals":[],"words":{"strong":["a"]}"#.to_owned(), "cannot be given"),
            (r#""approvals":[],"words":{"hue":["a"]}"#.to_owned(), "unknown variant"),
            (format!(r#""approvals":[{}]"#, aye("mild")), "unknown variant"),
            (r#""approvals":[],"phrases":[{"name":"p","role":"strong","pattern":[]}]"#.to_owned(), "needs 3"),
        ] {
            let message = read(&rest).unwrap_err().message().to_owned();
            assert!(message.contains(why), "{rest}: {message}");
        }
        assert!(Lexicon::read("yy", r#"{"language":"xx","script":"spaced","approvals":[]}"#).is_err());
    }
}
