//! Files that no plan can ever cover: what would switch the gate off, or holds its state.

use crate::paths::{PathReader, is_short_name, loose};
use std::borrow::Cow;

/// Protected files and directories, compared as loosely as any file system might.
#[derive(Debug, Clone, Default)]
pub(crate) struct Protected {
    texts: Box<[Box<str>]>,
}

impl Protected {
    pub(crate) fn new(normal_texts: impl Iterator<Item = String>) -> Self {
        Self { texts: normal_texts.map(|text| loose(&text).into_boxed_str()).collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Whether the working directory itself is protected.
    pub(crate) fn holds_everything(&self) -> bool {
        self.texts.iter().any(|text| text.is_empty())
    }

    /// Whether a line could name a protected file at all.
    pub(crate) fn is_named_in(&self, line: &str) -> bool {
        if self.is_empty() {
            return false;
        }
        let line = loose(line);
        self.texts.iter().any(|text| text.rsplit('/').next().is_some_and(|name| line.contains(name)))
    }

    /// Whether a path that begins at the home directory (`~/…`, `$HOME/…`) may be a protected file.
    /// Where the home is nobody knows here, so the end of the path decides.
    pub(crate) fn is_home_path(&self, path: &str) -> bool {
        let tail = ["~/", "$HOME/", "${HOME}/"].iter().find_map(|home| path.strip_prefix(home));
        let Some(tail) = tail.map(loose) else { return false };
        let ends = tail.char_indices().filter(|(_, c)| *c == '/').map(|(at, _)| at).chain([tail.len()]);
        ends.filter_map(|end| tail.get(..end)).any(|head| {
            let below = |text: &str| text.strip_suffix(head).is_some_and(|home| home.ends_with('/'));
            !head.is_empty() && self.texts.iter().any(|text| below(text))
        })
    }

    /// Whether a normal text lies inside what is protected, or may be another name of it.
    pub(crate) fn covers(&self, text: &str) -> bool {
        let folded = loose(text);
        let text = alias(&folded);
        self.texts.iter().any(|protected| within(&text, protected)) || self.may_be_alias(&text)
    }

    /// Whether writing to this normal text would touch a protected file: the file itself, anything in
    /// a protected directory, or a directory on the way to it (which could be replaced as a whole).
    /// The root and what lies above it are no such directory: nothing could be written at all.
    pub(crate) fn holds(&self, reader: &PathReader, text: &str) -> bool {
        if self.is_empty() {
            return false;
        }
        if is_usual(text) {
            return self.touches(reader, text);
        }
        let folded = loose(text);
        let text = alias(&folded);
        self.touches(reader, &text) || self.may_be_alias(&text)
    }

    fn touches(&self, reader: &PathReader, text: &str) -> bool {
        let inside = |protected: &str| within(text, protected);
        let above = |protected: &str| !text.is_empty() && within(protected, text);
        self.texts
            .iter()
            .any(|protected| inside(protected) || above(protected) && !is_above_root(reader, text))
    }

    /// Whether the text goes through a name that stands for another, unknown one which may be protected:
    /// a process's root, directory or open file in `/proc`, a file by its number in `/.vol`, an 8.3 name
    /// in a directory that a protected file lies in.
    fn may_be_alias(&self, text: &str) -> bool {
        if self.is_empty() {
            return false;
        }
        if let Some(process) = text.strip_prefix("/proc/") {
            return process.split('/').any(|name| matches!(name, "root" | "cwd" | "fd" | "map_files"));
        }
        if text.starts_with("/.vol/") || text.starts_with("/dev/fd/") {
            return true;
        }
        let mut start = 0;
        for segment in text.split('/') {
            let dir = text.get(..start).unwrap_or_default().trim_end_matches('/');
            if is_short_name(segment) && self.texts.iter().any(|protected| within(protected, dir)) {
                return true;
            }
            start += segment.len() + 1;
        }
        false
    }
}

fn is_above_root(reader: &PathReader, text: &str) -> bool {
    reader.root().is_some_and(|root| within(&loose(root), text))
}

/// A normal text that needs no folding and has no second name.
fn is_usual(text: &str) -> bool {
    !text.starts_with('/')
        && text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase() && byte != b'~')
}

/// The name by which a protected file is known, for a path that only writes it in another way: an
/// administrative share is a drive, the data volume of macOS is `/`.
fn alias(text: &str) -> Cow<'_, str> {
    if let Some(rest) = text.strip_prefix("/system/volumes/data/") {
        return Cow::Owned(format!("/{rest}"));
    }
    let share = text.strip_prefix("//").and_then(|rest| rest.split_once('/'));
    if let Some((_, path)) = share {
        let (drive, rest) = path.split_once('/').unwrap_or((path, ""));
        if let Some(letter) = drive.strip_suffix('$').filter(|letter| letter.len() == 1) {
            return Cow::Owned(format!("{letter}:/{rest}").trim_end_matches('/').to_owned());
        }
    }
    Cow::Borrowed(text)
}

/// Whether `path` is `dir` or lies below it.
fn within(path: &str, dir: &str) -> bool {
    match path.strip_prefix(dir) {
        Some("") => true,
        Some(rest) => {
            rest.starts_with('/')
                || (dir == "/" && !path.starts_with("//"))
                || (dir.is_empty() && !path.starts_with('/'))
        }
        None => false,
    }
}
