//! What an interface shows, from the log alone.

use crate::LogEvent;
use crate::command::{self, Parsed};
use crate::event::COMMAND;
use serde::Serialize;

/// The stance, and where it is about to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
pub struct View {
    /// What the log says.
    pub active: bool,
    /// What a selection that is not logged yet will make of it; never the same as `active`.
    pub pending: Option<bool>,
}

/// A running fold over `command/run`, `command/done` and `plan/mode`.
///
/// A `/plan` run opens a candidate; its own done keeps it on success and drops it on error, and a
/// `plan/mode` commits and clears. Only the newest run's done counts. A run that fails drops its own
/// candidate only: what an earlier run was granted is pending still. Selections made without a command
/// (an approved exit, a host's own switch) show when they are logged.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Projection {
    active: bool,
    /// The newest run that has no done yet.
    candidate: Option<Candidate>,
    /// The target of the newest run that succeeded since the last `plan/mode`.
    kept: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Candidate {
    id: String,
    target: bool,
}

impl Projection {
    /// The fold of these events.
    pub fn of(events: &[LogEvent<'_>]) -> Self {
        let mut projection = Self::default();
        events.iter().for_each(|event| projection.step(event));
        projection
    }

    /// Takes one more event of the log.
    pub fn step(&mut self, event: &LogEvent<'_>) {
        match event {
            LogEvent::Mode(active) => *self = Self { active: *active, ..Self::default() },
            LogEvent::Run { id, name, args } if name == COMMAND => {
                let target = !matches!(command::parse(args), Parsed::Off);
                self.candidate = Some(Candidate { id: id.clone().into_owned(), target });
            }
            LogEvent::Done { id, ok } => {
                if let Some(candidate) = self.candidate.take_if(|candidate| candidate.id == *id)
                    && *ok
                {
                    self.kept = Some(candidate.target);
                }
            }
            LogEvent::Run { .. } | LogEvent::Other => {}
        }
    }

    /// What to show now.
    pub fn view(&self) -> View {
        let target = self.candidate.as_ref().map(|candidate| candidate.target).or(self.kept);
        View { active: self.active, pending: target.filter(|target| *target != self.active) }
    }
}
