//! `plan-gate pending`, `approve ID` and `reject ID`: a trusted button in the person's own terminal.

use super::{descent, existing_store};
use crate::failure::{Failure, Outcome};
use crate::out::{ASK, FAINT, Out, STRONG, paint, visible};
use crate::words::{Tongue, Words};
use clap::Args;
use plan_gate_hosts::Surroundings;
use plan_gate_hosts::engine::{Waiting, settle, waiting};
use std::io::{self, Write};

#[derive(Debug, Args)]
pub struct PendingOptions {
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub struct AnswerOptions {
    #[arg(value_name = "ID")]
    id: String,
}

/// Fewest digits of an id that name it.
const SHORTEST: usize = 6;

pub fn pending(options: &PendingOptions, tongue: Tongue) -> Result<Outcome, Failure> {
    let words = tongue.words();
    let surroundings = Surroundings::find()?;
    let list = waiting(&mut existing_store(&surroundings, words)?, &surroundings.settings()?)?;
    if options.json {
        let mut out = Out::for_programs();
        for one in &list {
            let value = serde_json::json!({
                "id": one.id, "session": one.session, "host": one.host.name(), "text": one.text, "changed_ms": one.changed_ms,
            });
            out.json(&value)?;
        }
        out.flush()?;
        return Ok(Outcome::Fine);
    }
    let mut out = Out::for_people();
    if list.is_empty() {
        writeln!(out, "{}", words.plain("pending.nothing"))?;
    }
    for one in &list {
        show(one, &mut out)?;
        writeln!(out, "{}\n", paint(FAINT, &words.text("pending.how", &[("id", &one.id.to_string())])))?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

fn show(one: &Waiting, out: &mut Out) -> io::Result<()> {
    writeln!(out, "{}  {}", paint(ASK, &one.id.to_string()), paint(STRONG, &visible(&one.session)))?;
    for line in one.text.lines() {
        writeln!(out, "    {}", visible(line))?;
    }
    Ok(())
}

pub fn approve(options: &AnswerOptions, tongue: Tongue) -> Result<Outcome, Failure> {
    answer(options, tongue.words(), true)
}

pub fn reject(options: &AnswerOptions, tongue: Tongue) -> Result<Outcome, Failure> {
    answer(options, tongue.words(), false)
}

fn answer(options: &AnswerOptions, words: Words, approve: bool) -> Result<Outcome, Failure> {
    let surroundings = Surroundings::find()?;
    let settings = surroundings.settings()?;
    let mut store = existing_store(&surroundings, words)?;
    let list = waiting(&mut store, &settings)?;
    if let Some(why) = descent::agents_own(list.iter().filter_map(|one| one.process.as_ref())) {
        return Err(Failure::Failed(words.text("button.agent", &[("why", &why)])));
    }
    let one = named(&list, &options.id, words)?;
    let mut out = Out::for_people();
    show(one, &mut out)?;
    out.flush()?;
    let key = if approve { "button.approve" } else { "button.reject" };
    write!(anstream::stderr(), "{} ", words.plain(key))?;
    anstream::stderr().flush()?;
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    if !["y", "yes", "是"].contains(&line.trim().to_lowercase().as_str()) {
        return Err(Failure::Failed(words.plain("button.unchanged")));
    }
    let settlement = settle(&mut store, &settings, one, approve)?;
    writeln!(out, "{}", words.plain(&format!("button.done.{}", settlement.name())))?;
    out.flush()?;
    Ok(Outcome::Fine)
}

fn named<'a>(list: &'a [Waiting], id: &str, words: Words) -> Result<&'a Waiting, Failure> {
    let found: Vec<&Waiting> = list.iter().filter(|one| one.id.to_string().starts_with(id)).collect();
    match found.as_slice() {
        [one] if id.len() >= SHORTEST => Ok(one),
        [] => Err(Failure::Failed(words.text("button.none", &[("id", id)]))),
        _ => Err(Failure::Usage(words.text("button.short", &[("id", id)]))),
    }
}
