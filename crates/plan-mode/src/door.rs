//! The JSON door: one operation per report, strict, the same for every language.

use crate::answer::{ExitAnswer, Host, Next, Settled, StepAnswer, StepOutcome};
use crate::driver::PlanMode;
use crate::fold::read_all;
use crate::review::{Caller, Card, ExitResult, ReviewOutcome, call_card, result_card};
use crate::{
    CommandAnswer, LogEvent, ModeEvent, PlanModeConfig, Projection, Section, Selection, Tool, View, fold,
};
use plan_gate_core::json::{Strict, from_slice};
use plan_gate_core::limits::MAX_INPUT_BYTES;
use plan_gate_core::{Error, ErrorKind, Language};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Every operation. `crates/plan-mode/README.md` describes each with its answer.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Request {
    Host {
        language: Option<Language>,
        #[serde(default, deserialize_with = "given")]
        gate: Option<Option<String>>,
    },
    Resume {
        events: Vec<Value>,
        end: Option<usize>,
    },
    Reload {
        config: Value,
    },
    Unload {},
    TurnOpened {},
    TurnClosed {},
    Step {
        outcome: StepOutcome,
    },
    Appended {
        ok: bool,
    },
    Header {
        active: bool,
    },
    Set {
        active: bool,
    },
    Get {},
    Command {
        args: String,
        #[serde(default)]
        images: u32,
    },
    Exit {
        call: String,
        caller: Caller,
        args: Value,
    },
    Review {
        call: String,
        outcome: ReviewOutcome,
    },
    Section {},
    Tool {
        language: Option<Language>,
    },
    Card {
        args: Option<Value>,
        result: Option<LoggedResult>,
    },
    Fold {
        events: Vec<Value>,
        end: Option<usize>,
    },
    Projection {
        events: Vec<Value>,
        end: Option<usize>,
    },
    Check {
        event: Value,
    },
}

/// Tells `null` from absent.
fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(deserializer).map(Some)
}

/// A result of the exit tool as the host's log keeps it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LoggedResult {
    error: bool,
    text: String,
}

/// Every answer.
#[derive(Serialize)]
#[serde(untagged)]
enum Reply {
    Empty {},
    Append { append: ModeEvent },
    Host(Host),
    Selection { selection: Selection },
    Command(CommandAnswer),
    Step(StepAnswer),
    View(View),
    Exit(Box<ExitAnswer>),
    Result { result: ExitResult },
    Section { section: Option<Section> },
    Tool { tool: Option<Tool>, propose_note: Option<String> },
    Card { card: Card },
    Active { active: bool },
}

impl PlanMode {
    /// Takes one report or question as JSON, `{"op":"…", …}`, and gives the answer as JSON.
    ///
    /// The README beside this crate lists the operations. Unknown operations and keys, duplicate keys
    /// and wrong types are refused.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::TooLarge`], [`ErrorKind::InvalidJson`] and [`ErrorKind::InvalidRequest`] for the request
    /// itself, [`ErrorKind::InvalidConfig`] for a configuration in it, [`ErrorKind::PlanMode`] for a report
    /// that cannot be true now. A request that is refused changes nothing.
    pub fn request(&mut self, json: &[u8]) -> Result<String, Error> {
        let reply = self.answer(read(json)?)?;
        serde_json::to_string(&reply)
            .map_err(|error| Error::new(ErrorKind::Panic, format!("the answer cannot be written: {error}")))
    }

    fn answer(&mut self, request: Request) -> Result<Reply, Error> {
        Ok(match request {
            Request::Host { language, gate } => {
                let mut host = self.host().clone();
                host.language = language.unwrap_or(host.language);
                host.gate = gate.unwrap_or(host.gate);
                self.set_host(host.clone());
                Reply::Host(host)
            }
            Request::Resume { events, end } => {
                let active = folded(&events, end)?;
                self.resume(active);
                Reply::Active { active }
            }
            Request::Reload { config } => {
                self.reload(PlanModeConfig::from_value(&config)?)?;
                Reply::Empty {}
            }
            Request::Unload {} => self.unload().map(|()| Reply::Empty {})?,
            Request::TurnOpened {} => self.turn_opened().map(|()| Reply::Empty {})?,
            Request::TurnClosed {} => self.turn_closed().map(|()| Reply::Empty {})?,
            Request::Header { active } => self.header(active).map(|()| Reply::Empty {})?,
            Request::Step { outcome } => next(self.step(outcome)?, Reply::Step),
            Request::Appended { ok } => match self.appended(ok)? {
                Settled::Selection(selection) => Reply::Selection { selection },
                Settled::Command(answer) => Reply::Command(answer),
                Settled::Step(answer) => Reply::Step(answer),
            },
            Request::Set { active } => next(self.set(active)?, |selection| Reply::Selection { selection }),
            Request::Get {} => Reply::View(self.get()?),
            Request::Command { args, images } => next(self.command(&args, images)?, Reply::Command),
            Request::Exit { call, caller, args } => Reply::Exit(Box::new(self.exit(&call, caller, &args)?)),
            Request::Review { call, outcome } => Reply::Result { result: self.review(&call, &outcome)? },
            Request::Section {} => Reply::Section { section: self.section() },
            Request::Tool { language } => {
                let language = language.unwrap_or_default();
                Reply::Tool { tool: self.tool(language), propose_note: self.propose_note(language) }
            }
            Request::Card { args, result } => Reply::Card { card: card(self.host().language, args, result)? },
            Request::Fold { events, end } => Reply::Active { active: folded(&events, end)? },
            Request::Projection { events, end } => {
                let events = read_all(&events)?;
                let end = end.unwrap_or(events.len()).min(events.len());
                Reply::View(Projection::of(events.get(..end).unwrap_or_default()).view())
            }
            Request::Check { event } => {
                LogEvent::from_value(&event)?;
                Reply::Empty {}
            }
        })
    }
}

/// Reads a request. Duplicate keys anywhere are refused first; then the operation's own shape decides.
/// Faults of shape name the key and no line: where it stood depends on how the caller's language writes
/// JSON, and the same request must get the same answer in all of them.
fn read(json: &[u8]) -> Result<Request, Error> {
    let fault = |message: String| Error::new(ErrorKind::InvalidRequest, message);
    let Strict(Value::Object(mut fields)) = from_slice(json, MAX_INPUT_BYTES)? else {
        return Err(fault("a request is an object: `{\"op\": \"…\"}`".to_owned()));
    };
    let op = match fields.remove("op") {
        Some(Value::String(op)) => op,
        Some(_) => return Err(fault("`op` is not a string: it names the operation".to_owned())),
        None => return Err(fault("`op` is missing: it names the operation".to_owned())),
    };
    let tagged = Value::Object(Map::from_iter([(op, Value::Object(fields))]));
    serde_path_to_error::deserialize(tagged).map_err(|error| {
        let path = error.path().to_string();
        fault(format!("{path}: {}", error.into_inner()))
    })
}

fn next<T>(next: Next<T>, reply: impl FnOnce(T) -> Reply) -> Reply {
    match next {
        Next::Append(append) => Reply::Append { append },
        Next::Done(answer) => reply(answer),
    }
}

fn folded(events: &[Value], end: Option<usize>) -> Result<bool, Error> {
    Ok(fold(&read_all(events)?, end))
}

fn card(language: Language, args: Option<Value>, result: Option<LoggedResult>) -> Result<Card, Error> {
    match (args, result) {
        (Some(args), None) => Ok(call_card(language, &args)),
        (None, Some(LoggedResult { error, text })) => Ok(result_card(language, !error, &text)),
        _ => Err(Error::new(ErrorKind::InvalidRequest, "`card` takes either `args` or `result`")),
    }
}
