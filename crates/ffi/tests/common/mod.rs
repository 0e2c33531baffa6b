//! The C functions with Rust slices for inputs, and a family in which one file may be written.

#![allow(dead_code, reason = "each test uses its part")]
#![allow(clippy::undocumented_unsafe_blocks, reason = "every pointer here is a live slice, a handle or null")]

use plan_gate_ffi::*;
use std::ffi::c_char;
use std::ptr;

pub const CONFIG: &[u8] = br#"{"profile":"dsh","locale":"en"}"#;
pub const WRITE: &[u8] = br#"{"file_path":"src/a","content":"x"}"#;
pub const PLAN: &[u8] =
    br#"{"op":"propose","plan":{"title":"A","plan":"B","tools":["write"],"files":["src/a"]}}"#;

/// Pointer and length of an input.
pub type Input = (*const c_char, usize);

pub fn input(bytes: &[u8]) -> Input {
    (bytes.as_ptr().cast(), bytes.len())
}

/// The status in a packed answer.
pub fn status(bits: u64) -> u32 {
    (bits >> 24) as u32
}

/// Two families: one approved, one that never was, and a plan mode.
pub struct World {
    pub gate: *mut plan_gate,
    pub session: *mut plan_gate_session,
    pub child: *mut plan_gate_session,
    pub mode: *mut plan_gate_plan_mode,
}

impl World {
    pub fn new() -> Self {
        let (mut gate, mut mode) = (ptr::null_mut(), ptr::null_mut());
        let (config, section) = (input(CONFIG), input(br#"{"section":"Read.\n"}"#));
        unsafe {
            assert_eq!(plan_gate_new(config.0, config.1, &mut gate, ptr::null_mut()), 0);
            assert_eq!(plan_gate_plan_mode_new(section.0, section.1, &mut mode, ptr::null_mut()), 0);
        }
        let session = open(gate, "root");
        approve(session);
        let child = open_child(gate, "child", "root");
        Self { gate, session, child, mode }
    }

    /// Another approved session of the same gate.
    pub fn another(&self, id: &str) -> *mut plan_gate_session {
        let session = open(self.gate, id);
        approve(session);
        session
    }
}

impl Drop for World {
    fn drop(&mut self) {
        unsafe {
            plan_gate_plan_mode_free(self.mode);
            plan_gate_free(self.gate);
            plan_gate_session_free(self.child);
            plan_gate_session_free(self.session);
        }
    }
}

pub fn open(gate: *const plan_gate, id: &str) -> *mut plan_gate_session {
    let (mut session, id) = (ptr::null_mut(), input(id.as_bytes()));
    assert_eq!(unsafe { plan_gate_session_open(gate, id.0, id.1, &mut session) }, 0);
    session
}

pub fn open_child(gate: *const plan_gate, id: &str, parent: &str) -> *mut plan_gate_session {
    let (mut session, id, parent) = (ptr::null_mut(), input(id.as_bytes()), input(parent.as_bytes()));
    let status = unsafe { plan_gate_session_open_child(gate, id.0, id.1, parent.0, parent.1, &mut session) };
    assert_eq!(status, 0);
    session
}

pub fn request(session: *const plan_gate_session, request: &[u8]) -> (u32, String) {
    let (mut buf, request) = (empty(), input(request));
    let status = unsafe { plan_gate_session_request(session, request.0, request.1, &mut buf) };
    (status, take(&mut buf))
}

pub fn approve(session: *const plan_gate_session) {
    assert_eq!(request(session, PLAN).0, 0);
    assert_eq!(reply(session, 1, b"ok"), 1 | 1 << 8);
}

pub fn reply(session: *const plan_gate_session, source: u32, text: &[u8]) -> u64 {
    let text = input(text);
    unsafe { plan_gate_session_reply(session, source, text.0, text.1, ptr::null(), 0) }
}

pub fn check(session: *const plan_gate_session) -> u64 {
    let (tool, args) = (input(b"write"), input(WRITE));
    unsafe { plan_gate_session_check(session, tool.0, tool.1, args.0, args.1) }
}

pub fn allows(session: *const plan_gate_session) -> bool {
    let (tool, args) = (input(b"write"), input(WRITE));
    let allowed = unsafe { plan_gate_session_allows(session, tool.0, tool.1, args.0, args.1) };
    let (effect, path) = (PLAN_GATE_EFFECT_WRITE, input(b"src/a"));
    let bits = unsafe { plan_gate_session_check_effect(session, tool.0, tool.1, effect, path.0, path.1) };
    assert_eq!(allowed, bits & 0xff == 1, "{bits:x}");
    allowed
}

pub fn empty() -> plan_gate_buf {
    plan_gate_buf { data: ptr::null_mut(), len: 0, cap: 0 }
}

pub fn take(buf: &mut plan_gate_buf) -> String {
    let text = match buf.data.is_null() {
        true => String::new(),
        false => {
            let bytes = unsafe { std::slice::from_raw_parts(buf.data.cast::<u8>(), buf.len + 1) };
            assert_eq!(bytes.last(), Some(&0));
            String::from_utf8(bytes[..buf.len].to_vec()).unwrap()
        }
    };
    unsafe { plan_gate_buf_free(buf) };
    assert!(buf.data.is_null() && buf.len == 0 && buf.cap == 0);
    text
}
