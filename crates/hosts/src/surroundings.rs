//! Where a hook runs: the user's home, store and configuration, and the process that started it.

use crate::engine::Settings;
use crate::{Environment, Host, ancestors, host_process};
use plan_gate_store::{StoreError, System, default_directory};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// Name of the user's configuration of the gate, beside the store.
pub const CONFIG_FILE: &str = "config.json";

/// What the environment says.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// The home directory.
    pub home: PathBuf,
    /// The store's directory.
    pub state: PathBuf,
    /// This program.
    pub program: PathBuf,
}

/// Surroundings that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurroundingsError(pub(crate) String);

impl std::fmt::Display for SurroundingsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SurroundingsError {}

impl From<StoreError> for SurroundingsError {
    fn from(error: StoreError) -> Self {
        Self(error.to_string())
    }
}

impl Surroundings {
    /// Reads them from the environment of this process.
    ///
    /// # Errors
    ///
    /// There is no home directory, or no place for the store.
    pub fn find() -> Result<Self, SurroundingsError> {
        let variable = |name: &str| std::env::var_os(name);
        let state = default_directory(System::current(), &variable)?;
        let home: Option<OsString> = variable(if cfg!(windows) { "USERPROFILE" } else { "HOME" });
        let home = home.map(PathBuf::from).filter(|home| home.is_absolute());
        let home = home.ok_or_else(|| SurroundingsError("`HOME` names no absolute path".to_owned()))?;
        let program = std::env::current_exe()
            .map_err(|error| SurroundingsError(format!("this program's own path is unknown: {error}")))?;
        Ok(Self { home, state, program })
    }

    /// The engine's settings, with the user's configuration read and the clock asked.
    ///
    /// # Errors
    ///
    /// The configuration is there and cannot be read.
    pub fn settings(&self) -> Result<Settings, SurroundingsError> {
        let file = self.state.join(CONFIG_FILE);
        let config = match fs::read(&file) {
            Ok(config) => config,
            // A place that is no directory is the store's fault, and it will say so.
            Err(error) if [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory].contains(&error.kind()) => {
                Vec::new()
            }
            Err(error) => {
                return Err(SurroundingsError(format!("cannot read `{}`: {error}", file.display())));
            }
        };
        let mut protected = vec![self.state.clone(), self.program.clone()];
        // A link to either is another path to the same thing.
        protected.extend([&self.state, &self.program].iter().filter_map(|path| path.canonicalize().ok()));
        protected.sort();
        protected.dedup();
        Ok(Settings {
            config,
            home: self.home.clone(),
            protected,
            now_ms: now_ms(),
            attended: false,
            process: None,
        })
    }

    /// The settings for one hook of `host`, and what else its environment tells.
    ///
    /// # Errors
    ///
    /// As [`Surroundings::settings`].
    pub fn of_hook(&self, host: Host) -> Result<(Settings, Environment), SurroundingsError> {
        let facts = host.facts();
        let text = |name: &Option<String>| name.as_ref().and_then(|name| std::env::var(name).ok());
        let mut settings = self.settings()?;
        settings.attended = text(&facts.attended_variable).as_deref() == Some("1");
        settings.process = host_process(&ancestors(std::process::id())).cloned();
        let root = text(&facts.root_variable).filter(|root| !root.is_empty());
        Ok((settings, Environment { root }))
    }
}

/// Milliseconds since 1970; a clock before that says zero. Only the journal sees it.
pub fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
