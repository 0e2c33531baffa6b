//! What a yes to one held call grants: exactly its pairs of tool and effect.

use plan_gate_core::Effect;
use serde::{Deserialize, Serialize};

/// The pairs (tool, effect) of one held call, effects in normal form.
///
/// A granted value is no entry: a command that ends in `*` is no prefix, a path no directory, a tool's
/// name no family.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grant {
    /// The tool.
    pub tool: String,
    /// Its effects, in normal form.
    pub effects: Vec<Effect<'static>>,
    /// For a call with arguments that no plan covers: the SHA-256 of its canonical arguments. Such a yes
    /// is good for exactly that call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<String>,
}
