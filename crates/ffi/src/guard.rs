//! The one guard around every body.

use crate::abi::{PLAN_GATE_STATUS_OK, PLAN_GATE_STATUS_PANIC, plan_gate_status, status_of};
use crate::buf::plan_gate_buf;
use plan_gate::{Error, error_json, injection};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `body`; a panic gives `deny`.
///
/// What `body` borrows is either immutable or behind a session's lock, which a panic poisons: nothing
/// half-changed can be seen afterwards.
pub(crate) fn guard<T>(deny: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(|| {
        injection::point("ffi");
        body()
    }))
    .unwrap_or(deny)
}

/// The same for a body that may fail.
pub(crate) fn guard_status(body: impl FnOnce() -> Result<(), Error>) -> plan_gate_status {
    guard(PLAN_GATE_STATUS_PANIC, || match body() {
        Ok(()) => PLAN_GATE_STATUS_OK,
        Err(error) => status_of(error.kind()),
    })
}

/// The same for a JSON door: the answer, or an object that says what is wrong, goes to `answer`.
///
/// # Safety
///
/// `answer` is null or points to a `plan_gate_buf` that may be overwritten.
pub(crate) unsafe fn guard_request(
    answer: *mut plan_gate_buf,
    body: impl FnOnce() -> Result<String, Error>,
) -> plan_gate_status {
    // SAFETY: the caller's promise.
    unsafe { plan_gate_buf::clear(answer) };
    let (status, text) = guard((PLAN_GATE_STATUS_PANIC, String::new()), || match body() {
        Ok(text) => (PLAN_GATE_STATUS_OK, text),
        Err(error) => (status_of(error.kind()), error_json(&error)),
    });
    // SAFETY: the caller's promise.
    unsafe { plan_gate_buf::write(answer, text) };
    status
}

/// For tests only: the next time the point `name` is reached, it panics once. (NULL, 0) disarms.
///
/// # Safety
///
/// As for every input: `name` points to `name_len` readable bytes.
#[cfg(feature = "fault-injection")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plan_gate_test_arm(name: *const std::ffi::c_char, name_len: usize) {
    // SAFETY: the caller's promise.
    let name = unsafe { crate::slice::text(name, name_len) }.unwrap_or_default();
    injection::arm((!name.is_empty()).then_some(name));
}
