//! Every counter-example in the lexicon is run: adding a word means writing what it must not match.

use plan_gate_classifier::{Classifier, lookalikes};
use plan_gate_core::ReplyKind;

#[test]
fn no_lookalike_is_an_approval() {
    let classifier = Classifier::new(&[]).unwrap();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for entry in lookalikes().unwrap() {
        for sentence in &entry.sentences {
            seen += 1;
            let reading = classifier.classify(sentence);
            if reading.kind == ReplyKind::Approve {
                wrong.push(format!("{} `{}`: {sentence}", entry.language, entry.entry));
            }
        }
    }
    assert!(seen > 300, "only {seen} counter-examples");
    assert!(wrong.is_empty(), "read as approval:\n{}", wrong.join("\n"));
}
