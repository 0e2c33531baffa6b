//! Phrases: sequences of words that mean one thing, written in sets of words and compiled to automata
//! over words (one bit for each place in the pattern, so that a step is a few machine words).

use crate::lexicon;
use crate::word::{Bits, Role};
use plan_gate_core::{Error, ErrorKind};
use std::collections::BTreeMap;

/// Most places of one pattern, parts included.
const PLACES: usize = 64;
/// How deep parts may stand in parts.
const DEPTH: usize = 4;

/// A compiled phrase.
#[derive(Debug)]
pub(crate) struct Phrase {
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) flags: u8,
    /// The set at each place.
    sets: Vec<usize>,
    /// Which places may follow each place.
    follow: Vec<u64>,
    first: u64,
    last: u64,
}

/// The names a pattern may use.
pub(crate) struct Names<'a> {
    pub(crate) language: &'a str,
    /// Set name to bit; in-place alternatives (`=a|b`) have a set of their own under their text.
    pub(crate) sets: &'a BTreeMap<String, usize>,
    pub(crate) parts: &'a BTreeMap<String, Vec<Vec<String>>>,
}

/// A piece of a pattern while it is compiled.
#[derive(Clone, Copy)]
struct Piece {
    first: u64,
    last: u64,
    nullable: bool,
}

const NOTHING: Piece = Piece { first: 0, last: 0, nullable: true };

impl Phrase {
    /// Compiles a phrase of the lexicon.
    ///
    /// # Errors
    ///
    /// A set or part that does not exist, a pattern that is too large or can be empty.
    pub(crate) fn compile(phrase: &lexicon::Phrase, flags: u8, names: &Names<'_>) -> Result<Self, Error> {
        let mut compiled = Self {
            name: phrase.name.clone(),
            role: phrase.role,
            flags,
            sets: Vec::new(),
            follow: Vec::new(),
            first: 0,
            last: 0,
        };
        let whole = compiled.sequence(&phrase.pattern, names, 0)?;
        if whole.nullable {
            return Err(compiled.fault(names, "can be empty"));
        }
        compiled.first = whole.first;
        compiled.last = whole.last;
        Ok(compiled)
    }

    fn fault(&self, names: &Names<'_>, what: &str) -> Error {
        let message = format!("lexicon `{}`: phrase `{}` {what}", names.language, self.name);
        Error::new(ErrorKind::InvalidConfig, message)
    }

    fn sequence(&mut self, pattern: &[String], names: &Names<'_>, depth: usize) -> Result<Piece, Error> {
        let mut whole = NOTHING;
        for element in pattern {
            let next = self.element(element, names, depth)?;
            self.link(whole.last, next.first);
            whole = Piece {
                first: whole.first | if whole.nullable { next.first } else { 0 },
                last: next.last | if next.nullable { whole.last } else { 0 },
                nullable: whole.nullable && next.nullable,
            };
        }
        Ok(whole)
    }

    fn element(&mut self, element: &str, names: &Names<'_>, depth: usize) -> Result<Piece, Error> {
        let (name, optional, many) = match (element.strip_suffix('?'), element.strip_suffix('*')) {
            (Some(name), _) => (name, true, false),
            (None, Some(name)) => (name, true, true),
            (None, None) => (element, false, false),
        };
        let mut piece = match name.strip_prefix('<').and_then(|name| name.strip_suffix('>')) {
            Some(part) => self.part(part, names, depth)?,
            None => self.place(name, names)?,
        };
        if many {
            self.link(piece.last, piece.first);
        }
        piece.nullable |= optional;
        Ok(piece)
    }

    fn part(&mut self, name: &str, names: &Names<'_>, depth: usize) -> Result<Piece, Error> {
        let Some(alternatives) = names.parts.get(name).filter(|_| depth < DEPTH) else {
            return Err(self.fault(names, &format!("names the part `{name}`, which is unknown or too deep")));
        };
        let mut whole = Piece { first: 0, last: 0, nullable: false };
        for alternative in alternatives {
            let next = self.sequence(alternative, names, depth + 1)?;
            whole.first |= next.first;
            whole.last |= next.last;
            whole.nullable |= next.nullable;
        }
        Ok(whole)
    }

    fn place(&mut self, set: &str, names: &Names<'_>) -> Result<Piece, Error> {
        let Some(bit) = names.sets.get(set) else {
            return Err(self.fault(names, &format!("names the set `{set}`, which is unknown")));
        };
        if self.sets.len() == PLACES {
            return Err(self.fault(names, &format!("has more than {PLACES} places")));
        }
        let place = 1 << self.sets.len();
        self.sets.push(*bit);
        self.follow.push(0);
        Ok(Piece { first: place, last: place, nullable: false })
    }

    fn link(&mut self, from: u64, to: u64) {
        for (index, follow) in self.follow.iter_mut().enumerate() {
            if from >> index & 1 == 1 {
                *follow |= to;
            }
        }
    }

    /// The places of `candidates` whose set the word is in.
    fn taken(&self, candidates: u64, word: &Bits) -> u64 {
        let mut taken = 0;
        let mut rest = candidates;
        while rest != 0 {
            let index = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if self.sets.get(index).is_some_and(|set| word.has(*set)) {
                taken |= 1 << index;
            }
        }
        taken
    }

    /// Whether the phrase may begin with this word.
    pub(crate) fn opens_with(&self, word: &Bits) -> bool {
        self.taken(self.first, word) != 0
    }

    /// The places a phrase can begin at.
    pub(crate) fn beginning(&self) -> u64 {
        self.first
    }

    /// Takes one more word: the places that may follow, and whether the phrase may end with it.
    pub(crate) fn step(&self, candidates: u64, word: &Bits) -> Option<(u64, bool)> {
        let taken = self.taken(candidates, word);
        let mut next = 0;
        let mut rest = taken;
        while rest != 0 {
            next |= self.follow.get(rest.trailing_zeros() as usize).copied().unwrap_or(0);
            rest &= rest - 1;
        }
        (taken != 0).then_some((next, taken & self.last != 0))
    }
}
