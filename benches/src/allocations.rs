//! Blocks that one call takes from the allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::questions::{
    CONFIG, EXACT_COMMAND, REPLY_LONGER, REPLY_SHORT, THREE_PART_COMMAND, paths, plan, scope_of_commands,
    scope_of_paths, write_arguments,
};
use plan_gate::{EffectKind, Gate, Message, ReplyKind, Scope, Session};

static BLOCKS: AtomicU64 = AtomicU64::new(0);

/// The system's allocator, counted. A program that wants [`table`] makes it its global allocator.
pub struct Counting;

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BLOCKS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        BLOCKS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(block, layout, size) }
    }
}

/// Blocks that one call of `body` allocates, once it is warm.
pub fn blocks(mut body: impl FnMut()) -> u64 {
    body();
    let before = BLOCKS.load(Ordering::Relaxed);
    body();
    BLOCKS.load(Ordering::Relaxed) - before
}

/// Name and blocks of every way of [`crate::hot::WAYS`], through the facade that the C interface calls.
///
/// # Panics
///
/// When an answer is not the expected one, or [`Counting`] is not the global allocator.
pub fn table() -> Vec<(&'static str, u64)> {
    assert_ne!(blocks(|| drop(std::hint::black_box(Box::new(1)))), 0, "nothing is counted");
    let gate = Gate::new(CONFIG.as_bytes()).expect("a usable configuration");
    let paths_session = approved(&gate, "paths", &scope_of_paths(50));
    let commands = approved(&gate, "commands", &scope_of_commands(50));
    let talk = gate.session("talk").expect("an id");
    let path = &paths(50, true)[0];
    let arguments = write_arguments(path, 1_000);
    let write = || assert!(paths_session.check_effect("write", EffectKind::Write, path).allows());
    let run = |line| assert!(commands.check_effect("bash", EffectKind::Execute, line).allows(), "{line}");
    let reply = |text| {
        let answer = talk.reply(Message::user(text)).expect("a live session");
        assert_eq!(answer.kind, ReplyKind::Approve, "{text}");
    };
    vec![
        ("path", blocks(write)),
        ("exact command", blocks(|| run(EXACT_COMMAND))),
        ("command of three parts", blocks(|| run(THREE_PART_COMMAND))),
        (
            "JSON arguments 1 KB",
            blocks(|| assert!(paths_session.check("write", arguments.as_bytes()).allows())),
        ),
        ("reply 6 B", blocks(|| reply(REPLY_SHORT))),
        ("reply 33 B", blocks(|| reply(REPLY_LONGER))),
    ]
}

fn approved(gate: &Gate, id: &str, scope: &Scope) -> Session {
    let session = gate.session(id).expect("an id");
    let answer = session.propose(plan(scope).as_bytes()).expect("a live session");
    session.settle(answer.id.expect("a plan without faults"), true).expect("the plan waits");
    session
}
