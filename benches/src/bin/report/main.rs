//! Measures everything and writes `record/DATE.md` with its plots. `report [--quick] [--only SECTION]…`
//!
//! Sections: decisions, growth, sessions, threads, counts, peers. Peers that are not built or installed are
//! skipped, and the record says so.

mod counts;
mod decisions;
mod goals;
mod growth;
mod machine;
mod peers;
mod plot;
mod record;
mod sessions;
mod threads;

use plan_gate_benches::measure::Effort;
use record::Record;
use std::error::Error;

type Section = fn(&mut Record, Effort) -> Result<(), Box<dyn Error>>;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(order) = sessions::order(&arguments) {
        // A process of its own, so that its memory is its own.
        println!("{}", serde_json::to_string(&sessions::measure(order))?);
        return Ok(());
    }
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let effort = if quick { Effort::QUICK } else { Effort::FULL };
    let only: Vec<&str> =
        arguments.windows(2).filter(|pair| pair[0] == "--only").map(|pair| pair[1].as_str()).collect();
    let mut record = Record::new(quick);
    let sections: [(&str, Section); 6] = [
        ("decisions", decisions::run),
        ("growth", growth::run),
        ("sessions", sessions::run),
        ("threads", threads::run),
        ("counts", counts::run),
        ("peers", peers::run),
    ];
    for (name, run) in sections {
        if only.is_empty() || only.contains(&name) {
            eprintln!("{name} …");
            run(&mut record, effort)?;
        }
    }
    println!("{}", goals::table(&record));
    if only.is_empty() {
        println!("written: {}", record.write()?);
    }
    Ok(())
}
