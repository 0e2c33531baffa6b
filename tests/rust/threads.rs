//! Many threads on one gate: families do not mix, one family's calls are one after another.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use plan_gate::{Gate, Message, Reason, Settlement};
use std::sync::Barrier;
use std::thread;

const WRITE: &str = r#"{"file_path":"src/a","content":""}"#;
const PLAN: &str = r#"{"title":"t","plan":"p","tools":["write"],"files":["src/a"]}"#;

fn gate() -> Gate {
    Gate::new(br#"{"profile":"dsh","pathStyle":"posix"}"#).unwrap()
}

#[test]
fn an_approval_never_leaks_into_another_session() {
    let gate = gate();
    thread::scope(|scope| {
        for worker in 0..8 {
            let gate = &gate;
            scope.spawn(move || {
                for round in 0..200 {
                    let session = gate.session(&format!("{worker}/{round}")).unwrap();
                    assert!(!session.check("write", WRITE.as_bytes()).allows());
                    session.propose(PLAN.as_bytes()).unwrap();
                    // Odd workers never approve.
                    if worker % 2 == 0 {
                        session.reply(Message::user("同意")).unwrap();
                    }
                    assert_eq!(session.check("write", WRITE.as_bytes()).allows(), worker % 2 == 0);
                    session.close();
                }
            });
        }
    });
    assert_eq!(gate.live_sessions(), 0);
}

#[test]
fn there_is_never_more_than_one_held_call() {
    let gate = gate();
    for round in 0..50 {
        let root = gate.session(&format!("root{round}")).unwrap();
        root.propose(PLAN.as_bytes()).unwrap();
        root.reply(Message::user("同意")).unwrap();
        let start = Barrier::new(4);
        let answers: Vec<Reason> = thread::scope(|scope| {
            let call = |worker: usize| {
                let child = gate.child(&format!("kid{round}/{worker}"), &format!("root{round}")).unwrap();
                let start = &start;
                scope.spawn(move || {
                    start.wait();
                    let args = format!(r#"{{"file_path":"etc/{worker}","content":""}}"#);
                    child.answer("write", args.as_bytes()).unwrap().reason
                })
            };
            let workers: Vec<_> = (0..4).map(call).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        let held = answers.iter().filter(|reason| **reason == Reason::Outside).count();
        let asked = answers.iter().filter(|reason| **reason == Reason::QuestionOpen).count();
        assert_eq!((held, asked), (1, 3), "{answers:?}");
        // One yes settles exactly that one.
        assert_eq!(root.reply(Message::user("ok")).unwrap().settlement, Settlement::HeldApproved);
        assert_eq!(root.state().unwrap().granted.len(), 1);
    }
}

#[test]
fn two_threads_cannot_make_a_cycle() {
    let gate = gate();
    for round in 0..300 {
        let (a, b) = (format!("a{round}"), format!("b{round}"));
        let start = Barrier::new(2);
        let made: Vec<bool> = thread::scope(|scope| {
            let spawn = |id: &str, parent: &str| {
                let (id, parent) = (id.to_owned(), parent.to_owned());
                let (gate, start) = (&gate, &start);
                scope.spawn(move || {
                    start.wait();
                    gate.child(&id, &parent).is_ok()
                })
            };
            let both = [spawn(&a, &b), spawn(&b, &a)];
            both.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert_eq!(made.iter().filter(|made| **made).count(), 1, "exactly one of two opposite links");
    }
}
