//! Logs of several programs, read into one kind of entry.

mod claude;
mod dsh;
mod own;

use crate::lines::on_one_line;
use plan_gate::Source;
use plan_gate::plan_mode::LogEvent;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// Which program wrote a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The JSON Lines of this project.
    Own,
    /// DeepSeek Harness.
    Dsh,
    /// Claude Code.
    ClaudeCode,
}

impl Format {
    /// The key of its name in the texts.
    pub fn key(self) -> &'static str {
        match self {
            Self::Own => "replay.own",
            Self::Dsh => "replay.dsh",
            Self::ClaudeCode => "replay.claude_code",
        }
    }

    /// The profile of its tools.
    pub fn profile(self) -> &'static str {
        match self {
            Self::Own => "generic",
            Self::Dsh => "dsh",
            Self::ClaudeCode => "claude-code",
        }
    }
}

/// Something that happened in a session.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Whose session; `None` for the only one of the file.
    pub session: Option<String>,
    pub said: Said,
}

/// What happened.
#[derive(Debug, Clone)]
pub enum Said {
    /// The session begins; with a parent it is a sub-agent's.
    Opens { parent: Option<String>, root: Option<String> },
    /// Somebody wrote something.
    Message { source: Source, text: String, attachments: bool, sent: Sent, aside: bool },
    /// A message was written while the agent was busy; what was on screen then is what it answers to.
    Queued { key: String },
    /// The model proposes a plan. It counts when the host showed it.
    Propose { plan: String, call: Option<String>, counts: bool },
    /// The model calls a tool.
    Call { tool: String, args: String, call: Option<String> },
    /// A call came back.
    Result { call: String, failed: bool },
    /// Plan mode, the soft half.
    Stance(LogEvent<'static>),
}

/// When a message was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sent {
    /// At its place in the log.
    Now,
    /// When its key was queued; if that is not in the log, nobody knows.
    Queued(String),
    /// When its key was queued, or else at its place in the log.
    Perhaps(String),
}

impl Entry {
    fn new(session: Option<&str>, said: Said) -> Self {
        Self { session: session.map(str::to_owned), said }
    }
}

/// A line, read.
#[derive(Debug, Clone, Default)]
pub struct Heard {
    /// What happened, in order; often nothing that matters here.
    pub entries: Vec<Entry>,
    /// A number that rises with time, if the line has a time.
    pub time: Option<u64>,
}

/// Reads the lines of one log.
#[derive(Debug, Default)]
pub struct Reader {
    kind: Option<Kind>,
}

#[derive(Debug)]
enum Kind {
    Own,
    Dsh(dsh::Dsh),
    ClaudeCode(claude::ClaudeCode),
}

impl Reader {
    /// Reads one line.
    ///
    /// # Errors
    ///
    /// What is wrong with the line, for the person who wrote it.
    pub fn read(&mut self, line: &[u8]) -> Result<Heard, String> {
        if self.kind.is_none() {
            self.kind = Some(match told_apart(line)? {
                Format::Own => Kind::Own,
                Format::Dsh => Kind::Dsh(dsh::Dsh::default()),
                Format::ClaudeCode => Kind::ClaudeCode(claude::ClaudeCode::default()),
            });
        }
        match &mut self.kind {
            Some(Kind::Dsh(reader)) => reader.read(line),
            Some(Kind::ClaudeCode(reader)) => reader.read(line),
            Some(Kind::Own) | None => own::read(line),
        }
        .map_err(|message| on_one_line(&message))
    }

    /// Which program wrote it; own until a line has told.
    pub fn format(&self) -> Format {
        match self.kind {
            Some(Kind::Dsh(_)) => Format::Dsh,
            Some(Kind::ClaudeCode(_)) => Format::ClaudeCode,
            Some(Kind::Own) | None => Format::Own,
        }
    }
}

/// The keys that tell logs apart.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Probe {
    #[serde(rename = "type", default)]
    kind: Option<serde_json::Value>,
    data: Option<IgnoredAny>,
    cwd: Option<IgnoredAny>,
    created_at: Option<IgnoredAny>,
    message: Option<IgnoredAny>,
    session_id: Option<IgnoredAny>,
    uuid: Option<IgnoredAny>,
    leaf_uuid: Option<IgnoredAny>,
    message_id: Option<IgnoredAny>,
}

fn told_apart(line: &[u8]) -> Result<Format, String> {
    if line.first() != Some(&b'{') {
        return Err("not a JSON object".to_owned());
    }
    let probe: Probe = serde_json::from_slice(line).map_err(|error| on_one_line(&error.to_string()))?;
    let kind = probe.kind.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default();
    let header = kind == "session" && (probe.created_at.is_some() || probe.cwd.is_some());
    if header || kind.contains('/') && probe.data.is_some() {
        return Ok(Format::Dsh);
    }
    let marks = [&probe.message, &probe.session_id, &probe.uuid, &probe.leaf_uuid, &probe.message_id];
    if marks.iter().any(|mark| mark.is_some()) {
        return Ok(Format::ClaudeCode);
    }
    Ok(Format::Own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn logs_are_told_apart_by_their_first_line() {
        for (line, format) in [
            (r#"{"type":"user","text":"ok"}"#, Format::Own),
            (r#"{"type":"plan/mode","active":true}"#, Format::Own),
            (r#"{"type":"session","version":0,"id":"s","createdAt":1,"cwd":"/a"}"#, Format::Dsh),
            (r#"{"type":"turn/start","seq":4,"data":{"turn":1}}"#, Format::Dsh),
            (r#"{"type":"user","message":{"role":"user","content":"ok"}}"#, Format::ClaudeCode),
            (r#"{"type":"summary","summary":"a","leafUuid":"b"}"#, Format::ClaudeCode),
            (r#"{"type":"permission-mode","permissionMode":"x","sessionId":"s"}"#, Format::ClaudeCode),
        ] {
            assert_eq!(told_apart(line.as_bytes()), Ok(format), "{line}");
        }
        assert_eq!(told_apart(b"{]"), Err("key must be a string at column 2".to_owned()));
    }

    const LOGS: [&str; 4] = [
        include_str!("../../../tests/logs/every-line.jsonl"),
        include_str!("../../../tests/logs/claude-code.jsonl"),
        include_str!("../../../tests/logs/dsh-late-yes.jsonl"),
        include_str!("../../../../../tests/sessions/dsh-sms-login.zh.jsonl"),
    ];

    proptest! {
        /// A damaged line is read or refused with a message on one line; no damage makes a person of
        /// somebody else, since only a whole line says who spoke.
        #[test]
        fn damaged_lines_are_read_or_refused(
            log in 0..LOGS.len(), line in 0_usize..100, at in 0.0..1.0_f64, cut in 0_usize..30,
            put in prop::collection::vec(any::<u8>(), 0..4),
        ) {
            let lines: Vec<&[u8]> = LOGS[log].lines().map(str::as_bytes).collect();
            let mut damaged = lines[line % lines.len()].to_vec();
            let start = (at * damaged.len() as f64) as usize;
            let end = (start + cut).min(damaged.len());
            // A line holds no line break.
            damaged.splice(start..end, put.into_iter().filter(|byte| *byte != b'\n'));
            let mut reader = Reader::default();
            let _ = reader.read(lines[0]);
            if let Err(message) = reader.read(&damaged) {
                prop_assert!(!message.is_empty() && !message.contains(" at line "), "{}", message);
            }
        }
    }
}
