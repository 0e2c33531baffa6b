//! What Windows reads differently from how it looks. Refusing is the only safe reading.

use super::PathFault;

/// Names that mean a device in every directory, with or without an extension.
const DEVICES: [&str; 7] = ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"];

/// Reads the anchor of a path: its normal writing (case not folded) and its length in bytes.
///
/// `None`: relative. An error: `\\?\`, `\\.\`, `\??\`, a share without a name, `C:a`.
pub(super) fn anchor(path: &str) -> Result<Option<(String, usize)>, PathFault> {
    let bytes = path.as_bytes();
    let separator = |index: usize| matches!(bytes.get(index), Some(b'/' | b'\\'));
    if separator(0) && separator(1) {
        return share(path).map(Some);
    }
    if separator(0) {
        return if path.get(1..3) == Some("??") {
            Err(PathFault::Form)
        } else {
            Ok(Some(("/".to_owned(), 1)))
        };
    }
    match bytes {
        [drive, b':', ..] if drive.is_ascii_alphabetic() => {
            // `C:a` is relative to a directory that only the process knows; so is `C:` alone.
            if !separator(2) {
                return Err(PathFault::Form);
            }
            Ok(Some((format!("{}:", char::from(*drive)), 2)))
        }
        _ => Ok(None),
    }
}

/// `\\server\share`, both named, neither `?` nor `.`.
fn share(path: &str) -> Result<(String, usize), PathFault> {
    let rest = path.get(2..).unwrap_or_default();
    let mut parts = rest.splitn(3, ['/', '\\']);
    let (Some(server), Some(name)) = (parts.next(), parts.next()) else { return Err(PathFault::Form) };
    for part in [server, name] {
        if part.is_empty() || part == "." || part == ".." || part == "?" {
            return Err(PathFault::Form);
        }
        if part.chars().any(char::is_control) {
            return Err(PathFault::Control);
        }
        check(part)?;
    }
    Ok((format!("//{server}/{name}"), 2 + server.len() + 1 + name.len()))
}

/// Length in bytes of the anchor of a path that is known to be well formed; zero when relative.
pub(super) fn anchor_len(path: &str) -> usize {
    match anchor(path) {
        Ok(Some((_, len))) => len,
        // Ill formed is not relative: the caller must not join it to a directory.
        Err(_) => path.len().min(1),
        // A normal text may be a drive alone.
        Ok(None) => 0,
    }
    .max(if is_drive(path) { 2 } else { 0 })
}

fn is_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [drive, b':'] | [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic())
}

/// Whether one segment (never `.` or `..`) is the file it seems to be.
pub(super) fn check(segment: &str) -> Result<(), PathFault> {
    let odd = |byte: u8| matches!(byte, b':' | b'<' | b'>' | b'"' | b'|' | b'?' | b'*');
    if segment.bytes().any(odd) || segment.ends_with(['.', ' ']) || is_device(segment) {
        return Err(PathFault::Form);
    }
    Ok(())
}

/// `CON`, `nul.txt`, `COM1`, `lpt².log`, `CON .x`: the name up to the first dot, blanks at its end cut.
fn is_device(segment: &str) -> bool {
    // All of them begin with one of these letters.
    if !matches!(segment.bytes().next().map(|byte| byte | 0x20), Some(b'a' | b'c' | b'l' | b'n' | b'p')) {
        return false;
    }
    let base = segment.split('.').next().unwrap_or_default().trim_end_matches(' ');
    if DEVICES.iter().any(|device| base.eq_ignore_ascii_case(device)) {
        return true;
    }
    let port = ["com", "lpt"].iter().find_map(|port| {
        let head = base.get(..port.len())?;
        head.eq_ignore_ascii_case(port).then(|| base.get(port.len()..))?
    });
    matches!(
        port,
        Some("0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "\u{b9}" | "\u{b2}" | "\u{b3}")
    )
}

/// `PROGRA~1`: may be a second name of a file whose first name nobody wrote.
pub(crate) fn is_short_name(segment: &str) -> bool {
    let (base, extension) = segment.split_once('.').unwrap_or((segment, ""));
    let Some((head, digits)) = base.rsplit_once('~') else { return false };
    let length = base.chars().count();
    !head.is_empty()
        && length <= 8
        && !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && extension.chars().count() <= 3
}

/// Whether an ASCII path needs no rewriting but case and separators.
pub(super) fn is_plain(path: &str) -> bool {
    let Ok(anchor) = anchor(path) else { return false };
    let from = match anchor {
        // A share or `\a`: the long way.
        Some((head, _)) if head.starts_with('/') => return false,
        Some((_, len)) => len + 1,
        None => 0,
    };
    let Some(rest) = path.get(from..).filter(|rest| !rest.is_empty()) else { return false };
    rest.split(['/', '\\']).all(|segment| {
        !matches!(segment, "" | "." | "..")
            && !segment.bytes().any(|byte| byte < b' ' || byte == 0x7f || byte == b'~')
            && check(segment).is_ok()
    })
}
