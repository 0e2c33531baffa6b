//! Classes of characters, from data: what is ignored, what separates, what quotes.

use plan_gate_core::json;
use plan_gate_core::{Error, ErrorKind};
use serde::Deserialize;

const FILE: &str = include_str!("../data/characters.json");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Taken for not there: zero-width characters, variation selectors, skin tones. Code points or
    /// ranges in hexadecimal, since most of them cannot be seen.
    ignored: Vec<String>,
    /// Punctuation that carries nothing.
    separators: String,
    question_marks: String,
    /// Pairs of quotation marks.
    quotes: Vec<(char, char)>,
    /// Joins what stands on both sides into one word (a file name, a hyphenated word).
    glue: String,
    /// Makes what follows a path, a mention, a command.
    prefixes: String,
    /// Read as the ASCII apostrophe.
    apostrophes: String,
    /// What a harness puts into a message.
    markers: Vec<Marker>,
    /// Traditional characters and the simplified ones they are read as, in turn.
    traditional: String,
}

/// A piece of text that a harness puts into a message.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Marker {
    pub(crate) kind: MarkerKind,
    /// How it begins, in lower case.
    pub(crate) open: String,
    /// How it ends; on the same line.
    pub(crate) close: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MarkerKind {
    Interrupt,
    Image,
}

/// What a character is to the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Ordinary,
    Ignored,
    Blank,
    Separator,
    Question,
    Quote,
}

/// The compiled classes.
#[derive(Debug)]
pub(crate) struct Characters {
    ascii: [Class; 128],
    /// Sorted by character.
    others: Vec<(char, Class)>,
    ignored: Vec<(u32, u32)>,
    /// For each CJK ideograph from U+4E00 its simplified form, or zero.
    simplified: Vec<u16>,
    glue: [bool; 128],
    prefixes: [bool; 128],
    apostrophes: Vec<char>,
    pub(crate) quotes: Vec<(char, char)>,
    pub(crate) markers: Vec<Marker>,
}

/// The block of CJK ideographs in which Traditional and simplified characters stand.
const IDEOGRAPHS: std::ops::RangeInclusive<u32> = 0x4e00..=0x9fff;

fn ascii_set(text: &str) -> [bool; 128] {
    let mut set = [false; 128];
    for c in text.chars() {
        if let Some(place) = set.get_mut(c as usize) {
            *place = true;
        }
    }
    set
}

fn range(text: &str) -> Result<(u32, u32), Error> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    match (u32::from_str_radix(low, 16), u32::from_str_radix(high, 16)) {
        (Ok(low), Ok(high)) if low <= high => Ok((low, high)),
        _ => Err(Error::new(ErrorKind::InvalidConfig, format!("characters: `{text}` is no code point"))),
    }
}

impl Characters {
    /// The shipped classes.
    pub(crate) fn load() -> Result<Self, Error> {
        let file: File = json::from_slice(FILE.as_bytes(), FILE.len())?;
        let mut classes: Vec<(char, Class)> = Vec::new();
        classes.extend(file.separators.chars().map(|c| (c, Class::Separator)));
        classes.extend(file.question_marks.chars().map(|c| (c, Class::Question)));
        for (open, close) in &file.quotes {
            classes.extend([(*open, Class::Quote), (*close, Class::Quote)]);
        }
        // What opens code, a block quote or a marker is looked at by `mask`, like quotation marks.
        classes.extend(['`', '>', '['].map(|c| (c, Class::Quote)));
        classes.sort_unstable_by_key(|(c, _)| *c);
        classes.dedup_by_key(|(c, _)| *c);
        let mut ascii = [Class::Ordinary; 128];
        for (index, class) in ascii.iter_mut().enumerate() {
            if u8::try_from(index).is_ok_and(|byte| byte.is_ascii_whitespace()) {
                *class = Class::Blank;
            }
        }
        for (c, class) in &classes {
            if let Some(place) = ascii.get_mut(*c as usize) {
                *place = *class;
            }
        }
        let mut simplified = vec![0; (IDEOGRAPHS.end() - IDEOGRAPHS.start() + 1) as usize];
        let pairs: Vec<char> = file.traditional.chars().collect();
        for pair in pairs.chunks_exact(2) {
            let [from, to] = pair else { continue };
            let (Some(place), Ok(to)) = (
                simplified.get_mut((*from as usize).saturating_sub(*IDEOGRAPHS.start() as usize)),
                u16::try_from(*to as u32),
            ) else {
                let message = format!("characters: `{from}` is outside the ideographs");
                return Err(Error::new(ErrorKind::InvalidConfig, message));
            };
            *place = to;
        }
        Ok(Self {
            ascii,
            others: classes.into_iter().filter(|(c, _)| !c.is_ascii()).collect(),
            ignored: file.ignored.iter().map(|text| range(text)).collect::<Result<_, _>>()?,
            simplified,
            glue: ascii_set(&file.glue),
            prefixes: ascii_set(&file.prefixes),
            apostrophes: file.apostrophes.chars().collect(),
            quotes: file.quotes,
            markers: file.markers,
        })
    }

    /// The class of a folded character.
    #[inline]
    pub(crate) fn class(&self, c: char) -> Class {
        if let Some(class) = self.ascii.get(c as usize) {
            return *class;
        }
        if IDEOGRAPHS.contains(&(c as u32)) {
            return Class::Ordinary;
        }
        if let Ok(index) = self.others.binary_search_by_key(&c, |(other, _)| *other) {
            return self.others.get(index).map_or(Class::Ordinary, |(_, class)| *class);
        }
        if self.is_ignored(c) {
            return Class::Ignored;
        }
        if c.is_whitespace() { Class::Blank } else { Class::Ordinary }
    }

    pub(crate) fn ascii_class(&self, byte: u8) -> Class {
        self.ascii.get(byte as usize).copied().unwrap_or(Class::Ordinary)
    }

    fn is_ignored(&self, c: char) -> bool {
        self.ignored.iter().any(|(low, high)| (*low..=*high).contains(&(c as u32)))
    }

    pub(crate) fn is_apostrophe(&self, c: char) -> bool {
        self.apostrophes.contains(&c)
    }

    /// The simplified form of a Traditional character that occurs in the lexicon.
    #[inline]
    pub(crate) fn simplified(&self, c: char) -> Option<char> {
        let index = (c as usize).checked_sub(*IDEOGRAPHS.start() as usize)?;
        match self.simplified.get(index) {
            None | Some(0) => None,
            Some(simple) => char::from_u32(u32::from(*simple)),
        }
    }

    /// Joins its two neighbours into one word.
    pub(crate) fn is_glue(&self, c: char) -> bool {
        self.glue.get(c as usize).copied().unwrap_or(false)
    }

    /// Makes what follows something else than a word.
    pub(crate) fn is_prefix(&self, c: char) -> bool {
        self.prefixes.get(c as usize).copied().unwrap_or(false)
    }
}

/// Whether words of this character's script are written without blanks.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(c as u32, 0x2e80..=0x2fdf | 0x3005..=0x3007 | 0x3040..=0x30ff | 0x3400..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}
