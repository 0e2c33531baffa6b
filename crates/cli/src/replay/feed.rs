//! The lines of one log, in order, with a look ahead where a line depends on a later one.

use super::log::{Format, Heard, Reader, Said};
use crate::lines::Lines;
use std::collections::VecDeque;
use std::io;

/// A line, read or not.
#[derive(Debug)]
pub struct Parsed {
    pub number: usize,
    /// A number that rises with time; a line without a time has that of the line before.
    pub time: u64,
    pub heard: Result<Heard, String>,
}

/// One log.
pub struct Feed {
    pub name: String,
    pub faults: super::Faults,
    lines: Lines,
    reader: Reader,
    ahead: VecDeque<Parsed>,
    time: u64,
    ended: bool,
}

impl Feed {
    pub fn new(name: String, lines: Lines) -> Self {
        let (reader, ahead) = (Reader::default(), VecDeque::new());
        Self { name, faults: super::Faults::default(), lines, reader, ahead, time: 0, ended: false }
    }

    /// Which program wrote it, as far as its lines have told.
    pub fn format(&self) -> Format {
        self.reader.format()
    }

    /// The time of the next line.
    pub fn next_time(&mut self) -> io::Result<Option<u64>> {
        if self.ahead.is_empty() {
            self.look()?;
        }
        Ok(self.ahead.front().map(|parsed| parsed.time))
    }

    /// The next line. Whether a proposal in it counts is known when its result has been found.
    pub fn next(&mut self) -> io::Result<Option<Parsed>> {
        if self.ahead.is_empty() {
            self.look()?;
        }
        let Some(mut parsed) = self.ahead.pop_front() else { return Ok(None) };
        if let Ok(heard) = &mut parsed.heard {
            for entry in &mut heard.entries {
                if let Said::Propose { call: Some(call), counts, .. } = &mut entry.said {
                    *counts = self.succeeded(call)?;
                }
            }
        }
        Ok(Some(parsed))
    }

    /// Whether the next line may take a while.
    pub fn would_wait(&self) -> bool {
        self.ahead.is_empty() && self.lines.would_wait()
    }

    /// Whether there was not one line in it.
    pub fn is_empty(&self) -> bool {
        !self.faults.good && self.faults.count == 0
    }

    /// Bytes read so far.
    pub fn taken(&self) -> u64 {
        self.lines.taken()
    }

    /// Whether the call came back without an error; one that never came back did not.
    fn succeeded(&mut self, call: &str) -> io::Result<bool> {
        let mut seen = 0;
        loop {
            while let Some(parsed) = self.ahead.get(seen) {
                if let Some(failed) = result_of(parsed, call) {
                    return Ok(!failed);
                }
                seen += 1;
            }
            if !self.look()? {
                return Ok(false);
            }
        }
    }

    /// Reads one more line; false at the end.
    fn look(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        let Some(line) = self.lines.next()? else {
            self.ended = true;
            return Ok(false);
        };
        let heard = line.bytes.and_then(|bytes| self.reader.read(&bytes));
        if let Ok(Heard { time: Some(time), .. }) = heard {
            self.time = time;
        }
        self.ahead.push_back(Parsed { number: line.number, time: self.time, heard });
        Ok(true)
    }
}

fn result_of(parsed: &Parsed, wanted: &str) -> Option<bool> {
    let entries = &parsed.heard.as_ref().ok()?.entries;
    entries.iter().find_map(|entry| match &entry.said {
        Said::Result { call, failed } if call == wanted => Some(*failed),
        _ => None,
    })
}
