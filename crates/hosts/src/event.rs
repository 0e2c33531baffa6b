//! What a host's hook said, in words that fit every host.

use serde_json::value::RawValue;

/// One hook call, read.
#[derive(Debug, Clone)]
pub struct Event {
    /// The root session. Children share it.
    pub session: String,
    /// The sub-agent that acts, where the host names it.
    pub agent: Option<String>,
    /// What happened.
    pub happening: Happening,
}

/// What happened.
#[derive(Debug, Clone)]
pub enum Happening {
    /// A session starts or goes on.
    Start {
        /// Why.
        source: StartSource,
        /// The directory it works in, absolute. Absent where this event is not the place to learn it.
        root: Option<String>,
    },
    /// Text reaches the model as the user's.
    Prompt(Prompt),
    /// A tool is about to run.
    BeforeTool(Call),
    /// A tool has run, with what it really got.
    AfterTool {
        /// What ran.
        call: Call,
        /// The host says that it failed; it may have done a part.
        failed: bool,
    },
    /// A sub-agent starts.
    ChildStart {
        /// Its kind, where the host says it.
        kind: Option<String>,
    },
    /// A shell line inside a skill or slash command is about to run. No after-event follows.
    SkillShell(Call),
    /// A settings file changed and would be read again.
    ConfigChange {
        /// The file, where the host says it.
        file: Option<String>,
    },
    /// Of no concern to the gate.
    Ignored,
}

/// Why a session starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartSource {
    /// A new one.
    New,
    /// An earlier one goes on under its own id.
    Resume,
    /// The same process goes on after its history was shortened; nothing else changed.
    Compact,
}

/// Text that reaches the model as the user's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prompt {
    /// A person's words, as far as the host can tell.
    Reply(String),
    /// The host, the model or another agent put it there: neither a reply nor a new instruction.
    Injected,
}

/// A tool call.
#[derive(Debug, Clone)]
pub struct Call {
    /// The tool's name as the host spells it to hooks.
    pub tool: String,
    /// The arguments, byte for byte.
    pub arguments: Box<RawValue>,
    /// The host's id for this call, where it has one.
    pub id: Option<String>,
}
