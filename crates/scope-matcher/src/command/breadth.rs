//! Entries that cover more than their author may think.

use super::programs;
use crate::shell::split;
use plan_gate_core::Dialect;

/// Why an entry is broad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Breadth {
    /// `*`: any command.
    Everything,
    /// An interpreter with any arguments: any program whatever.
    Interpreter,
    /// `prefix*` without a blank before the `*`: also commands with longer names.
    InsideWord,
    /// A program that runs the command in its arguments: covers only what that is itself covered for.
    RunsArguments,
}

impl Breadth {
    /// The stable name, used as the key of the texts: `everything`, `interpreter`, `inside_word`,
    /// `runs_arguments`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Everything => "everything",
            Self::Interpreter => "interpreter",
            Self::InsideWord => "inside_word",
            Self::RunsArguments => "runs_arguments",
        }
    }
}

pub(super) fn broad(entry: &str) -> Option<Breadth> {
    let prefix = entry.strip_suffix('*')?;
    let words = prefix.trim_matches([' ', '\t']);
    if words.is_empty() {
        return Some(Breadth::Everything);
    }
    let inside_word = !prefix.ends_with([' ', '\t']);
    let split = split(words, Dialect::Bash);
    let part = split.parts.last()?;
    let name = part.words.first()?.known()?;
    if let Some(program) = programs::find(name)
        && part.words.len() == 1
    {
        if program.interpreter {
            return Some(Breadth::Interpreter);
        }
        if program.runner.is_some() {
            return Some(Breadth::RunsArguments);
        }
    }
    inside_word.then_some(Breadth::InsideWord)
}
