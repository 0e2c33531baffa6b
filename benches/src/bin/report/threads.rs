//! Threads, each on a session of its own, and all on one.

use crate::plot::Plot;
use crate::record::Record;
use plan_gate_benches::library::{Library, Session, WRITE, allows};
use plan_gate_benches::measure::{Effort, median};
use plan_gate_benches::questions::{CONFIG, paths, plan, scope_of_paths};
use std::error::Error;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

const CALLS: u32 = 20_000;

/// The section.
pub fn run(record: &mut Record, effort: Effort) -> Result<(), Box<dyn Error>> {
    let gate = Library::load().gate(CONFIG);
    let sessions: Vec<Session> =
        (0..8).map(|n| gate.approved(&format!("thread {n}"), &plan(&scope_of_paths(50)))).collect();
    let path = &paths(50, true)[0];
    let counts = [1_usize, 2, 4, 8];
    let rounds = effort.rounds.min(15);
    let mut own = vec![Vec::new(); counts.len()];
    let mut one = vec![Vec::new(); counts.len()];
    let mut machine = vec![Vec::new(); counts.len()];
    for _ in 0..rounds {
        for (at, threads) in counts.into_iter().enumerate() {
            own[at].push(rate(threads, |n| check(&sessions[n], path)));
            one[at].push(rate(threads, |_| check(&sessions[0], path)));
            machine[at].push(rate(threads, |_| spin()));
        }
    }
    let scaling = |rates: &[Vec<f64>], at: usize| {
        median(rates[at].iter().zip(&rates[0]).map(|(many, single)| many / single).collect())
    };
    let rows: Vec<Vec<String>> = (0..counts.len())
        .map(|at| {
            let million = |rates: &[Vec<f64>]| format!("{:.2} M/s", median(rates[at].clone()) / 1e6);
            let scale = |rates: &[Vec<f64>]| format!("{:.2}×", scaling(rates, at));
            vec![
                counts[at].to_string(),
                million(&own),
                scale(&own),
                million(&one),
                scale(&one),
                scale(&machine),
            ]
        })
        .collect();
    record.section(
        "Threads",
        "Decisions a second, all threads together. The last column is what this machine gives to threads that \
         share nothing and only count: other work on it takes from both.",
    );
    let head = ["threads", "own sessions", "of one", "one session", "of one", "the machine"];
    record.rows(&head, &rows);
    record.set("two threads over one", scaling(&own, 1));
    record.set("two threads over one, machine", scaling(&machine, 1));
    let points = |rates: &[Vec<f64>]| -> Vec<(f64, f64)> {
        counts.iter().zip(rates).map(|(n, rates)| (*n as f64, median(rates.clone()) / 1e6)).collect()
    };
    record.plot(Plot {
        file: "threads",
        title: "Decisions a second, by threads",
        axes: ["threads", "million a second"],
        curves: vec![
            ("each on its own session".to_owned(), points(&own)),
            ("all on one session".to_owned(), points(&one)),
        ],
    });
    Ok(())
}

fn check(session: &Session, path: &str) {
    assert!(allows(session.check_effect("write", WRITE, path)));
}

/// About as much work as a check, touching nothing.
fn spin() {
    let mut x = std::hint::black_box(1_u64);
    for _ in 0..60 {
        x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(7);
    }
    std::hint::black_box(x);
}

/// Calls a second of this many threads together.
fn rate(threads: usize, call: impl Fn(usize) + Sync) -> f64 {
    let (barrier, call) = (Barrier::new(threads), &call);
    let longest = thread::scope(|scope| {
        let runners: Vec<_> = (0..threads)
            .map(|n| {
                let barrier = &barrier;
                scope.spawn(move || {
                    barrier.wait();
                    let start = Instant::now();
                    for _ in 0..CALLS {
                        call(n);
                    }
                    start.elapsed()
                })
            })
            .collect();
        runners.into_iter().filter_map(|runner| runner.join().ok()).max().unwrap_or(Duration::MAX)
    });
    threads as f64 * f64::from(CALLS) / longest.as_secs_f64()
}
