//! `plan-gate try`: one person plays model and user, and watches the state.

use crate::failure::{Failure, Outcome, complain};
use crate::out::{ASK, BAD, FAINT, GOOD, Out, STRONG, line, padded, paint};
use crate::replay::log::{Entry, Format, Said, Sent};
use crate::replay::player::{ONLY, Player};
use crate::replay::show::Show;
use crate::setting::{GateOptions, Setting};
use crate::words::{Tongue, Words};
use clap::Args;
use plan_gate::plan_mode::{Next, PlanMode, Settled};
use plan_gate::{Gate, Outside, ScopeList, Source, StateView};
use serde_json::{Map, Value, json};
use std::io::{self, BufRead, IsTerminal, Write};

/// Plan mode needs some guidance to be on at all; here nobody reads it.
const GUIDANCE: &[u8] = br#"{"section":"Plan first."}"#;

#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    gate: GateOptions,
}

pub fn run(options: &Options, tongue: Tongue) -> Result<Outcome, Failure> {
    let setting = options.gate.read(tongue)?;
    let typed = io::stdin().is_terminal();
    let mut table = Table {
        tongue,
        out: Out::for_people(),
        player: Player::new(setting.clone()),
        show: Show::by_hand(tongue),
        mode: PlanMode::new(GUIDANCE)?,
        setting,
        typed,
        faults: 0,
    };
    table.play(Some(ONLY), Said::Opens { parent: None, root: None })?;
    if typed {
        writeln!(table.out, "{}", table.words().plain("try.intro"))?;
    }
    while let Some(command) = table.ask(None)? {
        if matches!(command.trim(), "quit" | "exit") {
            break;
        }
        table.command(command.trim())?;
    }
    table.out.flush()?;
    Ok(if table.faults > 0 && !typed { Outcome::Faults } else { Outcome::Fine })
}

/// What lies on the table.
struct Table {
    tongue: Tongue,
    out: Out,
    player: Player,
    show: Show,
    mode: PlanMode,
    setting: Setting,
    /// Whether a person types; else the commands come from a pipe and are shown, so that the output can
    /// be read alone.
    typed: bool,
    faults: usize,
}

impl Table {
    fn words(&self) -> Words {
        let language = self.player.state(None).map(|state| state.language).unwrap_or_default();
        self.tongue.beside(language)
    }

    /// The next line; `None` at the end.
    fn ask(&mut self, what: Option<&str>) -> Result<Option<String>, Failure> {
        let words = self.words();
        let prompt = match (what, self.player.state(None)) {
            (Some(what), _) => format!("  {}: ", paint(FAINT, what)),
            (None, Some(state)) => prompt(&state, words),
            (None, None) => String::new(),
        };
        if self.typed {
            write!(self.out, "{prompt}")?;
            self.out.flush()?;
        }
        let mut bytes = Vec::new();
        if io::stdin().lock().read_until(b'\n', &mut bytes)? == 0 {
            if self.typed {
                writeln!(self.out)?;
            }
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
        if !self.typed && !text.trim().is_empty() {
            writeln!(self.out, "{prompt}{}", paint(STRONG, &line(&text)))?;
        }
        Ok(Some(text))
    }

    fn command(&mut self, command: &str) -> Result<(), Failure> {
        let (word, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        let rest = rest.trim();
        match word {
            "" => Ok(()),
            "help" | "?" if rest.is_empty() => self.tell("try.help"),
            "state" if rest.is_empty() => self.state(),
            "explain" if !rest.is_empty() => {
                let gate = Gate::with_config(&self.setting.config_for("generic", None))?;
                let words = self.words();
                crate::classify::show(&gate, rest, true, words, &mut self.out)
            }
            "call" => self.call(None, rest),
            "propose" => self.propose(None, rest),
            "spawn" if rest.is_empty() => self.fault("try.spawn_what", &[]),
            "spawn" => self.play(Some(rest), Said::Opens { parent: Some(ONLY.to_owned()), root: None }),
            "as" => self.act_as(rest),
            "model" => self.say(None, Source::Assistant, rest),
            "yes!" | "no!" if rest.is_empty() => self.press(word == "yes!"),
            "/plan" => self.plan_mode(rest),
            "say" => self.say(None, Source::User, rest),
            _ if word.starts_with('/') => self.fault("try.unknown", &[("command", &line(word))]),
            _ => self.say(None, Source::User, command),
        }
    }

    fn act_as(&mut self, rest: &str) -> Result<(), Failure> {
        let mut parts = rest.splitn(3, char::is_whitespace);
        let (id, word, rest) = (parts.next(), parts.next(), parts.next().unwrap_or_default().trim());
        match (id, word) {
            (Some(id), Some("call")) => self.call(Some(id), rest),
            (Some(id), Some("propose")) => self.propose(Some(id), rest),
            (Some(id), Some("say")) => self.say(Some(id), Source::User, rest),
            _ => self.fault("try.as_what", &[]),
        }
    }

    fn call(&mut self, session: Option<&str>, rest: &str) -> Result<(), Failure> {
        let (tool, args) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if tool.is_empty() {
            return self.fault("try.call_what", &[]);
        }
        let args = if args.trim().is_empty() { "{}" } else { args.trim() };
        self.play(session, Said::Call { tool: tool.to_owned(), args: args.to_owned(), call: None })
    }

    fn say(&mut self, session: Option<&str>, source: Source, text: &str) -> Result<(), Failure> {
        let text = text.to_owned();
        self.play(session, Said::Message { source, text, attachments: false, sent: Sent::Now, aside: false })
    }

    fn propose(&mut self, session: Option<&str>, rest: &str) -> Result<(), Failure> {
        let plan = if rest.is_empty() { self.guided()?.to_string() } else { rest.to_owned() };
        self.play(session, Said::Propose { plan, call: None, counts: true })
    }

    /// Asks for the parts of a plan.
    fn guided(&mut self) -> Result<Value, Failure> {
        let mut plan = Map::new();
        for key in ["title", "plan"] {
            let question = self.words().plain(&format!("try.ask.{key}"));
            let text = self.ask(Some(&question))?.unwrap_or_default();
            plan.insert(key.to_owned(), json!(text.trim()));
        }
        for list in ScopeList::ALL {
            let question = self.words().plain(&format!("try.ask.{}", list.name()));
            let text = self.ask(Some(&question))?.unwrap_or_default();
            let entries = text.split([',', '，', '、']).map(str::trim).filter(|entry| !entry.is_empty());
            plan.insert(list.name().to_owned(), json!(entries.collect::<Vec<_>>()));
        }
        Ok(Value::Object(plan))
    }

    fn play(&mut self, session: Option<&str>, said: Said) -> Result<(), Failure> {
        let entry = Entry { session: Some(session.unwrap_or(ONLY).to_owned()), said };
        match self.player.play(Format::Own, entry) {
            Ok(step) => self.show.step(&mut self.out, Format::Own, &self.player, &step),
            Err(message) => {
                self.out.flush()?;
                self.faults += 1;
                complain(&message);
                Ok(())
            }
        }
    }

    fn press(&mut self, approve: bool) -> Result<(), Failure> {
        let words = self.words();
        match self.player.press(approve).map_err(Failure::Failed)? {
            None => self.tell("try.nothing_waits"),
            Some(settlement) => {
                let settlement = words.plain(&format!("settle.{}", settlement.name()));
                let text = words.text("try.pressed", &[("settlement", &settlement)]);
                writeln!(self.out, "         → {text}")?;
                Ok(())
            }
        }
    }

    /// `/plan`: between turns, so a selection is in the log at once.
    fn plan_mode(&mut self, rest: &str) -> Result<(), Failure> {
        let language = self.words().0;
        let host = plan_gate::plan_mode::Host { language, ..self.mode.host().clone() };
        self.mode.set_host(host);
        let answer = match self.mode.command(rest, 0)? {
            Next::Done(answer) => answer,
            Next::Append(_) => match self.mode.appended(true)? {
                Settled::Command(answer) => answer,
                Settled::Selection(_) | Settled::Step(_) => return Ok(()),
            },
        };
        writeln!(self.out, "         ⌂ {}", answer.say)?;
        match answer.message {
            Some(message) => self.say(None, Source::User, &message.text),
            None => Ok(()),
        }
    }

    fn tell(&mut self, key: &str) -> Result<(), Failure> {
        writeln!(self.out, "{}", self.words().plain(key))?;
        Ok(())
    }

    fn fault(&mut self, key: &str, values: &[(&str, &str)]) -> Result<(), Failure> {
        self.faults += 1;
        self.out.flush()?;
        complain(&self.words().text(key, values));
        Ok(())
    }

    fn state(&mut self) -> Result<(), Failure> {
        let words = self.words();
        let Some(state) = self.player.state(None) else { return Ok(()) };
        let mut rows = vec![("state.phase", words.plain(&format!("phase.{}", state.phase)))];
        if let Some(draft) = &state.draft {
            rows.push(("state.draft", format!("{}  {}", line(&draft.title), draft.id)));
        }
        if let Some(note) = &state.amendment {
            rows.push(("state.amendment", line(note)));
        }
        if let Some(title) = &state.title {
            rows.push(("state.plan", line(title)));
        }
        let lists: Vec<(String, String)> = state
            .scope
            .iter()
            .flat_map(|scope| ScopeList::ALL.into_iter().map(move |list| (list, scope.list(list))))
            .filter(|(_, entries)| !entries.is_empty())
            .map(|(list, entries)| {
                let entries: Vec<String> = entries.iter().map(|entry| line(entry)).collect();
                (format!("list.{}", list.name()), entries.join(", "))
            })
            .collect();
        rows.extend(lists.iter().map(|(key, entries)| (key.as_str(), entries.clone())));
        if !state.granted.is_empty() {
            rows.push(("state.granted", effects(&state.granted, words)));
        }
        if let Some(held) = &state.held {
            rows.push(("state.held", format!("{}  {}", effects(&held.outside, words), held.id)));
        }
        let stance = if self.mode.get()?.active { "stance.on" } else { "stance.off" };
        rows.push(("state.mode", words.plain(stance)));
        for (key, text) in rows {
            writeln!(self.out, "  {}  {text}", paint(FAINT, &padded(&words.plain(key), 8)))?;
        }
        Ok(())
    }
}

fn effects(outside: &[Outside], words: Words) -> String {
    let effect =
        |one: &Outside| words.text(&format!("effect.{}", one.kind.name()), &[("value", &line(&one.value))]);
    outside.iter().map(effect).collect::<Vec<_>>().join(", ")
}

fn prompt(state: &StateView, words: Words) -> String {
    let style = match state.phase {
        "approved" if state.held.is_none() => GOOD,
        "closed" => BAD,
        _ => ASK,
    };
    let phase = if state.held.is_some() { "held" } else { state.phase };
    let phase = words.plain(&format!("phase.{phase}"));
    format!("{} ", paint(style, &format!("[{phase}] ›")))
}
