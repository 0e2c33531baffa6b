//! `plan-gate match`: what an approved session with this scope would answer to a call.

use crate::classify::finish;
use crate::failure::{Failure, Outcome};
use crate::lines::{on_one_line, piped};
use crate::out::{ASK, BAD, FAINT, GOOD, Out, line, padded, paint, width, wrapped};
use crate::setting::{GateOptions, profile_name};
use crate::words::{Tongue, Words};
use clap::Args;
use plan_gate::{Config, Error, Gate, MatchAnswer, Scope};
use plan_gate_core::{CommandCase, Dialect, PathStyleChoice, ProfileChoice, json};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::io::Write;

#[derive(Debug, Args)]
pub struct Options {
    #[arg(long, value_name = "NAME", required_unless_present = "jsonl")]
    tool: Option<String>,
    #[arg(long, value_name = "JSON", requires = "tool")]
    args: Option<String>,
    #[arg(long, value_name = "NAME", num_args = 1..)]
    tools: Vec<String>,
    #[arg(long, value_name = "PATH", num_args = 1..)]
    files: Vec<String>,
    #[arg(long, value_name = "LINE", num_args = 1..)]
    commands: Vec<String>,
    #[arg(long, value_name = "URL", num_args = 1..)]
    urls: Vec<String>,
    #[arg(long, value_name = "KIND", num_args = 1..)]
    agents: Vec<String>,
    #[arg(long)]
    explain: bool,
    #[arg(long, conflicts_with_all = ["tool", "args", "tools", "files", "commands", "urls", "agents"])]
    jsonl: bool,
    #[arg(long, conflicts_with = "jsonl")]
    json: bool,
    #[command(flatten)]
    gate: GateOptions,
}

/// A line of `--jsonl`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Asked {
    scope: Scope,
    call: Call,
    #[serde(default)]
    profile: Option<ProfileChoice>,
    #[serde(default)]
    root: Option<String>,
    #[serde(default)]
    path_style: Option<PathStyleChoice>,
    #[serde(default)]
    command_case: Option<CommandCase>,
    #[serde(default)]
    shell: Option<Dialect>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    tool: String,
    args: Box<RawValue>,
}

#[derive(Serialize)]
struct Judged<'a> {
    decision: &'a str,
    outside: &'a [plan_gate::Outside],
    why: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    detail: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    faults: &'a [plan_gate::FaultText],
    /// Set for a line that could not be judged; the decision is a refusal then.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

impl<'a> From<&'a MatchAnswer> for Judged<'a> {
    fn from(answer: &'a MatchAnswer) -> Self {
        Self {
            decision: answer.decision,
            outside: &answer.outside,
            why: answer.why,
            detail: &answer.detail,
            faults: &answer.faults,
            error: None,
        }
    }
}

pub fn run(options: &Options, tongue: Tongue) -> Result<Outcome, Failure> {
    let words = tongue.words();
    let setting = options.gate.read(tongue)?;
    if options.jsonl {
        return by_line(setting.config(), words);
    }
    let gate = Gate::with_config(setting.config())?;
    let scope = Scope {
        tools: options.tools.clone(),
        files: options.files.clone(),
        commands: options.commands.clone(),
        urls: options.urls.clone(),
        agents: options.agents.clone(),
    };
    let tool = options.tool.as_deref().unwrap_or_default();
    let args = options.args.as_deref().unwrap_or("{}");
    let answer = gate.match_call(&scope, tool, args.as_bytes());
    if options.json {
        let mut out = Out::for_programs();
        out.json(&Judged::from(&answer))?;
        out.flush()?;
        return Ok(Outcome::Fine);
    }
    let mut out = Out::for_people();
    show(&answer, tool, words, &mut out)?;
    if options.explain {
        explain(&scope, tool, args, setting.config(), words, &mut out)?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

fn by_line(base: &Config, words: Words) -> Result<Outcome, Failure> {
    let mut lines = piped(words, "--jsonl")?;
    let mut gates = Gates { base: base.clone(), made: HashMap::new() };
    let mut out = Out::for_programs();
    let (mut read, mut bad) = (0_usize, Vec::new());
    while let Some(line) = lines.next()? {
        read += 1;
        let answer =
            line.bytes.and_then(|bytes| gates.judge(&bytes).map_err(|error| on_one_line(error.message())));
        match &answer {
            Ok(answer) => out.json(&Judged::from(answer))?,
            Err(error) => {
                bad.push(line.number);
                // What cannot be judged is refused, also for a reader who looks at nothing else.
                let refused = Judged {
                    decision: "refuse",
                    outside: &[],
                    why: "unavailable",
                    detail: "",
                    faults: &[],
                    error: Some(error),
                };
                out.json(&refused)?;
            }
        }
        if lines.would_wait() {
            out.flush()?;
        }
    }
    out.flush()?;
    finish(read, &bad, words)
}

/// One gate for each setting that lines ask for.
struct Gates {
    base: Config,
    made: HashMap<String, Result<Gate, Error>>,
}

impl Gates {
    fn judge(&mut self, line: &[u8]) -> Result<MatchAnswer, Error> {
        let asked: Asked = json::from_slice(line, usize::MAX)?;
        let Asked { scope, call, profile, root, path_style, command_case, shell } = asked;
        let profile_key = match &profile {
            None => String::new(),
            Some(ProfileChoice::Named(name)) => name.clone(),
            Some(ProfileChoice::Inline(raw)) => raw.get().to_owned(),
        };
        let key = format!("{profile_key}\0{root:?}\0{path_style:?}\0{command_case:?}\0{shell:?}");
        let gate = match self.made.get(&key) {
            Some(gate) => gate.clone(),
            None => {
                let mut config = self.base.clone();
                config.profile = profile.unwrap_or(config.profile);
                config.root = root.or(config.root);
                config.path_style = path_style.unwrap_or(config.path_style);
                config.command_case = command_case.unwrap_or(config.command_case);
                config.shell = shell.or(config.shell);
                let gate = Gate::with_config(&config);
                self.made.insert(key, gate.clone());
                gate
            }
        };
        Ok(gate?.match_call(&scope, &call.tool, call.args.get().as_bytes()))
    }
}

fn show(answer: &MatchAnswer, tool: &str, words: Words, out: &mut Out) -> Result<(), Failure> {
    let (style, sign) = match answer.decision {
        "allow" => (GOOD, "✓"),
        "hold" => (ASK, "?"),
        _ => (BAD, "✗"),
    };
    let decision = paint(style.bold(), &format!("{sign} {}", answer.decision));
    let why = words.text(&format!("reason.{}", answer.why), &[("tool", &line(tool))]);
    writeln!(out, "{decision}  {why}")?;
    if !answer.detail.is_empty() {
        for detail in wrapped(&answer.detail, width().saturating_sub(4)) {
            writeln!(out, "  {detail}")?;
        }
    }
    for fault in &answer.faults {
        writeln!(out, "  {}", line(&fault.text))?;
    }
    for outside in &answer.outside {
        writeln!(out, "  {}", outside_line(outside, words))?;
    }
    Ok(())
}

/// One thing outside a scope, why, and what comes near it.
pub fn outside_line(outside: &plan_gate::Outside, words: Words) -> String {
    let value = line(&outside.value);
    let effect = words.text(&format!("effect.{}", outside.kind.name()), &[("value", &value)]);
    let why = words.find(&format!("outside.{}", outside.why)).unwrap_or_else(|| outside.why.clone());
    let near = match &outside.nearest {
        Some(nearest) => words.text("match.nearest", &[("entry", &line(nearest))]),
        None => String::new(),
    };
    format!("{} — {why}{near}", paint(ASK, &effect))
}

fn explain(
    scope: &Scope,
    tool: &str,
    args: &str,
    config: &Config,
    words: Words,
    out: &mut Out,
) -> Result<(), Failure> {
    let row =
        |label: &str, text: &str| format!("  {}  {text}", paint(FAINT, &padded(&words.plain(label), 8)));
    writeln!(out)?;
    writeln!(out, "{}", row("match.call", &format!("{} {}", line(tool), line(args))))?;
    let root = config.root.as_deref().map(line).unwrap_or_else(|| words.plain("match.no_root"));
    writeln!(out, "{}", row("match.profile", &profile_name(config)))?;
    writeln!(out, "{}", row("match.root", &root))?;
    if scope.is_empty() {
        writeln!(out, "{}", row("match.scope", &words.plain("match.empty_scope")))?;
    }
    for list in plan_gate::ScopeList::ALL {
        for entry in scope.list(list) {
            writeln!(out, "{}", row(&format!("list.{}", list.name()), &line(entry)))?;
        }
    }
    Ok(())
}
