//! Rust plays every conversation.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use plan_gate_tests::{load, matches, play_all};
use serde_json::json;
use std::collections::BTreeSet;

#[test]
#[allow(clippy::print_stdout, reason = "CI compares these lines between languages")]
fn every_conversation_comes_out_as_written() {
    let report = play_all().unwrap();
    println!("conformance: {} passed, {} failed", report.passed, report.failures.len());
    println!("digest: {:016x}", report.digest.0);
    assert!(report.failures.is_empty(), "{}", report.failures.join("\n"));
    assert!(report.passed > 100, "{} conversations are too few to be all", report.passed);
}

#[test]
fn ids_are_unique_and_say_why() {
    let mut ids = BTreeSet::new();
    for conversation in load("").unwrap() {
        assert!(!conversation.why.is_empty(), "{}", conversation.id);
        assert!(ids.insert(conversation.id.clone()), "{} stands twice", conversation.id);
    }
}

#[test]
fn an_expectation_that_is_not_met_is_noticed() {
    let answer = json!({"a": 1, "b": [{"c": 2, "d": 3}], "message": "no such key"});
    for good in [json!({}), json!({"a": 1}), json!({"b": [{"c": 2}]}), json!({"says": ["such"]})] {
        assert!(matches(&good, &answer), "{good}");
    }
    for bad in [
        json!({"a": 2}),
        json!({"x": null}),
        json!({"b": []}),
        json!({"b": [{"c": 3}]}),
        json!({"b": [{"c": 2}, {}]}),
        json!({"says": ["other"]}),
        json!([]),
    ] {
        assert!(!matches(&bad, &answer), "{bad}");
    }
}
