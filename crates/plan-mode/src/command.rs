//! The user's `/plan`.

use crate::Selection;
use serde::Serialize;

/// What stands after `/plan`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parsed<'a> {
    /// Exactly `off`.
    Off,
    /// Anything else, trimmed; it may be empty.
    On(&'a str),
}

pub(crate) fn parse(text: &str) -> Parsed<'_> {
    match text.trim() {
        "off" => Parsed::Off,
        message => Parsed::On(message),
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $key:literal;)*) => {
        /// What a command run came to.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
        pub enum CommandCode { $($(#[$doc])* #[serde(rename = $code)] $name,)* }

        impl CommandCode {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The key of its text.
            pub(crate) fn key(self) -> &'static str {
                match self { $(Self::$name => $key,)* }
            }
        }
    };
}

codes! {
    /// Plan mode is on.
    On = "on", "say-on";
    /// Plan mode is off.
    Off = "off", "say-off";
    /// On from the next step.
    Entering = "entering", "say-entering";
    /// Off from the next step.
    Leaving = "leaving", "say-leaving";
    /// The entry that waited was dropped.
    EntryCancelled = "entry-cancelled", "say-entry-cancelled";
    /// It was off all along.
    AlreadyInactive = "already-inactive", "say-already-inactive";
    /// `/plan off` takes no images; nothing changed.
    OffWithImages = "off-with-images", "say-off-with-images";
    /// The log did not take the change; nothing changed.
    AppendFailed = "append-failed", "say-append-failed";
}

impl CommandCode {
    /// Whether the command did what it was asked for.
    pub fn ok(self) -> bool {
        !matches!(self, Self::OffWithImages | Self::AppendFailed)
    }

    /// The code for a selection of `active` answered so, with what waits after it.
    pub(crate) fn of(active: bool, selection: Selection, waiting: bool) -> Self {
        match (active, selection) {
            (true, Selection::Queued) => Self::Entering,
            (true, Selection::Noop) if waiting => Self::Entering,
            (true, _) => Self::On,
            (false, Selection::Committed) => Self::Off,
            (false, Selection::Queued) => Self::Leaving,
            (false, Selection::Cancelled) => Self::EntryCancelled,
            (false, Selection::Noop) if waiting => Self::Leaving,
            (false, Selection::Noop) => Self::AlreadyInactive,
        }
    }
}

/// What the host hands to the agent as an ordinary user message.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct UserMessage {
    /// The words, trimmed; empty with images alone.
    pub text: String,
    /// How many images travel along.
    pub images: u32,
}

/// The answer to the user, and what the host does next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommandAnswer {
    /// Whether `command/done` is a success.
    pub ok: bool,
    /// What came of it.
    pub code: CommandCode,
    /// How the selection was answered; none where nothing was selected.
    pub selection: Option<Selection>,
    /// What to tell the user.
    pub say: String,
    /// What to send to the agent.
    pub message: Option<UserMessage>,
}
