//! The long way to a normal text: segment by segment.

use super::fold::{fold_macos, fold_windows};
use super::{PathFault, Style, anchor_len, windows};

/// A path under construction.
pub(super) struct Parts {
    style: Style,
    /// `` when relative, `/`, `c:` or `//server/share` when absolute.
    pub(super) head: String,
    segments: Vec<String>,
}

impl Parts {
    pub(super) fn new(style: Style) -> Self {
        Self { style, head: String::new(), segments: Vec::new() }
    }

    /// Reads what makes `path` absolute and gives its length in bytes; zero for a relative path.
    pub(super) fn anchor(&mut self, path: &str) -> Result<usize, PathFault> {
        let Some((head, len)) = (match self.style {
            Style::Windows => windows::anchor(path)?,
            _ => path.starts_with('/').then(|| ("/".to_owned(), 1)),
        }) else {
            return Ok(0);
        };
        self.head = if self.style == Style::Windows { fold_windows(&head) } else { head };
        Ok(len)
    }

    /// Begins at the root; its text is normal already.
    pub(super) fn start_at(&mut self, root: Option<&str>) {
        let Some(root) = root else { return };
        let anchor = anchor_len(self.style, root);
        self.head = root.get(..anchor).unwrap_or_default().to_owned();
        let rest = root.get(anchor..).unwrap_or_default();
        self.segments = rest.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
    }

    /// `\a` means the drive that the root is on.
    pub(super) fn take_drive(&mut self, root: Option<&str>) {
        if let Some(root) = root {
            let anchor = anchor_len(self.style, root);
            self.head = root.get(..anchor).unwrap_or("/").to_owned();
        }
    }

    pub(super) fn walk(&mut self, rest: &str) -> Result<(), PathFault> {
        let style = self.style;
        for segment in rest.split(|c: char| c == '/' || (c == '\\' && style == Style::Windows)) {
            match segment {
                "" | "." => {}
                ".." => {
                    self.segments.pop().ok_or(PathFault::Climbs)?;
                }
                segment => self.push(segment)?,
            }
        }
        Ok(())
    }

    fn push(&mut self, segment: &str) -> Result<(), PathFault> {
        if segment.chars().any(char::is_control) {
            return Err(PathFault::Control);
        }
        let folded = match self.style {
            Style::Posix => segment.to_owned(),
            Style::Macos => fold_macos(segment),
            Style::Windows => {
                windows::check(segment)?;
                fold_windows(segment)
            }
        };
        self.segments.push(folded);
        Ok(())
    }

    pub(super) fn finish(self) -> String {
        let body = self.segments.join("/");
        match (self.head.as_str(), body.as_str()) {
            ("/", _) => self.head + &body,
            ("", _) => body,
            (_, "") => self.head,
            _ => self.head + "/" + &body,
        }
    }
}
