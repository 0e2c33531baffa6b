//! From a scope to tables, with every fault named at once.

use crate::command::CommandTable;
use crate::matcher::Matcher;
use crate::names::NameTable;
use crate::paths::PathTable;
use crate::scope::CompiledScope;
use crate::urls::{EntryFault, UrlTable};
use plan_gate_core::{Fault, FaultCode, Scope, ScopeList, hidden_character, limits};

impl Matcher {
    /// Compiles the scope of a plan.
    ///
    /// # Errors
    ///
    /// Every fault of every entry, so that the model can mend them in one go.
    pub fn compile(&self, scope: &Scope) -> Result<CompiledScope, Vec<Fault>> {
        let mut faults = Vec::new();
        if scope.len() > limits::MAX_ENTRIES {
            let limit = limits::MAX_ENTRIES.to_string();
            return Err(vec![Fault::new("scope", FaultCode::TooManyEntries, limit)]);
        }
        for list in ScopeList::ALL {
            for (index, entry) in scope.list(list).iter().enumerate() {
                if let Some((code, detail)) = self.fault(list, entry) {
                    faults.push(Fault::entry(list, index, code, detail));
                }
            }
        }
        let urls = UrlTable::new(&scope.urls).unwrap_or_else(|bad| {
            for (index, fault) in bad {
                let (code, entry) = (url_code(fault), scope.urls.get(index).map_or("", String::as_str));
                push_once(&mut faults, Fault::entry(ScopeList::Urls, index, code, entry));
            }
            UrlTable::default()
        });
        if let Err(bad) = CommandTable::compile(&scope.commands, self.case) {
            for (index, code, detail) in bad {
                push_once(&mut faults, Fault::entry(ScopeList::Commands, index, code, detail));
            }
        }
        if !faults.is_empty() {
            faults.sort_by_key(|fault| list_order(&fault.place));
            return Err(faults);
        }
        Ok(CompiledScope::new(
            scope.clone(),
            NameTable::new(&scope.tools),
            (!scope.files.is_empty()).then(|| Box::new(self.files(&scope.files))),
            (!scope.urls.is_empty()).then(|| Box::new(urls)),
            NameTable::new(&scope.agents),
        ))
    }

    /// What is wrong with an entry, apart from what its table finds.
    fn fault(&self, list: ScopeList, entry: &str) -> Option<(FaultCode, String)> {
        if entry.trim().is_empty() {
            return Some((FaultCode::Blank, String::new()));
        }
        if entry.len() > limits::MAX_ENTRY_BYTES {
            return Some((FaultCode::TooLong, limits::MAX_ENTRY_BYTES.to_string()));
        }
        if let Some(hidden) = hidden_character(entry, false) {
            return Some((FaultCode::HiddenCharacters, format!("U+{:04X}", u32::from(hidden))));
        }
        match list {
            ScopeList::Files => self.file_fault(entry).map(|code| (code, entry.to_owned())),
            ScopeList::Tools => self.tool_fault(entry).map(|why| (FaultCode::NeverGrantable, why)),
            ScopeList::Agents if entry == "*" => Some((FaultCode::BareStar, entry.to_owned())),
            ScopeList::Agents | ScopeList::Commands | ScopeList::Urls => None,
        }
    }

    fn file_fault(&self, entry: &str) -> Option<FaultCode> {
        if entry.contains(['*', '?']) {
            return Some(FaultCode::FileGlob);
        }
        let Ok(form) = self.paths.form(entry) else { return Some(FaultCode::PathNeverMatches) };
        self.paths.with_text(entry, &form, |text| {
            if self.protected.covers(text) {
                Some(FaultCode::ProtectedFile)
            } else if self.leaves_root(entry, text) {
                Some(FaultCode::PathNeverMatches)
            } else {
                None
            }
        })
    }

    /// A relative entry never reaches outside the root.
    fn leaves_root(&self, entry: &str, text: &str) -> bool {
        self.paths.is_absolute(text) && !self.paths.is_absolute(entry)
    }

    /// Why no plan can grant this tool; for a family, when all that it names in the profile is such.
    fn tool_fault(&self, entry: &str) -> Option<String> {
        let Some(prefix) = entry.strip_suffix('*') else {
            return self.profile().never(entry).map(str::to_owned);
        };
        if prefix.is_empty() {
            return None;
        }
        self.profile().never_family(prefix).map(str::to_owned)
    }

    fn files(&self, entries: &[String]) -> PathTable {
        let reader = self.reader();
        let texts = entries.iter().zip(0_u32..).filter_map(|(entry, place)| {
            let lexical = self.paths.form(entry).ok()?;
            let Some(disk) = &self.disk else {
                return Some((self.paths.text(entry, &lexical).into_owned(), place));
            };
            // A listed path that leads through a link out of the root covers nothing.
            let inside = self.paths.with_text(entry, &lexical, |text| !self.paths.is_absolute(text));
            let (path, form) = disk.form(entry)?;
            let text = reader.text(&path, &form).into_owned();
            (!inside || !reader.is_absolute(&text)).then_some((text, place))
        });
        PathTable::new(texts.collect(), reader)
    }
}

fn url_code(fault: EntryFault) -> FaultCode {
    match fault {
        EntryFault::Star => FaultCode::BareStar,
        EntryFault::Unreadable => FaultCode::UrlUnreadable,
    }
}

/// Adds a fault unless its entry has one already.
fn push_once(faults: &mut Vec<Fault>, fault: Fault) {
    if !faults.iter().any(|other| other.place == fault.place) {
        faults.push(fault);
    }
}

/// The order of the schema, for a place such as `urls[3]`.
fn list_order(place: &str) -> (usize, usize) {
    let (list, index) = place.split_once('[').unwrap_or((place, "0"));
    let order = ScopeList::ALL.iter().position(|known| known.name() == list).unwrap_or(ScopeList::ALL.len());
    (order, index.trim_end_matches(']').parse().unwrap_or(0))
}
