//! What is known about programs: data, read once.

use super::why;
use crate::shell::Word;
use plan_gate_core::Dialect;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The data files, each with its sources.
const FILES: &[(&str, &str)] = &[
    ("archives", include_str!("../../data/programs/archives.json")),
    ("build", include_str!("../../data/programs/build.json")),
    ("containers", include_str!("../../data/programs/containers.json")),
    ("editors", include_str!("../../data/programs/editors.json")),
    ("files", include_str!("../../data/programs/files.json")),
    ("interpreters", include_str!("../../data/programs/interpreters.json")),
    ("network", include_str!("../../data/programs/network.json")),
    ("packages", include_str!("../../data/programs/packages.json")),
    ("runners", include_str!("../../data/programs/runners.json")),
    ("system", include_str!("../../data/programs/system.json")),
    ("text", include_str!("../../data/programs/text.json")),
    ("version_control", include_str!("../../data/programs/version_control.json")),
];

/// One data file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[allow(dead_code, reason = "for people; the schema demands it")]
    about: String,
    #[allow(dead_code, reason = "for people; the schema demands it")]
    sources: Vec<String>,
    programs: Vec<Program>,
}

/// One program, under every name it is known by.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Program {
    pub names: Vec<String>,
    /// It runs any text or file that it is given; a prefix entry for it is the user's to give.
    pub interpreter: bool,
    /// It takes a program from its standard input, without being an interpreter one would list.
    pub reads_code: bool,
    /// Options that carry code themselves, or end the program at once.
    pub inline: Vec<String>,
    /// A shell: the dialect it reads, and the options before its text.
    pub shell: Option<Dialect>,
    /// It runs the command in its arguments.
    pub runner: Option<Runner>,
    /// It exists to write the files in its arguments.
    pub writes: Option<Writes>,
    pub style: Style,
    /// The first argument may be a bundle of short options without a dash.
    pub bundled: bool,
    /// Short options, as letters, that take a value.
    pub values: String,
    /// Other options that take the next word as their value.
    pub value_options: Vec<String>,
    /// `values` and `value_options` hold behind a subcommand too.
    pub anywhere: bool,
    /// Options without a value that often stand before `--`.
    pub plain_flags: Vec<String>,
    /// Options that only look like the beginning of one in `options`.
    pub harmless: Vec<String>,
    pub options: Vec<Danger>,
    /// The same for options that count only before the subcommand.
    pub global: Vec<Danger>,
    pub script: Option<Script>,
    pub subcommands: BTreeMap<String, Subcommand>,
}

/// An option, or an argument of a certain form, that does more than the entry's author thinks of.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Danger {
    pub is: Vec<String>,
    pub does: Does,
}

/// What it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Does {
    /// Runs a program or code that the arguments or a file name.
    Runs,
    /// Writes or removes a file.
    Writes,
    /// Loads code or settings that can run something.
    Loads,
    /// Sends files elsewhere, or opens a door for others.
    Sends,
    /// Goes to another directory, which must be inside the root.
    Enters,
}

impl Does {
    pub(super) fn why(self) -> &'static str {
        match self {
            Self::Runs => why::OPTION_RUNS,
            Self::Writes => why::OPTION_WRITES,
            Self::Loads => why::OPTION_LOADS,
            Self::Sends => why::OPTION_SENDS,
            Self::Enters => why::OPTION_ENTERS,
        }
    }
}

/// How a program writes its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Style {
    /// `-abc`, `--long`, `--long=value`, and any unambiguous beginning of a long name.
    #[default]
    Gnu,
    /// The same, but long names in full only.
    Full,
    /// `-long` with one dash or two, no clusters, nothing ends the options.
    Single,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Script {
    Sed,
    Awk,
    /// `\\write18` runs programs.
    Tex,
    /// Statements and meta-commands of database clients.
    Sql,
}

/// Where the command stands in the arguments.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Runner {
    /// What it runs is all that matters: the wrapper itself needs no entry.
    pub transparent: bool,
    /// Arguments before the command.
    pub operands: usize,
    /// Letters of options without a value.
    pub flags: String,
    /// Letters of options with a value.
    pub values: String,
    pub long_flags: Vec<String>,
    pub long_values: Vec<String>,
    /// The arguments are put together to a text for a shell, possibly on another machine.
    pub text: bool,
    /// Further arguments come from the standard input.
    pub appends: bool,
}

/// Which arguments a program writes.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Writes {
    pub which: Which,
    /// Letters of options without a value.
    pub flags: String,
    /// Letters of options with a value that is not written to.
    pub values: String,
    pub long_flags: Vec<String>,
    pub long_values: Vec<String>,
    /// Options whose value is written to, instead of the last argument.
    pub target: Vec<String>,
    /// A last argument `host:path` is on another machine.
    pub remote: bool,
    /// `of=` of dd: the arguments are `name=value`.
    pub assignment: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Which {
    #[default]
    All,
    Last,
    /// The second argument and those behind it.
    Second,
}

/// A subcommand with options of its own.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Subcommand {
    /// The subcommand itself needs its own entry.
    pub does: Option<Does>,
    /// … unless one of these words follows.
    pub unless: Vec<String>,
    pub values: String,
    pub value_options: Vec<String>,
    pub harmless: Vec<String>,
    pub options: Vec<Danger>,
    pub runner: Option<Runner>,
}

struct Data {
    programs: Vec<Program>,
    names: FxHashMap<String, usize>,
}

static DATA: LazyLock<Result<Data, String>> = LazyLock::new(load);

fn load() -> Result<Data, String> {
    let mut data = Data { programs: Vec::new(), names: FxHashMap::default() };
    for (name, text) in FILES {
        let file: File = serde_json::from_str(text).map_err(|error| format!("{name}: {error}"))?;
        for program in file.programs {
            for alias in &program.names {
                if data.names.insert(alias.clone(), data.programs.len()).is_some() {
                    return Err(format!("{name}: `{alias}` stands twice"));
                }
            }
            data.programs.push(program);
        }
    }
    Ok(data)
}

/// Whether the data could be read. A test holds it; without data nothing is covered but whole lines.
pub(super) fn ready() -> bool {
    DATA.is_ok()
}

/// What is known about the program with this name or path.
pub(super) fn find(name: &str) -> Option<&'static Program> {
    let data = DATA.as_ref().ok()?;
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let get = |name: &str| data.names.get(name).and_then(|index| data.programs.get(*index));
    if let Some(program) = get(base) {
        return Some(program);
    }
    if base.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return find(&base.to_ascii_lowercase());
    }
    if let Some(stem) = base.strip_suffix(".exe") {
        return find(stem);
    }
    // `python3.11`, `gcc-12`, `clang++-17`: the same program with its version.
    let stem = base.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    if stem.len() < base.len() && !stem.is_empty() { get(stem) } else { None }
}

/// What is known about the program of a call.
pub(super) fn of(words: &[Word<'_>]) -> Option<&'static Program> {
    find(words.first()?.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_can_be_read() {
        assert_eq!(DATA.as_ref().err(), None);
        assert!(ready());
        for name in ["git", "/usr/bin/git", "GIT", "git.exe", "python3.11", "gcc-12"] {
            assert!(find(name).is_some(), "{name}");
        }
        assert!(find("no-such-program").is_none());
    }
}
