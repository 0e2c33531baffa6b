//! What a store keeps, and how it answers questions.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use plan_gate_store::{Change, Entry, Filter, Record, Saved, SqliteStore, Store, StoreError, StoreErrorKind};

fn open() -> (tempfile::TempDir, SqliteStore) {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&directory.path().join("state")).unwrap();
    (directory, store)
}

fn saved(snapshot: &str) -> Saved {
    Saved { snapshot: snapshot.to_owned(), host: "codex".to_owned(), ..Saved::default() }
}

fn record(kind: &str) -> Record {
    Record { host: "codex".to_owned(), kind: kind.to_owned(), ..Record::default() }
}

fn put(store: &mut SqliteStore, session: &str, now_ms: i64, change: &Change) -> Result<(), StoreError> {
    store.with_session(session, now_ms, &mut |_| Ok(change.clone()))
}

fn journal(store: &mut SqliteStore, filter: &Filter) -> Vec<Entry> {
    let mut lines = Vec::new();
    store.journal(filter, &mut |line| lines.push(line)).unwrap();
    lines
}

#[test]
fn the_newest_snapshot_is_handed_to_the_next_decision() {
    let (directory, mut store) = open();
    for (before, after) in [(None, "one"), (Some("one"), "two"), (Some("two"), "drei 三 \u{0}\n")] {
        store
            .with_session("s", 0, &mut |old| {
                assert_eq!(old.map(|saved| saved.snapshot.as_str()), before);
                Ok(Change { saved: Some(saved(after)), records: vec![record("step")] })
            })
            .unwrap();
    }
    drop(store);
    let mut store = SqliteStore::open(&directory.path().join("state")).unwrap();
    assert_eq!(store.session("s").unwrap(), Some(saved("drei 三 \u{0}\n")));
    assert_eq!(store.session("S").unwrap(), None);
    assert_eq!(journal(&mut store, &Filter::default()).len(), 3);
    store.verify().unwrap();
}

#[test]
fn a_failed_decision_changes_nothing() {
    let (_directory, mut store) = open();
    put(&mut store, "s", 0, &Change { saved: Some(saved("before")), records: vec![] }).unwrap();
    let error = store.with_session("s", 0, &mut |_| Err(StoreError::decision("no"))).unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Decision);
    assert_eq!(store.session("s").unwrap(), Some(saved("before")));
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        store.with_session("s", 0, &mut |_| panic!("a fault of the gate"))
    }));
    assert!(panicked.is_err());
    assert_eq!(store.session("s").unwrap(), Some(saved("before")));
    put(&mut store, "s", 0, &Change { saved: Some(saved("after")), records: vec![] }).unwrap();
}

#[test]
fn a_session_keeps_its_parent_and_its_host() {
    let (_directory, mut store) = open();
    let child = Saved { parent: Some("root".to_owned()), ..saved("x") };
    let of = |saved: &Saved| Change { saved: Some(saved.clone()), records: vec![] };
    put(&mut store, "child", 0, &of(&child)).unwrap();
    put(&mut store, "child", 0, &of(&Saved { snapshot: "y".to_owned(), ..child.clone() })).unwrap();
    for other in [
        Saved { parent: None, ..child.clone() },
        Saved { parent: Some("elsewhere".to_owned()), ..child.clone() },
        Saved { host: "claude-code".to_owned(), ..child.clone() },
    ] {
        assert_eq!(
            put(&mut store, "child", 0, &of(&other)).unwrap_err().kind(),
            StoreErrorKind::Decision,
            "{other:?}"
        );
    }
    let own = Saved { parent: Some("o".to_owned()), ..saved("x") };
    assert!(put(&mut store, "o", 0, &of(&own)).is_err());
}

#[test]
fn sessions_are_listed_newest_first() {
    let (_directory, mut store) = open();
    for (session, waiting) in [("a", None), ("b", Some("id1")), ("a", Some("id2"))] {
        let saved = Saved { waiting: waiting.map(str::to_owned), ..saved("x") };
        put(&mut store, session, 7, &Change { saved: Some(saved), records: vec![] }).unwrap();
    }
    let list: Vec<_> =
        store.sessions().unwrap().into_iter().map(|one| (one.session, one.waiting.unwrap())).collect();
    assert_eq!(list, [("a".to_owned(), "id2".to_owned()), ("b".to_owned(), "id1".to_owned())]);
}

#[test]
fn the_journal_filters() {
    let (_directory, mut store) = open();
    for n in 0..10_i64 {
        let record = Record {
            tool: (n % 2 == 0).then(|| "bash".to_owned()),
            verdict: Some(if n < 5 { "refuse" } else { "allow" }.to_owned()),
            ..record(if n == 9 { "prompt" } else { "before_tool" })
        };
        let session = if n < 3 { "a" } else { "b" };
        put(&mut store, session, n * 100, &Change { saved: None, records: vec![record] }).unwrap();
    }
    let text = |value: &str| Some(value.to_owned());
    for (filter, expected) in [
        (Filter::default(), vec![1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        (Filter { session: text("a"), ..Filter::default() }, vec![1, 2, 3]),
        (Filter { host: text("qwen-code"), ..Filter::default() }, vec![]),
        (Filter { kind: text("prompt"), ..Filter::default() }, vec![10]),
        (Filter { verdict: text("refuse"), tool: text("bash"), ..Filter::default() }, vec![1, 3, 5]),
        (Filter { after: Some(8), ..Filter::default() }, vec![9, 10]),
        (Filter { since_ms: Some(700), ..Filter::default() }, vec![8, 9, 10]),
        (Filter { last: Some(2), ..Filter::default() }, vec![9, 10]),
        (Filter { session: text("a"), last: Some(2), ..Filter::default() }, vec![2, 3]),
    ] {
        let seqs: Vec<_> = journal(&mut store, &filter).iter().map(|line| line.seq).collect();
        assert_eq!(seqs, expected, "{filter:?}");
    }
}

/// Order is the order of commits; a clock that jumps changes times in the journal and nothing else.
#[test]
fn a_jumping_clock_is_only_data() {
    let (_directory, mut store) = open();
    let times = [1_000, -5, i64::MAX, 0, i64::MIN, 1_000];
    for (n, time) in times.into_iter().enumerate() {
        let change = Change { saved: Some(saved(&n.to_string())), records: vec![record("step")] };
        put(&mut store, "s", time, &change).unwrap();
        assert_eq!(store.session("s").unwrap().unwrap().snapshot, n.to_string());
    }
    let lines = journal(&mut store, &Filter::default());
    assert_eq!(lines.iter().map(|line| line.time_ms).collect::<Vec<_>>(), times);
    assert_eq!(store.sessions().unwrap().len(), 1);
}
