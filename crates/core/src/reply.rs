//! How a message was read, and who wrote it.

use serde::{Deserialize, Serialize};

/// What a user's message means for the gate. The number crosses the C boundary; zero is "other".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum ReplyKind {
    /// Anything that is neither approval nor amendment: a question, a refusal, a new instruction.
    #[default]
    Other = 0,
    /// A plain yes.
    Approve = 1,
    /// A yes with something added.
    Amend = 2,
}

impl ReplyKind {
    /// `other`, `approve` or `amend`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Other => "other",
            Self::Approve => "approve",
            Self::Amend => "amend",
        }
    }
}

macro_rules! settlements {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $text:literal;)*) => {
        /// What an answer of the user did to the session. The number crosses the C boundary.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
        #[repr(u8)]
        pub enum Settlement { $($(#[$doc])* #[serde(rename = $text)] $name = $number,)* }

        impl Settlement {
            /// Every settlement, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The stable name, used in JSON.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

settlements! {
    /// Nothing: there was nothing to approve, or it was not the user's place to speak.
    #[default]
    Ignored = 0, "ignored";
    /// The draft is approved.
    DraftApproved = 1, "draft_approved";
    /// The held call joined the approved scope.
    HeldApproved = 2, "held_approved";
    /// An amendment: the model revises the plan.
    Amended = 3, "amended";
    /// Everything is cleared: a new instruction begins.
    Cleared = 4, "cleared";
    /// A question that clears nothing (`keepOnQuestion`).
    Kept = 5, "kept";
    /// An approval for something that is not current any more.
    Stale = 6, "stale";
    /// The draft was rejected by a button.
    DraftRejected = 7, "draft_rejected";
    /// The held call was rejected by a button.
    HeldRejected = 8, "held_rejected";
}

macro_rules! whys {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// Why a message is neither approval nor amendment.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum OtherWhy { $($(#[$doc])* #[serde(rename = $text)] $name,)* }

        impl OtherWhy {
            /// Every cause.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The stable name, used in JSON and as a key of texts.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

whys! {
    /// Nothing to read.
    Empty = "empty",
    /// Only the marker a harness inserts when the user interrupts.
    Interrupted = "interrupted",
    /// A question.
    Question = "question",
    /// The yes in it is negated, or it is a no.
    Negation = "negation",
    /// It reports what was done already.
    Past = "past",
    /// No expression of approval in it.
    NoApproval = "no-approval",
    /// A mere acknowledgement beside thanks or a goodbye closes the talk.
    Closing = "closing",
    /// A yes so reluctant that half of those who write it do not mean it.
    Reluctant = "reluctant",
    /// The only yes in it stands in a quotation or a code block.
    Quoted = "quoted",
    /// It answers or reports something else although it opens with a yes.
    Report = "report",
    /// It could not be read as text, or the gate failed while reading it.
    Unreadable = "unreadable",
}

/// Who a message comes from. Only [`Source::User`] counts as a reply. The number crosses the C boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u32)]
pub enum Source {
    /// A person typed it.
    User = 1,
    /// The model wrote it.
    Assistant = 2,
    /// A tool returned it.
    Tool = 3,
    /// A plug-in inserted it.
    Plugin = 4,
    /// The harness itself inserted it.
    System = 5,
    /// Another agent sent it, a child's report for example.
    Agent = 6,
}

impl Source {
    /// Every source, in the order of their numbers.
    pub const ALL: [Self; 6] =
        [Self::User, Self::Assistant, Self::Tool, Self::Plugin, Self::System, Self::Agent];

    /// The source with this number, if there is one.
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|source| *source as u32 == number)
    }
}

/// Language of the gate's texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Language {
    /// English.
    #[default]
    En = 0,
    /// Chinese.
    Zh = 1,
}

impl Language {
    /// `en` or `zh`.
    pub fn name(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh",
        }
    }
}
