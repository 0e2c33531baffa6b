//! The JSON form of a profile. Its words are explained in `data/profiles/README.md`.

use plan_gate_core::Dialect;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a profile object")]
pub(super) struct RawProfile {
    pub profile: String,
    pub about: String,
    #[serde(default)]
    pub assume: Option<Dialect>,
    #[serde(default)]
    pub control: Vec<String>,
    #[serde(default)]
    pub interactive: bool,
    pub tools: Vec<RawTool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a tool object")]
pub(super) struct RawTool {
    pub names: Vec<String>,
    #[serde(default)]
    pub note: Option<String>,
    #[serde(default)]
    pub reads: RawReads,
    #[serde(default)]
    pub never: Option<String>,
    #[serde(default)]
    pub open: bool,
    #[serde(default)]
    pub agent: Option<String>,
    #[serde(default)]
    pub dialect: Option<Dialect>,
    #[serde(default)]
    pub needs: Vec<String>,
    #[serde(default)]
    pub arguments: BTreeMap<String, RawArgument>,
}

/// `true`, `false`, or `{"command": ["view"]}`: when this argument has one of these values.
#[derive(Deserialize, Clone)]
#[serde(untagged)]
pub(super) enum RawReads {
    Plain(bool),
    When(BTreeMap<String, Vec<String>>),
}

impl Default for RawReads {
    fn default() -> Self {
        Self::Plain(false)
    }
}

/// `"write"`, `"read?"`, or an object that says more.
pub(super) struct RawArgument {
    pub is: String,
    pub list: bool,
    pub default: Option<String>,
    pub unless: Vec<Value>,
    pub arguments: BTreeMap<String, RawArgument>,
}

impl<'de> Deserialize<'de> for RawArgument {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Long {
            is: String,
            #[serde(default)]
            list: bool,
            #[serde(default)]
            default: Option<String>,
            #[serde(default)]
            unless: Vec<Value>,
            #[serde(default)]
            arguments: BTreeMap<String, RawArgument>,
        }
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected the kind of an argument, or an object with the key `is`")]
        enum Either {
            Short(String),
            Long(Long),
        }
        let long = match Either::deserialize(deserializer)? {
            Either::Long(long) => long,
            Either::Short(is) => {
                Long { is, list: false, default: None, unless: Vec::new(), arguments: BTreeMap::new() }
            }
        };
        let Long { is, list, default, unless, arguments } = long;
        Ok(Self { is, list, default, unless, arguments })
    }
}
