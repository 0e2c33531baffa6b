//! Layer scope-matcher: reading a call, covering it, taking command lines apart, compiling a scope.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use plan_gate_benches::measure::Turns;
use plan_gate_benches::questions::{
    CONFIG, EXACT_COMMAND, SIZES, THREE_PART_COMMAND, asks, everyday_commands, scope_of_commands,
    scope_of_paths, write_arguments,
};
use plan_gate_core::{Config, Dialect, EffectKind, Scope};
use plan_gate_scope_matcher::{CallReading, CompiledScope, Coverage, Matcher, shell};
use std::hint::black_box;

fn matcher() -> Matcher {
    let config: Config = serde_json::from_str(CONFIG).expect("a configuration");
    Matcher::new(&config).expect("a usable configuration")
}

fn compiled(matcher: &Matcher, scope: &Scope) -> CompiledScope {
    matcher.compile(scope).expect("a scope without faults")
}

fn covered(matcher: &Matcher, scope: &CompiledScope, tool: &str, kind: EffectKind, value: &str) -> bool {
    match matcher.read_effect(tool, kind, value) {
        CallReading::Acting(acting) => matcher.cover(scope, &[], &acting) == Coverage::Covered,
        _ => false,
    }
}

fn scope_matcher(c: &mut Criterion) {
    let matcher = matcher();
    let mut paths = c.benchmark_group("scope_matcher/path");
    for n in SIZES {
        let scope = compiled(&matcher, &scope_of_paths(n));
        for inside in [true, false] {
            let asks: Vec<_> = asks(n).into_iter().filter(|ask| ask.inside == inside).collect();
            for ask in &asks {
                assert_eq!(covered(&matcher, &scope, "write", EffectKind::Write, &ask.path), ask.inside);
            }
            let mut turns = Turns::new(&asks);
            let name = if inside { "inside" } else { "outside" };
            paths.bench_function(BenchmarkId::new(name, n), |b| {
                b.iter(|| {
                    covered(&matcher, &scope, "write", EffectKind::Write, black_box(&turns.next().path))
                });
            });
        }
    }
    paths.finish();

    let mut commands = c.benchmark_group("scope_matcher/command");
    for n in SIZES {
        let scope = compiled(&matcher, &scope_of_commands(n));
        for (name, line) in [("exact", EXACT_COMMAND), ("three parts", THREE_PART_COMMAND)] {
            assert!(covered(&matcher, &scope, "bash", EffectKind::Execute, line), "{line}");
            commands.bench_function(BenchmarkId::new(name, n), |b| {
                b.iter(|| covered(&matcher, &scope, "bash", EffectKind::Execute, black_box(line)));
            });
        }
    }
    commands.finish();

    let everyday = everyday_commands();
    let mut turns = Turns::new(&everyday);
    c.bench_function("scope_matcher/split everyday commands", |b| {
        b.iter(|| shell::split(black_box(turns.next()), Dialect::Bash));
    });
    let arguments = write_arguments("src/module_1/sub/a.rs", 1_000);
    c.bench_function("scope_matcher/read JSON arguments 1 KB", |b| {
        b.iter(|| matcher.read("write", black_box(arguments.as_bytes())));
    });
    for n in SIZES {
        let scope = scope_of_paths(n);
        c.bench_function(&format!("scope_matcher/compile/{n}"), |b| {
            b.iter(|| matcher.compile(black_box(&scope)))
        });
    }
}

criterion_group!(benches, scope_matcher);
criterion_main!(benches);
