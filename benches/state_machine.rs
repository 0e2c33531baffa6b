//! Layer state-machine: one transition, and a session replayed.

use criterion::{Criterion, criterion_group, criterion_main};
use plan_gate_core::{Digest, Reason};
use plan_gate_state_machine::{Call, Event, Held, Origin, Payload, Policy, Reading, State, replay, step};
use std::hint::black_box;
use std::sync::Arc;

#[derive(Debug, Clone, PartialEq)]
enum Plain {}

impl Payload for Plain {
    type Plan = Arc<[u8; 16]>;
    type Grant = u32;
    type Note = Box<str>;

    fn id(plan: &Self::Plan) -> Digest {
        Digest(**plan)
    }
}

fn approved() -> State<Plain> {
    let yes = Event::Reply { reading: Reading::Approve, shown: None, language: None };
    replay(Policy::default(), [(Origin::Root, Event::Propose(Arc::new([1; 16]))), (Origin::Root, yes)]).0
}

fn state_machine(c: &mut Criterion) {
    let policy = Policy::default();
    let mut state = approved();
    assert!(state.approved().is_some());
    let mut turn = |event: fn() -> Event<Plain>| {
        let (next, outcome) = step(std::mem::take(&mut state), Origin::Root, policy, black_box(event()));
        state = next;
        outcome
    };
    c.bench_function("state_machine/step covered call", |b| {
        b.iter(|| turn(|| Event::Call(Call::Acting { outside: None })));
    });
    c.bench_function("state_machine/step free call", |b| {
        b.iter(|| turn(|| Event::Call(Call::Free(Reason::ReadOnly))));
    });
    let plan = Arc::new([2; 16]);
    c.bench_function("state_machine/replay 1,000 events", |b| {
        b.iter(|| {
            let events = (0..250_u32).flat_map(|n| {
                let yes = || Event::Reply { reading: Reading::Approve, shown: None, language: None };
                let held = Held { id: Digest([7; 16]), grant: n };
                [
                    Event::Propose(Arc::clone(&plan)),
                    yes(),
                    Event::Call(Call::Acting { outside: Some(held) }),
                    yes(),
                ]
            });
            replay::<Plain>(policy, events.map(|event| (Origin::Root, event)))
        });
    });
}

criterion_group!(benches, state_machine);
criterion_main!(benches);
