//! Paths against those who really read them: the operating system, and Python's `ntpath`.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may fail loudly")]

use plan_gate_core::{Config, EffectKind, PathStyleChoice, Reason, Scope};
use plan_gate_scope_matcher::{CallReading, Coverage, Matcher};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A generator with a fixed seed: the same cases in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from.get(self.below(from.len())).copied().unwrap_or_default()
    }
}

#[derive(Debug, PartialEq)]
enum Answer {
    Covered,
    Held,
    Refused,
    Fault,
}

fn ask(matcher: &Matcher, entry: &str, path: &str) -> Answer {
    let scope = Scope { tools: vec!["t".into()], files: vec![entry.into()], ..Scope::default() };
    let Ok(compiled) = matcher.compile(&scope) else { return Answer::Fault };
    match matcher.read_effect("t", EffectKind::Write, path) {
        CallReading::Acting(call) => match matcher.cover(&compiled, &[], &call) {
            Coverage::Covered => Answer::Covered,
            Coverage::Outside(_) => Answer::Held,
        },
        CallReading::Refused(refusal) if refusal.reason == Reason::PathUnusable => Answer::Refused,
        other => panic!("{other:?}"),
    }
}

fn posix(root: Option<&Path>, resolve_symlinks: bool) -> Matcher {
    let root = root.map(|root| root.to_str().unwrap().to_owned());
    Matcher::new(&Config { path_style: PathStyleChoice::Posix, root, resolve_symlinks, ..Config::default() })
        .unwrap()
}

/// Directories `a`, `b` and `ab` in each other, three deep, so that every path of them exists.
fn grow(dir: &Path, depth: usize) {
    for name in ["a", "b", "ab"] {
        let dir = dir.join(name);
        std::fs::create_dir(&dir).unwrap();
        if depth > 1 {
            grow(&dir, depth - 1);
        }
    }
}

fn random_path(random: &mut Random, parts: &[&str], separators: &[&str]) -> String {
    let mut path = String::new();
    for index in 0..=random.below(5) {
        if index > 0 {
            path.push_str(random.pick(separators));
        }
        path.push_str(random.pick(parts));
    }
    path
}

#[test]
fn without_links_the_system_agrees_in_both_directions() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap().join("a").join("ab");
    grow(&dir.path().canonicalize().unwrap(), 5);
    let matcher = posix(Some(&root), false);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut covered, mut outside) = (0, 0);
    for _ in 0..10_000 {
        let parts = ["a", "b", "ab", ".", "..", "", ".."];
        let mut entry = random_path(&mut random, &parts, &["/"]);
        let mut path = random_path(&mut random, &parts, &["/"]);
        for text in [&mut entry, &mut path] {
            if random.below(4) == 0 {
                *text = format!("{}/{text}", root.display());
            }
        }
        let real = |text: &str| root.join(text).canonicalize().ok();
        let (Some(real_entry), Some(real_path)) = (real(&entry), real(&path)) else { continue };
        let inside = real_path.starts_with(&real_entry);
        match ask(&matcher, &entry, &path) {
            Answer::Covered => {
                assert!(inside, "`{entry}` must not cover `{path}`");
                covered += 1;
            }
            Answer::Held => {
                assert!(!inside, "`{entry}` must cover `{path}`");
                outside += 1;
            }
            // An empty path, a path past `/`; a relative entry that leaves the root.
            Answer::Refused => assert!(path.is_empty() || !inside || path.contains(".."), "{path}"),
            Answer::Fault => assert!(entry.trim().is_empty() || !real_entry.starts_with(&root), "{entry}"),
        }
    }
    assert!(covered > 500 && outside > 500, "{covered} covered, {outside} not: no test");
}

#[test]
fn without_a_root_nothing_outside_is_covered() {
    let dir = tempfile::tempdir().unwrap();
    let top = dir.path().canonicalize().unwrap();
    grow(&top, 5);
    let here = top.join("b");
    let matcher = posix(None, false);
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut covered = 0;
    for _ in 0..10_000 {
        let parts = ["a", "b", "ab", ".", "..", ""];
        let entry = random_path(&mut random, &parts, &["/"]);
        let path = random_path(&mut random, &parts, &["/"]);
        if ask(&matcher, &entry, &path) == Answer::Covered {
            let real = |text: &str| here.join(text).canonicalize().ok();
            if let (Some(entry_real), Some(path_real)) = (real(&entry), real(&path)) {
                assert!(path_real.starts_with(&entry_real), "`{entry}` must not cover `{path}`");
                covered += 1;
            }
        }
    }
    assert!(covered > 500, "{covered} covered: no test");
}

/// With links resolved, what is covered is written where the entry leads, whatever links stand around.
#[cfg(unix)]
#[test]
fn links_do_not_lead_out() {
    let mut random = Random(0xdead_beef_cafe_f00d);
    let (mut covered, mut held) = (0, 0);
    for _ in 0..30 {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        grow(&top, 3);
        let root = top.join("a");
        let mut links: Vec<PathBuf> = Vec::new();
        for index in 0..6 {
            let place = top.join(random_path(&mut random, &["a", "b", "ab"], &["/"]));
            let Some(parent) = place.parent().filter(|parent| parent.is_dir()) else { continue };
            let link = parent.join(format!("l{index}"));
            let target = match random.below(3) {
                0 => PathBuf::from(random_path(&mut random, &["a", "b", "..", "l1", "l2"], &["/"])),
                1 => top.join(random_path(&mut random, &["a", "b", "ab"], &["/"])),
                _ => PathBuf::from("nowhere"),
            };
            std::os::unix::fs::symlink(target, &link).unwrap();
            links.push(link);
        }
        let matcher = posix(Some(&root), true);
        for _ in 0..200 {
            let parts = ["a", "b", "ab", "l0", "l1", "l2", "l3", "l4", "l5", "..", ".", "new"];
            let entry = random_path(&mut random, &parts, &["/"]);
            let path = random_path(&mut random, &parts, &["/"]);
            match ask(&matcher, &entry, &path) {
                Answer::Covered => covered += 1,
                _ => {
                    held += 1;
                    continue;
                }
            }
            let target = root.join(&path);
            let Ok(entry_real) = root.join(&entry).canonicalize() else { continue };
            if target.is_dir() {
                assert!(target.canonicalize().unwrap().starts_with(&entry_real), "`{entry}`, `{path}`");
            } else if let Some(parent) = target.parent().filter(|parent| parent.is_dir())
                && std::fs::write(&target, b"x").is_ok()
            {
                let landed = target.canonicalize().unwrap();
                assert!(
                    landed.starts_with(&entry_real),
                    "`{entry}`, `{path}` in {parent:?} landed at {landed:?}"
                );
                std::fs::remove_file(&target).unwrap();
            }
            assert!(entry_real.starts_with(&root), "`{entry}` leads out of the root, yet covers `{path}`");
        }
    }
    assert!(covered > 100 && held > 100, "{covered} covered, {held} not: no test");
}

/// Reads lines of `root, entry, path` and answers `1` where `ntpath` puts the path inside the entry.
const NTPATH: &str = r"
import ntpath, sys
def normal(root, text):
    return ntpath.normcase(ntpath.normpath(ntpath.join(root, text)))
for line in sys.stdin.read().split('\0'):
    if not line:
        continue
    root, entry, path = line.split('\1')
    entry, path = normal(root, entry), normal(root, path)
    inside = path == entry or path.startswith(entry if entry.endswith('\\') else entry + '\\')
    sys.stdout.write('1' if inside else '0')
";

fn ntpath(cases: &[(String, String)], root: &str) -> Vec<bool> {
    let mut python = Command::new("python3")
        .args(["-X", "utf8", "-c", NTPATH])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("python3 is the oracle of this test: {error}"));
    let input: String =
        cases.iter().map(|(entry, path)| format!("{root}\u{1}{entry}\u{1}{path}\0")).collect();
    let mut stdin = python.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
    let output = python.wait_with_output().unwrap();
    writer.join().unwrap();
    output.stdout.iter().map(|byte| *byte == b'1').collect()
}

#[test]
fn python_reads_windows_paths_the_same_way() {
    for root in ["C:\\w\\p", "C:\\", "\\\\srv\\share\\w"] {
        let config =
            Config { path_style: PathStyleChoice::Windows, root: Some(root.into()), ..Config::default() };
        let matcher = Matcher::new(&config).unwrap();
        let mut random = Random(0x0bad_cafe_1234_5678);
        let heads = [
            "",
            "",
            "",
            "",
            "C:\\",
            "c:/",
            "\\",
            "D:\\",
            "\\\\srv\\share\\",
            "//SRV/Share/",
            "C:",
            "\\\\?\\C:\\",
        ];
        let usual = ["a", "A", "b", "ab", ".", "..", "w", "p", "P", "c d", "\u{e9}", "\u{c9}", "x.y"];
        let odd = ["a", "..", "a.", "con", "a:b", "AB~1", "b "];
        let text = |random: &mut Random| {
            let parts: &[&str] = if random.below(6) == 0 { &odd } else { &usual };
            format!("{}{}", random.pick(&heads), random_path(random, parts, &["\\", "/", "\\\\"]))
        };
        let cases: Vec<(String, String)> =
            (0..10_000).map(|_| (text(&mut random), text(&mut random))).collect();
        let answers = ntpath(&cases, root);
        assert_eq!(answers.len(), cases.len());
        let (mut covered, mut held) = (0, 0);
        for ((entry, path), inside) in cases.iter().zip(answers) {
            match ask(&matcher, entry, path) {
                Answer::Covered => {
                    assert!(inside, "root `{root}`: `{entry}` must not cover `{path}`");
                    covered += 1;
                }
                Answer::Held => {
                    // An 8.3 name is one file to Python and perhaps another to Windows.
                    assert!(!inside || path.contains('~'), "root `{root}`: `{entry}` must cover `{path}`");
                    held += 1;
                }
                Answer::Refused | Answer::Fault => {}
            }
        }
        assert!(covered > 100 && held > 500, "{covered} covered, {held} not: no test");
    }
}
