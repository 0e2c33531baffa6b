//! The pure state of one agent's stance: what is logged, what waits, and what the model was last told.

use serde::Serialize;

/// How a selection was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Selection {
    /// No turn was open: it is in the log.
    Committed,
    /// A turn is open: it waits for the next accepted pre-step.
    Queued,
    /// An opposite selection that waited was dropped; the log says already what was asked for.
    Cancelled,
    /// It is so already, or waits already.
    Noop,
}

/// A selection that waits. Its target needs no field: it is what the log does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Pending {
    /// The model knows already (an approved exit said so in its result).
    pub silent: bool,
}

/// What a selection needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Selected {
    /// An append of the opposite of what is logged; settled by [`Stance::commit_selection`].
    Append,
    /// Nothing more.
    Done(Selection),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Stance {
    pub logged: bool,
    pub pending: Option<Pending>,
    pub turn: bool,
    /// The open turn's last pre-step was accepted, so there is an assembly that a retry can reuse.
    pub assembled: bool,
    /// The state that the last recorded request header described.
    pub header: Option<bool>,
    /// A user-made change was logged and the model has not been told yet.
    pub owed: bool,
    /// The host was warned already that this selection could not be logged.
    pub warned: bool,
}

impl Stance {
    /// What the log will say once the pending selection is in it.
    pub fn target(&self) -> Option<bool> {
        self.pending.map(|_| !self.logged)
    }

    pub fn select(&mut self, active: bool) -> Selected {
        match (active == self.logged, self.pending) {
            (true, None) | (false, Some(_)) => Selected::Done(Selection::Noop),
            (true, Some(_)) => {
                self.drop_pending();
                Selected::Done(Selection::Cancelled)
            }
            (false, None) if self.turn => {
                self.pending = Some(Pending { silent: false });
                Selected::Done(Selection::Queued)
            }
            (false, None) => Selected::Append,
        }
    }

    /// The append that a selection between turns asked for went through.
    pub fn commit_selection(&mut self) {
        self.logged = !self.logged;
        self.owed = true;
    }

    /// The append that a step asked for went through.
    pub fn commit_pending(&mut self) {
        if let Some(pending) = self.pending {
            self.logged = !self.logged;
            self.owed = !pending.silent;
            self.drop_pending();
        }
    }

    /// The append that a step asked for failed: the selection stays. True the first time.
    pub fn keep_pending(&mut self) -> bool {
        !std::mem::replace(&mut self.warned, true)
    }

    /// An approved exit: leaves silently, also where the user had chosen to leave.
    pub fn leave_silently(&mut self) {
        if self.logged {
            self.pending = Some(Pending { silent: true });
        }
    }

    /// The next request is assembled. True if the model must be told of the change.
    pub fn assemble(&mut self) -> bool {
        self.assembled = true;
        std::mem::take(&mut self.owed) && self.header == Some(!self.logged)
    }

    /// Everything that lives in the process only is gone; what the host reported is not.
    pub fn forget(&mut self) {
        self.drop_pending();
        self.owed = false;
    }

    fn drop_pending(&mut self) {
        self.pending = None;
        self.warned = false;
    }
}
