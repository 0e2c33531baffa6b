//! Takes a command line apart without running it.
//!
//! A splitter here has no recovery: whatever it does not know makes the whole line *opaque*, with a
//! reason. What it does accept it reads the way the shell itself does, and the promise is one-sided:
//! **every command the shell would start for an accepted line is in [`Split::parts`]**. More parts
//! than the shell runs (a branch not taken) are fine; a missing one would be a hole.

mod cmd;
mod posix;
mod powershell;
mod word;

use plan_gate_core::{Dialect, limits};
use serde::Serialize;
use serde::ser::Serializer;
use std::borrow::Cow;
use std::fmt;

pub use word::{Marks, Word};

/// Deepest nesting that is taken apart, in levels (subshells, substitutions, compound commands).
pub const MAX_DEPTH: u8 = 40;

/// A command line taken apart, or the reason why it was not.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Split<'a> {
    /// Every simple command of the line, inner ones included. Empty when the line is opaque.
    pub parts: Vec<Part<'a>>,
    /// Why the line was not taken apart.
    pub opaque: Option<Opaque>,
    /// The order in which parts follow each other, for whoever has to know the working directory.
    #[serde(skip)]
    pub(crate) steps: Vec<Step>,
    /// What variables hold, as far as the line itself says.
    #[serde(skip)]
    pub(crate) bindings: Vec<Binding<'a>>,
    /// Variables whose value is evaluated as arithmetic, where a subscript can run a command.
    #[serde(skip)]
    pub(crate) evaluated: Vec<Cow<'a, str>>,
    /// Functions that the line defines.
    #[serde(skip)]
    pub(crate) functions: Vec<Function<'a>>,
}

/// One simple command, or the redirections of a compound one (then without words).
#[derive(Debug, Clone, Default, Serialize)]
pub struct Part<'a> {
    /// The command and its arguments.
    pub words: Vec<Word<'a>>,
    /// `NAME=value` in front of the command, or alone.
    #[serde(serialize_with = "texts")]
    pub assignments: Vec<Word<'a>>,
    /// In the order of the line.
    pub redirects: Vec<Redirect<'a>>,
    /// Whether the shell does not wait for it.
    pub background: bool,
    /// The source of the part, redirections included, comments not.
    #[serde(skip)]
    pub(crate) source: Cow<'a, str>,
    /// Inside the body or condition of a loop of the same (sub)shell.
    #[serde(skip)]
    pub(crate) in_loop: bool,
    /// Inside the body of a function.
    #[serde(skip)]
    pub(crate) in_function: bool,
}

/// One redirection.
#[derive(Debug, Clone, Serialize)]
pub struct Redirect<'a> {
    /// The operator, without the number of the file descriptor.
    pub op: &'static str,
    /// The file, descriptor, here-string, or delimiter of the here-document.
    pub target: Word<'a>,
}

/// Why a line is not taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opaque {
    reason: &'static str,
    at: usize,
}

impl Opaque {
    pub(crate) fn new(reason: &'static str, at: usize) -> Self {
        Self { reason, at }
    }

    /// The reason, in lower case and without a stop.
    pub fn reason(&self) -> &'static str {
        self.reason
    }

    /// Where reading ended, in bytes from the start of the line (or of an inner text that was
    /// unescaped before it was read).
    pub fn at(&self) -> usize {
        self.at
    }
}

impl fmt::Display for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.reason, self.at)
    }
}

impl Serialize for Opaque {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.reason)
    }
}

/// What lies between the parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// The part with this index.
    Part(usize),
    /// The next part runs only if everything since the last [`Step::Next`] succeeded.
    And,
    /// The next part runs whatever happened before.
    Next,
    /// A shell of its own begins: what it changes, it changes for itself.
    Enter,
    /// It ends.
    Leave,
}

/// A function that the line defines.
#[derive(Debug, Clone)]
pub(crate) struct Function<'a> {
    pub name: Cow<'a, str>,
    /// Whether it is sure to be defined for every later command of the line.
    pub certain: bool,
}

/// A variable and one of the values it may get.
#[derive(Debug, Clone)]
pub(crate) struct Binding<'a> {
    pub name: Cow<'a, str>,
    /// `None` when the value comes from elsewhere (`read`, `printf -v`).
    pub value: Option<Word<'a>>,
}

/// Takes `line` apart as `dialect` reads it.
///
/// Never panics; time and memory are linear in the line, and nesting is refused beyond
/// [`MAX_DEPTH`] levels. A line longer than [`limits::MAX_COMMAND_BYTES`] bytes is opaque, and so is
/// every line of an unknown shell.
///
/// ```
/// use plan_gate_core::Dialect;
/// use plan_gate_scope_matcher::shell::split;
///
/// let split = split("make all && cat log.txt | head -5", Dialect::Bash);
/// let names: Vec<&str> = split.parts.iter().map(|part| part.words[0].text()).collect();
/// assert_eq!(names, ["make", "cat", "head"]);
/// ```
pub fn split(line: &str, dialect: Dialect) -> Split<'_> {
    let result = if line.len() > limits::MAX_COMMAND_BYTES {
        Err(Opaque::new("longer than the limit for command lines", limits::MAX_COMMAND_BYTES))
    } else {
        match dialect {
            Dialect::Bash | Dialect::Sh | Dialect::Zsh => posix::split(line, dialect),
            Dialect::Powershell => powershell::split(line),
            Dialect::Cmd => cmd::split(line),
            Dialect::Argv => argv(line),
            Dialect::Unknown => Err(Opaque::new("nobody said which shell reads the line", 0)),
        }
    };
    result.unwrap_or_else(|opaque| Split { opaque: Some(opaque), ..Split::default() })
}

/// A JSON array of words, handed to the program as they are.
fn argv(line: &str) -> Result<Split<'_>, Opaque> {
    let words: Vec<Cow<'_, str>> =
        serde_json::from_str(line).map_err(|_| Opaque::new("not a JSON array of strings", 0))?;
    if words.first().is_none_or(|word| word.is_empty()) {
        return Err(Opaque::new("no program", 0));
    }
    let words = words.into_iter().map(|word| Word::literal(Cow::Owned(word.into_owned()))).collect();
    let part = Part { words, source: Cow::Borrowed(line), ..Part::default() };
    Ok(Split { parts: vec![part], steps: vec![Step::Part(0)], ..Split::default() })
}

fn texts<S: Serializer>(words: &[Word<'_>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(words.iter().map(Word::text))
}

impl Part<'_> {
    /// The part with text of its own.
    fn into_owned(self) -> Part<'static> {
        Part {
            words: self.words.into_iter().map(Word::into_owned).collect(),
            assignments: self.assignments.into_iter().map(Word::into_owned).collect(),
            redirects: self
                .redirects
                .into_iter()
                .map(|redirect| Redirect { op: redirect.op, target: redirect.target.into_owned() })
                .collect(),
            background: self.background,
            source: Cow::Owned(self.source.into_owned()),
            in_loop: self.in_loop,
            in_function: self.in_function,
        }
    }
}
