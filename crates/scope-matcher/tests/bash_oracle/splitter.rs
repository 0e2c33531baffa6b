//! Every command that bash starts is one of the parts.

use crate::grammar::{Grammar, Pool, mutate};
use crate::random::Random;
use crate::run::{self, Ran};
use plan_gate_core::Dialect;
use plan_gate_scope_matcher::shell::{Marks, Part, Split, split};

const POOL: Pool = Pool {
    commands: &[
        "alpha",
        "bravo",
        "charlie x",
        "delta -y",
        "al\"ph\"a",
        "'bravo'",
        "\\charlie",
        "echo hi",
        "test -f x",
        ":",
        "true",
        "false",
    ],
    directories: &[],
    files: &["out1", "out2", "\"out 3\""],
    words: &[
        "foo", "-x", "--long=1", "'a b'", "\"c d\"", "a=b", "1", "x", "~", "[a]", "中文", "é", "{}", "a{b",
        "!", "@", "=x", "%1", "-", "--",
    ],
};

/// Runs `count` lines; panics with the lines that bash reads in another way.
pub fn check(count: usize, seed: u64) {
    let constructs: Vec<String> =
        include_str!("../cases/constructs.txt").split("\n%%\n").map(str::to_owned).collect();
    let mut random = Random::new(seed);
    let (mut accepted, mut ran, mut started, mut stopped) = (0usize, 0usize, 0usize, 0usize);
    let mut missed = Vec::new();
    let mut lines = constructs.clone();
    let mut made = 0;
    while made < count {
        while lines.len() < 2_000 && made + lines.len() < count.max(constructs.len()) {
            let line = match random.below(3) {
                0 => Grammar::new(&mut random, &POOL).line(),
                1 => {
                    let line = Grammar::new(&mut random, &POOL).line();
                    mutate(&mut random, &line, &constructs)
                }
                _ => {
                    let line = constructs[random.below(constructs.len())].clone();
                    mutate(&mut random, &line, &constructs)
                }
            };
            lines.push(line);
        }
        made += lines.len();
        lines.retain(|line| {
            !line.contains('/') || line.contains("/dev/null") && !line.replace("/dev/null", "").contains('/')
        });
        lines.retain(|line| run::is_safe(line) && split(line, Dialect::Bash).opaque.is_none());
        accepted += lines.len();
        for (line, did) in lines.iter().zip(run::run(&lines)) {
            let split = split(line, Dialect::Bash);
            stopped += usize::from(did.stopped);
            ran += usize::from(!did.commands.is_empty());
            started += did.commands.len();
            if let Some(words) = first_missed(&split, &did) {
                missed.push(format!("{line:?}\n    bash ran {words:?}"));
            }
        }
        lines.clear();
    }
    println!(
        "splitter: {made} lines, {accepted} taken apart and run, {ran} started {started} commands, {stopped} stopped"
    );
    assert!(ran * 4 > accepted, "the harness runs too little: {ran} of {accepted}");
    assert!(missed.is_empty(), "{} of {accepted} lines:\n{}", missed.len(), missed.join("\n"));
}

fn first_missed(split: &Split<'_>, ran: &Ran) -> Option<Vec<String>> {
    ran.commands.iter().find(|words| !split.parts.iter().any(|part| explains(part, words))).cloned()
}

/// Whether the part can be what bash started: all certain words up to the first that may become any
/// number of words.
fn explains(part: &Part<'_>, words: &[String]) -> bool {
    let many = Marks::SPLITS.with(Marks::GLOB).with(Marks::BRACE).with(Marks::PIPE);
    let mut given = words.iter();
    for word in &part.words {
        if word.marks().has(many) || word.raw().contains("$@") || word.raw().contains("${@") {
            return true;
        }
        match (word.known(), given.next()) {
            (_, None) => return false,
            (Some(text), Some(given)) if text != given => return false,
            _ => {}
        }
    }
    !part.words.is_empty() && given.next().is_none()
}
