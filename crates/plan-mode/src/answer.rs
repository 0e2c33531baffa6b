//! What a host tells the driver of itself and its steps, and what it gets back.

use crate::review::{Card, ExitResult, Question};
use crate::{CommandAnswer, ModeEvent, Section, Selection};
use plan_gate_core::Language;
use serde::{Deserialize, Serialize};

/// An answer that may need an append first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next<T> {
    /// Append this event, then report [`crate::PlanMode::appended`]: it gives the rest of the answer.
    Append(ModeEvent),
    /// The whole answer.
    Done(T),
}

/// The rest of an answer, after the append it asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settled {
    /// Of [`crate::PlanMode::set`].
    Selection(Selection),
    /// Of [`crate::PlanMode::command`].
    Command(CommandAnswer),
    /// Of [`crate::PlanMode::step`].
    Step(StepAnswer),
}

/// What became of a step before its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepOutcome {
    /// The step goes ahead and its request is about to be assembled.
    Accepted,
    /// The step does not take place.
    Rejected,
    /// The same step again, with the request it has already.
    Retried,
}

/// Plan mode's part of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RequestPart {
    /// The prompt section, while active.
    pub section: Option<Section>,
    /// A message to insert for the model, once; its source is a plug-in, never the user.
    pub notice: Option<String>,
}

/// What a step gets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StepAnswer {
    /// For an accepted step. A rejected step has no request, a retried one keeps the one it has.
    pub request: Option<RequestPart>,
    /// For the host's log: the change could not be appended and waits. Once per selection.
    pub warning: Option<String>,
}

/// What the exit tool's call gets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExitAnswer {
    /// The card of the call.
    pub card: Card,
    /// The question to put to the user; its answer goes to [`crate::PlanMode::review`].
    pub ask: Option<Question>,
    /// The result, where nobody is asked.
    pub result: Option<ExitResult>,
}

/// What plan mode should know of its host. Neither changes the stance.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize)]
pub struct Host {
    /// The language of texts.
    pub language: Language,
    /// The name under which the gate's `propose_plan` is offered, where the gate is on too.
    pub gate: Option<String>,
}
