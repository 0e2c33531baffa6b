//! `plan-gate schema`: the tool definition that a host gives to its model.

use crate::failure::{Failure, Outcome};
use crate::out::Out;
use crate::words::Tongue;
use clap::Args;
use plan_gate::{Language, tool_schema};
use std::io::Write;

#[derive(Debug, Args)]
pub struct Options {
    #[arg(long, value_name = "zh|en", hide_possible_values = true)]
    language: Option<Choice>,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Choice {
    Zh,
    En,
}

pub fn run(options: &Options, tongue: Tongue) -> Result<Outcome, Failure> {
    let language = match options.language {
        Some(Choice::Zh) => Language::Zh,
        Some(Choice::En) => Language::En,
        None => tongue.words().0,
    };
    let mut out = Out::for_programs();
    writeln!(out, "{}", tool_schema(language).trim_end())?;
    out.flush()?;
    Ok(Outcome::Fine)
}
