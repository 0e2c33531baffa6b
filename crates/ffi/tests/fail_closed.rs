//! Every entry point with every kind of bad input: the answer is a denial or an error, and the next call
//! works. Panics inside are the matter of `injected.rs`.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::undocumented_unsafe_blocks,
    reason = "a test fails by panicking, and its pointers are live or null"
)]

mod common;

use common::*;
use plan_gate_ffi::*;
use std::collections::BTreeSet;
use std::ptr;

/// What an input is read as.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    /// Text that must be UTF-8.
    Text,
    /// JSON with the example to damage.
    Json(&'static [u8]),
    /// Arguments of a call: bad ones are a denial, not an error.
    Arguments,
    /// A user's reply: bad ones withdraw the approval.
    Reply,
}

/// One input of one function, filled with `bad`; the others are good. `Err` is a status, `Ok(true)` would
/// let something run.
struct Entry {
    name: &'static str,
    kind: Kind,
    call: fn(&World, Input) -> Result<bool, u32>,
}

fn result(status: u32) -> Result<bool, u32> {
    if status == 0 { Ok(false) } else { Err(status) }
}

fn decided(bits: u64) -> Result<bool, u32> {
    match status(bits) {
        0 => Ok(bits & 0xff == 1),
        status => {
            assert_eq!(bits & 0xff_ffff, 0, "a failed answer holds nothing but its status");
            Err(status)
        }
    }
}

/// Answers of a door: text on every path but a panic, an error in it when the status says so.
fn door(status: u32, buf: &mut plan_gate_buf) -> Result<bool, u32> {
    let text = take(buf);
    assert_eq!(text.starts_with(r#"{"error":{"kind":""#), status != 0, "{status} {text}");
    result(status)
}

fn opened(status: u32, session: *mut plan_gate_session) -> Result<bool, u32> {
    assert_eq!(session.is_null(), status != 0);
    unsafe { plan_gate_session_free(session) };
    result(status)
}

const ENTRIES: &[Entry] = &[
    Entry {
        name: "plan_gate_new",
        kind: Kind::Json(CONFIG),
        call: |_, bad| unsafe {
            let (mut gate, mut buf) = (ptr::dangling_mut(), empty());
            let status = plan_gate_new(bad.0, bad.1, &mut gate, &mut buf);
            assert_eq!(gate.is_null(), status != 0);
            plan_gate_free(gate);
            assert_eq!(take(&mut buf).is_empty(), status == 0);
            result(status)
        },
    },
    Entry {
        name: "plan_gate_request",
        kind: Kind::Json(br#"{"op":"classify","text":"ok"}"#),
        call: |world, bad| unsafe {
            let mut buf = empty();
            door(plan_gate_request(world.gate, bad.0, bad.1, &mut buf), &mut buf)
        },
    },
    Entry {
        name: "plan_gate_session_open",
        kind: Kind::Text,
        call: |world, bad| unsafe {
            let mut session = ptr::dangling_mut();
            opened(plan_gate_session_open(world.gate, bad.0, bad.1, &mut session), session)
        },
    },
    Entry {
        name: "plan_gate_session_open_child",
        kind: Kind::Text,
        call: |world, bad| unsafe {
            let (mut session, root) = (ptr::dangling_mut(), input(b"root"));
            opened(
                plan_gate_session_open_child(world.gate, bad.0, bad.1, root.0, root.1, &mut session),
                session,
            )
        },
    },
    Entry {
        name: "plan_gate_session_open_child",
        kind: Kind::Text,
        call: |world, bad| unsafe {
            let (mut session, id) = (ptr::dangling_mut(), input(b"other"));
            opened(plan_gate_session_open_child(world.gate, id.0, id.1, bad.0, bad.1, &mut session), session)
        },
    },
    Entry {
        name: "plan_gate_session_check",
        kind: Kind::Text,
        call: |world, bad| unsafe {
            let args = input(WRITE);
            decided(plan_gate_session_check(world.session, bad.0, bad.1, args.0, args.1))
        },
    },
    Entry {
        name: "plan_gate_session_check",
        kind: Kind::Arguments,
        call: |world, bad| unsafe {
            let tool = input(b"write");
            decided(plan_gate_session_check(world.session, tool.0, tool.1, bad.0, bad.1))
        },
    },
    Entry {
        name: "plan_gate_session_allows",
        kind: Kind::Arguments,
        call: |world, bad| unsafe {
            let tool = input(b"write");
            Ok(plan_gate_session_allows(world.session, tool.0, tool.1, bad.0, bad.1)
                || plan_gate_session_allows(world.session, bad.0, bad.1, bad.0, bad.1))
        },
    },
    Entry {
        name: "plan_gate_session_check_effect",
        kind: Kind::Text,
        call: |world, bad| unsafe {
            let path = input(b"src/a");
            decided(plan_gate_session_check_effect(world.session, bad.0, bad.1, 2, path.0, path.1))
        },
    },
    Entry {
        name: "plan_gate_session_check_effect",
        kind: Kind::Text,
        call: |world, bad| unsafe {
            let tool = input(b"write");
            decided(plan_gate_session_check_effect(world.session, tool.0, tool.1, 2, bad.0, bad.1))
        },
    },
    Entry {
        name: "plan_gate_session_reply",
        kind: Kind::Reply,
        call: |world, bad| unsafe {
            result(status(plan_gate_session_reply(world.session, 1, bad.0, bad.1, ptr::null(), 0)))
        },
    },
    Entry {
        name: "plan_gate_session_reply",
        kind: Kind::Text,
        call: |world, bad| unsafe {
            let ok = input(b"ok");
            result(status(plan_gate_session_reply(world.session, 1, ok.0, ok.1, bad.0, bad.1)))
        },
    },
    Entry {
        name: "plan_gate_session_request",
        kind: Kind::Json(br#"{"op":"check","tool":"write","args":{"file_path":"src/a"}}"#),
        call: |world, bad| unsafe {
            let mut buf = empty();
            door(plan_gate_session_request(world.session, bad.0, bad.1, &mut buf), &mut buf)
        },
    },
    Entry {
        name: "plan_gate_plan_mode_new",
        kind: Kind::Json(br#"{"section":"Read.\n"}"#),
        call: |_, bad| unsafe {
            let (mut mode, mut buf) = (ptr::dangling_mut(), empty());
            let status = plan_gate_plan_mode_new(bad.0, bad.1, &mut mode, &mut buf);
            assert_eq!(mode.is_null(), status != 0);
            plan_gate_plan_mode_free(mode);
            assert_eq!(take(&mut buf).is_empty(), status == 0);
            result(status)
        },
    },
    Entry {
        name: "plan_gate_plan_mode_request",
        kind: Kind::Json(br#"{"op":"get"}"#),
        call: |world, bad| unsafe {
            let mut buf = empty();
            door(plan_gate_plan_mode_request(world.mode, bad.0, bad.1, &mut buf), &mut buf)
        },
    },
];

/// Functions that take no input of a host's user: versions and frees.
const WITHOUT_INPUT: &[&str] = &[
    "plan_gate_abi_version",
    "plan_gate_version",
    "plan_gate_status_text",
    "plan_gate_buf_free",
    "plan_gate_free",
    "plan_gate_session_free",
    "plan_gate_session_close",
    "plan_gate_plan_mode_free",
];

/// Runs the entry in a world of its own; afterwards that world still answers, and allows what it did unless
/// the input was the user's.
fn run(entry: &Entry, bad: Input) -> Result<bool, u32> {
    let world = World::new();
    let result = (entry.call)(&world, bad);
    assert_ne!(result, Ok(true), "{} lets something run", entry.name);
    let withdrawn = entry.kind == Kind::Reply;
    assert_eq!(allows(world.session), !withdrawn, "{} {:?}", entry.name, entry.kind);
    assert_eq!(allows(world.child), !withdrawn);
    assert!(allows(world.another("next")));
    result
}

#[test]
fn every_function_is_in_the_table() {
    let exported: BTreeSet<&str> = include_str!("../../../include/plan_gate.sym").lines().collect();
    let tested = ENTRIES.iter().map(|entry| entry.name).chain(WITHOUT_INPUT.iter().copied());
    assert_eq!(exported, tested.collect());
}

#[test]
fn a_null_pointer_with_a_length_is_an_error() {
    for entry in ENTRIES.iter().filter(|entry| entry.name != "plan_gate_session_allows") {
        assert_eq!(run(entry, (ptr::null(), 1)), Err(PLAN_GATE_STATUS_NULL_ARGUMENT), "{}", entry.name);
    }
}

#[test]
fn more_than_the_limit_is_an_error_and_is_not_read() {
    for entry in ENTRIES.iter().filter(|entry| entry.name != "plan_gate_session_allows") {
        // A request is an input with its envelope, in which every byte may be an escape.
        let envelope = matches!(entry.name, "plan_gate_request" | "plan_gate_session_request");
        let limit = if envelope { 8 * PLAN_GATE_MAX_INPUT } else { PLAN_GATE_MAX_INPUT };
        for len in [limit + 1, usize::MAX, isize::MAX as usize] {
            // One byte long: reading any more would be out of bounds.
            let bad = (b"x".as_ptr().cast(), len);
            assert_eq!(run(entry, bad), Err(PLAN_GATE_STATUS_TOO_LARGE), "{} {len}", entry.name);
        }
    }
}

#[test]
fn bytes_that_are_not_utf8_are_refused() {
    for entry in ENTRIES {
        for bytes in [&b"\xff"[..], b"\xc3", b"a\xed\xa0\x80", b"{\"op\":\"\xfe\"}"] {
            match (entry.kind, run(entry, input(bytes))) {
                (Kind::Text, found) => {
                    assert_eq!(found, Err(PLAN_GATE_STATUS_INVALID_UTF8), "{}", entry.name)
                }
                (Kind::Json(_), found) => assert!(found.is_err(), "{} {found:?}", entry.name),
                // Denied, and read as a reply that cannot be read.
                (Kind::Arguments | Kind::Reply, found) => assert_eq!(found, Ok(false)),
            }
        }
    }
}

#[test]
fn truncated_json_is_an_error_at_every_byte() {
    let world = World::new();
    for entry in ENTRIES {
        let Kind::Json(good) = entry.kind else { continue };
        assert!((entry.call)(&world, input(good)).is_ok(), "{}: the example is good", entry.name);
        // Nothing at all is a gate's default configuration.
        let first = usize::from(entry.name == "plan_gate_new");
        for len in first..good.len() {
            let found = (entry.call)(&world, input(&good[..len]));
            assert!(found.is_err(), "{} {:?}", entry.name, String::from_utf8_lossy(&good[..len]));
        }
        assert!((entry.call)(&world, input(&[good, b"}"].concat())).is_err(), "{}", entry.name);
        assert!((entry.call)(&world, input(&[good, b"\0"].concat())).is_err(), "{}", entry.name);
    }
}

#[test]
fn a_key_that_stands_twice_is_an_error() {
    let world = World::new();
    for entry in ENTRIES {
        let Kind::Json(good) = entry.kind else { continue };
        // The first field once more.
        let text = std::str::from_utf8(good).unwrap();
        let first = &text[1..text.find([',', '}']).unwrap()];
        let twice = format!("{{{first},{}", &text[1..]);
        assert!((entry.call)(&world, input(twice.as_bytes())).is_err(), "{} {twice}", entry.name);
        let unknown = format!("{{\"surely unknown\":1,{}", &text[1..]);
        assert!((entry.call)(&world, input(unknown.as_bytes())).is_err(), "{} {unknown}", entry.name);
    }
    let arguments = br#"{"file_path":"src/a","file_path":"/etc/passwd","content":"x"}"#;
    for entry in ENTRIES.iter().filter(|entry| entry.kind == Kind::Arguments) {
        assert_eq!((entry.call)(&world, input(arguments)), Ok(false));
    }
}

#[test]
fn nesting_without_end_is_refused() {
    let deep = "[".repeat(1 << 20);
    for entry in ENTRIES.iter().filter(|entry| matches!(entry.kind, Kind::Json(_) | Kind::Arguments)) {
        let refused = run(entry, input(deep.as_bytes()));
        assert_eq!(refused.is_err(), entry.kind != Kind::Arguments, "{} {refused:?}", entry.name);
    }
}

#[test]
fn null_handles_and_outs_are_errors() {
    let null = PLAN_GATE_STATUS_NULL_ARGUMENT;
    let (good, mut buf) = (input(b"{}"), empty());
    let world = World::new();
    unsafe {
        assert_eq!(plan_gate_new(ptr::null(), 0, ptr::null_mut(), ptr::null_mut()), null);
        assert_eq!(plan_gate_request(ptr::null(), good.0, good.1, &mut buf), null);
        assert!(take(&mut buf).contains("gate is null"));
        let mut session = ptr::dangling_mut();
        assert_eq!(plan_gate_session_open(ptr::null(), good.0, good.1, &mut session), null);
        assert!(session.is_null());
        assert_eq!(plan_gate_session_open(world.gate, good.0, good.1, ptr::null_mut()), null);
        session = ptr::dangling_mut();
        let child = plan_gate_session_open_child(ptr::null(), good.0, good.1, good.0, good.1, &mut session);
        assert_eq!((child, session.is_null()), (null, true));
        let child = plan_gate_session_open_child(world.gate, good.0, good.1, good.0, good.1, ptr::null_mut());
        assert_eq!(child, null);
        assert_eq!(plan_gate_session_request(ptr::null(), good.0, good.1, ptr::null_mut()), null);
        assert_eq!(plan_gate_plan_mode_request(ptr::null(), good.0, good.1, ptr::null_mut()), null);
        assert_eq!(plan_gate_plan_mode_new(good.0, good.1, ptr::null_mut(), ptr::null_mut()), null);
    }
    assert_eq!(status(check(ptr::null())), null);
    assert_eq!(status(reply(ptr::null(), 1, b"ok")), null);
    assert!(!allows(ptr::null()));
    unsafe {
        plan_gate_free(ptr::null_mut());
        plan_gate_session_free(ptr::null_mut());
        plan_gate_session_close(ptr::null_mut());
        plan_gate_plan_mode_free(ptr::null_mut());
        plan_gate_buf_free(ptr::null_mut());
    }
}

#[test]
fn numbers_that_stand_for_nothing_are_errors_and_change_nothing() {
    let world = World::new();
    let (tool, path) = (input(b"write"), input(b"src/a"));
    for number in [0, 7, 8, 255, 256, 257, 65537, u32::MAX] {
        let bits =
            unsafe { plan_gate_session_check_effect(world.session, tool.0, tool.1, number, path.0, path.1) };
        assert_eq!(bits, u64::from(PLAN_GATE_STATUS_UNKNOWN_NUMBER) << 24, "{number}");
        assert_eq!(status(reply(world.session, number, b"stop")), PLAN_GATE_STATUS_UNKNOWN_NUMBER);
        let text = unsafe { std::ffi::CStr::from_ptr(plan_gate_status_text(number)) };
        assert!(!text.is_empty());
    }
    assert!(allows(world.session));
}

#[test]
fn the_door_ends_a_session_and_its_children() {
    let world = World::new();
    assert_eq!(request(world.child, br#"{"op":"close"}"#), (0, "{}".to_owned()));
    assert!(allows(world.session), "a sub-agent ends alone");
    assert_eq!(request(world.session, br#"{"op":"close","now":true}"#).0, PLAN_GATE_STATUS_INVALID_REQUEST);
    assert!(allows(world.session));
    assert_eq!(request(world.session, br#"{"op":"close"}"#), (0, "{}".to_owned()));
    assert!(!allows(world.session) && !allows(world.child));
    assert_eq!(request(world.session, br#"{"op":"close"}"#).0, 0);
    assert!(!allows(open(world.gate, "root")), "the id begins anew");
}
