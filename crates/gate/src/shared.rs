//! What a gate and its sessions share.

use crate::engine::Engine;
use crate::payload::Proposal;
use crate::registry::Registry;
use plan_gate_core::{Config, Digest, Error};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// One compiled configuration and the sessions that live under it.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) engine: Engine,
    pub(crate) registry: Registry,
    /// The same plan proposed in many sessions is kept once. Grows with live plans only.
    proposals: Mutex<HashMap<Digest, Weak<Proposal>>>,
}

impl Shared {
    pub(crate) fn new(config: &Config) -> Result<Self, Error> {
        Ok(Self { engine: Engine::new(config)?, registry: Registry::new(), proposals: Mutex::default() })
    }

    /// The proposal itself, or the equal one that some session holds already.
    pub(crate) fn intern(&self, proposal: Proposal) -> Arc<Proposal> {
        let mut known = self.proposals.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = known.get(&proposal.id).and_then(Weak::upgrade) {
            return same;
        }
        if known.len() == known.capacity() {
            known.retain(|_, plan| plan.strong_count() > 0);
        }
        let proposal = Arc::new(proposal);
        known.insert(proposal.id, Arc::downgrade(&proposal));
        proposal
    }
}
