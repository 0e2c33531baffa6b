//! The C interface of plan-gate: casts and guards, no logic. The rules for callers stand at the top of
//! `include/plan_gate.h` and nowhere else; these are the rules for people who edit this crate.
//!
//! - Every entry point is one guarded call into the facade. The guard catches a panic and gives the
//!   denying value of that signature, never a default.
//! - Out-pointers are written on every path, the denying or empty value first.
//! - Inputs are pointer and length, turned into slices in `slice` only.
//! - Integers come in as integers and are matched with deny or an error as the default: a Rust enum as a
//!   parameter would make an unknown value undefined behaviour.
//! - No callback, no global state, no thread-local, no panic hook.
//! - A number is written in `abi` for the header; a test compares it with core, which owns it.

#[cfg(not(panic = "unwind"))]
compile_error!("plan-gate-ffi needs panic = \"unwind\": the boundary turns a panic into a refusal");

/// Any thread may use any handle: the compiler proves it, or this does not build.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<plan_gate>();
    shared::<plan_gate_session>();
    shared::<plan_gate_plan_mode>();
};

mod abi;
mod buf;
mod gate;
mod guard;
mod mode;
mod session;
mod slice;

pub use abi::*;
pub use buf::{plan_gate_buf, plan_gate_buf_free};
pub use gate::{plan_gate, plan_gate_free, plan_gate_new, plan_gate_request};
pub use mode::{
    plan_gate_plan_mode, plan_gate_plan_mode_free, plan_gate_plan_mode_new, plan_gate_plan_mode_request,
};
pub use session::{
    plan_gate_session, plan_gate_session_allows, plan_gate_session_check, plan_gate_session_check_effect,
    plan_gate_session_close, plan_gate_session_free, plan_gate_session_open, plan_gate_session_open_child,
    plan_gate_session_reply, plan_gate_session_request,
};

#[cfg(feature = "fault-injection")]
pub use guard::plan_gate_test_arm;
