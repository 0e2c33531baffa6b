//! What is not the user's own words: quotations, code, block quotes, a harness's markers.
//!
//! Quoted text becomes a run of one control character, so that it stays content but no word is found in
//! it; markers become blanks. Places do not move. Linear: every search that fails is remembered until
//! the paragraph ends.

use crate::characters::{Characters, Class, MarkerKind};

/// Stands for quoted text; a control character, so that it is content.
pub(crate) const QUOTED: char = '\u{1}';
const QUOTED_BYTE: u8 = 1;

/// Longest marker, in bytes.
const MARKER_BYTES: usize = 200;
/// Longest run of backticks that can open inline code.
const LONGEST_RUN: usize = 8;

/// What was taken out.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Masked {
    pub(crate) quoted: bool,
    pub(crate) interrupted: bool,
}

/// Takes out of `text` (folded) what is not the user's own; `None` when there is nothing.
pub(crate) fn mask(characters: &Characters, text: &str) -> Option<(String, Masked)> {
    let mut bytes = text.as_bytes().to_vec();
    let mut masked = Masked::default();
    let markers = blank_markers(characters, text, &mut bytes, &mut masked);
    let lines = mask_lines(text, &mut bytes);
    let inline = mask_inline(characters, text, &mut bytes);
    masked.quoted = lines || inline;
    if !(markers || masked.quoted) {
        return None;
    }
    // Only whole characters were overwritten, with ASCII: this is still UTF-8.
    String::from_utf8(bytes).ok().map(|text| (text, masked))
}

fn overwrite(bytes: &mut [u8], from: usize, to: usize, with: u8) {
    for byte in bytes.get_mut(from..to).unwrap_or(&mut []) {
        if *byte != b'\n' {
            *byte = with;
        }
    }
}

fn blank_markers(characters: &Characters, text: &str, bytes: &mut [u8], masked: &mut Masked) -> bool {
    let mut any = false;
    for marker in &characters.markers {
        let mut from = 0;
        while let Some(found) = text.get(from..).and_then(|rest| rest.find(marker.open.as_str())) {
            let start = from + found;
            from = start + marker.open.len();
            // Only so far: what opens a thousand markers and closes none must not be read a thousand times.
            let window = text.get(from..text.floor_char_boundary(from + MARKER_BYTES)).unwrap_or("");
            let line = window.split('\n').next().unwrap_or("");
            let Some(end) = line.find(marker.close.as_str()) else { continue };
            from += end + marker.close.len();
            overwrite(bytes, start, from, b' ');
            any = true;
            masked.interrupted |= marker.kind == MarkerKind::Interrupt;
        }
    }
    any
}

/// Fenced code, block quotes and lines that begin with something struck out.
fn mask_lines(text: &str, bytes: &mut [u8]) -> bool {
    let mut any = false;
    let mut fence: Option<char> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let opens = ['`', '~'].into_iter().find(|c| trimmed.chars().take(3).filter(|d| d == c).count() == 3);
        let quoted = match (fence, opens) {
            (Some(open), Some(close)) if open == close => {
                fence = None;
                true
            }
            (Some(_), _) => true,
            (None, Some(open)) => {
                fence = Some(open);
                true
            }
            (None, None) => {
                let struck = trimmed.strip_prefix("~~").is_some_and(|rest| rest.contains("~~"));
                trimmed.starts_with('>') || struck
            }
        };
        if quoted {
            overwrite(bytes, start, start + line.len(), QUOTED_BYTE);
            any = true;
        }
        start += line.len();
    }
    any
}

/// Inline code and quotation marks, within a paragraph.
fn mask_inline(characters: &Characters, text: &str, bytes: &mut [u8]) -> bool {
    let mut any = false;
    let mut start = 0;
    for paragraph in text.split_inclusive("\n\n") {
        any |= mask_paragraph(characters, paragraph, start, bytes);
        start += paragraph.len();
    }
    any
}

fn mask_paragraph(characters: &Characters, text: &str, start: usize, bytes: &mut [u8]) -> bool {
    let mut any = false;
    let mut unclosed_runs = [false; LONGEST_RUN + 1];
    let mut unclosed_quotes: Vec<char> = Vec::new();
    let mut place = 0;
    while let Some(rest) = text.get(place..) {
        let Some((offset, c)) = rest.char_indices().find(|(_, c)| {
            characters.class(*c) == Class::Quote
                && (*c == '`'
                    || characters.quotes.iter().any(|(open, _)| open == c) && !unclosed_quotes.contains(c))
        }) else {
            break;
        };
        let from = place + offset;
        place = from + c.len_utf8();
        if bytes.get(start + from).copied() == Some(QUOTED_BYTE) {
            continue;
        }
        let end = if c == '`' {
            let run = rest.get(offset..).unwrap_or("").bytes().take_while(|byte| *byte == b'`').count();
            place = from + run;
            close_run(text, place, run, &mut unclosed_runs)
        } else {
            close_quote(characters, text, place, c, &mut unclosed_quotes)
        };
        if let Some(end) = end {
            overwrite(bytes, start + from, start + end, QUOTED_BYTE);
            any = true;
            place = end;
        }
    }
    any
}

/// The end of inline code that was opened by a run of so many backticks.
fn close_run(text: &str, from: usize, run: usize, unclosed: &mut [bool; LONGEST_RUN + 1]) -> Option<usize> {
    if *unclosed.get(run)? {
        return None;
    }
    let mut length = 0;
    let tail = text.get(from..).unwrap_or("");
    for (offset, byte) in tail.bytes().chain(std::iter::once(0)).enumerate() {
        if byte == b'`' {
            length += 1;
        } else {
            if length == run {
                return Some(from + offset);
            }
            length = 0;
        }
    }
    if let Some(place) = unclosed.get_mut(run) {
        *place = true;
    }
    None
}

fn close_quote(
    characters: &Characters,
    text: &str,
    from: usize,
    open: char,
    unclosed: &mut Vec<char>,
) -> Option<usize> {
    let (_, close) = characters.quotes.iter().find(|(other, _)| *other == open)?;
    match text.get(from..).and_then(|rest| rest.find(*close)) {
        Some(offset) => Some(from + offset + close.len_utf8()),
        None => {
            unclosed.push(open);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_out_what_is_not_the_users_own() {
        let characters = Characters::load().unwrap();
        let shown = |text: &str| {
            mask(&characters, text).map_or_else(|| text.to_owned(), |(text, _)| text.replace(QUOTED, "·"))
        };
        for (text, want) in [
            ("ok `go` on", "ok ···· on"),
            ("``a`b`` c", "······· c"),
            ("`a", "`a"),
            ("> ok\nno", "····\nno"),
            ("```\nok\n```\nyes", "···\n··\n···\nyes"),
            ("```\nok", "···\n··"),
            ("say \"ok\" now", "say ···· now"),
            ("say \"ok now", "say \"ok now"),
            ("「好」吗", "·········吗"),
            ("[image #1] ok", "           ok"),
            ("~~ok~~", "······"),
            ("ok~~", "ok~~"),
            ("[image #1", "[image #1"),
        ] {
            assert_eq!(shown(text), want);
        }
    }
}
