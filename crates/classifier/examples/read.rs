//! Reads replies and says why: `cargo run -p plan-gate-classifier --example read -- "ok, but wait"`, or
//! one reply a line on standard input (`\n` stands for a line break).

#![allow(clippy::print_stdout, reason = "a program for people")]

use plan_gate_classifier::Classifier;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let classifier = Classifier::new(&[])?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if !arguments.is_empty() {
        for text in arguments {
            println!("{}", serde_json::to_string_pretty(&classifier.explain(&text))?);
        }
        return Ok(());
    }
    for line in std::io::stdin().lines() {
        let text = line?.replace("\\n", "\n");
        let reading = classifier.classify(&text);
        println!("{}\t{}\t{text:?}\t{:?}", reading.kind.name(), reading.rule, reading.note.unwrap_or(""));
    }
    Ok(())
}
