//! The extra approval words of a configuration: checked when it is loaded.

use crate::characters::Class;
use crate::fold::{self, Room};
use crate::items::{Items, State};
use crate::mask;
use crate::reading::{Classifier, trim};
use crate::word::Role;
use plan_gate_core::limits::{MAX_APPROVAL_WORDS, MAX_ENTRY_BYTES};
use plan_gate_core::{Error, ErrorKind, OtherWhy};

/// The words as they are matched.
///
/// # Errors
///
/// The first word that cannot be an approval, with its place and the reason.
pub(crate) fn check(base: &Classifier, words: &[String]) -> Result<Vec<String>, Error> {
    if words.len() > MAX_APPROVAL_WORDS {
        let message = format!("`approvalWords` has {} words, the limit is {MAX_APPROVAL_WORDS}", words.len());
        return Err(Error::new(ErrorKind::InvalidConfig, message));
    }
    words.iter().enumerate().map(|(index, word)| check_word(base, index, word)).collect()
}

fn check_word(base: &Classifier, index: usize, word: &str) -> Result<String, Error> {
    let fault = |what: &str| {
        let shown: String = word.chars().take(60).collect();
        Error::new(ErrorKind::InvalidConfig, format!("`approvalWords[{index}]` (`{shown}`) {what}"))
    };
    if word.len() > MAX_ENTRY_BYTES {
        return Err(fault(&format!("is longer than {MAX_ENTRY_BYTES} bytes")));
    }
    let trimmed = trim(word);
    if trimmed.is_empty() {
        return Err(fault("is empty; remove it or write a word"));
    }
    let characters = &base.table().characters;
    let mut room = Room::new();
    let folded = fold::fold(characters, trimmed, &mut room);
    let text = folded.text.trim_matches(|c: char| {
        matches!(characters.class(c), Class::Blank | Class::Separator | Class::Ignored)
    });
    if text.is_empty() {
        return Err(fault("is only punctuation; write a word"));
    }
    if text.contains('\n') || mask::mask(characters, text).is_some() {
        return Err(fault(
            "has a line break or a quotation in it, which is never matched; write plain words",
        ));
    }
    if !text.chars().any(|c| c.is_alphabetic() || (!c.is_ascii() && !c.is_alphanumeric())) {
        return Err(fault("has no letter in it; a number chooses, it does not approve"));
    }
    let mut room = Room::new();
    let mut items = Items::new();
    let read = base.read(text, &mut room, &mut items);
    let only = |wanted: &dyn Fn(Role) -> bool| !items.is_empty() && items.iter().all(|i| wanted(i.role));
    if read.judgement.why == Some(OtherWhy::Question) {
        return Err(fault("is a question, and a question never approves"));
    }
    if only(&|role| role == Role::Negator) {
        return Err(fault("is a negator; it would turn a no into a yes"));
    }
    if read.judgement.why == Some(OtherWhy::Negation) && items.iter().any(|item| item.state == State::Negated)
    {
        return Err(fault("negates an approval; it would turn a no into a yes"));
    }
    if only(&|role| matches!(role, Role::Particle | Role::Modal | Role::Past)) {
        return Err(fault("is only a particle; it stands in messages of every kind"));
    }
    Ok(text.to_owned())
}
