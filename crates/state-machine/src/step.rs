//! The transition function.

use crate::state::{Approved, Held, Payload, Phase, State};
use plan_gate_core::{Digest, Language, Reason, Settlement};

/// Who in the family an event comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The session the user talks to.
    Root,
    /// A sub-agent under it.
    Child,
    /// A session that claims a parent nobody knows.
    Orphan,
}

/// The two settings that change transitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Policy {
    /// Sub-agents are not gated.
    pub exempt_delegated: bool,
    /// A question clears nothing.
    pub keep_on_question: bool,
}

/// How the user's message was read.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading<N> {
    /// A plain yes.
    Approve,
    /// A yes with something added: the user's own words.
    Amend(N),
    /// A question.
    Question,
    /// Anything else.
    Other,
}

/// A call as the scope matcher judged it.
#[derive(Debug, Clone, PartialEq)]
pub enum Call<G> {
    /// It needs no plan, and this is why ([`Reason::ReadOnly`] and its kin).
    Free(Reason),
    /// No yes could make sense of it, and this is why.
    Refused(Reason),
    /// It acts. `outside` is what the approved scope does not cover; `None` when it covers everything.
    /// Without an approval in the state the field means nothing.
    Acting {
        /// What a yes would grant.
        outside: Option<Held<G>>,
    },
}

/// What can happen to a family.
#[derive(Debug, Clone, PartialEq)]
pub enum Event<V: Payload> {
    /// The model proposed a plan without faults.
    Propose(V::Plan),
    /// The model proposed a plan with faults.
    ProposeInvalid,
    /// The user wrote something that is a reply.
    Reply {
        /// How it was read.
        reading: Reading<V::Note>,
        /// The id that was on screen when it was sent, if the host knows it.
        shown: Option<Digest>,
        /// Its language, if it has one.
        language: Option<Language>,
    },
    /// Somebody who is not the user wrote something.
    Message,
    /// The user pressed a button that the model cannot press.
    Settle {
        /// The draft or held call it stood beside.
        id: Digest,
        /// Yes or no.
        approve: bool,
    },
    /// The model calls a tool.
    Call(Call<V::Grant>),
}

/// What followed from an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The draft is shown to the user under this id.
    Proposed(Digest),
    /// The proposal was refused.
    NotProposed(Option<Reason>),
    /// The user's answer did this, to the draft or held call with this id.
    Settled(Settlement, Option<Digest>),
    /// The call is answered; `held` is the id of the call the user is asked about.
    Answered {
        /// Why it may or may not run.
        reason: Reason,
        /// Set with [`Reason::Outside`] and [`Reason::QuestionOpen`].
        held: Option<Digest>,
    },
}

/// One transition: the old state and an event give the new state and what followed.
///
/// Pure and total: nothing else changes a state, so replaying a family's events gives the same state.
pub fn step<V: Payload>(
    state: State<V>,
    origin: Origin,
    policy: Policy,
    event: Event<V>,
) -> (State<V>, Outcome) {
    match event {
        Event::Propose(plan) => match origin {
            Origin::Root => {
                let id = V::id(&plan);
                (State { phase: Phase::Proposed(plan), ..state }, Outcome::Proposed(id))
            }
            Origin::Child | Origin::Orphan => (state, Outcome::NotProposed(Some(Reason::ChildCannotPropose))),
        },
        Event::ProposeInvalid => (state, Outcome::NotProposed(None)),
        Event::Message => (state, Outcome::Settled(Settlement::Ignored, None)),
        Event::Reply { .. } | Event::Settle { .. } if origin != Origin::Root => {
            (state, Outcome::Settled(Settlement::Ignored, None))
        }
        Event::Reply { reading, shown, language } => {
            let (mut next, outcome) = reply(state, policy, reading, shown);
            next.language = language.or(next.language);
            (next, outcome)
        }
        Event::Settle { id, approve } if state.current() == Some(id) => settle(state, approve),
        Event::Settle { .. } => (state, Outcome::Settled(Settlement::Stale, None)),
        Event::Call(call) => answer(state, origin, policy, call),
    }
}

/// The state after these events, and what followed from each.
pub fn replay<V: Payload>(
    policy: Policy,
    events: impl IntoIterator<Item = (Origin, Event<V>)>,
) -> (State<V>, Vec<Outcome>) {
    let mut state = State::default();
    let mut outcomes = Vec::new();
    for (origin, event) in events {
        let (next, outcome) = step(state, origin, policy, event);
        state = next;
        outcomes.push(outcome);
    }
    (state, outcomes)
}

fn reply<V: Payload>(
    state: State<V>,
    policy: Policy,
    reading: Reading<V::Note>,
    shown: Option<Digest>,
) -> (State<V>, Outcome) {
    let did = |settlement| Outcome::Settled(settlement, None);
    match reading {
        // Only an approval can be stale: everything else only ever closes.
        Reading::Approve if shown.is_some() && shown != state.current() => (state, did(Settlement::Stale)),
        Reading::Approve => settle(state, true),
        Reading::Amend(note) => (State { phase: Phase::Revising(note), ..state }, did(Settlement::Amended)),
        Reading::Question if policy.keep_on_question => (state, did(Settlement::Kept)),
        Reading::Question | Reading::Other => {
            (State { phase: Phase::Closed, ..state }, did(Settlement::Cleared))
        }
    }
}

/// Yes or no to whatever is current.
fn settle<V: Payload>(state: State<V>, approve: bool) -> (State<V>, Outcome) {
    let current = state.current();
    let (phase, settlement) = match state.phase {
        Phase::Proposed(plan) if approve => (Phase::Approved(Approved::new(plan)), Settlement::DraftApproved),
        Phase::Proposed(_) => (Phase::Closed, Settlement::DraftRejected),
        Phase::Approved(approved) if current.is_some() => {
            let settlement = if approve { Settlement::HeldApproved } else { Settlement::HeldRejected };
            (Phase::Approved(approved.settled(approve)), settlement)
        }
        phase => (phase, Settlement::Ignored),
    };
    (State { phase, language: state.language }, Outcome::Settled(settlement, current))
}

fn answer<V: Payload>(
    state: State<V>,
    origin: Origin,
    policy: Policy,
    call: Call<V::Grant>,
) -> (State<V>, Outcome) {
    if let Some(outcome) = glance(&state, origin, policy, &call) {
        return (state, outcome);
    }
    match (state.phase, call) {
        (Phase::Approved(approved), Call::Acting { outside: Some(held) }) => {
            let outcome = Outcome::Answered { reason: Reason::Outside, held: Some(held.id) };
            let phase = Phase::Approved(approved.with_held(held));
            (State { phase, language: state.language }, outcome)
        }
        // `glance` answers every other call; were it not so, refusing would be right.
        (phase, _) => {
            let outcome = Outcome::Answered { reason: Reason::Unavailable, held: None };
            (State { phase, language: state.language }, outcome)
        }
    }
}

/// The answer to a call that changes nothing, which is every call but one that becomes held.
///
/// [`step`] gives the same answer; this one leaves the state where it lies, for the calls of the hot
/// path.
pub fn glance<V: Payload>(
    state: &State<V>,
    origin: Origin,
    policy: Policy,
    call: &Call<V::Grant>,
) -> Option<Outcome> {
    let plain = |reason| Some(Outcome::Answered { reason, held: None });
    let outside = match call {
        // An orphan may read, nothing more; `allowTools` frees tools for sessions we know.
        Call::Free(Reason::AllowedTool) if origin == Origin::Orphan && !policy.exempt_delegated => {
            return plain(Reason::UnknownParent);
        }
        Call::Free(reason) | Call::Refused(reason) => return plain(*reason),
        Call::Acting { .. } if origin != Origin::Root && policy.exempt_delegated => {
            return plain(Reason::ExemptDelegated);
        }
        Call::Acting { .. } if origin == Origin::Orphan => return plain(Reason::UnknownParent),
        Call::Acting { outside } => outside,
    };
    let approved = match &state.phase {
        Phase::Approved(approved) => approved,
        Phase::Closed => return plain(Reason::Closed),
        Phase::Proposed(_) => return plain(Reason::AwaitingApproval),
        Phase::Revising(_) => return plain(Reason::AmendmentRequired),
    };
    match (approved.held().map(|held| held.id), outside) {
        // The same call again answers the same hold.
        (Some(id), Some(call)) if call.id == id => {
            Some(Outcome::Answered { reason: Reason::Outside, held: Some(id) })
        }
        (Some(id), _) => Some(Outcome::Answered { reason: Reason::QuestionOpen, held: Some(id) }),
        (None, None) => plain(Reason::InScope),
        (None, Some(_)) => None,
    }
}
