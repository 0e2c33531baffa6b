//! The tool the model sees.

use plan_gate_core::Language;

/// The definition of `propose_plan` as a JSON object with `name`, `description` and `parameters` (a JSON
/// Schema), stable to the byte within a version.
pub fn tool_schema(language: Language) -> &'static str {
    match language {
        Language::En => include_str!("../data/schema/en.json"),
        Language::Zh => include_str!("../data/schema/zh.json"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn both_languages_describe_the_same_tool() {
        let strip = |text: &str| {
            let mut value: Value = serde_json::from_str(text).unwrap();
            value["description"] = Value::Null;
            let properties = value["parameters"]["properties"].as_object_mut().unwrap();
            properties.values_mut().for_each(|property| property["description"] = Value::Null);
            value
        };
        let (en, zh) = (strip(tool_schema(Language::En)), strip(tool_schema(Language::Zh)));
        assert_eq!(en, zh);
        assert_eq!(en["name"], "propose_plan");
        let keys: Vec<&String> = en["parameters"]["properties"].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["agents", "commands", "files", "plan", "title", "tools", "urls"]);
    }
}
