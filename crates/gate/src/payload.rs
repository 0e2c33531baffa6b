//! What the state machine carries for us: plans, grants and notes.

use plan_gate_core::{Digest, Plan, Scope};
use plan_gate_scope_matcher::{CompiledScope, Grant};
use plan_gate_state_machine::Payload;
use std::sync::Arc;

/// The gate's own kinds of payload.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Carried {}

impl Payload for Carried {
    type Plan = Arc<Proposal>;
    type Grant = HeldCall;
    type Note = Box<str>;

    fn id(plan: &Arc<Proposal>) -> Digest {
        plan.id
    }
}

/// A plan without faults, its scope compiled.
#[derive(Debug)]
pub(crate) struct Proposal {
    pub(crate) id: Digest,
    pub(crate) title: Box<str>,
    pub(crate) body: Box<str>,
    pub(crate) scope: CompiledScope,
}

impl PartialEq for Proposal {
    /// The id covers title, body and scope.
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Proposal {
    /// The id of a plan: what the user was shown.
    pub(crate) fn id_of(title: &str, body: &str, scope: &Scope) -> Digest {
        let scope = serde_json::to_vec(scope).unwrap_or_default();
        crate::digest::of("plan-gate draft", &[title.as_bytes(), body.as_bytes(), &scope])
    }

    /// The plan as it was proposed.
    pub(crate) fn plan(&self) -> Plan {
        Plan {
            title: self.title.clone().into_string(),
            body: self.body.clone().into_string(),
            scope: self.scope.scope().clone(),
        }
    }
}

/// A call that waits for the user, or that the user allowed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HeldCall {
    /// The sub-agent that made it; `None` for the root itself.
    pub(crate) child: Option<Box<str>>,
    /// What a yes grants.
    pub(crate) grant: Grant,
    /// What was outside: the question to the user.
    pub(crate) outside: Box<[crate::answer::Outside]>,
}
