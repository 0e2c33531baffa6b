//! A strict walk over JSON: no duplicate key at any depth, no nesting past the limit.

use super::Refusal;
use plan_gate_core::Reason;
use plan_gate_core::limits::MAX_JSON_DEPTH;
use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

/// Keys that are compared one by one before a set is made of them.
const FEW_KEYS: usize = 16;

/// Calls `each` with every field of a JSON object, in order.
///
/// The value is JSON as far as its own first level: [`check`] must look into objects and arrays that
/// are not read further.
///
/// # Errors
///
/// Text that is not JSON, not an object, or repeats a key; and what `each` refuses.
pub(crate) fn fields<'a>(
    text: &'a str,
    each: &mut dyn FnMut(Cow<'a, str>, &'a RawValue) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let mut refusal = None;
    let mut reader = serde_json::Deserializer::from_str(text);
    let walk = Fields { each, refusal: &mut refusal };
    let read = serde::Deserializer::deserialize_map(&mut reader, walk).and_then(|()| reader.end());
    match (refusal, read) {
        (Some(refusal), _) => Err(refusal),
        (None, Ok(())) => Ok(()),
        (None, Err(error)) => Err(Refusal::new(Reason::ArgumentsNotObject, error.to_string())),
    }
}

struct Fields<'f, 'a> {
    each: &'f mut dyn FnMut(Cow<'a, str>, &'a RawValue) -> Result<(), Refusal>,
    refusal: &'f mut Option<Refusal>,
}

impl<'a> Visitor<'a> for Fields<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut entries: A) -> Result<(), A::Error> {
        let mut keys = Keys::default();
        while let Some(Key(key)) = entries.next_key()? {
            if !keys.insert(key.clone()) {
                *self.refusal = Some(duplicate(&key));
                return Err(A::Error::custom("duplicate key"));
            }
            let value = entries.next_value()?;
            if let Err(refusal) = (self.each)(key, value) {
                *self.refusal = Some(refusal);
                return Err(A::Error::custom("refused"));
            }
        }
        Ok(())
    }
}

fn duplicate(key: &str) -> Refusal {
    Refusal::new(Reason::DuplicateKey, key)
}

/// The keys of one object so far.
#[derive(Default)]
struct Keys<'a> {
    few: SmallVec<[Cow<'a, str>; FEW_KEYS]>,
    many: BTreeSet<Cow<'a, str>>,
}

impl<'a> Keys<'a> {
    /// Whether the key is new.
    fn insert(&mut self, key: Cow<'a, str>) -> bool {
        if self.few.contains(&key) || self.many.contains(&key) {
            return false;
        }
        if self.few.len() < FEW_KEYS {
            self.few.push(key);
        } else {
            self.many.insert(key);
        }
        true
    }
}

/// An object's key, borrowed when it is written without escapes.
struct Key<'a>(Cow<'a, str>);

impl<'de> serde::Deserialize<'de> for Key<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// The text of a JSON string, borrowed when it is written without escapes. `None`: not a string, or one
/// that holds half a surrogate pair.
pub(crate) fn string(value: &RawValue) -> Option<Cow<'_, str>> {
    let text = value.get();
    if !text.starts_with('"') {
        return None;
    }
    serde_json::from_str::<Key<'_>>(text).ok().map(|key| key.0)
}

/// The items of a JSON array, or `None` when it is not one.
pub(crate) fn items(value: &RawValue) -> Option<Vec<&RawValue>> {
    if !value.get().starts_with('[') {
        return None;
    }
    serde_json::from_str(value.get()).ok()
}

/// Looks into a value that is not read further: depth and duplicate keys. Scalars cost nothing.
///
/// # Errors
///
/// [`Reason::DuplicateKey`] or [`Reason::ArgumentsTooLarge`].
pub(crate) fn check(value: &RawValue) -> Result<(), Refusal> {
    if !value.get().starts_with(['{', '[']) {
        return Ok(());
    }
    let mut refusal = None;
    let mut reader = serde_json::Deserializer::from_str(value.get());
    let strict = Strict { depth: 1, refusal: &mut refusal };
    match (strict.deserialize(&mut reader), refusal) {
        (_, Some(refusal)) => Err(refusal),
        (Err(error), None) => Err(Refusal::new(Reason::ArgumentsNotObject, error.to_string())),
        (Ok(()), None) => Ok(()),
    }
}

struct Strict<'r> {
    depth: usize,
    refusal: &'r mut Option<Refusal>,
}

impl Strict<'_> {
    fn deeper<E: serde::de::Error>(&mut self) -> Result<Strict<'_>, E> {
        if self.depth >= MAX_JSON_DEPTH {
            let detail = format!("nested deeper than {MAX_JSON_DEPTH} levels");
            *self.refusal = Some(Refusal::new(Reason::ArgumentsTooLarge, detail));
            return Err(E::custom("too deep"));
        }
        Ok(Strict { depth: self.depth + 1, refusal: self.refusal })
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(self.deeper()?)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<(), A::Error> {
        let mut keys = Keys::default();
        while let Some(Key(key)) = entries.next_key()? {
            if !keys.insert(key.clone()) {
                *self.refusal = Some(duplicate(&key));
                return Err(A::Error::custom("duplicate key"));
            }
            entries.next_value_seed(self.deeper()?)?;
        }
        Ok(())
    }
}
