//! Decides whether an approved scope covers a tool call.
//!
//! You want this crate only through the facade. It knows no state, no language and no reply. It reads
//! configurations and profiles once ([`Matcher`]), scopes once ([`CompiledScope`]), and then, for every
//! call, what the call would do ([`Matcher::read`]) and whether that is covered ([`Matcher::cover`]).
//!
//! Whatever is not understood is refused or held, never waved through. The only I/O is the resolution of
//! links behind `resolveSymlinks`, in one file.

mod args;
pub mod command;
mod compile;
mod cover;
mod grant;
mod interactive;
mod matcher;
mod names;
mod paths;
mod profile;
mod protected;
mod protected_line;
mod reading;
mod scope;
pub mod shell;
mod urls;
mod warnings;

pub use args::Refusal;
pub use cover::{By, Coverage, Finding, Gap, WHYS};
pub use grant::Grant;
pub use matcher::Matcher;
pub use profile::{ArgumentDescription, Profile, ProfileDescription, ReadsDescription, ToolDescription};
pub use reading::{Acting, CallReading, Extra};
pub use scope::CompiledScope;
pub use warnings::{WARNINGS, Warning};
