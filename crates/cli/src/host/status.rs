//! `plan-gate status`: in front of which host the gate is, and what waits.

use super::install::target;
use super::{existing_store, files};
use crate::failure::{Failure, Outcome};
use crate::out::{ASK, FAINT, GOOD, Out, STRONG, padded, paint};
use crate::words::Tongue;
use clap::Args;
use plan_gate_hosts::install::{Level, MARK, edits};
use plan_gate_hosts::{Host, Surroundings, engine};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Options {
    #[arg(long)]
    json: bool,
}

/// How a host's configuration at one level stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Nothing of ours is there.
    Absent,
    /// Something of ours is there, but not what this version writes.
    Differs,
    /// Everything is as this version writes it.
    Installed,
}

#[derive(Debug, Serialize)]
struct Row {
    host: &'static str,
    level: &'static str,
    standing: Standing,
}

pub const LEVELS: [(Level, &str); 3] =
    [(Level::User, "user"), (Level::Project, "project"), (Level::System, "system")];

/// Compares what is there with what an installation would write.
pub fn standing(surroundings: &Surroundings, host: Host, level: Level) -> Result<Standing, Failure> {
    let Ok(all) = edits(host, &target(surroundings, level)?) else { return Ok(Standing::Absent) };
    // In the home directory itself the project's file is the user's.
    let first = |level| -> Result<Option<PathBuf>, Failure> {
        let edits = edits(host, &target(surroundings, level)?).ok();
        Ok(edits.and_then(|edits| edits.first().map(|edit| edit.path.clone())))
    };
    if level == Level::Project && first(Level::User)? == first(Level::Project)? {
        return Ok(Standing::Absent);
    }
    let (mut ours, mut whole) = (false, true);
    for (place, edit) in all.iter().enumerate() {
        // A file that cannot be read is not ours, whatever is in it.
        let old = files::read(&edit.path).ok().flatten();
        // The first file holds the hooks; the second may be another level's as well.
        ours |= place == 0 && old.as_ref().is_some_and(|text| text.contains(MARK));
        let new = edit.install(old.as_deref()).ok();
        whole &= old.is_some() && old == new;
    }
    Ok(match (ours, whole) {
        (_, true) => Standing::Installed,
        (true, false) => Standing::Differs,
        (false, false) => Standing::Absent,
    })
}

pub fn run(options: &Options, tongue: Tongue) -> Result<Outcome, Failure> {
    let words = tongue.words();
    let surroundings = Surroundings::find()?;
    let mut rows = Vec::new();
    for host in Host::ALL {
        for (level, name) in LEVELS {
            rows.push(Row {
                host: host.name(),
                level: name,
                standing: standing(&surroundings, host, level)?,
            });
        }
    }
    if options.json {
        let mut out = Out::for_programs();
        out.json(&rows)?;
        out.flush()?;
        return Ok(Outcome::Fine);
    }
    let mut out = Out::for_people();
    for host in Host::ALL {
        write!(out, "{}", paint(STRONG, &padded(host.name(), 13)))?;
        let there: Vec<_> =
            rows.iter().filter(|row| row.host == host.name() && row.standing != Standing::Absent).collect();
        if there.is_empty() {
            write!(out, "{}", paint(FAINT, &words.plain("status.absent")))?;
        }
        for row in there {
            let (style, key) = match row.standing {
                Standing::Installed => (GOOD, "status.installed"),
                _ => (ASK, "status.differs"),
            };
            write!(out, "{}  ", paint(style, &words.text(key, &[("level", row.level)])))?;
        }
        writeln!(out)?;
    }
    if let Ok(mut store) = existing_store(&surroundings, words) {
        let waiting = engine::waiting(&mut store, &surroundings.settings()?)?.len();
        writeln!(out, "\n{}", words.text("status.waiting", &[("count", &waiting.to_string())]))?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}
