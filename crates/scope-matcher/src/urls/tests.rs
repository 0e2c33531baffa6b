use super::*;

#[test]
fn entries_that_cannot_match_are_faults() {
    for (entry, fault) in [
        ("*", EntryFault::Star),
        ("https://*", EntryFault::Star),
        ("a.*.test", EntryFault::Unreadable),
        ("*.127.0.0.1", EntryFault::Unreadable),
        ("a.test.", EntryFault::Unreadable),
        ("user@a.test", EntryFault::Unreadable),
        ("https://", EntryFault::Unreadable),
        ("file:///etc", EntryFault::Unreadable),
        ("a b", EntryFault::Unreadable),
        ("https://a.test:99999", EntryFault::Unreadable),
        ("https://a.test/*/b", EntryFault::Unreadable),
    ] {
        assert_eq!(UrlTable::new(&[entry.to_owned()]).unwrap_err(), [(0, fault)], "{entry}");
    }
}
