//! Files that no plan can ever cover: what would switch the gate off, or holds its state.

use crate::paths::{PathReader, loose};

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

    /// Whether a normal text lies inside what is protected.
    pub(crate) fn covers(&self, text: &str) -> bool {
        let text = loose(text);
        self.texts.iter().any(|protected| within(&text, protected))
    }

    /// Whether writing to this normal text would touch a protected file: the file itself, anything in
    /// a protected directory, or a directory on the way to it (which could be replaced as a whole).
    /// The root and what lies above it are no such directory: nothing could be written at all.
    pub(crate) fn holds(&self, reader: &PathReader, text: &str) -> bool {
        if self.is_empty() {
            return false;
        }
        let folded;
        let text = if text.bytes().any(|byte| !byte.is_ascii() || byte.is_ascii_uppercase()) {
            folded = loose(text);
            &folded
        } else {
            text
        };
        self.texts
            .iter()
            .any(|protected| within(text, protected) || (!text.is_empty() && within(protected, text)))
            && !self.is_above_root(reader, text)
    }

    fn is_above_root(&self, reader: &PathReader, text: &str) -> bool {
        let above = reader.root().is_some_and(|root| within(&loose(root), text));
        above && !self.texts.iter().any(|protected| within(text, protected))
    }
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
