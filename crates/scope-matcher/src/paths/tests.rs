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

#[test]
fn the_nearest_of_many_has_the_longest_common_beginning() {
    let reader = PathReader::new(Style::Posix, None).unwrap();
    let entries: Vec<String> = (0..200).map(|n| format!("packages/p{n}/src/deep/x{n}")).collect();
    let table = PathTable::new(entries.iter().cloned().zip(0..).collect(), &reader);
    for (path, nearest) in [
        ("packages/p77/src/deep/y", Some(77)),
        ("packages/p77/lib", Some(77)),
        ("packages/p150/src/deep/x150x", Some(150)),
        ("elsewhere/p77", None),
        ("/packages/p77", None),
    ] {
        assert_eq!(table.nearest(path), nearest, "{path}");
    }
    let some = table.nearest("packages/q").expect("something in packages");
    assert!(some < 200);
}
