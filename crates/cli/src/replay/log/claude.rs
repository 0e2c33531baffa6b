//! Transcripts of Claude Code (`~/.claude/projects/**/*.jsonl`).
//!
//! One record a line; those of type `user` hold a person's words, but also tool results, the words of
//! hooks, summaries and other programs' messages. Only what nothing marks as another's is a person's.

use super::{Entry, Heard, Said, Sent};
use plan_gate::Source;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::sync::LazyLock;

/// The tool a model proposes with, whatever server offers it.
const PROPOSE: &str = "propose_plan";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Marks {
    #[serde(rename = "about")]
    _about: String,
    envelopes: Vec<String>,
    person: Vec<String>,
}

// Read by the test below; without it nobody's words would count as a person's.
static MARKS: LazyLock<Option<Marks>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../data/claude-code.json")).ok());

/// The sessions seen so far.
#[derive(Debug, Default)]
pub(super) struct ClaudeCode {
    known: HashSet<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    message: Option<Message>,
    #[serde(default)]
    is_sidechain: bool,
    #[serde(default)]
    is_meta: bool,
    #[serde(default)]
    is_compact_summary: bool,
    #[serde(default)]
    origin: Option<serde_json::Value>,
    #[serde(default)]
    session_id: Option<String>,
    #[serde(default)]
    agent_id: Option<String>,
    #[serde(default)]
    cwd: Option<String>,
    #[serde(default)]
    timestamp: Option<String>,
    #[serde(default)]
    operation: Option<String>,
    #[serde(default)]
    content: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    input: Option<Box<RawValue>>,
    #[serde(default)]
    tool_use_id: Option<String>,
    #[serde(default)]
    is_error: Option<bool>,
}

impl ClaudeCode {
    pub(super) fn read(&mut self, line: &[u8]) -> Result<Heard, String> {
        let line: Line = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        let said = match line.kind.as_str() {
            "user" => user(&line)?,
            "assistant" => assistant(&line)?,
            "queue-operation" => queued(&line).into_iter().collect(),
            _ => Vec::new(),
        };
        let time = line.timestamp.as_deref().and_then(rising);
        if said.is_empty() {
            return Ok(Heard { entries: Vec::new(), time });
        }
        let mut entries = Vec::new();
        let session = self.session(&line, &mut entries);
        entries.extend(said.into_iter().map(|said| Entry::new(session.as_deref(), said)));
        Ok(Heard { entries, time })
    }

    /// Whose line it is; a session seen for the first time begins.
    fn session(&mut self, line: &Line, entries: &mut Vec<Entry>) -> Option<String> {
        let id = line.session_id.clone()?;
        let mut begin = |id: &str, parent: Option<&str>| {
            if self.known.insert(id.to_owned()) {
                let said = Said::Opens { parent: parent.map(str::to_owned), root: line.cwd.clone() };
                entries.push(Entry::new(Some(id), said));
            }
        };
        begin(&id, None);
        if !line.is_sidechain {
            return Some(id);
        }
        let child = format!("{id}/{}", line.agent_id.as_deref().unwrap_or("sidechain"));
        begin(&child, Some(&id));
        Some(child)
    }
}

fn user(line: &Line) -> Result<Vec<Said>, String> {
    let blocks = blocks(line)?;
    let results = blocks.iter().filter_map(|block| {
        let call = block.tool_use_id.clone().filter(|_| block.kind == "tool_result")?;
        Some(Said::Result { call, failed: block.is_error.unwrap_or(false) })
    });
    let mut said: Vec<Said> = results.collect();
    let envelope = |text: &str| {
        let text = text.trim_start();
        MARKS.as_ref().is_none_or(|marks| marks.envelopes.iter().any(|mark| text.starts_with(mark)))
    };
    let words: Vec<&str> = blocks.iter().filter_map(|block| block.text.as_deref()).collect();
    let own: Vec<&str> = words.iter().copied().filter(|text| !envelope(text)).collect();
    let attachments = blocks.iter().any(|block| block.kind == "image" || block.kind == "document");
    if words.is_empty() && !attachments {
        return Ok(said);
    }
    // Text beside tool results was put there by the program.
    let person = said.is_empty() && is_person(line) && (words.is_empty() || !own.is_empty());
    let source = match () {
        () if person => Source::User,
        () if line.is_sidechain => Source::Agent,
        () => Source::System,
    };
    let text = if person { own.join("\n") } else { words.join("\n") };
    let sent = Sent::Perhaps(text.clone());
    said.push(Said::Message { source, text, attachments, sent, aside: source == Source::System });
    Ok(said)
}

/// Whether nothing says that somebody else wrote it.
fn is_person(line: &Line) -> bool {
    if line.is_sidechain || line.is_meta || line.is_compact_summary {
        return false;
    }
    match &line.origin {
        None | Some(serde_json::Value::Null) => true,
        Some(origin) => {
            let kind = origin.get("kind").or(Some(origin)).and_then(serde_json::Value::as_str);
            MARKS
                .as_ref()
                .is_some_and(|marks| marks.person.iter().any(|person| Some(person.as_str()) == kind))
        }
    }
}

fn assistant(line: &Line) -> Result<Vec<Said>, String> {
    let said = blocks(line)?.into_iter().filter_map(|block| match block.kind.as_str() {
        "text" => {
            let text = block.text.filter(|text| !text.trim().is_empty())?;
            let source = Source::Assistant;
            Some(Said::Message { source, text, attachments: false, sent: Sent::Now, aside: false })
        }
        "tool_use" => {
            let tool = block.name?;
            let args = block.input.map_or_else(|| "null".to_owned(), |input| input.get().to_owned());
            if tool == PROPOSE || tool.ends_with("__propose_plan") {
                return Some(Said::Propose { plan: args, call: block.id, counts: false });
            }
            Some(Said::Call { tool, args, call: block.id })
        }
        _ => None,
    });
    Ok(said.collect())
}

/// A message that was typed while the agent worked.
fn queued(line: &Line) -> Option<Said> {
    let key = line.content.as_ref()?.as_str()?.to_owned();
    (line.operation.as_deref() == Some("enqueue")).then_some(Said::Queued { key })
}

/// The blocks of a message; text alone is one block.
fn blocks(line: &Line) -> Result<Vec<Block>, String> {
    let Some(content) = line.message.as_ref().and_then(|message| message.content.as_deref()) else {
        return Ok(Vec::new());
    };
    let content = content.get();
    if content.starts_with('"') {
        let text: String = serde_json::from_str(content).map_err(|error| error.to_string())?;
        let (kind, none) = ("text".to_owned(), None);
        let block = Block {
            kind,
            text: Some(text),
            id: None,
            name: none,
            input: None,
            tool_use_id: None,
            is_error: None,
        };
        return Ok(vec![block]);
    }
    serde_json::from_str(content).map_err(|error| format!("message.content: {error}"))
}

/// A timestamp in UTC as a number that rises with it.
fn rising(timestamp: &str) -> Option<u64> {
    let digits: String = timestamp.bytes().filter(u8::is_ascii_digit).map(char::from).take(17).collect();
    format!("{digits:0<17}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> Vec<Said> {
        let heard = ClaudeCode::default().read(line.as_bytes()).unwrap();
        heard.entries.into_iter().map(|entry| entry.said).collect()
    }

    #[test]
    fn only_what_nothing_marks_as_anothers_is_a_persons() {
        assert!(MARKS.is_some());
        let person = [
            r#"{"type":"user","message":{"content":"ok"}}"#,
            r#"{"type":"user","origin":{"kind":"human"},"message":{"content":"ok"}}"#,
            r#"{"type":"user","message":{"content":[{"type":"text","text":"<system-reminder>x"},{"type":"text","text":"ok"}]}}"#,
        ];
        let nobody = [
            r#"{"type":"user","isMeta":true,"message":{"content":"ok"}}"#,
            r#"{"type":"user","isSidechain":true,"message":{"content":"ok"}}"#,
            r#"{"type":"user","isCompactSummary":true,"message":{"content":"ok"}}"#,
            r#"{"type":"user","origin":{"kind":"hook"},"message":{"content":"ok"}}"#,
            r#"{"type":"user","message":{"content":"<task-notification>ok</task-notification>"}}"#,
            r#"{"type":"user","message":{"content":" <command-name>/plan</command-name>"}}"#,
            r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"x"},{"type":"text","text":"ok"}]}}"#,
        ];
        let by_person = |line: &str| {
            said(line)
                .iter()
                .any(|said| matches!(said, Said::Message { source: Source::User, text, .. } if text == "ok"))
        };
        for line in person {
            assert!(by_person(line), "{line}");
        }
        for line in nobody {
            assert!(!by_person(line), "{line}");
        }
    }

    #[test]
    fn arguments_keep_their_bytes() {
        let line = r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"a", "command":"b"}}]}}"#;
        let [Said::Call { args, .. }] = &said(line)[..] else { panic!("{line}") };
        assert_eq!(args, r#"{"command":"a", "command":"b"}"#);
    }

    #[test]
    fn times_rise() {
        let times =
            ["2026-01-20T11:57:17.716Z", "2026-01-20T11:57:18Z", "2026-01-21T00:00:00.001Z"].map(rising);
        assert!(times.is_sorted() && times[0] < times[1], "{times:?}");
    }
}
