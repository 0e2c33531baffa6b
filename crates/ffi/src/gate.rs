//! The gate.

use crate::abi::plan_gate_status;
use crate::buf::plan_gate_buf;
use crate::guard::guard_request;
use crate::slice;
use ::plan_gate::{Error, ErrorKind, Gate};
use std::ffi::c_char;
use std::ptr;

/// A gate: a compiled configuration, immutable, and the sessions that live under it. May be shared
/// between threads. Sessions keep it alive, so gate and sessions may be freed in any order.
#[allow(non_camel_case_types, reason = "the name callers see in C")]
pub struct plan_gate {
    pub(crate) gate: Gate,
}

/// Compiles a configuration, a JSON object; (NULL, 0) means the defaults. On failure `*gate_out` is NULL
/// and `error_out`, if not NULL, holds `{"error":{"kind","status","message"}}` that names the key.
///
/// # Safety
///
/// `config_json` points to `config_json_len` bytes; `gate_out` and `error_out` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plan_gate_new(
    config_json: *const c_char,
    config_json_len: usize,
    gate_out: *mut *mut plan_gate,
    error_out: *mut plan_gate_buf,
) -> plan_gate_status {
    // SAFETY: the caller's promise.
    unsafe {
        if !gate_out.is_null() {
            gate_out.write(ptr::null_mut());
        }
        guard_request(error_out, || {
            if gate_out.is_null() {
                return Err(Error::new(ErrorKind::NullArgument, "gate_out is null"));
            }
            let gate = Gate::new(slice::bytes(config_json, config_json_len)?)?;
            gate_out.write(Box::into_raw(Box::new(plan_gate { gate })));
            Ok(String::new())
        })
    }
}

/// Frees the handle. NULL is ignored. Open sessions stay usable.
///
/// # Safety
///
/// `gate` is null, or came from plan_gate_new, was not freed, and no other call uses it now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plan_gate_free(gate: *mut plan_gate) {
    if !gate.is_null() {
        // SAFETY: the caller's promise.
        crate::guard::guard((), || drop(unsafe { Box::from_raw(gate) }));
    }
}

/// Answers one request that needs no session: one JSON object in, one out; `op` says what is asked
/// (classify, match, schema, profiles). On failure the answer is `{"error":…}`.
///
/// # Safety
///
/// `gate` is a live handle; `request_json` points to `request_json_len` bytes; `answer_out` may be
/// written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plan_gate_request(
    gate: *const plan_gate,
    request_json: *const c_char,
    request_json_len: usize,
    answer_out: *mut plan_gate_buf,
) -> plan_gate_status {
    // SAFETY: the caller's promise.
    unsafe {
        guard_request(answer_out, || {
            let gate = slice::handle(gate, "gate")?;
            gate.gate.request(slice::request(request_json, request_json_len)?)
        })
    }
}
