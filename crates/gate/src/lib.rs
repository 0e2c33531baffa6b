//! plan-gate takes the right to act out of a model's hands.
//!
//! A harness that runs a model's tool calls asks the gate before each one: may this call run now? Until
//! the user has approved a plan the answer is no for everything but reading. A plan lists its tools,
//! files, commands, URLs and sub-agents; whatever is outside the list is held for a yes of its own.
//!
//! ```
//! use plan_gate::{Gate, Message, Settlement};
//!
//! let gate = Gate::new(br#"{"profile":"dsh"}"#)?;
//! let session = gate.session("s1")?;
//! let write = br#"{"file_path":"src/login.ts","content":"..."}"#;
//!
//! // Nothing was approved: reading runs, writing does not.
//! assert!(session.check("read", br#"{"file_path":"src/login.ts"}"#).allows());
//! assert!(!session.check("write", write).allows());
//!
//! // The model proposes, the user agrees in plain words.
//! let plan = br#"{"title":"SMS login","plan":"Rewrite the login form.",
//!                 "tools":["write"],"files":["src/login.ts"]}"#;
//! session.propose(plan)?;
//! assert_eq!(session.reply(Message::user("同意"))?.settlement, Settlement::DraftApproved);
//! assert!(session.check("write", write).allows());
//!
//! // What the plan does not list is held.
//! let other = session.answer("write", br#"{"file_path":"src/db.ts","content":""}"#)?;
//! assert_eq!(other.reason.word(), "hold");
//! # Ok::<(), plan_gate::Error>(())
//! ```
//!
//! Everything fails closed: an error, a panic, a session nobody knows are all refusals. See
//! `docs/threat-model.md` for what the gate promises and what it cannot.

mod answer;
mod digest;
mod engine;
mod explain;
mod gate;
mod matching;
mod payload;
mod propose;
mod registry;
mod render;
mod request;
mod schema;
mod session;
mod shared;
mod snapshot;
mod texts;

pub use answer::{CallAnswer, FaultText, Outside, ProposalAnswer, ReplyAnswer, StateView, WarningText};
pub use explain::{CallExplanation, Found};
pub use gate::Gate;
pub use matching::MatchAnswer;
pub use plan_gate_classifier::{Explanation, Reading, Span, SpanKind};
pub use plan_gate_core::{
    Config, Decision, Digest, Effect, EffectKind, Error, ErrorKind, Event, Language, OtherWhy, Plan, Reason,
    ReplyKind, Scope, ScopeList, Settlement, Source, Verdict, injection, limits,
};
pub use plan_gate_plan_mode as plan_mode;
pub use request::error_json;
pub use schema::tool_schema;
pub use session::{Message, Session};
