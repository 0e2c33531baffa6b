//! The server as a host sees it: a process that speaks JSON-RPC on its standard streams.
//!
//! A program of its own (`harness = false`), because it starts itself again as the server.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking")]

use plan_gate_mcp::{Offer, STATE, serve};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

const TOOL: &str = r#"{"name":"propose_plan","description":"D","parameters":{"type":"object","properties":{"title":{"type":"string"}}}}"#;

fn main() {
    if std::env::args().nth(1).as_deref() == Some("serve") {
        return serve(Offer {
            tool: TOOL.to_owned(),
            version: "1.2.3".to_owned(),
            propose: Box::new(|arguments| {
                let text = String::from_utf8(arguments.to_vec()).unwrap();
                let error = text == "{}";
                (text, error)
            }),
            state: Box::new(|| "nothing waits".to_owned()),
        })
        .unwrap();
    }
    let mut child = Command::new(std::env::current_exe().unwrap())
        .arg("serve")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut ask = |id: u32, method: &str, params: Value| -> Value {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(input, "{request}").unwrap();
        if method == "initialize" {
            writeln!(input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).unwrap();
        }
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer.get("id"), Some(&json!(id)), "{answer}");
        answer
    };
    let at = |answer: &Value, pointer: &str| answer.pointer(pointer).cloned().unwrap_or_default();

    let client = json!({"name": "test", "version": "0"});
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let answer = ask(1, "initialize", hello);
    assert_eq!(at(&answer, "/result/serverInfo/name"), "plan-gate");
    assert_eq!(at(&answer, "/result/serverInfo/version"), "1.2.3");
    assert_eq!(at(&answer, "/result/protocolVersion"), "2025-06-18");

    let answer = ask(2, "tools/list", json!({}));
    assert_eq!(at(&answer, "/result/tools/0/name"), "propose_plan");
    assert_eq!(at(&answer, "/result/tools/0/inputSchema/properties/title/type"), "string");
    assert_eq!(at(&answer, "/result/tools/0/annotations/readOnlyHint"), true);
    assert_eq!(at(&answer, "/result/tools/1"), Value::Null);

    let answer = ask(3, "tools/call", json!({"name": "propose_plan", "arguments": {"title": "T"}}));
    assert_eq!(at(&answer, "/result/content/0/text"), r#"{"title":"T"}"#);
    assert_eq!(at(&answer, "/result/isError"), false);
    let answer = ask(4, "tools/call", json!({"name": "propose_plan"}));
    assert_eq!(at(&answer, "/result/isError"), true);
    let answer = ask(5, "tools/call", json!({"name": "approve", "arguments": {}}));
    assert!(at(&answer, "/error/message").to_string().contains("approve"), "{answer}");

    let answer = ask(6, "resources/list", json!({}));
    assert_eq!(at(&answer, "/result/resources/0/uri"), STATE);
    let answer = ask(7, "resources/read", json!({"uri": STATE}));
    assert_eq!(at(&answer, "/result/contents/0/text"), "nothing waits");
    assert!(ask(8, "resources/read", json!({"uri": "file:///etc/passwd"})).get("error").is_some());

    drop(input);
    assert!(child.wait().unwrap().success());
    println!("ok: eight requests over standard input and output");
}
