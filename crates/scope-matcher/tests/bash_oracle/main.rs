//! Real bash as the judge of the splitter and of the command table.
//!
//! Lines come from a grammar and by mutation of ordinary ones, seeded. For the first test every
//! command that bash starts must be one of the parts, word for word as far as words are certain. For
//! the second every command that bash starts and every file it writes for an *allowed* line must be
//! covered by the scope, judged by a model that is much simpler than the matcher because it sees the
//! final words.
//!
//! `PLAN_GATE_ORACLE_LINES` sets how many lines each test runs (default 12,000), and
//! `PLAN_GATE_ORACLE_SEED` the seed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    missing_docs,
    reason = "a test fails by panicking"
)]

#[cfg(unix)]
mod grammar;
#[cfg(unix)]
mod random;
#[cfg(unix)]
mod run;
#[cfg(unix)]
mod scope;
#[cfg(unix)]
mod splitter;

#[cfg(unix)]
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |value| value.parse().unwrap())
}

#[cfg(unix)]
#[test]
fn every_command_that_bash_starts_is_a_part() {
    splitter::check(setting("PLAN_GATE_ORACLE_LINES", 12_000) as usize, setting("PLAN_GATE_ORACLE_SEED", 1));
}

#[cfg(unix)]
#[test]
fn what_an_allowed_line_does_is_covered() {
    scope::check(setting("PLAN_GATE_ORACLE_LINES", 12_000) as usize, setting("PLAN_GATE_ORACLE_SEED", 1));
}
