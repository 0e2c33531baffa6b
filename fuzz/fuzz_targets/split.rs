//! Any line, in every dialect: no panic, and an opaque line has no parts.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plan_gate_core::Dialect;
use plan_gate_scope_matcher::shell::split;

const DIALECTS: [Dialect; 7] = [
    Dialect::Bash,
    Dialect::Sh,
    Dialect::Zsh,
    Dialect::Powershell,
    Dialect::Cmd,
    Dialect::Argv,
    Dialect::Unknown,
];

fuzz_target!(|line: &str| {
    for dialect in DIALECTS {
        let split = split(line, dialect);
        assert!(split.opaque.is_none() || split.parts.is_empty());
        for part in &split.parts {
            // Only words of a command line that is certain are shown without their quotes.
            assert!(part.words.iter().all(|word| word.certain() || word.text() == word.raw()));
        }
    }
});
