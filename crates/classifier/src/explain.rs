//! Why a message was read as it was, for people and for programs.

use crate::fold::Room;
use crate::items::{Items, State};
use crate::mask::QUOTED;
use crate::reading::{Classifier, Reading, trim};
use crate::word::Role;
use plan_gate_core::{Language, OtherWhy, ReplyKind};
use serde::Serialize;

/// A verdict and what led to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// Approval, amendment or neither.
    pub verdict: ReplyKind,
    /// Why it is neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<OtherWhy>,
    /// The user's remaining words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The rule that decided.
    pub rule: &'static str,
    /// The language it is written in.
    pub language: Option<Language>,
    /// What the message consists of, in order; what is in no span carries nothing.
    pub spans: Vec<Span>,
}

/// A stretch of the message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Span {
    /// Where it begins in the original message, in bytes.
    pub start: usize,
    /// Where it ends, in bytes.
    pub end: usize,
    /// What it was taken for.
    pub what: SpanKind,
    /// The text itself.
    pub text: String,
    /// The phrase of the lexicon it matches, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phrase: Option<String>,
}

/// What a stretch of a message was taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SpanKind {
    /// An expression of approval that counts.
    Approval,
    /// An approval that a negator makes void.
    Negated,
    /// An approval that reports the past.
    Past,
    /// A negator.
    Negator,
    /// What makes it a question.
    Question,
    /// Politeness, particles, pointing words: nothing of its own.
    Filler,
    /// Someone else's words, or code.
    Quote,
    /// What remains: content.
    Residue,
}

impl Classifier {
    /// Reads a message and says what led to the verdict. Allocates; the verdict is that of
    /// [`Classifier::classify`].
    pub fn explain(&self, text: &str) -> Explanation {
        let Reading { kind, why, note, rule, language } = self.classify(text);
        let trimmed = trim(text);
        let offset = text.find(trimmed).unwrap_or(0);
        let mut room = Room::new();
        let mut items = Items::new();
        let read = self.read(trimmed, &mut room, &mut items);
        let mut last = 0;
        let spans = items.iter().map(|item| {
            let inside = read.text.get(item.start as usize..item.end as usize).unwrap_or("");
            let start = self.original(trimmed, &read, item.start as usize, false).max(last);
            let end = self.original(trimmed, &read, item.end as usize, true).max(start);
            last = end;
            Span {
                start: offset + start,
                end: offset + end,
                what: what(item.state, item.role, inside),
                text: trimmed.get(start..end).unwrap_or("").to_owned(),
                phrase: item
                    .phrase
                    .and_then(|phrase| self.table().grammar.phrases.get(phrase as usize))
                    .map(|phrase| phrase.name.clone()),
            }
        });
        Explanation {
            verdict: kind,
            why,
            note: note.map(str::to_owned),
            rule,
            language,
            spans: spans.collect(),
        }
    }
}

fn what(state: State, role: Role, text: &str) -> SpanKind {
    match state {
        State::Counts => SpanKind::Approval,
        State::Stripped => SpanKind::Filler,
        State::Negated => SpanKind::Negated,
        State::Past | State::Reported => SpanKind::Past,
        State::Asks => SpanKind::Question,
        State::Content if role == Role::Negator => SpanKind::Negator,
        State::Content if text.contains(QUOTED) => SpanKind::Quote,
        State::Content => SpanKind::Residue,
    }
}
