//! The JSON door of a session: what is wrong is named, and an unreadable reply withdraws the approval.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use plan_gate::limits::MAX_INPUT_BYTES;
use plan_gate::{ErrorKind, Gate, Message, Session};

fn approved() -> Session {
    let session = Gate::new(br#"{"profile":"dsh","pathStyle":"posix"}"#).unwrap().session("s").unwrap();
    let plan = br#"{"title":"t","plan":"p","tools":["write"],"files":["a"]}"#;
    assert!(session.propose(plan).unwrap().ok);
    session.reply(Message::user("ok")).unwrap();
    assert!(is_approved(&session));
    session
}

fn is_approved(session: &Session) -> bool {
    session.check("write", br#"{"file_path":"a","content":""}"#).allows()
}

#[test]
fn a_reply_that_cannot_be_read_withdraws_the_approval() {
    let long = format!(r#"{{"op":"reply","text":"{}"}}"#, "x".repeat(MAX_INPUT_BYTES + 1));
    let unreadable: [&[u8]; 9] = [
        b"{\"op\":\"reply\",\"text\":\"\xff\"}",
        br#"{"op":"reply","text":"\ud800"}"#,
        br#"{"op":"reply","text":7}"#,
        br#"{"op":"reply"}"#,
        br#"{"op":"reply","text":"ok","shown":"not an id"}"#,
        br#"{"op":"reply","text":"ok","unknown":1}"#,
        br#"{"op":"reply","text":"ok","source":"god"}"#,
        br#"{"op": "reply", "text":"stop"#,
        long.as_bytes(),
    ];
    for request in unreadable {
        let session = approved();
        let _ = session.request(request);
        let shown = String::from_utf8_lossy(request.get(..40).unwrap_or(request)).into_owned();
        assert!(!is_approved(&session), "{shown}");
    }
}

#[test]
fn other_requests_in_error_change_nothing() {
    let session = approved();
    let cases = [
        (r#"{"op":"check","tool":"write"}"#, ErrorKind::InvalidRequest, "missing field `args`"),
        (r#"{"op":"check","tool":"w","args":1,"argsText":""}"#, ErrorKind::InvalidRequest, "not both"),
        (r#"{"op":"check","tool":"w","args":{},"x":1}"#, ErrorKind::InvalidRequest, "unknown field `x`"),
        (r#"{"op":"check","op":"state"}"#, ErrorKind::InvalidJson, "duplicate key `op`"),
        (r#"{"op":"dance"}"#, ErrorKind::InvalidRequest, "unknown op `dance`"),
        (
            r#"{"op":"settle","id":"x","approve":true}"#,
            ErrorKind::InvalidRequest,
            "id: an id is 32 hex digits",
        ),
        (r#"{"op":"propose"}"#, ErrorKind::InvalidRequest, "missing field `plan`"),
        (r#"{"op":"reply","text":7,"source":"agent"}"#, ErrorKind::InvalidRequest, "text: invalid type"),
        ("", ErrorKind::InvalidJson, "EOF"),
        ("[]", ErrorKind::InvalidRequest, "expected a JSON object"),
    ];
    for (request, kind, words) in cases {
        let error = session.request(request.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), kind, "{request}: {error}");
        assert!(error.message().contains(words), "{request}: {error}");
    }
    assert!(is_approved(&session));
}
