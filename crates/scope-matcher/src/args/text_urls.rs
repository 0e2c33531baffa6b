//! URLs inside free text.

/// Every URL that a reader could find in the text, each from its scheme to the next blank or quote.
///
/// More is found than any one reader finds, and each must be covered: `a://b,c://d` is both the whole
/// and its second half.
pub(crate) fn urls(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '>');
    for word in text.split(ends) {
        for (colon, _) in word.match_indices("://") {
            let before = word.get(..colon).unwrap_or_default();
            let scheme = before
                .bytes()
                .rev()
                .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
                .count();
            if scheme > 0
                && let Some(url) = word.get(colon - scheme..)
            {
                found.push(trim_host(url, scheme + 3));
            }
        }
        let bare = word.trim_start_matches(|c: char| !c.is_alphanumeric());
        if bare.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www.")) && !bare.contains("://") {
            found.push(trim_host(bare, 0));
        }
    }
    found
}

/// Takes the punctuation of a sentence off a URL that is only a host, where it cannot belong to it.
fn trim_host(url: &str, authority: usize) -> &str {
    let rest = url.get(authority..).unwrap_or_default();
    if rest.contains(['/', '?', '#']) {
        return url;
    }
    url.trim_end_matches(['.', ',', ';', ':', '!', ')', ']', '}'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_at_least_what_a_reader_would_fetch() {
        for (text, found) in [
            ("Summarise https://a.test/x and http://b.test.", &["https://a.test/x", "http://b.test"][..]),
            ("see (https://a.test)", &["https://a.test"]),
            ("https://a.test/x,https://b.test/y", &["https://a.test/x,https://b.test/y", "https://b.test/y"]),
            ("xhttps://a.test", &["xhttps://a.test"]),
            ("<HTTPS://A.test/>", &["HTTPS://A.test/"]),
            ("看https://a.test/文档。", &["https://a.test/文档。"]),
            ("go to www.a.test now", &["www.a.test"]),
            ("nothing here: //", &[]),
            ("", &[]),
        ] {
            assert_eq!(urls(text), found, "{text}");
        }
    }
}
