//! The arrows between the crates point inward, and nowhere else.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;

/// Crate, and every crate of the workspace it may know.
const ARROWS: [(&str, &[&str]); 14] = [
    ("plan-gate-core", &[]),
    ("plan-gate-classifier", &["plan-gate-core"]),
    ("plan-gate-scope-matcher", &["plan-gate-core"]),
    ("plan-gate-state-machine", &["plan-gate-core"]),
    ("plan-gate-plan-mode", &["plan-gate-core"]),
    (
        "plan-gate",
        &[
            "plan-gate-classifier",
            "plan-gate-core",
            "plan-gate-plan-mode",
            "plan-gate-scope-matcher",
            "plan-gate-state-machine",
        ],
    ),
    ("plan-gate-ffi", &["plan-gate"]),
    ("plan-gate-cdylib", &["plan-gate-ffi"]),
    // Beside the decision path: what keeps sessions between processes, and what speaks with hosts.
    ("plan-gate-store", &["plan-gate-core"]),
    ("plan-gate-hosts", &["plan-gate", "plan-gate-core", "plan-gate-store"]),
    ("plan-gate-mcp", &["plan-gate", "plan-gate-core"]),
    (
        "plan-gate-cli",
        &[
            "plan-gate",
            "plan-gate-core",
            "plan-gate-hosts",
            "plan-gate-mcp",
            "plan-gate-scope-matcher",
            "plan-gate-store",
        ],
    ),
    ("plan-gate-tests", &["plan-gate"]),
    (
        "plan-gate-benches",
        &[
            "plan-gate",
            "plan-gate-classifier",
            "plan-gate-core",
            "plan-gate-ffi",
            "plan-gate-plan-mode",
            "plan-gate-scope-matcher",
            "plan-gate-state-machine",
        ],
    ),
];

fn metadata() -> Value {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn arrows_point_inward_only() {
    let arrows: BTreeMap<&str, &[&str]> = ARROWS.into_iter().collect();
    for package in metadata()["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        let allowed = arrows.get(name).unwrap_or_else(|| panic!("{name} has no place among the layers"));
        for dependency in package["dependencies"].as_array().unwrap() {
            let other = dependency["name"].as_str().unwrap();
            let ours = other == "plan-gate" || other.starts_with("plan-gate-");
            if ours && dependency["kind"] != "dev" {
                assert!(allowed.contains(&other), "{name} must not know {other}");
            }
        }
    }
}

/// What embedders link never pulls in what only the command line needs.
#[test]
fn the_decision_path_links_no_tools() {
    let kept_out = ["rusqlite", "clap", "rmcp", "tokio", "indicatif", "tracing", "regex"];
    for package in metadata()["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        let beside = [
            "plan-gate-store",
            "plan-gate-hosts",
            "plan-gate-mcp",
            "plan-gate-cli",
            "plan-gate-tests",
            "plan-gate-benches",
        ];
        if beside.contains(&name) {
            continue;
        }
        for dependency in package["dependencies"].as_array().unwrap() {
            let other = dependency["name"].as_str().unwrap();
            assert!(
                dependency["kind"] == "dev" || !kept_out.contains(&other),
                "{name} must not link {other}"
            );
        }
    }
}
