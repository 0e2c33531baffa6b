//! `plan-gate log`: every event and decision that was kept.

use super::existing_store;
use crate::failure::{Failure, Outcome};
use crate::out::{ASK, BAD, FAINT, GOOD, Out, padded, paint, visible};
use crate::words::Tongue;
use clap::Args;
use plan_gate_hosts::{Surroundings, now_ms};
use plan_gate_store::{Entry, Filter, Store};
use std::io::{self, Write};

#[derive(Debug, Args)]
pub struct Options {
    #[arg(long)]
    json: bool,
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    #[arg(long, value_name = "WORD")]
    verdict: Option<String>,
    #[arg(long, value_name = "TOOL")]
    tool: Option<String>,
    #[arg(long, value_name = "HOURS")]
    hours: Option<u32>,
    #[arg(long, value_name = "N")]
    last: Option<u32>,
}

/// Lines shown to a person who asked for no number.
const SCREEN: u32 = 50;

pub fn run(options: &Options, tongue: Tongue) -> Result<Outcome, Failure> {
    let words = tongue.words();
    let surroundings = Surroundings::find()?;
    let mut store = existing_store(&surroundings, words)?;
    let filter = Filter {
        session: full_session(&mut store, options.session.as_deref())?,
        host: options.host.clone(),
        kind: options.kind.clone(),
        verdict: options.verdict.clone(),
        tool: options.tool.clone(),
        since_ms: options.hours.map(|hours| now_ms().saturating_sub(i64::from(hours) * 3_600_000)),
        last: options.last.or((!options.json).then_some(SCREEN)),
        after: None,
    };
    let mut out = if options.json { Out::for_programs() } else { Out::for_people() };
    let mut written = Ok(());
    store.journal(&filter, &mut |entry| {
        if written.is_ok() {
            written = if options.json { out.json(&entry) } else { show(&entry, &mut out) };
        }
    })?;
    written?;
    out.flush()?;
    Ok(Outcome::Fine)
}

/// The name of a session in the store, for the id that the host gave it or the start of one.
fn full_session(store: &mut dyn Store, asked: Option<&str>) -> Result<Option<String>, Failure> {
    let Some(asked) = asked else { return Ok(None) };
    let all = store.sessions()?;
    let found = all.iter().find(|one| {
        one.session == asked || one.session.split_once('/').is_some_and(|(_, id)| id.starts_with(asked))
    });
    Ok(Some(found.map_or_else(|| asked.to_owned(), |one| one.session.clone())))
}

fn show(entry: &Entry, out: &mut Out) -> io::Result<()> {
    let style = match (entry.kind.as_str(), entry.verdict.as_deref()) {
        ("alarm" | "error", _) | (_, Some("refuse")) => BAD,
        (_, Some("hold")) => ASK,
        (_, Some("allow" | "draft_approved" | "held_approved")) => GOOD,
        _ => FAINT,
    };
    let verdict = entry.verdict.as_deref().unwrap_or_default();
    let (_, id) = entry.session.split_once('/').unwrap_or(("", &entry.session));
    let id: String = id.chars().take(8).collect();
    let head = format!("{:>6} {} {}", entry.seq, time(entry.time_ms), padded(&id, 8));
    write!(out, "{} {}", paint(FAINT, &head), padded(&entry.kind, 13))?;
    write!(
        out,
        " {} {}",
        paint(style, &padded(verdict, 8)),
        padded(entry.reason.as_deref().unwrap_or_default(), 18)
    )?;
    let tool = entry.tool.as_deref().unwrap_or_default();
    let text: String = entry.text.as_deref().unwrap_or_default().chars().take(80).collect();
    let text = visible(&text).replace('\n', " ");
    writeln!(out, " {} {text}", visible(tool))
}

/// The time of day in UTC: `11-30 20:15:03`. The order of lines is their number, never this.
fn time(ms: i64) -> String {
    let seconds = ms.div_euclid(1000);
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Civil date from days since 1970, by Howard Hinnant's reckoning.
    let days = days.saturating_add(719_468);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    format!("{month:02}-{day:02} {:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn times() {
        for (ms, text) in [
            (0, "01-01 00:00:00"),
            (951_782_400_000, "02-29 00:00:00"),
            (1_796_071_509_000, "11-30 20:45:09"),
            (-1, "12-31 23:59:59"),
        ] {
            assert_eq!(time(ms), text);
        }
        // A clock that is far off must not hurt.
        time(i64::MAX);
        time(i64::MIN);
    }
}
