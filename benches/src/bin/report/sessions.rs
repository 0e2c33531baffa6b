//! Memory and time with up to a million live sessions, each measurement in a process of its own.

use crate::plot::Plot;
use crate::record::{Record, ns, times};
use plan_gate_benches::library::{Library, WRITE, allows};
use plan_gate_benches::measure::{Effort, Race};
use plan_gate_benches::questions::{CONFIG, plan};
use plan_gate_core::Scope;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::process::Command;
use std::{env, fs, hint};

/// What one process measures.
#[derive(Debug, Clone, Copy)]
pub struct Order {
    sessions: usize,
    own_scope: bool,
}

/// What it found.
#[derive(Debug, Serialize, Deserialize)]
pub struct Found {
    /// Resident bytes before the first session.
    before: f64,
    /// Highest resident bytes while all sessions were made and approved, handles freed.
    peak: f64,
    /// Resident bytes with a handle on every session.
    handles: f64,
    hot_ns: f64,
    random_ns: f64,
    /// Random session over hot one.
    ratio: f64,
}

/// The order in the arguments of the process, if it is one of ours.
pub fn order(arguments: &[String]) -> Option<Order> {
    match arguments {
        [flag, sessions, scope] if flag == "--sessions" => {
            Some(Order { sessions: sessions.parse().ok()?, own_scope: scope == "own" })
        }
        _ => None,
    }
}

fn plan_of(order: Order, session: usize) -> String {
    let session = if order.own_scope { session } else { 0 };
    let files = (0..5).map(|i| format!("src/session_{session}/module_{i}/sub")).collect();
    plan(&Scope { tools: vec!["write".to_owned()], files, ..Scope::default() })
}

fn path_of(order: Order, session: usize) -> String {
    let session = if order.own_scope { session } else { 0 };
    format!("src/session_{session}/module_3/sub/deep/file.rs")
}

/// Runs an order in this process.
pub fn measure(order: Order) -> Found {
    let gate = Library::load().gate(CONFIG);
    drop(gate.approved("first", &plan_of(order, 0)));
    let before = status("VmRSS");
    for session in 0..order.sessions {
        drop(gate.approved(&format!("session-{session:08}"), &plan_of(order, session)));
    }
    let peak = status("VmHWM");
    let handles: Vec<_> = (0..order.sessions).map(|n| gate.session(&format!("session-{n:08}"))).collect();
    let with_handles = status("VmRSS");
    let hot_path = path_of(order, 0);
    let mut at = 1_u64;
    let mut random = || {
        // xorshift: every session, in an order that no cache guesses.
        at ^= at << 13;
        at ^= at >> 7;
        at ^= at << 17;
        (at % order.sessions as u64) as usize
    };
    let mut race = Race::new();
    race.add("hot", || handles[0].check_effect("write", WRITE, hint::black_box(&hot_path)));
    race.add("random", || {
        let session = random();
        let decision = match order.own_scope {
            false => handles[session].check_effect("write", WRITE, &hot_path),
            true => handles[session].check_effect("write", WRITE, &path_of(order, session)),
        };
        assert!(allows(decision));
        decision
    });
    if order.own_scope {
        race.add("path alone", || path_of(order, hint::black_box(7)));
    }
    let got = race.run(Effort::FULL);
    let spent = if order.own_scope { got.ns("path alone") } else { 0.0 };
    let random_ns = got.ns("random") - spent;
    Found {
        before,
        peak,
        handles: with_handles,
        hot_ns: got.ns("hot"),
        random_ns,
        ratio: random_ns / got.ns("hot"),
    }
}

/// The section.
pub fn run(record: &mut Record, _: Effort) -> Result<(), Box<dyn Error>> {
    let sizes: &[usize] =
        if record.is_quick() { &[1, 1_000] } else { &[1, 1_000, 10_000, 100_000, 1_000_000] };
    let mut rows = Vec::new();
    let (mut hot, mut random, mut memory) = (Vec::new(), Vec::new(), Vec::new());
    for scope in ["shared", "own"] {
        for n in sizes.iter().filter(|n| scope == "shared" || **n >= 1_000) {
            let output =
                Command::new(env::current_exe()?).args(["--sessions", &n.to_string(), scope]).output()?;
            if !output.status.success() {
                return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
            }
            let found: Found = serde_json::from_slice(&output.stdout)?;
            let each = (found.peak - found.before) / *n as f64;
            let handle = (found.handles - found.peak).max(0.0) / *n as f64;
            let mb = |bytes: f64| format!("{:.1} MB", bytes / 1e6);
            rows.push(vec![
                format!("{n}, {scope} scope"),
                mb(found.before),
                mb(found.peak),
                if *n < 10_000 { "-".to_owned() } else { format!("{each:.0} B") },
                if *n < 10_000 { "-".to_owned() } else { format!("{handle:.0} B") },
                ns(found.hot_ns),
                ns(found.random_ns),
                times(found.ratio),
            ]);
            if scope == "shared" {
                hot.push((*n as f64, found.hot_ns));
                random.push((*n as f64, found.random_ns));
                if *n >= 10_000 {
                    memory.push((*n as f64, found.peak / 1e6));
                }
            }
            if *n == 1_000_000 {
                record.set(format!("MB peak, {scope} scope"), found.peak / 1e6);
                record.set(format!("MB grown, {scope} scope"), (found.peak - found.before) / 1e6);
                record.set(format!("random over hot, {scope} scope"), found.ratio);
            }
        }
    }
    record.section(
        "Sessions",
        "Resident memory of a process of its own: before the first session, and at its highest with all of \
         them approved and their handles freed, as a host does that opens a session for each call. A kept \
         handle costs its column more. `own scope`: five entries that no other session has. Random: the \
         next session is any of them, so every check misses the caches.",
    );
    let head = ["live", "before", "peak", "a session", "a kept handle", "hot check", "random check", "ratio"];
    record.rows(&head, &rows);
    record.plot(Plot {
        file: "sessions",
        title: "A check, by live sessions on a shared scope",
        axes: ["sessions", "ns"],
        curves: vec![("the same session".to_owned(), hot), ("any session".to_owned(), random)],
    });
    if memory.len() > 1 {
        record.plot(Plot {
            file: "memory",
            title: "Peak memory, by live sessions on a shared scope",
            axes: ["sessions", "MB"],
            curves: vec![("resident at most".to_owned(), memory)],
        });
    }
    Ok(())
}

/// A figure of the kernel about this process, in bytes.
fn status(key: &str) -> f64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<f64>().ok());
    kilobytes.unwrap_or(f64::NAN) * 1024.0
}
