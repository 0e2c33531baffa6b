//! `plan-gate completions`: a script for a shell.

use crate::failure::{Failure, Outcome};
use crate::out::Out;
use crate::words::Tongue;
use clap::Args;
use std::io::Write;

#[derive(Debug, Args)]
pub struct Options {
    #[arg(value_name = "SHELL", hide_possible_values = true)]
    shell: clap_complete::Shell,
}

pub fn run(options: &Options, tongue: Tongue) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(
        options.shell,
        &mut crate::cli::command(tongue.words()),
        "plan-gate",
        &mut script,
    );
    let mut out = Out::for_programs();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Outcome::Fine)
}
