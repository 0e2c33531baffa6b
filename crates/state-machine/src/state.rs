//! What one family of sessions remembers.

use plan_gate_core::{Digest, Language};
use std::fmt::Debug;

/// The opaque things a state carries.
pub trait Payload {
    /// A plan that was proposed or approved.
    type Plan: Clone + Debug + PartialEq;
    /// What a yes to a held call adds to the approved scope.
    type Grant: Clone + Debug + PartialEq;
    /// The user's own words of an amendment.
    type Note: Clone + Debug + PartialEq;

    /// Digest of what the user is shown of a plan: title, body and scope.
    fn id(plan: &Self::Plan) -> Digest;
}

/// A call that waits for the user.
#[derive(Debug, Clone, PartialEq)]
pub struct Held<G> {
    /// Digest of session, tool and canonical arguments.
    pub id: Digest,
    /// What a yes would grant.
    pub grant: G,
}

/// An approved plan, what was granted beside it, and at most one held call.
#[derive(Debug, Clone, PartialEq)]
pub struct Approved<P, G> {
    plan: P,
    // Most sessions never hold a call: one pointer keeps a million of them small.
    beside: Option<Box<Beside<G>>>,
}

#[derive(Debug, Clone, PartialEq)]
struct Beside<G> {
    grants: Vec<G>,
    held: Option<Held<G>>,
}

impl<P, G> Approved<P, G> {
    /// A plan that was just approved.
    pub fn new(plan: P) -> Self {
        Self { plan, beside: None }
    }

    /// The same with grants and a held call, as a snapshot had them.
    pub fn restored(plan: P, grants: Vec<G>, held: Option<Held<G>>) -> Self {
        if grants.is_empty() && held.is_none() {
            return Self::new(plan);
        }
        Self { plan, beside: Some(Box::new(Beside { grants, held })) }
    }

    /// The approved plan.
    pub fn plan(&self) -> &P {
        &self.plan
    }

    /// What was granted beside it, oldest first.
    pub fn grants(&self) -> &[G] {
        self.beside.as_ref().map_or(&[], |beside| &beside.grants)
    }

    /// The call that waits for the user, if any.
    pub fn held(&self) -> Option<&Held<G>> {
        self.beside.as_ref().and_then(|beside| beside.held.as_ref())
    }

    pub(crate) fn with_held(mut self, held: Held<G>) -> Self {
        match &mut self.beside {
            Some(beside) => beside.held = Some(held),
            None => self.beside = Some(Box::new(Beside { grants: Vec::new(), held: Some(held) })),
        }
        self
    }

    /// The held call settled: its grant is kept on yes and dropped on no.
    pub(crate) fn settled(mut self, yes: bool) -> Self {
        if let Some(mut beside) = self.beside.take() {
            if let Some(held) = beside.held.take()
                && yes
            {
                beside.grants.push(held.grant);
            }
            if !beside.grants.is_empty() {
                self.beside = Some(beside);
            }
        }
        self
    }
}

/// Where a family stands. A draft, an amendment and an approval exclude one another.
#[derive(Debug, Clone, PartialEq)]
pub enum Phase<V: Payload> {
    /// Nothing was proposed: execution is closed.
    Closed,
    /// A plan waits for the user.
    Proposed(V::Plan),
    /// The user agreed and added something: the model revises.
    Revising(V::Note),
    /// The user approved.
    Approved(Approved<V::Plan, V::Grant>),
}

/// The state of one family: a root session and the sub-agents under it.
#[derive(Debug, Clone, PartialEq)]
pub struct State<V: Payload> {
    /// Where it stands.
    pub phase: Phase<V>,
    /// Language of the user's last message that was read.
    pub language: Option<Language>,
}

impl<V: Payload> Default for State<V> {
    fn default() -> Self {
        Self { phase: Phase::Closed, language: None }
    }
}

impl<V: Payload> State<V> {
    /// The id an approval would refer to: the held call's, else the draft's.
    pub fn current(&self) -> Option<Digest> {
        match &self.phase {
            Phase::Proposed(plan) => Some(V::id(plan)),
            Phase::Approved(approved) => approved.held().map(|held| held.id),
            Phase::Closed | Phase::Revising(_) => None,
        }
    }

    /// The approved plan and what was granted beside it.
    pub fn approved(&self) -> Option<&Approved<V::Plan, V::Grant>> {
        match &self.phase {
            Phase::Approved(approved) => Some(approved),
            _ => None,
        }
    }
}
