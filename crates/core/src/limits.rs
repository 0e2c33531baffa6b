//! Caps, each with its unit. What is larger is refused, never cut.

/// Longest input of any kind, in bytes (4 MiB).
pub const MAX_INPUT_BYTES: usize = 4 << 20;
/// Longest session id, in bytes.
pub const MAX_SESSION_ID_BYTES: usize = 1024;
/// Longest tool name, in bytes.
pub const MAX_TOOL_NAME_BYTES: usize = 512;
/// Longest plan title, in bytes.
pub const MAX_TITLE_BYTES: usize = 1024;
/// Longest plan body, in bytes (64 KiB).
pub const MAX_BODY_BYTES: usize = 64 << 10;
/// Most entries of one plan, all lists together.
pub const MAX_ENTRIES: usize = 1000;
/// Longest single entry, in bytes (4 KiB).
pub const MAX_ENTRY_BYTES: usize = 4 << 10;
/// Deepest nesting of JSON arguments, in levels.
pub const MAX_JSON_DEPTH: usize = 64;
/// Longest command line that is taken apart, in bytes (256 KiB).
pub const MAX_COMMAND_BYTES: usize = 256 << 10;
/// Most extra approval words in a configuration.
pub const MAX_APPROVAL_WORDS: usize = 1000;
