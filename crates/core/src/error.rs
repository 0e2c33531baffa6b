//! What can go wrong, with the numbers that cross the C boundary.

use std::fmt;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $code:literal, $text:literal;)*) => {
        /// What kind of error. Numbers are never reused and start at 100, so that no status can be
        /// taken for a verdict. Success is status 0 and is not an error.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u16)]
        #[non_exhaustive]
        pub enum ErrorKind { $($(#[$doc])* $name = $number,)* }

        impl ErrorKind {
            /// Every kind, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The stable name, used in JSON.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// One English sentence without a stop.
            pub fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

kinds! {
    /// A pointer that must not be null is null.
    NullArgument = 100, "null_argument", "a required pointer is null";
    /// The bytes are not UTF-8.
    InvalidUtf8 = 101, "invalid_utf8", "the input is not valid UTF-8";
    /// The input is larger than its limit.
    TooLarge = 102, "too_large", "the input is larger than its limit";
    /// A number stands for nothing this version knows.
    UnknownNumber = 103, "unknown_number", "the number stands for nothing that this version knows";
    /// Not JSON, a duplicate key, or nested too deep.
    InvalidJson = 110, "invalid_json", "the input is not acceptable JSON";
    /// JSON, but not a request of this shape.
    InvalidRequest = 111, "invalid_request", "the request does not have a known shape";
    /// The configuration is not usable.
    InvalidConfig = 120, "invalid_config", "the configuration is not usable";
    /// The tool profile is not usable.
    InvalidProfile = 121, "invalid_profile", "the tool profile is not usable";
    /// The plan has faults; the answer lists them.
    InvalidPlan = 130, "invalid_plan", "the plan has faults";
    /// A snapshot is damaged, of another version or of another configuration.
    InvalidSnapshot = 131, "invalid_snapshot", "the snapshot cannot be used";
    /// The session exists already in another place of the family tree.
    LineageConflict = 140, "lineage_conflict", "the session already has another place in the family";
    /// A session cannot descend from itself.
    LineageCycle = 141, "lineage_cycle", "a session cannot descend from itself";
    /// A draft or held call with this id does not exist now.
    NothingToSettle = 142, "nothing_to_settle", "nothing with this id waits for an answer now";
    /// The operation is not one a sub-agent has.
    ChildNotAllowed = 143, "child_not_allowed", "a sub-agent cannot do this";
    /// Plan mode refuses the event or request.
    PlanMode = 150, "plan_mode", "plan mode refuses this";
    /// The gate failed inside; the session is closed for good.
    Panic = 190, "panic", "the gate failed inside; the session is closed";
    /// The session was closed by an earlier failure.
    Poisoned = 191, "poisoned", "an earlier failure closed this session";
}

impl ErrorKind {
    /// The kind with this number, if there is one.
    pub fn from_number(number: u16) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| *kind as u16 == number)
    }
}

/// An error: its kind, and a message that says what is wrong where and what to do.
///
/// Messages are lower case, without a stop, with the offending input in backticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

impl Error {
    /// An error of this kind with this message.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// What kind of error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What is wrong where.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
