//! Files that are damaged, cut, newer, or in a place that cannot be used: always an error that says so, and never
//! an older state in place of the newest.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use plan_gate_store::{Change, Filter, Record, Saved, SqliteStore, Store, StoreError, StoreErrorKind};
use std::fs;
use std::path::Path;

fn saved(snapshot: &str) -> Saved {
    Saved { snapshot: snapshot.to_owned(), host: "h".to_owned(), ..Saved::default() }
}

fn put(directory: &Path, snapshot: &str) -> Result<(), StoreError> {
    let record = Record { host: "h".to_owned(), kind: "step".to_owned(), ..Record::default() };
    SqliteStore::open(directory)?.with_session("s", 0, &mut |_| {
        Ok(Change { saved: Some(saved(snapshot)), records: vec![record.clone()] })
    })
}

fn get(directory: &Path) -> Result<Option<Saved>, StoreError> {
    SqliteStore::open(directory)?.session("s")
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

/// A store whose last transactions are only in the log, as a killed process leaves it.
fn with_log(directory: &Path) {
    let live = directory.join("live");
    put(&live, "closed 0").unwrap();
    let mut store = SqliteStore::open(&live).unwrap();
    for snapshot in ["approved", "closed by the user"] {
        store
            .with_session("s", 0, &mut |_| Ok(Change { saved: Some(saved(snapshot)), records: vec![] }))
            .unwrap();
    }
    copy(&live, &directory.join("killed"));
}

/// The newest state, an honest error, or a session that is not there: what else could be approved by mistake?
fn assert_never_older(result: &Result<Option<Saved>, StoreError>, what: &str) {
    if let Ok(Some(state)) = result {
        assert_eq!(*state, saved("closed by the user"), "{what}");
    }
}

#[test]
fn a_cut_log_never_brings_back_an_approval() {
    let root = tempfile::tempdir().unwrap();
    with_log(root.path());
    let (killed, trial) = (root.path().join("killed"), root.path().join("trial"));
    assert_eq!(get(&killed).unwrap(), Some(saved("closed by the user")));
    with_log(root.path());
    let log = fs::read(killed.join("gate.db-wal")).unwrap();
    let mut refused = 0;
    for length in (0..=log.len()).rev().step_by(97).chain([0]) {
        copy(&killed, &trial);
        fs::write(trial.join("gate.db-wal"), &log[..length]).unwrap();
        let result = get(&trial);
        assert_never_older(&result, &format!("cut to {length}"));
        refused += u32::from(result.is_err());
    }
    assert!(refused > 10, "{refused}");
    copy(&killed, &trial);
    fs::remove_file(trial.join("gate.db-wal")).unwrap();
    let error = get(&trial).unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Damaged);
    assert!(error.message().contains("acknowledged"), "{error}");
    assert_eq!(put(&trial, "next").unwrap_err().kind(), StoreErrorKind::Damaged);
}

#[test]
fn a_flipped_byte_never_brings_back_an_approval() {
    let root = tempfile::tempdir().unwrap();
    with_log(root.path());
    let (killed, trial) = (root.path().join("killed"), root.path().join("trial"));
    copy(&killed, &root.path().join("folded"));
    let folded = root.path().join("folded");
    get(&folded).unwrap();
    for (source, name, step) in
        [(&killed, "gate.db-wal", 61), (&folded, "gate.db", 53), (&killed, "witness", 1)]
    {
        let whole = fs::read(source.join(name)).unwrap();
        copy(source, &trial);
        for place in (0..whole.len()).step_by(step) {
            for file in ["gate.db", "gate.db-wal", "witness"] {
                let _ = fs::remove_file(trial.join(file));
                let _ = fs::copy(source.join(file), trial.join(file));
            }
            let _ = fs::remove_file(trial.join("gate.db-shm"));
            let mut bytes = whole.clone();
            bytes[place] ^= 1 << (place % 8);
            fs::write(trial.join(name), &bytes).unwrap();
            assert_never_older(&get(&trial), &format!("{name} at {place}"));
        }
    }
}

#[test]
fn a_cut_or_foreign_file_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let (good, trial) = (root.path().join("good"), root.path().join("trial"));
    put(&good, "closed by the user").unwrap();
    let whole = fs::read(good.join("gate.db")).unwrap();
    for length in (0..whole.len()).step_by(1024) {
        copy(&good, &trial);
        fs::write(trial.join("gate.db"), &whole[..length]).unwrap();
        match get(&trial) {
            // Half a page at the very end may be one that this answer does not need.
            Ok(state) => assert_eq!((state, length % 4096 > 0), (Some(saved("closed by the user")), true)),
            Err(error) => {
                assert_eq!(error.kind(), StoreErrorKind::Damaged, "cut to {length}: {error}");
                assert!(error.message().contains("stays closed"), "{error}");
            }
        }
    }
    for (name, content) in [
        ("gate.db", "not a database, but long enough to look like one ".repeat(40)),
        ("witness", String::new()),
        ("witness", "7\n".to_owned()),
    ] {
        copy(&good, &trial);
        fs::write(trial.join(name), content).unwrap();
        assert_eq!(get(&trial).unwrap_err().kind(), StoreErrorKind::Damaged, "{name}");
    }
    copy(&good, &trial);
    fs::remove_file(trial.join("witness")).unwrap();
    assert_eq!(get(&trial).unwrap_err().kind(), StoreErrorKind::Damaged);
    // The store alone is gone, its witness still speaks: not a new beginning.
    copy(&good, &trial);
    fs::remove_file(trial.join("gate.db")).unwrap();
    assert_eq!(get(&trial).unwrap_err().kind(), StoreErrorKind::Damaged);
    assert_eq!(get(&trial).unwrap_err().kind(), StoreErrorKind::Damaged);
    assert_eq!(get(&good).unwrap(), Some(saved("closed by the user")));
}

#[test]
fn a_newer_format_is_refused_and_says_so() {
    let root = tempfile::tempdir().unwrap();
    let directory = root.path().join("state");
    put(&directory, "x").unwrap();
    for (statement, kind) in [
        ("PRAGMA user_version = 2", StoreErrorKind::Newer),
        ("PRAGMA user_version = 0", StoreErrorKind::Damaged),
        ("PRAGMA user_version = 1; PRAGMA application_id = 1", StoreErrorKind::Damaged),
    ] {
        let file = rusqlite::Connection::open(directory.join("gate.db")).unwrap();
        file.execute_batch(statement).unwrap();
        drop(file);
        let error = get(&directory).unwrap_err();
        assert_eq!(error.kind(), kind, "{statement}: {error}");
    }
}

#[test]
fn the_journal_cannot_be_rewritten_and_a_lost_table_is_damage() {
    let root = tempfile::tempdir().unwrap();
    let directory = root.path().join("state");
    put(&directory, "x").unwrap();
    let file = rusqlite::Connection::open(directory.join("gate.db")).unwrap();
    for statement in ["DELETE FROM journal", "UPDATE journal SET kind = 'other'"] {
        let error = file.execute_batch(statement).unwrap_err().to_string();
        assert!(error.contains("append-only"), "{error}");
    }
    file.execute_batch("UPDATE session SET snapshot = 'approved'").unwrap();
    assert_eq!(get(&directory).unwrap_err().kind(), StoreErrorKind::Damaged);
    assert!(SqliteStore::open(&directory).unwrap().verify().is_err());
    file.execute_batch("DROP TABLE session").unwrap();
    drop(file);
    assert_eq!(get(&directory).unwrap_err().kind(), StoreErrorKind::Damaged);
    let mut lines = 0;
    SqliteStore::open(&directory).unwrap().journal(&Filter::default(), &mut |_| lines += 1).unwrap();
    assert_eq!(lines, 1);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    fn chmod(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn everything_is_the_owners_alone() {
        let root = tempfile::tempdir().unwrap();
        let directory = root.path().join("deep/state");
        let _store = SqliteStore::open(&directory).unwrap();
        put(&directory, "x").unwrap();
        assert_eq!(mode(&directory), 0o700);
        assert_eq!(mode(&root.path().join("deep")), 0o700);
        let mut names = Vec::new();
        for entry in fs::read_dir(&directory).unwrap() {
            let entry = entry.unwrap();
            assert_eq!(mode(&entry.path()), 0o600, "{entry:?}");
            names.push(entry.file_name().into_string().unwrap());
        }
        names.sort();
        assert_eq!(names, ["create.lock", "gate.db", "gate.db-shm", "gate.db-wal", "witness"]);
    }

    #[test]
    fn a_place_that_others_may_write_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let directory = root.path().join("state");
        put(&directory, "x").unwrap();
        for (name, bad, good) in [("", 0o777, 0o700), ("gate.db", 0o644, 0o600), ("witness", 0o620, 0o600)] {
            chmod(&directory.join(name), bad);
            let error = get(&directory).unwrap_err();
            assert_eq!(error.kind(), StoreErrorKind::Permissions, "{name}: {error}");
            chmod(&directory.join(name), good);
        }
        assert_eq!(get(&directory).unwrap(), Some(saved("x")));
        fs::rename(directory.join("gate.db"), root.path().join("elsewhere")).unwrap();
        symlink(root.path().join("elsewhere"), directory.join("gate.db")).unwrap();
        assert_eq!(get(&directory).unwrap_err().kind(), StoreErrorKind::Damaged);
    }

    #[test]
    fn a_place_that_cannot_be_made_is_refused() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("file"), "").unwrap();
        for place in ["file", "file/state"] {
            let error = get(&root.path().join(place)).unwrap_err();
            assert_eq!(error.kind(), StoreErrorKind::Unavailable, "{place}: {error}");
        }
        assert_eq!(get(Path::new("/proc/plan-gate")).unwrap_err().kind(), StoreErrorKind::Unavailable);
    }
}
