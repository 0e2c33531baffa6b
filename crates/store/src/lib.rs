//! Keeps gate sessions across processes and restarts, outside the decision path.
//!
//! You want this crate when the gate lives in short-lived processes (a hook that a host starts for every
//! tool call) or has to survive a restart. An embedder that keeps its sessions in memory does not need it.
//!
//! The seam is the trait [`Store`]: one transaction per event, in which the newest snapshot of a session is
//! read, the gate decides, and the new snapshot and the journal lines are written together. [`SqliteStore`] is
//! the one that ships: one SQLite file per user, safe with many processes at once. A fleet can bring another.
//!
//! What a store promises:
//!
//! - What was acknowledged (an `Ok`) is on disk, and stays. What was not is there whole or not at all.
//! - Two processes never decide on the same snapshot: the transaction is taken before the snapshot is read.
//! - A file that is damaged, cut, older than what was acknowledged, or of a newer version is an error that says
//!   so. It is never repaired and never read in part; the caller refuses, so the gate stays closed.
//! - It reads no clock: every time is a parameter and only data. Order is the order of commits.
//!
//! What it cannot notice: a whole directory put back from an older copy, and anybody who may write the user's
//! files. Checksums here are against accidents, not against an attacker.

mod checksum;
mod error;
mod place;
mod record;
mod schema;
mod sqlite;
mod witness;

pub use error::{StoreError, StoreErrorKind};
pub use place::{System, default_directory};
pub use record::{Change, Entry, Filter, Record, Saved, Summary};
pub use sqlite::SqliteStore;

/// What the closure of [`Store::with_session`] is: the decision, made while nobody else can decide.
///
/// It is called at most once. An error undoes everything and is handed back.
pub type Decide<'a> = dyn FnMut(Option<&Saved>) -> Result<Change, StoreError> + 'a;

/// Where sessions live.
pub trait Store {
    /// Reads the newest snapshot of `session`, lets `decide` make the next one, and keeps it together with its
    /// journal lines: one transaction, which no other process can enter meanwhile. `now_ms` is the time of the
    /// journal lines, in milliseconds since 1970; no decision depends on it.
    ///
    /// # Errors
    ///
    /// Whatever `decide` returned, or the store's own fault. After an error nothing of the change counts: the
    /// caller refuses.
    fn with_session(&mut self, session: &str, now_ms: i64, decide: &mut Decide<'_>)
    -> Result<(), StoreError>;

    /// The newest snapshot of `session`, to look at.
    ///
    /// # Errors
    ///
    /// The store cannot be read or is damaged.
    fn session(&mut self, session: &str) -> Result<Option<Saved>, StoreError>;

    /// Every session, the one that changed last first.
    ///
    /// # Errors
    ///
    /// The store cannot be read or is damaged.
    fn sessions(&mut self) -> Result<Vec<Summary>, StoreError>;

    /// Hands every journal line that the filter lets through to `visit`, oldest first.
    ///
    /// # Errors
    ///
    /// The store cannot be read or is damaged.
    fn journal(&mut self, filter: &Filter, visit: &mut dyn FnMut(Entry)) -> Result<(), StoreError>;
}
