//! A panic injected into every layer: the answer is a denial and an error, that family stays closed, and the
//! next session works. Needs the feature `fault-injection`.

#![cfg(feature = "fault-injection")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::undocumented_unsafe_blocks,
    reason = "a test fails by panicking, and its pointers are live or null"
)]

mod common;

use common::*;
use plan_gate_ffi::*;
use std::ptr;

fn arm(point: &str) {
    let name = input(point.as_bytes());
    unsafe { plan_gate_test_arm(name.0, name.1) };
}

/// What reaches which layer inside a session's lock: the call must come back with PANIC.
type Call = fn(&World) -> u32;
const INSIDE: &[(&str, &str, Call)] = &[
    ("classifier", "reply", |world| status(reply(world.session, 1, b"no"))),
    ("classifier", "reply by the door", |world| request(world.session, br#"{"op":"reply","text":"no"}"#).0),
    ("scope-matcher", "check", |world| status(check(world.session))),
    ("scope-matcher", "check by a sub-agent", |world| status(check(world.child))),
    ("scope-matcher", "check_effect", |world| unsafe {
        let (tool, path) = (input(b"write"), input(b"src/a"));
        status(plan_gate_session_check_effect(world.session, tool.0, tool.1, 2, path.0, path.1))
    }),
    ("scope-matcher", "check by the door", |world| {
        request(world.session, br#"{"op":"check","tool":"write","args":{"file_path":"src/b"}}"#).0
    }),
    ("state-machine", "check", |world| status(check(world.session))),
    ("state-machine", "reply", |world| status(reply(world.session, 1, b"ok"))),
    ("state-machine", "a tool's message", |world| status(reply(world.session, 3, b"done"))),
    ("state-machine", "propose", |world| request(world.session, PLAN).0),
    ("state-machine", "settle", |world| {
        let id = "0".repeat(32);
        request(world.session, format!(r#"{{"op":"settle","id":"{id}","approve":true}}"#).as_bytes()).0
    }),
];

/// One test: a point is armed for the whole process.
#[test]
fn a_panic_in_any_layer_closes_one_family_and_no_more() {
    for (point, name, call) in INSIDE {
        let world = World::new();
        let other = world.another("other");
        arm(point);
        assert_eq!(call(&world), PLAN_GATE_STATUS_PANIC, "{point}: {name}");
        // The family denies from now on, whatever is said in it.
        for session in [world.session, world.child] {
            assert_eq!(check(session), u64::from(PLAN_GATE_STATUS_POISONED) << 24, "{point}: {name}");
            assert!(!allows(session));
            assert_eq!(status(reply(session, 1, b"ok")), PLAN_GATE_STATUS_POISONED);
            for op in ["state", "render", "export"] {
                let (status, text) = request(session, format!(r#"{{"op":"{op}"}}"#).as_bytes());
                // A sub-agent has nothing of its own to export, whole or poisoned.
                let child = op == "export" && session == world.child;
                let wanted =
                    if child { PLAN_GATE_STATUS_CHILD_NOT_ALLOWED } else { PLAN_GATE_STATUS_POISONED };
                assert_eq!(status, wanted, "{op}");
                assert!(text.starts_with(r#"{"error":"#), "{text}");
            }
            assert!(!request(session, PLAN).1.contains(r#""ok":true"#));
        }
        // A sub-agent that comes later is no way around it.
        let late = open_child(world.gate, "late", "root");
        assert!(!allows(late));
        // Other families live, and new ones.
        assert!(allows(other));
        assert!(allows(world.another("next")));
        // Ended and opened again, the id begins anew, closed.
        unsafe { plan_gate_session_close(open(world.gate, "root")) };
        let again = open(world.gate, "root");
        assert!(!allows(again));
        approve(again);
        assert!(allows(again) && !allows(world.session) && !allows(world.child) && !allows(late));
        for session in [other, late, again] {
            unsafe { plan_gate_session_free(session) };
        }
    }
    at_the_boundary();
}

/// A panic before the body of a call: it never reached a session, so nothing is poisoned and nothing ran.
fn at_the_boundary() {
    let panicked = PLAN_GATE_STATUS_PANIC;
    let world = World::new();
    let (good, mut buf) = (input(b"{}"), empty());
    arm("ffi");
    assert_eq!(check(world.session), u64::from(panicked) << 24);
    arm("ffi");
    let (tool, args) = (input(b"write"), input(WRITE));
    assert!(!unsafe { plan_gate_session_allows(world.session, tool.0, tool.1, args.0, args.1) });
    arm("ffi");
    assert_eq!(reply(world.session, 1, b"ok"), u64::from(panicked) << 24);
    unsafe {
        for number in 0..2 {
            let mut session = ptr::dangling_mut();
            arm("ffi");
            let status = match number {
                0 => plan_gate_session_open(world.gate, good.0, good.1, &mut session),
                _ => plan_gate_session_open_child(world.gate, good.0, good.1, good.0, good.1, &mut session),
            };
            assert_eq!((status, session.is_null()), (panicked, true));
        }
        let (mut gate, mut mode) = (ptr::dangling_mut(), ptr::dangling_mut());
        arm("ffi");
        assert_eq!(plan_gate_new(good.0, good.1, &mut gate, &mut buf), panicked);
        arm("ffi");
        assert_eq!(plan_gate_plan_mode_new(good.0, good.1, &mut mode, &mut buf), panicked);
        assert!(gate.is_null() && mode.is_null());
        arm("ffi");
        assert_eq!(plan_gate_request(world.gate, good.0, good.1, &mut buf), panicked);
        arm("ffi");
        assert_eq!(plan_gate_plan_mode_request(world.mode, good.0, good.1, &mut buf), panicked);
    }
    assert!(take(&mut buf).is_empty());
    assert!(allows(world.session) && allows(world.child));
    arm("");
}
