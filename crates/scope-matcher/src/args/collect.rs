//! From arguments to effects, by the rule of the tool.

use super::{Refusal, check, fields, guess, items, patch, string, text_urls};
use crate::profile::{Argument, ArgumentKind, Reads, ToolRule};
use crate::reading::Extra;
use plan_gate_core::limits::MAX_INPUT_BYTES;
use plan_gate_core::{Dialect, Effect, EffectKind, Reason};
use serde_json::value::RawValue;
use smallvec::SmallVec;
use std::borrow::Cow;

/// What the arguments of one call say.
pub(crate) struct Collected<'a> {
    pub effects: SmallVec<[Effect<'a>; 1]>,
    pub extras: Vec<Extra>,
    pub workdir: Option<Cow<'a, str>>,
    /// Whether the rule says that such a call only reads.
    pub reads: bool,
}

/// Reads arguments by a rule. `dialect` reads its command lines.
///
/// # Errors
///
/// What no yes could make sense of; see [`Refusal`].
pub(crate) fn collect<'a>(
    rule: &'a ToolRule,
    dialect: Dialect,
    args: &'a [u8],
) -> Result<Collected<'a>, Refusal> {
    let text = text(args)?;
    let mut collector = Collector {
        rule,
        dialect,
        found: Collected { effects: SmallVec::new(), extras: Vec::new(), workdir: None, reads: false },
        selector: None,
        words: None,
    };
    let mut present = 0_u64;
    fields(text, &mut |key, value| {
        collector.look_at_selector(&key, value);
        collector.field(&rule.arguments, &mut present, key, value)
    })?;
    collector.missing(&rule.arguments, present)?;
    collector.finish(present)
}

/// The arguments as text. None at all is an object without fields.
fn text(args: &[u8]) -> Result<&str, Refusal> {
    if args.len() > MAX_INPUT_BYTES {
        let detail = format!("{} bytes, the limit is {MAX_INPUT_BYTES}", args.len());
        return Err(Refusal::new(Reason::ArgumentsTooLarge, detail));
    }
    if args.is_empty() {
        return Ok("{}");
    }
    simdutf8::basic::from_utf8(args)
        .map_err(|_| Refusal::new(Reason::ArgumentsNotObject, "the arguments are not UTF-8"))
}

pub(super) struct Collector<'a> {
    rule: &'a ToolRule,
    pub(super) dialect: Dialect,
    pub(super) found: Collected<'a>,
    /// The value of the argument that says whether the call reads.
    selector: Option<Cow<'a, str>>,
    /// An array of words that belong behind a command, if there is one.
    pub(super) words: Option<&'a RawValue>,
}

impl<'a> Collector<'a> {
    fn look_at_selector(&mut self, key: &str, value: &'a RawValue) {
        if let Reads::When { argument, .. } = &self.rule.reads
            && **argument == *key
        {
            self.selector = string(value);
        }
    }

    /// Takes one field; `present` has a bit for every argument of the rule that was there.
    fn field(
        &mut self,
        rules: &'a [Argument],
        present: &mut u64,
        key: Cow<'a, str>,
        value: &'a RawValue,
    ) -> Result<(), Refusal> {
        let Some((place, argument)) = rules.iter().enumerate().find(|(_, rule)| *rule.name == *key) else {
            if self.rule.open {
                return guess::field(self, &key, value, 1);
            }
            self.found.extras.push(Extra { name: key.into_owned(), why: "unknown_argument" });
            return check(value);
        };
        // An optional argument that is null is not there.
        if value.get() == "null" {
            return Ok(());
        }
        *present |= 1_u64.checked_shl(u32::try_from(place).unwrap_or(u32::MAX)).unwrap_or(0);
        if !argument.list {
            return self.take(argument, value);
        }
        let items = items(value).ok_or_else(|| mistyped(&argument.name, "an array"))?;
        if items.is_empty() && argument.required {
            return Err(Refusal::new(Reason::ArgumentMissing, &*argument.name));
        }
        items.into_iter().try_for_each(|item| self.take(argument, item))
    }

    fn take(&mut self, argument: &'a Argument, value: &'a RawValue) -> Result<(), Refusal> {
        let text = || string(value).ok_or_else(|| mistyped(&argument.name, "a string"));
        match &argument.kind {
            ArgumentKind::Plain => check(value)?,
            ArgumentKind::Read => self.effect(EffectKind::Read, text()?),
            ArgumentKind::Write => self.effect(EffectKind::Write, text()?),
            ArgumentKind::Command => self.command(text()?, self.dialect),
            ArgumentKind::Code => self.command(text()?, Dialect::Unknown),
            ArgumentKind::Argv => self.argv(&argument.name, value)?,
            ArgumentKind::Url => self.effect(EffectKind::Fetch, text()?),
            ArgumentKind::UrlText => self.urls(&argument.name, text()?)?,
            ArgumentKind::Agent { .. } => self.effect(EffectKind::Delegate, text()?),
            ArgumentKind::Workdir => self.workdir(&argument.name, text()?)?,
            ArgumentKind::Patch => self.patch(&argument.name, text()?)?,
            ArgumentKind::Widens { unless } => self.widens(argument, value, unless)?,
            ArgumentKind::Each { arguments } => self.each(argument, arguments, value)?,
        }
        Ok(())
    }

    pub(super) fn effect(&mut self, kind: EffectKind, value: Cow<'a, str>) {
        self.found.effects.push(Effect::new(kind, value));
    }

    pub(super) fn command(&mut self, line: Cow<'a, str>, dialect: Dialect) {
        self.found.effects.push(Effect { kind: EffectKind::Execute, value: line, dialect, cwd: None });
    }

    /// The words of a command: an array of strings and nothing else.
    pub(super) fn argv(&mut self, name: &str, value: &'a RawValue) -> Result<(), Refusal> {
        let wrong = || mistyped(name, "an array of strings");
        let items = items(value).ok_or_else(wrong)?;
        if items.is_empty() {
            return Err(Refusal::new(Reason::ArgumentMissing, name));
        }
        let words: Vec<Cow<'_, str>> =
            items.into_iter().map(|item| string(item).ok_or_else(wrong)).collect::<Result<_, _>>()?;
        let line = serde_json::to_string(&words).map_err(|_| wrong())?;
        self.command(Cow::Owned(line), Dialect::Argv);
        Ok(())
    }

    fn urls(&mut self, name: &str, text: Cow<'a, str>) -> Result<(), Refusal> {
        let before = self.found.effects.len();
        for url in text_urls::urls(&text) {
            let url = if url.contains("://") { url.to_owned() } else { format!("https://{url}") };
            self.effect(EffectKind::Fetch, Cow::Owned(url));
        }
        if self.found.effects.len() == before {
            return Err(Refusal::new(Reason::ArgumentMissing, format!("no URL in `{name}`")));
        }
        Ok(())
    }

    pub(super) fn workdir(&mut self, name: &str, dir: Cow<'a, str>) -> Result<(), Refusal> {
        if self.found.workdir.replace(dir).is_some() {
            return Err(Refusal::new(Reason::ArgumentType, format!("`{name}`: a second working directory")));
        }
        Ok(())
    }

    pub(super) fn patch(&mut self, name: &str, text: Cow<'a, str>) -> Result<(), Refusal> {
        let unreadable = |line| Refusal::new(Reason::PatchUnreadable, format!("`{name}`: line {line}"));
        let paths = match &text {
            Cow::Borrowed(text) => {
                patch::files(text).map_err(unreadable)?.into_iter().map(Cow::Borrowed).collect()
            }
            Cow::Owned(text) => {
                let paths = patch::files(text).map_err(unreadable)?;
                paths.into_iter().map(|path| Cow::Owned(path.to_owned())).collect::<Vec<_>>()
            }
        };
        paths.into_iter().for_each(|path| self.effect(EffectKind::Write, path));
        Ok(())
    }

    fn widens(
        &mut self,
        argument: &Argument,
        value: &RawValue,
        unless: &[serde_json::Value],
    ) -> Result<(), Refusal> {
        check(value)?;
        let harmless = serde_json::from_str(value.get()).is_ok_and(|value| unless.contains(&value));
        if !harmless {
            self.found.extras.push(Extra { name: argument.name.to_string(), why: "widens_rights" });
        }
        Ok(())
    }

    fn each(
        &mut self,
        argument: &'a Argument,
        rules: &'a [Argument],
        value: &'a RawValue,
    ) -> Result<(), Refusal> {
        let wrong = || mistyped(&argument.name, "an array of objects");
        for item in items(value).ok_or_else(wrong)? {
            if !item.get().starts_with('{') {
                return Err(wrong());
            }
            let mut present = 0_u64;
            fields(item.get(), &mut |key, value| self.field(rules, &mut present, key, value))?;
            self.missing(rules, present)?;
        }
        Ok(())
    }

    /// Refuses a call without an argument that its tool cannot do without, and adds what an absent
    /// argument means.
    fn missing(&mut self, rules: &'a [Argument], present: u64) -> Result<(), Refusal> {
        for (place, argument) in rules.iter().enumerate() {
            if is_set(present, place) {
                continue;
            }
            if argument.required {
                return Err(Refusal::new(Reason::ArgumentMissing, &*argument.name));
            }
            if let ArgumentKind::Agent { default: Some(default) } = &argument.kind {
                self.effect(EffectKind::Delegate, Cow::Borrowed(default));
            }
        }
        Ok(())
    }

    fn finish(mut self, present: u64) -> Result<Collected<'a>, Refusal> {
        let there = |name: &str| {
            let place = self.rule.arguments.iter().position(|argument| *argument.name == *name);
            place.is_some_and(|place| is_set(present, place))
        };
        if !self.rule.needs.is_empty() && !self.rule.needs.iter().any(|name| there(name)) {
            let names: Vec<&str> = self.rule.needs.iter().map(|name| &**name).collect();
            return Err(Refusal::new(Reason::ArgumentMissing, names.join(" or ")));
        }
        if let Some(agent) = &self.rule.agent
            && !self.found.effects.iter().any(|effect| effect.kind == EffectKind::Delegate)
        {
            self.effect(EffectKind::Delegate, Cow::Borrowed(agent));
        }
        self.found.reads = match &self.rule.reads {
            Reads::Never => false,
            Reads::Always => true,
            Reads::When { values, .. } => {
                self.selector.as_deref().is_some_and(|value| values.iter().any(|reads| **reads == *value))
            }
        };
        self.join_words()?;
        if let Some(workdir) = &self.found.workdir {
            for effect in self.found.effects.iter_mut().filter(|effect| effect.kind == EffectKind::Execute) {
                effect.cwd = Some(workdir.clone());
            }
        }
        Ok(self.found)
    }
}

impl Collector<'_> {
    /// `{"command": "git", "args": ["push"]}`: one command, in words.
    fn join_words(&mut self) -> Result<(), Refusal> {
        let Some(words) = self.words else { return Ok(()) };
        let wrong = || mistyped("args", "an array of strings");
        let words = items(words).ok_or_else(wrong)?;
        let words: Vec<Cow<'_, str>> =
            words.into_iter().map(|word| string(word).ok_or_else(wrong)).collect::<Result<_, _>>()?;
        let is_line =
            |effect: &&mut Effect<'_>| effect.kind == EffectKind::Execute && effect.dialect != Dialect::Argv;
        for effect in self.found.effects.iter_mut().filter(is_line) {
            let line: Vec<&str> =
                [&*effect.value].into_iter().chain(words.iter().map(|word| &**word)).collect();
            effect.value = Cow::Owned(serde_json::to_string(&line).map_err(|_| wrong())?);
            effect.dialect = Dialect::Argv;
        }
        Ok(())
    }
}

fn is_set(present: u64, place: usize) -> bool {
    u32::try_from(place).ok().and_then(|place| present.checked_shr(place)).is_some_and(|bits| bits & 1 == 1)
}

pub(super) fn mistyped(name: &str, wanted: &str) -> Refusal {
    Refusal::new(Reason::ArgumentType, format!("`{name}` must be {wanted}"))
}
