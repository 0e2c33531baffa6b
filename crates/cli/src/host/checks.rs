//! What a doctor looks at, and what no doctor can promise.

use super::files;
use super::install::target;
use super::status::{LEVELS, Standing, standing};
use crate::failure::Failure;
use crate::words::Words;
use plan_gate_hosts::install::{Edit, Level, edits, other_hooks, switched_off};
use plan_gate_hosts::{Host, Surroundings, engine};
use plan_gate_store::SqliteStore;
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// As it should be.
    Good,
    /// Works, but the person should know.
    Note,
    /// The gate is open, or will be.
    Bad,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
pub struct Finding {
    pub grade: Grade,
    /// A stable name.
    pub check: &'static str,
    pub text: String,
}

/// What cannot be promised on this host, one text each.
pub fn limits(host: Host, level: Level, words: Words) -> Vec<String> {
    let system = level == Level::System;
    let keys = ["switch", "rewrite", "blind", "speak"];
    let keys = keys.into_iter().filter(|key| !(system && *key == "switch"));
    keys.filter_map(|key| words.find(&format!("limits.{host}.{key}"))).collect()
}

/// The doctor's bag.
pub struct Doctor<'a> {
    pub host: Host,
    pub surroundings: &'a Surroundings,
    pub binary: Option<PathBuf>,
    pub words: Words,
    pub findings: Vec<Finding>,
}

/// Seconds that a host has for saying its version or its hooks.
const PATIENCE: Duration = Duration::from_secs(20);

impl Doctor<'_> {
    fn find(&mut self, grade: Grade, check: &'static str, values: &[(&str, &str)]) {
        let word = match grade {
            Grade::Good => "good",
            Grade::Note => "note",
            Grade::Bad => "bad",
        };
        let text = self.words.text(&format!("doctor.{check}.{word}"), values);
        self.findings.push(Finding { grade, check, text });
    }

    /// Looks at everything; the level of the installation, if there is one.
    pub fn examine(&mut self) -> Result<Option<Level>, Failure> {
        self.version();
        let level = self.installation()?;
        self.shell();
        self.store();
        self.switches(level)?;
        match self.host {
            Host::Codex => self.trust(),
            Host::OpenCode => self.launcher(),
            Host::ClaudeCode | Host::GeminiCli | Host::QwenCode => {}
        }
        Ok(level)
    }

    fn version(&mut self) {
        let (least, tested) =
            (self.host.facts().minimum_version.as_str(), self.host.facts().tested_version.as_str());
        let Some(said) = self.binary.as_ref().and_then(|binary| say_version(binary)) else {
            return self.find(Grade::Note, "version", &[("least", least)]);
        };
        let values = [("version", said.as_str()), ("least", least), ("tested", tested)];
        let grade = if numbers(&said) >= numbers(least) { Grade::Good } else { Grade::Bad };
        self.find(grade, "version", &values);
    }

    fn installation(&mut self) -> Result<Option<Level>, Failure> {
        let mut found = None;
        for (level, name) in LEVELS {
            match standing(self.surroundings, self.host, level)? {
                Standing::Absent => {}
                Standing::Differs => {
                    self.find(Grade::Bad, "installed", &[("level", name), ("host", self.host.name())])
                }
                Standing::Installed => {
                    self.find(Grade::Good, "installed", &[("level", name)]);
                    found = Some(level);
                }
            }
        }
        if found.is_none() && !self.findings.iter().any(|finding| finding.check == "installed") {
            self.find(Grade::Bad, "absent", &[("host", self.host.name())]);
        }
        Ok(found)
    }

    fn shell(&mut self) {
        if self.host == Host::OpenCode {
            return;
        }
        let there = |name: &str| {
            std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
                .any(|place| place.join(name).is_file())
        };
        let grade = if Path::new("/bin/sh").exists() && there("timeout") { Grade::Good } else { Grade::Bad };
        self.find(grade, "shell", &[]);
    }

    fn store(&mut self) {
        let place = self.surroundings.state.display().to_string();
        let fault = match SqliteStore::open(&self.surroundings.state).and_then(|mut store| store.verify()) {
            Err(error) => Some(error.to_string()),
            Ok(()) => self
                .surroundings
                .settings()
                .map_err(|error| error.to_string())
                .and_then(|settings| {
                    engine::check_configuration(self.host, &settings).map_err(|error| error.to_string())
                })
                .err(),
        };
        match fault {
            None => self.find(Grade::Good, "store", &[("place", &place)]),
            Some(fault) => self.find(Grade::Bad, "store", &[("fault", &fault)]),
        }
    }

    /// Every file that could switch the hooks off, at every level.
    fn switches(&mut self, installed: Option<Level>) -> Result<(), Failure> {
        let mut others = 0;
        for (level, _) in LEVELS {
            let Ok(edits) = edits(self.host, &target(self.surroundings, level)?) else { continue };
            for path in edits.iter().flat_map(read_beside) {
                let Ok(Some(text)) = files::read(&path) else { continue };
                others += other_hooks(self.host, &text);
                let harmless = installed == Some(Level::System) && level != Level::System;
                if let Some(key) = switched_off(self.host, &text)
                    && !harmless
                {
                    let path = path.display().to_string();
                    self.find(Grade::Bad, "switch", &[("key", key), ("path", &path)]);
                }
            }
        }
        if installed.is_some() {
            let grade = if installed == Some(Level::System) { Grade::Good } else { Grade::Note };
            if self.host != Host::OpenCode {
                self.find(grade, "project", &[("host", self.host.name())]);
            }
        }
        if others > 0 {
            self.find(Grade::Note, "others", &[("count", &others.to_string())]);
        }
        Ok(())
    }

    /// Codex runs a hook only after a person has trusted exactly its text; only Codex knows.
    fn trust(&mut self) {
        let Some(hooks) = self.binary.clone().and_then(|binary| codex_hooks(&binary)) else {
            return self.find(Grade::Note, "trust", &[]);
        };
        let events = &self.host.facts().install_events;
        let ours: Vec<&Value> = hooks.iter().filter(|hook| hook.to_string().contains("plan-gate")).collect();
        let trusted = |hook: &&&Value| {
            let status = hook.get("trustStatus").and_then(Value::as_str).unwrap_or_default();
            ["trusted", "managed"].contains(&status) && hook.get("enabled") == Some(&json!(true))
        };
        let count = ours.iter().filter(trusted).count();
        let values = [("count", &*count.to_string()), ("all", &*events.len().to_string())];
        let grade = if count >= events.len() && count == ours.len() { Grade::Good } else { Grade::Bad };
        self.find(grade, "trust", &values);
    }

    /// OpenCode: only this variable beats what a project's own configuration allows.
    fn launcher(&mut self) {
        let set = std::env::var("OPENCODE_PERMISSION").ok();
        let closed =
            set.and_then(|text| serde_json::from_str::<Value>(&text).ok()) == Some(json!({"*": "deny"}));
        self.find(if closed { Grade::Good } else { Grade::Bad }, "launcher", &[]);
    }
}

/// The file itself, and the one beside it that a person keeps out of the project.
fn read_beside(edit: &Edit) -> Vec<PathBuf> {
    if edit.path.ends_with("plugin/plan-gate.js") || edit.path.ends_with(".claude.json") {
        return Vec::new();
    }
    vec![edit.path.clone(), edit.path.with_file_name("settings.local.json")]
}

/// Where the host's program is: what was named, or what the path has.
pub fn find_binary(host: Host, named: Option<&Path>) -> Option<PathBuf> {
    if let Some(named) = named {
        return Some(named.to_owned());
    }
    let name = match host {
        Host::ClaudeCode => "claude",
        Host::Codex => "codex",
        Host::GeminiCli => "gemini",
        Host::QwenCode => "qwen",
        Host::OpenCode => "opencode",
    };
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|place| place.join(name))
        .find(|path| path.is_file())
}

/// The first `1.2.3` of what a program says about itself.
fn say_version(binary: &Path) -> Option<String> {
    let mut command = Command::new(binary);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let text = within(command, |pipes| {
        let mut text = String::new();
        pipes.stdout.take(4096).read_to_string(&mut text).ok()?;
        Some(text)
    })?;
    text.split_whitespace()
        .map(|word| word.trim_start_matches('v'))
        .find(|word| numbers(word).len() >= 3)
        .map(str::to_owned)
}

/// `1.2.3-beta` as numbers.
fn numbers(version: &str) -> Vec<u64> {
    let plain = version.split(['-', '+']).next().unwrap_or_default();
    plain.split('.').map_while(|part| part.parse().ok()).collect()
}

/// Asks Codex itself which hooks it would run here.
fn codex_hooks(binary: &Path) -> Option<Vec<Value>> {
    let directory = std::env::current_dir().ok()?;
    let mut command = Command::new(binary);
    command.arg("app-server").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    within(command, move |pipes| {
        let mut input = pipes.stdin?;
        let mut lines = BufReader::new(pipes.stdout).lines().map_while(Result::ok);
        let mut ask = |id: u32, method: &str, params: Value| -> Option<Value> {
            writeln!(input, "{}", json!({"id": id, "method": method, "params": params})).ok()?;
            lines
                .by_ref()
                .filter_map(|line| serde_json::from_str::<Value>(&line).ok())
                .find(|answer| answer.get("id") == Some(&json!(id)))?
                .get("result")
                .cloned()
        };
        ask(
            1,
            "initialize",
            json!({"clientInfo": {"name": "plan-gate", "version": env!("CARGO_PKG_VERSION")}}),
        )?;
        let listed = ask(2, "hooks/list", json!({"cwds": [directory]}))?;
        let entries = listed.get("data")?.as_array()?;
        Some(entries.iter().filter_map(|entry| entry.get("hooks")?.as_array()).flatten().cloned().collect())
    })
}

/// The streams of a child.
struct Pipes {
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
}

/// What `read` makes of a child's output, unless it takes too long; the child is ended either way.
fn within<T: Send + 'static>(
    mut command: Command,
    read: impl FnOnce(Pipes) -> Option<T> + Send + 'static,
) -> Option<T> {
    let mut child = command.spawn().ok()?;
    let pipes = Pipes { stdin: child.stdin.take(), stdout: child.stdout.take()? };
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(read(pipes)));
    let answer = receiver.recv_timeout(PATIENCE).ok().flatten();
    let _ = child.kill();
    let _ = child.wait();
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_as_numbers() {
        assert!(numbers("2.1.332") >= numbers("2.1.295"));
        assert!(numbers("2.1.34") < numbers("2.1.295"));
        assert!(numbers("0.9") < numbers("0.10.1-beta.2"));
        assert_eq!(numbers("1.2.3-beta.4"), [1, 2, 3]);
    }
}
