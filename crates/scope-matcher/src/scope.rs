//! An approved scope, compiled once.

use crate::command::CommandTable;
use crate::names::NameTable;
use crate::paths::PathTable;
use crate::urls::UrlTable;
use plan_gate_core::{CommandCase, Scope};
use std::sync::OnceLock;

/// A scope in the form that calls are matched against. It answers for the [`Matcher`](crate::Matcher)
/// that compiled it and no other.
///
/// Small, since a host may hold very many: a list without entries costs a pointer, and short lists of
/// names are looked up in the scope itself.
#[derive(Debug, Clone)]
pub struct CompiledScope {
    pub(crate) scope: Scope,
    pub(crate) tools: NameTable,
    pub(crate) files: Option<Box<PathTable>>,
    /// Made when the first command is asked about: it is the largest of the tables, and most scopes of a
    /// host with very many sessions sleep.
    commands: OnceLock<Box<CommandTable>>,
    pub(crate) urls: Option<Box<UrlTable>>,
    pub(crate) agents: NameTable,
}

impl CompiledScope {
    pub(crate) fn new(
        scope: Scope,
        tools: NameTable,
        files: Option<Box<PathTable>>,
        urls: Option<Box<UrlTable>>,
        agents: NameTable,
    ) -> Self {
        Self { scope, tools, files, commands: OnceLock::new(), urls, agents }
    }

    /// The command entries, which were found to be without fault before.
    pub(crate) fn commands(&self, case: CommandCase) -> &CommandTable {
        let compile = || CommandTable::compile(&self.scope.commands, case).unwrap_or_default();
        self.commands.get_or_init(|| Box::new(compile()))
    }

    /// The scope as the user saw it.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }
}
