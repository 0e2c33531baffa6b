//! Plays conversations through the facade: one gate by the JSON door, one by the typed calls.

use crate::vector::{Conversation, Digest, load, matches};
use plan_gate::plan_mode::PlanMode;
use plan_gate::{Error, Gate, Message, Session, Source, error_json};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What came of it.
#[derive(Debug, Default)]
pub struct Report {
    /// Conversations that came out as written.
    pub passed: usize,
    /// What did not: id, step, expectation and answer.
    pub failures: Vec<String>,
    /// Over everything that was answered.
    pub digest: Digest,
}

/// Keys of a step that are the runner's own.
const OWN: [&str; 7] = ["do", "session", "save", "cut", "replace", "expect", "parent"];

/// Plays every file, sessions first, then plan mode.
pub fn play_all() -> Result<Report, String> {
    let mut report = Report::default();
    play_plan_mode(&load("plan-mode/")?, &mut report);
    play_sessions(&load("sessions/")?, &mut report);
    Ok(report)
}

/// Plays conversations of a gate.
pub fn play_sessions(conversations: &[Conversation], report: &mut Report) {
    for conversation in conversations {
        let before = report.failures.len();
        match Player::new(&conversation.config) {
            Ok(mut player) => conversation.steps.iter().enumerate().for_each(|(number, step)| {
                let step = player.fill(step);
                let (typed, answer) = player.step(&step);
                player.save(&step, &answer);
                check(report, conversation, number, &step, typed, &answer);
            }),
            Err(error) => report.failures.push(format!("{}: config: {error}", conversation.id)),
        }
        report.passed += usize::from(report.failures.len() == before);
    }
}

/// Plays conversations of plan mode.
pub fn play_plan_mode(conversations: &[Conversation], report: &mut Report) {
    for conversation in conversations {
        let before = report.failures.len();
        match PlanMode::new(conversation.config.to_string().as_bytes()) {
            Ok(mut mode) => conversation.steps.iter().enumerate().for_each(|(number, step)| {
                let answer = door(mode.request(request(step).as_bytes()));
                check(report, conversation, number, step, None, &answer);
            }),
            Err(error) => report.failures.push(format!("{}: config: {error}", conversation.id)),
        }
        report.passed += usize::from(report.failures.len() == before);
    }
}

fn check(
    report: &mut Report,
    conversation: &Conversation,
    number: usize,
    step: &Map<String, Value>,
    typed: Option<u64>,
    answer: &str,
) {
    report.digest.add(&conversation.id, number, typed, answer);
    let value: Value = serde_json::from_str(answer).unwrap_or_default();
    let expect = step.get("expect").cloned().unwrap_or_else(|| json!({}));
    // A step that expects no error must have none.
    let unexpected = value.get("error").is_some_and(Value::is_object) && expect.get("error").is_none();
    let agrees = typed.is_none_or(|typed| agree(step, typed, &value));
    if unexpected || !agrees || !matches(&expect, &value) {
        report.failures.push(format!(
            "{} step {number}: {}\n  expected {expect}\n  answered {answer}\n  typed {typed:?}",
            conversation.id,
            step.get("do").and_then(Value::as_str).unwrap_or_default(),
        ));
    }
}

/// Whether the packed integer says the same as the door's answer.
fn agree(step: &Map<String, Value>, typed: u64, answer: &Value) -> bool {
    let number = |key: &str| answer.get(key).and_then(Value::as_u64);
    let word = |key: &str| answer.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    if step.get("do").and_then(Value::as_str) == Some("check") {
        let verdict = u64::from(word("verdict") == "allow");
        return typed & 0xff == verdict && number("code") == Some(typed >> 8 & 0xffff) && typed >> 24 == 0;
    }
    let kinds = ["other", "approve", "amend"];
    let settlements = plan_gate::Settlement::ALL;
    let settled = settlements.get((typed >> 8 & 0xff) as usize).map(|settled| settled.name());
    kinds.get((typed & 0xff) as usize) == Some(&word("kind").as_str())
        && settled == Some(word("settlement").as_str())
        && typed >> 24 == 0
}

/// The step as a request of a door.
pub(crate) fn request(step: &Map<String, Value>) -> String {
    let mut request = Map::new();
    request.insert("op".to_owned(), step.get("do").cloned().unwrap_or_default());
    let fields = step.iter().filter(|(key, _)| !OWN.contains(&key.as_str()));
    request.extend(fields.map(|(key, value)| (key.clone(), value.clone())));
    Value::Object(request).to_string()
}

pub(crate) fn door(answer: Result<String, Error>) -> String {
    answer.unwrap_or_else(|error| error_json(&error))
}

pub(crate) struct Player {
    config: Value,
    door: Gate,
    typed: Gate,
    saved: BTreeMap<String, String>,
}

impl Player {
    pub(crate) fn new(config: &Value) -> Result<Self, Error> {
        let gate = || Gate::new(config.to_string().as_bytes());
        Ok(Self { config: config.clone(), door: gate()?, typed: gate()?, saved: BTreeMap::new() })
    }

    /// The step with `$NAME` filled in.
    pub(crate) fn fill(&self, step: &Map<String, Value>) -> Map<String, Value> {
        step.iter().map(|(key, value)| (key.clone(), self.filled(value))).collect()
    }

    fn filled(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => {
                let saved = text.strip_prefix('$').and_then(|name| self.saved.get(name));
                saved.map_or_else(|| value.clone(), |saved| Value::from(saved.as_str()))
            }
            Value::Array(items) => items.iter().map(|item| self.filled(item)).collect(),
            Value::Object(fields) => Value::Object(self.fill(fields)),
            _ => value.clone(),
        }
    }

    pub(crate) fn save(&mut self, step: &Map<String, Value>, answer: &str) {
        let Some(name) = step.get("save").and_then(Value::as_str) else { return };
        let answer: Value = serde_json::from_str(answer).unwrap_or_default();
        let found = ["id", "snapshot"].iter().find_map(|key| answer.get(*key).and_then(Value::as_str));
        self.saved.insert(name.to_owned(), found.unwrap_or_default().to_owned());
    }

    pub(crate) fn step(&mut self, step: &Map<String, Value>) -> (Option<u64>, String) {
        let text = |key: &str| step.get(key).and_then(Value::as_str).unwrap_or_default();
        let (session, parent) = (text("session"), text("parent"));
        match text("do") {
            "gate" => {
                let config = step.get("config").unwrap_or(&self.config).to_string();
                match (Gate::new(config.as_bytes()), Gate::new(config.as_bytes())) {
                    (Ok(door), Ok(typed)) => {
                        (self.door, self.typed) = (door, typed);
                        (None, "{}".to_owned())
                    }
                    (Err(error), _) | (_, Err(error)) => (None, error_json(&error)),
                }
            }
            "spawn" => {
                let status =
                    |gate: &Gate| gate.child(session, parent).map_or_else(|e| e.kind() as u16, |_| 0);
                assert_eq!(status(&self.door), status(&self.typed));
                (None, json!({ "status": status(&self.door) }).to_string())
            }
            "request" => {
                let request = step.get("request").cloned().unwrap_or_default().to_string();
                (None, door(self.door.request(request.as_bytes())))
            }
            _ => self.session_step(step, session),
        }
    }

    fn session_step(&self, step: &Map<String, Value>, session: &str) -> (Option<u64>, String) {
        let (by_door, by_type) = match (self.door.session(session), self.typed.session(session)) {
            (Ok(door), Ok(typed)) => (door, typed),
            (Err(error), _) | (_, Err(error)) => return (None, error_json(&error)),
        };
        let step = damaged(step);
        let request = request(&step);
        match step.get("do").and_then(Value::as_str) {
            Some("close") => {
                by_door.close();
                by_type.close();
                (None, "{}".to_owned())
            }
            Some("check") => (Some(typed_check(&by_type, &step)), door(by_door.request(request.as_bytes()))),
            Some("reply") => (typed_reply(&by_type, &step), door(by_door.request(request.as_bytes()))),
            _ => {
                let answer = door(by_door.request(request.as_bytes()));
                let other = door(by_type.request(request.as_bytes()));
                assert_eq!(answer, other, "both gates are in the same state");
                (None, answer)
            }
        }
    }
}

/// `cut` and `replace` on an import's snapshot.
pub(crate) fn damaged(step: &Map<String, Value>) -> Map<String, Value> {
    let mut step = step.clone();
    let Some(mut snapshot) = step.get("snapshot").and_then(Value::as_str).map(str::to_owned) else {
        return step;
    };
    if let Some(cut) = step.get("cut").and_then(Value::as_u64) {
        snapshot.truncate(snapshot.len().saturating_sub(cut as usize));
    }
    if let Some([Value::String(from), Value::String(to)]) =
        step.get("replace").and_then(Value::as_array).map(Vec::as_slice)
    {
        snapshot = snapshot.replacen(from.as_str(), to, 1);
    }
    step.insert("snapshot".to_owned(), Value::from(snapshot));
    step
}

fn typed_check(session: &Session, step: &Map<String, Value>) -> u64 {
    let tool = step.get("tool").and_then(Value::as_str).unwrap_or_default();
    let args = match step.get("argsText").and_then(Value::as_str) {
        Some(text) => text.to_owned(),
        None => step.get("args").cloned().unwrap_or_default().to_string(),
    };
    session.check(tool, args.as_bytes()).bits()
}

/// `None` when the typed call cannot say it: attachments travel through the door.
fn typed_reply(session: &Session, step: &Map<String, Value>) -> Option<u64> {
    if step.contains_key("attachments") {
        let _ = session.request(request(step).as_bytes());
        return None;
    }
    let text = step.get("text").and_then(Value::as_str).unwrap_or_default();
    let source = step.get("source").cloned().and_then(|source| serde_json::from_value(source).ok());
    let shown = step.get("shown").and_then(Value::as_str).and_then(|id| id.parse().ok());
    let message = Message { shown, ..Message::from(source.unwrap_or(Source::User), text) };
    session.reply(message).ok().map(|answer| answer.bits())
}
