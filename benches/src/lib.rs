//! What every bench, the report and the peers share: the questions, the floors, and the measuring.
//!
//! Nothing here is part of the product. A set-up that does not give the right answer stops the program
//! before anything is timed.

pub mod allocations;
pub mod floors;
pub mod hot;
pub mod library;
pub mod measure;
pub mod questions;
pub mod scan;

use plan_gate_core::Dialect;
use plan_gate_scope_matcher::shell;

/// Takes a bash line apart: the number of simple commands in it, or `None` when it is not understood.
pub fn split(line: &str) -> Option<usize> {
    let split = shell::split(line, Dialect::Bash);
    split.opaque.is_none().then_some(split.parts.len())
}
