//! `plan-gate`: the gate from a shell.
//!
//! One file a sub-command; each reads its own options and answers with `Outcome` or a `Failure`.
//! What it says to people comes from `data/texts`, what it says to programs is JSON on standard output.

mod cli;
mod failure;
mod lines;
mod out;
mod setting;
mod usage;
mod words;

mod by_hand;
mod classify;
mod completions;
mod host;
mod judge;
mod man;
mod profiles;
mod replay;
mod schema;
mod split;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    if let Some(code) = host::hook::early(&arguments) {
        return code;
    }
    let tongue = words::Tongue::find(&arguments);
    let ended = match cli::parse(&arguments, tongue) {
        Ok(cli) => cli::run(cli, tongue),
        Err(error) => usage::report(&error, tongue.words()),
    };
    failure::exit(ended)
}
