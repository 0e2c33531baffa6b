//! Any bytes as arguments: an answer, and the same reading of a path as the strict JSON reader's.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plan_gate_core::json::Strict;
use plan_gate_core::{Config, EffectKind, ProfileChoice, Scope};
use plan_gate_scope_matcher::{CallReading, Coverage, Matcher, Profile};
use std::sync::LazyLock;

static MATCHERS: LazyLock<Vec<Matcher>> = LazyLock::new(|| {
    let named = |name: &&str| ProfileChoice::Named((*name).to_owned());
    let config = |profile| Config { profile, ..Config::default() };
    Profile::names().iter().map(|name| Matcher::new(&config(named(name))).unwrap()).collect()
});

const TOOLS: [&str; 12] = [
    "write", "Write", "edit", "bash", "Bash", "apply_patch", "web_fetch", "shell", "multiedit", "read", "mcp__a__b", "other",
];

fuzz_target!(|data: &[u8]| {
    let [profile, tool, args @ ..] = data else { return };
    let matcher = &MATCHERS[usize::from(*profile) % MATCHERS.len()];
    let tool = TOOLS[usize::from(*tool) % TOOLS.len()];
    let strict = serde_json::from_slice::<Strict>(args).map(|strict| strict.0);
    let object = args.is_empty() || matches!(&strict, Ok(value) if value.is_object());
    match matcher.read(tool, args) {
        CallReading::Refused(_) => {}
        CallReading::Free(_) => assert!(object, "free without an object"),
        CallReading::Acting(call) => {
            assert!(object, "acting without an object");
            assert!(!call.effects.is_empty());
            if tool == "Write" && matcher.profile().name() == "claude-code" {
                let said = strict.ok().and_then(|value| value["file_path"].as_str().map(str::to_owned));
                let read = call.effects.iter().find(|effect| effect.kind == EffectKind::Write);
                assert_eq!(read.map(|effect| effect.value.as_ref().to_owned()), said);
            }
            let nothing = matcher.compile(&Scope::default()).unwrap();
            assert_ne!(matcher.cover(&nothing, &[], &call), Coverage::Covered);
            let grant = matcher.grant(&call);
            assert_eq!(matcher.cover(&nothing, &[&grant], &call), Coverage::Covered);
        }
    }
});
