//! Any bytes as a reply: no panic, and the verdict's invariants.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run classify`

#![no_main]

use libfuzzer_sys::fuzz_target;
use plan_gate_classifier::Classifier;
use plan_gate_core::ReplyKind;
use std::sync::LazyLock;

static CLASSIFIER: LazyLock<Classifier> =
    LazyLock::new(|| Classifier::new(&["ship it".to_owned(), "发车".to_owned()]).expect("the shipped lexicons load"));

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        assert!(CLASSIFIER.classify_bytes(bytes).is_err());
        return;
    };
    let reading = CLASSIFIER.classify(text);
    assert_eq!(reading.why.is_some(), reading.kind == ReplyKind::Other);
    assert_eq!(reading.note.is_some(), reading.kind == ReplyKind::Amend);
    let explanation = CLASSIFIER.explain(text);
    assert_eq!(explanation.verdict, reading.kind);
    let mut end = 0;
    for span in &explanation.spans {
        assert!(end <= span.start && span.start <= span.end);
        assert_eq!(text.get(span.start..span.end), Some(span.text.as_str()));
        end = span.end;
    }
    if reading.kind == ReplyKind::Approve {
        // Blanks around it and upper case change nothing; more content, a question or a quotation does.
        assert_eq!(CLASSIFIER.classify(&format!(" {text}\n")).kind, ReplyKind::Approve);
        assert_eq!(CLASSIFIER.classify(&text.to_ascii_uppercase()).kind, ReplyKind::Approve);
        for other in [format!("{text} zqxj"), format!("zqxj {text}"), format!("{text}?"), format!("{text}\n登录1")] {
            assert_ne!(CLASSIFIER.classify(&other).kind, ReplyKind::Approve, "{other:?}");
        }
    }
});
