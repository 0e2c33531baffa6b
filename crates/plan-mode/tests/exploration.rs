//! The driver against an independent plain model, in every state that can be reached.
//!
//! From the fresh state every request of a list is made in every state found, until no new state comes up.
//! In each, both must answer alike, a refusal must change nothing, and the state must keep its invariants.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test may panic"
)]

mod model;

use model::{Asked, Model, short};
use plan_gate_plan_mode::PlanMode;
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};

fn requests() -> Vec<Value> {
    let approve = json!({"answered": [{"question": "plan-review", "selected": ["Approve"]}]});
    let keep = json!({"answered": [{"question": "plan-review", "selected": ["Keep planning"]}]});
    let exit = |call: &str, caller: &str, plan: &str| json!({"op": "exit", "call": call, "caller": caller, "args": {"plan": plan}});
    let mut list = vec![
        json!({"op": "turn_opened"}),
        json!({"op": "turn_closed"}),
        json!({"op": "get"}),
        json!({"op": "section"}),
        json!({"op": "unload"}),
        json!({"op": "reload", "config": {"section": "Plan."}}),
        json!({"op": "resume", "events": []}),
        json!({"op": "resume", "events": [{"type": "plan/mode", "active": true}]}),
        exit("c1", "agent", "# T"),
        exit("c2", "agent", "# T"),
        exit("c1", "none", "# T"),
        exit("c1", "owned", "# T"),
        exit("c1", "agent", "T"),
        json!({"op": "review", "call": "c1", "outcome": approve}),
        json!({"op": "review", "call": "c2", "outcome": approve}),
        json!({"op": "review", "call": "c1", "outcome": keep}),
        json!({"op": "review", "call": "c1", "outcome": "dismissed"}),
        json!({"op": "review", "call": "c2", "outcome": "aborted"}),
    ];
    for outcome in ["accepted", "rejected", "retried"] {
        list.push(json!({"op": "step", "outcome": outcome}));
    }
    for value in [true, false] {
        list.push(json!({"op": "appended", "ok": value}));
        list.push(json!({"op": "header", "active": value}));
        list.push(json!({"op": "set", "active": value}));
    }
    for (args, images) in [("", 0), (" off ", 0), ("off", 1), ("fix it", 0), ("", 1)] {
        list.push(json!({"op": "command", "args": args, "images": images}));
    }
    list
}

type Pair = (PlanMode, Model);

/// Makes one request of both and compares.
fn both(pair: &Pair, request: &Value, english: &Value) -> (Pair, String) {
    let (mut driver, mut plain) = pair.clone();
    let said = driver.request(request.to_string().as_bytes());
    let said = said.map(|text| serde_json::from_str::<Value>(&text).unwrap());
    let said = short(said.as_ref().map_err(|error| error.message()), english);
    let expected = plain.answer(request);
    assert_eq!(said, expected, "{request}\nin {:?}\nand {:?}", pair.0, pair.1);
    let settles = request["op"] == "appended" && pair.1.asked != Asked::Nothing;
    if said == "refused" && !settles {
        assert_eq!((&driver, &plain), (&pair.0, &pair.1), "{request} was refused and changed something");
    }
    ((driver, plain), said)
}

/// What holds in every state, seen from outside.
fn invariants(pair: &Pair) {
    let (driver, plain) = pair;
    if let Ok(view) = driver.get() {
        assert_eq!((view.active, view.pending), (plain.log, plain.wanted));
        assert_ne!(view.pending, Some(view.active), "what waits differs from what is logged");
    }
    assert_eq!(driver.section().is_some(), plain.loaded && plain.log);
}

#[test]
fn every_reachable_state_agrees_with_the_model() {
    let english: Value = serde_json::from_str(include_str!("../data/texts/en.json")).unwrap();
    let requests = requests();
    let first = (PlanMode::new(br#"{"section":"Plan."}"#).unwrap(), Model::new());
    let mut seen: HashMap<Pair, ()> = HashMap::from([(first.clone(), ())]);
    let mut queue = VecDeque::from([first]);
    let mut answers: HashMap<String, usize> = HashMap::new();
    let mut transitions = 0_usize;
    while let Some(pair) = queue.pop_front() {
        invariants(&pair);
        for request in &requests {
            let (next, said) = both(&pair, request, &english);
            transitions += 1;
            *answers.entry(said).or_default() += 1;
            if seen.insert(next.clone(), ()).is_none() {
                queue.push_back(next);
            }
        }
    }
    // The driver keeps no state of its own that the model has not: one driver state for each of the model's.
    let models: std::collections::HashSet<&Model> = seen.keys().map(|(_, plain)| plain).collect();
    let drivers: std::collections::HashSet<&PlanMode> = seen.keys().map(|(driver, _)| driver).collect();
    println!("{} states, {transitions} transitions, {} kinds of answers", seen.len(), answers.len());
    assert_eq!((models.len(), drivers.len()), (seen.len(), seen.len()));
    for answer in [
        "request section false notice false",
        "request section true notice true",
        "request section true warning",
        "on cancelled message \"fix it\" 0",
        "off committed",
        "approved",
        "review-lost",
    ] {
        assert!(answers.contains_key(answer), "never answered `{answer}`");
    }
}
