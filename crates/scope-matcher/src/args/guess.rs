//! Arguments of tools that no profile describes.

use super::collect::{Collector, mistyped};
use super::{Refusal, check, fields, items, string};
use crate::profile::{ArgumentKind, Guess, by_name, by_value};
use plan_gate_core::limits::MAX_JSON_DEPTH;
use plan_gate_core::{Dialect, EffectKind, Reason};
use serde_json::value::RawValue;

/// Takes a field whose meaning only its name and value tell, at this depth of nesting.
pub(super) fn field<'a>(
    collector: &mut Collector<'a>,
    name: &str,
    value: &'a RawValue,
    depth: usize,
) -> Result<(), Refusal> {
    if depth > MAX_JSON_DEPTH {
        let detail = format!("nested deeper than {MAX_JSON_DEPTH} levels");
        return Err(Refusal::new(Reason::ArgumentsTooLarge, detail));
    }
    let guess = by_name(name);
    match value.get().bytes().next() {
        Some(b'{') => {
            if guess == Some(Guess::Plain) {
                return check(value);
            }
            fields(value.get(), &mut |key, value| field(collector, &key, value, depth + 1))
        }
        Some(b'[') => list(collector, name, guess, value, depth),
        Some(b'"') => text(collector, name, guess, value),
        Some(b'n') => Ok(()),
        // A number or a boolean where a path, command or URL belongs: the tool may make text of it.
        _ if guess.is_some_and(|guess| !matches!(guess, Guess::Plain | Guess::Words)) => {
            Err(mistyped(name, "a string"))
        }
        _ => Ok(()),
    }
}

fn list<'a>(
    collector: &mut Collector<'a>,
    name: &str,
    guess: Option<Guess>,
    value: &'a RawValue,
    depth: usize,
) -> Result<(), Refusal> {
    let items = items(value).unwrap_or_default();
    let words = !items.is_empty() && items.iter().all(|item| item.get().starts_with('"'));
    match guess {
        Some(Guess::Plain) => check(value),
        Some(Guess::Command) if words => collector.argv(name, value),
        Some(Guess::Words) if words && collector.words.is_none() => {
            collector.words = Some(value);
            items.into_iter().try_for_each(|item| by_value_alone(collector, name, item))
        }
        _ => items.into_iter().try_for_each(|item| field(collector, name, item, depth + 1)),
    }
}

/// A word behind a command: if there is no command, it may still be a path or a URL.
fn by_value_alone<'a>(collector: &mut Collector<'a>, name: &str, value: &'a RawValue) -> Result<(), Refusal> {
    text(collector, name, None, value)
}

fn text<'a>(
    collector: &mut Collector<'a>,
    name: &str,
    guess: Option<Guess>,
    value: &'a RawValue,
) -> Result<(), Refusal> {
    if guess == Some(Guess::Plain) {
        return Ok(());
    }
    let text = string(value).ok_or_else(|| mistyped(name, "a string of whole characters"))?;
    let by_value = by_value(&text);
    match (guess, by_value) {
        (Some(Guess::Plain), _) => {}
        // `file: "https://…"` is fetched or read, whichever the tool does: the value is clearer.
        (Some(Guess::Write | Guess::Words) | None, Some(ArgumentKind::Url)) | (Some(Guess::Url), _) => {
            collector.effect(EffectKind::Fetch, text);
        }
        (Some(Guess::Patch | Guess::Words) | None, Some(ArgumentKind::Patch)) => {
            collector.patch(name, text)?
        }
        (Some(Guess::Patch | Guess::Words) | None, Some(ArgumentKind::Write)) | (Some(Guess::Write), _) => {
            collector.effect(EffectKind::Write, text);
        }
        (Some(Guess::Command), _) => collector.command(text, collector.dialect),
        (Some(Guess::Code), _) => collector.command(text, Dialect::Unknown),
        (Some(Guess::Agent), _) => collector.effect(EffectKind::Delegate, text),
        (Some(Guess::Workdir), _) => collector.workdir(name, text)?,
        (Some(Guess::Patch | Guess::Words) | None, _) => {}
    }
    Ok(())
}
