//! Words of a command line: what is certain about them and what only the running shell knows.

use serde::Serialize;
use serde::ser::Serializer;
use std::borrow::Cow;

/// What stands in a word besides plain characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks(u8);

impl Marks {
    /// Plain characters only.
    pub const NONE: Self = Self(0);
    /// Quotes or a backslash: they go away and leave a certain text.
    pub const QUOTED: Self = Self(1);
    /// An expansion outside quotes: it may become any number of words.
    pub const SPLITS: Self = Self(2);
    /// An expansion inside quotes: one word, whatever its value.
    pub const EXPANDS: Self = Self(4);
    /// `*`, `?` or `[…]` outside quotes: it may become the names of files.
    pub const GLOB: Self = Self(8);
    /// `{a,b}`: it becomes several words, known ones.
    pub const BRACE: Self = Self(16);
    /// `~`: it becomes a home directory.
    pub const TILDE: Self = Self(32);
    /// `<(…)` or `>(…)`: it becomes the name of a pipe.
    pub const PIPE: Self = Self(64);

    /// Both together.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether any mark of `other` is set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Whether nothing but quotes stands in the word, so that its text is what the program gets.
    pub const fn certain(self) -> bool {
        self.0 & !Self::QUOTED.0 == 0
    }
}

/// One word of a command line.
#[derive(Debug, Clone)]
pub struct Word<'a> {
    text: Cow<'a, str>,
    raw: Cow<'a, str>,
    marks: Marks,
}

impl<'a> Word<'a> {
    /// A word that is exactly this text.
    pub(crate) fn literal(text: Cow<'a, str>) -> Self {
        Self { raw: text.clone(), text, marks: Marks::NONE }
    }

    /// A word from its source; `text` is what is left after the removal of quotes, if that is certain.
    pub(crate) fn new(raw: &'a str, text: Cow<'a, str>, marks: Marks) -> Self {
        Self { text, raw: Cow::Borrowed(raw), marks }
    }

    /// The text after the removal of quotes where it is certain, the source otherwise.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The word as it stands in the line.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// What stands in it besides plain characters.
    pub fn marks(&self) -> Marks {
        self.marks
    }

    /// Whether the program gets exactly [`Word::text`].
    pub fn certain(&self) -> bool {
        self.marks.certain()
    }

    /// The text, if it is certain.
    pub fn known(&self) -> Option<&str> {
        if self.certain() { Some(&self.text) } else { None }
    }

    /// What the word begins with before the first thing that only the running shell knows.
    pub(crate) fn lead(&self) -> Cow<'_, str> {
        if self.certain() {
            return Cow::Borrowed(&self.text);
        }
        let stop =
            |c: char| matches!(c, '$' | '`' | '"' | '\'' | '\\' | '*' | '?' | '[' | '{' | '~' | '<' | '>');
        match self.raw.find(stop) {
            Some(at) if self.raw.get(at..).is_some_and(|rest| rest.starts_with(['"', '\'', '\\'])) => {
                Cow::Owned(quoted_lead(&self.raw))
            }
            Some(at) => Cow::Borrowed(self.raw.get(..at).unwrap_or_default()),
            None => Cow::Borrowed(&self.raw),
        }
    }

    /// The same word, of which only the place is known: something will be put into it.
    pub(crate) fn uncertain(mut self) -> Self {
        self.marks.add(Marks::EXPANDS);
        self
    }

    pub(crate) fn into_owned(self) -> Word<'static> {
        Word {
            text: Cow::Owned(self.text.into_owned()),
            raw: Cow::Owned(self.raw.into_owned()),
            marks: self.marks,
        }
    }
}

/// The literal beginning of a word that has quotes in it.
fn quoted_lead(raw: &str) -> String {
    let mut lead = String::new();
    let mut quote = None;
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\'', None) | ('"', None) => quote = Some(c),
            ('\'', Some('\'')) | ('"', Some('"')) => quote = None,
            (_, Some('\'')) => lead.push(c),
            ('$' | '`' | '\\', Some(_)) | ('$' | '`' | '*' | '?' | '[' | '{' | '~' | '<' | '>', None) => {
                break;
            }
            ('\\', None) => match chars.next() {
                Some(next) if next != '\n' => lead.push(next),
                _ => break,
            },
            _ => lead.push(c),
        }
    }
    lead
}

impl Serialize for Word<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}
