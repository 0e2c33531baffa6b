//! Single decisions against their floors.

use crate::record::{Record, ns, times};
use plan_gate_benches::floors::{self, KEY, LockedTable};
use plan_gate_benches::hot::{Sessions, WAYS};
use plan_gate_benches::library::{EXECUTE, Library, Session, WRITE, allows};
use plan_gate_benches::measure::{Effort, Race, Turns};
use plan_gate_benches::questions::{
    CONFIG, EXACT_COMMAND, REPLY_LONGER, REPLY_SHORT, SIZES, THREE_PART_COMMAND, paths, plan,
    scope_of_commands, scope_of_paths, write_arguments,
};
use plan_gate_benches::scan::Scanner;
use std::error::Error;
use std::hint::black_box;
use std::sync::Mutex;

const FLOOR: &str = "floor: call + lock + hash look-up";

/// Paths, commands, arguments and replies.
pub fn run(record: &mut Record, effort: Effort) -> Result<(), Box<dyn Error>> {
    let library = Library::load();
    for (way, sessions) in WAYS.iter().map(|way| (way, Sessions::new(&library))) {
        way.run(&sessions);
    }
    checks(record, effort, &library);
    arguments(record, effort, &library);
    replies(record, effort, &library);
    Ok(())
}

fn checks(record: &mut Record, effort: Effort, library: &Library) {
    let gate = library.gate(CONFIG);
    let (table, locked, mutex) = (LockedTable::unlocked(), LockedTable::default(), Mutex::new(0));
    let by_size = |kind: &str, plan_of: &dyn Fn(usize) -> String| -> Vec<Session> {
        SIZES.iter().map(|n| gate.approved(&format!("{kind} {n}"), &plan_of(*n))).collect()
    };
    let path_sessions = by_size("paths", &|n| plan(&scope_of_paths(n)));
    let command_sessions = by_size("commands", &|n| plan(&scope_of_commands(n)));
    let held_sessions = by_size("held", &|n| plan(&scope_of_paths(n)));
    let inside: Vec<Vec<String>> = SIZES.iter().map(|n| paths(*n, true)).collect();
    let outside: Vec<Vec<String>> = SIZES.iter().map(|n| paths(*n, false)).collect();

    let mut race = Race::new();
    race.add("floor: empty call into the library", || floors::empty_call(library));
    race.add("floor: uncontended lock", || floors::lock(&mutex));
    race.add("floor: hash look-up, 33 B key", || table.get(black_box(KEY)));
    race.add(FLOOR, || floors::call_lock_hash(&locked, black_box(KEY)));
    for (at, n) in SIZES.into_iter().enumerate() {
        let (session, inside) = (&path_sessions[at], &inside[at]);
        assert!(inside.iter().all(|path| allows(session.check_effect("write", WRITE, path))));
        let mut turns = Turns::new(inside);
        race.add(format!("path inside, {n} entries"), move || {
            session.check_effect("write", WRITE, turns.next())
        });
    }
    for (at, n) in SIZES.into_iter().enumerate() {
        let (session, outside) = (&held_sessions[at], &outside[at]);
        assert!(!outside.iter().any(|path| allows(session.check_effect("write", WRITE, path))));
        let mut turns = Turns::new(outside);
        race.add(format!("path outside while a call is held, {n} entries"), move || {
            session.check_effect("write", WRITE, turns.next())
        });
    }
    for (name, line) in [("exact command", EXACT_COMMAND), ("command of three parts", THREE_PART_COMMAND)] {
        for (session, n) in command_sessions.iter().zip(SIZES) {
            assert!(allows(session.check_effect("bash", EXECUTE, line)), "{line}");
            race.add(format!("{name}, {n} entries"), move || {
                session.check_effect("bash", EXECUTE, black_box(line))
            });
        }
    }
    let got = race.run(effort);
    let rows: Vec<Vec<String>> = got
        .names()
        .map(|name| vec![name.to_owned(), ns(got.ns(name)), times(got.ratio(name, FLOOR))])
        .collect();
    record.section("Decisions", "One call through the C interface on a hot session, every effect covered.");
    record.rows(&["", "one call", "of call + lock + look-up"], &rows);
    let worst = SIZES.map(|n| got.ratio(&format!("path inside, {n} entries"), FLOOR));
    record.set("path over floor", worst.into_iter().fold(0.0, f64::max));
    let growth = |what: &str| got.ratio(&format!("{what}, 1000 entries"), &format!("{what}, 5 entries"));
    record.set("path growth", growth("path inside"));
    record.set("command growth", growth("command of three parts"));
}

fn arguments(record: &mut Record, effort: Effort, library: &Library) {
    let gate = library.gate(CONFIG);
    let session = gate.approved("arguments", &plan(&scope_of_paths(50)));
    let sizes = [200, 1_000, 5_000, 50_000];
    let texts: Vec<String> = sizes.iter().map(|size| write_arguments(&paths(50, true)[0], *size)).collect();
    let mut race = Race::new();
    for (size, text) in sizes.iter().zip(&texts) {
        assert!(allows(session.check("write", text)));
        race.add(format!("parse {size}"), || floors::parse(black_box(text.as_bytes())));
        race.add(format!("check {size}"), || session.check("write", black_box(text)));
    }
    let got = race.run(effort);
    let rows = sizes.map(|size| {
        let (parse, check) = (format!("parse {size}"), format!("check {size}"));
        vec![size.to_string(), ns(got.ns(&parse)), ns(got.ns(&check)), times(got.ratio(&check, &parse))]
    });
    record.section(
        "JSON arguments",
        "From the bytes of the arguments to the decision, beside serde_json's borrowed parse of the same bytes.",
    );
    record.rows(&["bytes", "floor: parse", "check", "ratio"], &rows);
    record.set("arguments over parse", got.ratio("check 5000", "parse 5000"));
}

fn replies(record: &mut Record, effort: Effort, library: &Library) {
    let gate = library.gate(CONFIG);
    let session = gate.session("replies");
    let scanner = Scanner::new();
    let replies = [
        ("6 B", REPLY_SHORT),
        ("33 B", REPLY_LONGER),
        ("English, 21 B", "sounds good, go ahead"),
        ("amendment, 32 B", "同意，但还要加个日志"),
        ("a new instruction, 28 B", "换个思路，先看看 README"),
    ];
    let mut race = Race::new();
    for (name, text) in replies {
        race.add(format!("scan {name}"), || scanner.matches(black_box(text)));
        let session = &session;
        race.add(name, move || session.reply(black_box(text)));
    }
    let got = race.run(effort);
    let rows = replies.map(|(name, _)| {
        let scan = format!("scan {name}");
        vec![name.to_owned(), ns(got.ns(&scan)), ns(got.ns(name)), times(got.ratio(name, &scan))]
    });
    record.section(
        "Replies",
        "A user's message to what it means and what follows, beside one bare pass of an automaton with all \
         words of the word lists over the same text.",
    );
    record.rows(&["message", "floor: one pass", "reply", "ratio"], &rows);
    let worst = replies.map(|(name, _)| got.ratio(name, &format!("scan {name}")));
    record.set("reply over scan", worst.into_iter().fold(0.0, f64::max));
}
