//! Session logs of DeepSeek Harness. The format is described in `tests/sessions/README.md`.

use super::{Entry, Heard, Said, Sent};
use plan_gate::Source;
use plan_gate::plan_mode::LogEvent;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// What the header said.
#[derive(Debug, Default)]
pub(super) struct Dsh {
    id: Option<String>,
    /// Whether it is a sub-agent's log; nothing in it is a person's word then.
    subagent: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line<'l> {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    time: Option<u64>,
    /// Only read for the types that matter: most lines of a log are chunks of the model's answer.
    #[serde(default, borrow)]
    data: Option<&'l RawValue>,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    cwd: Option<String>,
    #[serde(default)]
    created_at: Option<u64>,
    #[serde(default)]
    parent_session: Option<String>,
    #[serde(default)]
    origin: Option<String>,
}

/// The types that say something here.
const TYPES: [&str; 8] = [
    "agent/inbox/spliced",
    "user/message",
    "assistant/message",
    "tool/call",
    "tool/result",
    "plan/mode",
    "command/run",
    "command/done",
];

impl Dsh {
    pub(super) fn read(&mut self, line: &[u8]) -> Result<Heard, String> {
        let line: Line<'_> = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        let mut time = line.time;
        let data = match line.data.filter(|_| TYPES.contains(&line.kind.as_str())) {
            Some(raw) => serde_json::from_str(raw.get()).map_err(|error| format!("data: {error}"))?,
            None => Value::Null,
        };
        let data = &data;
        let said = match line.kind.as_str() {
            "session" => {
                time = time.or(line.created_at);
                vec![self.header(line)]
            }
            "agent/inbox/spliced" => array(data, "inserted")
                .iter()
                .filter_map(|message| Some(Said::Queued { key: message.get("id")?.as_str()?.to_owned() }))
                .collect(),
            "user/message" => vec![self.message(data)],
            "assistant/message" => assistant(data),
            "tool/call" => vec![call(data)?],
            "tool/result" => result(data),
            "plan/mode" | "command/run" | "command/done" => {
                vec![Said::Stance(stance(&flat(&line.kind, data))?)]
            }
            _ => Vec::new(),
        };
        let entries = said.into_iter().map(|said| Entry::new(self.id.as_deref(), said)).collect();
        Ok(Heard { entries, time })
    }

    fn header(&mut self, header: Line<'_>) -> Said {
        self.id = header.id;
        self.subagent = header.origin.as_deref() == Some("subagent");
        // A fork made by a user names a parent too, and is not a sub-agent.
        let parent = header.parent_session.filter(|_| self.subagent);
        Said::Opens { parent, root: header.cwd }
    }

    fn message(&self, data: &Value) -> Said {
        let kind = data.pointer("/source/kind").and_then(Value::as_str).unwrap_or_default();
        let source = match kind {
            "user" if !self.subagent => Source::User,
            "plugin" => Source::Plugin,
            "user" | "coordinator" | "subagent-report" | "subagent-settled" | "team-message" => Source::Agent,
            _ => Source::System,
        };
        let blocks = array(data, "content");
        let sent = match data.get("id").and_then(Value::as_str) {
            Some(id) => Sent::Queued(id.to_owned()),
            None => Sent::Queued(String::new()),
        };
        Said::Message {
            source,
            text: texts(blocks),
            attachments: blocks.iter().any(|block| text(block).is_none()),
            sent,
            aside: matches!(source, Source::Plugin | Source::System),
        }
    }
}

fn assistant(data: &Value) -> Vec<Said> {
    let blocks = data.pointer("/message/content").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let text = texts(blocks);
    if text.trim().is_empty() {
        return Vec::new();
    }
    let source = Source::Assistant;
    vec![Said::Message { source, text, attachments: false, sent: Sent::Now, aside: false }]
}

fn call(data: &Value) -> Result<Said, String> {
    let tool = data.get("name").and_then(Value::as_str).ok_or("`data.name` of a `tool/call` is no text")?;
    let args = match data.get("arguments") {
        Some(Value::String(args)) => args.clone(),
        Some(other) => other.to_string(),
        None => return Err("a `tool/call` without `data.arguments`".to_owned()),
    };
    let call = data.get("callId").and_then(Value::as_str).map(str::to_owned);
    if tool == "propose_plan" {
        return Ok(Said::Propose { plan: args, call, counts: false });
    }
    Ok(Said::Call { tool: tool.to_owned(), args, call })
}

fn result(data: &Value) -> Vec<Said> {
    let blocks = data.pointer("/message/content").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    blocks
        .iter()
        .filter_map(|block| {
            let call = block.get("toolCallId")?.as_str()?.to_owned();
            let failed = block.get("isError").and_then(Value::as_bool).unwrap_or(false);
            Some(Said::Result { call, failed })
        })
        .collect()
}

/// The event as plan mode reads it: no envelope, `id` and `ok`.
fn flat(kind: &str, data: &Value) -> Value {
    let mut event = Map::new();
    event.insert("type".to_owned(), Value::from(kind));
    for (to, from) in [("active", "active"), ("id", "commandId"), ("name", "name"), ("args", "args")] {
        if let Some(value) = data.get(from) {
            event.insert(to.to_owned(), value.clone());
        }
    }
    if let Some(kind) = data.get("kind").and_then(Value::as_str) {
        event.insert("ok".to_owned(), Value::Bool(kind == "success"));
    }
    Value::Object(event)
}

/// An event of plan mode.
pub(super) fn stance(event: &Value) -> Result<LogEvent<'static>, String> {
    LogEvent::from_value(event).map(super::own::owned).map_err(|error| error.message().to_owned())
}

fn array<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text(block: &Value) -> Option<&str> {
    (block.get("type")?.as_str()? == "text").then(|| block.get("text")?.as_str()).flatten()
}

/// The words of a message: its text blocks, joined.
fn texts(blocks: &[Value]) -> String {
    blocks.iter().filter_map(text).collect::<Vec<_>>().join("\n")
}
