//! Lines that are meant to hurt: nesting without end, great length, bytes of no shell.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by panicking")]

use plan_gate_core::{Dialect, limits};
use plan_gate_scope_matcher::shell::{MAX_DEPTH, split};

const POSIX: [Dialect; 3] = [Dialect::Bash, Dialect::Sh, Dialect::Zsh];

const SHELLS: [Dialect; 5] = [Dialect::Bash, Dialect::Sh, Dialect::Zsh, Dialect::Powershell, Dialect::Cmd];

/// Whatever opens something, ten thousand times.
#[test]
fn endless_nesting_is_refused() {
    for opener in [
        "(",
        "{ ",
        "$(",
        "`",
        "\"$(",
        "${x:-",
        "\"${x:-",
        "$((",
        "((",
        "<(",
        "if ",
        "if a; then ",
        "while ",
        "for i in a; do ",
        "case x in x) ",
        "[[ ( ",
        "f() { ",
        "a=(",
        "a[",
        "@(",
        "<<E\n$(",
        "coproc ",
        "function f { ",
        "x $(",
    ] {
        let line = opener.repeat(10_000);
        for line in [format!("{line}a"), line] {
            for dialect in POSIX {
                assert!(split(&line, dialect).opaque.is_some(), "{opener:?} in {}", dialect.name());
            }
            // Many of these mean nothing to the others; they only have to come back.
            let _ = (split(&line, Dialect::Powershell), split(&line, Dialect::Cmd));
        }
    }
}

/// The same for what only PowerShell opens; it only has to come back.
#[test]
fn endless_nesting_of_powershell_comes_back() {
    for opener in ["x (", "x { y ", "x $(", "x \"$(", "& {", "@{", "@(", "x ('"] {
        let split = split(&opener.repeat(10_000), Dialect::Powershell).opaque;
        assert!(split.is_some(), "{opener:?}");
    }
}

/// The deepest nesting that is read fits on a small stack, also when it is closed again.
#[test]
fn the_deepest_nesting_fits_on_a_small_stack() {
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(|| {
            for (open, close) in [
                ("( ", " )"),
                ("echo $(", ")"),
                ("echo \"$(", ")\""),
                ("{ ", "; }"),
                ("if a; then ", "; fi"),
                ("echo ${x:-$(", ")}"),
            ] {
                for depth in 1..usize::from(MAX_DEPTH) + 2 {
                    let line = format!("{}a{}", open.repeat(depth), close.repeat(depth));
                    for dialect in POSIX {
                        let split = split(&line, dialect);
                        assert!(
                            split.opaque.is_some()
                                || split
                                    .parts
                                    .iter()
                                    .any(|part| part.words.iter().any(|word| word.text() == "a")),
                            "{line}"
                        );
                    }
                }
            }
        })
        .unwrap()
        .join()
        .unwrap();
}

/// A line over the limit is refused whole, one below it is read to its end.
#[test]
fn length_is_limited_and_nothing_is_skipped() {
    let fill = "a ".repeat(limits::MAX_COMMAND_BYTES / 2 - 4);
    let line = format!("{fill}; rm x");
    let parts = split(&line, Dialect::Bash).parts;
    assert_eq!(parts.last().unwrap().words.first().unwrap().text(), "rm");
    let longer = format!("{fill}aaaaaaaaaa; rm x");
    for dialect in SHELLS {
        assert!(split(&longer, dialect).opaque.is_some());
    }
}

/// Control characters mean something else to terminals and shells than they look like.
#[test]
fn control_characters_are_refused() {
    for c in (0..32u8).chain([127]).filter(|c| !matches!(c, b'\t' | b'\n')) {
        let line = format!("make a{}rm x", char::from(c));
        for dialect in [Dialect::Bash, Dialect::Sh, Dialect::Zsh, Dialect::Cmd] {
            assert!(split(&line, dialect).opaque.is_some(), "{line:?} in {}", dialect.name());
        }
    }
}
