//! `plan-gate classify`: how a text would be read as the user's reply.

mod marks;

use crate::failure::{Failure, Outcome, complain};
use crate::lines::{Lines, on_one_line, piped, piped_text};
use crate::out::{ASK, BAD, FAINT, GOOD, Out, STRONG, paint, width, wrapped};
use crate::setting::GateOptions;
use crate::words::{Tongue, Words};
use clap::Args;
use plan_gate::limits::MAX_INPUT_BYTES;
use plan_gate::{Gate, OtherWhy, ReplyKind};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Options {
    #[arg(value_name = "TEXT")]
    text: Vec<String>,
    #[arg(long)]
    explain: bool,
    #[arg(long, conflicts_with = "text")]
    jsonl: bool,
    #[arg(long, conflicts_with = "jsonl")]
    json: bool,
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// A line of `--jsonl`. Other keys are left alone, so that a labelled file can be read as it is.
#[derive(Deserialize)]
struct Asked {
    text: String,
}

#[derive(Serialize)]
struct Read<'a> {
    verdict: ReplyKind,
    why: Option<OtherWhy>,
    note: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'a str>,
}

#[derive(Serialize)]
struct Bad {
    error: String,
}

pub fn run(options: &Options, tongue: Tongue) -> Result<Outcome, Failure> {
    let words = tongue.words();
    let setting = GateOptions { config: options.config.clone(), ..GateOptions::default() }.read(tongue)?;
    let gate = Gate::with_config(setting.config())?;
    if options.jsonl {
        let mut lines = piped(words, "TEXT")?;
        return by_line(&gate, &mut lines, options.explain, words);
    }
    let text = match options.text.as_slice() {
        [] => piped_text(words, "TEXT")?,
        [dash] if dash == "-" => piped_text(words, "TEXT")?,
        parts => parts.join(" "),
    };
    if options.json {
        let mut out = Out::for_programs();
        if options.explain {
            out.pretty_json(&gate.explain_reply(&text)?)?;
        } else {
            let read = gate.classify(&text)?;
            let rule = Some(read.rule);
            out.json(&Read { verdict: read.kind, why: read.why, note: read.note, rule })?;
        }
        out.flush()?;
        return Ok(Outcome::Fine);
    }
    let mut out = Out::for_people();
    show(&gate, &text, options.explain, words, &mut out)?;
    out.flush()?;
    Ok(Outcome::Fine)
}

fn by_line(gate: &Gate, lines: &mut Lines, explain: bool, words: Words) -> Result<Outcome, Failure> {
    let mut out = Out::for_programs();
    let (mut read, mut bad) = (0_usize, Vec::new());
    while let Some(line) = lines.next()? {
        read += 1;
        match line.bytes.and_then(|bytes| ask(&bytes)) {
            Ok(text) if explain => out.json(&gate.explain_reply(&text)?)?,
            Ok(text) => {
                let read = gate.classify(&text)?;
                out.json(&Read { verdict: read.kind, why: read.why, note: read.note, rule: None })?;
            }
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

/// What a reader of JSON lines comes to: nothing to read and lines at fault are failures.
pub fn finish(read: usize, bad: &[usize], words: Words) -> Result<Outcome, Failure> {
    if read == 0 {
        return Err(Failure::Failed(words.plain("error.empty_input")));
    }
    let Some(first) = bad.first() else { return Ok(Outcome::Fine) };
    let (count, first) = (bad.len().to_string(), first.to_string());
    complain(&words.text("error.bad_lines", &[("count", &count), ("first", &first)]));
    Ok(Outcome::Faults)
}

fn ask(line: &[u8]) -> Result<String, String> {
    let asked: Asked = serde_json::from_slice(line).map_err(|error| on_one_line(&error.to_string()))?;
    if asked.text.len() > MAX_INPUT_BYTES {
        return Err(format!("text: {} bytes, the limit is {MAX_INPUT_BYTES}", asked.text.len()));
    }
    Ok(asked.text)
}

/// The reading of a text, for people.
pub fn show(gate: &Gate, text: &str, explain: bool, words: Words, out: &mut Out) -> Result<(), Failure> {
    let explanation = gate.explain_reply(text)?;
    let (style, sign) = match explanation.verdict {
        ReplyKind::Approve => (GOOD, "✓"),
        ReplyKind::Amend => (ASK, "↻"),
        ReplyKind::Other => (BAD, "✗"),
    };
    let name = explanation.verdict.name();
    let verdict = paint(style.bold(), &format!("{sign} {name}"));
    writeln!(out, "{verdict}  {}", words.plain(&format!("classify.{name}")))?;
    if let Some(why) = explanation.why {
        writeln!(out, "  {}", words.plain(&format!("why.{}", why.name())))?;
    }
    if let Some(note) = &explanation.note {
        let label = words.plain("classify.note");
        for (index, line) in wrapped(note, width().saturating_sub(8)).iter().enumerate() {
            let label = if index == 0 { paint(STRONG, &label) } else { " ".repeat(4) };
            writeln!(out, "  {label}  {line}")?;
        }
    }
    if explain {
        writeln!(out)?;
        marks::show(text, &explanation, words, out)?;
        let rule = words.text("classify.rule", &[("rule", explanation.rule)]);
        writeln!(out, "\n  {}", paint(FAINT, &rule))?;
    }
    Ok(())
}
