//! `plan-gate hook HOST`: one event of a host, from standard input to exit code.
//!
//! It is looked for before the arguments are parsed in the ordinary way: a host waits for it at every tool call, and
//! whatever goes wrong must end with exit 2 and words, which is the one refusal that every host heeds.

use crate::failure::{Failure, Outcome};
use crate::words::Tongue;
use clap::Args;
use plan_gate_hosts::{Host, Output, hook};
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

#[derive(Debug, Args)]
pub struct Options {
    #[arg(value_name = "HOST")]
    host: String,
}

/// The exit code, when these are the arguments of a hook.
pub fn early(arguments: &[OsString]) -> Option<ExitCode> {
    let [_, command, name] = arguments else { return None };
    if command != "hook" {
        return None;
    }
    let host: Host = name.to_str()?.parse().ok()?;
    Some(finish(&hook(host, &mut io::stdin().lock())))
}

fn finish(output: &Output) -> ExitCode {
    let mut stdout = io::stdout().lock();
    let said = stdout.write_all(output.stdout.as_bytes()).and_then(|()| stdout.flush());
    let complained = io::stderr().lock().write_all(output.stderr.as_bytes());
    // An answer that nobody got is a refusal, and so is one whose reason nobody got.
    if said.is_err() || complained.is_err() { ExitCode::from(2) } else { ExitCode::from(output.code) }
}

/// Only reached with a host that does not exist: refused, with the names that do.
pub fn run(options: &Options, tongue: Tongue) -> Result<Outcome, Failure> {
    super::host_named(&options.host, tongue.words())?;
    Err(Failure::Usage(options.host.clone()))
}
