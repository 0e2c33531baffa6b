//! Configuration: `{ "section": "…" }`, and nothing else.

use plan_gate_core::json::{Strict, from_slice};
use plan_gate_core::limits::MAX_INPUT_BYTES;
use plan_gate_core::{Error, ErrorKind};
use serde_json::Value;

/// The deployment's guidance. The library ships none of its own.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PlanModeConfig {
    section: String,
}

impl PlanModeConfig {
    /// Reads `{ "section": "…" }`; the section is kept byte for byte.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidConfig`] that names the key; [`ErrorKind::InvalidJson`] and
    /// [`ErrorKind::TooLarge`] for bytes that are no JSON to begin with.
    pub fn read(json: &[u8]) -> Result<Self, Error> {
        let Strict(value) = from_slice(json, MAX_INPUT_BYTES)?;
        Self::from_value(&value)
    }

    /// Reads a configuration that is a JSON value already.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidConfig`] that names the key.
    pub fn from_value(value: &Value) -> Result<Self, Error> {
        let fault = |message: String| Err(Error::new(ErrorKind::InvalidConfig, message));
        let Some(keys) = value.as_object() else {
            return fault("plan mode is configured with an object: `{\"section\": \"…\"}`".to_owned());
        };
        if let Some(key) = keys.keys().find(|key| *key != "section") {
            return fault(format!("unknown key `{key}`: plan mode has the one key `section`"));
        }
        match keys.get("section") {
            Some(Value::String(section)) if !section.trim().is_empty() => {
                Ok(Self { section: section.clone() })
            }
            Some(Value::String(_)) => {
                fault("`section` is blank: write the guidance for the model there".to_owned())
            }
            Some(_) => fault("`section` is not a string: write the guidance for the model there".to_owned()),
            None => fault("`section` is missing: write the guidance for the model there".to_owned()),
        }
    }

    /// The guidance, byte for byte.
    pub fn section(&self) -> &str {
        &self.section
    }
}
