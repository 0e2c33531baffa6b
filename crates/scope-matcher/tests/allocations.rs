//! What the allowed path costs in allocations: nothing, for a clean path and a known command.
#![allow(unsafe_code, reason = "counting allocations takes an allocator")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use plan_gate_core::{Config, EffectKind, PathStyleChoice, ProfileChoice, Scope};
use plan_gate_scope_matcher::{CallReading, CompiledScope, Coverage, Matcher};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged; the counters have no destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get().wrapping_add(1)));
        BYTES.with(|bytes| bytes.set(bytes.get().wrapping_add(layout.size())));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        BYTES.with(|bytes| bytes.set(bytes.get().wrapping_sub(layout.size())));
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Allocations of `run`, once everything lazy has happened.
fn allocations(mut run: impl FnMut()) -> usize {
    run();
    let before = COUNT.with(Cell::get);
    run();
    COUNT.with(Cell::get) - before
}

fn compiled(style: PathStyleChoice, root: Option<&str>, scope: &Scope) -> (Matcher, CompiledScope) {
    let config = Config {
        path_style: style,
        root: root.map(str::to_owned),
        profile: ProfileChoice::Named("claude-code".into()),
        ..Config::default()
    };
    let matcher = Matcher::new(&config).unwrap();
    let compiled = matcher.compile(scope).unwrap();
    (matcher, compiled)
}

fn allow(matcher: &Matcher, compiled: &CompiledScope, reading: CallReading<'_>) {
    let CallReading::Acting(call) = reading else { panic!("{reading:?}") };
    assert_eq!(matcher.cover(compiled, &[], &call), Coverage::Covered);
}

fn scope(files: usize) -> Scope {
    Scope {
        tools: vec!["Write".into(), "Bash".into()],
        files: (0..files).map(|n| format!("packages/p{n}/src")).collect(),
        commands: vec!["npm test".into(), "cargo *".into()],
        ..Scope::default()
    }
}

#[test]
fn a_clean_path_allocates_nothing() {
    let roots = [
        (PathStyleChoice::Posix, None, "packages/p3/src/deep/down/file.rs"),
        (PathStyleChoice::Posix, Some("/home/u/work"), "packages/p3/src/file.rs"),
        (PathStyleChoice::Posix, Some("/home/u/work"), "/home/u/work/packages/p3/src/file.rs"),
        (PathStyleChoice::Posix, None, "./packages/p3/src/"),
        (PathStyleChoice::Posix, None, "packages/p3/src/\u{6587}\u{6863}.md"),
        (PathStyleChoice::Macos, Some("/Users/u/work"), "/Users/U/Work/packages/p3/src/File.swift"),
    ];
    for files in [5, 900] {
        let scope = scope(files);
        for (style, root, path) in roots {
            let (matcher, compiled) = compiled(style, root, &scope);
            let count = allocations(|| {
                allow(&matcher, &compiled, matcher.read_effect("Write", EffectKind::Write, path));
            });
            assert_eq!(count, 0, "{style:?} {path} in {files} entries");
        }
    }
}

#[test]
fn a_known_command_allocates_nothing() {
    let (matcher, compiled) = compiled(PathStyleChoice::Posix, None, &scope(5));
    let count = allocations(|| {
        allow(&matcher, &compiled, matcher.read_effect("Bash", EffectKind::Execute, "npm test"));
    });
    assert_eq!(count, 0);
}

#[test]
fn arguments_of_a_kilobyte_allocate_at_most_twice() {
    let (matcher, compiled) = compiled(PathStyleChoice::Posix, None, &scope(5));
    let content = "let x = \"a\";\n\t// \u{4e2d}\u{6587}\n".repeat(40);
    let args = serde_json::json!({"content": content, "file_path": "packages/p1/src/a.rs"}).to_string();
    let count = allocations(|| allow(&matcher, &compiled, matcher.read("Write", args.as_bytes())));
    assert!(count <= 2, "{count} allocations for {} bytes", args.len());
    let args = br#"{"command":"npm test","description":"Runs the tests","timeout":120000}"#;
    let count = allocations(|| allow(&matcher, &compiled, matcher.read("Bash", args)));
    assert!(count <= 2, "{count} allocations");
}

#[test]
fn a_scope_of_five_entries_is_small() {
    let scope = Scope {
        tools: vec!["Write".into(), "Bash".into()],
        files: vec!["src".into(), "tests".into()],
        commands: vec!["npm test".into()],
        ..Scope::default()
    };
    let (matcher, _) = compiled(PathStyleChoice::Posix, None, &scope);
    let before = BYTES.with(Cell::get);
    let compiled = Box::new(matcher.compile(&scope).unwrap());
    let held = BYTES.with(Cell::get).wrapping_sub(before);
    let strings: usize = 5 * size_of::<String>()
        + scope.tools.iter().chain(&scope.files).chain(&scope.commands).map(String::len).sum::<usize>();
    assert!(held <= strings + 400, "{held} bytes, {strings} of them strings");
    drop(compiled);
}
