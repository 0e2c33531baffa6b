//! The rules, in order, over the words and phrases of a message.

use crate::characters::Class;
use crate::items::{Gap, Items, State, arrange};
use crate::scan::Tokens;
use crate::settle::settle;
use crate::table::Table;
use crate::word::{ACKNOWLEDGES, ANSWERS, RELUCTANT, Role, SPACED};
use plan_gate_core::{OtherWhy, ReplyKind};

/// The verdict, with places in the folded text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub(crate) kind: ReplyKind,
    pub(crate) why: Option<OtherWhy>,
    /// Where the user's remaining words are.
    pub(crate) note: Option<(usize, usize)>,
    pub(crate) rule: &'static str,
}

impl Judgement {
    pub(crate) fn other(why: OtherWhy, rule: &'static str) -> Self {
        Self { kind: ReplyKind::Other, why: Some(why), note: None, rule }
    }
}

/// Judges a folded message by its words; leaves in `items` what it is made of.
pub(crate) fn judge(
    table: &Table,
    text: &str,
    tokens: &Tokens,
    has_question_mark: bool,
    items: &mut Items,
) -> Judgement {
    items.clear();
    arrange(table, text, tokens, items);
    settle(table, text, items);
    if has_question_mark && asks(table, text) {
        Judgement::other(OtherWhy::Question, "question-mark")
    } else {
        decide(table, text, items)
    }
}

/// Whether a question mark ends something, rather than standing inside a word or an address.
fn asks(table: &Table, text: &str) -> bool {
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if table.characters.class(c) == Class::Question
            && rest
                .peek()
                .is_none_or(|next| !(next.is_ascii_alphanumeric() || matches!(next, '=' | '&' | '%')))
        {
            return true;
        }
    }
    false
}

/// What the items of a message come to.
#[derive(Default)]
struct Tally {
    approvals: usize,
    /// Every approval merely acknowledges, is merely reluctant, or may be an answer to a question.
    acknowledging: usize,
    /// Acknowledgements of one word, that assess nothing.
    bare: usize,
    reluctant: usize,
    answering: usize,
    strong: usize,
    spaced: usize,
    negated: bool,
    past: bool,
    reported: bool,
    asks: bool,
    /// Content that is no negator.
    matter: bool,
    thanks: bool,
    goodbye: bool,
    praise: bool,
    fact: bool,
    interjection: bool,
    hedge: bool,
    /// First content, and the end of the last.
    content: Option<(usize, usize)>,
    end: usize,
}

fn tally(items: &Items) -> Tally {
    let mut tally = Tally::default();
    for (index, item) in items.iter().enumerate() {
        match item.state {
            State::Counts => {
                tally.approvals += 1;
                tally.strong += usize::from(item.role == Role::Strong);
                // 好的吧, ok吧: an acknowledgement with a shrug.
                let shrugs = item.flags & ACKNOWLEDGES != 0
                    && items
                        .get(index + 1)
                        .is_some_and(|next| next.gap == Gap::None && next.role == Role::Modal);
                tally.acknowledging += usize::from(item.flags & ACKNOWLEDGES != 0);
                tally.bare += usize::from(item.flags & ACKNOWLEDGES != 0 && item.phrase.is_none() && !shrugs);
                tally.reluctant += usize::from(item.flags & RELUCTANT != 0 || shrugs);
                tally.answering += usize::from(item.flags & (ANSWERS | ACKNOWLEDGES | RELUCTANT) != 0);
                tally.spaced += usize::from(item.flags & SPACED != 0);
                continue;
            }
            State::Stripped => {
                tally.thanks |= item.role == Role::Thanks;
                tally.goodbye |= item.role == Role::Goodbye;
                tally.praise |= item.role == Role::Praise;
                tally.fact |= item.role == Role::Fact;
                tally.interjection |= item.role == Role::Interjection;
                continue;
            }
            State::Negated => tally.negated = true,
            State::Past => tally.past = true,
            State::Reported => tally.reported = true,
            State::Asks => tally.asks = true,
            State::Content => tally.hedge |= item.role == Role::Hedge,
        }
        tally.matter |= item.role != Role::Negator;
        tally.content.get_or_insert((index, item.start as usize));
        tally.end = item.end as usize;
    }
    tally
}

fn decide(table: &Table, text: &str, items: &Items) -> Judgement {
    let tally = tally(items);
    if tally.asks {
        return Judgement::other(OtherWhy::Question, "question-word");
    }
    if tally.approvals == 0 {
        return nothing(items, &tally);
    }
    match tally.content {
        None => plain(table, text, items, &tally),
        Some((index, start)) => with_content(text, items, &tally, index, start),
    }
}

/// No expression of approval counts.
fn nothing(items: &Items, tally: &Tally) -> Judgement {
    let first = items.iter().find(|item| item.state != State::Stripped && item.role != Role::Clause);
    if tally.negated || first.is_some_and(|item| item.role == Role::Negator) {
        Judgement::other(OtherWhy::Negation, "negation")
    } else if tally.past {
        Judgement::other(OtherWhy::Past, "past")
    } else if tally.reported {
        Judgement::other(OtherWhy::Report, "report")
    } else if tally.hedge && items.iter().all(|item| item.role == Role::Hedge || item.role.strips()) {
        Judgement::other(OtherWhy::Reluctant, "hedge")
    } else if items.is_empty() {
        Judgement::other(OtherWhy::Empty, "empty")
    } else {
        Judgement::other(OtherWhy::NoApproval, "no-approval")
    }
}

/// Approvals and nothing else of weight.
fn plain(table: &Table, text: &str, items: &Items, tally: &Tally) -> Judgement {
    let only = |some: usize| some == tally.approvals;
    if tally.reluctant > 0 && only(tally.reluctant + tally.bare) {
        return Judgement::other(OtherWhy::Reluctant, "reluctant");
    }
    let closes = only(tally.acknowledging) && tally.thanks
        || tally.strong == 0 && tally.goodbye
        || only(tally.bare) && tally.praise;
    if closes {
        return Judgement::other(OtherWhy::Closing, "closing");
    }
    if only(tally.acknowledging) && tally.interjection {
        // "Oh, ok" and "oh, that's great" take note of something.
        return Judgement::other(OtherWhy::Report, "takes-note");
    }
    if only(tally.answering) && tally.fact {
        return Judgement::other(OtherWhy::Report, "fact");
    }
    if only(tally.acknowledging) && trails_off(table, text, items) {
        return Judgement::other(OtherWhy::Reluctant, "trails-off");
    }
    let rule =
        if items.iter().all(|item| matches!(item.role, Role::Continuation | Role::Particle | Role::Modal)) {
            "continuation"
        } else {
            "approval"
        };
    Judgement { kind: ReplyKind::Approve, why: None, note: None, rule }
}

/// Whether the message ends in three dots.
fn trails_off(table: &Table, text: &str, items: &Items) -> bool {
    let end = items.last().map_or(0, |item| item.end as usize);
    let tail = text.get(end..).unwrap_or("");
    let dots = tail.chars().filter(|c| matches!(c, '.' | '。')).count();
    dots >= 3 || tail.chars().any(|c| c == '…' && table.characters.class(c) == Class::Separator)
}

/// A yes and something else.
fn with_content(text: &str, items: &Items, tally: &Tally, index: usize, start: usize) -> Judgement {
    let Some(first) = items.get(index) else {
        return Judgement::other(OtherWhy::NoApproval, "no-approval");
    };
    if tally.reluctant == tally.approvals || first.role == Role::Hedge && items.len() == index + 1 {
        return Judgement::other(OtherWhy::Reluctant, "reluctant");
    }
    if !tally.matter {
        return Judgement::other(OtherWhy::Negation, "negation");
    }
    if tally.strong == 0 && first.role == Role::Report {
        return Judgement::other(OtherWhy::Report, "report");
    }
    // Of English replies that open with "ok", one in sixteen means the plan.
    let mere = tally.bare == tally.approvals && tally.spaced == tally.approvals;
    if mere && first.role != Role::Connective {
        return Judgement::other(OtherWhy::Report, "acknowledged");
    }
    let note = note(text, items, index, start, tally.end);
    Judgement { kind: ReplyKind::Amend, why: None, note: Some(note), rule: "amendment" }
}

/// The user's remaining words: from the first content to the last, with what points at it.
fn note(text: &str, items: &Items, index: usize, mut start: usize, end: usize) -> (usize, usize) {
    let mut at = index;
    while let (Some(item), Some(before)) =
        (items.get(at), at.checked_sub(1).and_then(|index| items.get(index)))
    {
        if item.gap == Gap::Break || before.state != State::Stripped || before.role != Role::Pointing {
            break;
        }
        start = before.start as usize;
        at -= 1;
    }
    let inside = text.get(start..end).unwrap_or("");
    let trailing = inside.len() - inside.trim_end().len();
    (start, end - trailing)
}
