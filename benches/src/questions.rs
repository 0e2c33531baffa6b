//! What is asked: scopes of any size, paths inside and outside them, command lines, messages, arguments.

use plan_gate_core::Scope;
use plan_gate_core::limits::MAX_ENTRIES;
use serde_json::json;

/// The configuration of every gate that is measured.
pub const CONFIG: &str = r#"{"profile":"dsh","root":"/home/dev/app","pathStyle":"posix"}"#;

/// Sizes of the scopes that peers are asked about.
pub const SIZES: [usize; 3] = [5, 50, 1000];

/// Paths asked about one scope: half inside, half outside by one letter (`sub`, `subway`).
const ASKS: usize = 16;

/// One path, and whether the scope covers it.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The path, relative to the root.
    pub path: String,
    /// The right answer.
    pub inside: bool,
}

/// `n` directories.
pub fn directories(n: usize) -> Vec<String> {
    (0..n).map(|i| format!("src/module_{i}/sub")).collect()
}

/// Paths about [`directories`] of the same `n`, spread over the list.
pub fn asks(n: usize) -> Vec<Ask> {
    (0..ASKS)
        .map(|k| {
            let module = (k * 7919) % n;
            let inside = k % 2 == 0;
            let directory = if inside { "sub/deep" } else { "subway" };
            Ask { path: format!("src/module_{module}/{directory}/file_{k}.rs"), inside }
        })
        .collect()
}

/// The paths of [`asks`] with this answer.
pub fn paths(n: usize, inside: bool) -> Vec<String> {
    asks(n).into_iter().filter(|ask| ask.inside == inside).map(|ask| ask.path).collect()
}

/// `n` command entries, half of them exact, half of them open at the end, with three everyday ones among
/// them when there is room.
pub fn commands(n: usize) -> Vec<String> {
    let everyday = ["cargo test --workspace", "git status *", "cargo build *"];
    let own = (0..n.saturating_sub(everyday.len())).map(|i| match i % 2 {
        0 => format!("make target_{i}"),
        _ => format!("npm run task_{i} *"),
    });
    everyday.into_iter().map(str::to_owned).chain(own).take(n.max(everyday.len())).collect()
}

/// An entry of [`commands`], word for word.
pub const EXACT_COMMAND: &str = "cargo test --workspace";

/// Three parts that three entries of [`commands`] cover, two of them open at the end.
pub const THREE_PART_COMMAND: &str = "git status -s && cargo build -q && cargo test --workspace";

/// The command lines that agents write all day.
pub fn everyday_commands() -> Vec<&'static str> {
    include_str!("../data/commands.txt").lines().filter(|line| !line.is_empty()).collect()
}

/// A scope with `n` directories, as far as a plan has room for them beside its tools.
pub fn scope_of_paths(n: usize) -> Scope {
    let tools = ["write", "edit", "bash"].map(str::to_owned).to_vec();
    Scope { files: directories(n.min(MAX_ENTRIES - tools.len())), tools, ..Scope::default() }
}

/// A scope with `n` commands, as far as a plan has room for them beside its tool.
pub fn scope_of_commands(n: usize) -> Scope {
    let tools = vec!["bash".to_owned()];
    Scope { commands: commands(n.min(MAX_ENTRIES - tools.len())), tools, ..Scope::default() }
}

/// The arguments of `propose_plan` for a scope.
pub fn plan(scope: &Scope) -> String {
    let mut plan = serde_json::to_value(scope).unwrap_or_default();
    plan["title"] = json!("Sign in by text message");
    plan["plan"] = json!("Rewrite the sign-in form.\nAdd a table for codes.");
    plan.to_string()
}

/// Arguments of the dsh profile's `write` for this path, `size` bytes of JSON or a little more. The
/// content is program text with what JSON must escape, and some Chinese.
pub fn write_arguments(path: &str, size: usize) -> String {
    let line = "export const 名 = (a: string) => `${a}\\n`; // \"quoted\"\n";
    let bare = json!({ "file_path": path, "content": "" }).to_string().len();
    let escaped = json!(line).to_string().len() - 2;
    let lines = size.saturating_sub(bare).div_ceil(escaped);
    json!({ "file_path": path, "content": line.repeat(lines) }).to_string()
}

/// A short yes, 6 bytes.
pub const REPLY_SHORT: &str = "同意";

/// A yes of several words, 33 bytes.
pub const REPLY_LONGER: &str = "好的，就按你说的方案做";

/// A message that approves nothing, about `size` bytes: a pasted log with Chinese remarks.
pub fn long_message(size: usize) -> String {
    let line = "构建失败了，日志如下：error[E0308]: mismatched types at src/login.rs:42，请再看看。\n";
    let mut text = line.repeat(size.div_ceil(line.len()));
    let mut end = size;
    while !text.is_char_boundary(end) {
        end += 1;
    }
    text.truncate(end);
    text
}
