//! The machine in words.

use plan_gate_benches::library::Library;
use std::fs;
use std::process::Command;

/// What ran where.
pub fn words() -> String {
    let cpu = line("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown processor".to_owned());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = line("/proc/meminfo", "MemTotal").unwrap_or_default();
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("?").to_owned();
    let bytes = fs::metadata(Library::path()).map_or(0, |file| file.len());
    format!(
        "{cpu}, {cores} cores, {memory} memory, {}; {}; load average {load} when this was written: read \
         ratios, not single nanoseconds. The library is the release build, {bytes} bytes, through its C \
         interface, unless a row says otherwise.",
        said("uname", &["-sr"]),
        said("rustc", &["--version"]),
    )
}

/// Today, as `2026-11-30`.
pub fn date() -> String {
    said("date", &["-u", "+%F"])
}

fn line(file: &str, key: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}
