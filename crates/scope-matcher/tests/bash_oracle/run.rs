//! Runs lines in real bash, each in a directory of its own, and records what it starts and writes.
//!
//! `PATH` is empty of programs, so bash hands every command to `command_not_found_handle`, which
//! writes its words into the log of the line. Every line runs twice: with all commands failing and
//! with all succeeding. Nothing can reach further: another user, no standard input, limits on time
//! and file size, and no program.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What one line did in both runs.
#[derive(Debug, Default, Clone)]
pub struct Ran {
    /// The words of every command that bash tried to start.
    pub commands: Vec<Vec<String>>,
    /// Files that are there afterwards and were not before, relative to the root of the line.
    pub files: BTreeSet<String>,
    /// It had to be stopped; what is recorded may not be all.
    pub stopped: bool,
}

/// Files and directories that every line finds: `(name, is a directory)`.
const PRESENT: &[(&str, bool)] =
    &[("in1", false), ("sub", true), ("sub/deep", true), ("web", true), ("-x.txt", false), ("b.txt", false)];

/// Lines that would reach out of the harness itself.
pub fn is_safe(line: &str) -> bool {
    const WORDS: &[&str] = &[
        "kill", "suspend", "logout", "disown", "ulimit", "umask", "BASH", "PPID", "__pg", "enable", "/proc",
        "/dev/t", "/dev/u", "DIRSTACK", "OLDPWD",
    ];
    !WORDS.iter().any(|word| line.contains(word))
        && !line
            .split('~')
            .skip(1)
            .any(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '+' || c == '-'))
        && !line.contains('\0')
        && !spins(line)
}

/// A loop that nothing ends only burns its second of time.
fn spins(line: &str) -> bool {
    let loops = line.matches("while").count() + line.matches("until").count() + line.matches("((;").count();
    let ends = line.matches("break").count() + line.matches("read").count() + line.matches("exit").count();
    loops > ends
}

/// Runs every line; the results are in the same order.
pub fn run(lines: &[String]) -> Vec<Ran> {
    let half = lines.len().div_ceil(2);
    let (first, second) = lines.split_at(half);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| run_batches(second));
        let mut results = run_batches(first);
        results.extend(other.join().unwrap());
        results
    })
}

fn run_batches(lines: &[String]) -> Vec<Ran> {
    let mut results = Vec::with_capacity(lines.len());
    for batch in lines.chunks(200) {
        match run_batch(batch, Duration::from_secs(60)) {
            Some(batch) => results.extend(batch),
            // One of them hangs: each on its own.
            None => results.extend(batch.iter().map(|line| {
                run_batch(std::slice::from_ref(line), Duration::from_secs(3))
                    .and_then(|mut one| one.pop())
                    .unwrap_or(Ran { stopped: true, ..Ran::default() })
            })),
        }
    }
    results
}

/// Where bash is, since the child's own `PATH` is empty.
fn bash() -> std::path::PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|dir| dir.join("bash"))
        .find(|file| file.is_file())
        .expect("the oracle needs bash")
}

fn run_batch(lines: &[String], limit: Duration) -> Option<Vec<Ran>> {
    let base =
        if Path::new("/dev/shm").is_dir() { tempfile::tempdir_in("/dev/shm") } else { tempfile::tempdir() }
            .unwrap();
    let base_path = base.path();
    open(base_path);
    let mut script = String::from(PRELUDE);
    for (index, line) in lines.iter().enumerate() {
        for code in [127, 0] {
            let name = format!("{index}.{code}");
            prepare(&base_path.join(&name));
            let quoted = line.replace('\'', "'\\''");
            script.push_str(&format!(
                "( cd {name}/root; HOME=$PWD; __pg={name}; __pg_code={code}; ulimit -t 1; ulimit -f 64; eval '{quoted}' ) >/dev/null 2>&1\n"
            ));
        }
    }
    fs::write(base_path.join("script"), script).unwrap();
    let mut command = Command::new(bash());
    command
        .args(["--norc", "--noprofile", "script"])
        .current_dir(base_path)
        .env_clear()
        .env("PATH", "/nonexistent")
        .env("LANG", "C.UTF-8")
        .env("__PG_BASE", base_path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    if fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0) {
        command.uid(65534).gid(65534);
    }
    let mut child = command.spawn().unwrap();
    let group = child.id();
    let ended = wait(&mut child, limit);

    // Whatever still runs in the background has had its time.
    std::thread::sleep(Duration::from_millis(if ended { 15 } else { 0 }));
    let _ = Command::new("kill").args(["-KILL", "--", &format!("-{group}")]).stderr(Stdio::null()).status();
    let _ = child.wait();
    if !ended {
        return None;
    }
    let one = |index: usize| {
        let mut ran = Ran::default();
        for code in [127, 0] {
            read(&base_path.join(format!("{index}.{code}")), &mut ran);
        }
        ran
    };
    Some((0..lines.len()).map(one).collect())
}

const PRELUDE: &str = r#"
command_not_found_handle() {
    builtin printf '%s\0' "$#" "$@" >> "$__PG_BASE/$__pg/log"
    builtin return "$__pg_code"
}
readonly -f command_not_found_handle
FUNCNEST=3
"#;

fn wait(child: &mut Child, limit: Duration) -> bool {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(_)) => return true,
            Ok(None) if start.elapsed() < limit => std::thread::sleep(Duration::from_millis(3)),
            _ => return false,
        }
    }
}

fn open(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
}

fn prepare(dir: &Path) {
    let root = dir.join("root");
    fs::create_dir_all(&root).unwrap();
    open(dir);
    open(&root);
    for (name, is_directory) in PRESENT {
        let path = root.join(name);
        if *is_directory {
            fs::create_dir(&path).unwrap();
            open(&path);
        } else {
            fs::write(&path, "1\n").unwrap();
        }
    }
}

fn read(dir: &Path, ran: &mut Ran) {
    if let Ok(log) = fs::read(dir.join("log")) {
        let log = String::from_utf8_lossy(&log).into_owned();
        let mut fields = log.split('\0');
        while let Some(count) = fields.next().and_then(|count| count.parse::<usize>().ok()) {
            let words: Vec<String> = fields.by_ref().take(count).map(str::to_owned).collect();
            ran.commands.push(words);
            if ran.commands.len() > 400 {
                break;
            }
        }
    }
    walk(dir, "", &mut ran.files);
}

/// New files below the directory of a line: inside `root` by their own path, others with `../`.
fn walk(dir: &Path, prefix: &str, files: &mut BTreeSet<String>) {
    for entry in fs::read_dir(dir.join(prefix)).into_iter().flatten().flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            walk(dir, &format!("{name}/"), files);
            continue;
        }
        match name.strip_prefix("root/") {
            Some(inner) if PRESENT.iter().any(|(present, _)| *present == inner) => {
                // It may have been written to.
                if fs::read(dir.join(&name)).is_ok_and(|text| text != b"1\n") {
                    files.insert(inner.to_owned());
                }
            }
            Some(inner) => drop(files.insert(inner.to_owned())),
            None if name == "log" => {}
            None => drop(files.insert(format!("../{name}"))),
        }
    }
}
