//! What a known word is to the rules.

use serde::Deserialize;

/// The part a word or phrase plays. Written in the lexicon files by these names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    /// Approval wherever it stands.
    Strong,
    /// Approval between boundaries.
    Weak,
    /// Approval only directly before a modal particle.
    Verb,
    /// "Go on": approval beside nothing but other approvals and politeness.
    Continuation,
    /// A particle: no content, but only right behind something.
    Particle,
    /// A modal particle (吧), which makes a lone verb an assent.
    Modal,
    /// An interjection without content.
    Interjection,
    /// "Please".
    Polite,
    /// Thanks: politeness beside a yes, the end of the talk beside an acknowledgement.
    Thanks,
    /// A goodbye, likewise.
    Goodbye,
    /// Points at the plan ("this way", 这个方案).
    Pointing,
    /// Joins ("then", 那).
    Link,
    /// Praise: never an approval by itself.
    Praise,
    /// Says yes to a fact ("that is correct"): never an approval by itself.
    Fact,
    /// Emoji and emoticons that only smile.
    Friendly,
    /// Negates what follows it.
    Negator,
    /// Makes a question wherever it stands.
    Question,
    /// Makes a question at the end of a clause.
    QuestionEnd,
    /// Makes a question at the beginning of a clause.
    QuestionStart,
    /// Makes a question at either end of a clause.
    QuestionEdge,
    /// Marks the past (了).
    Past,
    /// Hedges ("I guess", 应该): whoever is not sure has not said yes.
    Hedge,
    /// Reports what happened ("I ran it").
    Report,
    /// Opens an amendment ("but", 另外).
    Connective,
    /// Ordinary words that contain an approval word, listed so that it is not found in them.
    Content,
    /// Known only as a part of phrases; content where no phrase takes it.
    Clause,
}

impl Role {
    pub(crate) fn approves(self) -> bool {
        matches!(self, Self::Strong | Self::Weak | Self::Verb | Self::Continuation)
    }

    /// Carries no content of its own: may stand beside an approval.
    pub(crate) fn strips(self) -> bool {
        matches!(
            self,
            Self::Particle
                | Self::Modal
                | Self::Interjection
                | Self::Polite
                | Self::Thanks
                | Self::Goodbye
                | Self::Pointing
                | Self::Link
                | Self::Praise
                | Self::Fact
                | Self::Friendly
        )
    }
}

/// Set when the word merely acknowledges (ok, 好的): with thanks it closes the talk.
pub(crate) const ACKNOWLEDGES: u8 = 1;
/// Set when 了 behind the word turns it into a report.
pub(crate) const PAST_SENSITIVE: u8 = 2;
/// Set when the word is a yes only beside a better one.
pub(crate) const RELUCTANT: u8 = 4;
/// Set when the word belongs to a language written with blanks between words.
pub(crate) const SPACED: u8 = 8;
/// Set for the words of the configuration.
pub(crate) const CONFIGURED: u8 = 16;
/// Set for a yes that may as well answer a question of fact (yes, 是的).
pub(crate) const ANSWERS: u8 = 32;

/// Which sets of the lexicon a word is in: one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Bits([u64; 4]);

impl Bits {
    pub(crate) const CAPACITY: usize = 256;
    pub(crate) const NONE: Self = Self([0; 4]);

    pub(crate) fn set(&mut self, bit: usize) {
        if let Some(part) = self.0.get_mut(bit / 64) {
            *part |= 1 << (bit % 64);
        }
    }

    pub(crate) fn has(&self, bit: usize) -> bool {
        self.0.get(bit / 64).is_some_and(|part| part >> (bit % 64) & 1 == 1)
    }
}

/// A known word, compiled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word {
    pub(crate) role: Role,
    pub(crate) flags: u8,
    /// Its class for the phrases: words in the same sets have the same.
    pub(crate) class: u16,
}
