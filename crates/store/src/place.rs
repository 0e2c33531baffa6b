//! Where the store is, and who may touch it.

use crate::{StoreError, StoreErrorKind};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Whose conventions name the default place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// Linux and other Unix: the XDG base directories.
    Unix,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

impl System {
    /// The system this runs on.
    pub fn current() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::MacOs
        } else {
            Self::Unix
        }
    }
}

/// The store's directory: `$PLAN_GATE_HOME`, else the place that the system keeps state in
/// (`$XDG_STATE_HOME/plan-gate` or `~/.local/state/plan-gate`; `~/Library/Application Support/plan-gate`;
/// `%LOCALAPPDATA%\plan-gate`). `variable` reads the environment.
///
/// # Errors
///
/// [`StoreErrorKind::NoPlace`] if no variable names a place, or `PLAN_GATE_HOME` is not absolute. A relative
/// `XDG_STATE_HOME` is ignored, as its specification says.
pub fn default_directory(
    system: System,
    variable: &dyn Fn(&str) -> Option<OsString>,
) -> Result<PathBuf, StoreError> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(home) = set("PLAN_GATE_HOME") {
        if !home.is_absolute() {
            let message = format!("`PLAN_GATE_HOME` is `{}`; it must be an absolute path", home.display());
            return Err(StoreError::new(StoreErrorKind::NoPlace, message));
        }
        return Ok(home);
    }
    let absolute = |name: &str| set(name).filter(|path| path.is_absolute());
    let home = |rest: &str| absolute("HOME").map(|home| home.join(rest));
    let (place, needed) = match system {
        System::Unix => (
            absolute("XDG_STATE_HOME")
                .map(|state| state.join("plan-gate"))
                .or_else(|| home(".local/state/plan-gate")),
            "HOME",
        ),
        System::MacOs => (home("Library/Application Support/plan-gate"), "HOME"),
        System::Windows => (absolute("LOCALAPPDATA").map(|local| local.join("plan-gate")), "LOCALAPPDATA"),
    };
    place.ok_or_else(|| {
        let message =
            format!("no place for the store: set `PLAN_GATE_HOME` or `{needed}` to an absolute path");
        StoreError::new(StoreErrorKind::NoPlace, message)
    })
}

/// Makes the directory (for its owner alone) if it is not there, and refuses one that others may write.
pub(crate) fn prepare_directory(directory: &Path) -> Result<PathBuf, StoreError> {
    if !directory.exists() {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirBuilderExt;
            builder.mode(0o700);
        }
        builder.create(directory).map_err(|error| StoreError::io("create", directory, &error))?;
    }
    let directory = directory.canonicalize().map_err(|error| StoreError::io("open", directory, &error))?;
    let metadata = fs::metadata(&directory).map_err(|error| StoreError::io("open", &directory, &error))?;
    if !metadata.is_dir() {
        let message = format!("`{}` is not a directory", directory.display());
        return Err(StoreError::new(StoreErrorKind::Unavailable, message));
    }
    refuse_shared(&directory, &metadata, 0o022, "chmod go-w")?;
    Ok(directory)
}

/// Refuses a file of the store that anybody but its owner may read or write.
pub(crate) fn check_file(file: &Path) -> Result<(), StoreError> {
    let metadata = fs::symlink_metadata(file).map_err(|error| StoreError::io("open", file, &error))?;
    if !metadata.is_file() {
        return Err(StoreError::damaged(format_args!("`{}` is not a plain file", file.display())));
    }
    refuse_shared(file, &metadata, 0o077, "chmod 600")
}

#[cfg(unix)]
fn refuse_shared(path: &Path, metadata: &fs::Metadata, forbidden: u32, cure: &str) -> Result<(), StoreError> {
    use std::os::unix::fs::MetadataExt;
    let mode = metadata.mode() & 0o7777;
    if mode & forbidden == 0 {
        return Ok(());
    }
    let path = path.display();
    let message = format!(
        "`{path}` is open to other users (mode {mode:o}); the gate stays closed until `{cure} {path}`"
    );
    Err(StoreError::new(StoreErrorKind::Permissions, message))
}

/// On Windows the profile directory's own access list keeps other users out.
#[cfg(not(unix))]
fn refuse_shared(_: &Path, _: &fs::Metadata, _: u32, _: &str) -> Result<(), StoreError> {
    Ok(())
}

/// Options that create a file for its owner alone.
pub(crate) fn private_file() -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn places() {
        let unix = System::Unix;
        type Case<'a> = (System, &'a [(&'a str, &'a str)], Option<&'a str>);
        let table: &[Case<'_>] = &[
            (unix, &[("PLAN_GATE_HOME", "/x"), ("HOME", "/h")], Some("/x")),
            (unix, &[("PLAN_GATE_HOME", "x"), ("HOME", "/h")], None),
            (unix, &[("PLAN_GATE_HOME", ""), ("HOME", "/h")], Some("/h/.local/state/plan-gate")),
            (unix, &[("XDG_STATE_HOME", "/s"), ("HOME", "/h")], Some("/s/plan-gate")),
            (unix, &[("XDG_STATE_HOME", "s"), ("HOME", "/h")], Some("/h/.local/state/plan-gate")),
            (unix, &[("HOME", "h")], None),
            (unix, &[], None),
            (System::MacOs, &[("HOME", "/h")], Some("/h/Library/Application Support/plan-gate")),
            (System::Windows, &[("LOCALAPPDATA", "/l")], Some("/l/plan-gate")),
            (System::Windows, &[("HOME", "/h")], None),
        ];
        for (system, variables, expected) in table {
            let read = |name: &str| {
                variables.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
            };
            let place = default_directory(*system, &read);
            assert_eq!(place.ok(), expected.map(PathBuf::from), "{variables:?}");
        }
    }
}
