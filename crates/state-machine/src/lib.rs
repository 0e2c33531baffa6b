//! The gate's state and its transitions, as one pure function: [`step`].
//!
//! You want this crate only through the facade. It has never heard of texts, paths, tools, locks or
//! clocks: a plan, a grant and a note are opaque types of a [`Payload`]. Whether a call is covered, and
//! how a message was read, others say; what follows from it, this crate says.
//!
//! | event | condition | effect |
//! |---|---|---|
//! | plan proposed | valid, by the root | it becomes the draft; any approval, held call or amendment is gone |
//! | plan proposed | invalid, or by a sub-agent | nothing changes |
//! | approve | a held call waits | its grant joins the approved scope |
//! | approve | a draft waits | the draft becomes the approved scope |
//! | approve | nothing waits | ignored |
//! | approve | another id was on screen | stale: nothing changes |
//! | amend | any | the words become the amendment; all else is gone |
//! | other | any | everything is gone |
//! | acting call | not approved | refused: closed, waiting, or revise |
//! | acting call | approved, another call is held | refused: that question comes first |
//! | acting call | approved, covered | allowed |
//! | acting call | approved, not covered | held |
//! | free call | any | allowed, nothing changes |
//!
//! A family of sessions (a root and its sub-agents) has one [`State`], the root's. Who belongs to which
//! family is decided by [`admit`].

mod lineage;
mod state;
mod step;

pub use lineage::{LineageError, Role, admit};
pub use state::{Approved, Held, Payload, Phase, State};
pub use step::{Call, Event, Origin, Outcome, Policy, Reading, glance, replay, step};
