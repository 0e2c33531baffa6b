//! A quick look at speed while working: `cargo run --profile quick -p plan-gate-classifier --example speed`.
//! What counts is measured in `benches`; this only shows ratios to one bare pass of the automaton.

#![allow(clippy::print_stdout, reason = "a program for people")]

use plan_gate_classifier::Classifier;
use std::hint::black_box;
use std::time::Instant;

/// Nanoseconds for one call, the best of many short rounds: a busy machine interrupts long ones.
fn time(rounds: usize, mut call: impl FnMut()) -> f64 {
    (0..60)
        .map(|_| {
            let start = Instant::now();
            (0..rounds).for_each(|_| call());
            start.elapsed().as_nanos() as f64 / rounds as f64
        })
        .fold(f64::INFINITY, f64::min)
}

fn main() -> Result<(), plan_gate_core::Error> {
    let build = time(1, || drop(black_box(Classifier::new(&[]))));
    println!("build: {:.2} ms", build / 1e6);
    let classifier = Classifier::new(&[])?;
    for text in [
        "ok",
        "同意",
        "好的",
        "好的，开始",
        "OK.",
        "yes please",
        "Yes, that sounds good to me, please go ahead.",
        "yes, that sounds great to me, please go ahead and do it now",
        "可以，按照你说的方案开始实施吧",
        "请帮我看一下登录页面为什么打不开",
        "ok, but please keep the old file and add a test for it",
        "the build fails on my machine with a linker error again",
    ] {
        let bare = time(300, || {
            black_box(classifier.bare_pass(black_box(text)));
        });
        let full = time(300, || {
            black_box(classifier.classify(black_box(text)));
        });
        println!("{:3} bytes: {full:5.0} ns, {:.1} passes of {bare:.0} ns  {text}", text.len(), full / bare);
    }
    let english = "the server was restarted and we will look at the logs of the build, then go on with it. ";
    let chinese = "服务器已经重启，我们再看一下构建日志，然后继续处理剩下的问题。";
    for (name, piece) in
        [("en", english), ("zh", chinese), ("yes", "yes, "), ("quotes", "` \" “"), ("EN", "The Server. ")]
    {
        let mut last = 0.0;
        for size in [1_000, 100_000, 1_000_000] {
            let text = piece.repeat(size / piece.len());
            let rounds = (200_000 / size).max(1);
            let bare = time(rounds, || {
                black_box(classifier.bare_pass(black_box(&text)));
            });
            let full = time(rounds, || {
                black_box(classifier.classify(black_box(&text)));
            });
            let rate = text.len() as f64 / full;
            println!(
                "{name} {size}: {rate:.2} GB/s, {:.1} passes, {:.1} times the one before",
                full / bare,
                full / last
            );
            last = full;
        }
    }
    Ok(())
}
