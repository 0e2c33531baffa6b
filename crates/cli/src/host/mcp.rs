//! `plan-gate mcp`: the server that offers `propose_plan` to an agent.

use super::existing_store;
use crate::failure::{Failure, Outcome};
use crate::words::{Tongue, Words};
use clap::Args;
use plan_gate::{Gate, Language, tool_schema};
use plan_gate_hosts::{Surroundings, engine};
use plan_gate_mcp::{Offer, serve};

#[derive(Debug, Args)]
pub struct Options {}

pub fn run(_: &Options, tongue: Tongue) -> Result<Outcome, Failure> {
    let words = tongue.words();
    let offer = Offer {
        tool: tool_schema(words.0).to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        propose: Box::new(move |arguments| propose(arguments, words.0)),
        state: Box::new(move || state(words).unwrap_or_else(|failure| format!("{failure:?}"))),
    };
    serve(offer).map_err(|error| Failure::Failed(error.to_string()))?;
    Ok(Outcome::Fine)
}

/// The hook has recorded the draft already, or refused the call; this is what the model and the person read.
fn propose(arguments: &[u8], language: Language) -> (String, bool) {
    let answer = Gate::new(b"").and_then(|gate| gate.session("shown")?.propose(arguments));
    match answer {
        Ok(answer) => match answer.rendered {
            Some(plan) => (engine::text(language, "propose.recorded", &[("plan", &plan)]), false),
            None => (answer.text, true),
        },
        Err(error) => (error.to_string(), true),
    }
}

fn state(words: Words) -> Result<String, Failure> {
    let surroundings = Surroundings::find()?;
    let list = engine::waiting(&mut existing_store(&surroundings, words)?, &surroundings.settings()?)?;
    if list.is_empty() {
        return Ok(words.plain("pending.nothing"));
    }
    let texts: Vec<String> = list.iter().map(|one| format!("{}\n{}", one.session, one.text)).collect();
    Ok(texts.join("\n\n"))
}
