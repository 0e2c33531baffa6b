//! What was wrong with the arguments, in one line.

use crate::failure::{Failure, Outcome};
use crate::words::Words;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::io::Write;

/// Help and version go to standard output; everything else is a line on standard error.
pub fn report(error: &Error, words: Words) -> Result<Outcome, Failure> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let mut out = anstream::stdout();
            write!(out, "{}", error.render().ansi())?;
            out.flush()?;
            Ok(Outcome::Fine)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            Err(Failure::Usage(words.plain("usage.no_command")))
        }
        kind => Err(Failure::Usage(line(kind, error, words))),
    }
}

fn line(kind: ErrorKind, error: &Error, words: Words) -> String {
    let one = |kind| error.get(kind).map(text).unwrap_or_default();
    let argument = one(ContextKind::InvalidArg);
    let value = one(ContextKind::InvalidValue);
    let command = one(ContextKind::InvalidSubcommand);
    let valid = one(ContextKind::ValidValue);
    let prior = one(ContextKind::PriorArg);
    let values = [
        ("argument", argument.as_str()),
        ("value", value.as_str()),
        ("command", command.as_str()),
        ("valid", valid.as_str()),
        ("prior", prior.as_str()),
    ];
    let key = match kind {
        ErrorKind::UnknownArgument => "usage.unknown_argument",
        ErrorKind::InvalidSubcommand => "usage.unknown_command",
        ErrorKind::InvalidValue if value.is_empty() => "usage.no_value",
        ErrorKind::InvalidValue if !valid.is_empty() => "usage.invalid_value",
        ErrorKind::MissingRequiredArgument => "usage.missing_argument",
        ErrorKind::ArgumentConflict => "usage.conflict",
        ErrorKind::InvalidUtf8 => "usage.not_utf8",
        _ => "",
    };
    let said = if key.is_empty() { first_line(error) } else { words.text(key, &values) };
    let nearest = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue]
        .into_iter()
        .find_map(|kind| error.get(kind).map(text).filter(|text| !text.is_empty()));
    let hint = match nearest {
        Some(nearest) => words.text("usage.did_you_mean", &[("nearest", &nearest)]),
        None => words.plain("usage.see_help"),
    };
    format!("{said}; {hint}")
}

fn text(value: &ContextValue) -> String {
    match value {
        ContextValue::String(text) => text.clone(),
        ContextValue::Strings(texts) => texts.join(", "),
        other => other.to_string(),
    }
}

fn first_line(error: &Error) -> String {
    let text = error.render().to_string();
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}
