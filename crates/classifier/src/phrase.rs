//! Phrases: sequences of words that mean one thing, written in sets of words.
//!
//! All phrases together are one automaton over words. Its places are the places of the patterns;
//! phrases that begin with the same elements share them, so that a word which opens twenty phrases is
//! followed once. Where words overlap, every way through them is followed at the same time.

use crate::lexicon;
use crate::scan::Token;
use crate::word::{Bits, Role, Word};
use plan_gate_core::{Error, ErrorKind};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// How deep parts may stand in parts.
const DEPTH: usize = 4;
/// Most places of all phrases together.
pub(crate) const PLACES: usize = 4096;

/// What a phrase is to the rules.
#[derive(Debug)]
pub(crate) struct Phrase {
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) flags: u8,
}

/// A place in a pattern: a word of this set may stand here.
#[derive(Debug, Default)]
struct Place {
    set: usize,
    /// The phrase that may end here.
    ends: Option<u16>,
    follow: Vec<u16>,
}

/// All phrases, compiled.
#[derive(Debug, Default)]
pub(crate) struct Grammar {
    pub(crate) phrases: Vec<Phrase>,
    places: Vec<Place>,
    first: Vec<u16>,
    /// For every word, the places at which it can begin a phrase.
    begins: Vec<u16>,
}

/// The names a pattern may use.
pub(crate) struct Names<'a> {
    pub(crate) language: &'a str,
    /// Set name to bit; in-place alternatives (`=a|b`) have a set of their own under their text.
    pub(crate) sets: &'a BTreeMap<String, usize>,
    pub(crate) parts: &'a BTreeMap<String, Vec<Vec<String>>>,
}

/// A piece of a pattern while it is compiled: where it may begin and end, and whether it may be empty.
#[derive(Clone, Default)]
struct Piece {
    first: Vec<u16>,
    last: Vec<u16>,
    nullable: bool,
}

/// Patterns by their elements, so that equal beginnings are one.
#[derive(Default)]
struct Tree {
    branches: Vec<(String, Tree)>,
    phrase: Option<u16>,
}

fn fault(names: &Names<'_>, what: &str) -> Error {
    Error::new(ErrorKind::InvalidConfig, format!("lexicon `{}`: {what}", names.language))
}

impl Grammar {
    /// Adds the phrases of one language; the flags of each are given.
    ///
    /// # Errors
    ///
    /// A set or part that does not exist, a pattern that can be empty or is another phrase's, too many
    /// places.
    pub(crate) fn add(&mut self, phrases: &[(&lexicon::Phrase, u8)], names: &Names<'_>) -> Result<(), Error> {
        let mut tree = Tree::default();
        for (phrase, flags) in phrases {
            let index =
                u16::try_from(self.phrases.len()).map_err(|_| fault(names, "has too many phrases"))?;
            let mut node = &mut tree;
            for element in &phrase.pattern {
                node = node.branch(element);
            }
            if node.phrase.replace(index).is_some() {
                return Err(fault(names, &format!("phrase `{}` has another one's pattern", phrase.name)));
            }
            self.phrases.push(Phrase { name: phrase.name.clone(), role: phrase.role, flags: *flags });
        }
        let start = Piece { nullable: true, ..Piece::default() };
        self.compile(&tree, &start, names)
    }

    /// Compiles what follows `before`; `before.nullable` says that nothing need have come before.
    fn compile(&mut self, tree: &Tree, before: &Piece, names: &Names<'_>) -> Result<(), Error> {
        if let Some(phrase) = tree.phrase {
            if before.nullable {
                let name = self.phrases.get(phrase as usize).map_or("", |phrase| phrase.name.as_str());
                return Err(fault(names, &format!("phrase `{name}` can be empty")));
            }
            for place in &before.last {
                if let Some(place) = self.places.get_mut(*place as usize) {
                    place.ends = Some(place.ends.map_or(phrase, |other| other.min(phrase)));
                }
            }
        }
        for (element, rest) in &tree.branches {
            let next = self.element(element, names, 0)?;
            self.link(&before.last, &next.first);
            let mut last = next.last.clone();
            if next.nullable {
                last.extend(&before.last);
            }
            if before.nullable {
                self.first.extend(&next.first);
            }
            let piece = Piece { first: Vec::new(), last, nullable: before.nullable && next.nullable };
            self.compile(rest, &piece, names)?;
        }
        Ok(())
    }

    fn sequence(&mut self, pattern: &[String], names: &Names<'_>, depth: usize) -> Result<Piece, Error> {
        let mut whole = Piece { nullable: true, ..Piece::default() };
        for element in pattern {
            let next = self.element(element, names, depth)?;
            self.link(&whole.last, &next.first);
            if whole.nullable {
                whole.first.extend(&next.first);
            }
            if !next.nullable {
                whole.last.clear();
            }
            whole.last.extend(&next.last);
            whole.nullable &= next.nullable;
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
            self.link(&piece.last, &piece.first);
        }
        piece.nullable |= optional;
        Ok(piece)
    }

    fn part(&mut self, name: &str, names: &Names<'_>, depth: usize) -> Result<Piece, Error> {
        let Some(alternatives) = names.parts.get(name).filter(|_| depth < DEPTH) else {
            return Err(fault(names, &format!("the part `{name}` is unknown or too deep")));
        };
        let mut whole = Piece::default();
        for alternative in alternatives {
            let next = self.sequence(alternative, names, depth + 1)?;
            whole.first.extend(&next.first);
            whole.last.extend(&next.last);
            whole.nullable |= next.nullable;
        }
        Ok(whole)
    }

    fn place(&mut self, set: &str, names: &Names<'_>) -> Result<Piece, Error> {
        let Some(bit) = names.sets.get(set) else {
            return Err(fault(names, &format!("the set `{set}` is unknown")));
        };
        if self.places.len() == PLACES {
            return Err(fault(names, &format!("the phrases have more than {PLACES} places")));
        }
        let place = self.places.len() as u16;
        self.places.push(Place { set: *bit, ..Place::default() });
        Ok(Piece { first: vec![place], last: vec![place], nullable: false })
    }

    fn link(&mut self, from: &[u16], to: &[u16]) {
        for place in from {
            if let Some(place) = self.places.get_mut(*place as usize) {
                place.follow.extend(to);
                place.follow.sort_unstable();
                place.follow.dedup();
            }
        }
    }

    /// Notes the places at which a word of these sets can begin a phrase; where they are kept.
    pub(crate) fn note_begins(&mut self, word: &Bits) -> (u32, u32) {
        let from = self.begins.len() as u32;
        let fits = |place: &u16| self.places.get(*place as usize).is_some_and(|place| word.has(place.set));
        let mut begins: Vec<u16> = self.first.iter().copied().filter(fits).collect();
        begins.sort_unstable();
        begins.dedup();
        self.begins.extend(begins);
        (from, self.begins.len() as u32)
    }

    /// The longest phrase that begins where the first of these words does, and where it ends.
    pub(crate) fn longest(&self, words: &[Word], text: &str, tokens: &[Token]) -> Option<(u32, u16)> {
        let start = tokens.first()?.start;
        let mut best: Option<(u32, u16)> = None;
        let mut reached: SmallVec<[Front; 4]> = SmallVec::new();
        let here = tokens.iter().take_while(|token| token.start == start);
        for token in here {
            let Some(word) = words.get(token.word as usize) else { continue };
            let begins = self.begins.get(word.begins.0 as usize..word.begins.1 as usize).unwrap_or(&[]);
            self.take(begins.iter().copied(), token.end, &mut reached, &mut best);
        }
        let mut rest = tokens;
        // The leftmost place first, so that whatever reaches a place has done so before it is left.
        while let Some(at) = (0..reached.len()).min_by_key(|at| reached.get(*at).map(|front| front.end)) {
            let front = reached.swap_remove(at);
            let behind = text.as_bytes().get(front.end as usize..).unwrap_or(&[]);
            let blanks = behind.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            let next = front.end + blanks as u32;
            let skipped = rest.iter().take_while(|token| token.start < next).count();
            rest = rest.get(skipped..).unwrap_or(&[]);
            for token in rest.iter().take_while(|token| token.start == next) {
                let Some(word) = words.get(token.word as usize) else { continue };
                if word.sets == Bits::NONE {
                    continue;
                }
                let fits = |place: &u16| {
                    self.places.get(*place as usize).is_some_and(|place| word.sets.has(place.set))
                };
                let taken = front.places.iter().copied().filter(fits);
                self.take(taken, token.end, &mut reached, &mut best);
            }
        }
        best
    }

    /// Moves on behind a word that fits these places and ends at `end`.
    fn take(
        &self,
        taken: impl Iterator<Item = u16>,
        end: u32,
        reached: &mut SmallVec<[Front; 4]>,
        best: &mut Option<(u32, u16)>,
    ) {
        let mut at = None;
        for place in taken.filter_map(|place| self.places.get(place as usize)) {
            if let Some(phrase) = place.ends
                && best.is_none_or(|(far, other)| end > far || end == far && phrase < other)
            {
                *best = Some((end, phrase));
            }
            if place.follow.is_empty() {
                continue;
            }
            let index = *at.get_or_insert_with(|| {
                reached.iter().position(|front| front.end == end).unwrap_or_else(|| {
                    reached.push(Front { end, places: SmallVec::new() });
                    reached.len() - 1
                })
            });
            if let Some(front) = reached.get_mut(index) {
                front.add(&place.follow);
            }
        }
    }
}

/// The places that may come next behind some place in the text; sorted.
struct Front {
    end: u32,
    places: SmallVec<[u16; 64]>,
}

impl Front {
    fn add(&mut self, more: &[u16]) {
        for place in more {
            if let Err(at) = self.places.binary_search(place) {
                self.places.insert(at, *place);
            }
        }
    }
}

impl Tree {
    fn branch(&mut self, element: &str) -> &mut Self {
        let at = self.branches.iter().position(|(other, _)| other == element).unwrap_or_else(|| {
            self.branches.push((element.to_owned(), Self::default()));
            self.branches.len() - 1
        });
        // The index was found or made just now.
        #[allow(clippy::indexing_slicing, reason = "`get_mut` would need a value to fall back to")]
        &mut self.branches[at].1
    }
}
