//! Settings in Claude Code's form: Claude Code, Gemini CLI, Qwen Code.

use super::json::{self, File};
use super::{InstallError, MARK, command_line};
use crate::Host;
use jsonc_parser::cst::CstArray;
use serde_json::{Value, json};

/// What of it stands in one file.
pub(super) struct Parts<'a> {
    pub(super) hooks: bool,
    pub(super) server: bool,
    pub(super) system: bool,
    pub(super) claude: bool,
    pub(super) program: &'a str,
}

/// Name of our server; tools are spelled after it.
pub(super) const SERVER: &str = "gate";

pub(super) fn install(host: Host, parts: &Parts<'_>, old: Option<&str>) -> Result<String, InstallError> {
    let file = File::parse(old.unwrap_or("{}\n"))?;
    if parts.hooks {
        let hooks = json::object(&file.object, "hooks")?;
        let group = json!({"hooks": [hook(host, parts.program)]});
        for event in &host.facts().install_events {
            let groups = hooks.array_value_or_create(event).ok_or_else(|| {
                InstallError::new(format!("`hooks.{event}` is not a list; it stays as it is"))
            })?;
            // One of ours that is right stays in its place; anything else of ours goes.
            let there = groups.elements().iter().any(|element| json::is(element, &group));
            remove_ours(&groups, Some(&group));
            if !there {
                groups.append(json::input(&group));
            }
        }
        switches(host, parts, &file)?;
    }
    if parts.server {
        let servers = json::object(&file.object, "mcpServers")?;
        let server = server(parts);
        if servers.get(SERVER).and_then(|old| old.to_serde_value()).is_some_and(|old| !is_ours(&old)) {
            let message = format!("`mcpServers.{SERVER}` belongs to another program; rename it first");
            return Err(InstallError::new(message));
        }
        json::set(&servers, SERVER, &server);
    }
    Ok(file.text())
}

fn hook(host: Host, program: &str) -> Value {
    let facts = host.facts();
    let timeout = facts.timeout_seconds * if facts.timeout_in_milliseconds { 1000 } else { 1 };
    let mut hook = json!({"type": "command", "command": command_line(host, program), "timeout": timeout});
    if host == Host::ClaudeCode
        && let Some(map) = hook.as_object_mut()
    {
        map.insert("onFailure".to_owned(), json!("block"));
    }
    hook
}

fn server(parts: &Parts<'_>) -> Value {
    let mut server = json!({"command": parts.program, "args": ["mcp"]});
    if let Some(map) = server.as_object_mut() {
        if parts.claude {
            // Into every request; otherwise the model has to look for the tool first.
            map.insert("alwaysLoad".to_owned(), json!(true));
            map.insert("type".to_owned(), json!("stdio"));
        } else {
            // The host does not ask about each call of this server; the gate does the asking.
            map.insert("trust".to_owned(), json!(true));
        }
    }
    server
}

/// In the machine's own settings, what a project could otherwise switch off is pinned.
fn switches(host: Host, parts: &Parts<'_>, file: &File) -> Result<(), InstallError> {
    if parts.system {
        match host {
            Host::GeminiCli => {
                json::set(&json::object(&file.object, "hooksConfig")?, "enabled", &json!(true));
            }
            Host::QwenCode => json::set(&file.object, "disableAllHooks", &json!(false)),
            Host::ClaudeCode | Host::Codex | Host::OpenCode => {}
        }
    }
    Ok(())
}

pub(super) fn uninstall(parts: &Parts<'_>, old: &str) -> Result<String, InstallError> {
    let file = File::parse(old)?;
    if parts.hooks
        && let Some(hooks) = file.object.object_value("hooks")
    {
        for property in hooks.properties() {
            if let Some(groups) = property.array_value() {
                let had = groups.elements().len();
                remove_ours(&groups, None);
                if had > 0 && groups.elements().is_empty() {
                    property.remove();
                }
            }
        }
        json::drop_empty(&file.object, "hooks");
    }
    if parts.server
        && let Some(servers) = file.object.object_value("mcpServers")
    {
        if let Some(property) = servers.get(SERVER)
            && property.to_serde_value().is_some_and(|value| is_ours(&value))
        {
            property.remove();
        }
        json::drop_empty(&file.object, "mcpServers");
    }
    Ok(file.text())
}

/// Takes our hooks out of a list of groups, and groups that held nothing else; but not the group that says `keep`.
fn remove_ours(groups: &CstArray, keep: Option<&Value>) {
    for group in groups.elements() {
        if keep.is_some_and(|keep| json::is(&group, keep)) {
            continue;
        }
        let Some(hooks) = group.as_object().and_then(|group| group.array_value("hooks")) else { continue };
        let mut removed = false;
        for hook in hooks.elements() {
            if hook.to_serde_value().is_some_and(|hook| is_ours(&hook)) {
                hook.remove();
                removed = true;
            }
        }
        if removed && hooks.elements().is_empty() {
            group.remove();
        }
    }
}

/// Ours are a hook whose command ends as ours do, and a server that starts our program.
pub(super) fn is_ours(value: &Value) -> bool {
    let command = value.get("command").and_then(Value::as_str).unwrap_or_default();
    let hook = command.contains(&format!("echo \"{MARK}: refused\""));
    let server = value.get("args") == Some(&json!(["mcp"])) && command.contains(MARK);
    hook || server
}
