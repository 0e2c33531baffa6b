//! The arguments of a call, which may be anything at all.
//!
//! One pass over the bytes, nothing copied: the top level is walked field by field, and a field that
//! the tool's rule does not ask for is only checked (JSON, depth, duplicate keys), never built.

mod collect;
mod fields;
mod guess;
mod patch;
mod text_urls;

pub(crate) use collect::{Collected, collect};
pub(crate) use fields::{check, fields, items, string};

use plan_gate_core::Reason;

/// Why a call was refused at once: no yes could make sense of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The reason.
    pub reason: Reason,
    /// Which argument, and what is wrong with it.
    pub detail: String,
}

impl Refusal {
    pub(crate) fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into() }
    }

    pub(crate) fn is_mistyped(&self) -> bool {
        self.reason == Reason::ArgumentType
    }
}
