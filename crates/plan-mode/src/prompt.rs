//! What the model sees: the section and the tool.

use crate::review::{EXIT_TOOL, append_sentence};
use crate::texts::text;
use plan_gate_core::Language;
use serde::Serialize;

/// The id of the prompt section.
pub const SECTION_ID: &str = "plan:policy";
/// Where the section stands among others; lower comes first.
pub const SECTION_ORDER: u32 = 500;

/// The guidance, as a part of each request.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Section {
    /// Always `plan:policy`.
    pub id: &'static str,
    /// Always 500.
    pub order: u32,
    /// The configured text, byte for byte.
    pub text: String,
}

impl Section {
    pub(crate) fn new(text: &str) -> Self {
        Self { id: SECTION_ID, order: SECTION_ORDER, text: text.to_owned() }
    }
}

/// The exit tool as a model is offered it. Written in the order of its fields, so that the same language
/// and host give the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tool {
    /// Always `exit_plan_mode`.
    pub name: &'static str,
    /// When to use it.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: Parameters,
}

/// `{"type":"object", …}` with the one required string `plan`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Parameters {
    #[serde(rename = "type")]
    kind: &'static str,
    properties: Properties,
    required: [&'static str; 1],
    #[serde(rename = "additionalProperties")]
    additional: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Properties {
    plan: Property,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Property {
    #[serde(rename = "type")]
    kind: &'static str,
    description: String,
}

impl Tool {
    /// The tool in this language; `gate` is the name of the gate's `propose_plan`, where there is one.
    pub fn new(language: Language, gate: Option<&str>) -> Self {
        let mut description = text(language, "tool-description", &[]);
        if let Some(propose) = gate {
            let sentence = text(language, "tool-description-gate", &[("propose", propose)]);
            append_sentence(language, &mut description, &sentence);
        }
        let plan = Property { kind: "string", description: text(language, "tool-plan", &[]) };
        let properties = Properties { plan };
        let parameters = Parameters { kind: "object", properties, required: ["plan"], additional: false };
        Self { name: EXIT_TOOL, description, parameters }
    }
}
