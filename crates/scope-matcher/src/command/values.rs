//! What variables hold, as far as the line itself says.

use crate::shell::{Split, Word};

/// Every value that the line gives to its variables.
pub(super) struct Values<'s> {
    split: &'s Split<'s>,
    changed: bool,
}

/// Builtins that give variables values from elsewhere.
const ASSIGNING: &[&str] = &[
    "read",
    "export",
    "declare",
    "typeset",
    "local",
    "readonly",
    "printf",
    "mapfile",
    "readarray",
    "getopts",
    "let",
    "unset",
    "set",
    "shift",
];

impl<'s> Values<'s> {
    pub(super) fn new(split: &'s Split<'s>) -> Self {
        let assigns = || {
            split
                .parts
                .iter()
                .any(|part| part.words.first().is_some_and(|word| ASSIGNING.contains(&word.text())))
        };
        Self { split, changed: !split.bindings.is_empty() || assigns() }
    }

    /// Whether the line changes any variable.
    pub(super) fn any(&self) -> bool {
        self.changed
    }

    /// Every word that a variable can hold, if the line alone decides and all of them are certain.
    ///
    /// Only for variables that nothing else assigns to: a builtin that takes names makes everything
    /// unknown.
    pub(super) fn of(&self, name: &str) -> Option<Vec<&str>> {
        let split = self.split;
        let named = |word: &Word<'_>| word.text().contains(name) || !word.certain();
        let assigned_elsewhere = split.parts.iter().any(|part| {
            part.words.first().is_some_and(|word| ASSIGNING.contains(&word.text()) || word.text() == ".")
                && part.words.iter().skip(1).any(named)
        });
        if assigned_elsewhere || split.evaluated.iter().any(|evaluated| evaluated == name) {
            return None;
        }
        let mut values = Vec::new();
        for binding in split.bindings.iter().filter(|binding| binding.name == name) {
            let word = binding.value.as_ref()?;
            let text = word.known()?;
            let value = match word.raw().strip_prefix(name).and_then(|rest| rest.strip_prefix('=')) {
                Some(_) => text.get(name.len() + 1..)?,
                None if word.raw().starts_with(&format!("{name}+=")) => return None,
                None if word.raw().starts_with(&format!("{name}[")) => return None,
                None => text,
            };
            values.push(value);
        }
        if values.is_empty() { None } else { Some(values) }
    }
}

/// The name of the variable, if the word is nothing but one: `$x`, `${x}`, `"$x"`, `"${x}"`.
pub(super) fn variable<'w>(word: &'w Word<'_>) -> Option<(&'w str, bool)> {
    let raw = word.raw();
    let (bare, quoted) = match raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(bare) => (bare, true),
        None => (raw, false),
    };
    let name = bare.strip_prefix('$')?;
    let name = name.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(name);
    let plain = !name.is_empty() && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
    (plain && !name.starts_with(|c: char| c.is_ascii_digit())).then_some((name, quoted))
}
