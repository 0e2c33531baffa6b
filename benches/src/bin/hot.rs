//! One hot way, many times: what callgrind counts. `hot NAME CALLS`

use plan_gate_benches::hot::{Sessions, WAYS};
use plan_gate_benches::library::Library;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, calls] = arguments.as_slice() else { panic!("hot NAME CALLS") };
    let way = WAYS.iter().find(|way| way.name == name).unwrap_or_else(|| panic!("no way called `{name}`"));
    let sessions = Sessions::new(&Library::load());
    for _ in 0..calls.parse::<u64>().expect("a number") {
        way.run(&sessions);
    }
}
