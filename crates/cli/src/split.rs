//! `plan-gate split`: a command line taken apart, as the gate reads it.

use crate::classify::finish;
use crate::failure::{Failure, Outcome};
use crate::lines::{on_one_line, piped, piped_text};
use crate::out::{ASK, BAD, FAINT, GOOD, Out, STRONG, line, paint};
use crate::setting::named;
use crate::words::{Tongue, Words};
use clap::Args;
use plan_gate_core::{Dialect, json};
use plan_gate_scope_matcher::shell::{Part, Split, split};
use serde::{Deserialize, Serialize};
use std::io::Write;

#[derive(Debug, Args)]
pub struct Options {
    #[arg(value_name = "LINE")]
    line: Option<String>,
    #[arg(long, value_name = "SHELL")]
    dialect: Option<String>,
    #[arg(long, conflicts_with = "line")]
    jsonl: bool,
    #[arg(long, conflicts_with = "jsonl")]
    json: bool,
}

/// A line of `--jsonl`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    command: String,
    #[serde(default)]
    dialect: Option<Dialect>,
}

#[derive(Serialize)]
struct Bad {
    error: String,
}

pub fn run(options: &Options, tongue: Tongue) -> Result<Outcome, Failure> {
    let words = tongue.words();
    let dialect = match &options.dialect {
        Some(name) => named("--dialect", name, words)?,
        None => Dialect::Bash,
    };
    if options.jsonl {
        return by_line(dialect, words);
    }
    let text = match options.line.as_deref() {
        Some("-") | None => piped_text(words, "LINE")?.trim_end().to_owned(),
        Some(text) => text.to_owned(),
    };
    let result = split(&text, dialect);
    if options.json {
        let mut out = Out::for_programs();
        out.json(&result)?;
        out.flush()?;
        return Ok(Outcome::Fine);
    }
    let mut out = Out::for_people();
    show(&result, words, &mut out)?;
    out.flush()?;
    Ok(Outcome::Fine)
}

fn by_line(dialect: Dialect, words: Words) -> Result<Outcome, Failure> {
    let mut lines = piped(words, "--jsonl")?;
    let mut out = Out::for_programs();
    let (mut read, mut bad) = (0_usize, Vec::new());
    while let Some(line) = lines.next()? {
        read += 1;
        let asked = line.bytes.and_then(|bytes| {
            json::from_slice::<Asked>(&bytes, usize::MAX).map_err(|error| on_one_line(error.message()))
        });
        match asked {
            Ok(asked) => out.json(&split(&asked.command, asked.dialect.unwrap_or(dialect)))?,
            Err(error) => {
                bad.push(line.number);
                out.json(&Bad { error })?;
            }
        }
        if lines.would_wait() {
            out.flush()?;
        }
    }
    out.flush()?;
    finish(read, &bad, words)
}

fn show(split: &Split<'_>, words: Words, out: &mut Out) -> Result<(), Failure> {
    if let Some(opaque) = &split.opaque {
        let text = words.text("split.opaque", &[("reason", &opaque.to_string())]);
        writeln!(out, "{}", paint(BAD, &format!("✗ {text}")))?;
        return Ok(());
    }
    let count = split.parts.len().to_string();
    writeln!(out, "{}", paint(GOOD, &format!("✓ {}", words.text("split.parts", &[("count", &count)]))))?;
    for (index, part) in split.parts.iter().enumerate() {
        writeln!(out, "  {:>2}  {}", index + 1, part_line(part, words))?;
    }
    Ok(())
}

/// Words in brackets, so that blanks inside them are seen; what is not certain in another colour.
fn part_line(part: &Part<'_>, words: Words) -> String {
    let mut pieces: Vec<String> =
        part.assignments.iter().map(|word| paint(FAINT, &line(word.text()))).collect();
    for word in &part.words {
        let style = if word.certain() { STRONG } else { ASK };
        pieces.push(format!("[{}]", paint(style, &line(word.text()))));
    }
    for redirect in &part.redirects {
        pieces.push(format!("{} {}", redirect.op, line(redirect.target.text())));
    }
    if part.background {
        pieces.push(paint(FAINT, &words.plain("split.background")));
    }
    pieces.join(" ")
}
