//! Configuration as a host writes it. The facade compiles it.

use crate::Dialect;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// Language of the gate's texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LocaleChoice {
    /// Follow the user's last message; English until there is one.
    #[default]
    Auto,
    /// Chinese.
    Zh,
    /// English.
    En,
}

/// How paths are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PathStyleChoice {
    /// The style of the system the library runs on.
    #[default]
    Auto,
    /// Bytes compared exactly.
    Posix,
    /// POSIX, compared in NFC without case.
    Macos,
    /// Both separators, drives, UNC; compared without case.
    Windows,
}

/// Whether command words are compared without case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CommandCase {
    /// Case folds, but not in options nor in words with `/` or `.` (POSIX shells).
    #[default]
    Fold,
    /// Case counts.
    Exact,
}

/// A shipped profile by name, or one written out.
#[derive(Debug, Clone)]
pub enum ProfileChoice {
    /// `dsh`, `claude-code`, `codex`, `gemini-cli`, `opencode`, `qwen-code`, `generic`.
    Named(String),
    /// A profile in the same JSON form as the shipped ones, not yet read.
    Inline(Box<RawValue>),
}

impl Default for ProfileChoice {
    fn default() -> Self {
        Self::Named("generic".to_owned())
    }
}

impl<'de> Deserialize<'de> for ProfileChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        match raw.get().bytes().next() {
            Some(b'"') => serde_json::from_str(raw.get()).map(Self::Named).map_err(serde::de::Error::custom),
            Some(b'{') => Ok(Self::Inline(raw)),
            _ => Err(serde::de::Error::custom("expected the name of a profile or a profile object")),
        }
    }
}

/// The whole configuration; every key has a default. Unknown keys and wrong types are errors.
///
/// The first six keys are those of the original plug-in and keep its names, defaults and meaning.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct Config {
    /// Language of the gate's texts.
    pub locale: LocaleChoice,
    /// `true`: sub-agents are not gated at all. `false`: they live under their parent's approved scope.
    pub exempt_delegated: bool,
    /// Hosts log state changes when this is on; the library itself never logs.
    pub debug: bool,
    /// Exact tool names that need no plan.
    pub allow_tools: Vec<String>,
    /// Exact tool names that always need a plan; beats read-only marks and `allowTools`.
    pub gate_tools: Vec<String>,
    /// Extra approval phrases of the weak tier.
    pub approval_words: Vec<String>,
    /// The harness's tools.
    pub profile: ProfileChoice,
    /// The session's working directory, absolute in the chosen path style.
    pub root: Option<String>,
    /// How paths are read.
    pub path_style: PathStyleChoice,
    /// Whether command words are compared without case.
    pub command_case: CommandCase,
    /// Which shell reads commands, where the profile does not say it for a tool.
    pub shell: Option<Dialect>,
    /// `true`: a reply that is a question clears nothing.
    pub keep_on_question: bool,
    /// Resolve symbolic links on disk before comparing paths (needs `root`).
    pub resolve_symlinks: bool,
    /// Files and directories that no plan can ever cover: the host's own configuration, the gate's store.
    pub protected_files: Vec<String>,
    /// Names under which the host offers `propose_plan`; they are never gated.
    pub control_tools: Vec<String>,
}
