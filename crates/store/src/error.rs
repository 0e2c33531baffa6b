//! What can go wrong in a store.

use std::fmt;

/// What kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// No place for the store can be named: no home directory, or a relative one.
    NoPlace,
    /// The place exists, but others may write or read it.
    Permissions,
    /// The disk, the file system or the operating system refuses.
    Unavailable,
    /// Another process held the store for longer than the wait.
    Busy,
    /// The file is damaged, cut, or older than what was acknowledged.
    Damaged,
    /// The file was written by a newer version.
    Newer,
    /// The caller's own decision failed.
    Decision,
}

impl StoreErrorKind {
    /// The stable name, used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoPlace => "no_place",
            Self::Permissions => "permissions",
            Self::Unavailable => "unavailable",
            Self::Busy => "busy",
            Self::Damaged => "damaged",
            Self::Newer => "newer",
            Self::Decision => "decision",
        }
    }
}

/// A fault of the store: its kind, and a message that says what is wrong where and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreError {
    kind: StoreErrorKind,
    message: String,
}

impl StoreError {
    /// An error of this kind with this message.
    pub fn new(kind: StoreErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// An error of the caller's own decision, to return from [`crate::Decide`].
    pub fn decision(message: impl Into<String>) -> Self {
        Self::new(StoreErrorKind::Decision, message)
    }

    /// What kind of fault.
    pub fn kind(&self) -> StoreErrorKind {
        self.kind
    }

    /// What is wrong where.
    pub fn message(&self) -> &str {
        &self.message
    }

    pub(crate) fn damaged(what: impl fmt::Display) -> Self {
        let message = format!(
            "the store is damaged: {what}; the gate stays closed. Move its directory away to begin again, with every session closed"
        );
        Self::new(StoreErrorKind::Damaged, message)
    }

    pub(crate) fn io(doing: &str, path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::new(StoreErrorKind::Unavailable, format!("cannot {doing} `{}`: {error}", path.display()))
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for StoreError {}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode as Code;
        let kind = match error.sqlite_error_code() {
            Some(Code::DatabaseBusy | Code::DatabaseLocked) => StoreErrorKind::Busy,
            Some(
                Code::DiskFull
                | Code::SystemIoFailure
                | Code::ReadOnly
                | Code::CannotOpen
                | Code::PermissionDenied
                | Code::OutOfMemory
                | Code::FileLockingProtocolFailed
                | Code::NoLargeFileSupport,
            ) => StoreErrorKind::Unavailable,
            // Corrupt, not a database, a missing table or column, a value of another type: not our file any more.
            _ => return Self::damaged(error),
        };
        Self::new(kind, format!("the store cannot be used: {error}"))
    }
}
