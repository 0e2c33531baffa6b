//! Known verdicts, from the files in `tests/cases`: one JSON object a line, grouped by kind of reply.

use plan_gate_classifier::Classifier;
use plan_gate_core::ReplyKind;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    text: String,
    verdict: String,
    why: Option<String>,
    note: Option<String>,
}

#[test]
fn known_verdicts() {
    let classifier = Classifier::new(&[]).unwrap();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases");
    let mut wrong = Vec::new();
    let mut seen = 0;
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        for (number, line) in std::fs::read_to_string(&file).unwrap().lines().enumerate() {
            let case: Case =
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}:{}: {error}", number + 1));
            seen += 1;
            let reading = classifier.classify(&case.text);
            let why = reading.why.map(|why| why.name());
            // `withheld` is amend or other: both keep the gate shut.
            let right = (reading.kind.name() == case.verdict
                || case.verdict == "withheld" && reading.kind != ReplyKind::Approve)
                && (case.why.is_none() || case.why.as_deref() == why)
                && (case.note.is_none() || case.note.as_deref() == reading.note);
            if !right {
                wrong.push(format!(
                    "{name}:{}: {:?} is {} {:?}, read as {} {why:?} {:?} by {}",
                    number + 1,
                    case.text,
                    case.verdict,
                    case.why.or(case.note),
                    reading.kind.name(),
                    reading.note,
                    reading.rule,
                ));
            }
        }
    }
    assert!(seen >= 1000, "only {seen} cases");
    assert!(wrong.is_empty(), "{} of {seen} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
