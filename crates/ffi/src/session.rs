//! Sessions.

use crate::abi::{plan_gate_decision, plan_gate_status};
use crate::buf::plan_gate_buf;
use crate::gate::plan_gate;
use crate::guard::{guard, guard_request, guard_status};
use crate::slice;
use ::plan_gate::{Decision, Digest, EffectKind, Error, ErrorKind, Message, Session, Source};
use std::ffi::c_char;
use std::ptr;

/// One conversation. Calls on one session and its sub-agents run one after another under their own
/// lock; different families do not wait for each other.
#[allow(non_camel_case_types, reason = "the name callers see in C")]
pub struct plan_gate_session {
    session: Session,
}

/// Writes a new handle, or null first and an error after.
///
/// # Safety
///
/// `out` is null or may be written to.
unsafe fn hand_out(
    out: *mut *mut plan_gate_session,
    open: impl FnOnce() -> Result<Session, Error>,
) -> plan_gate_status {
    if !out.is_null() {
        // SAFETY: not null, and the caller's promise.
        unsafe { out.write(ptr::null_mut()) };
    }
    guard_status(|| {
        if out.is_null() {
            return Err(Error::new(ErrorKind::NullArgument, "session_out is null"));
        }
        let session = Box::new(plan_gate_session { session: open()? });
        // SAFETY: not null, and the caller's promise.
        unsafe { out.write(Box::into_raw(session)) };
        Ok(())
    })
}

/// A handle on the session `id`, whatever its place; a new root session, closed, when there is none.
/// The id is any UTF-8 text of 1 to 1024 bytes.
///
/// # Safety
///
/// `gate` is a live handle; `id` points to `id_len` bytes; `session_out` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plan_gate_session_open(
    gate: *const plan_gate,
    id: *const c_char,
    id_len: usize,
    session_out: *mut *mut plan_gate_session,
) -> plan_gate_status {
    // SAFETY: the caller's promise.
    unsafe { hand_out(session_out, || slice::handle(gate, "gate")?.gate.session(slice::text(id, id_len)?)) }
}

/// A handle on the sub-agent `id` of the session `parent`. It lives under the root's approval, live,
/// never a copy. A parent nobody knows makes a session that may only read, for ever.
/// LINEAGE_CONFLICT and LINEAGE_CYCLE change nothing.
///
/// # Safety
///
/// `gate` is a live handle; `id` and `parent` point to as many bytes as said; `session_out` may be
/// written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plan_gate_session_open_child(
    gate: *const plan_gate,
    id: *const c_char,
    id_len: usize,
    parent: *const c_char,
    parent_len: usize,
    session_out: *mut *mut plan_gate_session,
) -> plan_gate_status {
    // SAFETY: the caller's promise.
    unsafe {
        hand_out(session_out, || {
            let gate = slice::handle(gate, "gate")?;
            gate.gate.child(slice::text(id, id_len)?, slice::text(parent, parent_len)?)
        })
    }
}

/// Frees the handle; the session lives on in its gate and can be opened again. NULL is ignored.
///
/// # Safety
///
/// `session` is null, or came from this library, was not freed, and no other call uses it now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plan_gate_session_free(session: *mut plan_gate_session) {
    if !session.is_null() {
        // SAFETY: the caller's promise.
        guard((), || drop(unsafe { Box::from_raw(session) }));
    }
}

/// Ends the session and frees the handle. The approval of a root is gone, for its sub-agents too. Other
/// handles on it stay valid and deny. NULL is ignored.
///
/// # Safety
///
/// As plan_gate_session_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plan_gate_session_close(session: *mut plan_gate_session) {
    if !session.is_null() {
        // SAFETY: the caller's promise.
        guard((), || unsafe { Box::from_raw(session) }.session.close());
    }
}

/// Hot path: may this tool call run now? `args_json` is the JSON of the arguments, byte for byte as the
/// host will use them. A call outside the approved plan is held: the same call again answers the same.
/// For the words, send the same call as op "check" to plan_gate_session_request.
///
/// # Safety
///
/// `session` is a live handle; `tool` and `args_json` point to as many bytes as said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plan_gate_session_check(
    session: *const plan_gate_session,
    tool: *const c_char,
    tool_len: usize,
    args_json: *const c_char,
    args_json_len: usize,
) -> plan_gate_decision {
    decide(|| {
        // SAFETY: the caller's promise.
        let (session, tool, args) = unsafe {
            (
                slice::handle(session, "session")?,
                slice::text(tool, tool_len)?,
                slice::bytes(args_json, args_json_len)?,
            )
        };
        Ok(session.session.check(tool, args))
    })
}

/// The same as one bool: true only for an allowed call, false for all else.
///
/// # Safety
///
/// As plan_gate_session_check.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plan_gate_session_allows(
    session: *const plan_gate_session,
    tool: *const c_char,
    tool_len: usize,
    args_json: *const c_char,
    args_json_len: usize,
) -> bool {
    // SAFETY: the caller's promise.
    let decision = unsafe { plan_gate_session_check(session, tool, tool_len, args_json, args_json_len) };
    decision & 0xff == 1
}

/// Hot path for a host that knows the one effect of its call: no JSON, no tool profile. `kind` is one
/// of PLAN_GATE_EFFECT_*, `value` the path, command line, URL or agent kind. The tool must still be in
/// the plan's tools.
///
/// # Safety
///
/// `session` is a live handle; `tool` and `value` point to as many bytes as said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plan_gate_session_check_effect(
    session: *const plan_gate_session,
    tool: *const c_char,
    tool_len: usize,
    kind: u32,
    value: *const c_char,
    value_len: usize,
) -> plan_gate_decision {
    decide(|| {
        // SAFETY: the caller's promise.
        let (session, tool, value) = unsafe {
            (slice::handle(session, "session")?, slice::text(tool, tool_len)?, slice::text(value, value_len)?)
        };
        let kind = EffectKind::from_number(kind)
            .ok_or_else(|| Error::new(ErrorKind::UnknownNumber, format!("unknown effect kind {kind}")))?;
        Ok(session.session.check_effect(tool, kind, value))
    })
}

/// Hot path: somebody wrote this. `source` is one of PLAN_GATE_SOURCE_*; only a user's message in a root
/// session is a reply. Answers bits 0-7 PLAN_GATE_REPLY_*, bits 8-15 PLAN_GATE_SETTLED_*, bits 24-39 a
/// status.
///
/// `shown_id`, 32 hex digits, is the id of the draft or held call that was on screen when the message
/// was sent; (NULL, 0) means the current one. A host that queues messages must pass it, or an old "ok"
/// could approve a plan nobody saw. A user's text that cannot be read (bad UTF-8, too long) withdraws
/// the approval, since it may have said stop.
///
/// # Safety
///
/// `session` is a live handle; `text` and `shown_id` point to as many bytes as said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plan_gate_session_reply(
    session: *const plan_gate_session,
    source: u32,
    text: *const c_char,
    text_len: usize,
    shown_id: *const c_char,
    shown_id_len: usize,
) -> u64 {
    let failed = |kind: ErrorKind| u64::from(kind as u16) << 24;
    guard(failed(ErrorKind::Panic), || {
        let answer = (|| {
            // SAFETY: the caller's promise.
            let session = unsafe { slice::handle(session, "session") }?;
            let source = Source::from_number(source)
                .ok_or_else(|| Error::new(ErrorKind::UnknownNumber, format!("unknown source {source}")))?;
            // SAFETY: the caller's promise.
            let (text, shown) = unsafe { (slice::bytes(text, text_len), shown(shown_id, shown_id_len)) };
            // 0xff stands in no UTF-8 text: unreadable, like the input it stands for.
            let message = Message {
                source,
                text: text.as_ref().copied().unwrap_or(b"\xff"),
                shown: shown.as_ref().copied().unwrap_or(Some(Digest([0; 16]))),
                attachments: false,
            };
            let answer = session.session.reply(message)?;
            text?;
            shown?;
            Ok::<u64, Error>(answer.bits())
        })();
        answer.unwrap_or_else(|error| failed(error.kind()))
    })
}

/// Everything a session can do, text included: one JSON object in, one out; `op` says what is asked
/// (check, explain, reply, propose, settle, state, render, export, import, close). On failure the answer is
/// `{"error":{"kind","status","message"}}`.
///
/// # Safety
///
/// `session` is a live handle; `request_json` points to `request_json_len` bytes; `answer_out` may be
/// written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plan_gate_session_request(
    session: *const plan_gate_session,
    request_json: *const c_char,
    request_json_len: usize,
    answer_out: *mut plan_gate_buf,
) -> plan_gate_status {
    // SAFETY: the caller's promise.
    unsafe {
        guard_request(answer_out, || {
            let session = slice::handle(session, "session")?;
            session.session.request(slice::request(request_json, request_json_len)?)
        })
    }
}

fn decide(body: impl FnOnce() -> Result<Decision, Error>) -> plan_gate_decision {
    guard(Decision::failed(ErrorKind::Panic).bits(), || {
        body().unwrap_or_else(|error| Decision::failed(error.kind())).bits()
    })
}

/// # Safety
///
/// As for every input.
unsafe fn shown(id: *const c_char, len: usize) -> Result<Option<Digest>, Error> {
    // SAFETY: the caller's promise.
    let text = unsafe { slice::text(id, len) }?;
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| Error::new(ErrorKind::InvalidRequest, "an id is 32 hex digits"))
}
