//! Instructions and allocations, from the program that counts them.

use crate::record::Record;
use plan_gate_benches::measure::Effort;
use std::error::Error;
use std::process::Command;
use std::{env, io};

/// The section.
pub fn run(record: &mut Record, _: Effort) -> Result<(), Box<dyn Error>> {
    let program = env::current_exe()?.with_file_name(format!("counts{}", env::consts::EXE_SUFFIX));
    let output = match Command::new(program).arg("--json").output() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        output => output?,
    };
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let found: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    record.section("Counts", "One call of each hot way: what does not depend on how busy the machine is.");
    let mut rows = Vec::new();
    for (name, blocks) in found["blocks"].as_object().into_iter().flatten() {
        rows.push(vec![name.clone(), found["instructions"][name].to_string(), blocks.to_string()]);
        record.set(format!("blocks: {name}"), blocks.as_f64().unwrap_or(f64::NAN));
    }
    record.rows(&["", "instructions", "allocated blocks"], &rows);
    Ok(())
}
