//! The counts at the end of a session, and where it ended.

use super::player::Player;
use super::show::{Show, name};
use super::tally::Tally;
use crate::failure::Failure;
use crate::out::{ASK, BAD, FAINT, GOOD, Out, STRONG, line, padded, paint, width};
use crate::words::Words;
use anstyle::Style;
use plan_gate::StateView;
use std::io::Write;

impl Show {
    /// The counts, and where the sessions ended.
    pub fn summary(&self, out: &mut Out, player: &Player, tally: &Tally, alone: bool) -> Result<(), Failure> {
        let roots = player.roots();
        let language = roots.first().map_or_else(Default::default, |(_, state)| state.language);
        let words = self.tongue.beside(language);
        if alone {
            writeln!(out, "\n{}", paint(STRONG, &line(&self.names.join(" + "))))?;
        } else {
            let rule = "─".repeat(width().min(60));
            writeln!(
                out,
                "\n  {}\n  {}",
                paint(FAINT, &rule),
                paint(STRONG, &words.plain("summary.heading"))
            )?;
        }
        counts(out, words, tally)?;
        for (id, state) in &roots {
            let whose = if roots.len() > 1 { format!("{}  ", name(id)) } else { String::new() };
            let end = format!("{whose}{}", ending(words, state));
            row(out, &words.plain("summary.end"), &[end])?;
        }
        Ok(())
    }
}

/// The counts over several families.
pub fn total(out: &mut Out, words: Words, families: usize, tally: &Tally) -> Result<(), Failure> {
    let rule = "━".repeat(width().min(60));
    let heading = words.text("summary.total", &[("count", &families.to_string())]);
    writeln!(out, "\n  {}\n  {}", paint(FAINT, &rule), paint(STRONG, &heading))?;
    counts(out, words, tally)
}

fn counts(out: &mut Out, words: Words, tally: &Tally) -> Result<(), Failure> {
    let count = |style: Style, key: &str, number: usize| {
        let text = words.text(key, &[("count", &number.to_string())]);
        paint(if number == 0 { FAINT } else { style }, &text)
    };
    let calls = [
        count(STRONG, "summary.count", tally.calls),
        count(GOOD, "summary.allowed", tally.allowed),
        count(BAD, "summary.refused", tally.refused),
        count(ASK, "summary.held", tally.held),
        count(FAINT, "summary.read_only", tally.read_only),
    ];
    row(out, &words.plain("summary.calls"), &calls)?;
    let mut plans = vec![
        count(STRONG, "summary.shown", tally.plans),
        count(GOOD, "summary.approved", tally.approved),
        count(ASK, "summary.amended", tally.amended),
        count(GOOD, "summary.approved_held", tally.approved_held),
    ];
    for (style, key, number) in
        [(BAD, "summary.withdrawn", tally.withdrawn), (BAD, "summary.plans_not_shown", tally.plans_not_shown)]
    {
        if number > 0 {
            plans.push(count(style, key, number));
        }
    }
    row(out, &words.plain("summary.plans"), &plans)?;
    if tally.ran_anyway > 0 {
        row(out, &words.plain("summary.log"), &[count(BAD, "summary.ran_anyway", tally.ran_anyway)])?;
    }
    if tally.bad_lines > 0 {
        row(out, &words.plain("summary.lines"), &[count(BAD, "summary.bad_lines", tally.bad_lines)])?;
    }
    Ok(())
}

fn row(out: &mut Out, label: &str, cells: &[String]) -> Result<(), Failure> {
    writeln!(out, "  {}  {}", paint(FAINT, &padded(label, 8)), cells.join("   "))?;
    Ok(())
}

fn ending(words: Words, state: &StateView) -> String {
    let title = state.draft.as_ref().map(|draft| draft.title.clone()).or_else(|| state.title.clone());
    let values = [("title", &*line(&title.unwrap_or_default()))];
    let mut text = words.text(&format!("end.{}", state.phase), &values);
    if let Some(held) = &state.held {
        let outside: Vec<String> = held
            .outside
            .iter()
            .map(|one| words.text(&format!("effect.{}", one.kind.name()), &[("value", &line(&one.value))]))
            .collect();
        text.push_str(&words.text("end.held", &[("outside", &outside.join(", "))]));
    }
    text
}
