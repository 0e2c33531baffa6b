//! The conversations as a flat file, for a runner without a JSON reader (C).
//!
//! The facade plays them first, so names are filled in and each step carries the answer it must get:
//! answers are the same to the byte in every language. A conversation that does not come out as written
//! makes no file.
//!
//! Layout: the line `plan-gate flat 1`, the number of conversations, then for each a list of fields. A
//! field is `LENGTH LF BYTES LF`, or `- LF` when it is absent; the length is in bytes.
//!
//! - conversation: world (`gate` or `plan_mode`), id, configuration, number of steps;
//! - step: do, session, parent, request, tool, arguments, source (a number), text, shown id, expected
//!   integer of the typed call, expected answer.
//!
//! A step with a tool is a typed check, one with a text a typed reply; all others go through the door in
//! both gates. The request of the step `gate` is the configuration.

use crate::play::{Player, Report, damaged, door, play_all, request};
use crate::vector::{Conversation, load};
use plan_gate::Source;
use plan_gate::plan_mode::PlanMode;
use serde_json::{Map, Value};

/// All conversations, in the order of the digest.
///
/// # Errors
///
/// A vector that cannot be read or does not come out as written.
pub fn flat() -> Result<Vec<u8>, String> {
    let Report { failures, .. } = play_all()?;
    if let Some(failure) = failures.first() {
        return Err(failure.clone());
    }
    let (modes, gates) = (load("plan-mode/")?, load("sessions/")?);
    let mut out = b"plan-gate flat 1\n".to_vec();
    field(&mut out, Some(&(modes.len() + gates.len()).to_string()));
    for conversation in &modes {
        head(&mut out, "plan_mode", conversation);
        let config = conversation.config.to_string();
        let mut mode = PlanMode::new(config.as_bytes()).map_err(|error| error.to_string())?;
        for step in &conversation.steps {
            let request = request(step);
            let answer = door(mode.request(request.as_bytes()));
            write_step(&mut out, step, &request, None, &answer);
        }
    }
    for conversation in &gates {
        head(&mut out, "gate", conversation);
        let mut player = Player::new(&conversation.config).map_err(|error| error.to_string())?;
        for step in &conversation.steps {
            let step = player.fill(step);
            let (typed, answer) = player.step(&step);
            player.save(&step, &answer);
            let request = match word(&step, "do") {
                Some("gate") => step.get("config").unwrap_or(&conversation.config).to_string(),
                Some("request") => step.get("request").cloned().unwrap_or_default().to_string(),
                _ => request(&damaged(&step)),
            };
            write_step(&mut out, &step, &request, typed, &answer);
        }
    }
    Ok(out)
}

fn head(out: &mut Vec<u8>, world: &str, conversation: &Conversation) {
    let steps = conversation.steps.len().to_string();
    let config = conversation.config.to_string();
    [world, &conversation.id, &config, &steps].iter().for_each(|text| field(out, Some(text)));
}

fn write_step(out: &mut Vec<u8>, step: &Map<String, Value>, request: &str, typed: Option<u64>, answer: &str) {
    let check = word(step, "do") == Some("check");
    let reply = word(step, "do") == Some("reply") && !step.contains_key("attachments");
    let args = match word(step, "argsText") {
        Some(text) => text.to_owned(),
        None => step.get("args").cloned().unwrap_or_default().to_string(),
    };
    let source = step.get("source").cloned().and_then(|source| serde_json::from_value(source).ok());
    let source = (source.unwrap_or(Source::User) as u8).to_string();
    let typed = typed.map(|typed| typed.to_string());
    field(out, word(step, "do"));
    field(out, word(step, "session"));
    field(out, word(step, "parent"));
    field(out, Some(request));
    field(out, word(step, "tool").filter(|_| check));
    field(out, Some(args.as_str()).filter(|_| check));
    field(out, Some(source.as_str()).filter(|_| reply));
    field(out, word(step, "text").filter(|_| reply));
    field(out, word(step, "shown").filter(|_| reply));
    field(out, typed.as_deref());
    field(out, Some(answer));
}

fn word<'s>(step: &'s Map<String, Value>, key: &str) -> Option<&'s str> {
    step.get(key).and_then(Value::as_str)
}

fn field(out: &mut Vec<u8>, text: Option<&str>) {
    match text {
        Some(text) => out.extend_from_slice(format!("{}\n{text}\n", text.len()).as_bytes()),
        None => out.extend_from_slice(b"-\n"),
    }
}
