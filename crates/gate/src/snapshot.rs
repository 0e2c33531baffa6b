//! A session's state as text: for resume, for forks, for a store.
//!
//! The checksum finds damage, not forgery: who can write where the host keeps snapshots can write an
//! approval. Keep them where the agent cannot write.

use crate::answer::Outside;
use crate::digest;
use crate::payload::{Carried, HeldCall};
use crate::session::Session;
use plan_gate_core::json::{self, Fields};
use plan_gate_core::limits::MAX_INPUT_BYTES;
use plan_gate_core::{Digest, Error, ErrorKind, Fault, Language, Plan};
use plan_gate_scope_matcher::Grant;
use plan_gate_state_machine::{Approved, Held, Origin, Phase, State};
use serde::{Deserialize, Serialize};

const FORMAT: &str = "plan-gate-session";
const VERSION: u32 = 1;

/// A snapshot may be larger than an input: a plan and what was granted beside it.
const MAX_BYTES: usize = 4 * MAX_INPUT_BYTES;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Snapshot {
    format: String,
    version: u32,
    settings: Digest,
    state: Stored,
    checksum: Digest,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    phase: StoredPhase,
    language: Option<Language>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum StoredPhase {
    Closed,
    Proposed { id: Digest, plan: Plan },
    Revising { note: String },
    Approved { id: Digest, plan: Plan, granted: Vec<StoredCall>, held: Option<StoredHeld> },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredHeld {
    id: Digest,
    call: StoredCall,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredCall {
    child: Option<String>,
    grant: Grant,
    outside: Vec<Outside>,
}

impl Session {
    /// The state as a line of JSON. The same state gives the same bytes.
    ///
    /// Sub-agents are not in it: the host makes them again after an import.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::ChildNotAllowed`] for a sub-agent, [`ErrorKind::Poisoned`].
    pub fn export(&self) -> Result<String, Error> {
        if self.origin() != Origin::Root {
            let message = "a sub-agent has no state of its own; export its root";
            return Err(Error::new(ErrorKind::ChildNotAllowed, message));
        }
        let state = store(&*self.lock()?);
        let settings = self.engine().fingerprint();
        let checksum = checksum(settings, &state)?;
        let snapshot = Snapshot { format: FORMAT.to_owned(), version: VERSION, settings, state, checksum };
        serde_json::to_string(&snapshot).map_err(|error| damaged(error.to_string()))
    }

    /// Takes over the state of a snapshot. After an error the session is closed.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidSnapshot`] for a snapshot that is damaged, newer than this library, or made
    /// under another profile, root or path style; [`ErrorKind::ChildNotAllowed`] for a sub-agent;
    /// [`ErrorKind::Poisoned`].
    pub fn import(&self, snapshot: &[u8]) -> Result<(), Error> {
        if self.origin() != Origin::Root {
            let message = "a sub-agent has no state of its own; import into its root";
            return Err(Error::new(ErrorKind::ChildNotAllowed, message));
        }
        let mut state = self.lock()?;
        *state = State::default();
        *state = self.restore(snapshot)?;
        Ok(())
    }

    fn restore(&self, bytes: &[u8]) -> Result<State<Carried>, Error> {
        let mut head = Fields::read(bytes, MAX_BYTES).map_err(|error| damaged(error.message()))?;
        let version: u32 = head.required("version").map_err(|error| damaged(error.message()))?;
        if version > VERSION {
            let text = format!("the snapshot has version {version}, this library reads up to {VERSION}");
            return Err(Error::new(ErrorKind::InvalidSnapshot, text));
        }
        let snapshot: Snapshot =
            json::from_slice(bytes, MAX_BYTES).map_err(|error| damaged(error.message()))?;
        let same = serde_json::to_vec(&snapshot).is_ok_and(|again| again == bytes);
        let sum = checksum(snapshot.settings, &snapshot.state)?;
        if !same || snapshot.format != FORMAT || snapshot.version != VERSION || sum != snapshot.checksum {
            return Err(damaged("its checksum does not match"));
        }
        if snapshot.settings != self.engine().fingerprint() {
            let text = "the snapshot was made under another profile, root or path style";
            return Err(Error::new(ErrorKind::InvalidSnapshot, text));
        }
        Ok(State { phase: self.phase(snapshot.state.phase)?, language: snapshot.state.language })
    }

    fn phase(&self, stored: StoredPhase) -> Result<Phase<Carried>, Error> {
        Ok(match stored {
            StoredPhase::Closed => Phase::Closed,
            StoredPhase::Revising { note } => Phase::Revising(note.into()),
            StoredPhase::Proposed { id, plan } => {
                let plan = self.compile(id, &plan)?;
                Phase::Proposed(self.shared.intern(plan))
            }
            StoredPhase::Approved { id, plan, granted, held } => {
                let plan = self.shared.intern(self.compile(id, &plan)?);
                let granted = granted.into_iter().map(HeldCall::from).collect();
                let held = held.map(|held| Held { id: held.id, grant: held.call.into() });
                Phase::Approved(Approved::restored(plan, granted, held))
            }
        })
    }

    /// Compiles a stored plan under today's configuration, which may refuse what an older one took.
    fn compile(&self, id: Digest, plan: &Plan) -> Result<crate::payload::Proposal, Error> {
        let proposal = self.proposal(plan).map_err(|faults| {
            let faults: Vec<String> = faults.iter().map(Fault::to_string).collect();
            damaged(format!("its plan is refused: {}", faults.join(", ")))
        })?;
        if proposal.id == id { Ok(proposal) } else { Err(damaged("its plan has another id")) }
    }
}

impl From<StoredCall> for HeldCall {
    fn from(call: StoredCall) -> Self {
        Self { child: call.child.map(Into::into), grant: call.grant, outside: call.outside.into() }
    }
}

impl From<&HeldCall> for StoredCall {
    fn from(call: &HeldCall) -> Self {
        Self {
            child: call.child.clone().map(Into::into),
            grant: call.grant.clone(),
            outside: call.outside.to_vec(),
        }
    }
}

fn store(state: &State<Carried>) -> Stored {
    let phase = match &state.phase {
        Phase::Closed => StoredPhase::Closed,
        Phase::Proposed(draft) => StoredPhase::Proposed { id: draft.id, plan: draft.plan() },
        Phase::Revising(note) => StoredPhase::Revising { note: note.clone().into() },
        Phase::Approved(approved) => StoredPhase::Approved {
            id: approved.plan().id,
            plan: approved.plan().plan(),
            granted: approved.grants().iter().map(StoredCall::from).collect(),
            held: approved.held().map(|held| StoredHeld { id: held.id, call: (&held.grant).into() }),
        },
    };
    Stored { phase, language: state.language }
}

fn checksum(settings: Digest, state: &Stored) -> Result<Digest, Error> {
    let state = serde_json::to_vec(state).map_err(|error| damaged(error.to_string()))?;
    Ok(digest::of("plan-gate snapshot", &[&VERSION.to_le_bytes(), &settings.0, &state]))
}

fn damaged(why: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::InvalidSnapshot, format!("the snapshot is damaged: {why}"))
}
