//! Case and composition. Coverage folds only what every system of a style folds; protection folds all
//! that any system might.

use icu_normalizer::ComposingNormalizerBorrowed;

/// Folds a segment as NTFS does, as far as that is certain: pairs of letters that are each other's
/// only other case. `ß`, `ı`, `ſ` and the Kelvin sign stay what they are, which at worst holds a call.
pub(super) fn fold_windows(text: &str) -> String {
    text.chars().map(fold_char).collect()
}

/// Folds a segment as a case-insensitive APFS does: composed, then without case.
pub(super) fn fold_macos(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    ComposingNormalizerBorrowed::new_nfc().normalize(text).chars().map(fold_char).collect()
}

fn fold_char(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let mut chars = c.to_lowercase();
    match (chars.next(), chars.next()) {
        (Some(lower), None) if lower != c && is_pair(lower, c) => lower,
        _ => c,
    }
}

fn is_pair(lower: char, upper: char) -> bool {
    let mut chars = lower.to_uppercase();
    chars.next() == Some(upper) && chars.next().is_none()
}

/// Folds a normal path text as far as any file system might, for protected files: composition,
/// compatibility of case (`ſ` is `s`, `ß` is `ss`), characters that HFS+ ignores.
pub(crate) fn loose(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let composed = ComposingNormalizerBorrowed::new_nfc().normalize(text);
    let visible = composed.chars().filter(|c| !is_ignored(*c));
    visible.flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

fn is_ignored(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
