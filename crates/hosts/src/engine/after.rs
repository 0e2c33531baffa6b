//! After a tool has run: was it what was allowed?
//!
//! Another hook may rewrite a call after ours looked at it, and only the event after the call shows what really ran. It
//! is too late then for this call, but not for the next: the session is closed, loudly.

use super::envelope::Running;
use super::{EngineError, Family, gate, text};
use crate::Answer;
use crate::event::{Call, Event};

impl Family<'_> {
    pub(super) fn after(&mut self, event: &Event, call: &Call, failed: bool) -> Result<Answer, EngineError> {
        let ran = Running::new(event.agent.as_deref(), call);
        let place = match &ran.id {
            Some(id) => self.envelope.running.iter().position(|one| one.id.as_ref() == Some(id)),
            None => self.envelope.running.iter().position(|one| *one == ran),
        };
        let Some(place) = place else { return self.unseen(event, call, failed) };
        let allowed = self.envelope.running.remove(place);
        if allowed.tool != ran.tool || allowed.arguments != ran.arguments {
            return self.alarm(event, call, "alarm.changed");
        }
        if self.host.facts().hidden_child_tools.contains(&call.tool) {
            self.envelope.hidden = self.envelope.hidden.saturating_sub(1);
        }
        self.pressed(event, call, failed)?;
        self.note_call(event, call, "after_tool", if failed { "failed" } else { "ran" }, "as_allowed");
        Ok(Answer::NoObjection)
    }

    /// The host asked a person about the draft, and let the call run: the person said yes.
    fn pressed(&mut self, event: &Event, call: &Call, failed: bool) -> Result<(), EngineError> {
        let Some(asked) = self.envelope.asked.take_if(|asked| Some(&asked.call) == call.id.as_ref()) else {
            return Ok(());
        };
        if failed {
            return Ok(());
        }
        // The draft may have been replaced meanwhile; then this yes is to something else and opens nothing.
        let settled = self.root.settle(asked.draft, true);
        let (verdict, reason) = match &settled {
            Ok(_) => ("draft_approved", "dialog"),
            Err(_) => ("stale", "dialog"),
        };
        self.note_call(event, call, "approve", verdict, reason);
        if let Some(record) = self.records.last_mut() {
            record.id = Some(asked.draft.to_string());
            record.text = None;
        }
        Ok(())
    }

    /// The end of a call whose beginning was not allowed here. What needs no plan is harmless, and so is a call that
    /// did not run; anything else ran without us.
    fn unseen(&mut self, event: &Event, call: &Call, failed: bool) -> Result<Answer, EngineError> {
        let closed = gate(self.host, self.settings, self.envelope.root.as_deref())?.session(self.key)?;
        if failed || closed.check(&call.tool, call.arguments.get().as_bytes()).allows() {
            self.note_call(
                event,
                call,
                "after_tool",
                if failed { "failed" } else { "ran" },
                "not_seen_before",
            );
            return Ok(Answer::NoObjection);
        }
        self.alarm(event, call, "alarm.unseen")
    }

    fn alarm(&mut self, event: &Event, call: &Call, what: &str) -> Result<Answer, EngineError> {
        let language = self.root.language();
        let root = self.envelope.root.clone();
        self.reset(root)?;
        self.note_call(event, call, "alarm", "refuse", what);
        let what = text(language, what, &[]);
        Ok(Answer::Refuse(text(language, "alarm", &[("tool", &call.tool), ("what", &what)])))
    }
}
