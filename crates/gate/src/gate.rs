//! The gate itself: a compiled configuration and the sessions that live under it.

use crate::registry::Registry;
use crate::session::Session;
use crate::shared::Shared;
use plan_gate_classifier::{Explanation, Reading};
use plan_gate_core::limits::{MAX_INPUT_BYTES, MAX_SESSION_ID_BYTES};
use plan_gate_core::{Config, Error, ErrorKind, json};
use std::sync::Arc;

/// A gate: immutable configuration, many sessions. Cheap to clone, safe to share between threads.
#[derive(Debug, Clone)]
pub struct Gate {
    pub(crate) shared: Arc<Shared>,
}

impl Gate {
    /// Compiles a configuration given as JSON; empty text means the defaults.
    ///
    /// # Errors
    ///
    /// Unknown keys, wrong types, values that cannot be used; the message names the key.
    pub fn new(config: &[u8]) -> Result<Self, Error> {
        if config.is_empty() {
            return Self::with_config(&Config::default());
        }
        let config = json::from_slice(config, MAX_INPUT_BYTES)
            .map_err(|error| Error::new(ErrorKind::InvalidConfig, error.message()))?;
        Self::with_config(&config)
    }

    /// Compiles a configuration.
    ///
    /// # Errors
    ///
    /// Values that cannot be used; the message names the key.
    pub fn with_config(config: &Config) -> Result<Self, Error> {
        Ok(Self { shared: Arc::new(Shared::new(config)?) })
    }

    /// The session with this id, whatever its place; a new root, closed, when there is none.
    ///
    /// # Errors
    ///
    /// An id that is empty or longer than [`MAX_SESSION_ID_BYTES`].
    pub fn session(&self, id: &str) -> Result<Session, Error> {
        check_id(id)?;
        Ok(Session::new(Arc::clone(&self.shared), self.shared.registry.open(id)))
    }

    /// The session with this id, if it is live.
    pub fn find(&self, id: &str) -> Option<Session> {
        let member = self.shared.registry.find(Registry::key_of(id))?;
        Some(Session::new(Arc::clone(&self.shared), member))
    }

    /// The sub-agent `id` of `parent`. It lives under the root's approval, live, never a copy.
    ///
    /// A parent nobody knows makes a session that may read, nothing more, for ever.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::LineageConflict`] when the session has another place already,
    /// [`ErrorKind::LineageCycle`] when it would descend from itself. Nothing changes.
    pub fn child(&self, id: &str, parent: &str) -> Result<Session, Error> {
        check_id(id)?;
        check_id(parent)?;
        Ok(Session::new(Arc::clone(&self.shared), self.shared.registry.open_child(id, parent)?))
    }

    /// Number of live sessions.
    pub fn live_sessions(&self) -> usize {
        self.shared.registry.len()
    }

    /// How a text would be read as a reply. No session is asked or changed.
    ///
    /// # Errors
    ///
    /// Only if the shipped word lists were unusable.
    pub fn classify<'t>(&self, text: &'t str) -> Result<Reading<'t>, Error> {
        Ok(self.shared.engine.classifier()?.classify(text))
    }

    /// The same with the words that decided.
    ///
    /// # Errors
    ///
    /// As [`Gate::classify`].
    pub fn explain_reply(&self, text: &str) -> Result<Explanation, Error> {
        Ok(self.shared.engine.classifier()?.explain(text))
    }
}

fn check_id(id: &str) -> Result<(), Error> {
    if id.is_empty() {
        return Err(Error::new(ErrorKind::InvalidRequest, "a session id must not be empty"));
    }
    if id.len() > MAX_SESSION_ID_BYTES {
        let message = format!("a session id of {} bytes, the limit is {MAX_SESSION_ID_BYTES}", id.len());
        return Err(Error::new(ErrorKind::TooLarge, message));
    }
    Ok(())
}
