//! The trusted button: a person answers in a terminal of their own.

use super::{EngineError, Family, Settings};
use crate::event::{Event, Happening};
use crate::{Host, Process};
use plan_gate::{Digest, Settlement};
use plan_gate_store::Store;

/// Something that waits for a person.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// The session's name in the store.
    pub session: String,
    /// The host.
    pub host: Host,
    /// The id of the draft or held call.
    pub id: Digest,
    /// The plan as it is to be shown, or what the held call would do.
    pub text: String,
    /// Milliseconds since 1970 of the session's last change.
    pub changed_ms: i64,
    /// The host's process, as the last hook saw it.
    pub process: Option<Process>,
}

/// Everything that waits, the session that changed last first. A session whose state cannot be used waits for nothing.
///
/// # Errors
///
/// The store cannot be read.
pub fn waiting(store: &mut dyn Store, settings: &Settings) -> Result<Vec<Waiting>, EngineError> {
    let mut list = Vec::new();
    for summary in store.sessions()? {
        let (Some(id), Ok(host)) = (summary.waiting, summary.host.parse::<Host>()) else { continue };
        let (Ok(id), Some(saved)) = (id.parse::<Digest>(), store.session(&summary.session)?) else {
            continue;
        };
        let family = Family::open(host, settings, &summary.session, Some(&saved))?;
        let state = family.root.state()?;
        let text = match (family.root.rendered_draft()?, state.held) {
            (Some(plan), _) => plan,
            (None, Some(held)) => {
                let lines: Vec<String> =
                    held.outside.iter().map(|one| format!("{}: {}", one.kind.name(), one.value)).collect();
                lines.join("\n")
            }
            (None, None) => continue,
        };
        let process = family.envelope.process;
        list.push(Waiting {
            session: summary.session,
            host,
            id,
            text,
            changed_ms: summary.changed_ms,
            process,
        });
    }
    Ok(list)
}

/// Answers for the person what `waiting` is about.
///
/// # Errors
///
/// It does not wait any more, or the store cannot keep the answer: then nothing changed.
pub fn settle(
    store: &mut dyn Store,
    settings: &Settings,
    waiting: &Waiting,
    approve: bool,
) -> Result<Settlement, EngineError> {
    let mut settled = Err(EngineError::new("internal", "the store did not ask for a decision"));
    store.with_session(&waiting.session, settings.now_ms, &mut |old| {
        let decide = || -> Result<_, EngineError> {
            let mut family = Family::open(waiting.host, settings, &waiting.session, old)?;
            let settlement = family.root.settle(waiting.id, approve)?;
            family.envelope.asked = None;
            let event =
                Event { session: waiting.session.clone(), agent: None, happening: Happening::Ignored };
            let kind = if approve { "approve" } else { "reject" };
            family.note(&event, kind, Some(settlement.name()), "terminal", String::new());
            if let Some(record) = family.records.last_mut() {
                record.id = Some(waiting.id.to_string());
            }
            Ok((settlement, family.change()?))
        };
        match decide() {
            Ok((settlement, change)) => {
                settled = Ok(settlement);
                Ok(change)
            }
            Err(error) => Err(plan_gate_store::StoreError::decision(error.to_string())),
        }
    })?;
    settled
}
