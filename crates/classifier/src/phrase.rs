//! Phrases: sequences of words that mean one thing, written in sets of words.
//!
//! The patterns are compiled to places (a word of this set may stand here, then one of those places
//! follows); phrases that begin with the same elements share them. All phrases together then become one
//! deterministic automaton over classes of words, [`Grammar`], so that following them costs one look-up
//! a word. Where words overlap, every way through them is followed.

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

/// Phrases while they are compiled.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    phrases: Vec<Phrase>,
    places: Vec<Place>,
    first: Vec<u16>,
}

/// All phrases, compiled.
#[derive(Debug, Default)]
pub(crate) struct Grammar {
    pub(crate) phrases: Vec<Phrase>,
    /// For each state, where its edges are: from, to.
    states: Vec<(u32, u32)>,
    /// Sorted by class within a state.
    edges: Vec<Edge>,
    /// The edges of the first state, by class: most words are tried there.
    begins: Vec<Option<Edge>>,
}

/// What a word of some class leads to.
#[derive(Debug, Clone, Copy)]
struct Edge {
    class: u16,
    next: u16,
    /// The phrase that may end with this word.
    ends: Option<u16>,
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

impl Patterns {
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

    /// Makes one automaton of all phrases, over the classes of words: words that are in the same sets.
    pub(crate) fn finish(self, classes: &[Bits]) -> Result<Grammar, Error> {
        let mut by_set: Vec<Vec<u16>> = vec![Vec::new(); Bits::CAPACITY];
        for (class, sets) in (0_u16..).zip(classes) {
            for (set, list) in by_set.iter_mut().enumerate() {
                if sets.has(set) {
                    list.push(class);
                }
            }
        }
        let mut first = self.first.clone();
        first.sort_unstable();
        first.dedup();
        let mut numbers: BTreeMap<Vec<u16>, u16> = BTreeMap::from([(first.clone(), 0)]);
        let mut waiting = std::collections::VecDeque::from([first]);
        let (mut states, mut edges): (Vec<(u32, u32)>, Vec<Edge>) = (Vec::new(), Vec::new());
        while let Some(state) = waiting.pop_front() {
            let from = edges.len() as u32;
            for (class, taken) in self.moves(&state, &by_set) {
                let ends = taken.iter().filter_map(|place| place.ends).min();
                let mut next: Vec<u16> = taken.iter().flat_map(|place| &place.follow).copied().collect();
                next.sort_unstable();
                next.dedup();
                let number = match numbers.get(&next) {
                    Some(number) => *number,
                    None => {
                        let number = u16::try_from(numbers.len()).map_err(|_| {
                            Error::new(ErrorKind::InvalidConfig, "lexicon: the phrases have too many states")
                        })?;
                        numbers.insert(next.clone(), number);
                        waiting.push_back(next);
                        number
                    }
                };
                edges.push(Edge { class, next: number, ends });
            }
            states.push((from, edges.len() as u32));
        }
        let mut begins = vec![None; classes.len()];
        let (from, to) = states.first().copied().unwrap_or_default();
        for edge in edges.get(from as usize..to as usize).unwrap_or(&[]) {
            if let Some(place) = begins.get_mut(edge.class as usize) {
                *place = Some(*edge);
            }
        }
        Ok(Grammar { phrases: self.phrases, states, edges, begins })
    }

    /// Which of these places each class of words fits.
    fn moves(&self, state: &[u16], by_set: &[Vec<u16>]) -> BTreeMap<u16, Vec<&Place>> {
        let mut moves: BTreeMap<u16, Vec<&Place>> = BTreeMap::new();
        for place in state.iter().filter_map(|place| self.places.get(*place as usize)) {
            for class in by_set.get(place.set).into_iter().flatten() {
                moves.entry(*class).or_default().push(place);
            }
        }
        moves
    }
}

/// Ways through overlapping words that are followed at one time; more than there ever are.
const WAYS: usize = 16;

impl Grammar {
    /// The longest phrase that begins where the first of these words does: where it ends, and which.
    pub(crate) fn longest(&self, words: &[Word], text: &str, tokens: &[Token]) -> Option<(u32, u16)> {
        let mut next = tokens.first()?.start;
        let mut best: Option<(u32, u16)> = None;
        // Where the ways have come to, and the state there.
        let mut ways: SmallVec<[(u32, u16); WAYS]> = SmallVec::new();
        let mut state = 0;
        let mut rest = tokens;
        loop {
            for token in rest.iter().take_while(|token| token.start == next) {
                let class = words.get(token.word as usize).map_or(0, |word| word.class);
                let Some(edge) = self.edge(state, class) else { continue };
                if let Some(phrase) = edge.ends
                    && best.is_none_or(|(end, other)| token.end > end || token.end == end && phrase < other)
                {
                    best = Some((token.end, phrase));
                }
                let way = (token.end, edge.next);
                if ways.len() < WAYS && !ways.contains(&way) {
                    ways.push(way);
                }
            }
            // The leftmost first, so that no word is passed over.
            let Some(at) = (0..ways.len()).min_by_key(|at| ways.get(*at)) else { return best };
            let end;
            (end, state) = ways.swap_remove(at);
            let behind = text.as_bytes().get(end as usize..).unwrap_or(&[]);
            next = end + behind.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count() as u32;
            let passed = rest.iter().take_while(|token| token.start < next).count();
            rest = rest.get(passed..).unwrap_or(&[]);
        }
    }

    fn edge(&self, state: u16, class: u16) -> Option<Edge> {
        if state == 0 || class == NO_CLASS {
            return self.begins.get(class as usize).copied().flatten();
        }
        let (from, to) = *self.states.get(state as usize)?;
        let edges = self.edges.get(from as usize..to as usize)?;
        let at = edges.binary_search_by_key(&class, |edge| edge.class).ok()?;
        edges.get(at).copied()
    }
}

/// The class of words that are in no set.
pub(crate) const NO_CLASS: u16 = 0;

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
