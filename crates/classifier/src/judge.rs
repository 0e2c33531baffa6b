//! The rules, in order, over the words and phrases of a message.

use crate::characters::Class;
use crate::scan::Tokens;
use crate::table::Table;
use crate::word::{ACKNOWLEDGES, ANSWERS, CONFIGURED, PAST_SENSITIVE, RELUCTANT, Role, SPACED};
use plan_gate_core::{OtherWhy, ReplyKind};
use smallvec::SmallVec;

/// What lies between an item and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gap {
    None,
    Blank,
    /// Punctuation, a line break, the beginning of the message.
    Break,
}

/// A word, a phrase, or a stretch of text nobody knows (content).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Item {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) role: Role,
    pub(crate) flags: u8,
    pub(crate) gap: Gap,
    pub(crate) state: State,
    /// The phrase it is, as an index into the table.
    pub(crate) phrase: Option<u16>,
    /// It is not in the lexicon.
    pub(crate) unknown: bool,
}

/// What became of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// Carries nothing of its own.
    Stripped,
    /// An approval that counts.
    Counts,
    /// Content: what a note is made of.
    Content,
    /// An approval that is void, and why.
    Negated,
    Past,
    Reported,
    Asks,
}

pub(crate) type Items = SmallVec<[Item; 24]>;

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

/// Divides the message into words and phrases, from left to right, always taking the longest; what lies
/// between them is filled with content where there is any.
fn arrange(table: &Table, text: &str, tokens: &Tokens, items: &mut Items) {
    let mut place = 0;
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        if (token.start as usize) < place {
            index += 1;
            continue;
        }
        let gap = fill(table, text, place, token.start as usize, items);
        let mut item = longest_at(table, text, tokens, index);
        item.gap = gap;
        place = item.end as usize;
        items.push(item);
    }
    fill(table, text, place, text.len(), items);
}

/// The longest word or phrase that begins where this token does.
fn longest_at(table: &Table, text: &str, tokens: &Tokens, index: usize) -> Item {
    let here = tokens.get(index..).unwrap_or(&[]);
    let start = here.first().map_or(0, |token| token.start);
    let mut item = Item {
        start,
        end: start,
        role: Role::Clause,
        flags: 0,
        gap: Gap::None,
        state: State::Content,
        phrase: None,
        unknown: false,
    };
    // Longer words come first: the longest that plays a part of its own, else the shortest.
    for token in here.iter().take_while(|token| token.start == start) {
        let word = table.word(*token);
        if item.role == Role::Clause {
            (item.end, item.role, item.flags) = (token.end, word.role, word.flags);
        }
    }
    let longest = if item.role == Role::Clause { start } else { item.end };
    if let Some((end, index)) = table.grammar.longest(&table.words, text, here)
        && end > longest
        && let Some(phrase) = table.grammar.phrases.get(index as usize)
    {
        (item.end, item.role, item.flags) = (end, phrase.role, phrase.flags);
        item.phrase = Some(index);
    }
    item
}

/// Reads what lies between two words: an item if there is content in it. Returns how the next word is
/// set off from what comes before it.
fn fill(table: &Table, text: &str, from: usize, to: usize, items: &mut Items) -> Gap {
    let between = text.get(from..to).unwrap_or("");
    let lead = if from == 0 { Gap::Break } else { Gap::None };
    if between.is_empty() {
        return lead;
    }
    let (before, skipped) = blanks(table, between.chars(), lead);
    if skipped == between.len() {
        return before;
    }
    let (after, behind) = blanks(table, between.chars().rev(), Gap::None);
    items.push(Item {
        start: (from + skipped) as u32,
        end: (to - behind) as u32,
        role: Role::Content,
        flags: 0,
        gap: before,
        state: State::Content,
        phrase: None,
        unknown: true,
    });
    after
}

/// Walks over what carries nothing; the strongest gap seen, and the bytes walked over.
fn blanks(table: &Table, characters: impl Iterator<Item = char>, mut gap: Gap) -> (Gap, usize) {
    let mut bytes = 0;
    for c in characters {
        match table.characters.class(c) {
            Class::Separator => gap = Gap::Break,
            Class::Blank if c == '\n' => gap = Gap::Break,
            Class::Blank if gap == Gap::None => gap = Gap::Blank,
            Class::Blank | Class::Ignored => {}
            Class::Ordinary | Class::Question | Class::Quote => break,
        }
        bytes += c.len_utf8();
    }
    (gap, bytes)
}

/// Whether an item is content as far as boundaries go.
fn is_content(item: &Item) -> bool {
    !(item.role.strips() || item.role.approves())
}

/// Decides for each item what it counts for.
fn settle(table: &Table, text: &str, items: &mut Items) {
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
