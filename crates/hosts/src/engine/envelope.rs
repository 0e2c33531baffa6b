//! What the hooks of a session remember, beside the gate's own state.

use crate::Process;
use crate::event::Call;
use plan_gate::Digest;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The version of this form; another one is refused, and the session is closed.
const VERSION: u32 = 1;
/// Calls whose end was not seen yet. More than a host ever runs at once; the oldest goes.
const MAX_RUNNING: usize = 256;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Envelope {
    version: u32,
    /// The directory the session works in; unknown until a start was seen.
    pub(super) root: Option<String>,
    /// The gate's snapshot.
    pub(super) gate: Option<String>,
    /// Allowed calls whose end was not seen yet.
    pub(super) running: Vec<Running>,
    /// How many tools run whose sub-agents look like their parent.
    pub(super) hidden: u32,
    /// The host was told to ask a person about this draft.
    pub(super) asked: Option<Asked>,
    /// The host's process, as the last hook saw it.
    pub(super) process: Option<Process>,
}

impl Default for Envelope {
    fn default() -> Self {
        Self {
            version: VERSION,
            root: None,
            gate: None,
            running: Vec::new(),
            hidden: 0,
            asked: None,
            process: None,
        }
    }
}

impl Envelope {
    /// Nothing but the root is known.
    pub(super) fn new(root: Option<String>, process: Option<Process>) -> Self {
        Self { root, process, ..Self::default() }
    }

    pub(super) fn read(snapshot: &str) -> Result<Self, String> {
        let envelope: Self = serde_json::from_str(snapshot).map_err(|error| error.to_string())?;
        if envelope.version == VERSION {
            return Ok(envelope);
        }
        Err(format!("it has version {}, this plan-gate knows {VERSION}", envelope.version))
    }

    pub(super) fn write(&self) -> Result<String, String> {
        serde_json::to_string(self).map_err(|error| error.to_string())
    }

    /// Remembers an allowed call.
    pub(super) fn run(&mut self, call: Running) {
        if self.running.len() >= MAX_RUNNING {
            self.running.remove(0);
        }
        self.running.push(call);
    }
}

/// The host asks a person about `draft` before it lets `call` run.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    pub(super) call: String,
    pub(super) draft: Digest,
}

/// A call that was allowed and has not ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Running {
    pub(super) agent: Option<String>,
    pub(super) tool: String,
    pub(super) id: Option<String>,
    /// Digest of the arguments with their keys sorted: hosts write the same JSON anew.
    pub(super) arguments: Digest,
}

impl Running {
    pub(super) fn new(agent: Option<&str>, call: &Call) -> Self {
        Self {
            agent: agent.map(str::to_owned),
            tool: call.tool.clone(),
            id: call.id.clone(),
            arguments: digest(call.arguments.get()),
        }
    }
}

/// The first 128 bits of the SHA-256 of the canonical form; of the bytes themselves for what has none.
fn digest(arguments: &str) -> Digest {
    let strict = serde_json::from_str::<plan_gate_core::json::Strict>(arguments);
    let canonical = strict.ok().map(|strict| strict.0.to_string());
    let hash = Sha256::digest(canonical.as_deref().unwrap_or(arguments));
    let mut first = [0; 16];
    first.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
    Digest(first)
}
