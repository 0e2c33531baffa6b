//! Answers of the gate, with the numbers that cross the C boundary.

use crate::ErrorKind;
use serde::{Deserialize, Serialize};

/// May the call run? Zero is no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Verdict {
    /// The call must not run.
    #[default]
    Deny = 0,
    /// The call may run.
    Allow = 1,
}

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $text:literal, $allows:literal;)*) => {
        /// Why the gate answered as it did. Numbers are never reused; a gap stays a gap.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[repr(u16)]
        #[non_exhaustive]
        pub enum Reason { $($(#[$doc])* $name = $number,)* }

        impl Reason {
            /// Every reason, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The stable name, used in JSON and as the key of the texts.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Whether this reason lets a call run.
            pub fn allows(self) -> bool {
                match self { $(Self::$name => $allows,)* }
            }
        }
    };
}

reasons! {
    /// The question could not be answered: the call itself failed. See its status.
    #[default]
    Unavailable = 0, "unavailable", false;
    /// The call only reads.
    ReadOnly = 10, "read_only", true;
    /// The approved plan covers every effect of the call.
    InScope = 11, "in_scope", true;
    /// The configuration's `allowTools` names the tool.
    AllowedTool = 12, "allowed_tool", true;
    /// `exemptDelegated` frees sub-agents.
    ExemptDelegated = 13, "exempt_delegated", true;
    /// The tool by which the model proposes a plan or leaves plan mode.
    ControlTool = 14, "control_tool", true;
    /// No plan: execution is closed.
    Closed = 20, "closed", false;
    /// A plan was proposed and waits for the user.
    AwaitingApproval = 21, "awaiting_approval", false;
    /// The user agreed and added something: revise and propose again.
    AmendmentRequired = 22, "amendment_required", false;
    /// Well formed, but outside the approved plan: held for a yes of its own.
    Outside = 23, "outside", false;
    /// Another call is held already; its question comes first.
    QuestionOpen = 24, "question_open", false;
    /// The session claims a parent that nobody knows.
    UnknownParent = 25, "unknown_parent", false;
    /// A sub-agent cannot propose a plan.
    ChildCannotPropose = 26, "child_cannot_propose", false;
    /// The arguments are not a JSON object.
    ArgumentsNotObject = 30, "arguments_not_object", false;
    /// A key stands twice in the arguments.
    DuplicateKey = 31, "duplicate_key", false;
    /// A path, command or URL that the tool needs is missing.
    ArgumentMissing = 32, "argument_missing", false;
    /// A path, command or URL has the wrong type.
    ArgumentType = 33, "argument_type", false;
    /// The path is empty, holds control characters, or climbs past its top.
    PathUnusable = 34, "path_unusable", false;
    /// The arguments are larger or deeper than the limits.
    ArgumentsTooLarge = 35, "arguments_too_large", false;
    /// The call only reads, but its arguments cannot be understood.
    ReadNotUnderstood = 36, "read_not_understood", false;
    /// The patch text cannot be read with certainty.
    PatchUnreadable = 37, "patch_unreadable", false;
    /// The tool can never be granted by a plan.
    NeverGrantable = 40, "never_grantable", false;
    /// The file would switch the gate off or holds its state.
    ProtectedFile = 41, "protected_file", false;
    /// An error inside the gate closed this session for good.
    Poisoned = 50, "poisoned", false;
}

impl Reason {
    /// The reason with this number, if there is one.
    pub fn from_number(number: u16) -> Option<Self> {
        Self::ALL.iter().copied().find(|reason| *reason as u16 == number)
    }

    /// The reason with this stable name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|reason| reason.name() == name)
    }

    /// What the reason means for the call.
    pub fn verdict(self) -> Verdict {
        if self.allows() { Verdict::Allow } else { Verdict::Deny }
    }

    /// `allow`, `hold` or `refuse`: the three words of the command line and of JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Outside => "hold",
            reason if reason.allows() => "allow",
            _ => "refuse",
        }
    }
}

/// One answer packed into an integer, as the C boundary returns it.
///
/// Bits 0-7 hold the [`Verdict`], bits 8-23 the [`Reason`], bits 24-39 the status (an [`ErrorKind`]
/// number, zero when the call itself succeeded). Everything else is zero, so the value is exact in
/// a double, and zero means deny.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Decision(u64);

impl Decision {
    /// The answer for a call that was judged.
    pub fn judged(reason: Reason) -> Self {
        Self(u64::from(reason.verdict() as u8) | u64::from(reason as u16) << 8)
    }

    /// The answer for a call that failed: deny, with the status that says why.
    pub fn failed(kind: ErrorKind) -> Self {
        Self(u64::from(Reason::Unavailable as u16) << 8 | u64::from(kind as u16) << 24)
    }

    /// The integer itself.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// Whether the call may run.
    pub fn allows(self) -> bool {
        self.0 & 0xff == 1
    }

    /// Why.
    pub fn reason(self) -> Reason {
        Reason::from_number((self.0 >> 8 & 0xffff) as u16).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_denies_and_every_reason_survives_packing() {
        assert!(!Decision::default().allows());
        for reason in Reason::ALL {
            let decision = Decision::judged(*reason);
            assert_eq!(decision.reason(), *reason);
            assert_eq!(decision.allows(), reason.allows());
            assert!(decision.bits() < 1 << 40);
            assert_eq!(Reason::from_name(reason.name()), Some(*reason));
        }
        for kind in ErrorKind::ALL {
            assert!(!Decision::failed(*kind).allows());
        }
    }

    #[test]
    fn only_reasons_below_twenty_allow() {
        for reason in Reason::ALL {
            assert_eq!(reason.allows(), (10..20).contains(&(*reason as u16)), "{reason:?}");
        }
    }
}
