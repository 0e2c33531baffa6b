//! The command line's own words, and which language they are in.

use plan_gate::Language;
use plan_gate_core::Catalog;
use std::ffi::OsString;
use std::sync::LazyLock;

// A catalog that cannot be read is found by the test below, before anything is released.
static CATALOG: LazyLock<Option<Catalog>> = LazyLock::new(|| {
    Catalog::new(include_str!("../data/texts/en.json"), include_str!("../data/texts/zh.json")).ok()
});

/// The words of the sub-commands that put the gate in front of a coding agent.
static HOST: LazyLock<Option<Catalog>> = LazyLock::new(|| {
    Catalog::new(include_str!("../data/texts/host.en.json"), include_str!("../data/texts/host.zh.json")).ok()
});

/// The texts in one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words(pub Language);

impl Words {
    /// The text for `key` with its places filled in.
    pub fn text(self, key: &str, values: &[(&str, &str)]) -> String {
        // A missing text comes back as its own key.
        let text = |catalog: &LazyLock<Option<Catalog>>| {
            catalog.as_ref().map_or_else(|| key.to_owned(), |catalog| catalog.text(self.0, key, values))
        };
        let own = text(&CATALOG);
        if own == key { text(&HOST) } else { own }
    }

    /// The text for `key`, which has no places.
    pub fn plain(self, key: &str) -> String {
        self.text(key, &[])
    }

    /// The text for `key`, if there is one.
    pub fn find(self, key: &str) -> Option<String> {
        // A missing text comes back as its own key.
        Some(self.plain(key)).filter(|text| text != key)
    }
}

/// What is known of the language of the person at the terminal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tongue {
    /// `--lang`.
    pub asked: Option<Language>,
    /// `LC_ALL`, `LC_MESSAGES` or `LANG`; the C locale says nothing about a person.
    pub environment: Option<Language>,
}

impl Tongue {
    /// Looks at the arguments before they are parsed, so that the errors of parsing speak it already.
    pub fn find(arguments: &[OsString]) -> Self {
        let mut asked = None;
        let mut words = arguments.iter().skip(1).filter_map(|argument| argument.to_str());
        while let Some(word) = words.next() {
            let value = match word.strip_prefix("--lang=") {
                Some(value) => Some(value),
                None if word == "--lang" => words.next(),
                None => None,
            };
            match value {
                Some("zh") => asked = Some(Language::Zh),
                Some("en") => asked = Some(Language::En),
                _ => {}
            }
        }
        let variables = ["LC_ALL", "LC_MESSAGES", "LANG"];
        let locale =
            variables.iter().filter_map(|name| std::env::var(name).ok()).find(|value| !value.is_empty());
        Self { asked, environment: locale.and_then(|locale| of_locale(&locale)) }
    }

    /// The words for everything that is about no session in particular.
    pub fn words(self) -> Words {
        Words(self.asked.or(self.environment).unwrap_or_default())
    }

    /// The words around a session whose user writes in `language`.
    pub fn beside(self, language: Language) -> Words {
        Words(self.asked.or(self.environment).unwrap_or(language))
    }
}

fn of_locale(locale: &str) -> Option<Language> {
    let name = locale.split(['.', '@', '_', '-']).next().unwrap_or_default();
    match name {
        "zh" => Some(Language::Zh),
        "C" | "POSIX" | "" => None,
        _ => Some(Language::En),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_gate::{EffectKind, OtherWhy, Reason, ScopeList, Settlement};

    #[test]
    fn the_texts_agree_in_both_languages() {
        let catalog =
            Catalog::new(include_str!("../data/texts/en.json"), include_str!("../data/texts/zh.json"));
        assert!(catalog.unwrap().keys().count() > 100);
    }

    #[test]
    fn everything_that_is_said_has_its_text() {
        let words = Words(Language::En);
        let reasons = Reason::ALL.iter().map(|reason| format!("reason.{}", reason.name()));
        let whys = OtherWhy::ALL.iter().map(|why| format!("why.{}", why.name()));
        let effects = EffectKind::ALL.iter().map(|kind| format!("effect.{}", kind.name()));
        let does = EffectKind::ALL.iter().map(|kind| format!("does.{}", kind.name()));
        let settled = Settlement::ALL.iter().map(|settlement| format!("settle.{}", settlement.name()));
        let lists = ScopeList::ALL.iter().map(|list| format!("list.{}", list.name()));
        let parts = ScopeList::ALL.iter().map(|list| format!("try.ask.{}", list.name()));
        let outside = plan_gate_scope_matcher::WHYS.iter().map(|why| format!("outside.{why}"));
        let commands = plan_gate_scope_matcher::command::WHYS.iter().map(|why| format!("outside.{why}"));
        let phases = ["closed", "proposed", "revising", "approved"].iter();
        let phases = phases.flat_map(|phase| [format!("phase.{phase}"), format!("end.{phase}")]);
        let keys = reasons.chain(whys).chain(effects).chain(does).chain(settled).chain(lists).chain(parts);
        for key in keys.chain(outside).chain(commands).chain(phases) {
            assert!(words.find(&key).is_some(), "{key}");
        }
    }

    #[test]
    fn locales_name_a_language_or_nobody() {
        for (locale, language) in [
            ("zh_CN.UTF-8", Some(Language::Zh)),
            ("zh", Some(Language::Zh)),
            ("en_US.UTF-8", Some(Language::En)),
            ("de_DE@euro", Some(Language::En)),
            ("C", None),
            ("C.UTF-8", None),
            ("POSIX", None),
        ] {
            assert_eq!(of_locale(locale), language, "{locale}");
        }
        let arguments = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        let asked = |words| Tongue::find(&arguments(words)).asked;
        assert_eq!(asked(&["plan-gate", "replay", "--lang", "zh"]), Some(Language::Zh));
        assert_eq!(asked(&["plan-gate", "--lang=en", "try"]), Some(Language::En));
        assert_eq!(asked(&["plan-gate", "--lang", "xx"]), None);
    }
}
