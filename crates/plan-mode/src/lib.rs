//! Plan mode: a soft stance of guidance and reviewed exit. Guides, never blocks.
//!
//! While an agent is in plan mode, a deployment's guidance is part of each of its requests, and the
//! finished plan leaves planning through a review by the user. No tool call is ever refused for it:
//! enforcement is the gate's, and neither half reads the other's state.
//!
//! You want [`PlanMode`], one per agent: report turns, steps, request headers, `/plan` runs and reviews,
//! and do what the answers say; from another language, the same through [`PlanMode::request`]. For a log
//! at rest, [`fold`] gives the stance and [`Projection`] what an interface shows. Nothing here does I/O,
//! reads a clock, takes a lock or keeps a state outside the values you hold.

mod answer;
mod command;
mod config;
mod door;
mod driver;
mod event;
mod fold;
mod projection;
mod prompt;
mod review;
mod stance;
mod texts;

pub use answer::{ExitAnswer, Host, Next, RequestPart, Settled, StepAnswer, StepOutcome};
pub use command::{CommandAnswer, CommandCode, UserMessage};
pub use config::PlanModeConfig;
pub use driver::PlanMode;
pub use event::{COMMAND, LogEvent, MODE_EVENT, ModeEvent};
pub use fold::{fold, fold_lines};
pub use projection::{Projection, View};
pub use prompt::{Parameters, SECTION_ID, SECTION_ORDER, Section, Tool};
pub use review::{
    APPROVE, Answer, Approval, Caller, Card, EXIT_TOOL, ExitCode, ExitResult, KEEP_PLANNING, Presentation,
    Question, REVIEW, ReviewOption, ReviewOutcome, heading,
};
pub use stance::Selection;
