//! From a host's hook JSON to an [`Event`].

use crate::event::{Call, Event, Happening, Prompt, StartSource};
use crate::facts::{EventKind, Facts};
use crate::host::Host;
use plan_gate_core::limits;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::fmt;
use std::path::Path;

/// Largest hook input, in bytes (8 MiB): the largest arguments and room for the frame. More is refused.
pub const MAX_HOOK_BYTES: usize = 2 * limits::MAX_INPUT_BYTES;

/// What a hook's surroundings say beside its input.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// The value of [`Facts::root_variable`].
    pub root: Option<String>,
}

/// A hook input that cannot be read: the caller refuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError(String);

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReadError {}

/// The fields that matter. A host adds fields with every release, so unknown ones are let pass; one of these that
/// stands twice is an error.
#[derive(Deserialize)]
struct Input {
    session_id: String,
    hook_event_name: String,
    agent_id: Option<String>,
    agent_type: Option<String>,
    cwd: Option<String>,
    source: Option<String>,
    prompt: Option<String>,
    tool_name: Option<String>,
    tool_input: Option<Box<RawValue>>,
    tool_use_id: Option<String>,
    file_path: Option<String>,
    submitted_prompt: Option<String>,
}

/// Reads one hook input of `host`.
///
/// # Errors
///
/// Not UTF-8 or JSON, too large, a field that is missing, of another type or there twice, an event that is not known.
pub fn read(host: Host, input: &[u8], environment: &Environment) -> Result<Event, ReadError> {
    if input.len() > MAX_HOOK_BYTES {
        return Err(ReadError(format!(
            "the hook input has {} bytes, the limit is {MAX_HOOK_BYTES}",
            input.len()
        )));
    }
    let unreadable =
        |error: &dyn fmt::Display| ReadError(format!("the hook input of {host} cannot be read: {error}"));
    // Checked whole: in a field that is skipped, bad bytes would go unnoticed.
    let input = std::str::from_utf8(input).map_err(|error| unreadable(&error))?;
    let fields: Input = serde_json::from_str(input).map_err(|error| unreadable(&error))?;
    let facts = host.facts();
    let Some(kind) = facts.events.get(&fields.hook_event_name) else {
        return Err(ReadError(format!("`{}` is no event of {host} that is known", fields.hook_event_name)));
    };
    if fields.session_id.is_empty() || fields.session_id.len() > limits::MAX_SESSION_ID_BYTES {
        return Err(ReadError(format!("the session id of {host} is empty or too long")));
    }
    if fields.agent_id.as_deref() == Some("") {
        return Err(ReadError(format!("the agent id of {host} is empty")));
    }
    let session = fields.session_id.clone();
    let agent = fields.agent_id.clone();
    let happening = happening(*kind, fields, facts, environment)?;
    Ok(Event { session, agent, happening })
}

fn happening(
    kind: EventKind,
    fields: Input,
    facts: &Facts,
    environment: &Environment,
) -> Result<Happening, ReadError> {
    Ok(match kind {
        EventKind::Start => start(&fields, environment)?,
        EventKind::Prompt => Happening::Prompt(prompt(fields, facts)?),
        EventKind::BeforeTool => Happening::BeforeTool(call(fields)?),
        EventKind::AfterTool => Happening::AfterTool { call: call(fields)?, failed: false },
        EventKind::AfterFailure => Happening::AfterTool { call: call(fields)?, failed: true },
        EventKind::ChildStart if fields.agent_id.is_none() => return Err(missing("agent_id", &fields)),
        EventKind::ChildStart => Happening::ChildStart { kind: fields.agent_type },
        EventKind::SkillShell => Happening::SkillShell(call(fields)?),
        EventKind::ConfigChange => Happening::ConfigChange { file: fields.file_path },
        EventKind::Ignored => Happening::Ignored,
    })
}

fn missing(name: &str, fields: &Input) -> ReadError {
    ReadError(format!("`{name}` is missing in `{}`", fields.hook_event_name))
}

/// The root is where the session started, never where a call is: some hosts let `cwd` follow the shell. A start event
/// inside a running process (after the history was shortened) says nothing about it either.
fn start(fields: &Input, environment: &Environment) -> Result<Happening, ReadError> {
    let source = match fields.source.as_deref() {
        Some("compact") => StartSource::Compact,
        Some("resume") => StartSource::Resume,
        // A fork and a cleared session have an id of their own and no link to the old one: new.
        Some("startup" | "fork" | "clear") => StartSource::New,
        Some(other) => return Err(ReadError(format!("`{other}` is no known way to start a session"))),
        None => return Err(missing("source", fields)),
    };
    let root = match (source, &environment.root) {
        _ if fields.agent_id.is_some() => None,
        (StartSource::Compact, _) => None,
        (_, Some(root)) => Some(root.clone()),
        (_, None) => Some(fields.cwd.clone().ok_or_else(|| missing("cwd", fields))?),
    };
    match &root {
        Some(root) if !Path::new(root).is_absolute() => {
            Err(ReadError(format!("the session's directory `{root}` is not absolute")))
        }
        _ => Ok(Happening::Start { source, root }),
    }
}

fn prompt(fields: Input, facts: &Facts) -> Result<Prompt, ReadError> {
    let Some(prompt) = &fields.prompt else { return Err(missing("prompt", &fields)) };
    if fields.agent_id.is_some() {
        return Ok(Prompt::Injected);
    }
    let words = match (facts.submitted_only, fields.submitted_prompt) {
        (false, _) => prompt.clone(),
        (true, Some(words)) => words,
        (true, None) => return Ok(Prompt::Injected),
    };
    let opening = words.trim_start();
    if facts.injected_prefixes.iter().any(|prefix| opening.starts_with(prefix.as_str())) {
        return Ok(Prompt::Injected);
    }
    Ok(Prompt::Reply(words))
}

fn call(fields: Input) -> Result<Call, ReadError> {
    let Some(tool) = &fields.tool_name else { return Err(missing("tool_name", &fields)) };
    if tool.is_empty() || tool.len() > limits::MAX_TOOL_NAME_BYTES {
        return Err(ReadError("the tool's name is empty or too long".to_owned()));
    }
    let tool = tool.clone();
    let Some(arguments) = fields.tool_input else {
        return Err(ReadError(format!("`tool_input` is missing in `{}`", fields.hook_event_name)));
    };
    Ok(Call { tool, arguments, id: fields.tool_use_id.filter(|id| !id.is_empty()) })
}
