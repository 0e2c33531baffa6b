//! The store that ships.

use crate::place::{check_file, prepare_directory, private_file};
use crate::witness::Witness;
use crate::{Change, Decide, Entry, Filter, Record, Saved, Store, StoreError, Summary};
use crate::{checksum, schema};
use rusqlite::{Connection, Row, Transaction, TransactionBehavior, params};
use std::path::{Path, PathBuf};

/// One SQLite file per user, with a write-ahead log, in a directory of its own.
#[derive(Debug)]
pub struct SqliteStore {
    connection: Connection,
    witness: Witness,
    directory: PathBuf,
}

impl SqliteStore {
    /// Opens the store in `directory`; makes both when there is nothing.
    ///
    /// # Errors
    ///
    /// The place cannot be made or is open to other users, or the file is not whole or not of this version.
    pub fn open(directory: &Path) -> Result<Self, StoreError> {
        let directory = prepare_directory(directory)?;
        let file = directory.join("gate.db");
        let witness = directory.join("witness");
        if !file.exists() {
            create(&directory, &file, &witness)?;
        }
        check_file(&file)?;
        let connection = schema::open(&file)?;
        Ok(Self { connection, witness: Witness::open(&witness)?, directory })
    }

    /// The directory that holds the store; the gate protects it from the agent.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Reads every page and every row. Slow: for a doctor, not for a hook.
    ///
    /// # Errors
    ///
    /// The first fault found.
    pub fn verify(&mut self) -> Result<(), StoreError> {
        let answer: String = self.connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
        if answer != "ok" {
            return Err(StoreError::damaged(answer));
        }
        let transaction = begin(&mut self.connection)?;
        let generation = generation(&transaction)?;
        self.witness.check(generation)?;
        let mut statement = transaction.prepare(&format!("SELECT {SAVED}, id FROM session"))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            read_saved(row, &row.get::<_, String>("id")?)?;
        }
        Ok(())
    }
}

/// Makes the store unless another process was faster.
fn create(directory: &Path, file: &Path, witness: &Path) -> Result<(), StoreError> {
    let lock_path = directory.join("create.lock");
    let lock = private_file()
        .create(true)
        .truncate(false)
        .open(&lock_path)
        .map_err(|error| StoreError::io("create", &lock_path, &error))?;
    lock.lock().map_err(|error| StoreError::io("lock", &lock_path, &error))?;
    if file.exists() {
        return Ok(());
    }
    // The witness comes first: a store without one is refused. One that is there already and does not say zero
    // belonged to a store that somebody removed; it stays, and refuses this one until it is removed as well.
    Witness::create(witness)?;
    schema::create(file)
}

fn begin(connection: &mut Connection) -> Result<Transaction<'_>, StoreError> {
    Ok(connection.transaction_with_behavior(TransactionBehavior::Immediate)?)
}

fn generation(transaction: &Connection) -> Result<i64, StoreError> {
    Ok(transaction.query_row("SELECT generation FROM state WHERE only = 1", [], |row| row.get(0))?)
}

const SAVED: &str = "snapshot, parent, host, waiting, checksum";

fn read_saved(row: &Row<'_>, session: &str) -> Result<Saved, StoreError> {
    let saved = Saved {
        snapshot: row.get("snapshot")?,
        parent: row.get("parent")?,
        host: row.get("host")?,
        waiting: row.get("waiting")?,
    };
    if sum(session, &saved) == row.get::<_, i64>("checksum")? {
        return Ok(saved);
    }
    Err(StoreError::damaged(format_args!("the snapshot of session `{session}` has changed on disk")))
}

fn sum(session: &str, saved: &Saved) -> i64 {
    checksum::of(&[
        Some(session),
        Some(&saved.snapshot),
        saved.parent.as_deref(),
        Some(&saved.host),
        saved.waiting.as_deref(),
    ])
}

fn load(connection: &Connection, session: &str) -> Result<Option<Saved>, StoreError> {
    let mut statement = connection.prepare_cached(&format!("SELECT {SAVED} FROM session WHERE id = ?1"))?;
    let mut rows = statement.query([session])?;
    rows.next()?.map(|row| read_saved(row, session)).transpose()
}

/// A session keeps its parent and its host: a child that becomes a root would have a user of its own.
fn check_lineage(session: &str, old: Option<&Saved>, new: &Saved) -> Result<(), StoreError> {
    if new.parent.as_deref() == Some(session) {
        return Err(StoreError::decision(format!("session `{session}` cannot be its own parent")));
    }
    match old {
        Some(old) if old.parent != new.parent || old.host != new.host => {
            let message = format!("session `{session}` already has another parent or host");
            Err(StoreError::decision(message))
        }
        _ => Ok(()),
    }
}

fn save(
    transaction: &Transaction<'_>,
    session: &str,
    saved: &Saved,
    now_ms: i64,
    generation: i64,
) -> Result<(), StoreError> {
    transaction
        .prepare_cached("INSERT OR REPLACE INTO session VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?
        .execute(params![
            session,
            saved.parent,
            saved.host,
            saved.waiting,
            saved.snapshot,
            now_ms,
            generation,
            sum(session, saved)
        ])?;
    Ok(())
}

fn append(
    transaction: &Transaction<'_>,
    session: &str,
    record: &Record,
    now_ms: i64,
) -> Result<(), StoreError> {
    transaction
        .prepare_cached("INSERT INTO journal VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")?
        .execute(params![
            now_ms,
            session,
            record.host,
            record.agent,
            record.kind,
            record.tool,
            record.verdict,
            record.reason,
            record.id,
            record.text
        ])?;
    Ok(())
}

impl Store for SqliteStore {
    fn with_session(
        &mut self,
        session: &str,
        now_ms: i64,
        decide: &mut Decide<'_>,
    ) -> Result<(), StoreError> {
        let transaction = begin(&mut self.connection)?;
        let next = generation(&transaction)?
            .checked_add(1)
            .ok_or_else(|| StoreError::damaged("its generation is out of range"))?;
        self.witness.check(next - 1)?;
        let old = load(&transaction, session)?;
        let Change { saved, records } = decide(old.as_ref())?;
        if let Some(saved) = &saved {
            check_lineage(session, old.as_ref(), saved)?;
            save(&transaction, session, saved, now_ms, next)?;
        }
        for record in &records {
            append(&transaction, session, record, now_ms)?;
        }
        transaction.execute("UPDATE state SET generation = ?1", [next])?;
        transaction.commit()?;
        self.witness.write(next)
    }

    fn session(&mut self, session: &str) -> Result<Option<Saved>, StoreError> {
        let transaction = begin(&mut self.connection)?;
        self.witness.check(generation(&transaction)?)?;
        load(&transaction, session)
    }

    fn sessions(&mut self) -> Result<Vec<Summary>, StoreError> {
        let transaction = begin(&mut self.connection)?;
        self.witness.check(generation(&transaction)?)?;
        let mut statement = transaction
            .prepare("SELECT id, parent, host, waiting, changed_ms FROM session ORDER BY generation DESC")?;
        let rows = statement.query_map([], |row| {
            Ok(Summary {
                session: row.get(0)?,
                parent: row.get(1)?,
                host: row.get(2)?,
                waiting: row.get(3)?,
                changed_ms: row.get(4)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn journal(&mut self, filter: &Filter, visit: &mut dyn FnMut(Entry)) -> Result<(), StoreError> {
        // A reader needs no lock: it sees one state of the log, and the log only grows.
        let mut statement = self.connection.prepare(JOURNAL)?;
        let last = filter.last.map_or(-1, i64::from);
        let mut rows = statement.query(params![
            filter.session,
            filter.host,
            filter.kind,
            filter.verdict,
            filter.tool,
            filter.after,
            filter.since_ms,
            last
        ])?;
        while let Some(row) = rows.next()? {
            visit(read_entry(row)?);
        }
        Ok(())
    }
}

const JOURNAL: &str = "SELECT * FROM (SELECT * FROM journal
    WHERE (?1 IS NULL OR session = ?1) AND (?2 IS NULL OR host = ?2) AND (?3 IS NULL OR kind = ?3)
    AND (?4 IS NULL OR verdict = ?4) AND (?5 IS NULL OR tool = ?5) AND (?6 IS NULL OR seq > ?6)
    AND (?7 IS NULL OR time_ms >= ?7) ORDER BY seq DESC LIMIT ?8) ORDER BY seq";

fn read_entry(row: &Row<'_>) -> Result<Entry, rusqlite::Error> {
    Ok(Entry {
        seq: row.get("seq")?,
        time_ms: row.get("time_ms")?,
        session: row.get("session")?,
        host: row.get("host")?,
        agent: row.get("agent")?,
        kind: row.get("kind")?,
        tool: row.get("tool")?,
        verdict: row.get("verdict")?,
        reason: row.get("reason")?,
        id: row.get("id")?,
        text: row.get("text")?,
    })
}
