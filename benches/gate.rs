//! Layer gate: a whole check, a reply, a proposal, through the Rust facade.

use criterion::{Criterion, criterion_group, criterion_main};
use plan_gate::{EffectKind, Gate, Message, Scope, Session, Settlement};
use plan_gate_benches::measure::Turns;
use plan_gate_benches::questions::{
    CONFIG, EXACT_COMMAND, REPLY_SHORT, SIZES, THREE_PART_COMMAND, paths, plan, scope_of_commands,
    scope_of_paths, write_arguments,
};
use std::hint::black_box;

fn gate() -> Gate {
    Gate::new(CONFIG.as_bytes()).expect("a usable configuration")
}

fn approved(gate: &Gate, id: &str, scope: &Scope) -> Session {
    let session = gate.session(id).expect("an id");
    let shown = session.propose(plan(scope).as_bytes()).expect("a live session");
    let id = shown.id.unwrap_or_else(|| panic!("{}", shown.text));
    assert_eq!(session.settle(id, true).ok(), Some(Settlement::DraftApproved));
    session
}

fn checks(c: &mut Criterion) {
    let gate = gate();
    for n in SIZES {
        let session = approved(&gate, &format!("paths {n}"), &scope_of_paths(n));
        let inside = paths(n, true);
        let mut turns = Turns::new(&inside);
        assert!(inside.iter().all(|path| session.check_effect("write", EffectKind::Write, path).allows()));
        c.bench_function(&format!("gate/path inside/{n}"), |b| {
            b.iter(|| session.check_effect("write", EffectKind::Write, black_box(turns.next())));
        });
        let outside = paths(n, false);
        let mut turns = Turns::new(&outside);
        assert!(!outside.iter().any(|path| session.check_effect("write", EffectKind::Write, path).allows()));
        c.bench_function(&format!("gate/path outside/{n}"), |b| {
            b.iter(|| session.check_effect("write", EffectKind::Write, black_box(turns.next())));
        });
    }
    let session = approved(&gate, "commands", &scope_of_commands(50));
    for (name, line) in [("exact command", EXACT_COMMAND), ("command of three parts", THREE_PART_COMMAND)] {
        assert!(session.check_effect("bash", EffectKind::Execute, line).allows());
        c.bench_function(&format!("gate/{name}"), |b| {
            b.iter(|| session.check_effect("bash", EffectKind::Execute, black_box(line)));
        });
    }
    let session = approved(&gate, "arguments", &scope_of_paths(50));
    for size in [200, 1_000, 5_000] {
        let arguments = write_arguments(&paths(50, true)[0], size);
        assert!(session.check("write", arguments.as_bytes()).allows());
        c.bench_function(&format!("gate/JSON arguments/{size}"), |b| {
            b.iter(|| session.check("write", black_box(arguments.as_bytes())));
        });
    }
}

fn conversation(c: &mut Criterion) {
    let gate = gate();
    let session = gate.session("replies").expect("an id");
    c.bench_function("gate/reply with nothing to approve", |b| {
        b.iter(|| session.reply(black_box(Message::user(REPLY_SHORT))));
    });
    for n in SIZES {
        let plan = plan(&scope_of_paths(n));
        c.bench_function(&format!("gate/propose/{n}"), |b| {
            b.iter(|| session.propose(black_box(plan.as_bytes())));
        });
    }
    let session = approved(&gate, "held", &scope_of_paths(50));
    let outside = paths(50, false);
    let mut turns = Turns::new(&outside);
    c.bench_function("gate/hold and reject", |b| {
        b.iter(|| {
            let answer =
                session.answer("write", write_arguments(turns.next(), 100).as_bytes()).expect("live");
            session.settle(answer.id.expect("held"), false)
        });
    });
    c.bench_function("gate/new gate", |b| b.iter(gate_of_defaults));
}

fn gate_of_defaults() -> Option<Gate> {
    Gate::new(b"").ok()
}

criterion_group!(benches, checks, conversation);
criterion_main!(benches);
