//! Paths, read lexically: no file system is asked.
//!
//! A path is brought into one *normal text* per style and root, and compared byte by byte from then
//! on: separators are `/`, `.` and `..` are folded, case is folded where the style says so, and what
//! lies inside the root is written relative to it (so an absolute path inside the root and the
//! relative one are the same text). Relative texts are `` (the working directory) or `a/b`; absolute
//! ones `/a/b`, `c:/a`, `//server/share/a`.

mod fold;
mod links;
mod parts;
mod scan;
mod table;
mod windows;

pub(crate) use fold::loose;
pub(crate) use links::resolve;
pub(crate) use table::PathTable;
pub(crate) use windows::is_short_name;

use parts::Parts;
use plan_gate_core::PathStyleChoice;
use std::borrow::Cow;

/// Longest path that is compared without an allocation where case folds, in bytes.
const INLINE_BYTES: usize = 256;

/// How paths are written and compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Bytes compared exactly.
    Posix,
    /// POSIX, compared in NFC without case.
    Macos,
    /// Both separators, drives, shares; compared without case.
    Windows,
}

impl Style {
    /// The style of a configuration; `auto` is that of the system the library was built for.
    pub(crate) fn of(choice: PathStyleChoice) -> Self {
        match choice {
            PathStyleChoice::Posix => Self::Posix,
            PathStyleChoice::Macos => Self::Macos,
            PathStyleChoice::Windows => Self::Windows,
            PathStyleChoice::Auto if cfg!(windows) => Self::Windows,
            PathStyleChoice::Auto if cfg!(target_vendor = "apple") => Self::Macos,
            PathStyleChoice::Auto => Self::Posix,
        }
    }

    fn is_separator(self, byte: u8) -> bool {
        byte == b'/' || (byte == b'\\' && self == Self::Windows)
    }

    fn folds_case(self) -> bool {
        self != Self::Posix
    }
}

/// Why a path cannot be compared with anything. The name is a stable key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PathFault {
    /// It is empty.
    Empty,
    /// It holds NUL or another control character.
    Control,
    /// `..` climbs past its top.
    Climbs,
    /// Windows would read it as something other than the file it seems to name.
    Form,
}

impl PathFault {
    /// The fault as part of a sentence.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Empty => "the path is empty",
            Self::Control => "the path holds a control character",
            Self::Climbs => "the path climbs past its top: give an absolute path",
            Self::Form => {
                "windows reads this path as something else (a stream, device, short or drive-relative name)"
            }
        }
    }
}

/// A path in normal form. A plain one is a part of the text it was read from, to spare the copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathForm {
    repr: Repr,
    /// Whether it matches only the very same path: a `\` in a POSIX name, an 8.3 name on windows.
    exact: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Repr {
    Plain { from: u32, to: u32 },
    Folded(Box<str>),
}

impl PathForm {
    /// Whether only the very same path matches.
    pub(crate) fn is_exact(&self) -> bool {
        self.exact
    }
}

/// Reads paths for one style and root.
#[derive(Debug, Clone)]
pub(crate) struct PathReader {
    style: Style,
    /// The root's normal text, absolute.
    root: Option<Box<str>>,
}

impl PathReader {
    /// A reader for this style. `root` must be absolute in it.
    pub(crate) fn new(style: Style, root: Option<&str>) -> Result<Self, PathFault> {
        let bare = Self { style, root: None };
        let Some(root) = root else { return Ok(bare) };
        let form = bare.form(root)?;
        let text = bare.text(root, &form).into_owned();
        if anchor_len(style, &text) == 0 || (style == Style::Windows && is_driveless(&text)) {
            return Err(PathFault::Form);
        }
        Ok(Self { style, root: Some(text.into_boxed_str()) })
    }

    /// The root's normal text.
    pub(crate) fn root(&self) -> Option<&str> {
        self.root.as_deref()
    }

    /// The normal form of `path`, read against the root.
    #[inline]
    pub(crate) fn form(&self, path: &str) -> Result<PathForm, PathFault> {
        match self.plain(path) {
            Some(form) => Ok(form),
            None => self.folded(path),
        }
    }

    /// The normal text of a form that was read from `path`.
    pub(crate) fn text<'a>(&self, path: &'a str, form: &'a PathForm) -> Cow<'a, str> {
        match &form.repr {
            Repr::Folded(text) => Cow::Borrowed(text),
            Repr::Plain { from, to } => {
                let part = path.get(*from as usize..*to as usize).unwrap_or_default();
                if self.style.folds_case() {
                    Cow::Owned(fold_plain(self.style, part))
                } else {
                    Cow::Borrowed(part)
                }
            }
        }
    }

    /// Calls `look` with the normal text, without an allocation for a plain path.
    #[inline]
    pub(crate) fn with_text<T>(&self, path: &str, form: &PathForm, look: impl FnOnce(&str) -> T) -> T {
        match &form.repr {
            Repr::Folded(text) => look(text),
            Repr::Plain { from, to } => {
                let part = path.get(*from as usize..*to as usize).unwrap_or_default();
                if !self.style.folds_case() {
                    return look(part);
                }
                let mut buffer = [0_u8; INLINE_BYTES];
                let Some(room) = buffer.get_mut(..part.len()) else {
                    return look(&fold_plain(self.style, part));
                };
                for (to, from) in room.iter_mut().zip(part.bytes()) {
                    *to = fold_byte(self.style, from);
                }
                // A plain path is ASCII where case folds, so this cannot fail; an empty text is the root.
                match std::str::from_utf8(room) {
                    Ok(text) => look(text),
                    Err(_) => look(&fold_plain(self.style, part)),
                }
            }
        }
    }

    /// Whether a path, or a normal text, is absolute. With a root, a normal text is so only outside it.
    pub(crate) fn is_absolute(&self, path: &str) -> bool {
        anchor_len(self.style, path) > 0
    }

    /// Length in bytes of what makes a normal text absolute.
    pub(crate) fn anchor_len(&self, text: &str) -> usize {
        anchor_len(self.style, text)
    }

    /// A form that no longer needs the path it was read from.
    pub(crate) fn detached(&self, path: &str, form: PathForm) -> PathForm {
        let text = self.text(path, &form).into_owned().into_boxed_str();
        PathForm { repr: Repr::Folded(text), exact: form.exact }
    }

    /// `path` read against the directory `cwd`, still to be normalised. `None`: no such thing.
    pub(crate) fn join(&self, cwd: &str, path: &str) -> Option<String> {
        if path.is_empty() {
            return None;
        }
        if cwd.is_empty() || self.is_absolute(path) {
            return Some(path.to_owned());
        }
        Some(format!("{cwd}/{path}"))
    }

    /// What is very broad about a file entry with this normal text.
    pub(crate) fn breadth(&self, text: &str) -> Option<&'static str> {
        let anchor = self.anchor_len(text);
        if anchor > 0 && anchor == text.len() {
            return Some("root_directory");
        }
        let above = self.root.as_deref().is_some_and(|root| {
            anchor > 0 && root.strip_prefix(text).is_some_and(|rest| rest.starts_with('/'))
        });
        if above {
            return Some("above_root");
        }
        text.is_empty().then_some("working_directory")
    }

    /// The form of a path that needs no rewriting, found in one pass.
    #[inline]
    fn plain(&self, path: &str) -> Option<PathForm> {
        let posix = self.style != Style::Windows;
        // `.//a` is relative; what is left of it must not look absolute.
        let skipped =
            if posix && path.starts_with("./") && path.as_bytes().get(2) != Some(&b'/') { 2 } else { 0 };
        let end = if posix && path.len() > skipped + 1 && path.ends_with('/') {
            path.len() - 1
        } else {
            path.len()
        };
        let rest = path.get(skipped..end)?;
        let clean = match self.style {
            Style::Posix => is_plain_posix(rest.as_bytes()),
            _ if !rest.is_ascii() || rest.len() > INLINE_BYTES => false,
            Style::Macos => is_plain_posix(rest.as_bytes()),
            Style::Windows => windows::is_plain(rest),
        };
        if !clean {
            return None;
        }
        let from = skipped + self.root_prefix(rest)?;
        let repr = Repr::Plain { from: u32::try_from(from).ok()?, to: u32::try_from(end).ok()? };
        Some(PathForm { repr, exact: false })
    }

    /// Bytes of `path` that only say that it lies inside the root. `None`: leave it to the long way.
    fn root_prefix(&self, path: &str) -> Option<usize> {
        let anchor = anchor_len(self.style, path);
        let Some(root) = self.root.as_deref().filter(|_| anchor > 0) else {
            // A drive-less absolute path takes the root's drive.
            return Some(0);
        };
        if self.style == Style::Windows && is_driveless(path) {
            return None;
        }
        let Some(head) = path.as_bytes().get(..root.len()) else { return Some(0) };
        let same = match self.style {
            Style::Posix => head == root.as_bytes(),
            style => head.iter().zip(root.bytes()).all(|(a, b)| fold_byte(style, *a) == b),
        };
        match path.as_bytes().get(root.len()) {
            _ if !same => Some(0),
            None => Some(root.len()),
            Some(next) if self.style.is_separator(*next) => Some(root.len() + 1),
            Some(_) if root == "/" => Some(1),
            Some(_) => Some(0),
        }
    }

    /// The long way: rebuilds the path segment by segment.
    fn folded(&self, path: &str) -> Result<PathForm, PathFault> {
        if path.is_empty() {
            return Err(PathFault::Empty);
        }
        let mut parts = Parts::new(self.style);
        let anchor = parts.anchor(path)?;
        if anchor == 0 {
            parts.start_at(self.root.as_deref());
        } else if self.style == Style::Windows && parts.head == "/" {
            parts.take_drive(self.root.as_deref());
        }
        parts.walk(path.get(anchor..).unwrap_or_default())?;
        let text = self.relative_to_root(parts.finish());
        // Only what lies below the root counts: both sides have the root in common.
        let exact = match self.style {
            Style::Windows => text.split('/').any(is_short_name),
            Style::Posix | Style::Macos => text.contains('\\'),
        };
        Ok(PathForm { repr: Repr::Folded(text.into_boxed_str()), exact })
    }

    fn relative_to_root(&self, text: String) -> String {
        let Some(root) = self.root.as_deref() else { return text };
        let inside = match text.strip_prefix(root) {
            Some("") => Some(""),
            Some(rest) if root == "/" => Some(rest),
            Some(rest) => rest.strip_prefix('/'),
            None => None,
        };
        match inside {
            Some(inside) => inside.to_owned(),
            None => text,
        }
    }
}

/// Length in bytes of what makes a path absolute (`/`, `c:`, `//server/share`), for a path of either
/// writing; zero when it is relative.
#[inline]
fn anchor_len(style: Style, path: &str) -> usize {
    if style == Style::Windows {
        return windows::anchor_len(path);
    }
    usize::from(path.starts_with('/'))
}

/// `\a`: absolute on windows, but on a drive that only the process knows.
fn is_driveless(path: &str) -> bool {
    let mut bytes = path.bytes();
    matches!(bytes.next(), Some(b'/' | b'\\')) && !matches!(bytes.next(), Some(b'/' | b'\\'))
}

/// No control character, backslash, empty, `.` or `..` segment.
fn is_plain_posix(path: &[u8]) -> bool {
    if !scan::is_usual(path) && path.iter().zip(path.iter().skip(1).chain([&0])).any(is_odd_pair) {
        return false;
    }
    let mut start = usize::from(path.first() == Some(&b'/'));
    if start == path.len() {
        return start == 1;
    }
    for end in scan::Ends::new(path) {
        if end < start {
            continue;
        }
        if matches!(path.get(start..end), None | Some(b"" | b"." | b"..")) {
            return false;
        }
        start = end + 1;
    }
    true
}

/// A control character or a backslash, seen with the byte behind it.
fn is_odd_pair((byte, next): (&u8, &u8)) -> bool {
    match byte {
        0..=0x1f | 0x7f | b'\\' => true,
        0xc2 => (0x80..=0x9f).contains(next),
        _ => false,
    }
}

fn fold_byte(style: Style, byte: u8) -> u8 {
    match byte {
        b'\\' if style == Style::Windows => b'/',
        byte => byte.to_ascii_lowercase(),
    }
}

fn fold_plain(style: Style, part: &str) -> String {
    part.bytes().map(|byte| char::from(fold_byte(style, byte))).collect()
}

#[cfg(test)]
mod tests;
