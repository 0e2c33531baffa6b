//! What does not depend on how busy the machine is: instructions (callgrind) and allocated blocks of the
//! hot ways, compared with `baseline/`. More than 5 % more instructions, or one block more, fails.
//! `PLAN_GATE_BLESS=1` rewrites the baseline; instructions depend on the compiler, so it names its own.

use plan_gate_benches::allocations::{self, Counting};
use plan_gate_benches::hot::{WAYS, Way};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::error::Error;
use std::process::Command;
use std::{env, fs};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Calls under callgrind; a run with twice as many is taken beside it, so that what only the first call
/// pays does not count.
const CALLS: u64 = 200;

/// Tolerance for instructions.
const TOLERANCE: f64 = 1.05;

const BASELINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/baseline/counts.json");

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Baseline {
    compiler: String,
    instructions: BTreeMap<String, u64>,
    blocks: BTreeMap<String, u64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut now = Baseline { compiler: compiler()?, instructions: BTreeMap::new(), blocks: BTreeMap::new() };
    for (name, blocks) in allocations::table() {
        now.blocks.insert(name.to_owned(), blocks);
    }
    for way in WAYS {
        let more = collected(way, 2 * CALLS)?.saturating_sub(collected(way, CALLS)?);
        now.instructions.insert(way.name.to_owned(), more / CALLS);
    }
    if env::args().any(|argument| argument == "--json") {
        println!("{}", serde_json::to_string(&now)?);
        return Ok(());
    }
    if env::var_os("PLAN_GATE_BLESS").is_some() {
        fs::write(BASELINE, serde_json::to_string_pretty(&now)? + "\n")?;
        println!("written: {BASELINE}");
        return Ok(());
    }
    let known: Baseline = serde_json::from_str(&fs::read_to_string(BASELINE)?)?;
    if compare(&known, &now) { Ok(()) } else { Err("slower than the baseline; see above".into()) }
}

/// Prints a line for each way; whether none of them got worse.
fn compare(known: &Baseline, now: &Baseline) -> bool {
    let same_compiler = known.compiler == now.compiler;
    if !same_compiler {
        println!("note: baseline of {}, this is {}: instructions not compared", known.compiler, now.compiler);
    }
    let mut good = true;
    for way in WAYS {
        let (instructions, blocks) = (now.instructions[way.name], now.blocks[way.name]);
        let was = known.instructions.get(way.name).copied().unwrap_or(0);
        let ratio = instructions as f64 / was as f64;
        let slower = same_compiler && ratio > TOLERANCE;
        let more = blocks > known.blocks.get(way.name).copied().unwrap_or(0);
        good &= !slower && !more;
        println!(
            "bench: {:<24}{instructions:>8} instructions ({ratio:.2} of the baseline){}, {blocks} blocks{}",
            way.name,
            if slower { " TOO MANY" } else { "" },
            if more { " TOO MANY" } else { "" },
        );
    }
    good
}

/// Instructions inside the way's function, all that it calls included.
fn collected(way: Way, calls: u64) -> Result<u64, Box<dyn Error>> {
    let driver = env::current_exe()?.with_file_name(format!("hot{}", env::consts::EXE_SUFFIX));
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(format!("--toggle-collect={}", way.function))
        .arg(driver)
        .args([way.name, &calls.to_string()])
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected : ").map(|(_, number)| number));
    match (output.status.success(), collected) {
        (true, Some(number)) => Ok(number.trim().parse()?),
        _ => Err(format!("callgrind of `{}`: {said}", way.name).into()),
    }
}

fn compiler() -> Result<String, Box<dyn Error>> {
    let output = Command::new("rustc").arg("--version").output()?;
    let host = format!("{}-{}", env::consts::ARCH, env::consts::OS);
    Ok(format!("{} on {host}", String::from_utf8(output.stdout)?.trim()))
}
