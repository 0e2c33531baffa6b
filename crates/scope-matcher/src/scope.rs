//! An approved scope, compiled once.

use crate::command::CommandTable;
use crate::names::NameTable;
use crate::paths::PathTable;
use crate::urls::UrlTable;
use plan_gate_core::Scope;

/// A scope in the form that calls are matched against. It answers for the [`Matcher`](crate::Matcher)
/// that compiled it and no other.
#[derive(Debug, Clone)]
pub struct CompiledScope {
    pub(crate) scope: Scope,
    pub(crate) tools: NameTable,
    pub(crate) files: PathTable,
    pub(crate) commands: CommandTable,
    pub(crate) urls: UrlTable,
    pub(crate) agents: NameTable,
}

impl CompiledScope {
    /// The scope as the user saw it.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }
}
