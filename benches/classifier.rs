//! Layer classifier: reading a reply.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use plan_gate_benches::questions::{REPLY_LONGER, REPLY_SHORT, long_message};
use plan_gate_classifier::Classifier;
use plan_gate_core::ReplyKind;
use std::hint::black_box;

fn classifier(c: &mut Criterion) {
    let classifier = Classifier::new(&[]).expect("the shipped words load");
    for (name, text, kind) in [
        ("approve 6 B", REPLY_SHORT, ReplyKind::Approve),
        ("approve 33 B", REPLY_LONGER, ReplyKind::Approve),
        ("approve in English", "sounds good, go ahead", ReplyKind::Approve),
        ("amend", "同意，但还要加个日志", ReplyKind::Amend),
        ("a new instruction", "换个思路，先看看 README", ReplyKind::Other),
    ] {
        assert_eq!(classifier.classify(text).kind, kind, "{text}");
        c.bench_function(&format!("classifier/{name}"), |b| b.iter(|| classifier.classify(black_box(text))));
    }
    let mut group = c.benchmark_group("classifier/long message");
    for size in [1_000, 100_000, 1_000_000] {
        let text = long_message(size);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(size), &text, |b, text| {
            b.iter(|| classifier.classify(black_box(text)));
        });
    }
    group.finish();
    let mut build = c.benchmark_group("classifier/build");
    build.sample_size(10);
    build.bench_function("shipped words", |b| b.iter(|| Classifier::new(black_box(&[]))));
}

criterion_group!(benches, classifier);
criterion_main!(benches);
