//! Putting the gate into a host's configuration, and taking it out again: from the text of a file to its new text.
//!
//! Nothing here touches a disk. What a user wrote stays as it was, comments included; only entries that carry our
//! mark are changed, so installing twice is installing once.

mod codex;
mod json;
mod opencode;
mod settings;
mod switches;
mod wrap;

pub use switches::{other_hooks, switched_off};
pub use wrap::{MARK, command_line};

use crate::Host;
use std::fmt;
use std::path::{Path, PathBuf};

/// Whose configuration it goes into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// One person's, for all of their projects.
    User,
    /// One project's, for everybody who works in it.
    Project,
    /// The machine's, which neither a project nor a user can switch off. Needs an administrator.
    System,
}

/// Where things are.
#[derive(Debug, Clone)]
pub struct Target {
    /// Whose configuration.
    pub level: Level,
    /// The home directory.
    pub home: PathBuf,
    /// The project's directory.
    pub project: PathBuf,
    /// The program that hooks start, absolute.
    pub program: PathBuf,
}

/// What a file of the host's configuration must say.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    /// Hooks in Claude Code's form, and switches beside them.
    Hooks,
    /// Our server in a map of MCP servers.
    Server,
    /// Both, in one file.
    HooksAndServer,
    /// Codex's `config.toml`.
    CodexConfig,
    /// Codex's `requirements.toml`.
    CodexRequirements,
    /// OpenCode's configuration.
    OpenCodeConfig,
    /// OpenCode's plug-in.
    OpenCodePlugin,
}

/// One file to change.
#[derive(Debug, Clone)]
pub struct Edit {
    /// The file. It may not exist yet.
    pub path: PathBuf,
    content: Content,
    host: Host,
    level: Level,
    program: String,
}

/// A configuration that cannot be changed safely.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstallError(String);

impl InstallError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for InstallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InstallError {}

/// The files that an installation for `host` changes.
///
/// # Errors
///
/// A level that the host does not have, or a program whose path cannot stand in a command line.
pub fn edits(host: Host, target: &Target) -> Result<Vec<Edit>, InstallError> {
    let program = wrap::plain_path(&target.program)?;
    let edit =
        |path: PathBuf, content| Edit { path, content, host, level: target.level, program: program.clone() };
    let (home, project) = (&target.home, &target.project);
    let in_both = |directory: &str, file: &str| match target.level {
        Level::Project => project.join(directory).join(file),
        Level::User | Level::System => home.join(directory).join(file),
    };
    Ok(match (host, target.level) {
        (Host::ClaudeCode, Level::User) => vec![
            edit(home.join(".claude/settings.json"), Content::Hooks),
            edit(home.join(".claude.json"), Content::Server),
        ],
        (Host::ClaudeCode, Level::Project) => vec![
            edit(project.join(".claude/settings.json"), Content::Hooks),
            edit(project.join(".mcp.json"), Content::Server),
        ],
        (Host::ClaudeCode, Level::System) => vec![
            edit(
                system("claude-code/managed-settings.json", "ClaudeCode/managed-settings.json"),
                Content::Hooks,
            ),
            edit(home.join(".claude.json"), Content::Server),
        ],
        (Host::Codex, Level::System) => vec![
            edit(PathBuf::from("/etc/codex/requirements.toml"), Content::CodexRequirements),
            edit(home.join(".codex/config.toml"), Content::CodexConfig),
        ],
        (Host::Codex, _) => vec![edit(in_both(".codex", "config.toml"), Content::CodexConfig)],
        (Host::GeminiCli, Level::System) => {
            vec![edit(system("gemini-cli/settings.json", "GeminiCli/settings.json"), Content::HooksAndServer)]
        }
        (Host::GeminiCli, _) => vec![edit(in_both(".gemini", "settings.json"), Content::HooksAndServer)],
        (Host::QwenCode, Level::System) => {
            vec![edit(system("qwen-code/settings.json", "QwenCode/settings.json"), Content::HooksAndServer)]
        }
        (Host::QwenCode, _) => vec![edit(in_both(".qwen", "settings.json"), Content::HooksAndServer)],
        (Host::OpenCode, Level::User) => {
            let directory = home.join(".config/opencode");
            vec![
                edit(directory.join("opencode.json"), Content::OpenCodeConfig),
                edit(directory.join("plugin/plan-gate.js"), Content::OpenCodePlugin),
            ]
        }
        (Host::OpenCode, Level::Project) => vec![
            edit(project.join("opencode.json"), Content::OpenCodeConfig),
            edit(project.join(".opencode/plugin/plan-gate.js"), Content::OpenCodePlugin),
        ],
        (Host::OpenCode, Level::System) => {
            let message =
                "opencode has no machine-wide plug-ins; install for the user and set `OPENCODE_PERMISSION`";
            return Err(InstallError::new(message));
        }
    })
}

fn system(linux: &str, macos: &str) -> PathBuf {
    if cfg!(target_os = "macos") {
        Path::new("/Library/Application Support").join(macos)
    } else {
        Path::new("/etc").join(linux)
    }
}

impl Edit {
    /// The file's text with the gate in it; `old` is what it says now.
    ///
    /// # Errors
    ///
    /// The file is not what the host reads, or has something else under a name of ours.
    pub fn install(&self, old: Option<&str>) -> Result<String, InstallError> {
        let old = old.filter(|text| !text.trim().is_empty());
        let new = match self.content {
            Content::Hooks | Content::Server | Content::HooksAndServer => {
                settings::install(self.host, &self.parts(), old)
            }
            Content::CodexConfig => codex::install(&self.program, self.level != Level::System, old),
            Content::CodexRequirements => codex::install_requirements(&self.program, old),
            Content::OpenCodeConfig => opencode::install(&self.program, old),
            Content::OpenCodePlugin if old.is_some_and(|old| !old.contains(MARK)) => {
                Err(InstallError::new("another plug-in has this name; move it away first"))
            }
            Content::OpenCodePlugin => opencode::plugin(&self.program),
        };
        new.map_err(|error| self.at(error))
    }

    /// The file's text without the gate; `None` when nothing is left of it.
    ///
    /// # Errors
    ///
    /// The file is not what the host reads.
    pub fn uninstall(&self, old: &str) -> Result<Option<String>, InstallError> {
        let new = match self.content {
            Content::Hooks | Content::Server | Content::HooksAndServer => {
                settings::uninstall(&self.parts(), old).map(Some)
            }
            Content::CodexConfig => codex::uninstall(old).map(Some),
            Content::CodexRequirements => codex::uninstall_requirements(old).map(Some),
            Content::OpenCodeConfig => opencode::uninstall(old).map(Some),
            Content::OpenCodePlugin if old.contains(MARK) => Ok(None),
            Content::OpenCodePlugin => Err(InstallError::new("this is not our plug-in")),
        };
        new.map_err(|error| self.at(error))
    }

    fn parts(&self) -> settings::Parts<'_> {
        settings::Parts {
            hooks: self.content != Content::Server,
            server: self.content != Content::Hooks,
            system: self.level == Level::System,
            claude: self.host == Host::ClaudeCode,
            program: &self.program,
        }
    }

    fn at(&self, error: InstallError) -> InstallError {
        InstallError(format!("`{}`: {}", self.path.display(), error.0))
    }
}
