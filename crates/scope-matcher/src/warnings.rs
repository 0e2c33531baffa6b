//! Entries that are very broad, for the plan as the user sees it.

use crate::command::CommandTable;
use crate::matcher::Matcher;
use plan_gate_core::{Scope, ScopeList};
use serde::Serialize;

/// An entry that covers very much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// The list of the entry.
    pub list: ScopeList,
    /// Its place in the list.
    pub index: usize,
    /// What is broad about it: the key of a text.
    pub code: &'static str,
}

/// The keys of [`Warning::code`].
pub const WARNINGS: [&str; 9] = [
    "every_tool",
    "root_directory",
    "above_root",
    "working_directory",
    "everything",
    "interpreter",
    "inside_word",
    "runs_arguments",
    "every_domain",
];

impl Matcher {
    /// The very broad entries of a scope.
    pub fn warnings(&self, scope: &Scope) -> Vec<Warning> {
        ScopeList::ALL
            .into_iter()
            .flat_map(|list| {
                scope.list(list).iter().enumerate().map(move |(index, entry)| (list, index, entry))
            })
            .filter_map(|(list, index, entry)| {
                self.breadth(list, entry).map(|code| Warning { list, index, code })
            })
            .collect()
    }

    fn breadth(&self, list: ScopeList, entry: &str) -> Option<&'static str> {
        match list {
            ScopeList::Tools if entry == "*" => Some("every_tool"),
            ScopeList::Files => {
                let form = self.paths.form(entry).ok()?;
                self.paths.with_text(entry, &form, |text| self.paths.breadth(text))
            }
            ScopeList::Commands => CommandTable::broad(entry).map(|breadth| breadth.name()),
            ScopeList::Urls => {
                let host = entry.split_once("://").map_or(entry, |(_, rest)| rest);
                let parent = host.split(['/', ':']).next()?.strip_prefix("*.")?;
                (!parent.contains('.')).then_some("every_domain")
            }
            ScopeList::Tools | ScopeList::Agents => None,
        }
    }
}
