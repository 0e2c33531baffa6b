//! Why a call would be answered as it would: effect by effect, and the entry that decided.

use crate::session::{Session, canonical};
use plan_gate_core::{Effect, EffectKind, Error, Reason, Scope};
use plan_gate_scope_matcher::{By, CallReading, Finding, Grant};
use plan_gate_state_machine::{Call, Outcome, glance};
use serde::Serialize;

/// What covers one effect of a call, or why nothing does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Found {
    /// What kind of effect.
    pub kind: EffectKind,
    /// Path, command, URL, agent kind or tool name, as the call wrote it.
    pub value: String,
    /// `entry`, `parts` (several entries, each for a part of a command line), `grant` (a yes to a held
    /// call) or `nothing`.
    pub by: &'static str,
    /// The entry that covers it.
    pub entry: Option<String>,
    /// A stable word for why nothing covers it.
    pub why: Option<&'static str>,
    /// The entry that comes nearest.
    pub nearest: Option<String>,
}

impl Found {
    pub(crate) fn new(finding: Finding, scope: &Scope) -> Self {
        let Finding { effect: Effect { kind, value, .. }, by } = finding;
        let plain = |by| Self { kind, value: value.into_owned(), by, entry: None, why: None, nearest: None };
        match by {
            By::Entry(list, place) => Self { entry: scope.list(list).get(place).cloned(), ..plain("entry") },
            By::Parts => plain("parts"),
            By::Grant => plain("grant"),
            By::Nothing(gap) => Self { why: Some(gap.why), nearest: gap.nearest, ..plain("nothing") },
        }
    }
}

/// How a call would be answered now, and why. Asking changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CallExplanation {
    /// `allow`, `hold` or `refuse`.
    pub decision: &'static str,
    /// The stable name of the reason.
    pub reason: &'static str,
    /// Its number.
    pub code: u16,
    /// Which argument is at fault, for a refusal.
    pub detail: String,
    /// Effect by effect; empty when the call was not weighed against a scope.
    pub effects: Vec<Found>,
}

impl CallExplanation {
    fn new(reason: Reason, detail: String, effects: Vec<Found>) -> Self {
        Self { decision: reason.word(), reason: reason.name(), code: reason as u16, detail, effects }
    }
}

impl Session {
    /// How this call would be answered now, and why: the rule, and for each effect the entry that covers
    /// it or the one that comes nearest. Unlike [`Session::answer`] it makes no call the held one.
    ///
    /// # Errors
    ///
    /// `Poisoned`.
    pub fn explain(&self, tool: &str, args: &[u8]) -> Result<CallExplanation, Error> {
        let state = self.lock()?;
        let matcher = &self.engine().matcher;
        let (call, detail, effects) = match matcher.read(tool, args) {
            CallReading::Free(reason) => (Call::Free(reason), String::new(), Vec::new()),
            CallReading::Refused(refusal) => (Call::Refused(refusal.reason), refusal.detail, Vec::new()),
            CallReading::Acting(acting) => {
                let effects: Vec<Found> = state.approved().map_or_else(Vec::new, |approved| {
                    let granted: Vec<&Grant> = approved.grants().iter().map(|call| &call.grant).collect();
                    let scope = &approved.plan().scope;
                    let findings = matcher.explain(scope, &granted, &acting);
                    findings.into_iter().map(|finding| Found::new(finding, scope.scope())).collect()
                });
                let held = || self.held(&acting, canonical(tool, args), Box::default());
                let outside = effects.iter().any(|found| found.by == "nothing").then(held);
                (Call::Acting { outside }, String::new(), effects)
            }
        };
        let reason = match glance(&state, self.origin(), self.engine().policy, &call) {
            Some(Outcome::Answered { reason, .. }) => reason,
            // What `glance` leaves open is a call that would become the held one.
            _ => Reason::Outside,
        };
        Ok(CallExplanation::new(reason, detail, effects))
    }
}
