//! The same question to plan-gate's released library and to what people would pick instead: may this call
//! write this path, when these directories are allowed? Prints one JSON object a line, which the report
//! reads. Every engine is checked for the right answers before it is timed.

mod casbin;
mod cedar;
mod commands;
mod rego;

use plan_gate_benches::library::{Library, WRITE, allows};
use plan_gate_benches::measure::{Effort, Race, Turns};
use plan_gate_benches::questions::{Ask, CONFIG, SIZES, asks, directories, plan, scope_of_paths};
use std::collections::HashSet;

/// Somebody who can say whether a path is inside one of the directories.
pub trait Engine {
    /// Name and set-up.
    fn name(&self) -> &'static str;
    /// The answer.
    fn allows(&mut self, path: &str) -> bool;
}

/// What somebody would write by hand: a set, and a walk over the segments.
struct SetWalk {
    directories: HashSet<String>,
}

impl Engine for SetWalk {
    fn name(&self) -> &'static str {
        "by hand: set walk in Rust (no session, no lock, no normalising)"
    }

    fn allows(&mut self, path: &str) -> bool {
        let mut end = path.len();
        loop {
            if self.directories.contains(&path[..end]) {
                return true;
            }
            match path[..end].rfind('/') {
                Some(slash) => end = slash,
                None => return false,
            }
        }
    }
}

fn main() {
    let effort =
        if std::env::args().any(|argument| argument == "--quick") { Effort::QUICK } else { Effort::FULL };
    let library = Library::load();
    let gate = library.gate(CONFIG);
    for n in SIZES {
        let session = gate.approved(&format!("session {n}"), &plan(&scope_of_paths(n)));
        let directories = directories(n);
        let mut engines: Vec<Box<dyn Engine>> =
            vec![Box::new(SetWalk { directories: directories.iter().cloned().collect() })];
        engines.extend(cedar::engines(&directories, &asks(n)));
        engines.extend(rego::engines(&directories));
        engines.push(Box::new(casbin::KeyMatch::new(&directories)));
        for inside in [true, false] {
            let asks: Vec<Ask> = asks(n).into_iter().filter(|ask| ask.inside == inside).collect();
            let mut race = Race::new();
            for ask in &asks {
                assert_eq!(allows(session.check_effect("write", WRITE, &ask.path)), inside, "{}", ask.path);
            }
            let mut turns = Turns::new(&asks);
            race.add("plan-gate", || session.check_effect("write", WRITE, &turns.next().path));
            for engine in &mut engines {
                let name = engine.name();
                for ask in &asks {
                    assert_eq!(engine.allows(&ask.path), inside, "{name}: {}", ask.path);
                }
                let mut turns = Turns::new(&asks);
                race.add(name, move || engine.allows(&turns.next().path));
            }
            let times = race.run(effort);
            for name in times.names() {
                let line = serde_json::json!({
                    "question": if inside { "inside" } else { "outside" }, "entries": n, "engine": name,
                    "ns": times.ns(name), "ratio": times.ratio(name, "plan-gate"),
                });
                println!("{line}");
            }
        }
    }
    commands::run(effort);
}
