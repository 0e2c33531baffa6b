//! The engine's own words.

use plan_gate::Language;
use plan_gate_core::Catalog;
use std::sync::LazyLock;

static CATALOG: LazyLock<Option<Catalog>> = LazyLock::new(|| {
    Catalog::new(include_str!("../../data/texts/en.json"), include_str!("../../data/texts/zh.json")).ok()
});

/// A text of the hooks, with its places filled in.
pub fn text(language: Language, key: &str, values: &[(&str, &str)]) -> String {
    CATALOG.as_ref().map_or_else(|| key.to_owned(), |catalog| catalog.text(language, key, values))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_there_in_both_languages() {
        let catalog = CATALOG.as_ref().unwrap();
        for key in catalog.keys() {
            for language in [Language::En, Language::Zh] {
                assert!(!text(language, key, &[]).is_empty(), "{key}");
            }
        }
        let source = [
            include_str!("mod.rs"),
            include_str!("after.rs"),
            include_str!("settle.rs"),
            include_str!("../../data/texts/en.json"),
        ]
        .concat();
        for key in catalog.keys() {
            assert!(
                source.matches(&format!("\"{key}\"")).count() > 1
                    || key == "propose.recorded"
                    || key == "unreadable",
                "`{key}` is not used"
            );
        }
    }
}
