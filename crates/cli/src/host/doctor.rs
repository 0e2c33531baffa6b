//! `plan-gate doctor HOST`: is the gate really in front, and what can it not promise there?

use super::checks::{Doctor, Grade, find_binary, limits};
use super::host_named;
use crate::failure::{Failure, Outcome};
use crate::out::{ASK, BAD, FAINT, GOOD, Out, paint, visible};
use crate::words::Tongue;
use clap::Args;
use plan_gate_hosts::Surroundings;
use plan_gate_hosts::install::Level;
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Options {
    #[arg(value_name = "HOST")]
    host: String,
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options, tongue: Tongue) -> Result<Outcome, Failure> {
    let words = tongue.words();
    let host = host_named(&options.host, words)?;
    let surroundings = Surroundings::find()?;
    let binary = find_binary(host, options.binary.as_deref());
    let mut doctor = Doctor { host, surroundings: &surroundings, binary, words, findings: Vec::new() };
    let level = doctor.examine()?;
    let limits = limits(host, level.unwrap_or(Level::User), words);
    let bad = doctor.findings.iter().any(|finding| finding.grade == Grade::Bad);
    if options.json {
        let mut out = Out::for_programs();
        out.json(&serde_json::json!({"host": host.name(), "findings": doctor.findings, "limits": limits}))?;
        out.flush()?;
    } else {
        let mut out = Out::for_people();
        for finding in &doctor.findings {
            let (style, mark) = match finding.grade {
                Grade::Good => (GOOD, "✓"),
                Grade::Note => (ASK, "!"),
                Grade::Bad => (BAD, "✗"),
            };
            writeln!(out, "{} {}", paint(style, mark), visible(&finding.text))?;
        }
        writeln!(out, "\n{}", words.plain("doctor.limits"))?;
        for limit in limits {
            writeln!(out, "  {}", paint(FAINT, &limit))?;
        }
        out.flush()?;
    }
    Ok(if bad { Outcome::Faults } else { Outcome::Fine })
}
