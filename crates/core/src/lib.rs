//! The words that every layer of plan-gate shares, and nothing else.
//!
//! You want this crate only through the facade `plan-gate`, which re-exports it. It knows no other
//! crate of the workspace, does no I/O, reads no clock and keeps no state. What crosses the C
//! boundary as a number has that number here, next to the variant ([`Verdict`], [`Reason`],
//! [`ReplyKind`], [`Source`], [`ErrorKind`]). Zero is deny, everywhere.

mod call;
mod config;
mod digest;
mod error;
mod event;
pub mod injection;
pub mod json;
pub mod limits;
mod plan;
mod reply;
mod text;
mod verdict;
mod visible;

pub use call::{Dialect, Effect, EffectKind};
pub use config::{CommandCase, Config, LocaleChoice, PathStyleChoice, ProfileChoice};
pub use digest::{Digest, DigestParseError};
pub use error::{Error, ErrorKind};
pub use event::Event;
pub use plan::{Fault, FaultCode, Plan, Scope, ScopeList};
pub use reply::{Language, OtherWhy, ReplyKind, Settlement, Source};
pub use text::{Catalog, CatalogError};
pub use verdict::{Decision, Reason, Verdict};
pub use visible::hidden_character;
