//! What an allowed line does is covered by the scope that allowed it.

use crate::grammar::{Grammar, Pool, mutate};
use crate::random::Random;
use crate::run::{self, Ran};
use plan_gate_core::{CommandCase, Dialect};
use plan_gate_scope_matcher::command::{CommandTable, FileCover};

const POOL: Pool = Pool {
    commands: &[
        "pnpm test",
        "pnpm lint -f",
        "pnpm",
        "make all",
        "make",
        "make a b",
        "git status",
        "git log",
        "git commit -m",
        "cat in1",
        "cat",
        "rm b.txt",
        "find . -name x",
        "find",
        "sort in1",
        "sort",
        "id",
        "curl evil",
        "echo hi",
        "test -f in1",
        "[ -n x ]",
        "true",
        ":",
        "grep -v x",
        "wc -l",
        "timeout 5 make a",
        "tee out1",
        "cp in1 out1",
        "read -r i",
        "set -e",
        "cat < in1",
        "mv in1 sub",
    ],
    directories: &[
        "sub",
        "sub/deep",
        "..",
        ".",
        "web",
        "nowhere",
        "sub/../..",
        "-- sub",
        "\"$x\"",
        "'sub'",
        "/",
        "~",
    ],
    files: &[
        "out1",
        "sub/out2",
        "../out3",
        "web/out4",
        "./out1",
        "sub/../out1",
        "\"out1\"",
        "$x",
        "out*",
        "{out1,out5}",
        "/dev/null",
    ],
    words: &[
        "a",
        "b",
        "-u",
        "in1",
        "x",
        "-delete",
        "-exec",
        "-o",
        "-oout1",
        "--output=out1",
        "--outp",
        "-c",
        "a.b=c",
        "SHELL=x",
        "$i",
        "\"$i\"",
        "\"a$i\"",
        "{-delete,x}",
        "*",
        "-*",
        "--",
        "all",
        "'-delete'",
        "-\"delete\"",
        "\\-delete",
        "$'-delete'",
        "'a b'",
        "--upload-pack=x",
        "-m",
        ".",
        "-n",
        "sub",
    ],
};

/// Lines that people write, for mutation.
const ORDINARY: &[&str] = &[
    "pnpm test && pnpm lint",
    "cd sub && make all > out2",
    "for i in a b; do make $i; done",
    "cat in1 | sort | grep x > out1",
    "(cd sub && make a) && cat in1",
    "if pnpm test; then make all; else cat in1; fi",
    "while read -r i; do make \"$i\"; done < in1",
    "make all 2>&1 | tee out1",
    "x=$(cat in1); make \"$x\"",
    "cat <<'E' > out1\ntext\nE",
    "cat <<E > out1\n$(make a)\nE",
    "f() { make a; }; f; pnpm test",
    "{ make a; make b; } > sub/out2",
    "cd sub; cat in1 > out2",
    "cd sub || exit; make > out1",
    "! make a || cat in1",
    "git commit -m \"$(cat in1)\"",
    "git commit -m 'a; rm x'",
    "find . -name 'x' | sort",
    "timeout 5 make a && timeout 5 pnpm test",
    "[[ -f in1 ]] && make all",
    "make $((1+2))",
    "for ((i=0;i<2;i++)); do make $i; done",
    "case a in a) make a;; *) pnpm test;; esac",
    "cd sub && cd .. && make > out1",
    "set -e; make a; cd sub; make b >out2",
    "make `cat in1`",
    "sort < <(cat in1)",
    "cat in1 > >(sort)",
    "cd sub & make > out1",
    "cd sub | make > out1",
    "(cd sub); make > out1",
    "true && cd sub || make > out1",
    "for i in 1 2; do cd sub; make > out1; done",
    "f() { cd sub; }; f; make > out1",
    "x=sub; cd $x; make",
    "cd web && { make > out4; cat in1; }",
    "git log -- $i",
    "for i in -delete; do find . $i; done",
    "for i in a -o; do sort $i in1; done",
    "i=-delete; find . \"$i\"",
    "cp in1 out1; mv out1 sub/out2",
];

const ENTRIES: &[&str] = &[
    "pnpm test",
    "pnpm *",
    "pnpm lint*",
    "make *",
    "make all",
    "make a*",
    "git *",
    "git status",
    "git commit *",
    "git commit -m *",
    "cat *",
    "cat in1",
    "rm *",
    "find *",
    "find . -name *",
    "find . -delete*",
    "sort *",
    "sort -o *",
    "grep *",
    "wc *",
    "echo *",
    "timeout *",
    "timeout 5 make *",
    "tee *",
    "cp *",
    "mv *",
    "id",
    "cat in1 | sort",
    "make all && pnpm test",
];

const FILES: &[&str] = &["out1", "sub", "sub/out2", "web/out4", "web", "."];

/// Runs the allowed ones of `count` lines; panics with what was not covered.
pub fn check(count: usize, seed: u64) {
    let ordinary: Vec<String> = ORDINARY.iter().map(|line| (*line).to_owned()).collect();
    let mut random = Random::new(seed ^ 0x5c0e);
    let (mut made, mut allowed, mut started, mut written) = (0usize, 0usize, 0usize, 0usize);
    let mut escapes = Vec::new();
    while made < count {
        let mut lines = Vec::new();
        let mut scopes = Vec::new();
        while lines.len() < 1_000 && made < count {
            made += 1;
            let line = match random.below(4) {
                0 => Grammar::new(&mut random, &POOL).line(),
                1 => {
                    let line = Grammar::new(&mut random, &POOL).line();
                    mutate(&mut random, &line, &ordinary)
                }
                _ => {
                    let line = ordinary[random.below(ordinary.len())].clone();
                    mutate(&mut random, &line, &ordinary)
                }
            };
            if !run::is_safe(&line.replace("/dev/null", "")) {
                continue;
            }
            if let Some(scope) = allowing_scope(&mut random, &line) {
                lines.push(line);
                scopes.push(scope);
            }
        }
        allowed += lines.len();
        for ((line, scope), ran) in lines.iter().zip(&scopes).zip(run::run(&lines)) {
            started += ran.commands.len();
            written += ran.files.len();
            if let Some(escape) = escape(scope, &ran) {
                escapes.push(format!("{line:?}\n    under {scope:?}\n    {escape}"));
            }
        }
    }
    println!(
        "scope: {made} lines, {allowed} allowed and run, {started} commands started, {written} files written"
    );
    assert!(allowed * 20 > made, "too few lines are allowed to prove anything: {allowed} of {made}");
    assert!(escapes.is_empty(), "{} of {allowed} lines:\n{}", escapes.len(), escapes.join("\n"));
}

#[derive(Debug)]
struct Scope {
    commands: Vec<String>,
    files: Vec<String>,
}

/// One of a few random scopes that allows the line.
fn allowing_scope(random: &mut Random, line: &str) -> Option<Scope> {
    for _ in 0..8 {
        let pick = |random: &mut Random, items: &[&str], most: usize| -> Vec<String> {
            (0..1 + random.below(most)).map(|_| random.pick(items).to_owned()).collect()
        };
        let commands = pick(random, ENTRIES, 16);
        let files = if random.chance(70) { pick(random, FILES, 3) } else { Vec::new() };
        let table = CommandTable::compile(&commands, CommandCase::Fold).unwrap();
        if table.covers(line, Dialect::Bash, &Files(&files)).is_covered() {
            return Some(Scope { commands, files });
        }
    }
    None
}

/// The files list, lexically; the root is the empty path.
struct Files<'f>(&'f [String]);

fn resolve(cwd: &str, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut segments: Vec<&str> = Vec::new();
    for segment in
        cwd.split('/').chain(path.split('/')).filter(|segment| !segment.is_empty() && *segment != ".")
    {
        if segment == ".." {
            segments.pop()?;
        } else {
            segments.push(segment);
        }
    }
    Some(segments.join("/"))
}

impl FileCover for Files<'_> {
    fn may_write(&self, cwd: &str, path: &str) -> bool {
        resolve(cwd, path).is_some_and(|path| file_covered(self.0, &path))
    }

    fn enter(&self, cwd: &str, dir: &str) -> Option<String> {
        resolve(cwd, dir)
    }
}

fn file_covered(files: &[String], path: &str) -> bool {
    let below = |entry: &String| {
        entry == "."
            || path == entry
            || path.strip_prefix(entry.as_str()).is_some_and(|rest| rest.starts_with('/'))
    };
    !path.starts_with("../") && files.iter().any(below)
}

/// What the line did outside its scope.
fn escape(scope: &Scope, ran: &Ran) -> Option<String> {
    let command = ran
        .commands
        .iter()
        .find(|words| !words_covered(scope, words))
        .map(|words| format!("started {words:?}"));
    let file = || {
        ran.files.iter().find(|file| !file_covered(&scope.files, file)).map(|file| format!("wrote {file:?}"))
    };
    // A line that is an entry itself may do what it says.
    command.or_else(file)
}

/// The model: final words against entries.
fn words_covered(scope: &Scope, words: &[String]) -> bool {
    if by_entry(scope, words) {
        return true;
    }
    // The wrapper of the pool runs what is in its arguments.
    if let [timeout, seconds, inner @ ..] = words
        && timeout.trim_start_matches('g') == "timeout"
        && !seconds.starts_with('-')
        && !inner.is_empty()
    {
        return words_covered(scope, inner);
    }
    false
}

fn by_entry(scope: &Scope, words: &[String]) -> bool {
    scope.commands.iter().any(|entry| match entry.strip_suffix('*') {
        None => {
            // Whole lines that are lists cover their parts only together; both parts are harmless here.
            entry
                .split(" && ")
                .flat_map(|line| line.split(" | "))
                .any(|line| line.split(' ').eq(words.iter().map(String::as_str)))
        }
        Some(prefix) => {
            let fixed: Vec<&str> = prefix.split(' ').filter(|word| !word.is_empty()).collect();
            let (whole, partial) = if prefix.ends_with(' ') {
                (fixed.len(), None)
            } else {
                (fixed.len() - 1, fixed.last().copied())
            };
            words.len() >= whole
                && fixed.iter().take(whole).eq(words.iter().take(whole))
                && partial
                    .is_none_or(|partial| words.get(whole).is_some_and(|word| word.starts_with(partial)))
                && words
                    .get(..1)
                    .is_some_and(|first| first[0] != "timeout" || fixed.len() > 2 || words.len() < 3)
                && !dangerous(scope, words, whole, partial)
        }
    })
}

/// The options of the pool's programs that need an entry of their own, spelled out.
fn dangerous(scope: &Scope, words: &[String], fixed: usize, partial: Option<&str>) -> bool {
    let rest = words
        .iter()
        .skip(fixed.max(1))
        .filter(|word| partial.is_none_or(|partial| partial.len() < 3 || !word.starts_with(partial)));
    match words[0].as_str() {
        "find" => rest.into_iter().any(|word| {
            ["-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fls", "-fprintf", "-fprint0"]
                .contains(&word.as_str())
        }),
        "sort" => rest.into_iter().any(|word| {
            let short = word.starts_with('-')
                && !word.starts_with("--")
                && word[1..].split(['k', 't', 'S', 'T']).next().is_some_and(|flags| flags.contains('o'));
            let long = word.split('=').next().unwrap_or_default();
            short
                || (long.len() > 2
                    && ("--output".starts_with(long) || "--compress-program".starts_with(long)))
        }),
        "git" => {
            let global = words.iter().skip(1).take_while(|word| word.starts_with('-'));
            global.skip(fixed.saturating_sub(1)).any(|word| word == "-c")
                || rest.into_iter().any(|word| word.starts_with("--upload-pack"))
        }
        "make" => rest.into_iter().any(|word| word.starts_with("SHELL=") || word.starts_with("-f")),
        "tee" | "mv" => words
            .iter()
            .skip(1)
            .filter(|word| !word.starts_with('-'))
            .any(|word| word != "/dev/null" && !file_from_anywhere(scope, word)),
        "cp" => words
            .iter()
            .skip(1)
            .rfind(|word| !word.starts_with('-'))
            .is_some_and(|word| !file_from_anywhere(scope, word)),
        _ => false,
    }
}

/// The model does not know where a program ran: any directory that the line could be in will do.
fn file_from_anywhere(scope: &Scope, path: &str) -> bool {
    ["", "sub", "sub/deep", "web", "nowhere"]
        .iter()
        .any(|cwd| resolve(cwd, path).is_some_and(|path| file_covered(&scope.files, &path)))
}
