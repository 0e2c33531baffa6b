//! A session as a conversation, with a decision at each call, for people.

use super::log::Format;
use super::player::{Played, Player, Step};
use super::record::title;
use crate::failure::Failure;
use crate::out::{ASK, BAD, FAINT, GOOD, NOTE, Out, STRONG, line, padded, paint, shortened, width, wrapped};
use crate::words::{Tongue, Words};
use anstyle::Style;
use plan_gate::plan_mode::View;
use plan_gate::{
    CallAnswer, Outside, Plan, ProposalAnswer, Reason, ReplyAnswer, ScopeList, Settlement, Source,
};
use std::io::Write;
use unicode_width::UnicodeWidthStr;

/// Columns before what somebody said or did.
const INDENT: usize = 9;
/// Columns of a decision: a sign, a blank, a word.
const DECISION: usize = 10;
/// Columns of a tool's name, where it is that short.
const TOOL: usize = 8;
/// Columns of what a call works on, where it is that short.
const TARGET: usize = 24;
/// Most lines of a message that are shown.
const MESSAGE_LINES: usize = 12;

/// Shows the sessions of one family.
pub struct Show {
    pub(super) tongue: Tongue,
    pub(super) names: Vec<String>,
    begun: bool,
    /// Whether a person is at work: nothing is repeated that was typed, and every reading is said.
    talkative: bool,
    /// Who spoke last, so that calls stand under what the model said.
    last: Last,
    /// The words to the model that were shown last; said again, they are not shown again.
    told: Option<(Reason, &'static str)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Last {
    Nobody,
    Person,
    /// The model of this session.
    Model(String),
}

impl Show {
    pub fn new(tongue: Tongue, names: Vec<String>) -> Self {
        Self { tongue, names, begun: false, talkative: false, last: Last::Nobody, told: None }
    }

    /// For a person who plays by hand.
    pub fn by_hand(tongue: Tongue) -> Self {
        Self { begun: true, talkative: true, ..Self::new(tongue, Vec::new()) }
    }

    /// Shows one step.
    pub fn step(
        &mut self,
        out: &mut Out,
        format: Format,
        player: &Player,
        step: &Step,
    ) -> Result<(), Failure> {
        let words = self.tongue.beside(step.language);
        if self.says_something(step) && !self.begun {
            self.begun = true;
            header(out, words, &self.names, format, player)?;
        }
        match &step.played {
            Played::Opened { parent: Some(parent), orphan } => {
                let key = if *orphan { "replay.orphan" } else { "replay.child" };
                let values = [("child", &*name(&step.session)), ("parent", &*name(parent))];
                let style = if *orphan { BAD } else { NOTE };
                self.apart(out)?;
                paragraph(out, style, &" ".repeat(INDENT), "", &words.text(key, &values))?;
            }
            Played::Said { source, answer, settled, .. } if self.talkative => {
                self.last = Last::Nobody;
                if *source == Source::User && !step.child {
                    reading(out, words, answer)?;
                }
                if !reply(out, words, step, answer, settled)? {
                    let text = words.plain("reply.no_change");
                    paragraph(out, FAINT, &" ".repeat(INDENT), "→ ", &text)?;
                }
            }
            Played::Said { source, text, aside: false, answer, settled } => {
                self.said(out, words, step, *source, text)?;
                if *source == Source::User && !step.child {
                    reply(out, words, step, answer, settled)?;
                }
            }
            Played::Proposed { plan, answer } => {
                let margin = self.margin(out, words, step)?;
                proposal(out, words, &margin, plan, answer)?;
            }
            Played::NotShown { plan } => {
                let margin = self.margin(out, words, step)?;
                let text = words.text("replay.host_did_not_show", &[("title", &line(&title(plan)))]);
                paragraph(out, BAD, &margin, "✗ ", &text)?;
            }
            Played::Called { tool, args, answer } => {
                self.call(out, words, player, step, tool, args, answer)?;
            }
            Played::Stance(view) => {
                self.apart(out)?;
                paragraph(out, NOTE, &" ".repeat(INDENT), "⌂ ", &stance(words, *view))?;
            }
            Played::Opened { .. } | Played::Said { .. } | Played::RanAnyway | Played::Nothing => {}
        }
        Ok(())
    }

    fn says_something(&self, step: &Step) -> bool {
        !matches!(
            step.played,
            Played::Opened { parent: None, .. }
                | Played::Said { aside: true, .. }
                | Played::RanAnyway
                | Played::Nothing
        )
    }

    /// A blank line where the speaker changes, and the margin: who speaks now, or blanks.
    fn margin(&mut self, out: &mut Out, words: Words, step: &Step) -> Result<String, Failure> {
        let who = Last::Model(step.session.clone());
        if self.last == who {
            return Ok(" ".repeat(INDENT));
        }
        if !self.talkative || self.last != Last::Nobody {
            writeln!(out)?;
        }
        self.last = who;
        let label = words.plain(if step.child { "source.child" } else { "source.assistant" });
        Ok(format!("  {}", paint(FAINT, &padded(&label, INDENT - 2))))
    }

    fn apart(&mut self, out: &mut Out) -> Result<(), Failure> {
        writeln!(out)?;
        self.last = Last::Nobody;
        Ok(())
    }

    fn said(
        &mut self,
        out: &mut Out,
        words: Words,
        step: &Step,
        source: Source,
        text: &str,
    ) -> Result<(), Failure> {
        let person = source == Source::User && !step.child;
        let margin = if source == Source::Assistant {
            self.margin(out, words, step)?
        } else {
            writeln!(out)?;
            self.last = Last::Person;
            let style = if person { STRONG } else { FAINT };
            let label = padded(&words.plain(&format!("source.{}", source_name(source))), INDENT - 2);
            format!("  {}", paint(style, &label))
        };
        let rows = wrapped(text, width().saturating_sub(INDENT));
        let shown = if rows.len() > MESSAGE_LINES { MESSAGE_LINES - 1 } else { rows.len() };
        for (index, row) in rows.iter().take(shown).enumerate() {
            let margin = if index == 0 { margin.clone() } else { " ".repeat(INDENT) };
            let row = if person { paint(STRONG, row) } else { row.clone() };
            writeln!(out, "{}", format!("{margin}{row}").trim_end())?;
        }
        if shown < rows.len() {
            let more = words.text("replay.more_lines", &[("count", &(rows.len() - shown).to_string())]);
            writeln!(out, "{}{}", " ".repeat(INDENT), paint(FAINT, &more))?;
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments, reason = "all of it is one line")]
    fn call(
        &mut self,
        out: &mut Out,
        words: Words,
        player: &Player,
        step: &Step,
        tool: &str,
        args: &str,
        answer: &CallAnswer,
    ) -> Result<(), Failure> {
        let margin = self.margin(out, words, step)?;
        let (style, sign, key) = decision(answer.reason);
        let head = paint(style, &padded(&format!("{sign} {}", words.plain(key)), DECISION));
        let child = if step.child {
            format!("{} ", paint(NOTE, &format!("[{}]", name(&step.session))))
        } else {
            String::new()
        };
        let tool_name = padded(&shortened(tool, 40), TOOL);
        let room = width().saturating_sub(INDENT + DECISION + tool_name.width() + 1);
        let what = shortened(&player.target(tool, args), room.saturating_sub(24).max(24));
        let what = padded(&what, TARGET);
        let why = words.plain(&format!("reason.{}", answer.reason.name()));
        writeln!(out, "{margin}{head}{child}{} {}  {}", paint(STRONG, &tool_name), what, paint(FAINT, &why))?;
        if answer.reason.allows() {
            return Ok(());
        }
        // The words for the model, unless it was told the same a moment ago.
        let told = (answer.reason, step.before);
        if self.told != Some(told) || answer.reason == Reason::Outside {
            self.told = Some(told);
            for (index, row) in wrapped(&answer.text, width().saturating_sub(INDENT + 6)).iter().enumerate() {
                let sign = if index == 0 { "↳ " } else { "  " };
                writeln!(out, "{}{}", " ".repeat(INDENT + 2), paint(FAINT, &format!("{sign}{row}")))?;
            }
        }
        Ok(())
    }
}

fn header(
    out: &mut Out,
    words: Words,
    names: &[String],
    format: Format,
    player: &Player,
) -> Result<(), Failure> {
    writeln!(out, "\n  {}", paint(STRONG, &line(&names.join(" + "))))?;
    let root = player.root.as_deref().map_or_else(|| words.plain("replay.no_root"), line);
    let values = [("format", &*words.plain(format.key())), ("profile", &player.profile), ("root", &root)];
    writeln!(out, "  {}", paint(FAINT, &words.text("replay.header", &values)))?;
    Ok(())
}

/// What a reply did.
fn reply(
    out: &mut Out,
    words: Words,
    step: &Step,
    answer: &ReplyAnswer,
    settled: &[Outside],
) -> Result<bool, Failure> {
    let (style, key) = match answer.settlement {
        Settlement::DraftApproved => (GOOD, "reply.draft_approved"),
        Settlement::HeldApproved => (GOOD, "reply.held_approved"),
        Settlement::Amended => (ASK, "reply.amended"),
        Settlement::Cleared if step.before == "closed" => return Ok(false),
        Settlement::Cleared => (BAD, "reply.cleared"),
        Settlement::Kept => (FAINT, "reply.kept"),
        Settlement::Stale => (ASK, "reply.stale"),
        _ if answer.kind == plan_gate::ReplyKind::Approve => (FAINT, "reply.nothing_to_approve"),
        _ => return Ok(false),
    };
    let outside: Vec<String> = settled
        .iter()
        .map(|one| words.text(&format!("effect.{}", one.kind.name()), &[("value", &line(&one.value))]))
        .collect();
    let note = answer.note.as_deref().map(line).unwrap_or_default();
    let why = match answer.why {
        Some(why) => words.plain(&format!("why.{}", why.name())),
        None => String::new(),
    };
    let values = [("note", &*note), ("outside", &*outside.join(", ")), ("why", &*why)];
    paragraph(out, style, &" ".repeat(INDENT), "→ ", &words.text(key, &values))?;
    Ok(true)
}

/// How a reply was read.
fn reading(out: &mut Out, words: Words, answer: &ReplyAnswer) -> Result<(), Failure> {
    let kind = answer.kind.name();
    let why = answer.why.map(|why| format!(": {}", words.plain(&format!("why.{}", why.name()))));
    let text = words.text("reply.read_as", &[("verdict", kind), ("why", &why.unwrap_or_default())]);
    paragraph(out, FAINT, &" ".repeat(INDENT), "", &text)
}

fn proposal(
    out: &mut Out,
    words: Words,
    margin: &str,
    plan: &str,
    answer: &ProposalAnswer,
) -> Result<(), Failure> {
    let pad = " ".repeat(INDENT);
    let columns = width().saturating_sub(INDENT + 2);
    if !answer.ok {
        let text = words.text("replay.plan_refused", &[("title", &line(&title(plan)))]);
        paragraph(out, BAD, margin, "✗ ", &text)?;
        for row in wrapped(&answer.text, columns) {
            writeln!(out, "{pad}  {}", paint(FAINT, &row))?;
        }
        return Ok(());
    }
    // The gate read it a moment ago.
    let plan: Plan = serde_json::from_str(plan).unwrap_or_default();
    let bar = paint(ASK, "│");
    let heading = words.text("replay.plan", &[("title", &line(&plan.title))]);
    writeln!(out, "{margin}{} {}", paint(ASK, "┌"), paint(ASK.bold(), &heading))?;
    for row in wrapped(&plan.body, columns) {
        writeln!(out, "{}", format!("{pad}{bar} {row}").trim_end())?;
    }
    writeln!(out, "{pad}{bar}")?;
    let lists: Vec<ScopeList> =
        ScopeList::ALL.into_iter().filter(|list| !plan.scope.list(*list).is_empty()).collect();
    let label = if lists.is_empty() { "replay.allows_nothing" } else { "replay.allows" };
    writeln!(out, "{pad}{bar} {}", paint(FAINT, &words.plain(label)))?;
    for list in lists {
        let label = padded(&words.plain(&format!("list.{}", list.name())), 10);
        let entries = plan.scope.list(list).iter().map(|entry| line(entry)).collect::<Vec<_>>().join(", ");
        for (index, row) in wrapped(&entries, columns.saturating_sub(12)).iter().enumerate() {
            let label = if index == 0 { label.clone() } else { " ".repeat(10) };
            writeln!(out, "{pad}{bar}   {}{row}", paint(FAINT, &label))?;
        }
        for warning in answer.warnings.iter().filter(|warning| warning.list == list) {
            let entry = plan.scope.list(list).get(warning.index).map(|entry| line(entry)).unwrap_or_default();
            for row in wrapped(&format!("⚠ {entry}: {}", warning.text), columns.saturating_sub(2)) {
                writeln!(out, "{pad}{bar}   {}", paint(BAD, &row))?;
            }
        }
    }
    writeln!(out, "{pad}{} {}", paint(ASK, "└"), paint(ASK, &words.plain("replay.waits")))?;
    Ok(())
}

/// A line of the gate's own, under what was said.
fn paragraph(out: &mut Out, style: Style, margin: &str, sign: &str, text: &str) -> Result<(), Failure> {
    for (index, row) in wrapped(text, width().saturating_sub(INDENT + 2)).iter().enumerate() {
        let (margin, sign) = match index {
            0 => (margin.to_owned(), sign.to_owned()),
            _ => (" ".repeat(INDENT), " ".repeat(sign.width())),
        };
        writeln!(out, "{margin}{}", paint(style, &format!("{sign}{row}")))?;
    }
    Ok(())
}

fn decision(reason: Reason) -> (Style, &'static str, &'static str) {
    match reason.word() {
        "allow" => (GOOD, "✓", "decision.allow"),
        "hold" => (ASK, "?", "decision.hold"),
        _ => (BAD, "✗", "decision.refuse"),
    }
}

fn stance(words: Words, view: View) -> String {
    let key = match (view.active, view.pending) {
        (_, Some(true)) => "stance.entering",
        (_, Some(false)) => "stance.leaving",
        (true, None) => "stance.on",
        (false, None) => "stance.off",
    };
    words.plain(key)
}

fn source_name(source: Source) -> &'static str {
    match source {
        Source::User => "user",
        Source::Assistant => "assistant",
        Source::Tool => "tool",
        Source::Plugin => "plugin",
        Source::System => "system",
        Source::Agent => "agent",
    }
}

/// The beginning of a session's id, which tells it apart.
pub(super) fn name(id: &str) -> String {
    let last = id.rsplit('/').next().unwrap_or(id);
    let short = last.strip_prefix("session-").unwrap_or(last);
    if short.len() > 20 { short.chars().take(8).collect() } else { line(short) }
}
