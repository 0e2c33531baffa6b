//! The classifier itself.

use crate::approval_words;
use crate::fold::{self, Room};
use crate::items::{Items, State};
use crate::judge::{self, Judgement};
use crate::mask::{self, Masked};
use crate::scan;
use crate::table::Table;
use plan_gate_core::{Error, ErrorKind, Language, OtherWhy, ReplyKind};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// How a message was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading<'t> {
    /// Approval, amendment or neither.
    pub kind: ReplyKind,
    /// Why it is neither; set exactly then.
    pub why: Option<OtherWhy>,
    /// The user's remaining words, verbatim; set for an amendment.
    pub note: Option<&'t str>,
    /// The rule that decided.
    pub rule: &'static str,
    /// The language it is written in, if there are letters in it: Chinese when Chinese characters
    /// dominate its first 4 KiB, else English.
    pub language: Option<Language>,
}

/// How much of a message is looked at to tell its language, in bytes.
const LANGUAGE_BYTES: usize = 4096;
/// Messages up to this many bytes are looked up whole before they are taken apart.
const EXACT_BYTES: usize = 32;
/// Misspelt words are looked for in messages up to this many bytes.
const MEND_BYTES: usize = 512;

/// Reads replies. Compiled once per configuration (some tens of milliseconds), then shared by every session:
/// it is `Send + Sync` and never changes.
///
/// ```
/// use plan_gate_classifier::Classifier;
/// use plan_gate_core::ReplyKind;
///
/// let classifier = Classifier::new(&[])?;
/// assert_eq!(classifier.classify("好的，开始吧").kind, ReplyKind::Approve);
/// assert_eq!(classifier.classify("ok, but skip the tests").note, Some("but skip the tests"));
/// assert_eq!(classifier.classify("is it safe").kind, ReplyKind::Other);
/// # Ok::<(), plan_gate_core::Error>(())
/// ```
pub struct Classifier {
    table: Table,
    /// Whole messages whose verdict is known.
    exact: HashMap<Box<str>, (Judgement, Option<Language>), BuildHasherDefault<Fnv>>,
}

impl std::fmt::Debug for Classifier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Classifier").field("words", &self.table.words.len()).finish_non_exhaustive()
    }
}

/// FNV-1a: the keys are ours and short.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Everything known about a message once it is read, with places in `text`.
pub(crate) struct Read<'a> {
    pub(crate) judgement: Judgement,
    /// The folded text, quotations taken out.
    pub(crate) text: std::borrow::Cow<'a, str>,
    pub(crate) aligned: bool,
}

impl Classifier {
    /// Compiles the shipped word lists and these extra approval words.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidConfig`]: an extra word that is empty, too much, a negator, a question or a
    /// particle alone; the message names `approvalWords[i]` and says why.
    pub fn new(approval_words: &[String]) -> Result<Self, Error> {
        let base = Self { table: Table::build(&[])?, exact: HashMap::default() };
        let classifier = if approval_words.is_empty() {
            base
        } else {
            let words = approval_words::check(&base, approval_words)?;
            Self { table: Table::build(&words)?, exact: HashMap::default() }
        };
        Ok(classifier.with_exact())
    }

    /// Fills the table of whole messages with the verdicts the rules give, so that it can never say
    /// anything else than they do.
    fn with_exact(mut self) -> Self {
        let words: Vec<String> = self
            .table
            .automaton
            .iter()
            .map(|(word, _)| word)
            .filter(|word| word.len() <= EXACT_BYTES)
            .collect();
        for word in words {
            let Reading { kind, why, note, rule, language } = self.classify(&word);
            if note.is_none() {
                let judgement = Judgement { kind, why, note: None, rule };
                self.exact.insert(word.into_boxed_str(), (judgement, language));
            }
        }
        self
    }

    /// Reads a message.
    pub fn classify<'t>(&self, text: &'t str) -> Reading<'t> {
        let trimmed = trim(text);
        if let Some(reading) = self.known(trimmed) {
            return reading;
        }
        let mut room = Room::new();
        let mut items = Items::new();
        let read = self.read(trimmed, &mut room, &mut items);
        let Judgement { kind, why, note, rule } = read.judgement;
        let note = note.and_then(|(start, end)| {
            let start = self.original(trimmed, &read, start, false);
            trimmed.get(start..self.original(trimmed, &read, end, true))
        });
        Reading { kind, why, note, rule, language: language(trimmed) }
    }

    /// Looks a short message up whole: as it stands, or in lower case and without the full stop or
    /// exclamation mark behind it.
    fn known<'t>(&self, trimmed: &str) -> Option<Reading<'t>> {
        if trimmed.len() > EXACT_BYTES {
            return None;
        }
        let found = |text: &str| {
            let (Judgement { kind, why, rule, .. }, language) = *self.exact.get(text)?;
            Some(Reading { kind, why, note: None, rule, language })
        };
        if let Some(reading) = found(trimmed) {
            return Some(reading);
        }
        let mut bytes = [0; EXACT_BYTES];
        let bare =
            ['.', '!', '。', '！'].iter().find_map(|mark| trimmed.strip_suffix(*mark)).unwrap_or(trimmed);
        let text = if bare.bytes().any(|byte| byte.is_ascii_uppercase()) {
            let place = bytes.get_mut(..bare.len())?;
            place.copy_from_slice(bare.as_bytes());
            place.make_ascii_lowercase();
            std::str::from_utf8(place).ok()?
        } else {
            bare
        };
        found(text)
    }

    /// Reads a message that may not be text.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidUtf8`]: it is not UTF-8; the message says where.
    pub fn classify_bytes<'t>(&self, bytes: &'t [u8]) -> Result<Reading<'t>, Error> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(self.classify(text)),
            Err(error) => {
                let message = format!("the reply is not UTF-8 from byte {} on", error.valid_up_to());
                Err(Error::new(ErrorKind::InvalidUtf8, message))
            }
        }
    }

    /// Whether the whole message does no more than acknowledge (ok, 好的).
    pub fn merely_acknowledges(&self, text: &str) -> bool {
        let mut room = Room::new();
        let mut items = Items::new();
        let read = self.read(trim(text), &mut room, &mut items);
        read.judgement.kind == ReplyKind::Approve
            && items
                .iter()
                .all(|item| item.state == State::Stripped || item.flags & crate::word::ACKNOWLEDGES != 0)
    }

    /// Counts the words the automaton finds, and does nothing else: what benches compare with.
    #[doc(hidden)]
    pub fn bare_pass(&self, text: &str) -> usize {
        self.table.automaton.find_overlapping_iter(text).count()
    }

    /// Where in `text` a place of the folded text is.
    pub(crate) fn original(&self, text: &str, read: &Read<'_>, place: usize, end: bool) -> usize {
        if read.aligned { place } else { fold::original(&self.table.characters, text, place, end) }
    }

    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// Reads a trimmed message, folding it into `room` if need be; leaves in `items` what it is made of.
    pub(crate) fn read<'a>(&self, trimmed: &'a str, room: &'a mut Room, items: &mut Items) -> Read<'a> {
        let table = &self.table;
        if u32::try_from(trimmed.len()).is_err() {
            // No message is that long; nothing is read rather than half of it.
            let judgement = Judgement::other(OtherWhy::Unreadable, "too-long");
            return Read { judgement, text: "".into(), aligned: true };
        }
        let folded = fold::fold(&table.characters, trimmed, room);
        let mut text = folded.text;
        let mut masked = Masked::default();
        let mut plain = None;
        if folded.has_quotes
            && let Some((without, what)) = mask::mask(&table.characters, &text)
        {
            plain = Some(std::mem::replace(&mut text, without.into()));
            masked = what;
        }
        let tokens = scan::scan(table, &text);
        let mut judgement = judge::judge(table, &text, &tokens, folded.has_question_mark, items);
        if text.len() <= MEND_BYTES
            && items.iter().any(|item| item.unknown)
            && let Some(tokens) = scan::mend(table, &text, &tokens)
        {
            judgement = judge::judge(table, &text, &tokens, folded.has_question_mark, items);
        }
        match judgement.why {
            Some(OtherWhy::Empty) if masked.interrupted => {
                judgement = Judgement::other(OtherWhy::Interrupted, "interrupted");
            }
            Some(OtherWhy::NoApproval) if masked.quoted => {
                let inside = plain.is_some_and(|plain| self.has_approval(&plain));
                if inside {
                    judgement = Judgement::other(OtherWhy::Quoted, "quoted");
                }
            }
            _ => {}
        }
        Read { judgement, text, aligned: folded.aligned }
    }

    fn has_approval(&self, text: &str) -> bool {
        scan::scan(&self.table, text).iter().any(|token| self.table.word(*token).role.approves())
    }
}

/// Blanks and what cannot be seen carry nothing at the ends of a message.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
    })
}

/// The language a message is written in, told from the first bytes of its characters.
fn language(text: &str) -> Option<Language> {
    let (mut han, mut letters) = (0_usize, 0_usize);
    let bytes = text.as_bytes().get(..LANGUAGE_BYTES).unwrap_or(text.as_bytes());
    for byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => letters += 1,
            // U+4000 to U+9FFF: Chinese characters, but for a handful at the beginning.
            0xe4..=0xe9 => han += 1,
            // Latin, Cyrillic, Arabic, Indic, Hangul and other letters; U+3000 and U+F000 on are left
            // out, since they are punctuation more often than not.
            0xc3..=0xe1 | 0xea..=0xed => letters += 1,
            _ => {}
        }
    }
    // A Chinese character carries about as much as two letters.
    match (han, letters) {
        (0, 0) => None,
        _ if 2 * han >= letters => Some(Language::Zh),
        _ => Some(Language::En),
    }
}
