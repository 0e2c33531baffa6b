//! `include/` is generated: the header's text, the exported names and the layout of its struct. Each is
//! committed, so that a reviewer sees every change of the C interface, and compared here.
//! `PLAN_GATE_BLESS=1 cargo test -p plan-gate-ffi --test header` rewrites them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use plan_gate_ffi::plan_gate_buf;
use std::collections::BTreeSet;
use std::fs;
use std::mem::{align_of, offset_of, size_of};
use std::path::{Path, PathBuf};

fn include(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include").join(name)
}

fn compare(name: &str, fresh: &str) {
    let path = include(name);
    if std::env::var_os("PLAN_GATE_BLESS").is_some() {
        fs::write(&path, fresh).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == fresh,
        "{} is not what the source generates; PLAN_GATE_BLESS=1 rewrites it",
        path.display()
    );
}

fn header() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let after = config.after_includes.take().unwrap();
    let version = [
        ("@MAJOR@", env!("CARGO_PKG_VERSION_MAJOR")),
        ("@MINOR@", env!("CARGO_PKG_VERSION_MINOR")),
        ("@PATCH@", env!("CARGO_PKG_VERSION_PATCH")),
    ];
    config.after_includes = Some(version.iter().fold(after, |text, (mark, part)| text.replace(mark, part)));
    let mut builder = cbindgen::Builder::new().with_config(config);
    for source in ["abi", "buf", "gate", "session", "mode"] {
        builder = builder.with_src(root.join(format!("src/{source}.rs")));
    }
    let mut out = Vec::new();
    builder.generate().unwrap().write(&mut out);
    tidy(&String::from_utf8(out).unwrap())
}

/// What a C caller must promise stands in the header's own words, not as Rust's `# Safety` section;
/// declarations are set one way, and results that must be looked at are marked.
fn tidy(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    // Long declarations come with their prefix on a line of its own.
    let joined = text.replace("\nPLAN_GATE_API\n", "\nPLAN_GATE_API ");
    let mut lines = joined.lines();
    while let Some(line) = lines.next() {
        let line = line.trim_end();
        if line == "// # Safety" {
            out.push("// Pointers:".to_owned());
        } else if line == "//" && out.last().is_some_and(|last| last == "// Pointers:") {
            // One empty comment line before the heading is enough.
        } else if let Some(declaration) = line.strip_prefix("PLAN_GATE_API ") {
            let mut whole = declaration.to_owned();
            while !whole.ends_with(';') {
                whole.push(' ');
                whole.push_str(lines.next().unwrap().trim());
            }
            out.push(declare(&whole));
        } else {
            out.push(line.to_owned());
        }
    }
    out.join("\n") + "\n"
}

fn declare(declaration: &str) -> String {
    let must_use = ["uint64_t ", "plan_gate_decision ", "plan_gate_status ", "bool "]
        .iter()
        .any(|kind| declaration.starts_with(kind));
    let marks = if must_use { "PLAN_GATE_MUST_USE PLAN_GATE_API" } else { "PLAN_GATE_API" };
    let one_line = format!("{marks} {declaration}");
    if one_line.len() <= 90 {
        return one_line;
    }
    let (name, arguments) = declaration.split_once('(').unwrap();
    format!("{marks} {name}(\n    {}", arguments.replace(", ", ",\n    "))
}

fn names_in_header() -> BTreeSet<String> {
    header()
        .lines()
        .filter(|line| line.contains("PLAN_GATE_API ") && !line.starts_with('#'))
        .map(|line| {
            let before = line.split('(').next().unwrap();
            before.rsplit([' ', '*']).next().unwrap().to_owned()
        })
        .collect()
}

/// `#[unsafe(no_mangle)]` functions of the source, without those of the test feature.
fn names_in_source() -> BTreeSet<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut names = BTreeSet::new();
    for file in fs::read_dir(source).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            let Some(name) = line.split(" fn plan_gate").nth(1).filter(|_| line.contains("extern \"C\""))
            else {
                continue;
            };
            assert_eq!(lines[index - 1], "#[unsafe(no_mangle)]", "{line}");
            if lines[index - 2] != "#[cfg(feature = \"fault-injection\")]" {
                names.insert(format!("plan_gate{}", name.split('(').next().unwrap()));
            }
        }
    }
    names
}

#[test]
fn the_header_is_what_the_source_says() {
    compare("plan_gate.h", &header());
}

#[test]
fn every_exported_function_is_in_the_header_and_on_the_list() {
    let names = names_in_header();
    assert_eq!(names, names_in_source());
    assert!(names.len() > 15);
    compare("plan_gate.sym", &(names.into_iter().collect::<Vec<_>>().join("\n") + "\n"));
}

#[test]
fn the_layout_is_frozen() {
    let layout = serde_json::json!({
        "abi": plan_gate_ffi::PLAN_GATE_ABI_VERSION,
        "pointer": size_of::<usize>(),
        "plan_gate_buf": {
            "size": size_of::<plan_gate_buf>(),
            "align": align_of::<plan_gate_buf>(),
            "data": offset_of!(plan_gate_buf, data),
            "len": offset_of!(plan_gate_buf, len),
            "cap": offset_of!(plan_gate_buf, cap),
        },
    });
    compare("plan_gate.layout.json", &(serde_json::to_string_pretty(&layout).unwrap() + "\n"));
}
