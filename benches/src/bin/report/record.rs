//! What a run found: sections of text, numbers by name for the goals, plots.

use crate::{goals, machine, plot::Plot};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/record");

/// A run.
pub struct Record {
    quick: bool,
    numbers: BTreeMap<String, f64>,
    sections: String,
    plots: Vec<Plot>,
}

impl Record {
    /// Nothing found yet.
    pub fn new(quick: bool) -> Self {
        Self { quick, numbers: BTreeMap::new(), sections: String::new(), plots: Vec::new() }
    }

    /// Whether this is only a look.
    pub fn is_quick(&self) -> bool {
        self.quick
    }

    /// Keeps a number for the goals.
    pub fn set(&mut self, name: impl Into<String>, value: f64) {
        self.numbers.insert(name.into(), value);
    }

    /// A number, if it was measured.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.numbers.get(name).copied()
    }

    /// Begins a section.
    pub fn section(&mut self, title: &str, note: &str) {
        let _ = write!(self.sections, "\n## {title}\n\n{note}\n");
    }

    /// A table; the first row is its head.
    pub fn rows<R: AsRef<[String]>>(&mut self, head: &[&str], rows: &[R]) {
        let _ = writeln!(self.sections, "\n| {} |\n|{}", head.join(" | "), "---|".repeat(head.len()));
        for row in rows {
            let _ = writeln!(self.sections, "| {} |", row.as_ref().join(" | "));
        }
    }

    /// A plot, shown where it was added.
    pub fn plot(&mut self, plot: Plot) {
        let _ = writeln!(self.sections, "\n![{}]({}.svg)", plot.title, plot.file);
        self.plots.push(plot);
    }

    /// Writes the record and its plots; gives the place of the record.
    pub fn write(&self) -> Result<String, Box<dyn Error>> {
        fs::create_dir_all(FOLDER)?;
        let date = machine::date();
        let mut text = format!("# {date}\n\n{}\n\n## Goals\n\n{}", machine::words(), goals::table(self));
        text.push_str(&self.sections);
        let file = PathBuf::from(FOLDER).join(format!("{date}.md"));
        fs::write(&file, text)?;
        for plot in &self.plots {
            plot.write(&PathBuf::from(FOLDER).join(format!("{}.svg", plot.file)))?;
        }
        Ok(file.display().to_string())
    }
}

/// Nanoseconds for people.
pub fn ns(value: f64) -> String {
    match value {
        v if v < 100.0 => format!("{v:.1} ns"),
        v if v < 10_000.0 => format!("{v:.0} ns"),
        v if v < 10_000_000.0 => format!("{:.1} µs", v / 1e3),
        v => format!("{:.1} ms", v / 1e6),
    }
}

/// A ratio for people.
pub fn times(value: f64) -> String {
    if value < 20.0 { format!("{value:.2}×") } else { format!("{value:.0}×") }
}
