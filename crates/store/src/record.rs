//! What goes into a store and what comes out.

use serde::Serialize;

/// One journal line to be written: an event or a decision, with its rule.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// The program that runs the agent, such as `claude-code`.
    pub host: String,
    /// The sub-agent, when one acted.
    pub agent: Option<String>,
    /// What happened: `prompt`, `before_tool`, `approve`, …
    pub kind: String,
    /// The tool, for a call.
    pub tool: Option<String>,
    /// `allow`, `hold` or `refuse`, for a decision.
    pub verdict: Option<String>,
    /// The rule that decided, by its stable name.
    pub reason: Option<String>,
    /// The id of the draft, held call or tool call that this is about.
    pub id: Option<String>,
    /// The words or arguments, as far as the caller wants them kept.
    pub text: Option<String>,
}

/// A journal line as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Position: 1 for the first line ever, and growing. The order of events is this, never the time.
    pub seq: i64,
    /// Milliseconds since 1970, as the writer's clock said.
    pub time_ms: i64,
    /// The session.
    pub session: String,
    /// The program that runs the agent.
    pub host: String,
    /// The sub-agent, when one acted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// What happened.
    pub kind: String,
    /// The tool, for a call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// `allow`, `hold` or `refuse`, for a decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// The rule that decided, by its stable name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The id of the draft, held call or tool call that this is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The words or arguments that were kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What one event changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// The session as it is from now on. `None` keeps what is there and only adds to the journal.
    pub saved: Option<Saved>,
    /// Lines for the journal, in order.
    pub records: Vec<Record>,
}

/// The newest state of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Saved {
    /// The snapshot; opaque text.
    pub snapshot: String,
    /// The session this one descends from. Once set it cannot change.
    pub parent: Option<String>,
    /// The program that runs the agent. Once set it cannot change.
    pub host: String,
    /// The id of the draft or held call that waits for the person, if one does.
    pub waiting: Option<String>,
}

/// A session without its snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The session.
    pub session: String,
    /// The session this one descends from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The program that runs the agent.
    pub host: String,
    /// The id of the draft or held call that waits for the person, if one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<String>,
    /// When it last changed, in milliseconds since 1970.
    pub changed_ms: i64,
}

/// Which journal lines to see; an absent field lets everything through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only this session.
    pub session: Option<String>,
    /// Only this host.
    pub host: Option<String>,
    /// Only this kind.
    pub kind: Option<String>,
    /// Only this verdict.
    pub verdict: Option<String>,
    /// Only this tool.
    pub tool: Option<String>,
    /// Only lines after this position.
    pub after: Option<i64>,
    /// Only lines whose time is not before this, in milliseconds since 1970.
    pub since_ms: Option<i64>,
    /// Only the newest so many lines of those.
    pub last: Option<u32>,
}
