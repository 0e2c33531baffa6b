//! What the gate answers, in a form for programs (it serialises) with the text for people and models.

use plan_gate_core::{
    Digest, EffectKind, Fault, Language, OtherWhy, Reason, ReplyKind, Scope, ScopeList, Settlement,
};
use plan_gate_scope_matcher::Gap;
use serde::{Deserialize, Serialize, Serializer};

/// One effect that the approved scope does not cover.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outside {
    /// What kind of effect.
    pub kind: EffectKind,
    /// Path, command, URL, agent kind or tool name, as the call wrote it.
    pub value: String,
    /// A stable word for why it is not covered.
    pub why: String,
    /// The entry of the scope that comes nearest.
    pub nearest: Option<String>,
}

impl From<Gap> for Outside {
    fn from(gap: Gap) -> Self {
        Self {
            kind: gap.effect.kind,
            value: gap.effect.value.into_owned(),
            why: gap.why.to_owned(),
            nearest: gap.nearest,
        }
    }
}

/// The answer to a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallAnswer {
    /// Why it may or may not run; `reason.word()` is `allow`, `hold` or `refuse`.
    pub reason: Reason,
    /// The call the user is asked about.
    pub id: Option<Digest>,
    /// What that call would do that the scope does not cover.
    pub outside: Vec<Outside>,
    /// The sub-agent that made the held call.
    pub child: Option<String>,
    /// The words for the model.
    pub text: String,
}

impl Serialize for CallAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut answer = serializer.serialize_struct("CallAnswer", 8)?;
        answer.serialize_field("decision", self.reason.word())?;
        answer.serialize_field("verdict", &self.reason.verdict())?;
        answer.serialize_field("reason", self.reason.name())?;
        answer.serialize_field("code", &(self.reason as u16))?;
        answer.serialize_field("id", &self.id)?;
        answer.serialize_field("outside", &self.outside)?;
        answer.serialize_field("child", &self.child)?;
        answer.serialize_field("text", &self.text)?;
        answer.end()
    }
}

/// How a message was read and what it did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReplyAnswer {
    /// How it was read; `other` for a message that is no reply.
    pub kind: ReplyKind,
    /// Why it is neither approval nor amendment.
    pub why: Option<OtherWhy>,
    /// The user's words of an amendment, verbatim.
    pub note: Option<String>,
    /// The rule that decided.
    pub rule: &'static str,
    /// What it did.
    pub settlement: Settlement,
    /// The draft or held call it settled.
    pub id: Option<Digest>,
    /// Whether the session's state moved.
    pub changed: bool,
}

impl ReplyAnswer {
    /// The answer to a message that was not read as a reply.
    pub(crate) fn unread(rule: &'static str, why: Option<OtherWhy>, settlement: Settlement) -> Self {
        Self {
            kind: ReplyKind::Other,
            why,
            note: None,
            rule,
            settlement,
            id: None,
            changed: moves(settlement),
        }
    }

    /// The integer of the C boundary: bits 0-7 the kind, bits 8-15 the settlement.
    pub fn bits(&self) -> u64 {
        u64::from(self.kind as u8) | u64::from(self.settlement as u8) << 8
    }
}

/// Whether a settlement moved the state.
pub(crate) fn moves(settlement: Settlement) -> bool {
    !matches!(settlement, Settlement::Ignored | Settlement::Stale | Settlement::Kept)
}

/// A fault of a plan with its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FaultText {
    /// The fault.
    #[serde(flatten)]
    pub fault: Fault,
    /// The text in the session's language.
    pub text: String,
}

/// A very broad entry with its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WarningText {
    /// Which list.
    pub list: ScopeList,
    /// Which entry of it, from 0.
    pub index: usize,
    /// A stable word.
    pub code: String,
    /// The text in the session's language.
    pub text: String,
}

/// The answer to a proposed plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProposalAnswer {
    /// Whether the plan is shown to the user.
    pub ok: bool,
    /// Its id, which a reply may name.
    pub id: Option<Digest>,
    /// What is wrong with it.
    pub faults: Vec<FaultText>,
    /// Why it was refused as a whole.
    #[serde(serialize_with = "reason_name")]
    pub reason: Option<Reason>,
    /// Entries the user should look at twice.
    pub warnings: Vec<WarningText>,
    /// The plan as the user is to see it.
    pub rendered: Option<String>,
    /// The words for the model.
    pub text: String,
}

fn reason_name<S: Serializer>(reason: &Option<Reason>, serializer: S) -> Result<S::Ok, S::Error> {
    reason.map(Reason::name).serialize(serializer)
}

/// A draft in [`StateView`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DraftView {
    /// Its id.
    pub id: Digest,
    /// Its title.
    pub title: String,
}

/// A held call in [`StateView`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HeldView {
    /// Its id.
    pub id: Digest,
    /// The sub-agent that made it.
    pub child: Option<String>,
    /// What it would do that the scope does not cover.
    pub outside: Vec<Outside>,
}

/// Where a session stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StateView {
    /// `root`, `child` or `orphan`.
    pub role: &'static str,
    /// `closed`, `proposed`, `revising` or `approved`.
    pub phase: &'static str,
    /// The plan that waits.
    pub draft: Option<DraftView>,
    /// The call that waits.
    pub held: Option<HeldView>,
    /// The user's words of an amendment.
    pub amendment: Option<String>,
    /// The approved plan's title.
    pub title: Option<String>,
    /// The approved scope.
    pub scope: Option<Scope>,
    /// What was granted beside it.
    pub granted: Vec<Outside>,
    /// Language the gate speaks to this session.
    pub language: Language,
}
