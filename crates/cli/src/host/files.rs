//! Writing somebody's configuration: whole or not at all, with the old text kept.

use crate::failure::Failure;
use plan_gate_hosts::now_ms;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The text of a file, if there is one.
pub fn read(path: &Path) -> Result<Option<String>, Failure> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed("read", path, &error)),
    }
}

pub fn failed(doing: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::Failed(format!("cannot {doing} `{}`: {error}", path.display()))
}

/// Keeps the old text below the store's directory; returns where.
pub fn back_up(state: &Path, path: &Path, text: &str) -> Result<PathBuf, Failure> {
    let directory = state.join("backups");
    fs::create_dir_all(&directory).map_err(|error| failed("create", &directory, &error))?;
    let name: String =
        path.display().to_string().chars().map(|c| if "/\\:".contains(c) { '_' } else { c }).collect();
    let place = directory.join(format!("{}{name}", now_ms()));
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let mut file = options.open(&place).map_err(|error| failed("create", &place, &error))?;
    file.write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .map_err(|error| failed("write", &place, &error))?;
    Ok(place)
}

/// Puts `text` in the place of the file, in one step; a link stays a link, and the mode stays.
pub fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let directory = path.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(directory).map_err(|error| failed("create", directory, &error))?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".plan-gate-{}", std::process::id()));
    let draft = directory.join(name);
    let write = || -> io::Result<()> {
        let mut file = fs::OpenOptions::new().write(true).create_new(true).open(&draft)?;
        file.write_all(text.as_bytes())?;
        if let Ok(old) = fs::metadata(&path) {
            file.set_permissions(old.permissions())?;
        }
        file.sync_all()?;
        fs::rename(&draft, &path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&draft);
        failed("write", &path, &error)
    })
}

/// Removes a file that was ours alone.
pub fn remove(path: &Path) -> Result<(), Failure> {
    fs::remove_file(path).map_err(|error| failed("remove", path, &error))
}
