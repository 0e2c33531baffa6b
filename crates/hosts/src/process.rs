//! Processes and who started them, so that an agent cannot press the person's button.

use serde::{Deserialize, Serialize};

/// A process, named so that a later one with the same number is another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Process {
    /// Its number.
    pub id: u32,
    /// When it started, as the system counts; empty where that cannot be learned.
    pub started: String,
    /// The program's name.
    pub name: String,
}

/// Programs between a host and a hook.
const BETWEEN: &[&str] = &["sh", "bash", "dash", "zsh", "fish", "busybox", "timeout", "env", "plan-gate"];

/// The ancestors of the process `id`, nearest first, without itself. Empty where the system does not tell.
pub fn ancestors(id: u32) -> Vec<Process> {
    let mut list = Vec::new();
    let mut at = id;
    // More generations than any system has; a cycle cannot be, but must not hang us either.
    for _ in 0..128 {
        let Some((parent, _)) = look(at) else { break };
        let Some((_, process)) = look(parent) else { break };
        at = parent;
        list.push(process);
        if at <= 1 {
            break;
        }
    }
    list
}

/// The host's own process: the first ancestor that is not a shell or wrapper.
pub fn host_process(ancestors: &[Process]) -> Option<&Process> {
    ancestors.iter().find(|process| !BETWEEN.contains(&process.name.as_str()) && process.id > 1)
}

#[cfg(target_os = "linux")]
fn look(id: u32) -> Option<(u32, Process)> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // `pid (name) state ppid …`; the name may hold anything, brackets and blanks too.
    let (_, rest) = stat.split_once('(')?;
    let (name, rest) = rest.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    let parent = fields.nth(1)?.parse().ok()?;
    let started = fields.nth(17)?.to_owned();
    Some((parent, Process { id, started, name: name.to_owned() }))
}

#[cfg(not(target_os = "linux"))]
fn look(id: u32) -> Option<(u32, Process)> {
    let output = std::process::Command::new("ps")
        .args(["-o", "ppid=,lstart=,comm=", "-p", &id.to_string()])
        .output()
        .ok()?;
    let line = String::from_utf8(output.stdout).ok()?;
    let mut words = line.split_whitespace();
    let parent = words.next()?.parse().ok()?;
    let rest: Vec<&str> = words.collect();
    let (started, name) = rest.split_at_checked(5)?;
    let name = name.join(" ");
    let name = name.rsplit('/').next().unwrap_or_default().to_owned();
    Some((parent, Process { id, started: started.join(" "), name }))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_descends_from_us() {
        let mut child = std::process::Command::new("sh").args(["-c", "sleep 5 & wait"]).spawn().unwrap();
        let list = ancestors(child.id());
        child.kill().unwrap();
        child.wait().unwrap();
        let own = list.first().unwrap();
        assert_eq!(own.id, std::process::id());
        assert_eq!(look(own.id).unwrap().1, *own);
        assert!(list.len() > 1, "{list:?}");
        assert_eq!(ancestors(u32::MAX), []);
    }

    #[test]
    fn shells_between_are_not_the_host() {
        let process = |id, name: &str| Process { id, started: String::new(), name: name.to_owned() };
        let list = [process(9, "timeout"), process(8, "sh"), process(7, "claude"), process(6, "bash")];
        assert_eq!(host_process(&list).map(|one| one.id), Some(7));
        assert_eq!(host_process(&[process(1, "init")]), None);
    }
}
