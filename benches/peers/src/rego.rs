//! regorus: a rule that tries every entry and one that looks the segments up, interpreted and as byte code
//! with the machine kept.

use crate::Engine;
use regorus::languages::rego::compiler::Compiler;
use regorus::rvm::RegoVM;
use regorus::{Engine as Interpreter, Value};
use serde_json::json;

const EACH: &str = r#"package gate
import rego.v1
default allow := false
allow if { input.tool == "write"; some d in data.scope; startswith(input.path, concat("", [d, "/"])) }"#;

const LOOK_UP: &str = r#"package gate
import rego.v1
default allow := false
allow if {
    input.tool == "write"
    parts := split(input.path, "/")
    some i in numbers.range(1, count(parts))
    data.scope[concat("/", array.slice(parts, 0, i))]
}"#;

/// Both rules, both ways to run them.
pub fn engines(directories: &[String]) -> Vec<Box<dyn Engine>> {
    let list = json!({ "scope": directories });
    let map: serde_json::Map<_, _> = directories.iter().map(|entry| (entry.clone(), json!(true))).collect();
    let map = json!({ "scope": map });
    vec![
        Box::new(Interpreted::new("regorus: every entry tried, eval_rule", EACH, &list)),
        Box::new(Interpreted::new("regorus: segments looked up, eval_rule", LOOK_UP, &map)),
        Box::new(ByteCode::new("regorus byte code: every entry tried", EACH, &list)),
        Box::new(ByteCode::new("regorus byte code: segments looked up", LOOK_UP, &map)),
    ]
}

fn engine(rule: &str, data: &serde_json::Value) -> (Interpreter, Value) {
    let mut engine = Interpreter::new();
    engine.add_policy("gate.rego".into(), rule.into()).expect("a policy");
    let data = Value::from_json_str(&data.to_string()).expect("data");
    engine.add_data(data.clone()).expect("data");
    (engine, data)
}

fn input(path: &str) -> Value {
    Value::from_json_str(&format!(r#"{{"tool":"write","path":"{path}"}}"#)).expect("input")
}

struct Interpreted {
    name: &'static str,
    engine: Interpreter,
}

impl Interpreted {
    fn new(name: &'static str, rule: &str, data: &serde_json::Value) -> Self {
        Self { name, engine: engine(rule, data).0 }
    }
}

impl Engine for Interpreted {
    fn name(&self) -> &'static str {
        self.name
    }

    fn allows(&mut self, path: &str) -> bool {
        self.engine.set_input(input(path));
        *self.engine.eval_rule("data.gate.allow".into()).expect("an answer").as_bool().expect("a bool")
    }
}

struct ByteCode {
    name: &'static str,
    machine: RegoVM,
}

impl ByteCode {
    fn new(name: &'static str, rule: &str, data: &serde_json::Value) -> Self {
        let (mut engine, data) = engine(rule, data);
        let policy = engine.compile_with_entrypoint(&"data.gate.allow".into()).expect("compiles");
        let program = Compiler::compile_from_policy(&policy, &["data.gate.allow"]).expect("compiles");
        let mut machine = RegoVM::new();
        machine.load_program(program);
        machine.set_data(data).expect("data");
        Self { name, machine }
    }
}

impl Engine for ByteCode {
    fn name(&self) -> &'static str {
        self.name
    }

    fn allows(&mut self, path: &str) -> bool {
        self.machine.set_input(input(path));
        *self.machine.execute().expect("an answer").as_bool().unwrap_or(&false)
    }
}
