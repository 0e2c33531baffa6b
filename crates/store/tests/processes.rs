//! Many processes at once, processes killed in the middle, and disks that take no more.
//!
//! A program of its own (`harness = false`), because it starts itself again as the child.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test fails by panicking")]

use plan_gate_store::{Change, Filter, Record, Saved, SqliteStore, Store, StoreError};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, role, directory, name, count] = arguments.as_slice()
        && role == "child"
    {
        return child(Path::new(directory), name, count.parse().unwrap());
    }
    for (name, case) in [
        ("twenty processes make the store and count together", twenty_at_once as fn()),
        ("killed at any point, nothing acknowledged is lost", killed_at_any_point),
        ("a full disk refuses, and goes on when there is room", full_disk),
        ("a read-only home refuses", read_only_home),
    ] {
        case();
        println!("ok: {name}");
    }
}

/// Adds one to the session's counter, `count` times, and says each number once it is acknowledged.
fn child(directory: &Path, name: &str, count: u64) {
    let mut out = std::io::stdout();
    for _ in 0..count {
        // Every step opens the store anew, as a hook does.
        match step(directory, name) {
            Ok(number) => writeln!(out, "{number}").and_then(|()| out.flush()).unwrap(),
            Err(error) => {
                writeln!(out, "error {}: {error}", error.kind().name()).unwrap();
                std::process::exit(3);
            }
        }
    }
}

fn step(directory: &Path, name: &str) -> Result<u64, StoreError> {
    let mut number = 0;
    SqliteStore::open(directory)?.with_session("s", 0, &mut |old| {
        number = old.map_or(0, |saved| saved.snapshot.parse::<u64>().unwrap()) + 1;
        let saved = Saved { snapshot: number.to_string(), host: "h".to_owned(), ..Saved::default() };
        let line = |kind: &str| Record {
            host: "h".to_owned(),
            agent: Some(name.to_owned()),
            kind: kind.to_owned(),
            id: Some(number.to_string()),
            ..Record::default()
        };
        // Two lines, so that half a transaction would show.
        Ok(Change { saved: Some(saved), records: vec![line("event"), line("decision")] })
    })?;
    Ok(number)
}

fn start(directory: &Path, name: &str, count: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["child", directory.to_str().unwrap(), name, &count.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The numbers in the journal, each with how many lines it has; and the counter.
fn contents(directory: &Path) -> (BTreeMap<u64, u32>, u64) {
    let mut store = SqliteStore::open(directory).unwrap();
    store.verify().unwrap();
    let mut numbers = BTreeMap::new();
    store
        .journal(&Filter::default(), &mut |line| {
            *numbers.entry(line.id.unwrap().parse().unwrap()).or_insert(0) += 1;
        })
        .unwrap();
    let counter = store.session("s").unwrap().map_or(0, |saved| saved.snapshot.parse().unwrap());
    (numbers, counter)
}

fn assert_whole(directory: &Path) -> u64 {
    let (numbers, counter) = contents(directory);
    let expected: BTreeMap<u64, u32> = (1..=counter).map(|number| (number, 2)).collect();
    assert_eq!(numbers, expected);
    counter
}

fn twenty_at_once() {
    let root = tempfile::tempdir().unwrap();
    let directory = root.path().join("state");
    let children: Vec<_> = (0..20).map(|n| start(&directory, &n.to_string(), 10)).collect();
    let mut acknowledged = Vec::new();
    for mut child in children {
        let mut text = String::new();
        child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        assert!(child.wait().unwrap().success(), "{text}");
        acknowledged.extend(text.lines().map(|line| line.parse::<u64>().unwrap()));
    }
    acknowledged.sort_unstable();
    assert_eq!(acknowledged, (1..=200).collect::<Vec<_>>());
    assert_eq!(assert_whole(&directory), 200);
}

fn killed_at_any_point() {
    let root = tempfile::tempdir().unwrap();
    let directory = root.path().join("state");
    let mut seed = 0x9e37_79b9_u64;
    let mut last = 0;
    for round in 0..60 {
        // Three children at once, so that the killed one may hold the lock the others wait for.
        let mut children: Vec<_> = (0..3).map(|n| start(&directory, &n.to_string(), 1_000)).collect();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // From before the store exists to some steps in.
        std::thread::sleep(Duration::from_micros(seed >> 33 & 0x7fff));
        for child in &mut children {
            child.kill().unwrap();
        }
        let mut acknowledged = last;
        for mut child in children {
            for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
                acknowledged = acknowledged.max(line.parse().unwrap_or_else(|_| panic!("{round}: {line}")));
            }
            child.wait().unwrap();
        }
        let counter = assert_whole(&directory);
        assert!(counter >= acknowledged, "round {round}: {acknowledged} acknowledged, {counter} kept");
        // Each killed child may have committed one step that it could not say any more.
        assert!(counter <= acknowledged + 3, "round {round}: {counter} kept, {acknowledged} acknowledged");
        last = counter;
    }
    assert!(last > 60, "the children hardly ran: {last}");
}

/// The shell ignores the signal that the limit sends, so that writing fails as on a full disk.
fn limited(directory: &Path, blocks: u32, count: u64) -> (Vec<u64>, String) {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &script, std::env::current_exe().unwrap().to_str().unwrap()])
        .args(["child", directory.to_str().unwrap(), "x", &count.to_string()])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let (numbers, rest): (Vec<_>, Vec<_>) = text.lines().partition(|line| !line.starts_with("error"));
    (numbers.into_iter().map(|line| line.parse().unwrap()).collect(), rest.join("\n"))
}

fn full_disk() {
    let root = tempfile::tempdir().unwrap();
    // Too small even for the empty store: nothing is left in its place.
    let tiny = root.path().join("tiny");
    let (numbers, error) = limited(&tiny, 8, 1);
    assert_eq!(numbers, [0_u64; 0]);
    assert!(error.starts_with("error"), "{error}");
    step(&tiny, "x").unwrap();

    let directory = root.path().join("state");
    let mut last = 0;
    for blocks in [200, 300, 400] {
        let (numbers, error) = limited(&directory, blocks, 100_000);
        assert!(error.starts_with("error unavailable"), "{blocks}: {error}");
        assert!(numbers.len() > 10, "{blocks}: {numbers:?}");
        let counter = assert_whole(&directory);
        assert_eq!(counter, last + numbers.len() as u64, "{blocks}");
        last = counter;
    }
    assert_eq!(step(&directory, "x").unwrap(), last + 1);
}

fn read_only_home() {
    let root = tempfile::tempdir().unwrap();
    let directory = root.path().join("state");
    step(&directory, "x").unwrap();
    // A mount of its own cannot be written even by root. Where none can be made, permissions must do.
    let script =
        "mount --bind \"$1\" \"$1\" && mount -o remount,ro,bind \"$1\" && exec \"$0\" child \"$1/state\" x 1";
    let exe = std::env::current_exe().unwrap();
    let output = Command::new("unshare")
        .args(["-rm", "sh", "-c", script, exe.to_str().unwrap(), root.path().to_str().unwrap()])
        .output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    if text.is_empty() {
        println!("skipped: no mount of its own can be made here, so the read-only home was not tried");
        return;
    }
    assert!(text.starts_with("error unavailable"), "{text}");
    assert_eq!(assert_whole(&directory), 1);
}
