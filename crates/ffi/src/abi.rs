//! Versions and numbers, as the header shows them.

use plan_gate::ErrorKind;
use std::ffi::c_char;

/// Bumped when anything in this header changes meaning, size or signature.
pub const PLAN_GATE_ABI_VERSION: u32 = 1;

/// Largest input, in bytes (4 MiB); a request may have eight times that. Longer is refused, which is a
/// deny.
pub const PLAN_GATE_MAX_INPUT: usize = 4194304;

/// One of PLAN_GATE_STATUS_*. Zero is success; an unknown value is an error.
#[allow(non_camel_case_types, reason = "the name callers see in C")]
pub type plan_gate_status = u32;

/// The call succeeded.
pub const PLAN_GATE_STATUS_OK: u32 = 0;
/// A required pointer is null.
pub const PLAN_GATE_STATUS_NULL_ARGUMENT: u32 = 100;
/// The input is not UTF-8.
pub const PLAN_GATE_STATUS_INVALID_UTF8: u32 = 101;
/// The input is larger than its limit.
pub const PLAN_GATE_STATUS_TOO_LARGE: u32 = 102;
/// A number stands for nothing this version knows.
pub const PLAN_GATE_STATUS_UNKNOWN_NUMBER: u32 = 103;
/// Not JSON, a duplicate key, or nested too deep.
pub const PLAN_GATE_STATUS_INVALID_JSON: u32 = 110;
/// JSON, but not a request of this shape.
pub const PLAN_GATE_STATUS_INVALID_REQUEST: u32 = 111;
/// The configuration is not usable.
pub const PLAN_GATE_STATUS_INVALID_CONFIG: u32 = 120;
/// The tool profile is not usable.
pub const PLAN_GATE_STATUS_INVALID_PROFILE: u32 = 121;
/// The plan has faults.
pub const PLAN_GATE_STATUS_INVALID_PLAN: u32 = 130;
/// A snapshot is damaged, newer, or of another configuration; the session is closed.
pub const PLAN_GATE_STATUS_INVALID_SNAPSHOT: u32 = 131;
/// The session already has another place in the family.
pub const PLAN_GATE_STATUS_LINEAGE_CONFLICT: u32 = 140;
/// A session cannot descend from itself.
pub const PLAN_GATE_STATUS_LINEAGE_CYCLE: u32 = 141;
/// Nothing with this id waits for an answer now.
pub const PLAN_GATE_STATUS_NOTHING_TO_SETTLE: u32 = 142;
/// A sub-agent cannot do this.
pub const PLAN_GATE_STATUS_CHILD_NOT_ALLOWED: u32 = 143;
/// Plan mode refuses this.
pub const PLAN_GATE_STATUS_PLAN_MODE: u32 = 150;
/// The gate failed inside. If it was inside a session, that session is closed for good.
pub const PLAN_GATE_STATUS_PANIC: u32 = 190;
/// An earlier failure closed this session.
pub const PLAN_GATE_STATUS_POISONED: u32 = 191;

/// An answer packed into one integer: bits 0-7 a verdict, bits 8-23 a reason, bits 24-39 a status, the
/// rest zero. Zero is deny. The value is exact in a double.
#[allow(non_camel_case_types, reason = "the name callers see in C")]
pub type plan_gate_decision = u64;

/// The call must not run.
pub const PLAN_GATE_VERDICT_DENY: u32 = 0;
/// The call may run.
pub const PLAN_GATE_VERDICT_ALLOW: u32 = 1;

/// Deny: the question could not be answered; see the status.
pub const PLAN_GATE_REASON_UNAVAILABLE: u32 = 0;
/// Allow: the call only reads.
pub const PLAN_GATE_REASON_READ_ONLY: u32 = 10;
/// Allow: the approved plan covers every effect of the call.
pub const PLAN_GATE_REASON_IN_SCOPE: u32 = 11;
/// Allow: `allowTools` names the tool.
pub const PLAN_GATE_REASON_ALLOWED_TOOL: u32 = 12;
/// Allow: `exemptDelegated` frees sub-agents.
pub const PLAN_GATE_REASON_EXEMPT_DELEGATED: u32 = 13;
/// Allow: the tool by which the model proposes a plan or leaves plan mode.
pub const PLAN_GATE_REASON_CONTROL_TOOL: u32 = 14;
/// Deny: no plan is approved.
pub const PLAN_GATE_REASON_CLOSED: u32 = 20;
/// Deny: a plan waits for the user.
pub const PLAN_GATE_REASON_AWAITING_APPROVAL: u32 = 21;
/// Deny: the user agreed and added something; the model revises.
pub const PLAN_GATE_REASON_AMENDMENT_REQUIRED: u32 = 22;
/// Deny, held: outside the approved plan; ask the user.
pub const PLAN_GATE_REASON_OUTSIDE: u32 = 23;
/// Deny: another call is held; its question comes first.
pub const PLAN_GATE_REASON_QUESTION_OPEN: u32 = 24;
/// Deny: the session claims a parent nobody knows.
pub const PLAN_GATE_REASON_UNKNOWN_PARENT: u32 = 25;
/// A sub-agent cannot propose a plan.
pub const PLAN_GATE_REASON_CHILD_CANNOT_PROPOSE: u32 = 26;
/// Deny: the arguments are not a JSON object.
pub const PLAN_GATE_REASON_ARGUMENTS_NOT_OBJECT: u32 = 30;
/// Deny: a key stands twice in the arguments.
pub const PLAN_GATE_REASON_DUPLICATE_KEY: u32 = 31;
/// Deny: a path, command or URL is missing.
pub const PLAN_GATE_REASON_ARGUMENT_MISSING: u32 = 32;
/// Deny: a path, command or URL has the wrong type.
pub const PLAN_GATE_REASON_ARGUMENT_TYPE: u32 = 33;
/// Deny: the path cannot be judged.
pub const PLAN_GATE_REASON_PATH_UNUSABLE: u32 = 34;
/// Deny: the arguments are larger or deeper than the limits.
pub const PLAN_GATE_REASON_ARGUMENTS_TOO_LARGE: u32 = 35;
/// Deny: the call reads, but its arguments are not understood.
pub const PLAN_GATE_REASON_READ_NOT_UNDERSTOOD: u32 = 36;
/// Deny: the patch cannot be read with certainty.
pub const PLAN_GATE_REASON_PATCH_UNREADABLE: u32 = 37;
/// Deny: no plan can ever grant this tool.
pub const PLAN_GATE_REASON_NEVER_GRANTABLE: u32 = 40;
/// Deny: the file belongs to the gate or the host.
pub const PLAN_GATE_REASON_PROTECTED_FILE: u32 = 41;
/// Deny: an error inside the gate closed this session.
pub const PLAN_GATE_REASON_POISONED: u32 = 50;

/// Who wrote a message. Only the user's is a reply.
pub const PLAN_GATE_SOURCE_USER: u32 = 1;
/// The model.
pub const PLAN_GATE_SOURCE_ASSISTANT: u32 = 2;
/// A tool.
pub const PLAN_GATE_SOURCE_TOOL: u32 = 3;
/// A plug-in.
pub const PLAN_GATE_SOURCE_PLUGIN: u32 = 4;
/// The harness.
pub const PLAN_GATE_SOURCE_SYSTEM: u32 = 5;
/// Another agent.
pub const PLAN_GATE_SOURCE_AGENT: u32 = 6;

/// What one effect of a call is: reading a file.
pub const PLAN_GATE_EFFECT_READ: u32 = 1;
/// Changing a file.
pub const PLAN_GATE_EFFECT_WRITE: u32 = 2;
/// Running a command line.
pub const PLAN_GATE_EFFECT_EXECUTE: u32 = 3;
/// Reaching the network.
pub const PLAN_GATE_EFFECT_FETCH: u32 = 4;
/// Starting a sub-agent.
pub const PLAN_GATE_EFFECT_DELEGATE: u32 = 5;
/// Whatever the tool's name says.
pub const PLAN_GATE_EFFECT_OTHER: u32 = 6;

/// How a reply was read (bits 0-7 of a reply's answer): neither of the two.
pub const PLAN_GATE_REPLY_OTHER: u32 = 0;
/// A plain yes.
pub const PLAN_GATE_REPLY_APPROVE: u32 = 1;
/// A yes with something added.
pub const PLAN_GATE_REPLY_AMEND: u32 = 2;

/// What a reply did (bits 8-15 of its answer): nothing.
pub const PLAN_GATE_SETTLED_IGNORED: u32 = 0;
/// The draft is approved.
pub const PLAN_GATE_SETTLED_DRAFT_APPROVED: u32 = 1;
/// The held call joined the approved scope.
pub const PLAN_GATE_SETTLED_HELD_APPROVED: u32 = 2;
/// An amendment: the model revises.
pub const PLAN_GATE_SETTLED_AMENDED: u32 = 3;
/// Everything is cleared.
pub const PLAN_GATE_SETTLED_CLEARED: u32 = 4;
/// A question that clears nothing.
pub const PLAN_GATE_SETTLED_KEPT: u32 = 5;
/// An approval for something that is not current any more.
pub const PLAN_GATE_SETTLED_STALE: u32 = 6;
/// The draft was rejected by a button.
pub const PLAN_GATE_SETTLED_DRAFT_REJECTED: u32 = 7;
/// The held call was rejected by a button.
pub const PLAN_GATE_SETTLED_HELD_REJECTED: u32 = 8;

/// ABI version of the loaded library. Compare it with PLAN_GATE_ABI_VERSION first; when they differ,
/// make no other call and let nothing act.
#[unsafe(no_mangle)]
pub extern "C" fn plan_gate_abi_version() -> u32 {
    PLAN_GATE_ABI_VERSION
}

/// "major.minor.patch" of the loaded library. Static.
#[unsafe(no_mangle)]
pub extern "C" fn plan_gate_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// A short English text for a status. Static; an unknown status gets a text too.
#[unsafe(no_mangle)]
pub extern "C" fn plan_gate_status_text(status: plan_gate_status) -> *const c_char {
    status_text(status).as_ptr().cast()
}

fn status_text(status: plan_gate_status) -> &'static str {
    use crate::abi as a;
    match status {
        a::PLAN_GATE_STATUS_OK => "success\0",
        a::PLAN_GATE_STATUS_NULL_ARGUMENT => "a required pointer is null\0",
        a::PLAN_GATE_STATUS_INVALID_UTF8 => "the input is not valid UTF-8\0",
        a::PLAN_GATE_STATUS_TOO_LARGE => "the input is larger than its limit\0",
        a::PLAN_GATE_STATUS_UNKNOWN_NUMBER => "the number stands for nothing that this version knows\0",
        a::PLAN_GATE_STATUS_INVALID_JSON => "the input is not acceptable JSON\0",
        a::PLAN_GATE_STATUS_INVALID_REQUEST => "the request does not have a known shape\0",
        a::PLAN_GATE_STATUS_INVALID_CONFIG => "the configuration is not usable\0",
        a::PLAN_GATE_STATUS_INVALID_PROFILE => "the tool profile is not usable\0",
        a::PLAN_GATE_STATUS_INVALID_PLAN => "the plan has faults\0",
        a::PLAN_GATE_STATUS_INVALID_SNAPSHOT => "the snapshot cannot be used\0",
        a::PLAN_GATE_STATUS_LINEAGE_CONFLICT => "the session already has another place in the family\0",
        a::PLAN_GATE_STATUS_LINEAGE_CYCLE => "a session cannot descend from itself\0",
        a::PLAN_GATE_STATUS_NOTHING_TO_SETTLE => "nothing with this id waits for an answer now\0",
        a::PLAN_GATE_STATUS_CHILD_NOT_ALLOWED => "a sub-agent cannot do this\0",
        a::PLAN_GATE_STATUS_PLAN_MODE => "plan mode refuses this\0",
        a::PLAN_GATE_STATUS_PANIC => "the gate failed inside; the session is closed\0",
        a::PLAN_GATE_STATUS_POISONED => "an earlier failure closed this session\0",
        _ => "unknown status\0",
    }
}

/// The status of an error.
pub(crate) fn status_of(kind: ErrorKind) -> plan_gate_status {
    u32::from(kind as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_gate::{EffectKind, Reason, ReplyKind, Settlement, Source};

    /// `name()` of a variant as the header writes it.
    fn constant(prefix: &str, name: &str) -> String {
        format!("PLAN_GATE_{prefix}_{}", name.to_uppercase())
    }

    /// The constants of this file by name, read from its own source: the header is made of them.
    fn constants() -> std::collections::BTreeMap<String, u64> {
        include_str!("abi.rs")
            .lines()
            .filter_map(|line| line.strip_prefix("pub const "))
            .filter_map(|line| line.split_once(": u32 = "))
            .map(|(name, value)| (name.to_owned(), value.trim_end_matches(';').parse().unwrap()))
            .collect()
    }

    #[test]
    fn numbers_are_those_of_core() {
        let mut constants = constants();
        let mut same = |prefix: &str, name: &str, number: u64| {
            assert_eq!(constants.remove(&constant(prefix, name)), Some(number), "{prefix} {name}");
        };
        same("ABI", "version", 1);
        same("STATUS", "ok", 0);
        ErrorKind::ALL.iter().for_each(|kind| same("STATUS", kind.name(), *kind as u64));
        Reason::ALL.iter().for_each(|reason| same("REASON", reason.name(), *reason as u64));
        Settlement::ALL.iter().for_each(|settled| same("SETTLED", settled.name(), *settled as u64));
        EffectKind::ALL.iter().for_each(|kind| same("EFFECT", kind.name(), *kind as u64));
        for kind in [ReplyKind::Other, ReplyKind::Approve, ReplyKind::Amend] {
            same("REPLY", kind.name(), kind as u64);
        }
        for source in Source::ALL {
            same("SOURCE", &format!("{source:?}"), source as u64);
        }
        same("VERDICT", "deny", 0);
        same("VERDICT", "allow", 1);
        assert!(constants.is_empty(), "{constants:?}");
    }

    #[test]
    fn every_status_has_the_text_of_core() {
        for kind in ErrorKind::ALL {
            assert_eq!(status_text(*kind as u32).strip_suffix('\0'), Some(kind.text()));
        }
        assert_eq!(PLAN_GATE_MAX_INPUT, plan_gate::limits::MAX_INPUT_BYTES);
    }
}
