//! Plan mode, the soft half.

use crate::abi::plan_gate_status;
use crate::buf::plan_gate_buf;
use crate::guard::{guard, guard_request};
use crate::slice;
use plan_gate::plan_mode::PlanMode;
use plan_gate::{Error, ErrorKind};
use std::ffi::c_char;
use std::ptr;
use std::sync::Mutex;

/// Plan mode of one agent: guidance and a reviewed exit. It never blocks a call, and knows nothing of
/// any gate.
#[allow(non_camel_case_types, reason = "the name callers see in C")]
pub struct plan_gate_plan_mode {
    mode: Mutex<PlanMode>,
}

/// Makes the plan mode of one agent from a configuration, a JSON object with the key `section`. On
/// failure `*plan_mode_out` is NULL and `error_out`, if not NULL, holds `{"error":…}`.
///
/// # Safety
///
/// `config_json` points to `config_json_len` bytes; `plan_mode_out` and `error_out` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plan_gate_plan_mode_new(
    config_json: *const c_char,
    config_json_len: usize,
    plan_mode_out: *mut *mut plan_gate_plan_mode,
    error_out: *mut plan_gate_buf,
) -> plan_gate_status {
    // SAFETY: the caller's promise.
    unsafe {
        if !plan_mode_out.is_null() {
            plan_mode_out.write(ptr::null_mut());
        }
        guard_request(error_out, || {
            if plan_mode_out.is_null() {
                return Err(Error::new(ErrorKind::NullArgument, "plan_mode_out is null"));
            }
            let mode = PlanMode::new(slice::bytes(config_json, config_json_len)?)?;
            plan_mode_out.write(Box::into_raw(Box::new(plan_gate_plan_mode { mode: Mutex::new(mode) })));
            Ok(String::new())
        })
    }
}

/// Frees the handle. NULL is ignored.
///
/// # Safety
///
/// `plan_mode` is null, or came from plan_gate_plan_mode_new, was not freed, and no other call uses it
/// now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plan_gate_plan_mode_free(plan_mode: *mut plan_gate_plan_mode) {
    if !plan_mode.is_null() {
        // SAFETY: the caller's promise.
        guard((), || drop(unsafe { Box::from_raw(plan_mode) }));
    }
}

/// Reports what happened to the agent, or asks: one JSON object in, one out; `op` says what. On failure
/// the answer is `{"error":…}`.
///
/// # Safety
///
/// `plan_mode` is a live handle; `request_json` points to `request_json_len` bytes; `answer_out` may be
/// written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plan_gate_plan_mode_request(
    plan_mode: *const plan_gate_plan_mode,
    request_json: *const c_char,
    request_json_len: usize,
    answer_out: *mut plan_gate_buf,
) -> plan_gate_status {
    // SAFETY: the caller's promise.
    unsafe {
        guard_request(answer_out, || {
            let handle = slice::handle(plan_mode, "plan_mode")?;
            let request = slice::bytes(request_json, request_json_len)?;
            let poisoned = |_| Error::new(ErrorKind::Poisoned, ErrorKind::Poisoned.text());
            handle.mode.lock().map_err(poisoned)?.request(request)
        })
    }
}
