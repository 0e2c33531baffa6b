//! Layer plan-mode: the stance as a fold of the log, from events and from the lines of a file.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use plan_gate_plan_mode::{LogEvent, Projection, fold, fold_lines};
use std::hint::black_box;

/// A log in which plan mode was switched once, at the very beginning: the fold must look at all of it.
fn log(events: usize) -> String {
    let switch = concat!(r#"{"type":"plan/mode","active":true}"#, "\n");
    let other = concat!(r#"{"type":"message","source":"assistant","text":"Reading the parser."}"#, "\n");
    switch.to_owned() + &other.repeat(events.saturating_sub(1))
}

fn plan_mode(c: &mut Criterion) {
    for n in [10, 10_000, 1_000_000] {
        let log = log(n);
        let lines: Vec<&str> = log.lines().collect();
        let events: Vec<LogEvent<'_>> =
            lines.iter().map(|line| LogEvent::read(line.as_bytes()).expect("an event")).collect();
        assert!(fold(&events, None), "the log begins in plan mode");
        assert_eq!(fold_lines(log.as_bytes(), None).ok(), Some(true));
        let mut group = c.benchmark_group("plan_mode");
        group.sample_size(10);
        group.throughput(Throughput::Elements(n as u64));
        group.bench_with_input(BenchmarkId::new("fold", n), &events, |b, events| {
            b.iter(|| fold(black_box(events), None));
        });
        group.bench_with_input(BenchmarkId::new("projection", n), &events, |b, events| {
            b.iter(|| Projection::of(black_box(events)));
        });
        group.bench_with_input(BenchmarkId::new("fold lines", n), &log, |b, log| {
            b.iter(|| fold_lines(black_box(log.as_bytes()), None));
        });
        group.finish();
    }
}

criterion_group!(benches, plan_mode);
criterion_main!(benches);
