//! A call against a scope, without any session: what an approved session with that scope would answer.

use crate::answer::{FaultText, Outside};
use crate::explain::Found;
use crate::gate::Gate;
use crate::propose::with_text;
use plan_gate_core::{Language, Reason, Scope};
use plan_gate_scope_matcher::{CallReading, Coverage};
use serde::Serialize;

/// The answer of an approved session with nothing pending.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MatchAnswer {
    /// `allow`, `hold` or `refuse`.
    pub decision: &'static str,
    /// What the scope does not cover.
    pub outside: Vec<Outside>,
    /// The stable name of the reason, or `invalid_plan`.
    pub why: &'static str,
    /// Which argument is at fault, for a refusal.
    pub detail: String,
    /// Why the scope could never be approved.
    pub faults: Vec<FaultText>,
    /// What covers each effect of an acting call, or why nothing does.
    pub effects: Vec<Found>,
}

impl Gate {
    /// Answers as a session would in which exactly `scope` is approved and nothing is held.
    ///
    /// A scope that no plan could carry covers nothing: the answer is `refuse` and names its faults.
    pub fn match_call(&self, scope: &Scope, tool: &str, args: &[u8]) -> MatchAnswer {
        let matcher = &self.shared.engine.matcher;
        let answer = |reason: Reason, detail: String, outside: Vec<Outside>| MatchAnswer {
            decision: reason.word(),
            outside,
            why: reason.name(),
            detail,
            faults: Vec::new(),
            effects: Vec::new(),
        };
        let compiled = match matcher.compile(scope) {
            Ok(compiled) => compiled,
            Err(faults) => {
                let language = self.shared.engine.language(Some(Language::En));
                let faults = faults.into_iter().map(|fault| with_text(language, fault)).collect();
                let refused = answer(Reason::Unavailable, String::new(), Vec::new());
                return MatchAnswer { why: "invalid_plan", faults, ..refused };
            }
        };
        match matcher.read(tool, args) {
            CallReading::Free(reason) => answer(reason, String::new(), Vec::new()),
            CallReading::Refused(refusal) => answer(refusal.reason, refusal.detail, Vec::new()),
            CallReading::Acting(acting) => {
                let findings = matcher.explain(&compiled, &[], &acting);
                let effects = findings.into_iter().map(|finding| Found::new(finding, scope)).collect();
                let weighed = match matcher.cover(&compiled, &[], &acting) {
                    Coverage::Covered => answer(Reason::InScope, String::new(), Vec::new()),
                    Coverage::Outside(gaps) => {
                        let outside = gaps.into_iter().map(Outside::from).collect();
                        answer(Reason::Outside, String::new(), outside)
                    }
                };
                MatchAnswer { effects, ..weighed }
            }
        }
    }
}
