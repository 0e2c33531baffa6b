//! Plans, and what may be wrong with them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What a plan asks to be allowed: five lists of entries as the model wrote them.
///
/// An absent list is an empty list. Which entry covers which call is the scope matcher's knowledge.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scope {
    /// Tool names; `prefix*` for families.
    #[serde(default)]
    pub tools: Vec<String>,
    /// Files and directories.
    #[serde(default)]
    pub files: Vec<String>,
    /// Command lines, exact or ending in `*`.
    #[serde(default)]
    pub commands: Vec<String>,
    /// Hosts, origins and URL prefixes.
    #[serde(default)]
    pub urls: Vec<String>,
    /// Kinds of sub-agent.
    #[serde(default)]
    pub agents: Vec<String>,
}

/// Which of the five lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScopeList {
    /// `tools`
    Tools,
    /// `files`
    Files,
    /// `commands`
    Commands,
    /// `urls`
    Urls,
    /// `agents`
    Agents,
}

impl ScopeList {
    /// The five lists in the order of the schema.
    pub const ALL: [Self; 5] = [Self::Tools, Self::Files, Self::Commands, Self::Urls, Self::Agents];

    /// The key in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Files => "files",
            Self::Commands => "commands",
            Self::Urls => "urls",
            Self::Agents => "agents",
        }
    }
}

impl Scope {
    /// The entries of one list.
    pub fn list(&self, list: ScopeList) -> &[String] {
        match list {
            ScopeList::Tools => &self.tools,
            ScopeList::Files => &self.files,
            ScopeList::Commands => &self.commands,
            ScopeList::Urls => &self.urls,
            ScopeList::Agents => &self.agents,
        }
    }

    /// Number of entries in all lists together.
    pub fn len(&self) -> usize {
        ScopeList::ALL.iter().map(|list| self.list(*list).len()).sum()
    }

    /// Whether no list has an entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A plan as the model proposes it: the arguments of `propose_plan`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Plan {
    /// One line.
    pub title: String,
    /// Markdown, called `plan` in JSON.
    #[serde(rename = "plan")]
    pub body: String,
    /// What it asks to be allowed.
    #[serde(flatten)]
    pub scope: Scope,
}

/// Same fields, flat: serde cannot refuse unknown fields through `flatten`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FlatPlan {
    title: String,
    plan: String,
    #[serde(default)]
    tools: Vec<String>,
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    commands: Vec<String>,
    #[serde(default)]
    urls: Vec<String>,
    #[serde(default)]
    agents: Vec<String>,
}

impl<'de> Deserialize<'de> for Plan {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let FlatPlan { title, plan, tools, files, commands, urls, agents } =
            FlatPlan::deserialize(deserializer)?;
        Ok(Self { title, body: plan, scope: Scope { tools, files, commands, urls, agents } })
    }
}

macro_rules! fault_codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// What is wrong with a plan or an entry. The name is the key of its texts.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum FaultCode { $($(#[$doc])* #[serde(rename = $text)] $name,)* }

        impl FaultCode {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The stable name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

fault_codes! {
    /// The arguments are not a plan: not JSON, an unknown key, a wrong type. `detail` says where.
    Malformed = "malformed",
    /// Title, body or entry is empty or blank.
    Blank = "blank",
    /// Longer than its limit. `detail` is the limit in bytes.
    TooLong = "too_long",
    /// More entries than the limit. `detail` is the limit.
    TooManyEntries = "too_many_entries",
    /// Control, bidirectional-override, zero-width or other invisible characters. `detail` names them.
    HiddenCharacters = "hidden_characters",
    /// `*` or `?` in a file entry: name the directory instead.
    FileGlob = "file_glob",
    /// A path that can never match: it climbs past its top, or its form is refused.
    PathNeverMatches = "path_never_matches",
    /// A URL entry that cannot be read.
    UrlUnreadable = "url_unreadable",
    /// `*` alone where it is not allowed.
    BareStar = "bare_star",
    /// The tool lets a model speak as the user later, or reaches the host itself. `detail` names it.
    NeverGrantable = "never_grantable",
    /// The file would switch the gate off or holds its state.
    ProtectedFile = "protected_file",
}

/// One thing wrong with a plan. All faults are reported at once, so that the model can mend them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Where: `title`, `plan`, `files[3]`.
    pub place: String,
    /// What is wrong.
    pub code: FaultCode,
    /// The offending text or the limit, for the message.
    pub detail: String,
}

impl Fault {
    /// A fault at a place.
    pub fn new(place: impl Into<String>, code: FaultCode, detail: impl Into<String>) -> Self {
        Self { place: place.into(), code, detail: detail.into() }
    }

    /// A fault of one entry.
    pub fn entry(list: ScopeList, index: usize, code: FaultCode, detail: impl Into<String>) -> Self {
        Self::new(format!("{}[{index}]", list.name()), code, detail)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.place, self.code.name(), self.detail)
    }
}
