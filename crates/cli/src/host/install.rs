//! `plan-gate install HOST` and `plan-gate uninstall HOST`: the change as a diff, a question, a backup, the change.

use super::diff::{Line, diff};
use super::{checks, files, host_named};
use crate::failure::{Failure, Outcome};
use crate::out::{BAD, FAINT, GOOD, Out, STRONG, paint, visible};
use crate::words::{Tongue, Words};
use clap::Args;
use plan_gate_hosts::install::{Edit, Level, Target, edits};
use plan_gate_hosts::{Host, Surroundings};
use plan_gate_store::SqliteStore;
use std::io::{self, IsTerminal, Write};

#[derive(Debug, Args)]
pub struct Options {
    #[arg(value_name = "HOST")]
    host: String,
    #[command(flatten)]
    place: Place,
    #[arg(long, short = 'y')]
    yes: bool,
    #[arg(long)]
    dry_run: bool,
}

/// Whose configuration.
#[derive(Debug, Clone, Copy, Args)]
pub struct Place {
    #[arg(long, conflicts_with_all = ["project", "system"])]
    user: bool,
    #[arg(long, conflicts_with = "system")]
    project: bool,
    #[arg(long)]
    system: bool,
}

impl Place {
    pub fn level(self) -> Level {
        match (self.project, self.system) {
            (true, _) => Level::Project,
            (_, true) => Level::System,
            _ => Level::User,
        }
    }
}

/// One file, as it is and as it would be; `None` for a file that is not there.
struct Change {
    edit: Edit,
    old: Option<String>,
    new: Option<String>,
}

pub fn target(surroundings: &Surroundings, level: Level) -> Result<Target, Failure> {
    let project = std::env::current_dir()?;
    let Surroundings { home, program, .. } = surroundings.clone();
    Ok(Target { level, home, project, program })
}

pub fn install(options: &Options, tongue: Tongue) -> Result<Outcome, Failure> {
    let words = tongue.words();
    let host = host_named(&options.host, words)?;
    let surroundings = Surroundings::find()?;
    let target = target(&surroundings, options.place.level())?;
    let mut changes = Vec::new();
    for edit in edits(host, &target)? {
        let old = files::read(&edit.path)?;
        let new = Some(edit.install(old.as_deref())?);
        changes.push(Change { edit, old, new });
    }
    // A gate that could not keep its state would refuse everything: better said now.
    if !options.dry_run {
        SqliteStore::open(&surroundings.state)?;
    }
    let done = apply(&changes, &surroundings, options, words)?;
    if done {
        notes(host, target.level, words)?;
    }
    Ok(Outcome::Fine)
}

pub fn uninstall(options: &Options, tongue: Tongue) -> Result<Outcome, Failure> {
    let words = tongue.words();
    let host = host_named(&options.host, words)?;
    let surroundings = Surroundings::find()?;
    let target = target(&surroundings, options.place.level())?;
    let mut changes = Vec::new();
    for edit in edits(host, &target)? {
        if let Some(old) = files::read(&edit.path)? {
            let new = edit.uninstall(&old)?.filter(|text| !is_empty(text));
            changes.push(Change { edit, old: Some(old), new });
        }
    }
    apply(&changes, &surroundings, options, words)?;
    Ok(Outcome::Fine)
}

/// A file that says nothing any more.
fn is_empty(text: &str) -> bool {
    text.chars().filter(|c| !c.is_whitespace()).collect::<String>() == "{}" || text.trim().is_empty()
}

/// Shows, asks and writes; whether anything was written.
fn apply(
    changes: &[Change],
    surroundings: &Surroundings,
    options: &Options,
    words: Words,
) -> Result<bool, Failure> {
    let changes: Vec<&Change> = changes.iter().filter(|change| change.old != change.new).collect();
    let mut out = Out::for_people();
    if changes.is_empty() {
        writeln!(out, "{}", words.plain("install.nothing"))?;
        out.flush()?;
        return Ok(false);
    }
    for change in &changes {
        show(change, &mut out)?;
    }
    out.flush()?;
    if options.dry_run {
        return Ok(false);
    }
    if !options.yes && !agreed(words)? {
        return Err(Failure::Failed(words.plain("install.not_written")));
    }
    for change in changes {
        if let Some(old) = &change.old {
            let place = files::back_up(&surroundings.state, &change.edit.path, old)?;
            let place = place.display().to_string();
            writeln!(out, "{}", paint(FAINT, &words.text("install.backup", &[("place", &place)])))?;
        }
        match &change.new {
            Some(new) => files::replace(&change.edit.path, new)?,
            None => files::remove(&change.edit.path)?,
        }
        let path = change.edit.path.display().to_string();
        writeln!(out, "{}", words.text("install.written", &[("path", &path)]))?;
    }
    out.flush()?;
    Ok(true)
}

fn show(change: &Change, out: &mut Out) -> io::Result<()> {
    writeln!(out, "{}", paint(STRONG, &change.edit.path.display().to_string()))?;
    let (old, new) = (change.old.as_deref().unwrap_or_default(), change.new.as_deref().unwrap_or_default());
    for line in diff(old, new) {
        match line {
            Line::Same(text) => writeln!(out, "    {}", visible(text))?,
            Line::Out(text) => writeln!(out, "{}", paint(BAD, &format!("  - {}", visible(text))))?,
            Line::In(text) => writeln!(out, "{}", paint(GOOD, &format!("  + {}", visible(text))))?,
            Line::Gap => writeln!(out, "{}", paint(FAINT, "    …"))?,
        }
    }
    writeln!(out)
}

fn agreed(words: Words) -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        return Err(Failure::Usage(words.plain("install.needs_yes")));
    }
    write!(anstream::stderr(), "{} ", words.plain("install.question"))?;
    anstream::stderr().flush()?;
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    Ok(["y", "yes", "是", "好"].contains(&line.trim().to_lowercase().as_str()))
}

/// What the person still has to do, and what cannot be promised on this host.
fn notes(host: Host, level: Level, words: Words) -> Result<(), Failure> {
    let mut out = Out::for_people();
    let next = words.find(&format!("install.next.{host}"));
    for note in next.into_iter().chain(checks::limits(host, level, words)) {
        writeln!(out, "\n{note}")?;
    }
    writeln!(out, "\n{}", words.text("install.doctor", &[("host", host.name())]))?;
    out.flush()?;
    Ok(())
}
