//! One conversation: replies and calls go in, decisions come out.

use crate::answer::{CallAnswer, DraftView, HeldView, Outside, ReplyAnswer, StateView, moves};
use crate::digest;
use crate::engine::Engine;
use crate::payload::{Carried, HeldCall};
use crate::registry::Member;
use crate::shared::Shared;
use plan_gate_core::limits::MAX_INPUT_BYTES;
use plan_gate_core::{
    Decision, Digest, EffectKind, Error, ErrorKind, Language, OtherWhy, Reason, ReplyKind, Settlement,
    Source, injection, json,
};
use plan_gate_scope_matcher::{Acting, CallReading, Coverage, Grant, Matcher};
use plan_gate_state_machine::{Call, Event, Held, Origin, Outcome, Phase, Reading, State, glance, step};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, MutexGuard};

/// A handle on one session. Cheap to clone; calls on one family run one after another.
#[derive(Debug, Clone)]
pub struct Session {
    pub(crate) shared: Arc<Shared>,
    member: Member,
}

/// Something that was written in a session.
#[derive(Debug, Clone, Copy)]
pub struct Message<'a> {
    /// Who wrote it. Only [`Source::User`] makes it a reply.
    pub source: Source,
    /// The bytes; a reply that is not UTF-8 withdraws the approval, since it may have said stop.
    pub text: &'a [u8],
    /// The id that was on screen when it was sent. A host that queues messages must pass it: otherwise
    /// an old "ok" could approve a plan nobody saw.
    pub shown: Option<Digest>,
    /// Whether images or files came with it; then empty text is not read as a reply.
    pub attachments: bool,
}

impl<'a> Message<'a> {
    /// What the user just typed.
    pub fn user(text: &'a str) -> Self {
        Self { source: Source::User, text: text.as_bytes(), shown: None, attachments: false }
    }

    /// What somebody else wrote.
    pub fn from(source: Source, text: &'a str) -> Self {
        Self { source, ..Self::user(text) }
    }

    /// The same, sent while `id` was on screen.
    pub fn shown(self, id: Digest) -> Self {
        Self { shown: Some(id), ..self }
    }
}

/// The state that a session's events move.
pub(crate) enum FamilyState<'a> {
    Locked(MutexGuard<'a, State<Carried>>),
    Orphan(State<Carried>),
}

impl Deref for FamilyState<'_> {
    type Target = State<Carried>;

    fn deref(&self) -> &State<Carried> {
        match self {
            Self::Locked(guard) => guard,
            Self::Orphan(state) => state,
        }
    }
}

impl DerefMut for FamilyState<'_> {
    fn deref_mut(&mut self) -> &mut State<Carried> {
        match self {
            Self::Locked(guard) => guard,
            Self::Orphan(state) => state,
        }
    }
}

impl Session {
    pub(crate) fn new(shared: Arc<Shared>, member: Member) -> Self {
        Self { shared, member }
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.shared.engine
    }

    /// May this call run now? The hot path: no text, and no allocation for an ordinary allowed call.
    ///
    /// `args` is the JSON of the arguments, byte for byte as the host will use them. A call that is
    /// outside the approved scope becomes the held call; the same call again answers the same.
    pub fn check(&self, tool: &str, args: &[u8]) -> Decision {
        self.decision(|matcher| matcher.read(tool, args), || canonical(tool, args))
    }

    /// The same for a host that knows the one effect of its call: no JSON, no profile.
    ///
    /// `tool` must still be in the plan's tools.
    pub fn check_effect(&self, tool: &str, kind: EffectKind, value: &str) -> Decision {
        let parts = [tool.as_bytes(), kind.name().as_bytes(), value.as_bytes()];
        self.decision(
            |matcher| matcher.read_effect(tool, kind, value),
            || digest::of("plan-gate effect", &parts),
        )
    }

    /// [`Session::check`] with everything there is to say about it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Poisoned`]: the call must not run.
    pub fn answer(&self, tool: &str, args: &[u8]) -> Result<CallAnswer, Error> {
        let mut state = self.lock()?;
        let reading = self.engine().matcher.read(tool, args);
        let (reason, id) = self.decide(&mut state, &reading, || canonical(tool, args));
        let detail = match &reading {
            CallReading::Refused(refusal) => refusal.detail.as_str(),
            CallReading::Free(_) | CallReading::Acting(_) => tool,
        };
        Ok(self.describe(&state, reason, id, detail))
    }

    /// A message arrived.
    ///
    /// Anything but a user's message in a root session changes nothing.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Poisoned`].
    pub fn reply(&self, message: Message<'_>) -> Result<ReplyAnswer, Error> {
        let mut state = self.lock()?;
        if message.source != Source::User || self.origin() != Origin::Root {
            self.step(&mut state, Event::Message);
            return Ok(ReplyAnswer::unread("not_a_reply", None, Settlement::Ignored));
        }
        if message.attachments && message.text.iter().all(u8::is_ascii_whitespace) {
            self.step(&mut state, Event::Message);
            return Ok(ReplyAnswer::unread("attachment_only", None, Settlement::Ignored));
        }
        injection::point("classifier");
        let read = match message.text.len() {
            0..=MAX_INPUT_BYTES => {
                self.engine().classifier().and_then(|classifier| classifier.classify_bytes(message.text)).ok()
            }
            _ => None,
        };
        let Some(read) = read else {
            let event = Event::Reply { reading: Reading::Other, shown: message.shown, language: None };
            let (settlement, _) = settled(self.step(&mut state, event));
            return Ok(ReplyAnswer::unread("unreadable", Some(OtherWhy::Unreadable), settlement));
        };
        let note = read.note.map(str::to_owned);
        let reading = match (read.kind, read.why) {
            (ReplyKind::Approve, _) => Reading::Approve,
            (ReplyKind::Amend, _) => Reading::Amend(note.as_deref().unwrap_or_default().into()),
            (ReplyKind::Other, Some(OtherWhy::Question)) => Reading::Question,
            (ReplyKind::Other, _) => Reading::Other,
        };
        let event = Event::Reply { reading, shown: message.shown, language: read.language };
        let (settlement, id) = settled(self.step(&mut state, event));
        Ok(ReplyAnswer {
            kind: read.kind,
            why: read.why,
            note,
            rule: read.rule,
            settlement,
            id,
            changed: moves(settlement),
        })
    }

    /// The user pressed a button that the model cannot press, beside the draft or held call `id`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NothingToSettle`] when `id` is not current, [`ErrorKind::ChildNotAllowed`] in a
    /// sub-agent, [`ErrorKind::Poisoned`]. Nothing changes.
    pub fn settle(&self, id: Digest, approve: bool) -> Result<Settlement, Error> {
        if self.origin() != Origin::Root {
            return Err(Error::new(ErrorKind::ChildNotAllowed, "a sub-agent has no user to answer for it"));
        }
        match settled(self.apply(Event::Settle { id, approve })?) {
            (Settlement::Stale | Settlement::Ignored, _) => {
                let message = format!("nothing with the id `{id}` waits for an answer now");
                Err(Error::new(ErrorKind::NothingToSettle, message))
            }
            (settlement, _) => Ok(settlement),
        }
    }

    /// Where the session stands. A sub-agent shows its root's state.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Poisoned`].
    pub fn state(&self) -> Result<StateView, Error> {
        let state = self.lock()?;
        let mut view = StateView {
            role: match self.origin() {
                Origin::Root => "root",
                Origin::Child => "child",
                Origin::Orphan => "orphan",
            },
            phase: "closed",
            draft: None,
            held: None,
            amendment: None,
            title: None,
            scope: None,
            granted: Vec::new(),
            language: self.engine().language(state.language),
        };
        match &state.phase {
            Phase::Closed => {}
            Phase::Proposed(draft) => {
                view.phase = "proposed";
                view.draft = Some(DraftView { id: draft.id, title: draft.title.clone().into() });
            }
            Phase::Revising(note) => {
                view.phase = "revising";
                view.amendment = Some(note.clone().into());
            }
            Phase::Approved(approved) => {
                view.phase = "approved";
                view.title = Some(approved.plan().title.clone().into());
                view.scope = Some(approved.plan().scope.scope().clone());
                view.granted =
                    approved.grants().iter().flat_map(|call| call.outside.iter().cloned()).collect();
                view.held = approved.held().map(held_view);
            }
        }
        Ok(view)
    }

    /// Ends the session. The approval of a closed root is gone, for its sub-agents too.
    pub fn close(self) {
        self.shared.registry.remove(&self.member);
        if self.origin() == Origin::Root
            && let Ok(mut state) = self.lock()
        {
            state.phase = Phase::Closed;
        }
    }

    /// The language the gate speaks to this session.
    pub fn language(&self) -> Language {
        self.engine().language(self.lock().ok().and_then(|state| state.language))
    }

    pub(crate) fn origin(&self) -> Origin {
        self.member.origin()
    }

    /// The family's state. An orphan has no family and is closed for ever: it gets a state of its own
    /// that nobody keeps.
    pub(crate) fn lock(&self) -> Result<FamilyState<'_>, Error> {
        let Some(family) = self.member.family() else {
            return Ok(FamilyState::Orphan(State::default()));
        };
        let poisoned = |_| Error::new(ErrorKind::Poisoned, ErrorKind::Poisoned.text());
        family.state.lock().map(FamilyState::Locked).map_err(poisoned)
    }

    pub(crate) fn apply(&self, event: Event<Carried>) -> Result<Outcome, Error> {
        Ok(self.step(&mut *self.lock()?, event))
    }

    /// One transition in place. A panic half-way leaves the state closed and the lock poisoned.
    pub(crate) fn step(&self, state: &mut State<Carried>, event: Event<Carried>) -> Outcome {
        let old = std::mem::take(state);
        injection::point("state-machine");
        let (new, outcome) = step(old, self.origin(), self.engine().policy, event);
        *state = new;
        outcome
    }

    /// The lock comes first: a panic anywhere below it closes this family for good.
    fn decision<'a>(
        &'a self,
        read: impl FnOnce(&'a Matcher) -> CallReading<'a>,
        content: impl FnOnce() -> Digest,
    ) -> Decision {
        match self.lock() {
            Ok(mut state) => {
                let reading = read(&self.engine().matcher);
                Decision::judged(self.decide(&mut state, &reading, content).0)
            }
            Err(error) => Decision::failed(error.kind()),
        }
    }

    fn decide(
        &self,
        state: &mut State<Carried>,
        reading: &CallReading<'_>,
        content: impl FnOnce() -> Digest,
    ) -> (Reason, Option<Digest>) {
        let call = match reading {
            CallReading::Free(reason) => Call::Free(*reason),
            CallReading::Refused(refusal) => Call::Refused(refusal.reason),
            CallReading::Acting(acting) => Call::Acting { outside: self.outside(state, acting, content) },
        };
        injection::point("state-machine");
        let glanced = glance(state, self.origin(), self.engine().policy, &call);
        match glanced.unwrap_or_else(|| self.step(state, Event::Call(call))) {
            Outcome::Answered { reason, held } => (reason, held),
            Outcome::Proposed(_) | Outcome::NotProposed(_) | Outcome::Settled(..) => {
                (Reason::Unavailable, None)
            }
        }
    }

    /// What of an acting call the approved scope does not cover; `None` when there is no approval.
    fn outside(
        &self,
        state: &State<Carried>,
        acting: &Acting<'_>,
        content: impl FnOnce() -> Digest,
    ) -> Option<Held<HeldCall>> {
        let approved = state.approved()?;
        let matcher = &self.engine().matcher;
        injection::point("scope-matcher");
        // Most plans are never widened: an empty list allocates nothing.
        let granted: Vec<&Grant> = approved.grants().iter().map(|call| &call.grant).collect();
        match matcher.cover(&approved.plan().scope, &granted, acting) {
            Coverage::Covered => None,
            Coverage::Outside(gaps) => {
                Some(self.held(acting, content(), gaps.into_iter().map(Outside::from).collect()))
            }
        }
    }

    /// The call as it would wait for the user.
    pub(crate) fn held(
        &self,
        acting: &Acting<'_>,
        content: Digest,
        outside: Box<[Outside]>,
    ) -> Held<HeldCall> {
        let grant = self.engine().matcher.grant(acting);
        Held {
            id: digest::of("plan-gate held call", &[&self.member.key().0, &content.0]),
            grant: HeldCall { child: self.member.child_id().map(Into::into), grant, outside },
        }
    }

    /// The answer with its text.
    fn describe(
        &self,
        state: &State<Carried>,
        reason: Reason,
        id: Option<Digest>,
        detail: &str,
    ) -> CallAnswer {
        let held = state.approved().and_then(|approved| approved.held()).filter(|held| Some(held.id) == id);
        let (outside, child) = match held {
            Some(held) => (held.grant.outside.to_vec(), held.grant.child.clone().map(String::from)),
            None => (Vec::new(), None),
        };
        let (title, note) = match &state.phase {
            Phase::Proposed(draft) => (&*draft.title, ""),
            Phase::Revising(note) => ("", &**note),
            Phase::Closed | Phase::Approved(_) => ("", ""),
        };
        let language = self.engine().language(state.language);
        let question = crate::render::outside(language, &outside, child.as_deref());
        let id_text = id.map(|id| id.to_string()).unwrap_or_default();
        let values =
            [("detail", detail), ("title", title), ("note", note), ("outside", &question), ("id", &id_text)];
        let text = self.engine().text(state.language, &format!("reason.{}", reason.name()), &values);
        CallAnswer { reason, id, outside, child, text }
    }
}

/// Digest of tool and canonical arguments: keys sorted, no blanks.
pub(crate) fn canonical(tool: &str, args: &[u8]) -> Digest {
    let value = json::from_slice::<json::Strict>(args, MAX_INPUT_BYTES).map(|strict| strict.0);
    let canonical = value.ok().and_then(|value| serde_json::to_vec(&value).ok());
    digest::of("plan-gate call", &[tool.as_bytes(), canonical.as_deref().unwrap_or(args)])
}

fn settled(outcome: Outcome) -> (Settlement, Option<Digest>) {
    match outcome {
        Outcome::Settled(settlement, id) => (settlement, id),
        Outcome::Proposed(_) | Outcome::NotProposed(_) | Outcome::Answered { .. } => {
            (Settlement::Ignored, None)
        }
    }
}

pub(crate) fn held_view(held: &Held<HeldCall>) -> HeldView {
    HeldView {
        id: held.id,
        child: held.grant.child.clone().map(String::from),
        outside: held.grant.outside.to_vec(),
    }
}
