//! OpenCode's configuration and the plug-in.
//!
//! A plug-in that does not load leaves no trace, and every call runs. So the configuration itself denies every tool, and
//! the plug-in, once loaded, opens what the user's configuration had. What that was stands beside it.

use super::json::{self, File};
use super::settings::SERVER;
use super::{InstallError, MARK};
use serde_json::{Value, json};

const PLUGIN: &str = include_str!("../../data/opencode-plugin.js");
/// Where the user's own permissions are kept while ours stand in their place: in the environment of our server, a place
/// that the host's strict schema allows.
const KEPT: &str = "PLAN_GATE_PERMISSION";

pub(super) fn plugin(program: &str) -> Result<String, InstallError> {
    let program = serde_json::to_string(program).map_err(|error| InstallError::new(error.to_string()))?;
    Ok(PLUGIN.replace("\"@PROGRAM@\"", &program))
}

fn closed() -> Value {
    json!({"*": "deny"})
}

pub(super) fn install(program: &str, old: Option<&str>) -> Result<String, InstallError> {
    let file = File::parse(old.unwrap_or("{}\n"))?;
    let permission = file.object.get("permission").and_then(|property| property.to_serde_value());
    let kept = kept(&file);
    let kept = match (permission, kept) {
        (Some(value), kept) if value == closed() => kept.unwrap_or(Value::Null),
        (Some(value), _) => value,
        (None, _) => Value::Null,
    };
    json::set(&file.object, "permission", &closed());
    let servers = json::object(&file.object, "mcp")?;
    if servers.get(SERVER).and_then(|old| old.to_serde_value()).is_some_and(|old| !is_ours(&old)) {
        return Err(InstallError::new(format!("`mcp.{SERVER}` belongs to another program; rename it first")));
    }
    let server = json!({
        "type": "local",
        "command": [program, "mcp"],
        "environment": {KEPT: kept.to_string()},
    });
    json::set(&servers, SERVER, &server);
    Ok(file.text())
}

pub(super) fn uninstall(old: &str) -> Result<String, InstallError> {
    let file = File::parse(old)?;
    let kept = kept(&file);
    let ours = file.object.get("permission").and_then(|property| property.to_serde_value()) == Some(closed());
    if let Some(kept) = kept
        && ours
    {
        match (kept, file.object.get("permission")) {
            (Value::Null, Some(property)) => property.remove(),
            (value, _) => json::set(&file.object, "permission", &value),
        }
    }
    if let Some(servers) = file.object.object_value("mcp") {
        if let Some(property) = servers.get(SERVER)
            && property.to_serde_value().is_some_and(|value| is_ours(&value))
        {
            property.remove();
        }
        json::drop_empty(&file.object, "mcp");
    }
    Ok(file.text())
}

/// The permissions that the user had, as an earlier installation kept them.
fn kept(file: &File) -> Option<Value> {
    let server = file.object.object_value("mcp")?.get(SERVER)?.to_serde_value()?;
    let text = server.get("environment")?.get(KEPT)?.as_str()?.to_owned();
    serde_json::from_str(&text).ok()
}

fn is_ours(server: &Value) -> bool {
    let command = server.get("command").and_then(Value::as_array);
    command.is_some_and(|words| {
        words.last() == Some(&json!("mcp"))
            && words.first().and_then(Value::as_str).is_some_and(|program| program.contains(MARK))
    })
}
