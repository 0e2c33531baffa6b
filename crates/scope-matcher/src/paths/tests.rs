use super::*;

#[test]
fn roots_must_be_absolute() {
    for (style, root, fine) in [
        (Style::Posix, "/w/p", true),
        (Style::Posix, "/", true),
        (Style::Posix, "", false),
        (Style::Posix, "w", false),
        (Style::Posix, "C:\\w", false),
        (Style::Windows, "C:\\w", true),
        (Style::Windows, "C:\\", true),
        (Style::Windows, "\\\\s\\share\\w", true),
        (Style::Windows, "\\w", false),
        (Style::Windows, "C:w", false),
    ] {
        assert_eq!(PathReader::new(style, Some(root)).is_ok(), fine, "{root}");
    }
}
