//! Texts are data: `data/texts/{en,zh}.json`.

use plan_gate_core::{Catalog, Language};
use std::sync::LazyLock;

static CATALOG: LazyLock<Option<Catalog>> = LazyLock::new(|| {
    Catalog::new(include_str!("../data/texts/en.json"), include_str!("../data/texts/zh.json")).ok()
});

/// The text for `key`. A broken data file gives the key, as a missing text does: plan mode guides, so a
/// lost text must stop nothing. The tests below keep the files and the keys whole.
pub(crate) fn text(language: Language, key: &str, values: &[(&str, &str)]) -> String {
    match &*CATALOG {
        Some(catalog) => catalog.text(language, key, values),
        None => key.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CommandCode, ExitCode};
    use std::collections::BTreeSet;

    /// Keys that no enum lists.
    const LONE_KEYS: &[&str] = &[
        "notice-on",
        "notice-off",
        "warning-append",
        "tool-description",
        "tool-description-gate",
        "tool-plan",
        "propose-note",
        "result-approved-gate",
        "question-title",
        "question-text",
        "option-approve",
        "option-approve-description",
        "option-keep",
        "option-keep-description",
        "card-plan",
        "card-approved",
        "card-not-approved",
    ];

    #[test]
    fn the_files_hold_exactly_the_keys_the_code_uses() {
        let catalog = CATALOG.as_ref().expect("the data files are a catalog");
        let used: BTreeSet<&str> = LONE_KEYS
            .iter()
            .copied()
            .chain(CommandCode::ALL.iter().map(|code| code.key()))
            .chain(ExitCode::ALL.iter().map(|code| code.key()))
            .collect();
        assert_eq!(catalog.keys().collect::<BTreeSet<_>>(), used);
    }

    #[test]
    fn languages_differ_and_no_text_is_blank() {
        let catalog = CATALOG.as_ref().unwrap();
        for key in catalog.keys() {
            let [en, zh] = [Language::En, Language::Zh].map(|language| catalog.text(language, key, &[]));
            assert!(!en.trim().is_empty() && en.is_ascii(), "{key}: {en}");
            assert!(zh.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)), "{key}: {zh}");
        }
    }
}
