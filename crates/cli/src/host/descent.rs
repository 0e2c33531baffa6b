//! Is this command run by the agent itself?
//!
//! The button is the person's. An agent that was allowed to run commands must not be able to press it, so it refuses
//! anywhere below a host's process, and where nobody sits at a terminal. What this cannot see: a command that an agent
//! got to run outside of its own process tree, with an environment and a terminal of its own. So no plan should allow
//! an agent to do that; see docs/agents.md.

use plan_gate_hosts::{Process, ancestors};
use std::io::IsTerminal;

/// Variables that hosts set for the commands they run.
const MARKS: &[&str] = &[
    "CLAUDECODE",
    "CLAUDE_CODE_CHILD_SESSION",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_THREAD_ID",
    "GEMINI_CLI",
    "GEMINI_SESSION_ID",
    "QWEN_CODE",
    "QWEN_CODE_SESSION_ID",
    "OPENCODE",
    "OPENCODE_PID",
];

/// Names of the hosts' own processes.
const NAMES: &[&str] = &["claude", "codex", "gemini", "qwen", "opencode"];

/// Why this process may be the agent's, if it may. `hosts` are the processes that hooks were started by.
pub fn agents_own<'a>(hosts: impl Iterator<Item = &'a Process>) -> Option<String> {
    if let Some(mark) = MARKS.iter().find(|mark| std::env::var_os(mark).is_some()) {
        return Some(format!("`{mark}` is set"));
    }
    let above = ancestors(std::process::id());
    if cfg!(unix) && above.is_empty() {
        return Some("the processes above this one cannot be seen".to_owned());
    }
    let known: Vec<&Process> = hosts.collect();
    let found =
        above.iter().find(|process| known.contains(process) || NAMES.contains(&process.name.as_str()));
    if let Some(process) = found {
        return Some(format!("it runs below `{}` ({})", process.name, process.id));
    }
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Some("there is no terminal with a person before it".to_owned());
    }
    None
}
