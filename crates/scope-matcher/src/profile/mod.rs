//! Tool profiles: what a harness's tools do, argument by argument. Data, read strictly.

mod compile;
mod describe;
mod guess;
mod raw;

pub use describe::{ArgumentDescription, ProfileDescription, ReadsDescription, ToolDescription};
pub(crate) use guess::{Guess, by_name, by_value};

use plan_gate_core::{Dialect, Error};
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::sync::LazyLock;

/// The tools of one harness.
#[derive(Debug, Clone)]
pub struct Profile {
    pub(crate) name: Box<str>,
    pub(crate) about: Box<str>,
    /// The shell that reads commands where neither the tool nor the host's configuration says it.
    pub(crate) assume: Dialect,
    pub(crate) control: Box<[Box<str>]>,
    /// Whether a model can feed a running program unseen, so that none that waits for input is granted.
    pub(crate) interactive: bool,
    pub(crate) tools: Box<[ToolRule]>,
    exact: FxHashMap<Box<str>, usize>,
    /// Prefixes of families, the longest first.
    families: Box<[(Box<str>, usize)]>,
}

/// What is known of one tool, or of a family of tools.
#[derive(Debug, Clone, Default)]
pub(crate) struct ToolRule {
    pub names: Box<[Box<str>]>,
    pub note: Option<Box<str>>,
    pub reads: Reads,
    /// Why no plan can ever grant it.
    pub never: Option<Box<str>>,
    /// Arguments that are not listed are guessed from their names and values instead of held.
    pub open: bool,
    /// The kind of agent the tool starts, where no argument says it.
    pub agent: Option<Box<str>>,
    /// The shell this tool always uses.
    pub dialect: Option<Dialect>,
    /// At least one of these must be there.
    pub needs: Box<[Box<str>]>,
    pub arguments: Box<[Argument]>,
}

/// Whether a call only reads.
#[derive(Debug, Clone, Default)]
pub(crate) enum Reads {
    #[default]
    Never,
    Always,
    /// When this argument has one of these values.
    When {
        argument: Box<str>,
        values: Box<[Box<str>]>,
    },
}

/// What one argument means.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Argument {
    pub name: Box<str>,
    pub kind: ArgumentKind,
    pub required: bool,
    /// Whether it is an array of such values.
    pub list: bool,
}

/// The kinds of argument.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ArgumentKind {
    /// A path that is read.
    Read,
    /// A path that is written.
    Write,
    /// A command line for a shell.
    Command,
    /// Code for no shell: only the very same text is covered.
    Code,
    /// The words of a command.
    Argv,
    /// A URL that is fetched.
    Url,
    /// Text whose URLs are fetched.
    UrlText,
    /// The kind of agent that is started, and the kind when it is absent.
    Agent { default: Option<Box<str>> },
    /// Where a command runs.
    Workdir,
    /// A patch that names its files (`*** Begin Patch`).
    Patch,
    /// Changes nothing about what is allowed.
    Plain,
    /// Asks for more rights than a plan gives, unless it has one of these values.
    Widens { unless: Box<[Value]> },
    /// An array of objects with arguments of their own.
    Each { arguments: Box<[Argument]> },
}

impl ArgumentKind {
    /// The word in JSON.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Command => "command",
            Self::Code => "code",
            Self::Argv => "argv",
            Self::Url => "url",
            Self::UrlText => "url-text",
            Self::Agent { .. } => "agent",
            Self::Workdir => "workdir",
            Self::Patch => "patch",
            Self::Plain => "plain",
            Self::Widens { .. } => "widens",
            Self::Each { .. } => "each",
        }
    }
}

/// The shipped profiles in the order of [`Profile::names`].
const SHIPPED: [(&str, &str); 7] = [
    ("dsh", include_str!("../../data/profiles/dsh.json")),
    ("claude-code", include_str!("../../data/profiles/claude-code.json")),
    ("codex", include_str!("../../data/profiles/codex.json")),
    ("gemini-cli", include_str!("../../data/profiles/gemini-cli.json")),
    ("opencode", include_str!("../../data/profiles/opencode.json")),
    ("qwen-code", include_str!("../../data/profiles/qwen-code.json")),
    ("generic", include_str!("../../data/profiles/generic.json")),
];

static PROFILES: LazyLock<Vec<Result<Profile, Error>>> =
    LazyLock::new(|| SHIPPED.iter().map(|(_, json)| Profile::from_json(json)).collect());

impl Profile {
    /// The names of the shipped profiles.
    pub fn names() -> &'static [&'static str] {
        static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| SHIPPED.iter().map(|(name, _)| *name).collect());
        &NAMES
    }

    /// The shipped profile with this name.
    pub fn shipped(name: &str) -> Option<&'static Self> {
        let index = SHIPPED.iter().position(|(shipped, _)| *shipped == name)?;
        PROFILES.get(index)?.as_ref().ok()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Why no plan can grant this tool.
    pub(crate) fn never(&self, tool: &str) -> Option<&str> {
        self.rule(tool)?.never.as_deref()
    }

    /// Why no plan can grant this family: the profile knows tools that act under its prefix, and none of
    /// them can be granted.
    pub(crate) fn never_family(&self, prefix: &str) -> Option<&str> {
        let acts = |rule: &&ToolRule| !matches!(rule.reads, Reads::Always);
        let named = |rule: &&ToolRule| rule.names.iter().any(|name| name.starts_with(prefix));
        let mut why = None;
        for rule in self.tools.iter().filter(acts).filter(named) {
            why = Some(rule.never.as_deref()?);
        }
        why
    }

    /// The rule for a tool: its own, or that of the family with the longest prefix.
    pub(crate) fn rule(&self, tool: &str) -> Option<&ToolRule> {
        match self.exact.get(tool) {
            Some(place) => self.tools.get(*place),
            None => self.family(tool),
        }
    }

    /// The rule for the family with the longest prefix of this name.
    pub(crate) fn family(&self, tool: &str) -> Option<&ToolRule> {
        let (_, place) = self.families.iter().find(|(prefix, _)| tool.starts_with(&**prefix))?;
        self.tools.get(*place)
    }

    /// Every tool that stands in the profile by its own name, with the place of its rule.
    pub(crate) fn names_with_rules(&self) -> impl Iterator<Item = (&str, usize)> {
        self.exact.iter().map(|(name, place)| (&**name, *place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_profile_can_be_read_under_its_own_name() {
        for (name, json) in SHIPPED {
            let profile = Profile::from_json(json).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(profile.name(), name);
            assert!(Profile::shipped(name).is_some());
        }
        assert!(Profile::shipped("none").is_none());
    }
}
