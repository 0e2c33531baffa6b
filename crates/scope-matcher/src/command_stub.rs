//! Whole-line matches only, until commands are taken apart.

use plan_gate_core::{CommandCase, Dialect, FaultCode};
use std::borrow::Cow;

/// Asked about the files a command line names.
pub trait FileCover {
    #[allow(dead_code, reason = "whole-line matches ask for no file")]
    /// Whether `path`, read against `cwd`, may be written.
    fn may_write(&self, cwd: &str, path: &str) -> bool;
    /// The directory that `cd dir` leads to from `cwd`, if that is inside the root.
    fn enter(&self, cwd: &str, dir: &str) -> Option<String>;
}

/// The command entries of a scope.
#[derive(Debug, Clone, Default)]
pub struct CommandTable {
    lines: Box<[Box<str>]>,
}

/// Whether a line is covered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandCoverage {
    /// Yes, by this entry if it was one entry.
    Covered {
        /// Its place in the list.
        entry: Option<usize>,
    },
    /// No.
    Outside {
        /// The part of the line that is not covered.
        part: String,
        /// A stable key.
        why: &'static str,
        /// The place of the entry that comes nearest.
        nearest: Option<usize>,
    },
}

/// How broad an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breadth {
    /// `*`
    Everything,
}

impl Breadth {
    /// The key of its text.
    pub fn name(self) -> &'static str {
        "everything"
    }
}

impl CommandTable {
    /// Reads the entries.
    ///
    /// # Errors
    ///
    /// Every entry that is not usable, with its place.
    pub fn compile(entries: &[String], _case: CommandCase) -> Result<Self, Vec<(usize, FaultCode, String)>> {
        Ok(Self { lines: entries.iter().map(|entry| entry.as_str().into()).collect() })
    }

    /// Whether the line is covered.
    pub fn covers(&self, line: &str, _dialect: Dialect, _files: &dyn FileCover) -> CommandCoverage {
        match self.lines.iter().position(|entry| **entry == *line) {
            Some(entry) => CommandCoverage::Covered { entry: Some(entry) },
            None => {
                CommandCoverage::Outside { part: line.to_owned(), why: "command_not_listed", nearest: None }
            }
        }
    }

    /// How broad an entry is, if it is.
    pub fn broad(entry: &str) -> Option<Breadth> {
        (entry == "*").then_some(Breadth::Everything)
    }
}

/// The line as it is compared.
pub fn normalise(line: &str, _dialect: Dialect, _case: CommandCase) -> Cow<'_, str> {
    Cow::Borrowed(line)
}
