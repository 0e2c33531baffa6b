//! From JSON to rules, with every mistake named.

use super::raw::{RawArgument, RawProfile, RawReads, RawTool};
use super::{Argument, ArgumentKind, Profile, Reads, ToolRule};
use plan_gate_core::{Dialect, Error, ErrorKind, json, limits};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Most arguments of one tool: a bit for each is kept while a call is read.
const MAX_ARGUMENTS: usize = 64;

impl Profile {
    /// Reads a profile written in JSON, in the same form as the shipped ones.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidProfile`] naming the place: not JSON, an unknown key or kind, a tool that stands
    /// twice, a rule that refers to an argument it does not have.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        if !text.trim_start().starts_with('{') {
            return Err(invalid("a profile is a JSON object"));
        }
        let raw: RawProfile = json::from_slice(text.as_bytes(), limits::MAX_INPUT_BYTES)
            .map_err(|error| invalid(error.message()))?;
        if raw.profile.is_empty() {
            return Err(invalid("`profile` is empty"));
        }
        let mut exact = FxHashMap::default();
        let mut families: Vec<(Box<str>, usize)> = Vec::new();
        let mut tools = Vec::new();
        for (index, tool) in raw.tools.into_iter().enumerate() {
            if tool.names.is_empty() {
                return Err(invalid(format!("tools[{index}]: `names` is empty")));
            }
            for name in &tool.names {
                let twice = match family(name)? {
                    Some(prefix) => {
                        let twice = families.iter().any(|(other, _)| **other == *prefix);
                        families.push((prefix.into(), index));
                        twice
                    }
                    None => exact.insert(name.as_str().into(), index).is_some(),
                };
                if twice {
                    return Err(invalid(format!("tool `{name}` stands twice")));
                }
            }
            let name = tool.names.join(", ");
            tools.push(rule(tool).map_err(|message| invalid(format!("tool `{name}`: {message}")))?);
        }
        families.sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
        Ok(Self {
            name: raw.profile.into(),
            about: raw.about.into(),
            assume: raw.assume.unwrap_or(Dialect::Unknown),
            control: boxed(raw.control),
            interactive: raw.interactive,
            tools: tools.into(),
            exact,
            families: families.into(),
        })
    }
}

/// The prefix of a family (`mcp__*`), or `None` for the name of one tool.
fn family(name: &str) -> Result<Option<&str>, Error> {
    match name.strip_suffix('*') {
        Some("") => Err(invalid("a family needs a prefix before `*`")),
        Some(prefix) => Ok(Some(prefix)),
        None if name.is_empty() => Err(invalid("a tool's name is empty")),
        None => Ok(None),
    }
}

fn rule(raw: RawTool) -> Result<ToolRule, String> {
    let arguments = arguments(raw.arguments)?;
    let has = |name: &str| arguments.iter().any(|argument| *argument.name == *name);
    if let Some(absent) = raw.needs.iter().find(|name| !has(name)) {
        return Err(format!("`needs` names `{absent}`, which is no argument of it"));
    }
    let reads = match raw.reads {
        RawReads::Plain(false) => Reads::Never,
        RawReads::Plain(true) => Reads::Always,
        RawReads::When(when) => {
            let mut entries = when.into_iter();
            let (Some((argument, values)), None) = (entries.next(), entries.next()) else {
                return Err("`reads` names exactly one argument".to_owned());
            };
            if !has(&argument) || values.is_empty() {
                return Err(format!("`reads` needs an argument of the tool and values, not `{argument}`"));
            }
            Reads::When { argument: argument.into(), values: boxed(values) }
        }
    };
    if matches!(reads, Reads::Always) && raw.never.is_some() {
        return Err("a tool that only reads needs no `never`".to_owned());
    }
    Ok(ToolRule {
        names: boxed(raw.names),
        note: raw.note.map(Into::into),
        reads,
        never: raw.never.map(Into::into),
        open: raw.open,
        agent: raw.agent.map(Into::into),
        dialect: raw.dialect,
        needs: boxed(raw.needs),
        arguments,
    })
}

fn arguments(raw: BTreeMap<String, RawArgument>) -> Result<Box<[Argument]>, String> {
    if raw.len() > MAX_ARGUMENTS {
        return Err(format!("{} arguments, the limit is {MAX_ARGUMENTS}", raw.len()));
    }
    raw.into_iter().map(|(name, argument)| compile(&name, argument)).collect()
}

fn compile(name: &str, raw: RawArgument) -> Result<Argument, String> {
    let (word, optional) = match raw.is.strip_suffix('?') {
        Some(word) => (word, true),
        None => (raw.is.as_str(), false),
    };
    let kind =
        kind(word, raw.default, raw.unless, raw.arguments).map_err(|why| format!("`{name}`: {why}"))?;
    let never_required =
        matches!(kind, ArgumentKind::Plain | ArgumentKind::Widens { .. } | ArgumentKind::Workdir);
    if never_required && optional {
        return Err(format!("`{name}`: `{word}` is never required, write it without `?`"));
    }
    let single = matches!(kind, ArgumentKind::Each { .. } | ArgumentKind::Argv | ArgumentKind::Workdir);
    if raw.list && (single || never_required) {
        return Err(format!("`{name}`: `{word}` cannot be a list"));
    }
    let default = matches!(&kind, ArgumentKind::Agent { default: Some(_) });
    Ok(Argument {
        name: name.into(),
        kind,
        required: !(optional || never_required || default),
        list: raw.list,
    })
}

fn kind(
    word: &str,
    default: Option<String>,
    unless: Vec<serde_json::Value>,
    nested: BTreeMap<String, RawArgument>,
) -> Result<ArgumentKind, String> {
    if default.is_some() && word != "agent" {
        return Err("`default` belongs to an agent".to_owned());
    }
    if !unless.is_empty() && word != "widens" {
        return Err("`unless` belongs to `widens`".to_owned());
    }
    if nested.is_empty() == (word == "each") {
        return Err("`arguments` belongs to `each`, and `each` needs it".to_owned());
    }
    Ok(match word {
        "read" => ArgumentKind::Read,
        "write" => ArgumentKind::Write,
        "command" => ArgumentKind::Command,
        "code" => ArgumentKind::Code,
        "argv" => ArgumentKind::Argv,
        "url" => ArgumentKind::Url,
        "url-text" => ArgumentKind::UrlText,
        "agent" => ArgumentKind::Agent { default: default.map(Into::into) },
        "workdir" => ArgumentKind::Workdir,
        "patch" => ArgumentKind::Patch,
        "plain" => ArgumentKind::Plain,
        "widens" => ArgumentKind::Widens { unless: unless.into() },
        "each" => ArgumentKind::Each { arguments: arguments(nested)? },
        _ => return Err(format!("`{word}` is no kind of argument")),
    })
}

fn boxed(words: Vec<String>) -> Box<[Box<str>]> {
    words.into_iter().map(Into::into).collect()
}

fn invalid(message: impl AsRef<str>) -> Error {
    Error::new(ErrorKind::InvalidProfile, format!("profile: {}", message.as_ref()))
}
