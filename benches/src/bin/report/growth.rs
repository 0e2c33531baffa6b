//! How the cost grows: with the scope, the message, the arguments, the command line.

use crate::plot::{Curve, Plot};
use crate::record::{Record, ns, times};
use plan_gate_benches::library::{EXECUTE, Library, WRITE, allows};
use plan_gate_benches::measure::{Effort, Race, Times, Turns};
use plan_gate_benches::questions::{
    CONFIG, EXACT_COMMAND, THREE_PART_COMMAND, commands, long_message, paths, plan, scope_of_commands,
    scope_of_paths, write_arguments,
};
use plan_gate_benches::split;
use plan_gate_core::Dialect;
use plan_gate_scope_matcher::command::{CommandTable, FileCover};
use std::error::Error;
use std::hint::black_box;

/// Every curve.
pub fn run(record: &mut Record, effort: Effort) -> Result<(), Box<dyn Error>> {
    record.section(
        "Growth",
        "Each curve is measured in turns with its neighbours. A plan holds at most 1,000 entries; beyond, the \
         command table is asked without a plan around it.",
    );
    let library = Library::load();
    scope(record, effort, &library);
    table_of_commands(record, effort);
    messages(record, effort, &library);
    arguments(record, effort, &library);
    lines(record, effort);
    Ok(())
}

/// Time over the first point, divided by how much larger the input is: 1 is linear, less is better.
fn steepest(curve: &[(f64, f64)]) -> f64 {
    let steps = curve.iter().zip(curve.iter().skip(1));
    steps.map(|((x0, y0), (x1, y1))| (y1 / y0) / (x1 / x0)).fold(0.0, f64::max)
}

fn curve(got: &Times, what: &str, sizes: &[usize]) -> Vec<(f64, f64)> {
    sizes.iter().map(|size| (*size as f64, got.ns(&format!("{what} {size}")))).collect()
}

fn show(record: &mut Record, unit: &str, curves: &[Curve]) {
    let rows: Vec<Vec<String>> = curves
        .iter()
        .flat_map(|(name, points)| {
            let first = points.first().map_or(1.0, |point| point.1);
            points.iter().map(move |(x, y)| vec![name.clone(), x.to_string(), ns(*y), times(y / first)])
        })
        .collect();
    record.rows(&["", unit, "time", "of the first"], &rows);
    for (name, points) in curves {
        record.set(format!("steepest: {name}"), steepest(points));
    }
}

fn scope(record: &mut Record, effort: Effort, library: &Library) {
    let sizes = [5, 20, 50, 200, 990];
    let gate = library.gate(CONFIG);
    let session = |kind: &str, n: &usize, plan: String| gate.approved(&format!("{kind} {n}"), &plan);
    let of_paths: Vec<_> = sizes.iter().map(|n| session("paths", n, plan(&scope_of_paths(*n)))).collect();
    let of_commands: Vec<_> =
        sizes.iter().map(|n| session("commands", n, plan(&scope_of_commands(*n)))).collect();
    let asked: Vec<_> = sizes.iter().map(|n| paths(*n, true)).collect();
    let mut race = Race::new();
    for (at, n) in sizes.iter().enumerate() {
        let (session, mut turns) = (&of_paths[at], Turns::new(&asked[at]));
        race.add(format!("path {n}"), move || session.check_effect("write", WRITE, turns.next()));
        let session = &of_commands[at];
        for (name, line) in [("exact", EXACT_COMMAND), ("three parts", THREE_PART_COMMAND)] {
            assert!(allows(session.check_effect("bash", EXECUTE, line)));
            race.add(format!("{name} {n}"), move || session.check_effect("bash", EXECUTE, black_box(line)));
        }
    }
    let got = race.run(effort);
    let curves = [
        ("path".to_owned(), curve(&got, "path", &sizes)),
        ("exact command".to_owned(), curve(&got, "exact", &sizes)),
        ("command of three parts".to_owned(), curve(&got, "three parts", &sizes)),
    ];
    show(record, "entries", &curves);
    record.plot(Plot {
        file: "scope",
        title: "A decision, by entries in the scope",
        axes: ["entries", "ns"],
        curves: curves.to_vec(),
    });
}

/// A command line that writes nothing asks for no file.
struct NoFiles;

impl FileCover for NoFiles {
    fn may_write(&self, _cwd: &str, _path: &str) -> bool {
        false
    }

    fn enter(&self, _cwd: &str, _dir: &str) -> Option<String> {
        None
    }
}

fn table_of_commands(record: &mut Record, effort: Effort) {
    let sizes = [50, 500, 5_000, 50_000];
    let tables: Vec<CommandTable> = sizes
        .iter()
        .map(|n| CommandTable::compile(&commands(*n), plan_gate_core::CommandCase::Fold).expect("entries"))
        .collect();
    let mut race = Race::new();
    for (table, n) in tables.iter().zip(sizes) {
        assert!(table.covers(THREE_PART_COMMAND, Dialect::Bash, &NoFiles).is_covered());
        race.add(format!("table {n}"), || {
            table.covers(black_box(THREE_PART_COMMAND), Dialect::Bash, &NoFiles).is_covered()
        });
    }
    let got = race.run(effort);
    show(record, "entries", &[("command table alone, three parts".to_owned(), curve(&got, "table", &sizes))]);
}

fn messages(record: &mut Record, effort: Effort, library: &Library) {
    let sizes = [10, 100, 1_000, 10_000, 100_000, 1_000_000];
    let texts = sizes.map(long_message);
    let session = library.gate(CONFIG).session("messages");
    let mut race = Race::new();
    for (text, size) in texts.iter().zip(sizes) {
        let session = &session;
        race.add(format!("message {size}"), move || session.reply(black_box(text)));
    }
    let got = race.run(effort);
    let points = curve(&got, "message", &sizes);
    record.set("message GB/s", 1_000_000.0 / got.ns("message 1000000"));
    record.set("message growth", got.ratio("message 1000000", "message 100000"));
    let curves = [("message".to_owned(), points)];
    show(record, "bytes", &curves);
    record.plot(Plot {
        file: "message",
        title: "Reading a reply, by its length",
        axes: ["bytes", "ns"],
        curves: curves.to_vec(),
    });
}

fn arguments(record: &mut Record, effort: Effort, library: &Library) {
    let sizes = [100, 1_000, 10_000, 100_000, 1_000_000];
    let texts = sizes.map(|size| write_arguments(&paths(50, true)[0], size));
    let session = library.gate(CONFIG).approved("arguments", &plan(&scope_of_paths(50)));
    let mut race = Race::new();
    for (text, size) in texts.iter().zip(sizes) {
        assert!(allows(session.check("write", text)));
        let session = &session;
        race.add(format!("arguments {size}"), move || session.check("write", black_box(text)));
    }
    let got = race.run(effort);
    let curves = [("arguments".to_owned(), curve(&got, "arguments", &sizes))];
    show(record, "bytes", &curves);
    record.plot(Plot {
        file: "arguments",
        title: "From JSON arguments to a decision, by their length",
        axes: ["bytes", "ns"],
        curves: curves.to_vec(),
    });
}

fn lines(record: &mut Record, effort: Effort) {
    let sizes = [16, 160, 1_600, 16_000, 160_000];
    let link = "echo a && ";
    let texts = sizes.map(|size| link.repeat(size / link.len()) + "echo b");
    let nested = "$(".repeat(100_000);
    let mut race = Race::new();
    for (text, size) in texts.iter().zip(sizes) {
        assert!(split(text).is_some(), "a chain of {size} bytes");
        race.add(format!("line {size}"), move || split(black_box(text)));
    }
    race.add("nested", || split(black_box(&nested)));
    let got = race.run(effort);
    let points = curve(&got, "line", &sizes);
    record.set("line growth", got.ratio("line 160000", "line 16000"));
    record.set("line MB/s", 160_000.0 * 1e3 / got.ns("line 160000"));
    record.set("nesting ms", got.ns("nested") / 1e6);
    let curves = [("taking a command line apart".to_owned(), points)];
    show(record, "bytes", &curves);
    record.plot(Plot {
        file: "line",
        title: "Taking a command line apart, by its length",
        axes: ["bytes", "ns"],
        curves: curves.to_vec(),
    });
}
