//! Patches in the format that begins with `*** Begin Patch`: their text names the files.

/// The files that a patch adds, changes, removes or moves to, in the order of the text.
///
/// Strict: a line that is no header, no hunk and no part of one makes the whole patch unreadable, since
/// a lenient applier might take it for a header. An error names the line, counted from one.
pub(crate) fn files(text: &str) -> Result<Vec<&str>, usize> {
    let mut lines = text.trim_matches(['\n', '\r', ' ']).lines().enumerate().peekable();
    if lines.next().is_none_or(|(_, line)| line != "*** Begin Patch") {
        return Err(1);
    }
    let mut files = Vec::new();
    let mut section = Section::None;
    let mut ended = false;
    for (index, line) in lines {
        let number = index + 1;
        if ended {
            return Err(number);
        }
        match Line::of(line).ok_or(number)? {
            Line::End => ended = true,
            Line::File(kind, path) => {
                files.push(path);
                section = kind;
            }
            Line::MoveTo(path) if section == Section::Update => {
                files.push(path);
                section = Section::Hunks;
            }
            Line::EndOfFile if section.takes_hunks() => section = Section::Hunks,
            Line::Added if section == Section::Add => {}
            Line::Added | Line::Hunk if section.takes_hunks() => section = Section::Hunks,
            _ => return Err(number),
        }
    }
    if ended && !files.is_empty() { Ok(files) } else { Err(text.lines().count().max(1)) }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    None,
    Add,
    /// Right behind the header, where `*** Move to:` may stand.
    Update,
    Hunks,
    Delete,
}

impl Section {
    fn takes_hunks(self) -> bool {
        matches!(self, Self::Update | Self::Hunks)
    }
}

enum Line<'a> {
    End,
    EndOfFile,
    File(Section, &'a str),
    MoveTo(&'a str),
    Added,
    Hunk,
}

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let path = |rest: &'a str| Some(rest.trim_end()).filter(|path| !path.is_empty());
        if let Some(rest) = line.strip_prefix("*** Add File: ") {
            return path(rest).map(|path| Self::File(Section::Add, path));
        }
        if let Some(rest) = line.strip_prefix("*** Update File: ") {
            return path(rest).map(|path| Self::File(Section::Update, path));
        }
        if let Some(rest) = line.strip_prefix("*** Delete File: ") {
            return path(rest).map(|path| Self::File(Section::Delete, path));
        }
        if let Some(rest) = line.strip_prefix("*** Move to: ") {
            return path(rest).map(Self::MoveTo);
        }
        match line {
            "*** End Patch" => return Some(Self::End),
            "*** End of File" => return Some(Self::EndOfFile),
            _ => {}
        }
        // A header behind blanks: some appliers trim the line before they look at it.
        if line.trim_start().starts_with("***") {
            return None;
        }
        match line.bytes().next() {
            Some(b'+') => Some(Self::Added),
            None | Some(b' ' | b'-') => Some(Self::Hunk),
            Some(b'@') if line.starts_with("@@") => Some(Self::Hunk),
            Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(body: &str) -> Result<Vec<String>, usize> {
        let text = format!("*** Begin Patch\n{body}\n*** End Patch\n");
        files(&text).map(|files| files.into_iter().map(str::to_owned).collect())
    }

    #[test]
    fn every_named_file_is_found() {
        let body = "*** Add File: a.txt\n+one\n+*** Delete File: no\n*** Update File: src/b.rs\n*** Move to: src/c.rs\n\
                    @@ fn x\n context\n-old\n+new\n\n*** End of File\n*** Delete File: d e.txt";
        assert_eq!(patch(body).unwrap(), ["a.txt", "src/b.rs", "src/c.rs", "d e.txt"]);
    }

    #[test]
    fn what_could_be_read_otherwise_is_unreadable() {
        for body in [
            "",
            "*** Add File: ",
            "*** Add File: a\nno plus",
            "*** Add File: a\n+x\n *** Delete File: b",
            "*** Update File: a\n *** Add File: b",
            "*** Delete File: a\n+x",
            "*** Add File: a\n*** Move to: b",
            "*** Update File: a\n@@\n x\n*** Move to: b",
            "*** Rename File: a",
            "*** update file: a",
            "*** Add File: a\n+x\n*** End Patch\n*** Add File: b",
            "+x",
        ] {
            assert!(patch(body).is_err(), "{body:?}");
        }
        assert!(files("*** Begin Patch\n*** Add File: a\n+x").is_err());
        assert!(files("cat <<EOF\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\nEOF").is_err());
    }
}
