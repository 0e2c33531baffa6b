//! Texts are data: one JSON file per language, key to template with `{name}` places.

use crate::Language;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;

/// Texts in every language, with the same keys in each.
#[derive(Debug, Clone)]
pub struct Catalog {
    en: BTreeMap<String, String>,
    zh: BTreeMap<String, String>,
}

/// A catalog that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogError(String);

impl fmt::Display for CatalogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CatalogError {}

impl Catalog {
    /// Reads the two language files.
    ///
    /// # Errors
    ///
    /// A file that is not a flat JSON object of strings, a key that stands twice, or a key (or a place
    /// in its template) that only one language has.
    pub fn new(en: &str, zh: &str) -> Result<Self, CatalogError> {
        let catalog = Self { en: read(Language::En, en)?, zh: read(Language::Zh, zh)? };
        for (key, template) in &catalog.en {
            let Some(other) = catalog.zh.get(key) else {
                return Err(CatalogError(format!("text `{key}` is missing in zh")));
            };
            if places(template) != places(other) {
                return Err(CatalogError(format!("text `{key}` names other places in zh than in en")));
            }
        }
        match catalog.zh.keys().find(|key| !catalog.en.contains_key(*key)) {
            Some(key) => Err(CatalogError(format!("text `{key}` is missing in en"))),
            None => Ok(catalog),
        }
    }

    /// Every key.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.en.keys().map(String::as_str)
    }

    /// The text for `key` with its places filled in. A key that is not there gives the key itself, so
    /// that a missing text is seen and nothing fails; a test holds every key the code uses.
    pub fn text(&self, language: Language, key: &str, values: &[(&str, &str)]) -> String {
        let texts = match language {
            Language::En => &self.en,
            Language::Zh => &self.zh,
        };
        let Some(template) = texts.get(key) else { return key.to_owned() };
        fill(template, values)
    }
}

fn read(language: Language, text: &str) -> Result<BTreeMap<String, String>, CatalogError> {
    /// A map that refuses a key that stands twice.
    struct Flat(BTreeMap<String, String>);
    impl<'de> Deserialize<'de> for Flat {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let crate::json::Strict(value) = crate::json::Strict::deserialize(deserializer)?;
            serde_json::from_value(value).map(Flat).map_err(serde::de::Error::custom)
        }
    }
    let name = language.name();
    serde_json::from_str::<Flat>(text)
        .map(|flat| flat.0)
        .map_err(|error| CatalogError(format!("texts of {name}: {error}")))
}

/// The places of a template, sorted.
fn places(template: &str) -> Vec<&str> {
    let mut names: Vec<&str> =
        template.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// One pass, so that a value that itself holds `{name}` is not filled again.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((name, tail)) = after.split_once('}') else {
            out.push('{');
            out.push_str(after);
            return out;
        };
        match values.iter().find(|(key, _)| *key == name) {
            Some((_, value)) => out.push_str(value),
            None => {
                out.push('{');
                out.push_str(name);
                out.push('}');
            }
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_places_once() {
        let catalog = Catalog::new(r#"{"a":"x {p} y"}"#, r#"{"a":"{p}。"}"#).unwrap();
        assert_eq!(catalog.text(Language::En, "a", &[("p", "{p}")]), "x {p} y");
        assert_eq!(catalog.text(Language::Zh, "a", &[("p", "1")]), "1。");
        assert_eq!(catalog.text(Language::En, "none", &[]), "none");
    }

    #[test]
    fn languages_must_agree() {
        for (en, zh) in [
            (r#"{"a":""}"#, "{}"),
            ("{}", r#"{"a":""}"#),
            (r#"{"a":"{x}"}"#, r#"{"a":"{y}"}"#),
            (r#"{"a":"","a":""}"#, r#"{"a":""}"#),
            ("[]", "{}"),
        ] {
            assert!(Catalog::new(en, zh).is_err(), "{en} {zh}");
        }
    }
}
