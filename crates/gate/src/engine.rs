//! A configuration, compiled once and shared by every session.

use crate::{digest, texts};
use plan_gate_classifier::Classifier;
use plan_gate_core::{Config, Digest, Error, Language, LocaleChoice, ProfileChoice};
use plan_gate_scope_matcher::Matcher;
use plan_gate_state_machine::Policy;
use std::sync::LazyLock;

/// The shipped words, compiled when the first reply is read: it takes milliseconds, and a process that
/// only judges calls never needs them.
static SHIPPED: LazyLock<Result<Classifier, Error>> = LazyLock::new(|| Classifier::new(&[]));

/// Immutable; what it takes to judge calls and read replies.
#[derive(Debug)]
pub(crate) struct Engine {
    /// Only with extra approval words; otherwise every gate of the process shares one.
    own: Option<Classifier>,
    pub(crate) matcher: Matcher,
    pub(crate) policy: Policy,
    locale: LocaleChoice,
    fingerprint: Digest,
}

impl Engine {
    pub(crate) fn new(config: &Config) -> Result<Self, Error> {
        Ok(Self {
            own: match config.approval_words.as_slice() {
                [] => None,
                words => Some(Classifier::new(words)?),
            },
            matcher: Matcher::new(config)?,
            policy: Policy {
                exempt_delegated: config.exempt_delegated,
                keep_on_question: config.keep_on_question,
            },
            locale: config.locale,
            fingerprint: fingerprint(config),
        })
    }

    /// What reads replies.
    ///
    /// # Errors
    ///
    /// Only if the shipped word lists were unusable, which a test of theirs excludes.
    pub(crate) fn classifier(&self) -> Result<&Classifier, Error> {
        match &self.own {
            Some(own) => Ok(own),
            None => SHIPPED.as_ref().map_err(Clone::clone),
        }
    }

    /// The language to speak to a session whose user last wrote in `last`.
    pub(crate) fn language(&self, last: Option<Language>) -> Language {
        match self.locale {
            LocaleChoice::Auto => last.unwrap_or_default(),
            LocaleChoice::Zh => Language::Zh,
            LocaleChoice::En => Language::En,
        }
    }

    /// Digest of profile, root and path style: a snapshot of another one is refused.
    pub(crate) fn fingerprint(&self) -> Digest {
        self.fingerprint
    }

    pub(crate) fn text(&self, last: Option<Language>, key: &str, values: &[(&str, &str)]) -> String {
        texts::text(self.language(last), key, values)
    }
}

fn fingerprint(config: &Config) -> Digest {
    let profile = match &config.profile {
        ProfileChoice::Named(name) => name.as_str(),
        ProfileChoice::Inline(raw) => raw.get(),
    };
    let root = config.root.as_deref().unwrap_or_default();
    let style = format!("{:?}", config.path_style);
    digest::of("plan-gate settings", &[profile.as_bytes(), root.as_bytes(), style.as_bytes()])
}
