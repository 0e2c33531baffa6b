//! The strict door for JSON: no duplicate key, no unknown field, bounded size and depth, and errors
//! that name the place.
//!
//! Types read through [`from_slice`] mark themselves `deny_unknown_fields`; serde already refuses a
//! field that stands twice. For JSON of free shape, [`Strict`] refuses duplicate keys at any depth.

use crate::limits::MAX_JSON_DEPTH;
use crate::{Error, ErrorKind};
use serde::de::{DeserializeOwned, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;

/// Reads a value of type `T`.
///
/// # Errors
///
/// [`ErrorKind::TooLarge`] past `limit` bytes; [`ErrorKind::InvalidJson`] for text that is not JSON or
/// repeats a key; [`ErrorKind::InvalidRequest`] for JSON of another shape. The message names the place
/// (`scope.files[2]: …`).
pub fn from_slice<T: DeserializeOwned>(bytes: &[u8], limit: usize) -> Result<T, Error> {
    if bytes.len() > limit {
        let message = format!("{} bytes of JSON, the limit is {limit}", bytes.len());
        return Err(Error::new(ErrorKind::TooLarge, message));
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        place(&path, error.into_inner())
    })?;
    reader.end().map_err(|error| place(".", error))?;
    Ok(value)
}

fn place(path: &str, error: serde_json::Error) -> Error {
    let text = error.to_string();
    let kind = match error.classify() {
        serde_json::error::Category::Data if !text.contains("duplicate") => ErrorKind::InvalidRequest,
        _ => ErrorKind::InvalidJson,
    };
    // Where the shape is wrong the path says the place; a line and a column would depend on how the
    // caller orders and spaces its keys.
    let text = match (kind, text.rsplit_once(" at line ")) {
        (ErrorKind::InvalidRequest, Some((said, _))) => said,
        _ => &text,
    };
    let message = if path == "." { text.to_owned() } else { format!("{path}: {text}") };
    Error::new(kind, message)
}

/// Any JSON value, read so that a duplicate key at any depth is an error.
#[derive(Debug, Clone, PartialEq)]
pub struct Strict(pub Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        StrictSeed { depth: 0 }.deserialize(deserializer).map(Self)
    }
}

struct StrictSeed {
    depth: usize,
}

impl StrictSeed {
    fn deeper<E: serde::de::Error>(&self) -> Result<Self, E> {
        if self.depth >= MAX_JSON_DEPTH {
            return Err(E::custom(format!("nested deeper than {MAX_JSON_DEPTH} levels")));
        }
        Ok(Self { depth: self.depth + 1 })
    }
}

impl<'de> DeserializeSeed<'de> for StrictSeed {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for StrictSeed {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self.deeper()?)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if map.contains_key(&key) {
                return Err(serde::de::Error::custom(format!("duplicate key `{key}`")));
            }
            let value = entries.next_value_seed(self.deeper()?)?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

/// The fields of one JSON object, taken one by one; what is left over is unknown.
///
/// For objects whose shape depends on one of their fields, where serde would lose raw text.
#[derive(Debug)]
pub struct Fields(BTreeMap<String, Box<RawValue>>);

impl Fields {
    /// Reads an object whose keys differ.
    ///
    /// # Errors
    ///
    /// As [`from_slice`].
    pub fn read(bytes: &[u8], limit: usize) -> Result<Self, Error> {
        from_slice(bytes, limit)
    }

    /// The field `name`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidRequest`] when it is missing or of another type.
    pub fn required<T: DeserializeOwned>(&mut self, name: &str) -> Result<T, Error> {
        self.optional(name)?
            .ok_or_else(|| Error::new(ErrorKind::InvalidRequest, format!("missing field `{name}`")))
    }

    /// The field `name` if it is there and not null.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidRequest`] when it is of another type.
    pub fn optional<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>, Error> {
        let Some(raw) = self.0.remove(name) else { return Ok(None) };
        if raw.get() == "null" {
            return Ok(None);
        }
        from_slice(raw.get().as_bytes(), usize::MAX).map(Some).map_err(|error| {
            let separator = if error.message().starts_with('[') { "" } else { ": " };
            Error::new(error.kind(), format!("{name}{separator}{}", error.message()))
        })
    }

    /// The raw text of the field `name`, byte for byte.
    pub fn raw(&mut self, name: &str) -> Option<Box<RawValue>> {
        self.0.remove(name)
    }

    /// Nothing may be left.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidRequest`] naming the first unknown field.
    pub fn finish(self) -> Result<(), Error> {
        match self.0.keys().next() {
            Some(name) => Err(Error::new(ErrorKind::InvalidRequest, format!("unknown field `{name}`"))),
            None => Ok(()),
        }
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor).map(Self)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = BTreeMap<String, Box<RawValue>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut fields = BTreeMap::new();
        while let Some((name, value)) = entries.next_entry::<String, Box<RawValue>>()? {
            if fields.contains_key(&name) {
                return Err(serde::de::Error::custom(format!("duplicate key `{name}`")));
            }
            fields.insert(name, value);
        }
        Ok(fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Value, Error> {
        from_slice::<Strict>(text.as_bytes(), 1000).map(|strict| strict.0)
    }

    #[test]
    fn duplicates_depth_size_and_rubbish_are_errors() {
        assert_eq!(read(r#"{"a":[1,{"b":null}]}"#).unwrap()["a"][1]["b"], Value::Null);
        for (text, kind) in [
            (r#"{"a":1,"a":2}"#, ErrorKind::InvalidJson),
            (r#"{"x":[{"a":1,"a":1}]}"#, ErrorKind::InvalidJson),
            (r#"{"a":1} x"#, ErrorKind::InvalidJson),
            ("", ErrorKind::InvalidJson),
        ] {
            assert_eq!(read(text).unwrap_err().kind(), kind, "{text}");
        }
        assert!(read(&format!("{}1{}", "[".repeat(65), "]".repeat(65))).is_err());
        let mut fields = Fields::read(br#"{"a":"x","b":null,"c":[1,"2"]}"#, 99).unwrap();
        assert_eq!(fields.required::<String>("a").unwrap(), "x");
        assert_eq!(fields.optional::<String>("b").unwrap(), None);
        assert!(fields.required::<Vec<u8>>("c").unwrap_err().message().starts_with("c[1]: "));
        assert!(fields.finish().is_ok());
        assert!(Fields::read(br#"{"a":1,"a":2}"#, 99).is_err());
        let left = Fields::read(br#"{"a":1}"#, 99).unwrap().finish();
        assert_eq!(left.unwrap_err().message(), "unknown field `a`");
        assert_eq!(read(&" ".repeat(2000)).unwrap_err().kind(), ErrorKind::TooLarge);
    }
}
