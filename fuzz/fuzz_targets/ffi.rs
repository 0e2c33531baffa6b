//! Any sequence of calls of the C functions with any bytes: no crash, no leak, and nothing acts before a user's
//! yes was read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plan_gate_ffi::*;
use std::ffi::c_char;
use std::ptr;

const ARGS: [&[u8]; 4] = [
    br#"{"file_path":"src/a","content":"x"}"#,
    br#"{"file_path":"src/b","content":"x"}"#,
    br#"{"command":"ls"}"#,
    br#"{"file_path":"src/a","file_path":"src/b"}"#,
];
const TEXTS: [&[u8]; 6] = [b"ok", "同意".as_bytes(), b"no", b"yes, but add a log", b"why?", b"\xff"];
const REQUESTS: [&[u8]; 8] = [
    br#"{"op":"propose","plan":{"title":"A","plan":"B","tools":["write"],"files":["src/a"]}}"#,
    br#"{"op":"propose","plan":{"title":"A","plan":"B","tools":["bash"],"commands":["ls"]}}"#,
    br#"{"op":"state"}"#,
    br#"{"op":"render"}"#,
    br#"{"op":"export"}"#,
    br#"{"op":"close"}"#,
    br#"{"op":"check","tool":"write","args":{"file_path":"src/b"}}"#,
    br#"{"op":"reply","text":"ok"}"#,
];
const IDS: [&[u8]; 3] = [b"a", b"b", b"c"];

/// The bytes that are left; each choice takes one.
struct Source<'a>(&'a [u8]);

impl<'a> Source<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    /// One of `known`, or bytes of the fuzzer's own, or null with a length.
    fn input(&mut self, known: &'a [&'a [u8]]) -> Option<(*const c_char, usize)> {
        let bytes = match self.byte()? {
            255 => return Some((ptr::null(), usize::from(self.byte()?))),
            own @ 200..=254 => {
                let (taken, rest) = self.0.split_at(self.0.len().min(usize::from(own - 200)));
                self.0 = rest;
                taken
            }
            index => known[usize::from(index) % known.len()],
        };
        Some((bytes.as_ptr().cast(), bytes.len()))
    }
}

/// A failed answer holds nothing but its status.
fn packed(bits: u64) -> u64 {
    assert!(bits >> 24 == 0 || bits & 0xff_ffff == 0, "{bits:x}");
    bits
}

unsafe fn take(mut buf: plan_gate_buf) -> String {
    unsafe {
        let text = match buf.data.is_null() {
            true => String::new(),
            false => {
                let bytes = std::slice::from_raw_parts(buf.data.cast::<u8>(), buf.len);
                String::from_utf8(bytes.to_vec()).unwrap()
            }
        };
        plan_gate_buf_free(&mut buf);
        text
    }
}

const EMPTY: plan_gate_buf = plan_gate_buf { data: ptr::null_mut(), len: 0, cap: 0 };

unsafe fn play(source: &mut Source<'_>) -> Option<()> {
    let mut sessions: Vec<*mut plan_gate_session> = vec![ptr::null_mut()];
    let mut approved = false;
    unsafe {
        let (mut gate, config) = (ptr::null_mut(), br#"{"profile":"dsh"}"#);
        assert_eq!(plan_gate_new(config.as_ptr().cast(), config.len(), &mut gate, ptr::null_mut()), 0);
        let ended = (|| loop {
            let session = sessions[usize::from(source.byte()?) % sessions.len()];
            match source.byte()? % 10 {
                0 => {
                    let (id, mut out) = (source.input(&IDS)?, ptr::dangling_mut());
                    let status = plan_gate_session_open(gate, id.0, id.1, &mut out);
                    assert_eq!(out.is_null(), status != 0);
                    sessions.push(out);
                }
                1 => {
                    let (id, parent, mut out) = (source.input(&IDS)?, source.input(&IDS)?, ptr::dangling_mut());
                    let status = plan_gate_session_open_child(gate, id.0, id.1, parent.0, parent.1, &mut out);
                    assert_eq!(out.is_null(), status != 0);
                    sessions.push(out);
                }
                2 | 3 => {
                    let (tool, args) = (source.input(&[b"write", b"bash", b"edit"])?, source.input(&ARGS)?);
                    let bits = packed(plan_gate_session_check(session, tool.0, tool.1, args.0, args.1));
                    let acts = [&b"write"[..], b"bash", b"edit"].contains(&slice(tool));
                    assert!(!acts || approved || bits & 0xff != 1, "acted without a yes: {bits:x}");
                    let allowed = plan_gate_session_allows(session, tool.0, tool.1, args.0, args.1);
                    assert_eq!(allowed, bits & 0xff == 1, "asked twice, answered twice");
                }
                4 => {
                    let kind = u32::from(source.byte()?);
                    let (tool, value) = (source.input(&[b"write", b"bash"])?, source.input(&[b"src/a", b"ls", b"/"])?);
                    let bits =
                        packed(plan_gate_session_check_effect(session, tool.0, tool.1, kind, value.0, value.1));
                    assert!(kind <= 1 || approved || bits & 0xff != 1, "acted without a yes: {bits:x}");
                }
                5 | 6 => {
                    let (from, text) = (u32::from(source.byte()? % 9), source.input(&TEXTS)?);
                    let shown = source.input(&[b""])?;
                    let bits = packed(plan_gate_session_reply(session, from, text.0, text.1, shown.0, shown.1));
                    let settled = bits >> 8 & 0xff;
                    assert!(from == 1 || !matches!(settled, 1 | 2), "only the user approves");
                    approved |= matches!(settled, 1 | 2);
                }
                7 => {
                    let (request, mut buf) = (source.input(&REQUESTS)?, EMPTY);
                    let status = plan_gate_session_request(session, request.0, request.1, &mut buf);
                    let text = take(buf);
                    assert_eq!(text.starts_with(r#"{"error":{"#), status != 0);
                    approved |= text.contains("_approved\"");
                }
                8 => {
                    let (request, mut buf) = (source.input(&[br#"{"op":"classify","text":"ok"}"#])?, EMPTY);
                    let _ = plan_gate_request(gate, request.0, request.1, &mut buf);
                    take(buf);
                }
                _ => {
                    let (index, how) = (usize::from(source.byte()?) % sessions.len(), source.byte()?);
                    let gone = std::mem::replace(&mut sessions[index], ptr::null_mut());
                    match how % 2 {
                        0 => plan_gate_session_free(gone),
                        _ => plan_gate_session_close(gone),
                    }
                }
            }
        })();
        plan_gate_free(gate);
        for session in sessions {
            plan_gate_session_free(session);
        }
        ended
    }
}

/// The bytes of an input that is not null.
unsafe fn slice<'a>((data, len): (*const c_char, usize)) -> &'a [u8] {
    if data.is_null() { &[] } else { unsafe { std::slice::from_raw_parts(data.cast(), len) } }
}

fuzz_target!(|data: &[u8]| {
    unsafe { play(&mut Source(data)) };
});
