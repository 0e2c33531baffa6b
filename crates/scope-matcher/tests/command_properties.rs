//! What must hold for every scope and line.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test fails by panicking")]

use plan_gate_core::{CommandCase, Dialect};
use plan_gate_scope_matcher::command::{CommandTable, FileCover, normalise};
use plan_gate_scope_matcher::shell::split;
use proptest::prelude::*;
use proptest::sample::select;

const ENTRIES: &[&str] = &[
    "pnpm test",
    "pnpm *",
    "make *",
    "make all",
    "git *",
    "git status",
    "cat *",
    "find *",
    "sort *",
    "echo *",
    "timeout *",
    "xargs *",
    "xargs wc *",
    "wc *",
    "sed *",
    "tee *",
    "bash *",
    "*",
    "FOO=1 make *",
    "make a > out",
    "cat in | sort",
    "python3 *",
    "sudo *",
];

const LINES: &[&str] = &[
    "pnpm test",
    "make all",
    "make a b",
    "git status",
    "git -c a=b log",
    "cat in",
    "find . -name x",
    "find . -delete",
    "sort -o x y",
    "echo hi",
    "timeout 5 make a",
    "xargs wc -l",
    "sed -n 1p f",
    "sed -i p f",
    "tee out",
    "bash -c 'make a'",
    "FOO=1 make a",
    "make a > out",
    "python3 x.py",
    "sudo make a",
    "make \"$(cat in)\"",
    "cat <<'E'\ntext\nE",
    "make a 2>&1",
];

const JOINTS: &[&str] = &[" && ", " || ", "; ", " | ", "\n", " & "];

struct Files;

impl FileCover for Files {
    fn may_write(&self, cwd: &str, path: &str) -> bool {
        cwd.is_empty() && path == "out"
    }

    fn enter(&self, _: &str, _: &str) -> Option<String> {
        None
    }
}

fn covered(entries: &[&str], line: &str) -> bool {
    let entries: Vec<String> = entries.iter().map(|entry| (*entry).to_owned()).collect();
    CommandTable::compile(&entries, CommandCase::Fold)
        .unwrap()
        .covers(line, Dialect::Bash, &Files)
        .is_covered()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// An entry more never covers less.
    #[test]
    fn entries_only_add(entries in prop::collection::vec(select(ENTRIES), 0..8), more in select(ENTRIES), line in select(LINES), joint in select(JOINTS), next in select(LINES)) {
        let line = format!("{line}{joint}{next}");
        let with: Vec<&str> = entries.iter().copied().chain([more]).collect();
        prop_assert!(!covered(&entries, &line) || covered(&with, &line), "{line:?} under {with:?}");
    }

    /// A line of two commands is covered only if each is: being longer never helps.
    #[test]
    fn longer_lines_are_not_covered_by_less(entries in prop::collection::vec(select(ENTRIES), 1..10), first in select(LINES), joint in select(JOINTS), second in select(LINES)) {
        prop_assume!(!first.contains("<<") && !entries.contains(&"cat in | sort"));
        let line = format!("{first}{joint}{second}");
        if covered(&entries, &line) {
            prop_assert!(covered(&entries, first), "{first:?} of {line:?} under {entries:?}");
            prop_assert!(covered(&entries, second), "{second:?} of {line:?} under {entries:?}");
        }
    }

    /// Whatever the line, nothing panics, and an opaque line has no parts.
    #[test]
    fn any_text_is_read(line in ".{0,80}", entry in "[a-z].{0,20}") {
        for dialect in [Dialect::Bash, Dialect::Sh, Dialect::Zsh, Dialect::Powershell, Dialect::Cmd, Dialect::Argv] {
            let split = split(&line, dialect);
            prop_assert!(split.opaque.is_none() || split.parts.is_empty());
            let normal = normalise(&line, dialect, CommandCase::Fold).into_owned();
            prop_assert_eq!(normalise(&normal, dialect, CommandCase::Fold), normal.as_str());
        }
        let _ = covered(&[&entry], &line);
        let _ = CommandTable::broad(&entry);
    }
}
