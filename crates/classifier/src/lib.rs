//! Reads a user's reply: approval, amendment, or neither. Rules and word lists, no model.
//!
//! You want this crate only through the facade `plan-gate`. One function matters:
//! [`Classifier::classify`], text in, [`Reading`] out, deterministic. A reply is an approval only when
//! every character of it is accounted for: at least one expression of approval, and nothing else but
//! what is known to carry no content of its own (politeness, particles, punctuation, friendly emoji).
//! Whatever is not known is content, and a yes with content is an amendment. So a word that is missing
//! costs one more round, and a word that is wrong is the only way to a false approval; that is why
//! words are data and bring their own counter-examples (`data/lexicon`, see the crate's README).
//!
//! How a message passes through, and where:
//! 1. `fold`: case, width and compatibility forms, Traditional characters; borrowed when
//!    there is nothing to do.
//! 2. `mask`: quotations, code and what a harness inserted are taken out.
//! 3. `scan`: one pass of one automaton finds every known word; the longest leftmost ones stay.
//! 4. `phrase`: sequences of words that mean one thing ("sounds good to me", 按你说的做).
//! 5. `items`, `settle`, `judge`: what the message is made of, what each piece counts for where it
//!    stands, and the rules, in order.

mod approval_words;
mod characters;
mod explain;
mod fold;
mod items;
mod judge;
mod lexicon;
mod mask;
mod near;
mod phrase;
mod reading;
mod scan;
mod settle;
mod table;
mod word;

pub use explain::{Explanation, Span, SpanKind};
pub use lexicon::{Lookalikes, lookalikes};
pub use reading::{Classifier, Reading};
