//! The events of a session, as session files write them.

use crate::json::Fields;
use crate::limits::MAX_INPUT_BYTES;
use crate::{Error, ErrorKind, Plan, Source};
use serde::Serialize;
use serde_json::value::RawValue;

/// One line of a recorded session (JSON Lines). `session` is absent in a one-session file.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Event {
    /// Somebody wrote this; from [`Source::User`] it is a reply, from anybody else it changes nothing.
    /// A line `{"type":"user","text":…}` is the short form for the user's.
    Message {
        /// Who.
        source: Source,
        /// The words.
        text: String,
        /// Whose session.
        #[serde(skip_serializing_if = "Option::is_none")]
        session: Option<String>,
    },
    /// The model proposes a plan: the arguments of `propose_plan`.
    Propose {
        /// The plan, not yet read: its faults are the gate's answer, not an error of the file.
        plan: Box<RawValue>,
        /// Whose session.
        #[serde(skip_serializing_if = "Option::is_none")]
        session: Option<String>,
    },
    /// The model calls a tool.
    Call {
        /// The tool's name.
        tool: String,
        /// Its arguments, byte for byte.
        args: Box<RawValue>,
        /// Whose session.
        #[serde(skip_serializing_if = "Option::is_none")]
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

impl Event {
    /// Reads one line.
    ///
    /// # Errors
    ///
    /// A line that is not a JSON object, repeats or lacks a key, has one that does not belong there, or
    /// an unknown `type` or `source`. An error changes nothing.
    pub fn read(line: &[u8]) -> Result<Self, Error> {
        let mut fields = Fields::read(line, MAX_INPUT_BYTES)?;
        let kind: String = fields.required("type")?;
        let event = match kind.as_str() {
            "user" => Self::Message {
                source: Source::User,
                text: fields.required("text")?,
                session: fields.optional("session")?,
            },
            "message" => Self::Message {
                source: fields.required("source")?,
                text: fields.required("text")?,
                session: fields.optional("session")?,
            },
            "propose" => {
                Self::Propose { plan: raw(&mut fields, "plan")?, session: fields.optional("session")? }
            }
            "call" => Self::Call {
                tool: fields.required("tool")?,
                args: raw(&mut fields, "args")?,
                session: fields.optional("session")?,
            },
            "spawn" => {
                Self::Spawn { session: fields.required("session")?, parent: fields.required("parent")? }
            }
            other => {
                let message = format!("unknown type `{other}`: user, message, propose, call or spawn");
                return Err(Error::new(ErrorKind::InvalidRequest, message));
            }
        };
        fields.finish()?;
        Ok(event)
    }

    /// Whose session the line names.
    pub fn session(&self) -> Option<&str> {
        match self {
            Self::Message { session, .. } | Self::Propose { session, .. } | Self::Call { session, .. } => {
                session.as_deref()
            }
            Self::Spawn { session, .. } => Some(session),
        }
    }

    /// The plan of a proposal, read strictly.
    ///
    /// # Errors
    ///
    /// As [`crate::json::from_slice`].
    pub fn read_plan(raw: &[u8]) -> Result<Plan, Error> {
        crate::json::from_slice(raw, MAX_INPUT_BYTES)
    }
}

fn raw(fields: &mut Fields, name: &str) -> Result<Box<RawValue>, Error> {
    fields.raw(name).ok_or_else(|| Error::new(ErrorKind::InvalidRequest, format!("missing field `{name}`")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_strictly() {
        let good = [
            r#"{"type":"user","text":"同意"}"#,
            r#"{"type":"message","source":"agent","text":"ok","session":"a"}"#,
            r#"{"type":"propose","plan":{}}"#,
            r#"{"type":"call","tool":"write","args":"not an object"}"#,
            r#"{"type":"spawn","session":"b","parent":"a"}"#,
        ];
        for line in good {
            assert!(Event::read(line.as_bytes()).is_ok(), "{line}");
        }
        let bad = [
            (r#"{"type":"user"}"#, "missing field `text`"),
            (r#"{"type":"user","text":"a","source":"user"}"#, "unknown field `source`"),
            (r#"{"type":"message","source":"god","text":"a"}"#, "source: unknown variant `god`"),
            (r#"{"type":"call","tool":"x"}"#, "missing field `args`"),
            (r#"{"type":"dance"}"#, "unknown type `dance`"),
            (r#"{"type":"user","text":"a","text":"b"}"#, "duplicate key `text`"),
            ("[]", "invalid type: sequence"),
        ];
        for (line, message) in bad {
            let error = Event::read(line.as_bytes()).unwrap_err();
            assert!(error.message().starts_with(message), "{line}: {error}");
        }
    }
}
