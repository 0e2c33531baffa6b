//! What a tool call would do.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The kinds of effect a call can have. The number crosses the C boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u32)]
pub enum EffectKind {
    /// Reads a file or directory.
    Read = 1,
    /// Creates, changes or removes a file or directory.
    Write = 2,
    /// Runs a command line, or an argument vector without a shell.
    Execute = 3,
    /// Reaches the network.
    Fetch = 4,
    /// Starts another agent.
    Delegate = 5,
    /// Acts in a way only its name describes.
    Other = 6,
}

impl EffectKind {
    /// Every kind, in the order of their numbers.
    pub const ALL: [Self; 6] =
        [Self::Read, Self::Write, Self::Execute, Self::Fetch, Self::Delegate, Self::Other];

    /// The kind with this number, if there is one.
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u32 == number)
    }

    /// The name used in JSON and in texts: `read`, `write`, `execute`, `fetch`, `delegate`, `other`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Execute => "execute",
            Self::Fetch => "fetch",
            Self::Delegate => "delegate",
            Self::Other => "other",
        }
    }
}

/// Which shell reads a command line. An unknown shell means whole-line matches only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// GNU bash.
    Bash,
    /// A POSIX shell (`dash`, `busybox sh`).
    Sh,
    /// zsh.
    Zsh,
    /// PowerShell.
    #[serde(alias = "pwsh")]
    Powershell,
    /// cmd.exe.
    Cmd,
    /// No shell: the words are handed to the program as they are.
    Argv,
    /// Nobody said: only a whole-line match covers such a command.
    #[default]
    Unknown,
}

impl Dialect {
    /// The name used in JSON: `bash`, `sh`, `zsh`, `powershell`, `cmd`, `argv`, `unknown`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Sh => "sh",
            Self::Zsh => "zsh",
            Self::Powershell => "powershell",
            Self::Cmd => "cmd",
            Self::Argv => "argv",
            Self::Unknown => "unknown",
        }
    }
}

/// One thing a call would do. A call passes only if every effect of it passes.
///
/// `value` is what the arguments said, untouched: a path, a command line, a URL, an agent kind, or
/// the tool's own name for [`EffectKind::Other`]. For [`Dialect::Argv`] it is the JSON array of words.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effect<'a> {
    /// What kind of thing.
    pub kind: EffectKind,
    /// What it is done to.
    pub value: Cow<'a, str>,
    /// Only for [`EffectKind::Execute`]: who reads the line.
    #[serde(default, skip_serializing_if = "is_unknown")]
    pub dialect: Dialect,
    /// Only for [`EffectKind::Execute`]: the directory the call asked to run in, as it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<Cow<'a, str>>,
}

fn is_unknown(dialect: &Dialect) -> bool {
    *dialect == Dialect::Unknown
}

impl<'a> Effect<'a> {
    /// An effect that is not a command.
    pub fn new(kind: EffectKind, value: impl Into<Cow<'a, str>>) -> Self {
        Self { kind, value: value.into(), dialect: Dialect::Unknown, cwd: None }
    }

    /// The same effect, owning its text.
    pub fn into_owned(self) -> Effect<'static> {
        Effect {
            kind: self.kind,
            value: Cow::Owned(self.value.into_owned()),
            dialect: self.dialect,
            cwd: self.cwd.map(|cwd| Cow::Owned(cwd.into_owned())),
        }
    }
}
