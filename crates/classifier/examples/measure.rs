//! Measures the classifier on labelled replies.
//!
//! `cargo run -p plan-gate-classifier --example measure -- DIR [--list FILE] [--misses]`
//!
//! Every `*.jsonl` file of the folder is read: an object a line with `text`, `label` (approve, amend,
//! other; anything else is only counted) and, if there is one, `lang`. For each file it prints how many
//! approvals were recognised and every reply that was taken for one and is none.

#![allow(clippy::print_stdout, reason = "a program for people")]

use plan_gate_classifier::Classifier;
use plan_gate_core::ReplyKind;
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
struct Line {
    text: String,
    label: String,
    #[serde(default)]
    lang: String,
}

#[derive(Default)]
struct Counts {
    lines: usize,
    approvals: usize,
    recognised: usize,
    false_approvals: usize,
    other_as_amend: usize,
    amend_as_other: usize,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.iter().find(|argument| !argument.starts_with("--")).ok_or("give a folder")?;
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let classifier = Classifier::new(&[])?;
    let mut files: Vec<_> =
        std::fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    for file in files {
        measure(&classifier, &file, has("--misses"), has("--approved"))?;
    }
    Ok(())
}

fn measure(
    classifier: &Classifier,
    file: &Path,
    misses: bool,
    approved: bool,
) -> Result<(), Box<dyn std::error::Error>> {
    let name = file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut counts = Counts::default();
    let mut shown = Vec::new();
    for line in std::fs::read_to_string(file)?.lines() {
        let Line { text, label, lang } = serde_json::from_str(line)?;
        let reading = classifier.classify(&text);
        counts.lines += 1;
        counts.approvals += usize::from(label == "approve");
        match (label.as_str(), reading.kind) {
            ("approve", ReplyKind::Approve) => counts.recognised += 1,
            ("approve", _) if misses => shown.push(format!("  missed ({}) [{lang}]: {text:?}", reading.rule)),
            ("amend" | "other", ReplyKind::Approve) => {
                counts.false_approvals += 1;
                shown.push(format!("  FALSE APPROVAL ({label}) [{lang}]: {text:?}"));
            }
            ("other", ReplyKind::Amend) => counts.other_as_amend += 1,
            ("amend", ReplyKind::Other) => counts.amend_as_other += 1,
            ("approve" | "amend" | "other", _) => {}
            (_, ReplyKind::Approve) => {
                counts.recognised += 1;
                if approved {
                    shown.push(format!("  approved [{lang}]: {text:?}"));
                }
            }
            _ => {}
        }
    }
    println!(
        "{name}: {} lines, approve {}/{}, false approvals {}, other as amend {}, amend as other {}",
        counts.lines,
        counts.recognised,
        counts.approvals,
        counts.false_approvals,
        counts.other_as_amend,
        counts.amend_as_other,
    );
    for line in shown {
        println!("{line}");
    }
    Ok(())
}
