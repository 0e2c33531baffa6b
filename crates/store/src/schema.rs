//! The file: its making, its version, and the settings of a connection.

use crate::place::private_file;
use crate::{StoreError, StoreErrorKind};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// `plgt`, in the header of the file: this is a store of ours and nothing else.
const APPLICATION_ID: i64 = 0x706c_6774;
/// The version of the tables. A newer one is refused; an older one would be converted, and there is none yet.
const VERSION: i64 = 1;
/// How long a hook waits for others. Below the time that a host gives its hooks (10 s in what we install).
const WAIT: Duration = Duration::from_secs(5);

/// Makes a whole store beside its place and moves it there, so that nobody ever meets half of one. The caller
/// holds the creation lock.
pub(crate) fn create(file: &Path) -> Result<(), StoreError> {
    let draft = file.with_extension("new");
    for rest in [draft.clone(), draft.with_extension("new-wal"), draft.with_extension("new-shm")] {
        match fs::remove_file(&rest) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(StoreError::io("remove", &rest, &error));
            }
            _ => {}
        }
    }
    private_file().create_new(true).open(&draft).map_err(|error| StoreError::io("create", &draft, &error))?;
    let connection = Connection::open_with_flags(&draft, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.execute_batch(&format!(
        "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; BEGIN EXCLUSIVE; {} \
         PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION}; COMMIT;",
        include_str!("schema.sql")
    ))?;
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        let message = format!("`{}` cannot have a write-ahead log (got `{mode}`)", file.display());
        return Err(StoreError::new(StoreErrorKind::Unavailable, message));
    }
    connection.close().map_err(|(_, error)| error)?;
    fs::rename(&draft, file).map_err(|error| StoreError::io("create", file, &error))?;
    sync_directory(file)
}

/// A rename is durable once its directory is.
fn sync_directory(file: &Path) -> Result<(), StoreError> {
    let Some(directory) = file.parent().filter(|_| cfg!(unix)) else { return Ok(()) };
    fs::File::open(directory)
        .and_then(|directory| directory.sync_all())
        .map_err(|error| StoreError::io("save", directory, &error))
}

/// Opens the file, refuses what is not a store of this version, and makes commits durable.
pub(crate) fn open(file: &Path) -> Result<Connection, StoreError> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(WAIT)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // secure_delete: an old snapshot must not stay in a free page, where a damaged pointer could find it again.
    connection.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;",
    )?;
    check_version(&connection, file)?;
    Ok(connection)
}

fn check_version(connection: &Connection, file: &Path) -> Result<(), StoreError> {
    let number = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, i64>(0));
    if number("PRAGMA application_id")? != APPLICATION_ID {
        return Err(StoreError::damaged(format_args!("`{}` is not a store of plan-gate", file.display())));
    }
    let version = number("PRAGMA user_version")?;
    if version > VERSION {
        let message = format!(
            "`{}` was written by a newer plan-gate (format {version}, this one knows {VERSION}); the gate stays closed until plan-gate is updated",
            file.display()
        );
        return Err(StoreError::new(StoreErrorKind::Newer, message));
    }
    if version != VERSION {
        return Err(StoreError::damaged(format_args!("format {version} does not exist")));
    }
    let mode: String = connection.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(StoreError::damaged(format_args!("its log mode is `{mode}`")));
    }
    Ok(())
}
