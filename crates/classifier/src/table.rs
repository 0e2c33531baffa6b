//! Everything the rules look up, compiled once per configuration.

use crate::characters::Characters;
use crate::fold::{self, Room};
use crate::lexicon::{FILES, Lexicon, Script};
use crate::near::Near;
use crate::phrase::{Grammar, NO_CLASS, Names, Patterns};
use crate::word::{ACKNOWLEDGES, ANSWERS, Bits, CONFIGURED, PAST_SENSITIVE, RELUCTANT, Role, SPACED, Word};
use daachorse::CharwiseDoubleArrayAhoCorasick;
use plan_gate_core::{Error, ErrorKind};
use std::collections::BTreeMap;

/// The compiled word lists.
pub(crate) struct Table {
    pub(crate) characters: Characters,
    pub(crate) automaton: CharwiseDoubleArrayAhoCorasick<u32>,
    pub(crate) words: Vec<Word>,
    pub(crate) grammar: Grammar,
    pub(crate) near: Near,
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::InvalidConfig, message)
}

/// Word lists on their way into a table.
struct Builder {
    words: BTreeMap<String, (Word, Bits)>,
    /// Sets known so far, in all languages.
    sets: usize,
    patterns: Patterns,
    not_near: Vec<String>,
}

impl Table {
    /// The shipped lexicons, and these words (folded) as weak approvals.
    pub(crate) fn build(configured: &[String]) -> Result<Self, Error> {
        let characters = Characters::load()?;
        let mut builder =
            Builder { words: BTreeMap::new(), sets: 0, patterns: Patterns::default(), not_near: Vec::new() };
        for (name, text) in FILES {
            builder.add(&Lexicon::read(name, text)?, &characters)?;
        }
        for word in configured {
            builder.configure(word);
        }
        builder.finish(characters)
    }
}

fn flag(on: bool, flag: u8) -> u8 {
    if on { flag } else { 0 }
}

impl Builder {
    fn add(&mut self, lexicon: &Lexicon, characters: &Characters) -> Result<(), Error> {
        let spaced = flag(lexicon.script == Script::Spaced, SPACED);
        let mut add = |word: &str, role, flags, bit: Option<usize>| {
            let mut room = Room::new();
            if word.trim() != word || word.is_empty() || fold::fold(characters, word, &mut room).text != *word
            {
                let message =
                    format!("lexicon `{}`: `{word}` is not written as it is matched", lexicon.language);
                return Err(invalid(message));
            }
            self.insert(word, role, flags | spaced, bit)
                .map_err(|what| invalid(format!("lexicon `{}`: `{word}` {what}", lexicon.language)))
        };
        for entry in &lexicon.approvals {
            let flags = flag(entry.acknowledges, ACKNOWLEDGES)
                | flag(entry.answers, ANSWERS)
                | flag(entry.past_sensitive, PAST_SENSITIVE)
                | flag(entry.reluctant, RELUCTANT);
            for word in entry.words() {
                add(word, entry.tier.role(), flags, None)?;
            }
        }
        for (role, words) in &lexicon.words {
            for word in words {
                add(word, *role, 0, None)?;
            }
        }
        let mut names = BTreeMap::new();
        let mut sets = self.sets;
        let mut add = |word: &str, bit: usize| {
            self.insert(word, Role::Clause, spaced, Some(bit))
                .map_err(|what| invalid(format!("lexicon `{}`: `{word}` {what}", lexicon.language)))
        };
        for (name, words) in &lexicon.sets {
            for word in words {
                add(word, sets)?;
            }
            names.insert(name.clone(), sets);
            sets += 1;
        }
        let written = lexicon.phrases.iter().map(|phrase| &phrase.pattern);
        for element in written.chain(lexicon.parts.values().flatten()).flatten() {
            let name = element.trim_end_matches(['?', '*']);
            if let (Some(words), false) = (name.strip_prefix('='), names.contains_key(name)) {
                for word in words.split('|') {
                    add(word, sets)?;
                }
                names.insert(name.to_owned(), sets);
                sets += 1;
            }
        }
        self.sets = sets;
        if sets > Bits::CAPACITY {
            return Err(invalid(format!(
                "lexicon `{}`: more than {} sets",
                lexicon.language,
                Bits::CAPACITY
            )));
        }
        let names = Names { language: &lexicon.language, sets: &names, parts: &lexicon.parts };
        let phrases: Vec<_> = lexicon
            .phrases
            .iter()
            .map(|phrase| {
                let flags = flag(phrase.acknowledges, ACKNOWLEDGES)
                    | flag(phrase.answers, ANSWERS)
                    | flag(phrase.past_sensitive, PAST_SENSITIVE)
                    | flag(phrase.reluctant, RELUCTANT)
                    | spaced;
                (phrase, flags)
            })
            .collect();
        self.patterns.add(&phrases, &names)?;
        self.not_near.extend(lexicon.not_near.iter().cloned());
        Ok(())
    }

    /// Adds a word, or what another list says of a word that is known already.
    fn insert(&mut self, text: &str, role: Role, flags: u8, bit: Option<usize>) -> Result<(), &'static str> {
        let new = (Word { role, flags, class: NO_CLASS }, Bits::NONE);
        let (word, sets) = self.words.entry(text.to_owned()).or_insert(new);
        if word.role != role {
            match (word.role, role) {
                (_, Role::Clause) => {}
                (Role::Clause, _) => (word.role, word.flags) = (role, flags),
                // What one language negates with must not approve in another.
                (Role::Negator, _) | (_, Role::Negator) => word.role = Role::Negator,
                _ => return Err("plays another part in another language"),
            }
        }
        if let Some(bit) = bit {
            sets.set(bit);
        }
        Ok(())
    }

    fn configure(&mut self, text: &str) {
        let spaced = flag(!text.chars().any(crate::characters::is_unspaced), SPACED);
        let new = Word { role: Role::Weak, flags: spaced | CONFIGURED, class: NO_CLASS };
        let (word, _) = self.words.entry(text.to_owned()).or_insert((new, Bits::NONE));
        if !word.role.approves() {
            word.role = Role::Weak;
            word.flags = new.flags;
        }
    }

    fn finish(self, characters: Characters) -> Result<Table, Error> {
        let mut words: Vec<Word> = Vec::with_capacity(self.words.len());
        let mut patterns: Vec<(&str, u32)> = Vec::with_capacity(self.words.len());
        // No sets sort first: their class is `NO_CLASS`.
        let mut classes: Vec<Bits> = self.words.values().map(|(_, sets)| *sets).chain([Bits::NONE]).collect();
        classes.sort_unstable();
        classes.dedup();
        let grammar = self.patterns.finish(&classes)?;
        for (index, (text, (word, sets))) in (0..).zip(&self.words) {
            let mut word = *word;
            word.class = classes.binary_search(sets).map_or(NO_CLASS, |class| class as u16);
            words.push(word);
            patterns.push((text, index));
        }
        let near = Near::new(patterns.iter().copied(), &words, self.not_near);
        let automaton = CharwiseDoubleArrayAhoCorasick::with_values(patterns)
            .map_err(|error| invalid(format!("lexicon: the automaton cannot be built: {error}")))?;
        Ok(Table { characters, automaton, words, grammar, near })
    }
}
