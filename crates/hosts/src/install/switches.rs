//! What in a configuration would switch the gate off, or stand beside it.

use super::settings::is_ours;
use super::{MARK, json::File};
use crate::Host;
use crate::facts::EventKind;
use serde_json::Value;
use toml_edit::{DocumentMut, Item};

/// The key that switches our hooks off in this text of the host's configuration, if one does.
///
/// A text that cannot be read switches nothing off here; the host reads it its own way, and says so.
pub fn switched_off(host: Host, text: &str) -> Option<&'static str> {
    if host == Host::Codex {
        let document: DocumentMut = text.parse().ok()?;
        let features = document.get("features")?;
        let off = |key: &str| features.get(key).and_then(Item::as_bool) == Some(false);
        return (off("hooks") || off("codex_hooks")).then_some("features.hooks");
    }
    let value = File::parse(text).ok()?.object.to_serde_value()?;
    match host {
        Host::ClaudeCode | Host::QwenCode => {
            (value.get("disableAllHooks") == Some(&Value::Bool(true))).then_some("disableAllHooks")
        }
        Host::GeminiCli => {
            let config = value.get("hooksConfig")?;
            if config.get("enabled") == Some(&Value::Bool(false)) {
                return Some("hooksConfig.enabled");
            }
            let disabled = config.get("disabled").and_then(Value::as_array)?;
            let ours = disabled.iter().filter_map(Value::as_str).any(|command| command.contains(MARK));
            ours.then_some("hooksConfig.disabled")
        }
        Host::OpenCode => {
            let permission = value.get("permission")?;
            (permission.get("*") != Some(&Value::from("deny"))).then_some("permission")
        }
        Host::Codex => None,
    }
}

/// How many hooks of others run before a tool. One of them may change a call after ours has looked at it.
pub fn other_hooks(host: Host, text: &str) -> usize {
    let facts = host.facts();
    let before =
        facts.events.iter().filter(|(_, kind)| **kind == EventKind::BeforeTool).map(|(name, _)| name);
    if host == Host::Codex {
        let Ok(document) = text.parse::<DocumentMut>() else { return 0 };
        return before
            .filter_map(|event| document.get("hooks")?.get(event)?.as_array_of_tables())
            .flat_map(|groups| groups.iter())
            .filter_map(|group| group.get("hooks")?.as_array_of_tables())
            .flat_map(|hooks| hooks.iter())
            .filter(|hook| !hook.get("command").and_then(Item::as_str).unwrap_or_default().contains(MARK))
            .count();
    }
    let Some(value) = File::parse(text).ok().and_then(|file| file.object.to_serde_value()) else { return 0 };
    before
        .filter_map(|event| value.get("hooks")?.get(event)?.as_array())
        .flatten()
        .filter_map(|group| group.get("hooks")?.as_array())
        .flatten()
        .filter(|hook| !is_ours(hook))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches() {
        for (host, text, expected) in [
            (Host::ClaudeCode, r#"{"disableAllHooks": true}"#, Some("disableAllHooks")),
            (Host::ClaudeCode, r#"{"disableAllHooks": false}"#, None),
            (Host::ClaudeCode, "{", None),
            (Host::QwenCode, "{\n// x\n\"disableAllHooks\": true}", Some("disableAllHooks")),
            (Host::GeminiCli, r#"{"hooksConfig":{"enabled":false}}"#, Some("hooksConfig.enabled")),
            (
                Host::GeminiCli,
                r#"{"hooksConfig":{"disabled":["x plan-gate y"]}}"#,
                Some("hooksConfig.disabled"),
            ),
            (Host::GeminiCli, r#"{"hooksConfig":{"enabled":true,"disabled":["lint"]}}"#, None),
            (Host::Codex, "[features]\nhooks = false", Some("features.hooks")),
            (Host::Codex, "features = { codex_hooks = false }", Some("features.hooks")),
            (Host::Codex, "[features]\nhooks = true", None),
            (Host::OpenCode, r#"{"permission":"allow"}"#, Some("permission")),
            (Host::OpenCode, r#"{"permission":{"*":"deny"}}"#, None),
            (Host::OpenCode, r#"{"model":"x"}"#, None),
        ] {
            assert_eq!(switched_off(host, text), expected, "{host} {text}");
        }
    }

    #[test]
    fn hooks_of_others() {
        let json = r#"{"hooks":{"PreToolUse":[{"hooks":[{"command":"lint"},{"command":"x; echo \"plan-gate: refused\""}]}],"Stop":[{"hooks":[{"command":"y"}]}]}}"#;
        assert_eq!(other_hooks(Host::ClaudeCode, json), 1);
        assert_eq!(other_hooks(Host::GeminiCli, json), 0);
        let toml = "[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ncommand = \"lint\"\n";
        assert_eq!(other_hooks(Host::Codex, toml), 1);
        assert_eq!(other_hooks(Host::Codex, "= x"), 0);
    }
}
