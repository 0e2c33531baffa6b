//! What each item counts for where it stands: boundaries, negation, the past, questions.

use crate::characters::Class;
use crate::items::{Gap, Item, Items, State};
use crate::table::Table;
use crate::word::{ACKNOWLEDGES, ANSWERS, CONFIGURED, PAST_SENSITIVE, RELUCTANT, Role, SPACED};

/// Whether an item is content as far as boundaries go.
fn is_content(item: &Item) -> bool {
    !(item.role.strips() || item.role.approves())
}

/// Decides for each item what it counts for.
pub(crate) fn settle(table: &Table, text: &str, items: &mut Items) {
    let mut clause_start = true;
    for index in 0..items.len() {
        let Some(item) = items.get(index).copied() else { break };
        clause_start |= item.gap == Gap::Break;
        let previous = index.checked_sub(1).and_then(|index| items.get(index)).copied();
        let next = items.get(index + 1).copied();
        let state = match item.role {
            Role::Strong | Role::Weak | Role::Verb | Role::Continuation => {
                approval(text, items, index, item, previous, next)
            }
            Role::Particle | Role::Modal => {
                let carried = previous.is_some_and(|previous| !is_content(&previous));
                if carried { State::Stripped } else { State::Content }
            }
            role if role.strips() => State::Stripped,
            Role::Question => State::Asks,
            Role::QuestionStart if clause_start => State::Asks,
            Role::QuestionEnd if ends_clause(next) => State::Asks,
            Role::QuestionEdge if clause_start || ends_clause(next) => State::Asks,
            Role::Negator if either_or(table, text, &item) => State::Asks,
            _ => State::Content,
        };
        if let Some(item) = items.get_mut(index) {
            item.state = state;
        }
        clause_start &= item.role == Role::Connective || !matches!(state, State::Content | State::Asks);
    }
}

/// Whether a clause ends before the next item, modal particles aside.
fn ends_clause(next: Option<Item>) -> bool {
    next.is_none_or(|next| {
        next.gap != Gap::None
            || matches!(next.role, Role::Particle | Role::Modal | Role::Friendly | Role::QuestionEnd)
    })
}

/// A character before and after the negation that is the same: 行不行, 可不可以.
fn either_or(table: &Table, text: &str, item: &Item) -> bool {
    let before = text.get(..item.start as usize).and_then(|text| text.chars().next_back());
    let after = text.get(item.start as usize..).and_then(|text| text.chars().nth(1));
    item.flags & SPACED == 0
        && before == after
        && before.is_some_and(|c| table.characters.class(c) == Class::Ordinary)
}

/// What an expression of approval counts for where it stands.
fn approval(
    text: &str,
    items: &Items,
    index: usize,
    item: Item,
    previous: Option<Item>,
    next: Option<Item>,
) -> State {
    let spaced = item.flags & SPACED != 0;
    let follows = |role: Role| next.is_some_and(|next| next.gap == Gap::None && next.role == role);
    let bounded = match item.role {
        Role::Strong => true,
        Role::Verb => follows(Role::Modal),
        _ => {
            // Two single characters side by side may be a word of their own (可行, 行好).
            let letter =
                text.get(item.start as usize..).is_some_and(|text| text.starts_with(char::is_alphanumeric));
            let single = |other: Item| letter && other.end - other.start <= 3 && item.end - item.start <= 3;
            let crowded = |other: Option<Item>, gap: Option<Gap>| {
                !spaced
                    && gap == Some(Gap::None)
                    && other.is_some_and(|other| other.role.approves() && single(other))
            };
            if crowded(previous, Some(item.gap)) || crowded(next, next.map(|next| next.gap)) {
                return State::Content;
            }
            let left = match previous {
                None => true,
                Some(previous) if !is_content(&previous) => true,
                Some(_) if spaced => item.gap == Gap::Break,
                Some(previous) => {
                    item.gap != Gap::None
                        || !text
                            .get(..previous.end as usize)
                            .is_some_and(|text| text.ends_with(char::is_alphanumeric))
                }
            };
            let right = if spaced {
                !takes_object(text, item, next)
            } else {
                // 好的方案 is a good plan, not a yes to the plan.
                next.is_none_or(|next| {
                    next.gap != Gap::None
                        || !is_content(&next) && next.role != Role::Pointing
                        || next.role == Role::Past
                        || !text
                            .get(next.start as usize..)
                            .is_some_and(|text| text.starts_with(char::is_alphanumeric))
                })
            };
            left && right
        }
    };
    if negated(text, items, index, spaced) {
        State::Negated
    } else if follows(Role::Past) {
        if item.flags & PAST_SENSITIVE != 0 { State::Past } else { State::Reported }
    } else if bounded {
        State::Counts
    } else {
        State::Content
    }
}

/// Whether a bare English verb ("approve", "start") goes on with something else than the plan: "start
/// over", "approve button".
fn takes_object(text: &str, item: Item, next: Option<Item>) -> bool {
    let bare = item.phrase.is_none()
        && item.flags & (ANSWERS | ACKNOWLEDGES | RELUCTANT | CONFIGURED) == 0
        && !text.get(item.start as usize..item.end as usize).unwrap_or("").contains(' ');
    bare && next.is_some_and(|next| {
        next.gap == Gap::Blank
            && is_content(&next)
            && !matches!(next.role, Role::Connective | Role::Negator | Role::Hedge)
    })
}

/// How far a negator reaches: words in a spaced language, characters in another, within the clause
/// twice as far.
const REACH: usize = 3;
const FAR: usize = 2 * REACH + 1;

fn negated(text: &str, items: &Items, index: usize, spaced: bool) -> bool {
    let Some(item) = items.get(index) else { return false };
    let mut same_clause = true;
    for (before, after) in (0..index).rev().filter_map(|at| items.get(at).zip(items.get(at + 1))) {
        same_clause &= after.gap != Gap::Break;
        let between = text.get(before.end as usize..item.start as usize).unwrap_or("");
        let negator = text.get(before.start as usize..before.end as usize).unwrap_or("");
        let distance = if spaced {
            let words = between.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric));
            words.take(FAR).count() + 1
        } else {
            between.chars().chain(negator.chars()).filter(|c| !c.is_whitespace()).take(FAR).count()
        };
        if before.role == Role::Negator {
            return distance <= REACH || same_clause && distance < FAR;
        }
        if distance >= FAR {
            return false;
        }
    }
    false
}
