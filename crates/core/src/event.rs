//! The events of a session, as session files write them.

use crate::{Plan, Source};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// One line of a recorded session (JSON Lines). `session` is absent in a one-session file.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum Event {
    /// A person typed this.
    User {
        /// The words.
        text: String,
        /// Whose session.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<String>,
    },
    /// Somebody wrote this; from `user` it is a reply, from anybody else it changes nothing.
    Message {
        /// Who.
        source: Source,
        /// The words.
        text: String,
        /// Whose session.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<String>,
    },
    /// The model proposes a plan.
    Propose {
        /// The plan.
        plan: Plan,
        /// Whose session.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<String>,
    },
    /// The model calls a tool.
    Call {
        /// The tool's name.
        tool: String,
        /// Its arguments, byte for byte.
        args: Box<RawValue>,
        /// Whose session.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<String>,
    },
    /// A sub-agent starts.
    Spawn {
        /// The sub-agent's session.
        session: String,
        /// The session that started it.
        parent: String,
    },
}
