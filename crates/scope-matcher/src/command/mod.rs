//! Command entries, and whether they cover a command line.
//!
//! An exact entry covers the whole line as the user saw it. Any other line is taken apart by
//! [`crate::shell`], and every simple command of it needs an entry, every file it writes the files
//! list. What is not understood is outside.

mod arithmetic;
mod breadth;
mod builtins;
mod cover;
mod directory;
mod normal;
mod options;
mod plain;
mod programs;
mod runner;
mod scripts;
mod sequence;
mod table;
mod values;
mod why;
mod writes;

pub use breadth::Breadth;
pub use normal::normalise;
pub use table::CommandTable;
pub use why::WHYS;

/// Whether a program exists to write the files in its arguments (`tee`, `cp`, `mv`, …).
pub(crate) fn writes_files(program: &str) -> bool {
    programs::find(program).is_some_and(|program| program.writes.is_some())
}

/// What the files list says about the paths that a command writes.
pub trait FileCover {
    /// May a file at `path`, read relative to directory `cwd`, be written?
    ///
    /// `cwd` is relative to the session's root and empty at the start of a line.
    fn may_write(&self, cwd: &str, path: &str) -> bool;

    /// The directory that a literal `cd dir` leads to from `cwd`, if it stays inside the root
    /// (lexically).
    fn enter(&self, cwd: &str, dir: &str) -> Option<String>;
}

/// Whether the entries cover a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandCoverage {
    /// Every part of the line is covered.
    Covered {
        /// The entry that covered the line, or its only part; `None` when several entries did, or
        /// when nothing in the line needs one.
        entry: Option<usize>,
    },
    /// Something in the line is not covered.
    Outside {
        /// The part that is outside, as it stands in the line.
        part: String,
        /// Why: one of [`WHYS`].
        why: &'static str,
        /// The entry that comes nearest.
        nearest: Option<usize>,
    },
}

impl CommandCoverage {
    /// Whether the line is covered.
    pub fn is_covered(&self) -> bool {
        matches!(self, Self::Covered { .. })
    }
}
