//! Does the approved scope cover the call?

use crate::command::{CommandCoverage, FileCover, normalise};
use crate::grant::Grant;
use crate::matcher::Matcher;
use crate::paths::PathForm;
use crate::reading::Acting;
use crate::scope::CompiledScope;
use crate::urls;
use plan_gate_core::{Effect, EffectKind};
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Coverage {
    /// Every effect of the call is covered.
    Covered,
    /// These are not.
    Outside(Vec<Gap>),
}

/// One thing that is not covered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// What: an effect of the call; for `tool_not_listed` the tool's name; for `unknown_argument` and
    /// `widens_rights` the argument's name. For a command it is the part that is not covered.
    pub effect: Effect<'static>,
    /// Why: one of [`WHYS`] or a key of the command table.
    pub why: &'static str,
    /// The entry of the scope that comes nearest, if one does.
    pub nearest: Option<String>,
}

/// The keys of [`Gap::why`], apart from those about commands.
pub const WHYS: [&str; 15] = [
    "tool_not_listed",
    "file_not_listed",
    "link_unresolved",
    "url_not_listed",
    "url_unreadable",
    "url_ambiguous",
    "url_user_info",
    "url_trailing_dot",
    "agent_not_listed",
    "workdir_outside",
    "unknown_argument",
    "widens_rights",
    "command_not_listed",
    "interactive_program",
    "other_not_listed",
];

impl Matcher {
    /// Whether the scope and the grants together cover the call.
    pub fn cover(&self, scope: &CompiledScope, granted: &[&Grant], call: &Acting<'_>) -> Coverage {
        let mut gaps = Vec::new();
        let listed = scope.tools.find(call.tool).is_some();
        let mut needs_tool = false;
        for (effect, form) in call.effects.iter().zip(&call.forms) {
            if self.is_granted(granted, call.tool, effect, form.as_ref()) {
                continue;
            }
            needs_tool = true;
            if let Err(gap) = self.effect(scope, effect, form.as_ref()) {
                gaps.push(gap);
            }
        }
        if needs_tool && !listed {
            gaps.insert(0, gap(Effect::new(EffectKind::Other, call.tool), "tool_not_listed", None));
        }
        if !call.extras.is_empty() {
            if self.is_granted_exactly(granted, call) {
                return Coverage::Covered;
            }
            for extra in &call.extras {
                gaps.push(gap(Effect::new(EffectKind::Other, extra.name.as_str()), extra.why, None));
            }
        }
        if gaps.is_empty() { Coverage::Covered } else { Coverage::Outside(gaps) }
    }

    /// What a yes to this call grants.
    pub fn grant(&self, call: &Acting<'_>) -> Grant {
        let effects = call.effects.iter().zip(&call.forms);
        Grant {
            tool: call.tool.to_owned(),
            effects: effects.map(|(effect, form)| self.normal(effect, form.as_ref()).into_owned()).collect(),
            exact: (!call.extras.is_empty()).then(|| fingerprint(call.args)),
        }
    }

    fn is_granted(
        &self,
        granted: &[&Grant],
        tool: &str,
        effect: &Effect<'_>,
        form: Option<&PathForm>,
    ) -> bool {
        let mut of_tool =
            granted.iter().filter(|grant| grant.exact.is_none() && grant.tool == tool).peekable();
        if of_tool.peek().is_none() {
            return false;
        }
        let normal = self.normal(effect, form);
        of_tool.any(|grant| grant.effects.contains(&normal))
    }

    fn is_granted_exactly(&self, granted: &[&Grant], call: &Acting<'_>) -> bool {
        let mut candidates =
            granted.iter().filter(|grant| grant.exact.is_some() && grant.tool == call.tool).peekable();
        if candidates.peek().is_none() {
            return false;
        }
        let grant = self.grant(call);
        candidates.any(|other| **other == grant)
    }

    /// An effect in the form in which grants are compared.
    fn normal<'a>(&self, effect: &'a Effect<'a>, form: Option<&'a PathForm>) -> Effect<'a> {
        let value = match effect.kind {
            EffectKind::Write => match form {
                Some(form) => self.reader().text(&effect.value, form),
                None => Cow::Borrowed(&*effect.value),
            },
            EffectKind::Fetch => urls::normal(&effect.value),
            EffectKind::Execute => normalise(&effect.value, effect.dialect, self.case),
            _ => Cow::Borrowed(&*effect.value),
        };
        let cwd = effect.cwd.as_deref().map(|cwd| match self.paths.form(cwd) {
            Ok(form) => Cow::Owned(self.paths.text(cwd, &form).into_owned()),
            Err(_) => Cow::Borrowed(cwd),
        });
        Effect { kind: effect.kind, value, dialect: effect.dialect, cwd }
    }

    fn effect(&self, scope: &CompiledScope, effect: &Effect<'_>, form: Option<&PathForm>) -> Result<(), Gap> {
        let entry =
            |list: &[String], place: Option<u32>| place.and_then(|place| list.get(place as usize)).cloned();
        match effect.kind {
            // A gated read needs its name, not its file; what a tool does beyond its arguments, its name.
            EffectKind::Read | EffectKind::Other => Ok(()),
            EffectKind::Write => {
                let Some(form) = form else { return Err(gap(effect.clone(), "link_unresolved", None)) };
                let reader = self.reader();
                let found =
                    reader.with_text(&effect.value, form, |text| scope.files.find(reader, text, form));
                if found.is_some() {
                    return Ok(());
                }
                let nearest = reader.with_text(&effect.value, form, |text| scope.files.nearest(text));
                Err(gap(effect.clone(), "file_not_listed", entry(&scope.scope.files, nearest)))
            }
            EffectKind::Fetch => match urls::read(&effect.value) {
                Err(why) => Err(gap(effect.clone(), why, None)),
                Ok(url) if scope.urls.find(&url).is_some() => Ok(()),
                Ok(url) => {
                    let nearest = entry(&scope.scope.urls, scope.urls.nearest(&url));
                    Err(gap(effect.clone(), "url_not_listed", nearest))
                }
            },
            EffectKind::Delegate => match scope.agents.find(&effect.value) {
                Some(_) => Ok(()),
                None => Err(gap(effect.clone(), "agent_not_listed", None)),
            },
            EffectKind::Execute => self.command(scope, effect),
        }
    }

    fn command(&self, scope: &CompiledScope, effect: &Effect<'_>) -> Result<(), Gap> {
        let Some(places) = Places::new(self, effect.cwd.as_deref()) else {
            return Err(gap(effect.clone(), "workdir_outside", None));
        };
        let files = Files { scope, places };
        match scope.commands.covers(&effect.value, effect.dialect, &files) {
            CommandCoverage::Covered { .. } => Ok(()),
            CommandCoverage::Outside { part, why, nearest } => {
                let nearest = nearest.and_then(|place| scope.scope.commands.get(place)).cloned();
                let part = Effect { value: Cow::Owned(part), ..effect.clone() };
                Err(gap(part, why, nearest))
            }
        }
    }
}

/// The file entries, as a command line asks for them.
struct Files<'m> {
    scope: &'m CompiledScope,
    places: Places<'m>,
}

impl FileCover for Files<'_> {
    fn may_write(&self, cwd: &str, path: &str) -> bool {
        let matcher = self.places.matcher;
        let Some(full) = self.places.full(cwd, path) else { return false };
        match matcher.write_form(&full) {
            Ok(Some(form)) => {
                let reader = matcher.reader();
                reader.with_text(&full, &form, |text| self.scope.files.find(reader, text, &form)).is_some()
            }
            _ => false,
        }
    }

    fn enter(&self, cwd: &str, dir: &str) -> Option<String> {
        self.places.enter(cwd, dir)
    }
}

/// Where a command line's relative paths lead.
pub(crate) struct Places<'m> {
    pub(crate) matcher: &'m Matcher,
    /// Where the line starts; empty for the working directory.
    base: String,
}

impl<'m> Places<'m> {
    /// The places of a line that starts in `cwd`; `None` when that is not inside the root.
    pub(crate) fn new(matcher: &'m Matcher, cwd: Option<&str>) -> Option<Self> {
        let start = Self { matcher, base: String::new() };
        let base = match cwd {
            Some(cwd) => start.enter("", cwd)?,
            None => return Some(start),
        };
        Some(Self { base, ..start })
    }

    /// A path of the line as it reads from the session's root.
    pub(crate) fn full(&self, cwd: &str, path: &str) -> Option<String> {
        self.matcher.paths.join(if cwd.is_empty() { &self.base } else { cwd }, path)
    }

    /// The directory that `cd dir` leads to, if it stays inside the root.
    pub(crate) fn enter(&self, cwd: &str, dir: &str) -> Option<String> {
        let paths = &self.matcher.paths;
        let full = self.full(cwd, dir)?;
        // Inside the root is what is written relative to it.
        let form = paths.form(&full).ok()?;
        let text =
            paths.with_text(&full, &form, |text| (!paths.is_absolute(text)).then(|| text.to_owned()))?;
        if let Some(disk) = &self.matcher.disk {
            let (path, form) = disk.form(&full)?;
            let inside = disk.reader.with_text(&path, &form, |text| !disk.reader.is_absolute(text));
            if !inside {
                return None;
            }
        }
        Some(if text.is_empty() { ".".to_owned() } else { format!("./{text}") })
    }
}

fn gap(effect: Effect<'_>, why: &'static str, nearest: Option<String>) -> Gap {
    Gap { effect: effect.into_owned(), why, nearest }
}

/// A digest of the arguments that does not see order of keys or white space.
fn fingerprint(args: &[u8]) -> String {
    let canonical = match serde_json::from_slice::<plan_gate_core::json::Strict>(args) {
        Ok(strict) => strict.0.to_string().into_bytes(),
        Err(_) => args.to_vec(),
    };
    Sha256::digest(&canonical).iter().map(|byte| format!("{byte:02x}")).collect()
}
