//! The user must see what they approve.

/// The first character of `text` that a person cannot see, or that changes how others are seen:
/// controls, bidirectional overrides, zero-width and filler characters, tags.
///
/// `prose` allows what ordinary markdown holds: line breaks, tabs and emoji presentation selectors.
pub fn hidden_character(text: &str, prose: bool) -> Option<char> {
    if text.is_ascii() && !text.bytes().any(|byte| byte < b' ' || byte == 0x7f) {
        return None;
    }
    text.chars().find(|c| match c {
        '\n' | '\t' | '\u{fe0e}' | '\u{fe0f}' => !prose,
        // A carriage return can hide the line before it on a terminal; CRLF files are mended by models.
        '\r' => true,
        _ => is_hidden(*c),
    })
}

fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0d}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_found() {
        for bad in ["a\u{202e}b", "a\u{200b}", "\u{0}", "a\rb", "\u{e0041}", "\u{7f}", "\u{ad}"] {
            assert!(hidden_character(bad, true).is_some(), "{bad:?}");
        }
        for fine in ["短信 登录", "a b", "é", "✅", "naïve — “quoted”"] {
            assert_eq!(hidden_character(fine, false), None, "{fine:?}");
        }
        assert_eq!(hidden_character("a\n\tb ⚠\u{fe0f}", true), None);
        assert_eq!(hidden_character("a\nb", false), Some('\n'));
        assert_eq!(hidden_character("⚠\u{fe0f}", false), Some('\u{fe0f}'));
    }
}
