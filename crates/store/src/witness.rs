//! A second witness of how far the store got.
//!
//! SQLite silently goes back to its last whole transaction when the end of its log is lost. For a gate that is a
//! hole: the lost part may be the user's *stop*, and the approval before it would live again. So the number of
//! the last acknowledged transaction also stands in a small file of its own. It is written after the commit and
//! before the acknowledgement, so it can lag behind the store (a crash in between) but never be ahead of it. A
//! store that is behind its witness has lost something, and is refused.

use crate::StoreError;
use crate::place::{check_file, private_file};
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often a reading that met a half-done write is repeated, a millisecond apart.
const READINGS: u32 = 20;

#[derive(Debug)]
pub(crate) struct Witness {
    path: PathBuf,
    file: File,
}

impl Witness {
    /// Puts the first witness of a new store in place, saying zero. One that is there already stays.
    pub(crate) fn create(path: &Path) -> Result<(), StoreError> {
        match private_file().create_new(true).open(path) {
            Ok(mut file) => file
                .write_all(text(0).as_bytes())
                .and_then(|()| file.sync_all())
                .map_err(|error| StoreError::io("write", path, &error)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(StoreError::io("create", path, &error)),
        }
    }

    pub(crate) fn open(path: &Path) -> Result<Self, StoreError> {
        let file = private_file().open(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                StoreError::damaged(format_args!("its witness `{}` is missing", path.display()))
            }
            _ => StoreError::io("open", path, &error),
        })?;
        check_file(path)?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Refuses a store whose last transaction is before the one that was acknowledged last. Call it with the
    /// store's write lock held, or a newer transaction may be acknowledged in between.
    pub(crate) fn check(&mut self, generation: i64) -> Result<(), StoreError> {
        let acknowledged = self.read()?;
        if acknowledged <= generation {
            return Ok(());
        }
        let lost = format!("transaction {acknowledged} was acknowledged, the file ends at {generation}");
        Err(StoreError::damaged(lost))
    }

    /// Bears witness that `generation` is committed.
    pub(crate) fn write(&mut self, generation: i64) -> Result<(), StoreError> {
        self.file
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.file.write_all(text(generation).as_bytes()))
            .map_err(|error| StoreError::io("write", &self.path, &error))
    }

    /// The number stands twice, so that a reading in the middle of somebody's write is seen and repeated.
    fn read(&mut self) -> Result<i64, StoreError> {
        for _ in 0..READINGS {
            let mut content = String::new();
            let read = self
                .file
                .seek(SeekFrom::Start(0))
                .and_then(|_| (&mut self.file).take(100).read_to_string(&mut content));
            match read {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::InvalidData => {}
                Err(error) => return Err(StoreError::io("read", &self.path, &error)),
            }
            if let Some(generation) = parse(&content) {
                return Ok(generation);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let path = self.path.display();
        Err(StoreError::damaged(format_args!("its witness `{path}` is unreadable")))
    }
}

fn text(generation: i64) -> String {
    format!("{generation:020} {generation:020}\n")
}

fn parse(content: &str) -> Option<i64> {
    let (one, two) = content.strip_suffix('\n')?.split_once(' ')?;
    let digits = one.len() == 20 && one.bytes().all(|byte| byte.is_ascii_digit());
    if digits && one == two { one.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_writing_reads() {
        assert_eq!(parse(&text(0)), Some(0));
        assert_eq!(parse(&text(i64::MAX)), Some(i64::MAX));
        let whole = text(4711);
        for end in 0..whole.len() {
            assert_eq!(parse(whole.get(..end).unwrap()), None, "{end}");
        }
        for (place, _) in whole.char_indices() {
            let mut torn = whole.clone().into_bytes();
            torn[place] = if torn[place] == b'9' { b'8' } else { b'9' };
            assert_eq!(parse(std::str::from_utf8(&torn).unwrap()), None, "{place}");
        }
    }
}
