//! The two halves do not know each other: the same events give the same gate decisions with plan mode
//! on, off or absent, and the same plan-mode states with the gate open, closed or absent.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use plan_gate::plan_mode::PlanMode;
use plan_gate::{Gate, Message, Session, error_json};
use proptest::prelude::*;
use std::sync::LazyLock;

#[derive(Debug, Clone)]
enum Event {
    /// For the gate.
    Propose(u8),
    Say(&'static str),
    Write(u8),
    Read,
    /// For plan mode.
    Mode(&'static str),
}

const SAYINGS: [&str; 6] = ["同意", "ok", "同意，但还要加个日志", "换个思路", "进度如何？", "/plan off"];

/// Requests of the plan-mode door; some of them are out of turn, which must be an error all the same.
const REPORTS: [&str; 9] = [
    r#"{"op":"turn_opened"}"#,
    r#"{"op":"turn_closed"}"#,
    r#"{"op":"step","outcome":"accepted"}"#,
    r#"{"op":"step","outcome":"rejected"}"#,
    r#"{"op":"appended","ok":true}"#,
    r#"{"op":"set","active":true}"#,
    r#"{"op":"set","active":false}"#,
    r#"{"op":"header","active":true}"#,
    r#"{"op":"command","args":"off"}"#,
];

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        (0..2_u8).prop_map(Event::Propose),
        prop::sample::select(&SAYINGS[..]).prop_map(Event::Say),
        (0..2_u8).prop_map(Event::Write),
        Just(Event::Read),
        prop::sample::select(&REPORTS[..]).prop_map(Event::Mode),
    ];
    prop::collection::vec(event, 0..60)
}

fn gate_answer(session: &Session, event: &Event) -> Option<String> {
    let path = |n: &u8| format!(r#"{{"file_path":"src/{n}","content":""}}"#);
    Some(match event {
        Event::Propose(n) => {
            let plan = format!(r#"{{"title":"t","plan":"p","tools":["write"],"files":["src/{n}"]}}"#);
            session.propose(plan.as_bytes()).unwrap().text
        }
        Event::Say(words) => format!("{:?}", session.reply(Message::user(words)).unwrap()),
        Event::Write(n) => session.answer("write", path(n).as_bytes()).unwrap().text,
        Event::Read => session.answer("read", path(&0).as_bytes()).unwrap().text,
        Event::Mode(_) => return None,
    })
}

fn mode_answer(mode: &mut PlanMode, event: &Event) -> Option<String> {
    let Event::Mode(request) = event else { return None };
    let answer = mode.request(request.as_bytes()).unwrap_or_else(|error| error_json(&error));
    Some(answer + &mode.request(br#"{"op":"get"}"#).unwrap_or_else(|error| error_json(&error)))
}

fn new_mode(active: bool) -> PlanMode {
    let mut mode = PlanMode::new(br#"{"section":"Read first."}"#).unwrap();
    mode.resume(active);
    mode
}

/// A session that nothing has happened in yet, with the same id each time: ids of held calls cover it.
fn fresh(gate: &Gate) -> Session {
    gate.session("s").unwrap().close();
    gate.session("s").unwrap()
}

/// One for each test: they run side by side.
fn gate() -> Gate {
    Gate::new(br#"{"profile":"dsh","pathStyle":"posix"}"#).unwrap()
}

static FIRST: LazyLock<Gate> = LazyLock::new(gate);
static SECOND: LazyLock<Gate> = LazyLock::new(gate);

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_gate_decides_the_same_with_plan_mode_on_off_or_absent(events in events()) {
        let alone: Vec<_> = {
            let session = fresh(&FIRST);
            events.iter().map(|event| gate_answer(&session, event)).collect()
        };
        for active in [true, false] {
            let (session, mut mode) = (fresh(&FIRST), new_mode(active));
            for (event, expected) in events.iter().zip(&alone) {
                mode_answer(&mut mode, event);
                prop_assert_eq!(&gate_answer(&session, event), expected);
            }
        }
    }

    #[test]
    fn plan_mode_moves_the_same_with_the_gate_open_closed_or_absent(events in events()) {
        let alone: Vec<_> = {
            let mut mode = new_mode(false);
            events.iter().map(|event| mode_answer(&mut mode, event)).collect()
        };
        for approved in [true, false] {
            let (session, mut mode) = (fresh(&SECOND), new_mode(false));
            if approved {
                gate_answer(&session, &Event::Propose(0));
                gate_answer(&session, &Event::Say("同意"));
            }
            for (event, expected) in events.iter().zip(&alone) {
                gate_answer(&session, event);
                prop_assert_eq!(&mode_answer(&mut mode, event), expected);
            }
        }
    }
}
