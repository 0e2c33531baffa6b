//! JSON with comments, changed in place.

use super::InstallError;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::Value;

/// A configuration file. The root must live as long as anything taken from it.
pub(super) struct File {
    root: CstRootNode,
    pub(super) object: CstObject,
}

impl File {
    /// Reads JSON, with the comments and trailing commas that hosts let pass; nothing looser.
    pub(super) fn parse(text: &str) -> Result<Self, InstallError> {
        let options = ParseOptions {
            allow_comments: true,
            allow_trailing_commas: true,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let root = CstRootNode::parse(text, &options)
            .map_err(|error| InstallError::new(format!("not JSON: {error}")))?;
        let object = root.object_value().ok_or_else(|| InstallError::new("not a JSON object"))?;
        Ok(Self { root, object })
    }

    pub(super) fn text(&self) -> String {
        let text = self.root.to_string();
        if text.ends_with('\n') { text } else { text + "\n" }
    }
}

/// The object under `key`; made when there is none.
pub(super) fn object(parent: &CstObject, key: &str) -> Result<CstObject, InstallError> {
    parent
        .object_value_or_create(key)
        .ok_or_else(|| InstallError::new(format!("`{key}` is not an object; it stays as it is")))
}

/// Puts `value` under `key`, unless it stands there already.
pub(super) fn set(parent: &CstObject, key: &str, value: &Value) {
    match parent.get(key) {
        None => drop(parent.append(key, input(value))),
        Some(property) if property.value().is_some_and(|old| is(&old, value)) => {}
        Some(property) => property.set_value(input(value)),
    }
}

/// Takes `key` out when its value is an empty object or array.
pub(super) fn drop_empty(parent: &CstObject, key: &str) {
    let Some(property) = parent.get(key) else { return };
    let empty = property.value().is_some_and(|value| is(&value, &Value::Object(serde_json::Map::new())))
        || property.value().is_some_and(|value| is(&value, &Value::Array(Vec::new())));
    if empty {
        property.remove();
    }
}

/// Whether a node says the same as `value`.
pub(super) fn is(node: &jsonc_parser::cst::CstNode, value: &Value) -> bool {
    node.to_serde_value().as_ref() == Some(value)
}

pub(super) fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(value) => CstInputValue::Number(value.to_string()),
        Value::String(value) => CstInputValue::String(value.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(map) => {
            CstInputValue::Object(map.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}
