//! The stance is a fold of the log.

use crate::LogEvent;
use plan_gate_core::{Error, ErrorKind};

/// The stance after the first `end` events (all of them without an `end`): the last `plan/mode` wins,
/// and an empty log is inactive. Looks from the end backwards and stops at the first that counts.
///
/// ```
/// use plan_gate_plan_mode::{LogEvent, fold};
/// let log = [LogEvent::Other, LogEvent::Mode(true), LogEvent::Mode(false)];
/// assert!(!fold(&log, None));
/// assert!(fold(&log, Some(2)));
/// ```
pub fn fold(events: &[LogEvent<'_>], end: Option<usize>) -> bool {
    let end = end.unwrap_or(events.len()).min(events.len());
    let last = events.get(..end).and_then(|prefix| {
        prefix.iter().rev().find_map(|event| match event {
            LogEvent::Mode(active) => Some(*active),
            _ => None,
        })
    });
    last.unwrap_or(false)
}

/// The stance after the first `end` events of a log in JSON Lines. Blank lines are no events.
///
/// # Errors
///
/// As [`LogEvent::read`], for the first line it refuses; the message begins with the line's number, from 1.
pub fn fold_lines(log: &[u8], end: Option<usize>) -> Result<bool, Error> {
    let mut active = false;
    let lines = log.split(|byte| *byte == b'\n').enumerate();
    let events = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    for (number, line) in events.take(end.unwrap_or(usize::MAX)) {
        match LogEvent::read(line) {
            Ok(LogEvent::Mode(value)) => active = value,
            Ok(_) => {}
            Err(error) => return Err(at(&error, &format!("line {}", number.saturating_add(1)))),
        }
    }
    Ok(active)
}

/// Reads a list of events.
///
/// # Errors
///
/// As [`LogEvent::read`]; the message begins with the event's index.
pub(crate) fn read_all(values: &[serde_json::Value]) -> Result<Vec<LogEvent<'_>>, Error> {
    let read =
        |(index, value)| LogEvent::from_value(value).map_err(|error| at(&error, &format!("events[{index}]")));
    values.iter().enumerate().map(read).collect()
}

fn at(error: &Error, place: &str) -> Error {
    let kind: ErrorKind = error.kind();
    Error::new(kind, format!("{place}: {}", error.message()))
}
