//! The conformance format, read and played. See `tests/conformance/README.md`.

mod flat;
mod play;
mod vector;

pub use flat::flat;
pub use play::{Report, play_all, play_plan_mode, play_sessions};
pub use vector::{Conversation, Digest, load, matches, root};
