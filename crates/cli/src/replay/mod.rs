//! `plan-gate replay`: what the gate would have said to a recorded session.

mod feed;
mod files;
pub mod log;
pub mod player;
mod record;
pub mod show;
mod summary;
mod tally;
mod target;

use crate::failure::{Failure, Outcome, complain};
use crate::out::Out;
use crate::setting::{GateOptions, Setting, cause};
use crate::words::{Tongue, Words};
use clap::Args;
use feed::{Feed, Parsed};
use files::Place;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use player::{Player, Step};
use show::Show;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use tally::Tally;

/// Less than this is played faster than a bar can be read, in bytes (4 MiB).
const LONG_WORK_BYTES: u64 = 4 << 20;
/// Most bad lines of one log that are named; a log in another format altogether has many.
const NAMED_LINES: usize = 20;
/// Lines between two looks at the progress bar.
const BAR_LINES: usize = 64;

#[derive(Debug, Args)]
pub struct Options {
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[arg(long)]
    json: bool,
    #[arg(long, conflicts_with = "json")]
    summary: bool,
    #[command(flatten)]
    gate: GateOptions,
}

pub fn run(options: &Options, tongue: Tongue) -> Result<Outcome, Failure> {
    let words = tongue.words();
    let setting = options.gate.read(tongue)?;
    let (places, faults) = files::find(&options.files, words);
    faults.iter().for_each(|fault| complain(fault));
    let out = if options.json { Out::for_programs() } else { Out::for_people() };
    let bar = bar(&places, options);
    let mut replay = Replay {
        setting,
        tongue,
        json: options.json,
        summary_only: options.summary,
        out,
        bar,
        lines: 0,
        total: Tally::default(),
        faults: faults.len(),
    };
    let families = files::families(places);
    let many = families.len() > 1;
    for family in &families {
        replay.family(family)?;
    }
    replay.bar.finish_and_clear();
    if many && !options.json {
        summary::total(&mut replay.out, words, families.len(), &replay.total)?;
    }
    replay.out.flush()?;
    Ok(if replay.faults > 0 { Outcome::Faults } else { Outcome::Fine })
}

/// A bar on standard error, where it does not stand in the way of the conversation.
fn bar(places: &[Place], options: &Options) -> ProgressBar {
    let bytes: u64 = places.iter().map(Place::size).sum();
    let talks = !options.summary && std::io::stdout().is_terminal();
    if bytes < LONG_WORK_BYTES || talks || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent:>3}%  {bytes}/{total_bytes}  {eta}") {
        bar.set_style(style);
    }
    bar
}

/// The bad lines of a log. They are held back until a good one shows that it is a log at all.
#[derive(Debug, Default)]
struct Faults {
    held: Vec<String>,
    count: usize,
    good: bool,
}

impl Faults {
    fn add(&mut self, fault: String) {
        self.count += 1;
        if self.count <= NAMED_LINES {
            self.held.push(fault);
        }
    }

    /// What can be said now.
    fn due(&mut self) -> Vec<String> {
        if self.good { std::mem::take(&mut self.held) } else { Vec::new() }
    }
}

/// The work under way.
struct Replay {
    setting: Setting,
    tongue: Tongue,
    json: bool,
    summary_only: bool,
    out: Out,
    bar: ProgressBar,
    lines: usize,
    total: Tally,
    faults: usize,
}

impl Replay {
    /// Plays the logs of a family together, in the order of time.
    fn family(&mut self, family: &[Place]) -> Result<(), Failure> {
        let words = self.tongue.words();
        let mut feeds = Vec::new();
        for place in family {
            match place.open() {
                Ok(lines) => feeds.push(Feed::new(place.name(), lines)),
                Err(error) => self.fault(&at_file(words, &place.name(), &cause(&error, words)))?,
            }
        }
        let mut player = Player::new(self.setting.clone());
        let mut show = Show::new(self.tongue, feeds.iter().map(|feed| feed.name.clone()).collect());
        let mut tally = Tally::default();
        while let Some(index) = earliest(&mut feeds, words)? {
            let Some(feed) = feeds.get_mut(index) else { break };
            let Some(parsed) = feed.next()? else { continue };
            tally.lines += 1;
            self.line(feed, parsed, &mut player, &mut show, &mut tally)?;
            if feeds.iter().any(Feed::would_wait) {
                self.out.flush()?;
            }
            self.progress(&feeds);
        }
        for feed in &feeds {
            self.end_of(feed)?;
        }
        if !self.json && tally.lines > tally.bad_lines {
            show.summary(&mut self.out, &player, &tally, self.summary_only)?;
        }
        self.total.add(&tally);
        Ok(())
    }

    fn line(
        &mut self,
        feed: &mut Feed,
        parsed: Parsed,
        player: &mut Player,
        show: &mut Show,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        let mut steps: Vec<Step> = Vec::new();
        let mut error = None;
        match parsed.heard {
            Err(message) => error = Some(message),
            Ok(heard) => {
                for entry in heard.entries {
                    match player.play(feed.format(), entry) {
                        Ok(step) => {
                            tally.count(&step);
                            steps.push(step);
                        }
                        Err(message) => error = Some(message),
                    }
                }
            }
        }
        if !self.json && !self.summary_only {
            for step in &steps {
                show.step(&mut self.out, feed.format(), player, step)?;
            }
        }
        if let Some(message) = &error {
            tally.bad_lines += 1;
            if self.json {
                self.out.json(&record::error(&feed.name, parsed.number, message))?;
            }
            let number = parsed.number.to_string();
            let values = [("file", feed.name.as_str()), ("line", &number), ("message", message)];
            self.faults += 1;
            feed.faults.add(self.tongue.words().text("error.at_line", &values));
        } else if self.json {
            steps.retain(|step| !matches!(step.played, player::Played::Nothing));
            self.out.json(&record::record(&feed.name, parsed.number, &steps))?;
        }
        feed.faults.good |= error.is_none();
        for fault in feed.faults.due() {
            self.say(&fault)?;
        }
        Ok(())
    }

    /// Says what is wrong with a log as a whole.
    fn end_of(&mut self, feed: &Feed) -> Result<(), Failure> {
        let words = self.tongue.words();
        if feed.is_empty() {
            return self.fault(&at_file(words, &feed.name, &words.plain("error.empty_file")));
        }
        let count = feed.faults.count;
        if !feed.faults.good {
            let message = words.text("error.no_session", &[("count", &count.to_string())]);
            let first = feed.faults.held.first().cloned().unwrap_or_default();
            return self.say(&format!("{first}; {message}"));
        }
        if count > NAMED_LINES {
            let more = (count - NAMED_LINES).to_string();
            let message = words.text("error.more_lines", &[("count", &more)]);
            self.say(&at_file(words, &feed.name, &message))?;
        }
        Ok(())
    }

    /// Says what is wrong, after what was said before it.
    fn fault(&mut self, message: &str) -> Result<(), Failure> {
        self.faults += 1;
        self.say(message)
    }

    fn say(&mut self, message: &str) -> Result<(), Failure> {
        self.out.flush()?;
        self.bar.suspend(|| complain(message));
        Ok(())
    }

    fn progress(&mut self, feeds: &[Feed]) {
        self.lines += 1;
        if self.lines.is_multiple_of(BAR_LINES) {
            self.bar.set_position(feeds.iter().map(Feed::taken).sum());
        }
    }
}

/// The log whose next line is the earliest.
fn earliest(feeds: &mut [Feed], words: Words) -> Result<Option<usize>, Failure> {
    let mut first: Option<(u64, usize)> = None;
    for (index, feed) in feeds.iter_mut().enumerate() {
        let time = feed
            .next_time()
            .map_err(|error| Failure::Failed(at_file(words, &feed.name, &cause(&error, words))))?;
        if let Some(time) = time
            && first.is_none_or(|(earliest, _)| time < earliest)
        {
            first = Some((time, index));
        }
    }
    Ok(first.map(|(_, index)| index))
}

fn at_file(words: Words, file: &str, message: &str) -> String {
    words.text("error.at_file", &[("file", file), ("message", message)])
}
