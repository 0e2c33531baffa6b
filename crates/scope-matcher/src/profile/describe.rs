//! A profile, for people and programs that want to know what the gate knows.

use super::{Argument, ArgumentKind, Profile, Reads, ToolRule};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a profile says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProfileDescription<'a> {
    /// Its name.
    pub profile: &'a str,
    /// Which harness, which version.
    pub about: &'a str,
    /// The shell that is assumed to read commands where nobody says it.
    pub assume: &'static str,
    /// Tools that are never gated.
    pub control: Vec<&'a str>,
    /// Whether a model can feed a running program unseen, so that none that waits for input is granted.
    pub interactive: bool,
    /// The tools it knows.
    pub tools: Vec<ToolDescription<'a>>,
}

/// What a profile says about a tool.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolDescription<'a> {
    /// Its names; one that ends in `*` is a family.
    pub names: Vec<&'a str>,
    /// The effects it can have: `read`, `write`, `execute`, `fetch`, `delegate`, `other`.
    pub effects: Vec<&'static str>,
    /// When it only reads.
    pub reads: ReadsDescription<'a>,
    /// Why no plan can grant it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub never: Option<&'a str>,
    /// Whether arguments that are not listed are guessed from their names and values; else they are held.
    pub open: bool,
    /// The shell it always uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialect: Option<&'static str>,
    /// The kind of agent it starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<&'a str>,
    /// Its arguments.
    pub arguments: BTreeMap<&'a str, ArgumentDescription>,
    /// A remark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'a str>,
}

/// When a tool only reads.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ReadsDescription<'a> {
    /// Never.
    Never,
    /// Always.
    Always,
    /// When this argument has one of these values.
    When(&'a str, Vec<&'a str>),
}

/// What a profile says about an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ArgumentDescription {
    /// The word the profile uses: `read`, `write`, `command`, `plain`, …
    pub is: &'static str,
    /// Whether a call without it is refused.
    pub required: bool,
}

impl Profile {
    /// What the profile says.
    pub fn describe(&self) -> ProfileDescription<'_> {
        ProfileDescription {
            profile: &self.name,
            about: &self.about,
            assume: self.assume.name(),
            control: texts(&self.control),
            interactive: self.interactive,
            tools: self.tools.iter().map(describe).collect(),
        }
    }
}

fn describe(rule: &ToolRule) -> ToolDescription<'_> {
    ToolDescription {
        names: texts(&rule.names),
        effects: effects(rule),
        reads: match &rule.reads {
            Reads::Never => ReadsDescription::Never,
            Reads::Always => ReadsDescription::Always,
            Reads::When { argument, values } => ReadsDescription::When(argument, texts(values)),
        },
        never: rule.never.as_deref(),
        open: rule.open,
        dialect: rule.dialect.map(plan_gate_core::Dialect::name),
        agent: rule.agent.as_deref(),
        arguments: rule
            .arguments
            .iter()
            .map(|argument| {
                let what = ArgumentDescription { is: argument.kind.word(), required: argument.required };
                (&*argument.name, what)
            })
            .collect(),
        note: rule.note.as_deref(),
    }
}

fn effects(rule: &ToolRule) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = rule.arguments.iter().filter_map(effect).collect();
    if rule.agent.is_some() {
        names.push("delegate");
    }
    if names.is_empty() {
        names.push(if matches!(rule.reads, Reads::Always) { "read" } else { "other" });
    }
    names.sort_unstable();
    names.dedup();
    names
}

fn effect(argument: &Argument) -> Option<&'static str> {
    match &argument.kind {
        ArgumentKind::Read => Some("read"),
        ArgumentKind::Write | ArgumentKind::Patch => Some("write"),
        ArgumentKind::Command | ArgumentKind::Code | ArgumentKind::Argv => Some("execute"),
        ArgumentKind::Url | ArgumentKind::UrlText => Some("fetch"),
        ArgumentKind::Agent { .. } => Some("delegate"),
        ArgumentKind::Each { arguments } => arguments.iter().find_map(effect),
        ArgumentKind::Workdir | ArgumentKind::Plain | ArgumentKind::Widens { .. } => None,
    }
}

fn texts(words: &[Box<str>]) -> Vec<&str> {
    words.iter().map(|word| &**word).collect()
}
