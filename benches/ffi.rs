//! Layer ffi: the released library through its C interface, and the floors beside it.

use criterion::{Criterion, criterion_group, criterion_main};
use plan_gate_benches::floors::{self, KEY, LockedTable};
use plan_gate_benches::library::{EXECUTE, Library, WRITE, allows};
use plan_gate_benches::measure::Turns;
use plan_gate_benches::questions::{
    CONFIG, EXACT_COMMAND, REPLY_LONGER, REPLY_SHORT, SIZES, paths, plan, scope_of_commands, scope_of_paths,
    write_arguments,
};
use std::hint::black_box;
use std::sync::Mutex;

fn floor(c: &mut Criterion) {
    let library = Library::load();
    let (table, locked, mutex) = (LockedTable::unlocked(), LockedTable::default(), Mutex::new(0));
    assert_eq!(floors::call_lock_hash(&locked, KEY), 517);
    c.bench_function("floor/empty call", |b| b.iter(|| floors::empty_call(&library)));
    c.bench_function("floor/lock", |b| b.iter(|| floors::lock(&mutex)));
    c.bench_function("floor/hash look-up", |b| b.iter(|| table.get(black_box(KEY))));
    c.bench_function("floor/call, lock and look-up", |b| {
        b.iter(|| floors::call_lock_hash(&locked, black_box(KEY)));
    });
    for size in [200, 1_000, 5_000] {
        let arguments = write_arguments(KEY, size);
        c.bench_function(&format!("floor/parse JSON/{size}"), |b| {
            b.iter(|| floors::parse(black_box(arguments.as_bytes())));
        });
    }
}

fn ffi(c: &mut Criterion) {
    let library = Library::load();
    let gate = library.gate(CONFIG);
    for n in SIZES {
        let session = gate.approved(&format!("paths {n}"), &plan(&scope_of_paths(n)));
        let inside = paths(n, true);
        assert!(inside.iter().all(|path| allows(session.check_effect("write", WRITE, path))));
        let mut turns = Turns::new(&inside);
        c.bench_function(&format!("ffi/path/{n}"), |b| {
            b.iter(|| session.check_effect("write", WRITE, black_box(turns.next())));
        });
    }
    let session = gate.approved("commands", &plan(&scope_of_commands(50)));
    assert!(allows(session.check_effect("bash", EXECUTE, EXACT_COMMAND)));
    c.bench_function("ffi/exact command", |b| {
        b.iter(|| session.check_effect("bash", EXECUTE, black_box(EXACT_COMMAND)));
    });
    let session = gate.approved("arguments", &plan(&scope_of_paths(50)));
    for size in [200, 1_000, 5_000] {
        let arguments = write_arguments(&paths(50, true)[0], size);
        assert!(allows(session.check("write", &arguments)));
        c.bench_function(&format!("ffi/JSON arguments/{size}"), |b| {
            b.iter(|| session.check("write", black_box(&arguments)));
        });
        let request = format!(r#"{{"op":"check","tool":"write","args":{arguments}}}"#);
        c.bench_function(&format!("ffi/JSON door/{size}"), |b| {
            b.iter(|| session.request(black_box(&request)));
        });
    }
    for (name, text) in [("6 B", REPLY_SHORT), ("33 B", REPLY_LONGER)] {
        c.bench_function(&format!("ffi/reply {name}"), |b| b.iter(|| session.reply(black_box(text))));
    }
}

criterion_group!(benches, floor, ffi);
criterion_main!(benches);
