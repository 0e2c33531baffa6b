//! Symbolic links, behind the option `resolveSymlinks`: the one place of this crate that asks the disk.
//!
//! A check before use cannot promise that nothing changes between the two: a link may be put in place
//! after the answer. It does promise that no link that stands at the time of the question leads out.

use std::path::{Component, Path, PathBuf};

/// The path with its longest existing prefix resolved on disk; what does not exist yet is kept as it
/// stands. `None` when the path cannot be resolved with certainty (a loop, no permission, `..` behind
/// what does not exist, not UTF-8).
pub(crate) fn resolve(path: &Path) -> Option<String> {
    let mut resolved = PathBuf::new();
    let mut missing = false;
    for component in path.components() {
        match component {
            Component::Prefix(_) | Component::RootDir => resolved.push(component),
            Component::CurDir => {}
            // Behind a resolved directory `..` is its real parent; behind a missing one it is a guess.
            Component::ParentDir if missing => return None,
            Component::ParentDir => {
                resolved.pop();
            }
            Component::Normal(name) => {
                resolved.push(name);
                if missing {
                    continue;
                }
                match resolved.symlink_metadata() {
                    Ok(_) => resolved = resolved.canonicalize().ok()?,
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => missing = true,
                    // Below a plain file nothing can exist, so nothing can be a link.
                    Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => missing = true,
                    Err(_) => return None,
                }
            }
        }
    }
    resolved.into_os_string().into_string().ok()
}
