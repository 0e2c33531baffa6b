//! The gate's configuration, from a file and from options.

use crate::failure::Failure;
use crate::words::{Tongue, Words};
use clap::Args;
use plan_gate::{Config, Gate, Language};
use plan_gate_core::limits::MAX_INPUT_BYTES;
use plan_gate_core::{LocaleChoice, PathStyleChoice, ProfileChoice, json};
use plan_gate_scope_matcher::Profile;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// Options that decide how a gate judges.
#[derive(Debug, Clone, Default, Args)]
pub struct GateOptions {
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    #[arg(long, value_name = "DIR")]
    pub root: Option<String>,
    #[arg(long, value_name = "STYLE")]
    pub path_style: Option<String>,
    #[arg(long, value_name = "CASE")]
    pub command_case: Option<String>,
    #[arg(long, value_name = "SHELL")]
    pub shell: Option<String>,
}

/// A configuration, and what nobody has decided yet.
#[derive(Debug, Clone)]
pub struct Setting {
    config: Config,
    has_profile: bool,
    has_root: bool,
    has_style: bool,
}

impl GateOptions {
    /// The configuration: the file's, with the options over it.
    pub fn read(&self, tongue: Tongue) -> Result<Setting, Failure> {
        let words = tongue.words();
        let (mut config, mut has_profile) = (Config::default(), false);
        if let Some(path) = &self.config {
            (config, has_profile) = read_file(path, words)?;
        }
        if let Some(name) = &self.profile {
            config.profile = ProfileChoice::Named(known_profile(name, words)?.to_owned());
            has_profile = true;
        }
        if let Some(root) = &self.root {
            config.root = Some(absolute(root));
        }
        if let Some(style) = &self.path_style {
            config.path_style = named("--path-style", style, words)?;
        }
        if let Some(case) = &self.command_case {
            config.command_case = named("--command-case", case, words)?;
        }
        if let Some(shell) = &self.shell {
            config.shell = Some(named("--shell", shell, words)?);
        }
        if config.locale == LocaleChoice::Auto {
            config.locale = match tongue.asked {
                Some(Language::Zh) => LocaleChoice::Zh,
                Some(Language::En) => LocaleChoice::En,
                None => LocaleChoice::Auto,
            };
        }
        let has_root = config.root.is_some();
        let has_style = config.path_style != PathStyleChoice::Auto;
        Ok(Setting { config, has_profile, has_root, has_style })
    }
}

impl Setting {
    /// The configuration with this profile and root where nobody decided on others.
    pub fn config_for(&self, profile: &str, root: Option<&str>) -> Config {
        let mut config = self.config.clone();
        if !self.has_profile {
            config.profile = ProfileChoice::Named(profile.to_owned());
        }
        if !self.has_root {
            config.root = root.map(str::to_owned);
        }
        if !self.has_style && config.root.as_deref().is_some_and(is_windows) {
            config.path_style = PathStyleChoice::Windows;
        }
        config
    }

    /// The configuration as it stands.
    pub fn config(&self) -> &Config {
        &self.config
    }
}

/// The name of the profile a configuration uses.
pub fn profile_name(config: &Config) -> String {
    match &config.profile {
        ProfileChoice::Named(name) => name.clone(),
        ProfileChoice::Inline(raw) => {
            Profile::from_json(raw.get()).map_or_else(|_| "?".to_owned(), |profile| profile.name().to_owned())
        }
    }
}

/// A shipped profile by its name.
pub fn known_profile(name: &str, words: Words) -> Result<&str, Failure> {
    if Profile::names().contains(&name) {
        return Ok(name);
    }
    let names = Profile::names().join(", ");
    Err(Failure::Usage(words.text("error.unknown_profile", &[("name", name), ("names", &names)])))
}

fn read_file(path: &Path, words: Words) -> Result<(Config, bool), Failure> {
    let name = path.display().to_string();
    let at = |message: &str| words.text("error.at_file", &[("file", &name), ("message", message)]);
    let bytes = std::fs::read(path).map_err(|error| Failure::Failed(at(&cause(&error, words))))?;
    if bytes.trim_ascii().is_empty() {
        return Err(Failure::Failed(at(&words.plain("error.empty_file"))));
    }
    let config: Config =
        json::from_slice(&bytes, MAX_INPUT_BYTES).map_err(|error| Failure::Failed(at(error.message())))?;
    let mut fields = json::Fields::read(&bytes, MAX_INPUT_BYTES)?;
    // Compiled once here, so that a value that cannot be used is said to be the file's.
    Gate::with_config(&config).map_err(|error| Failure::Failed(at(error.message())))?;
    Ok((config, fields.raw("profile").is_some()))
}

/// Why a file could not be read, in the person's language where it is one of the usual causes.
pub fn cause(error: &std::io::Error, words: Words) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => words.plain("error.no_such_file"),
        std::io::ErrorKind::PermissionDenied => words.plain("error.no_permission"),
        std::io::ErrorKind::IsADirectory => words.plain("error.is_directory"),
        _ => error.to_string(),
    }
}

/// A word of an option, read as the configuration reads it.
pub fn named<T: DeserializeOwned>(option: &str, word: &str, words: Words) -> Result<T, Failure> {
    serde_json::from_value(serde_json::Value::from(word)).map_err(|error| {
        let message = error.to_string();
        Failure::Usage(words.text("error.option", &[("option", option), ("message", &message)]))
    })
}

/// A root as the person sees it from here.
fn absolute(root: &str) -> String {
    if is_windows(root) || root.is_empty() {
        return root.to_owned();
    }
    match std::path::absolute(root) {
        Ok(path) => path.to_string_lossy().into_owned(),
        Err(_) => root.to_owned(),
    }
}

/// Whether a path names a drive or a share.
fn is_windows(path: &str) -> bool {
    match path.as_bytes() {
        [drive, b':', b'\\' | b'/', ..] => drive.is_ascii_alphabetic(),
        [b'\\', b'\\', ..] => true,
        _ => false,
    }
}
