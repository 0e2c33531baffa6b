//! What an argument of an unknown tool probably is: by its name, else by its value.

use super::ArgumentKind;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What a name or value was taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Guess {
    /// A path. Nobody knows whether the tool only reads it.
    Write,
    /// A command line or its words.
    Command,
    /// The words behind a command, if there is one.
    Words,
    /// Code for no shell.
    Code,
    /// A URL.
    Url,
    /// A kind of agent.
    Agent,
    /// A directory for commands.
    Workdir,
    /// A patch, if it looks like one.
    Patch,
    /// Text, whatever it looks like.
    Plain,
}

static NAMES: LazyLock<BTreeMap<String, Guess>> = LazyLock::new(|| {
    let lists: BTreeMap<Guess, Vec<String>> =
        serde_json::from_str(include_str!("../../data/guess.json")).unwrap_or_default();
    lists.into_iter().flat_map(|(guess, names)| names.into_iter().map(move |name| (name, guess))).collect()
});

/// What an argument with this name is; `file_path`, `filePath` and `File-Path` are one name.
pub(crate) fn by_name(name: &str) -> Option<Guess> {
    let folded: String =
        name.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' ')).flat_map(char::to_lowercase).collect();
    NAMES.get(&folded).copied()
}

/// What a text is, if it is clear.
pub(crate) fn by_value(text: &str) -> Option<ArgumentKind> {
    if text.trim_start().starts_with("*** Begin Patch") {
        return Some(ArgumentKind::Patch);
    }
    if text.contains(['\n', '\r']) {
        return None;
    }
    let text = text.trim_start();
    let scheme =
        text.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')).count();
    let rest = text.get(scheme..).unwrap_or_default();
    if scheme > 1 && rest.starts_with("://") {
        return Some(ArgumentKind::Url);
    }
    let drive = scheme == 1 && (rest.starts_with(":\\") || rest.starts_with(":/"));
    let path = ["/", "./", "../", "~/", "\\\\", ".\\", "..\\"].iter().any(|start| text.starts_with(start));
    (drive || path).then_some(ArgumentKind::Write)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_are_told_apart() {
        assert_eq!(by_name("file_path"), Some(Guess::Write));
        assert_eq!(by_name("File-Path"), Some(Guess::Write));
        assert_eq!(by_name("fileP\u{e4}th"), None);
        assert_eq!(by_name("content"), Some(Guess::Plain));
        for (text, kind) in [
            ("https://a.test/", Some(ArgumentKind::Url)),
            ("FILE:///etc/passwd", Some(ArgumentKind::Url)),
            ("/etc/passwd", Some(ArgumentKind::Write)),
            ("..\\x", Some(ArgumentKind::Write)),
            ("C:\\x", Some(ArgumentKind::Write)),
            ("a: b", None),
            ("and/or", None),
            ("/one\n/two", None),
        ] {
            assert_eq!(by_value(text), kind, "{text}");
        }
    }

    #[test]
    fn no_name_stands_in_two_lists() {
        let lists: BTreeMap<String, Vec<String>> =
            serde_json::from_str(include_str!("../../data/guess.json")).unwrap();
        let all: Vec<&String> = lists.values().flatten().collect();
        assert!(!all.is_empty());
        assert_eq!(all.len(), NAMES.len());
    }
}
