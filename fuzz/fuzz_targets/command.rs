//! Entries and a line, separated by NUL (the line is the last): no panic, and an entry more never
//! covers less.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plan_gate_core::{CommandCase, Dialect};
use plan_gate_scope_matcher::command::{CommandTable, FileCover, normalise};

struct Files;

impl FileCover for Files {
    fn may_write(&self, cwd: &str, path: &str) -> bool {
        cwd.is_empty() && path.starts_with("out")
    }

    fn enter(&self, cwd: &str, dir: &str) -> Option<String> {
        (!dir.contains("..") && !dir.starts_with('/')).then(|| format!("{cwd}/{dir}"))
    }
}

fuzz_target!(|text: &str| {
    let mut entries: Vec<String> = text.split('\0').map(str::to_owned).collect();
    let Some(line) = entries.pop() else { return };
    for dialect in [Dialect::Bash, Dialect::Sh, Dialect::Zsh, Dialect::Powershell, Dialect::Cmd, Dialect::Argv] {
        for case in [CommandCase::Fold, CommandCase::Exact] {
            let normal = normalise(&line, dialect, case).into_owned();
            assert_eq!(normalise(&normal, dialect, case), normal);
            let Ok(all) = CommandTable::compile(&entries, case) else { continue };
            let covered = all.covers(&line, dialect, &Files).is_covered();
            if let Some((_, fewer)) = entries.split_last()
                && let Ok(fewer) = CommandTable::compile(fewer, case)
            {
                assert!(covered || !fewer.covers(&line, dialect, &Files).is_covered());
            }
        }
    }
});
