//! Puts the gate in front of coding agents that call hooks.
//!
//! You want this crate when the agent is a program of somebody else's that starts a command before each tool call:
//! Claude Code, Codex, Gemini CLI, Qwen Code, and OpenCode through its plug-in. A harness that can link the library
//! does not need it.
//!
//! [`Host`] names the programs and what is known about each (data, one file per host). [`read`] turns a hook's JSON
//! into an [`Event`] that no longer depends on the host; [`Answer::output`] writes the one form of answer that all of
//! them treat right. Both are pure.
//!
//! The central fact, measured on each: **every one of these hosts lets a call run when its hook fails in the ordinary
//! way.** So nothing here may fail without refusing: an input that cannot be read is an error, and the caller answers
//! errors with a refusal.

mod answer;
pub mod engine;
mod event;
mod facts;
mod hook;
mod host;
pub mod install;
mod process;
mod read;
mod surroundings;

pub use answer::{Answer, Output};
pub use event::{Call, Event, Happening, Prompt, StartSource};
pub use facts::{EventKind, Facts};
pub use hook::hook;
pub use host::Host;
pub use process::{Process, ancestors, host_process};
pub use read::{Environment, MAX_HOOK_BYTES, ReadError, read};
pub use surroundings::{CONFIG_FILE, Surroundings, SurroundingsError, now_ms};
