//! The events plan mode reads in a log, and the one it writes.

use plan_gate_core::{Error, ErrorKind};
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::fmt;

/// The type of the one event that carries the stance.
pub const MODE_EVENT: &str = "plan/mode";

/// The command plan mode answers to, without its slash.
pub const COMMAND: &str = "plan";

/// The event a host is asked to append: `{"type":"plan/mode","active":true}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct ModeEvent {
    #[serde(rename = "type")]
    kind: &'static str,
    active: bool,
}

impl ModeEvent {
    /// The event that says so.
    pub fn new(active: bool) -> Self {
        Self { kind: MODE_EVENT, active }
    }

    /// Whether the stance is on from here.
    pub fn active(self) -> bool {
        self.active
    }
}

/// One event of a log, as far as plan mode cares; text is borrowed from the log where it can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogEvent<'a> {
    /// `{"type":"plan/mode","active":…}`: the stance from here on.
    Mode(bool),
    /// `{"type":"command/run","id":…,"name":…,"args":…}`: the user ran a command; `args` may be absent.
    Run {
        /// Pairs the run with its `command/done`.
        id: Cow<'a, str>,
        /// The command's name without its slash.
        name: Cow<'a, str>,
        /// What stood after the name.
        args: Cow<'a, str>,
    },
    /// `{"type":"command/done","id":…,"ok":…}`: the command ended.
    Done {
        /// The run's id.
        id: Cow<'a, str>,
        /// Whether it succeeded.
        ok: bool,
    },
    /// Anything else, a command record of another shape included: it says nothing about plan mode.
    Other,
}

impl<'a> LogEvent<'a> {
    /// Reads one event. Keys plan mode does not know are the host's own and are passed over.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidJson`] for text that is not JSON; [`ErrorKind::InvalidRequest`] for JSON that is
    /// no event (an object with a string `type`); [`ErrorKind::PlanMode`] for a `plan/mode` whose `active`
    /// is not a boolean: such an event must not reach the log.
    pub fn read(json: &'a [u8]) -> Result<Self, Error> {
        let raw: RawEvent<'a> = serde_json::from_slice(json).map_err(|error| {
            let kind = match error.classify() {
                serde_json::error::Category::Data => ErrorKind::InvalidRequest,
                _ => ErrorKind::InvalidJson,
            };
            Error::new(kind, format!("not an event: {error}"))
        })?;
        raw.interpret()
    }

    /// Reads one event that is a JSON value already. Same rules as [`LogEvent::read`].
    ///
    /// # Errors
    ///
    /// As [`LogEvent::read`].
    pub fn from_value(value: &'a serde_json::Value) -> Result<Self, Error> {
        RawEvent::deserialize(value)
            .map_err(|error| Error::new(ErrorKind::InvalidRequest, format!("not an event: {error}")))?
            .interpret()
    }
}

/// The keys that matter, whatever their types: an unrelated event may use them for its own ends.
#[derive(Deserialize)]
struct RawEvent<'a> {
    #[serde(rename = "type", borrow)]
    kind: Text<'a>,
    #[serde(default, borrow)]
    active: Scalar<'a>,
    #[serde(default, borrow)]
    id: Scalar<'a>,
    #[serde(default, borrow)]
    name: Scalar<'a>,
    #[serde(default, borrow)]
    args: Scalar<'a>,
    #[serde(default, borrow)]
    ok: Scalar<'a>,
}

impl<'a> RawEvent<'a> {
    fn interpret(self) -> Result<LogEvent<'a>, Error> {
        match (&*self.kind.0, self.id, self.name, self.args, self.ok) {
            (MODE_EVENT, ..) => match self.active {
                Scalar::Bool(active) => Ok(LogEvent::Mode(active)),
                other => Err(Error::new(
                    ErrorKind::PlanMode,
                    format!("`active` of a `plan/mode` event is {other}: it must be true or false"),
                )),
            },
            ("command/run", Scalar::Text(id), Scalar::Text(name), Scalar::Text(args), _) => {
                Ok(LogEvent::Run { id, name, args })
            }
            ("command/run", Scalar::Text(id), Scalar::Text(name), Scalar::Absent, _) => {
                Ok(LogEvent::Run { id, name, args: Cow::Borrowed("") })
            }
            ("command/done", Scalar::Text(id), _, _, Scalar::Bool(ok)) => Ok(LogEvent::Done { id, ok }),
            _ => Ok(LogEvent::Other),
        }
    }
}

/// A string, borrowed where it has no escapes.
struct Text<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Scalar::deserialize(deserializer)? {
            Scalar::Text(text) => Ok(Self(text)),
            other => Err(serde::de::Error::custom(format!("`type` is {other}: it must be a string"))),
        }
    }
}

/// A value of any type of which only text and booleans are kept.
#[derive(Default)]
enum Scalar<'a> {
    #[default]
    Absent,
    Bool(bool),
    Text(Cow<'a, str>),
    Number,
    Nested,
}

impl fmt::Display for Scalar<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Absent => "absent or null",
            Self::Bool(_) => "a boolean",
            Self::Text(_) => "a string",
            Self::Number => "a number",
            Self::Nested => "a list or an object",
        })
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Scalar<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Scalar::Bool(value))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Scalar::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Scalar::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Scalar::Number)
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(Scalar::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Scalar::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Scalar::Absent)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar::Nested)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar::Nested)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_stands_there() {
        for (active, named) in [
            ("null", "absent or null"),
            ("42", "a number"),
            ("-1", "a number"),
            ("0.5", "a number"),
            (r#""true""#, "a string"),
            ("[true]", "a list or an object"),
            (r#"{"a":{"b":[]}}"#, "a list or an object"),
        ] {
            let json = format!(r#"{{"active":{active},"type":"plan/mode"}}"#);
            let error = LogEvent::read(json.as_bytes()).unwrap_err();
            let expected = format!("`active` of a `plan/mode` event is {named}: it must be true or false");
            assert_eq!((error.kind(), error.message()), (ErrorKind::PlanMode, &*expected), "{json}");
        }
        assert!(ModeEvent::new(true).active());
        assert!(!ModeEvent::new(false).active());
    }

    #[test]
    fn what_is_no_event_has_a_kind() {
        for (json, kind) in [
            ("[1]", ErrorKind::InvalidRequest),
            ("{}", ErrorKind::InvalidRequest),
            (r#"{"type":true}"#, ErrorKind::InvalidRequest),
            (r#"{"type":{}}"#, ErrorKind::InvalidRequest),
            (r#"{"type":"x""#, ErrorKind::InvalidJson),
            ("", ErrorKind::InvalidJson),
        ] {
            assert_eq!(LogEvent::read(json.as_bytes()).unwrap_err().kind(), kind, "{json}");
        }
        let error = LogEvent::read(br#"{"type":7}"#).unwrap_err();
        assert!(error.message().contains("`type` is a number: it must be a string"), "{error}");
    }

    #[test]
    fn command_records_of_another_shape_say_nothing() {
        for args in ["5", "-5", "1.5", "true", "[]", "{}", r#"{"a":[1]}"#] {
            let json = format!(r#"{{"type":"command/run","args":{args},"id":"r","name":"plan"}}"#);
            assert_eq!(LogEvent::read(json.as_bytes()), Ok(LogEvent::Other), "{json}");
        }
        let bare = LogEvent::Run { id: "r".into(), name: "plan".into(), args: "".into() };
        for args in ["", r#","args":null"#, r#","args":"""#] {
            let json = format!(r#"{{"type":"command/run","id":"r","name":"plan"{args}}}"#);
            assert_eq!(LogEvent::read(json.as_bytes()), Ok(bare.clone()), "{json}");
        }
        for json in [r#"{"type":"command/done","id":"r"}"#, r#"{"type":"command/done","id":1,"ok":true}"#] {
            assert_eq!(LogEvent::read(json.as_bytes()), Ok(LogEvent::Other), "{json}");
        }
    }
}
