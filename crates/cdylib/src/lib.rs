//! The artifact of plan-gate: what `include/plan_gate.h` declares, as a library.

pub use plan_gate_ffi::*;
