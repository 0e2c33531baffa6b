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

    /// Whether a builtin may give the variable a value.
    fn assigned_elsewhere(&self, name: &str) -> bool {
        let split = self.split;
        let named = |word: &Word<'_>| word.text().contains(name) || !word.certain();
        split.parts.iter().any(|part| {
            part.words.first().is_some_and(|word| ASSIGNING.contains(&word.text()) || word.text() == ".")
                && part.words.iter().skip(1).any(named)
        })
    }

    /// Every word that a variable can hold, if the line alone decides and all of them are certain.
    ///
    /// Only for variables that nothing else assigns to: a builtin that takes names makes everything
    /// unknown.
    pub(super) fn of(&self, name: &str) -> Option<Vec<&str>> {
        let split = self.split;
        if self.assigned_elsewhere(name) || split.evaluated.iter().any(|evaluated| evaluated == name) {
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

/// Expansions whose result is one word without a dash in front: numbers, and names that git allows.
/// With each a text that stands for all its results. What runs inside needs its own entry all the same.
const WORDS: &[(&str, &str)] = &[
    ("$?", "1"),
    ("$#", "1"),
    ("$$", "1"),
    ("$(nproc)", "1"),
    ("`nproc`", "1"),
    ("$(nproc --all)", "1"),
    ("$(getconf _NPROCESSORS_ONLN)", "1"),
    ("$(sysctl -n hw.ncpu)", "1"),
    ("$(id -u)", "1"),
    ("$(id -g)", "1"),
    ("$(date +%s)", "1"),
    ("$(date +%F)", "1"),
    ("$(date +%Y%m%d)", "1"),
    ("$(date +%Y-%m-%d)", "1"),
    ("$(date +%Y%m%d%H%M%S)", "1"),
    ("$(uname -s)", "x"),
    ("$(uname -m)", "x"),
    ("$(whoami)", "x"),
    ("$(git rev-parse HEAD)", "1"),
    ("$(git rev-parse --short HEAD)", "1"),
    ("$(git rev-parse --abbrev-ref HEAD)", "x"),
    ("$(git branch --show-current)", "x"),
    ("$(git merge-base main HEAD)", "1"),
    ("$(git merge-base origin/main HEAD)", "1"),
];

/// More possible texts than this count as unknown.
const MOST: usize = 64;

impl Values<'_> {
    /// Every text that a word can become, if the line alone decides: numbers, and variables whose
    /// values all stand in the line. A number is put in as `1`.
    pub(super) fn texts(&self, word: &Word<'_>) -> Option<Vec<String>> {
        let raw = word.raw();
        let mut quoted = false;
        let mut rest = raw;
        let mut texts = vec![String::with_capacity(raw.len())];
        while let Some(at) = rest.find(['$', '`', '"', '\'', '\\', '*', '?', '[', '{', '~', '<', '>']) {
            let plain = rest.get(..at)?;
            rest = rest.get(at..)?;
            if let Some(behind) = rest.strip_prefix('"') {
                quoted = !quoted;
                texts.iter_mut().for_each(|text| text.push_str(plain));
                rest = behind;
                continue;
            }
            let (values, behind) = self.expansion(rest, quoted)?;
            if texts.len() * values.len() > MOST {
                return None;
            }
            texts = texts
                .iter()
                .flat_map(|text| values.iter().map(move |value| format!("{text}{plain}{value}")))
                .collect();
            rest = behind;
        }
        for text in &mut texts {
            text.push_str(rest);
        }
        Some(texts)
    }

    /// Whether a word is one variable to which the line gives only relative paths: texts and patterns
    /// that begin with a plain character or with a sign of a pattern.
    pub(super) fn is_relative(&self, word: &Word<'_>) -> bool {
        let bare = word.raw().trim_matches('"').trim_start_matches(['$', '{']).trim_end_matches('}');
        let name = bare.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
        if !name
            || bare.is_empty()
            || bare.starts_with(|c: char| c.is_ascii_digit())
            || self.assigned_elsewhere(bare)
        {
            return false;
        }
        let relative = |word: &Word<'_>| {
            let raw = word.raw();
            let rest = raw.strip_prefix(bare).unwrap_or_default();
            // Appending says nothing about the beginning.
            if rest.starts_with(['+', '[']) {
                return false;
            }
            rest.strip_prefix('=')
                .unwrap_or(raw)
                .starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '*' | '?'))
        };
        let mut bound = self.split.bindings.iter().filter(|binding| binding.name == bare).peekable();
        bound.peek().is_some() && bound.all(|binding| binding.value.as_ref().is_some_and(relative))
    }

    /// What the expansion at the beginning of `rest` can become, and what stands behind it.
    fn expansion<'r>(&self, rest: &'r str, quoted: bool) -> Option<(Vec<String>, &'r str)> {
        let known = |(source, result): &(&str, &'static str)| Some((*result, rest.strip_prefix(source)?));
        if let Some((result, behind)) = WORDS.iter().find_map(known) {
            return Some((vec![result.to_owned()], behind));
        }
        if let Some((inside, behind)) = rest.strip_prefix("$((").and_then(|rest| rest.split_once("))")) {
            let plain = !inside.contains(['$', '`', '(', '\'']);
            return plain.then(|| (vec!["1".to_owned()], behind));
        }
        let bare = rest.strip_prefix('$')?;
        let (name, behind) = match bare.strip_prefix('{') {
            Some(inside) => inside.split_once('}')?,
            None => {
                let end = bare.find(|c: char| c != '_' && !c.is_ascii_alphanumeric()).unwrap_or(bare.len());
                bare.split_at_checked(end)?
            }
        };
        let is_name = !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
        if !is_name {
            return None;
        }
        if super::arithmetic::only_numbers(self.split, name) {
            return Some((vec!["1".to_owned()], behind));
        }
        let values = self.of(name)?;
        let splits = |text: &&str| text.is_empty() || text.contains([' ', '\t', '\n', '*', '?', '[', '\\']);
        if !quoted && values.iter().any(splits) {
            return None;
        }
        Some((values.into_iter().map(str::to_owned).collect(), behind))
    }
}
