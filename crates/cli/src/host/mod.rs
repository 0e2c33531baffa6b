//! The gate in front of a coding agent that is somebody else's program.

pub mod button;
pub mod doctor;
pub mod hook;
pub mod install;
pub mod journal;
pub mod mcp;
pub mod status;

mod checks;
mod descent;
mod diff;
mod files;

use crate::failure::Failure;
use crate::words::Words;
use plan_gate_hosts::engine::EngineError;
use plan_gate_hosts::install::InstallError;
use plan_gate_hosts::{Host, Surroundings, SurroundingsError};
use plan_gate_store::{SqliteStore, StoreError};

impl From<SurroundingsError> for Failure {
    fn from(error: SurroundingsError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<InstallError> for Failure {
    fn from(error: InstallError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// The host that was named on the command line.
fn host_named(name: &str, words: Words) -> Result<Host, Failure> {
    let names: Vec<_> = Host::ALL.iter().map(|host| host.name()).collect();
    name.parse::<Host>().map_err(|_| {
        Failure::Usage(words.text("host.unknown", &[("name", name), ("names", &names.join(", "))]))
    })
}

/// The user's store. Where there is none, looking must not make one.
fn existing_store(surroundings: &Surroundings, words: Words) -> Result<SqliteStore, Failure> {
    if !surroundings.state.join("gate.db").exists() && !surroundings.state.join("witness").exists() {
        let place = surroundings.state.display().to_string();
        return Err(Failure::Failed(words.text("store.none", &[("place", &place)])));
    }
    Ok(SqliteStore::open(&surroundings.state)?)
}
