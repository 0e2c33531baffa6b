//! The hosts.

use crate::facts::Facts;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// A program that runs an agent and asks us before each tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Host {
    /// Anthropic's Claude Code.
    ClaudeCode,
    /// OpenAI's Codex CLI.
    Codex,
    /// Google's Gemini CLI.
    GeminiCli,
    /// Alibaba's Qwen Code.
    QwenCode,
    /// OpenCode, through the plug-in that this project ships for it.
    OpenCode,
}

impl Host {
    /// Every host.
    pub const ALL: [Self; 5] =
        [Self::ClaudeCode, Self::Codex, Self::GeminiCli, Self::QwenCode, Self::OpenCode];

    /// The name on the command line, in the journal and of the tool profile.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::GeminiCli => "gemini-cli",
            Self::QwenCode => "qwen-code",
            Self::OpenCode => "opencode",
        }
    }

    /// What is known about it.
    pub fn facts(self) -> &'static Facts {
        static CLAUDE_CODE: LazyLock<Facts> =
            LazyLock::new(|| Facts::shipped(include_str!("../data/claude-code.json")));
        static CODEX: LazyLock<Facts> = LazyLock::new(|| Facts::shipped(include_str!("../data/codex.json")));
        static GEMINI_CLI: LazyLock<Facts> =
            LazyLock::new(|| Facts::shipped(include_str!("../data/gemini-cli.json")));
        static QWEN_CODE: LazyLock<Facts> =
            LazyLock::new(|| Facts::shipped(include_str!("../data/qwen-code.json")));
        static OPENCODE: LazyLock<Facts> =
            LazyLock::new(|| Facts::shipped(include_str!("../data/opencode.json")));
        match self {
            Self::ClaudeCode => &CLAUDE_CODE,
            Self::Codex => &CODEX,
            Self::GeminiCli => &GEMINI_CLI,
            Self::QwenCode => &QWEN_CODE,
            Self::OpenCode => &OPENCODE,
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Host {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|host| host.name() == text).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|host| host.name()).collect();
            format!("`{text}` is no host; the hosts are {}", names.join(", "))
        })
    }
}
