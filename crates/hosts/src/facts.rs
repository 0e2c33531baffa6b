//! What is known about a host, as data.

use serde::Deserialize;
use std::collections::BTreeMap;

/// What an event of a host means to the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// A session starts or goes on.
    Start,
    /// Text reaches the model as the user's. Whether a person typed it is another question.
    Prompt,
    /// A tool is about to run; it can still be refused.
    BeforeTool,
    /// A tool has run.
    AfterTool,
    /// A tool was started and failed.
    AfterFailure,
    /// A sub-agent starts.
    ChildStart,
    /// A shell line inside a skill or slash command is about to run.
    SkillShell,
    /// A settings file changed and is about to be read again.
    ConfigChange,
    /// Known, and of no concern.
    Ignored,
}

/// One host. Every field must stand in the file, so that a new host is thought through.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Facts {
    /// The host's own name for each event. An event that is not here is an error, hence a refusal.
    pub events: BTreeMap<String, EventKind>,
    /// Events that an installation must register, in the host's own names.
    pub install_events: Vec<String>,
    /// The host sends text through the prompt event that no person typed; it begins like this.
    pub injected_prefixes: Vec<String>,
    /// Only a prompt event with the field `submitted_prompt` is a person's message, and the field holds the words.
    pub submitted_only: bool,
    /// The variable in a hook's environment that names the directory the session started in.
    pub root_variable: Option<String>,
    /// Names under which `propose_plan` reaches the hook.
    pub propose_tools: Vec<String>,
    /// A sub-agent's calls look like its parent's. While one of these tools runs, a call may be a child's.
    pub hidden_child_tools: Vec<String>,
    /// What a model types into a running program reaches no hook; these programs would take commands that way.
    pub interactive: Vec<String>,
    /// The variable in a hook's environment that is `1` while a person sits before the host.
    pub attended_variable: Option<String>,
    /// A hook can have the host ask a person in a dialog that the model cannot answer.
    pub can_ask: bool,
    /// The profile that says what the host's tools do.
    pub profile: String,
    /// Which shell runs the host's commands, if it is always the same.
    pub shell: Option<String>,
    /// Below this version the host does not do what the installation relies on.
    pub minimum_version: String,
    /// The version the tests run against.
    pub tested_version: String,
    /// Seconds that the host gives a hook in an installation of ours.
    pub timeout_seconds: u32,
    /// The host counts a hook's time-out in milliseconds.
    pub timeout_in_milliseconds: bool,
    /// Directories and files, relative to the home directory, that would switch the gate off.
    pub protected_home: Vec<String>,
    /// The same, relative to the session's root.
    pub protected_root: Vec<String>,
    /// The same, anywhere.
    pub protected_system: Vec<String>,
}

impl Facts {
    /// Reads a file of facts.
    ///
    /// # Errors
    ///
    /// What is wrong where: not JSON, an unknown or missing key, another type.
    pub fn parse(json: &str) -> Result<Self, String> {
        plan_gate_core::json::from_slice(json.as_bytes(), json.len()).map_err(|error| error.to_string())
    }

    /// Reads a shipped file. A test reads every one; should one be broken all the same, no event is known, so that
    /// everything is refused.
    pub(crate) fn shipped(json: &str) -> Self {
        Self::parse(json).unwrap_or_else(|_| Self {
            events: BTreeMap::new(),
            install_events: Vec::new(),
            injected_prefixes: Vec::new(),
            submitted_only: false,
            root_variable: None,
            propose_tools: Vec::new(),
            hidden_child_tools: Vec::new(),
            interactive: Vec::new(),
            attended_variable: None,
            can_ask: false,
            profile: String::new(),
            shell: None,
            minimum_version: String::new(),
            tested_version: String::new(),
            timeout_seconds: 0,
            timeout_in_milliseconds: false,
            protected_home: Vec::new(),
            protected_root: Vec::new(),
            protected_system: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Host;

    #[test]
    fn every_shipped_file_is_whole_and_consistent() {
        for host in Host::ALL {
            let facts = host.facts();
            assert_eq!(host.name().parse(), Ok(host));
            assert_eq!(facts.profile, host.name());
            assert!(!facts.propose_tools.is_empty(), "{host}");
            assert!(facts.timeout_seconds >= 15, "{host}: the wait inside the wrapper is 10 s");
            for event in &facts.install_events {
                let kind = facts.events.get(event);
                assert!(!matches!(kind, None | Some(EventKind::Ignored)), "{host} {event}");
            }
            for needed in [EventKind::Prompt, EventKind::BeforeTool, EventKind::AfterTool, EventKind::Start] {
                let named = facts.install_events.iter().any(|event| facts.events.get(event) == Some(&needed));
                assert!(named, "{host} {needed:?}");
            }
        }
    }
}
