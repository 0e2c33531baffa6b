//! Taking command lines apart: ours beside a word splitter that sees no operators, and a full parser.

use plan_gate_benches::measure::{Effort, Race, Turns};
use plan_gate_benches::questions::everyday_commands;
use plan_gate_benches::split;

/// Prints a line for each.
pub fn run(effort: Effort) {
    let lines = everyday_commands();
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).expect("the grammar loads");
    let mut race = Race::new();
    let mut turns = [Turns::new(&lines), Turns::new(&lines), Turns::new(&lines)];
    let [ours, words, tree] = &mut turns;
    race.add("plan-gate", || split(ours.next()));
    race.add("shlex: words only, no operators", || shlex::split(words.next()));
    race.add("tree-sitter-bash: parse only, no names read", || {
        parser.reset();
        parser.parse(tree.next(), None)
    });
    let times = race.run(effort);
    for name in times.names() {
        let line = serde_json::json!({
            "question": "split", "entries": lines.len(), "engine": name,
            "ns": times.ns(name), "ratio": times.ratio(name, "plan-gate"),
        });
        println!("{line}");
    }
}
