//! Every state that a root, a sub-agent and an orphan can reach with two plans, two calls and every
//! reply, to a fixed point, against an independent plain model and against the promises themselves.
//!
//! The model keeps the table's own words: a mode and five optional fields, all cleared by hand. It
//! shares no type with the machine but the numbers of the answers.

use plan_gate_core::{Digest, Language, Reason, Settlement};
use plan_gate_state_machine::{
    Call, Event, Held, Origin, Outcome, Payload, Phase, Policy, Reading, State, glance, replay, step,
};
use std::collections::VecDeque;
use std::collections::btree_map::{BTreeMap, Entry};

#[derive(Debug, Clone, PartialEq)]
enum Small {}

impl Payload for Small {
    /// Plan `n` covers call `n`.
    type Plan = u8;
    type Grant = u8;
    type Note = u8;

    fn id(plan: &u8) -> Digest {
        draft_id(*plan)
    }
}

fn draft_id(plan: u8) -> Digest {
    Digest([plan; 16])
}

/// A held call's id covers who called.
fn call_id(call: u8, origin: Origin) -> Digest {
    Digest([10 * (origin as u8 + 1) + call; 16])
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Input {
    Propose(u8),
    ProposeInvalid,
    Approve(Option<u8>),
    Amend(u8),
    Question,
    Other,
    Message,
    Button(u8, bool),
    Read,
    Malformed,
    Act(u8),
}

/// Ids a user may name: the two drafts, and the two calls of each caller, and one nobody has.
const IDS: [u8; 7] = [1, 2, 11, 12, 21, 22, 99];

fn inputs() -> Vec<(Origin, Option<Language>, Input)> {
    let mut kinds = vec![Input::ProposeInvalid, Input::Question, Input::Other, Input::Message];
    kinds.extend([Input::Read, Input::Malformed, Input::Approve(None)]);
    for n in [1, 2] {
        kinds.extend([Input::Propose(n), Input::Amend(n), Input::Act(n)]);
    }
    for id in IDS {
        kinds.extend([Input::Approve(Some(id)), Input::Button(id, true), Input::Button(id, false)]);
    }
    let mut all = Vec::new();
    for origin in [Origin::Root, Origin::Child, Origin::Orphan] {
        for language in [None, Some(Language::En), Some(Language::Zh)] {
            all.extend(kinds.iter().map(|kind| (origin, language, *kind)));
        }
    }
    all
}

/// The facade's part: coverage is asked of the approved scope, then the machine decides.
fn event(state: &State<Small>, origin: Origin, language: Option<Language>, input: Input) -> Event<Small> {
    let reply = |reading, shown: Option<u8>| Event::Reply {
        reading,
        shown: shown.map(|id| Digest([id; 16])),
        language,
    };
    match input {
        Input::Propose(plan) => Event::Propose(plan),
        Input::ProposeInvalid => Event::ProposeInvalid,
        Input::Approve(shown) => reply(Reading::Approve, shown),
        Input::Amend(note) => reply(Reading::Amend(note), None),
        Input::Question => reply(Reading::Question, None),
        Input::Other => reply(Reading::Other, None),
        Input::Message => Event::Message,
        Input::Button(id, approve) => Event::Settle { id: Digest([id; 16]), approve },
        Input::Read => Event::Call(Call::Free(Reason::ReadOnly)),
        Input::Malformed => Event::Call(Call::Refused(Reason::DuplicateKey)),
        Input::Act(call) => {
            let covered = state
                .approved()
                .is_some_and(|approved| *approved.plan() == call || approved.grants().contains(&call));
            let outside = (!covered).then(|| Held { id: call_id(call, origin), grant: call });
            Event::Call(Call::Acting { outside })
        }
    }
}

/// gate.md §4 and §5, written down a second time.
#[derive(Debug, Clone, PartialEq, Default)]
struct Model {
    approved: bool,
    scope: Vec<u8>,
    draft: Option<u8>,
    pending: Option<(Digest, u8)>,
    amendment: Option<u8>,
    language: Option<Language>,
}

impl Model {
    fn clear(&mut self) {
        *self = Self { language: self.language, ..Self::default() };
    }

    fn current(&self) -> Option<Digest> {
        self.pending.map(|(id, _)| id).or(self.draft.map(draft_id))
    }

    fn approve(&mut self) -> (Settlement, Option<Digest>) {
        let current = self.current();
        if let Some((_, call)) = self.pending.take() {
            self.scope.push(call);
            return (Settlement::HeldApproved, current);
        }
        if let Some(plan) = self.draft.take() {
            self.scope = vec![plan];
            self.approved = true;
            return (Settlement::DraftApproved, current);
        }
        (Settlement::Ignored, None)
    }

    fn act(&mut self, policy: Policy, origin: Origin, call: u8) -> (Reason, Option<Digest>) {
        if origin != Origin::Root && policy.exempt_delegated {
            return (Reason::ExemptDelegated, None);
        }
        if origin == Origin::Orphan {
            return (Reason::UnknownParent, None);
        }
        if !self.approved {
            let reason = if self.draft.is_some() {
                Reason::AwaitingApproval
            } else if self.amendment.is_some() {
                Reason::AmendmentRequired
            } else {
                Reason::Closed
            };
            return (reason, None);
        }
        let id = call_id(call, origin);
        if let Some((pending, _)) = self.pending {
            let same = pending == id && !self.scope.contains(&call);
            let reason = if same { Reason::Outside } else { Reason::QuestionOpen };
            return (reason, Some(pending));
        }
        if self.scope.contains(&call) {
            return (Reason::InScope, None);
        }
        self.pending = Some((id, call));
        (Reason::Outside, Some(id))
    }

    fn feed(&mut self, policy: Policy, origin: Origin, language: Option<Language>, input: Input) -> Outcome {
        let silent = matches!(
            input,
            Input::Approve(_) | Input::Amend(_) | Input::Question | Input::Other | Input::Button(..)
        );
        if silent && origin != Origin::Root {
            return Outcome::Settled(Settlement::Ignored, None);
        }
        if silent && !matches!(input, Input::Button(..)) && language.is_some() {
            self.language = language;
        }
        let outcome = |(settlement, id)| Outcome::Settled(settlement, id);
        match input {
            Input::Propose(_) if origin != Origin::Root => {
                Outcome::NotProposed(Some(Reason::ChildCannotPropose))
            }
            Input::Propose(plan) => {
                self.clear();
                self.draft = Some(plan);
                Outcome::Proposed(draft_id(plan))
            }
            Input::ProposeInvalid => Outcome::NotProposed(None),
            Input::Message => outcome((Settlement::Ignored, None)),
            Input::Approve(Some(id)) if self.current() != Some(Digest([id; 16])) => {
                outcome((Settlement::Stale, None))
            }
            Input::Approve(_) => outcome(self.approve()),
            Input::Amend(note) => {
                self.clear();
                self.amendment = Some(note);
                outcome((Settlement::Amended, None))
            }
            Input::Question if policy.keep_on_question => outcome((Settlement::Kept, None)),
            Input::Question | Input::Other => {
                self.clear();
                outcome((Settlement::Cleared, None))
            }
            Input::Button(id, approve) => {
                let id = Digest([id; 16]);
                if self.current() != Some(id) {
                    return outcome((Settlement::Stale, None));
                }
                if approve {
                    return outcome(self.approve());
                }
                if self.pending.take().is_some() {
                    return outcome((Settlement::HeldRejected, Some(id)));
                }
                self.draft = None;
                outcome((Settlement::DraftRejected, Some(id)))
            }
            Input::Read => Outcome::Answered { reason: Reason::ReadOnly, held: None },
            Input::Malformed => Outcome::Answered { reason: Reason::DuplicateKey, held: None },
            Input::Act(call) => {
                let (reason, held) = self.act(policy, origin, call);
                Outcome::Answered { reason, held }
            }
        }
    }
}

/// The machine's state in the model's words.
fn seen(state: &State<Small>) -> Model {
    let mut model = Model { language: state.language, ..Model::default() };
    match &state.phase {
        Phase::Closed => {}
        Phase::Proposed(plan) => model.draft = Some(*plan),
        Phase::Revising(note) => model.amendment = Some(*note),
        Phase::Approved(approved) => {
            model.approved = true;
            model.scope = [&[*approved.plan()], approved.grants()].concat();
            model.pending = approved.held().map(|held| (held.id, held.grant));
        }
    }
    model
}

fn policies() -> Vec<Policy> {
    let both = [false, true];
    both.iter()
        .flat_map(|exempt_delegated| {
            both.iter().map(|keep_on_question| Policy {
                exempt_delegated: *exempt_delegated,
                keep_on_question: *keep_on_question,
            })
        })
        .collect()
}

#[test]
fn machine_and_model_agree_in_every_reachable_state() {
    for policy in policies() {
        // State by its text, with the events that led there.
        let mut paths: BTreeMap<String, Vec<(Origin, Event<Small>)>> = BTreeMap::new();
        let mut open = VecDeque::from([State::<Small>::default()]);
        paths.insert(format!("{:?}", State::<Small>::default()), Vec::new());
        let mut transitions = 0_u32;
        while let Some(state) = open.pop_front() {
            let path = paths[&format!("{state:?}")].clone();
            let (replayed, _) = replay(policy, path.clone());
            assert_eq!(replayed, state, "replay equals live");
            for (origin, language, input) in inputs() {
                let event = event(&state, origin, language, input);
                let (next, outcome) = step(state.clone(), origin, policy, event.clone());
                let mut model = seen(&state);
                let expected = model.feed(policy, origin, language, input);
                assert_eq!(outcome, expected, "{policy:?} {state:?} {origin:?} {input:?}");
                assert_eq!(seen(&next), model, "{policy:?} {state:?} {origin:?} {input:?}");
                promises(policy, &state, origin, input, &next, outcome);
                if let Event::Call(call) = &event {
                    let glanced = glance(&state, origin, policy, call);
                    assert_eq!(glanced, (state == next).then_some(outcome), "{state:?} {input:?}");
                }
                transitions += 1;
                if let Entry::Vacant(new) = paths.entry(format!("{next:?}")) {
                    new.insert(path.iter().cloned().chain([(origin, event)]).collect());
                    open.push_back(next);
                }
            }
        }
        // 3 languages x (closed, 2 drafts, 2 notes, 2 plans x (alone, granted, held by each caller that
        // can be held)); a run that explores less explores nothing.
        let callers = if policy.exempt_delegated { 1 } else { 2 };
        assert_eq!(paths.len(), 3 * (1 + 2 + 2 + 2 * (2 + callers)), "{policy:?}");
        assert_eq!(transitions as usize, paths.len() * inputs().len());
    }
}

/// What must hold whatever the table says.
fn promises(
    policy: Policy,
    before: &State<Small>,
    origin: Origin,
    input: Input,
    after: &State<Small>,
    outcome: Outcome,
) {
    let context = format!("{before:?} {origin:?} {input:?} -> {after:?} {outcome:?}");
    if let (Input::Act(call), Outcome::Answered { reason, .. }) = (input, outcome)
        && reason.allows()
    {
        let exempt = policy.exempt_delegated && origin != Origin::Root;
        assert!(exempt || seen(before).approved && seen(before).scope.contains(&call), "{context}");
        assert!(exempt || seen(before).pending.is_none(), "{context}");
    }
    // More is allowed afterwards only by the user's own yes.
    let grew = seen(after).scope.iter().any(|entry| !seen(before).scope.contains(entry));
    if grew || seen(after).approved && !seen(before).approved {
        let yes = matches!(input, Input::Approve(_) | Input::Button(_, true));
        assert!(yes && origin == Origin::Root, "{context}");
    }
    let invalid = matches!(input, Input::ProposeInvalid | Input::Message | Input::Read | Input::Malformed);
    if invalid || matches!(outcome, Outcome::Settled(Settlement::Stale | Settlement::Ignored, _)) {
        assert_eq!(before.phase, after.phase, "{context}");
    }
    if origin != Origin::Root && !matches!(input, Input::Act(_)) {
        assert_eq!(before, after, "{context}");
    }
}
