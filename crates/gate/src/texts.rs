//! The gate's words for people and for models.

use plan_gate_core::{Catalog, Language};
use std::sync::LazyLock;

// A catalog that cannot be read is found by the test below, before anything is released.
static CATALOG: LazyLock<Option<Catalog>> = LazyLock::new(|| {
    Catalog::new(include_str!("../data/texts/en.json"), include_str!("../data/texts/zh.json")).ok()
});

/// The text for `key`; the key itself when there is none.
pub(crate) fn text(language: Language, key: &str, values: &[(&str, &str)]) -> String {
    match &*CATALOG {
        Some(catalog) => catalog.text(language, key, values),
        None => key.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_gate_core::{EffectKind, FaultCode, Reason, ScopeList};

    #[test]
    fn everything_that_is_said_has_its_text_in_both_languages() {
        let catalog =
            Catalog::new(include_str!("../data/texts/en.json"), include_str!("../data/texts/zh.json"));
        let catalog = catalog.unwrap();
        let keys: Vec<&str> = catalog.keys().collect();
        let reasons = Reason::ALL.iter().map(|reason| format!("reason.{}", reason.name()));
        let faults = FaultCode::ALL.iter().map(|code| format!("fault.{}", code.name()));
        let effects = EffectKind::ALL.iter().map(|kind| format!("effect.{}", kind.name()));
        let lists = ScopeList::ALL.iter().map(|list| format!("list.{}", list.name()));
        let warnings = plan_gate_scope_matcher::WARNINGS.iter().map(|code| format!("warning.{code}"));
        for key in reasons.chain(faults).chain(effects).chain(lists).chain(warnings) {
            assert!(keys.contains(&key.as_str()), "{key}");
        }
    }
}
