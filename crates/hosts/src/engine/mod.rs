//! One hook event through the gate: open the store, take the session's snapshot, decide, keep, answer.
//!
//! A hook process lives for one event, so the whole family of a session is made anew each time: the root from its
//! snapshot, the sub-agent (if one acts) under it. Read, decide and write are one transaction of the store; parallel
//! hooks wait for each other. Any error is a refusal.

mod after;
mod envelope;
mod interactive;
mod settle;
mod texts;

pub use settle::{Waiting, settle, waiting};
pub use texts::text;

use crate::event::{Call, Event, Happening, Prompt, StartSource};
use crate::{Answer, Host, Process};
use envelope::{Asked, Envelope, Running};
use plan_gate::{Gate, Language, Message, Session};
use plan_gate_store::{Change, Record, Saved, Store, StoreError};
use serde_json::{Map, Value, json};
use std::fmt;
use std::path::PathBuf;

/// What stays the same for every session of one user.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The user's configuration of the gate as JSON; empty for the defaults. `root` and `profile` are not in it.
    pub config: Vec<u8>,
    /// The home directory.
    pub home: PathBuf,
    /// Files and directories that no plan may ever cover, absolute: the store, the program, the configuration.
    pub protected: Vec<PathBuf>,
    /// Milliseconds since 1970, for the journal.
    pub now_ms: i64,
    /// A person sits before the host and can answer its dialogs.
    pub attended: bool,
    /// The host's own process, to recognise its descendants later.
    pub process: Option<Process>,
}

/// Why an event could not be decided. The caller refuses with this text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineError {
    key: &'static str,
    detail: String,
}

impl EngineError {
    fn new(key: &'static str, detail: impl fmt::Display) -> Self {
        Self { key, detail: detail.to_string() }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(Language::En, self.key, &[("detail", &self.detail)]))
    }
}

impl std::error::Error for EngineError {}

impl From<StoreError> for EngineError {
    fn from(error: StoreError) -> Self {
        Self::new("store", error)
    }
}

impl From<plan_gate::Error> for EngineError {
    fn from(error: plan_gate::Error) -> Self {
        Self::new("internal", error)
    }
}

/// The name of a session in the store: hosts choose ids of their own, so the host is part of it.
pub fn session_key(host: Host, session: &str) -> String {
    format!("{host}/{session}")
}

/// Decides one event. An error inside is a refusal.
pub fn handle(host: Host, store: &mut dyn Store, settings: &Settings, event: &Event) -> Answer {
    if matches!(event.happening, Happening::Ignored) {
        return Answer::NoObjection;
    }
    let key = session_key(host, &event.session);
    let mut decided = Err(EngineError::new("internal", "the store did not ask for a decision"));
    let kept = store.with_session(&key, settings.now_ms, &mut |old| {
        let family = Family::open(host, settings, &key, old).and_then(|family| family.decide(event));
        match family {
            Ok((answer, change)) => {
                decided = Ok(answer);
                Ok(change)
            }
            Err(error) => {
                // Kept in the journal as well; the state stays as it was.
                let record = record(host, event, "error", Some("refuse"), error.key, error.to_string());
                decided = Err(error);
                Ok(Change { saved: None, records: vec![record] })
            }
        }
    });
    if let (Happening::ChildStart { .. }, Some(agent), Ok(())) = (&event.happening, &event.agent, &kept)
        && let Err(error) = keep_child(host, store, settings, &key, agent)
    {
        return Answer::Refuse(EngineError::from(error).to_string());
    }
    match (kept, decided) {
        (Ok(()), Ok(answer)) => answer,
        (Err(error), _) => Answer::Refuse(EngineError::from(error).to_string()),
        (Ok(()), Err(error)) => Answer::Refuse(error.to_string()),
    }
}

/// Whether the user's configuration can be used for `host`.
///
/// # Errors
///
/// What is wrong with it, with the key.
pub fn check_configuration(host: Host, settings: &Settings) -> Result<(), EngineError> {
    gate(host, settings, None).map(|_| ())
}

/// Who descends from whom, for the journal's readers. A sub-agent has no state of its own.
fn keep_child(
    host: Host,
    store: &mut dyn Store,
    settings: &Settings,
    root: &str,
    agent: &str,
) -> Result<(), StoreError> {
    store.with_session(&child_key(root, agent), settings.now_ms, &mut |_| {
        let saved = Saved {
            snapshot: String::new(),
            parent: Some(root.to_owned()),
            host: host.name().to_owned(),
            waiting: None,
        };
        Ok(Change { saved: Some(saved), records: Vec::new() })
    })
}

fn child_key(root: &str, agent: &str) -> String {
    format!("{root}/{agent}")
}

/// A session, its gate, and what the hooks remember beside it.
struct Family<'a> {
    host: Host,
    settings: &'a Settings,
    key: &'a str,
    gate: Gate,
    root: Session,
    envelope: Envelope,
    records: Vec<Record>,
}

impl<'a> Family<'a> {
    /// The family as the store has it. A state that cannot be used is a closed session, and the journal says why.
    fn open(
        host: Host,
        settings: &'a Settings,
        key: &'a str,
        old: Option<&Saved>,
    ) -> Result<Self, EngineError> {
        let read = old.map_or(Ok(Envelope::default()), |saved| Envelope::read(&saved.snapshot));
        let (envelope, fault) = match read {
            Ok(envelope) => (envelope, None),
            Err(error) => (Envelope::default(), Some(error)),
        };
        let gate = gate(host, settings, envelope.root.as_deref())?;
        let root = gate.session(key)?;
        let mut family = Self { host, settings, key, gate, root, envelope, records: Vec::new() };
        let fault = fault.or_else(|| {
            let snapshot = family.envelope.gate.as_ref()?;
            family.root.import(snapshot.as_bytes()).err().map(|error| error.to_string())
        });
        if let Some(fault) = fault {
            let record = Record {
                host: host.name().to_owned(),
                kind: "snapshot".to_owned(),
                reason: Some("snapshot_refused".to_owned()),
                text: Some(text(Language::En, "snapshot", &[("detail", &fault)])),
                ..Record::default()
            };
            family.records.push(record);
        }
        Ok(family)
    }

    fn decide(mut self, event: &Event) -> Result<(Answer, Change), EngineError> {
        if let Some(process) = &self.settings.process {
            self.envelope.process = Some(process.clone());
        }
        let answer = match &event.happening {
            Happening::Start { source, root } => self.start(event, *source, root.as_deref())?,
            Happening::Prompt(prompt) => self.prompt(event, prompt)?,
            Happening::BeforeTool(call) => self.before(event, call, true)?,
            Happening::SkillShell(call) => self.before(event, call, false)?,
            Happening::AfterTool { call, failed } => self.after(event, call, *failed)?,
            Happening::ChildStart { kind } => {
                self.note(event, "child_start", None, "", kind.clone().unwrap_or_default());
                Answer::NoObjection
            }
            Happening::ConfigChange { file } => {
                let file = file.clone().unwrap_or_default();
                self.note(event, "config_change", Some("refuse"), "config_change", file.clone());
                Answer::Refuse(text(self.root.language(), "config_change", &[("file", &file)]))
            }
            Happening::Ignored => Answer::NoObjection,
        };
        Ok((answer, self.change()?))
    }

    /// The family as it is to be kept.
    fn change(mut self) -> Result<Change, EngineError> {
        let state = self.root.state()?;
        let waiting = state.draft.map(|draft| draft.id).or(state.held.map(|held| held.id));
        self.envelope.gate = Some(self.root.export()?);
        let saved = Saved {
            snapshot: self.envelope.write().map_err(|error| EngineError::new("internal", error))?,
            parent: None,
            host: self.host.name().to_owned(),
            waiting: waiting.map(|id| id.to_string()),
        };
        Ok(Change { saved: Some(saved), records: self.records })
    }

    /// Everything is closed again, under this root directory.
    fn reset(&mut self, root: Option<String>) -> Result<(), EngineError> {
        let process = self.envelope.process.take();
        self.envelope = Envelope::new(root, process);
        self.gate = gate(self.host, self.settings, self.envelope.root.as_deref())?;
        self.root = self.gate.session(self.key)?;
        Ok(())
    }

    fn start(
        &mut self,
        event: &Event,
        source: StartSource,
        root: Option<&str>,
    ) -> Result<Answer, EngineError> {
        let name = match source {
            StartSource::New => "new",
            StartSource::Resume => "resume",
            StartSource::Compact => "compact",
        };
        if event.agent.is_none() && source != StartSource::Compact {
            let same = root.is_some() && root == self.envelope.root.as_deref();
            if source == StartSource::New || !same {
                self.reset(root.map(str::to_owned))?;
            }
            // What an earlier process had running ended with it.
            self.envelope.running.clear();
            self.envelope.asked = None;
            self.envelope.hidden = 0;
        }
        self.note(event, "start", None, name, root.unwrap_or_default().to_owned());
        Ok(Answer::NoObjection)
    }

    fn prompt(&mut self, event: &Event, prompt: &Prompt) -> Result<Answer, EngineError> {
        let Prompt::Reply(words) = prompt else {
            self.note(event, "injected", None, "not_the_user", String::new());
            return Ok(Answer::NoObjection);
        };
        self.envelope.asked = None;
        self.envelope.hidden = 0;
        let answer = self.root.reply(Message::user(words))?;
        let id = answer.id.map(|id| id.to_string());
        self.note(event, "reply", Some(answer.settlement.name()), answer.rule, words.clone());
        if let Some(record) = self.records.last_mut() {
            record.id = id;
        }
        Ok(Answer::NoObjection)
    }

    /// The session that acts: the root, or the sub-agent under it. Hosts never name a sub-agent's parent agent, so all
    /// are the root's.
    fn actor(&self, event: &Event) -> Result<Session, EngineError> {
        match &event.agent {
            None => Ok(self.root.clone()),
            Some(agent) => Ok(self.gate.child(&child_key(self.key, agent), self.key)?),
        }
    }

    fn before(&mut self, event: &Event, call: &Call, has_after: bool) -> Result<Answer, EngineError> {
        let actor = self.actor(event)?;
        let arguments = call.arguments.get();
        let facts = self.host.facts();
        if facts.propose_tools.contains(&call.tool) {
            return self.propose(event, call);
        }
        if let Some(program) = self.interactive(arguments) {
            self.note_call(event, call, "before_tool", "refuse", "interactive");
            return Ok(Answer::Refuse(text(actor.language(), "interactive", &[("program", &program)])));
        }
        let answer = actor.answer(&call.tool, arguments.as_bytes())?;
        let allowed = answer.reason.allows();
        let word = answer.reason.word();
        self.note_call(event, call, "before_tool", word, answer.reason.name());
        if let (Some(record), Some(id)) = (self.records.last_mut(), answer.id) {
            record.id = Some(id.to_string());
        }
        if !allowed {
            let unseen = self.envelope.root.is_none();
            let refusal = if unseen { text(actor.language(), "start_unseen", &[]) } else { answer.text };
            return Ok(Answer::Refuse(refusal));
        }
        if has_after {
            self.envelope.run(Running::new(event.agent.as_deref(), call));
        }
        if facts.hidden_child_tools.contains(&call.tool) {
            self.envelope.hidden = self.envelope.hidden.saturating_add(1);
        }
        Ok(Answer::NoObjection)
    }

    /// The program that a command would leave waiting for input that no hook sees.
    fn interactive(&self, arguments: &str) -> Option<String> {
        let facts = self.host.facts();
        if facts.interactive.is_empty() {
            return None;
        }
        let arguments: Value = serde_json::from_str(arguments).ok()?;
        let command = arguments.get("command")?.as_str()?;
        // A patch is no command, and has the same argument.
        if command.starts_with("*** Begin Patch") {
            return None;
        }
        interactive::waits_for_input(facts, command).map(str::to_owned)
    }

    /// The draft is recorded here, because the hook knows the session; the server that answers the call does not.
    fn propose(&mut self, event: &Event, call: &Call) -> Result<Answer, EngineError> {
        if self.envelope.root.is_none() {
            self.note_call(event, call, "propose", "refuse", "start_unseen");
            return Ok(Answer::Refuse(text(self.root.language(), "start_unseen", &[])));
        }
        // Where a sub-agent's calls look like its parent's, one that may be a sub-agent's counts as one.
        let hidden = self.envelope.hidden > 0;
        let proposer = match (&event.agent, hidden) {
            (None, true) => self.gate.child(&child_key(self.key, "hidden"), self.key)?,
            _ => self.actor(event)?,
        };
        let answer = proposer.propose(call.arguments.get().as_bytes())?;
        let reason =
            answer.reason.map_or(if answer.ok { "proposed" } else { "faults" }, |reason| reason.name());
        self.note_call(event, call, "propose", if answer.ok { "allow" } else { "refuse" }, reason);
        let (Some(id), Some(plan)) = (answer.id, answer.rendered) else {
            return Ok(Answer::Refuse(answer.text));
        };
        if let Some(record) = self.records.last_mut() {
            record.id = Some(id.to_string());
        }
        self.envelope.run(Running::new(event.agent.as_deref(), call));
        let asks = self.host.facts().can_ask && self.settings.attended && call.id.is_some();
        self.envelope.asked = asks.then(|| Asked { call: call.id.clone().unwrap_or_default(), draft: id });
        Ok(if asks {
            Answer::Ask(text(self.root.language(), "ask", &[("plan", &plan)]))
        } else {
            Answer::NoObjection
        })
    }

    fn note(&mut self, event: &Event, kind: &str, verdict: Option<&str>, reason: &str, words: String) {
        self.records.push(record(self.host, event, kind, verdict, reason, words));
    }

    fn note_call(&mut self, event: &Event, call: &Call, kind: &str, verdict: &str, reason: &str) {
        self.note(event, kind, Some(verdict), reason, call.arguments.get().to_owned());
        if let Some(record) = self.records.last_mut() {
            record.tool = Some(call.tool.clone());
            record.id = call.id.clone();
        }
    }
}

/// Longest text of a journal line, in bytes (16 KiB); the rest is cut, and the line says so.
const MAX_TEXT: usize = 16 << 10;

fn record(
    host: Host,
    event: &Event,
    kind: &str,
    verdict: Option<&str>,
    reason: &str,
    words: String,
) -> Record {
    let length = words.len();
    let mut words = words;
    if length > MAX_TEXT {
        let end = (0..=MAX_TEXT).rev().find(|end| words.is_char_boundary(*end)).unwrap_or(0);
        words.truncate(end);
        words.push_str(&format!(" … ({length} bytes)"));
    }
    Record {
        host: host.name().to_owned(),
        agent: event.agent.clone(),
        kind: kind.to_owned(),
        verdict: verdict.map(str::to_owned),
        reason: Some(reason.to_owned()).filter(|reason| !reason.is_empty()),
        text: Some(words).filter(|words| !words.is_empty()),
        ..Record::default()
    }
}

/// The gate for one host and root, under the user's configuration.
fn gate(host: Host, settings: &Settings, root: Option<&str>) -> Result<Gate, EngineError> {
    let bad = |detail: &dyn fmt::Display| EngineError::new("config", detail);
    let mut config: Map<String, Value> = if settings.config.iter().all(u8::is_ascii_whitespace) {
        Map::new()
    } else {
        match plan_gate_core::json::from_slice(&settings.config, plan_gate::limits::MAX_INPUT_BYTES) {
            Ok(plan_gate_core::json::Strict(Value::Object(map))) => map,
            Ok(_) => return Err(bad(&"it is not a JSON object")),
            Err(error) => return Err(bad(&error)),
        }
    };
    for key in ["root", "profile"] {
        if config.contains_key(key) {
            return Err(bad(&format_args!("`{key}` comes from the host and cannot be set")));
        }
    }
    let facts = host.facts();
    config.insert("profile".to_owned(), json!(facts.profile));
    if let Some(root) = root {
        config.insert("root".to_owned(), json!(root));
    }
    if let Some(shell) = &facts.shell {
        config.entry("shell").or_insert_with(|| json!(shell));
    }
    let protected = protected(facts, settings, root);
    extend(&mut config, "protectedFiles", protected)?;
    extend(&mut config, "controlTools", facts.propose_tools.clone())?;
    let config = Value::Object(config).to_string();
    Gate::new(config.as_bytes()).map_err(|error| bad(&error))
}

fn protected(facts: &crate::Facts, settings: &Settings, root: Option<&str>) -> Vec<String> {
    let under = |base: PathBuf, names: &[String]| -> Vec<PathBuf> {
        names.iter().map(|name| base.join(name)).collect()
    };
    let mut paths = settings.protected.clone();
    paths.extend(under(settings.home.clone(), &facts.protected_home));
    if let Some(root) = root {
        paths.extend(under(PathBuf::from(root), &facts.protected_root));
    }
    paths.extend(facts.protected_system.iter().map(PathBuf::from));
    paths
        .iter()
        .filter(|path| path.is_absolute())
        .filter_map(|path| path.to_str().map(str::to_owned))
        .collect()
}

fn extend(config: &mut Map<String, Value>, key: &str, more: Vec<String>) -> Result<(), EngineError> {
    let list = config.entry(key).or_insert_with(|| json!([]));
    let list = list
        .as_array_mut()
        .ok_or_else(|| EngineError::new("config", format_args!("`{key}` is not a list")))?;
    list.extend(more.into_iter().map(Value::from));
    Ok(())
}
