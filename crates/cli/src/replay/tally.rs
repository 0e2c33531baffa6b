//! What is counted while a session is played.

use super::player::{Played, Step};
use plan_gate::{Reason, ReplyKind, Settlement, Source};

/// Counts over one or more logs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub sessions: usize,
    pub lines: usize,
    pub bad_lines: usize,
    pub replies: usize,
    pub calls: usize,
    pub allowed: usize,
    /// Of those allowed, the ones that only read.
    pub read_only: usize,
    pub refused: usize,
    pub held: usize,
    /// Plans that were shown to the user.
    pub plans: usize,
    /// Plans that were not: faulty, or not shown by the host.
    pub plans_not_shown: usize,
    pub approved: usize,
    /// Held calls that got a yes of their own.
    pub approved_held: usize,
    pub amended: usize,
    /// Times a plan or an approval was withdrawn by what the user wrote.
    pub withdrawn: usize,
    /// Calls that the gate would have stopped and that ran in the log.
    pub ran_anyway: usize,
}

impl Tally {
    /// Counts a step.
    pub fn count(&mut self, step: &Step) {
        match &step.played {
            Played::Opened { .. } => self.sessions += 1,
            Played::Said { source: Source::User, answer, .. } if !step.child => {
                self.replies += 1;
                match answer.settlement {
                    Settlement::DraftApproved => self.approved += 1,
                    Settlement::HeldApproved => self.approved_held += 1,
                    Settlement::Amended => self.amended += 1,
                    Settlement::Cleared if step.before != "closed" && answer.kind != ReplyKind::Approve => {
                        self.withdrawn += 1;
                    }
                    _ => {}
                }
            }
            Played::Proposed { answer, .. } if answer.ok => self.plans += 1,
            Played::Proposed { .. } | Played::NotShown { .. } => self.plans_not_shown += 1,
            Played::Called { answer, .. } => {
                self.calls += 1;
                match answer.reason.word() {
                    "allow" => self.allowed += 1,
                    "hold" => self.held += 1,
                    _ => self.refused += 1,
                }
                self.read_only += usize::from(answer.reason == Reason::ReadOnly);
            }
            Played::RanAnyway => self.ran_anyway += 1,
            Played::Said { .. } | Played::Stance(_) | Played::Nothing => {}
        }
    }

    /// Adds another tally to this one.
    pub fn add(&mut self, other: &Self) {
        let Self {
            sessions,
            lines,
            bad_lines,
            replies,
            calls,
            allowed,
            read_only,
            refused,
            held,
            plans,
            plans_not_shown,
            approved,
            approved_held,
            amended,
            withdrawn,
            ran_anyway,
        } = other;
        self.sessions += sessions;
        self.lines += lines;
        self.bad_lines += bad_lines;
        self.replies += replies;
        self.calls += calls;
        self.allowed += allowed;
        self.read_only += read_only;
        self.refused += refused;
        self.held += held;
        self.plans += plans;
        self.plans_not_shown += plans_not_shown;
        self.approved += approved;
        self.approved_held += approved_held;
        self.amended += amended;
        self.withdrawn += withdrawn;
        self.ran_anyway += ran_anyway;
    }
}
