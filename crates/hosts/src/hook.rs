//! One invocation of a hook, from standard input to exit code.

use crate::engine::{handle, text};
use crate::surroundings::Surroundings;
use crate::{Answer, Host, MAX_HOOK_BYTES, Output, read};
use plan_gate::Language;
use plan_gate_store::{Change, Record, SqliteStore, Store};
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Reads one event of `host` and answers it. Whatever goes wrong is a refusal with words.
pub fn hook(host: Host, input: &mut dyn Read) -> Output {
    let answer = catch_unwind(AssertUnwindSafe(|| answer(host, input)))
        .unwrap_or_else(|_| Answer::Refuse(text(Language::En, "internal", &[("detail", "it panicked")])));
    answer.output()
}

fn answer(host: Host, input: &mut dyn Read) -> Answer {
    let refuse = |key: &str, detail: &str| Answer::Refuse(text(Language::En, key, &[("detail", detail)]));
    let mut bytes = Vec::new();
    // One byte more than may be, so that too much is seen as too much.
    if let Err(error) = input.take(MAX_HOOK_BYTES as u64 + 1).read_to_end(&mut bytes) {
        return refuse("unreadable", &error.to_string());
    }
    let surroundings = match Surroundings::find() {
        Ok(surroundings) => surroundings,
        Err(error) => return refuse("store", &error.to_string()),
    };
    let (settings, environment) = match surroundings.of_hook(host) {
        Ok(found) => found,
        Err(error) => return refuse("config", &error.to_string()),
    };
    let mut store = match SqliteStore::open(&surroundings.state) {
        Ok(store) => store,
        Err(error) => return refuse("store", &error.to_string()),
    };
    match read(host, &bytes, &environment) {
        Ok(event) => handle(host, &mut store, &settings, &event),
        Err(error) => {
            note_unreadable(host, &mut store, settings.now_ms, &error.to_string());
            refuse("unreadable", &error.to_string())
        }
    }
}

/// For the journal's readers. It is refused whether or not this can be kept.
fn note_unreadable(host: Host, store: &mut SqliteStore, now_ms: i64, why: &str) {
    let record = Record {
        host: host.name().to_owned(),
        kind: "error".to_owned(),
        verdict: Some("refuse".to_owned()),
        reason: Some("unreadable".to_owned()),
        text: Some(why.to_owned()),
        ..Record::default()
    };
    let change = Change { saved: None, records: vec![record] };
    let _ = store.with_session(&format!("{host}/?"), now_ms, &mut |_| Ok(change.clone()));
}
