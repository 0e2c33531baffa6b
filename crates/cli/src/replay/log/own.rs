//! The JSON Lines of this project: the events of a session, and the events of plan mode beside them.

use super::{Entry, Heard, Said, Sent};
use plan_gate::Event;
use plan_gate::plan_mode::LogEvent;
use serde::Deserialize;

#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type")]
    kind: String,
}

pub(super) fn read(line: &[u8]) -> Result<Heard, String> {
    if serde_json::from_slice::<Kind>(line).is_ok_and(|kind| kind.kind.contains('/')) {
        let value: serde_json::Value = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        let stance = super::dsh::stance(&value)?;
        return Ok(Heard { entries: vec![Entry::new(None, Said::Stance(stance))], time: None });
    }
    let event = Event::read(line).map_err(|error| error.message().to_owned())?;
    let session = event.session().map(str::to_owned);
    let said = match event {
        Event::Message { source, text, .. } => {
            Said::Message { source, text, attachments: false, sent: Sent::Now, aside: false }
        }
        Event::Propose { plan, .. } => {
            Said::Propose { plan: plan.get().to_owned(), call: None, counts: true }
        }
        Event::Call { tool, args, .. } => Said::Call { tool, args: args.get().to_owned(), call: None },
        Event::Spawn { parent, .. } => Said::Opens { parent: Some(parent), root: None },
    };
    Ok(Heard { entries: vec![Entry { session, said }], time: None })
}

/// The event, owning its text.
pub(super) fn owned(event: LogEvent<'_>) -> LogEvent<'static> {
    match event {
        LogEvent::Mode(active) => LogEvent::Mode(active),
        LogEvent::Run { id, name, args } => LogEvent::Run {
            id: id.into_owned().into(),
            name: name.into_owned().into(),
            args: args.into_owned().into(),
        },
        LogEvent::Done { id, ok } => LogEvent::Done { id: id.into_owned().into(), ok },
        LogEvent::Other => LogEvent::Other,
    }
}
