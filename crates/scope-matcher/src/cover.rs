//! Does the approved scope cover the call?

use crate::command::{CommandCoverage, FileCover, normalise};
use crate::grant::Grant;
use crate::matcher::Matcher;
use crate::paths::PathForm;
use crate::reading::Acting;
use crate::scope::CompiledScope;
use crate::urls;
use plan_gate_core::{Effect, EffectKind, ScopeList};
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
    /// Why: one of [`WHYS`] or of [`command::WHYS`](crate::command::WHYS).
    pub why: &'static str,
    /// The entry of the scope that comes nearest, if one does.
    pub nearest: Option<String>,
}

/// The keys of [`Gap::why`], apart from those about commands.
pub const WHYS: [&str; 12] = [
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
];

/// What covers an effect, or why nothing does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The effect.
    pub effect: Effect<'static>,
    /// What was found.
    pub by: By,
}

/// What covers an effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// An entry of the scope, by its list and its place there.
    Entry(ScopeList, usize),
    /// Several entries, each for a part of a command line; or a line in which nothing needs one.
    Parts,
    /// A yes to a held call.
    Grant,
    /// Nothing.
    Nothing(Gap),
}

impl Matcher {
    /// Whether the scope and the grants together cover the call.
    pub fn cover(&self, scope: &CompiledScope, granted: &[&Grant], call: &Acting<'_>) -> Coverage {
        let mut gaps = Vec::new();
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
        if needs_tool && let Err(gap) = tool(scope, call.tool) {
            gaps.insert(0, gap);
        }
        if !call.extras.is_empty() {
            if self.is_granted_exactly(granted, call) {
                return Coverage::Covered;
            }
            gaps.extend(extra_gaps(call));
        }
        if gaps.is_empty() { Coverage::Covered } else { Coverage::Outside(gaps) }
    }

    /// What covers each effect of the call, first its tool. The same answer as [`Matcher::cover`], at
    /// length.
    pub fn explain(&self, scope: &CompiledScope, granted: &[&Grant], call: &Acting<'_>) -> Vec<Finding> {
        let found = |effect: &Effect<'_>, by| Finding { effect: effect.clone().into_owned(), by };
        let mut findings = Vec::new();
        let exactly = self.is_granted_exactly(granted, call);
        let mut needs_tool = false;
        for (effect, form) in call.effects.iter().zip(&call.forms) {
            let by = if exactly || self.is_granted(granted, call.tool, effect, form.as_ref()) {
                By::Grant
            } else {
                needs_tool = true;
                match self.effect(scope, effect, form.as_ref()) {
                    Err(gap) => By::Nothing(gap),
                    Ok(Some((list, place))) => By::Entry(list, place),
                    Ok(None) if effect.kind == EffectKind::Execute => By::Parts,
                    // The tool's name is all it needs.
                    Ok(None) => continue,
                }
            };
            findings.push(found(effect, by));
        }
        if needs_tool {
            let by = match tool(scope, call.tool) {
                Ok(place) => By::Entry(ScopeList::Tools, place),
                Err(gap) => By::Nothing(gap),
            };
            findings.insert(0, found(&Effect::new(EffectKind::Other, call.tool), by));
        }
        if !exactly {
            findings.extend(extra_gaps(call).map(|gap| found(&gap.effect.clone(), By::Nothing(gap))));
        }
        findings
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

    /// The entry that covers an effect, if it needs one of its own.
    fn effect(
        &self,
        scope: &CompiledScope,
        effect: &Effect<'_>,
        form: Option<&PathForm>,
    ) -> Result<Option<(ScopeList, usize)>, Gap> {
        match effect.kind {
            // A gated read needs its name, not its file; what a tool does beyond its arguments, its name.
            EffectKind::Read | EffectKind::Other => Ok(None),
            EffectKind::Write => self.file(scope, effect, form),
            EffectKind::Fetch => url(scope, effect),
            EffectKind::Delegate => match scope.agents.find(&scope.scope.agents, false, &effect.value) {
                Some(place) => Ok(Some((ScopeList::Agents, place as usize))),
                None => {
                    let nearest = nearest_name(&scope.scope.agents, &effect.value);
                    Err(gap(effect.clone(), "agent_not_listed", nearest))
                }
            },
            EffectKind::Execute => self.command(scope, effect),
        }
    }

    fn file(
        &self,
        scope: &CompiledScope,
        effect: &Effect<'_>,
        form: Option<&PathForm>,
    ) -> Result<Option<(ScopeList, usize)>, Gap> {
        let Some(form) = form else { return Err(gap(effect.clone(), "link_unresolved", None)) };
        let Some(files) = &scope.files else { return Err(gap(effect.clone(), "file_not_listed", None)) };
        let reader = self.reader();
        if let Some(place) = reader.with_text(&effect.value, form, |text| files.find(reader, text, form)) {
            return Ok(Some((ScopeList::Files, place as usize)));
        }
        let nearest = reader.with_text(&effect.value, form, |text| files.nearest(text));
        Err(gap(effect.clone(), "file_not_listed", entry(&scope.scope.files, nearest)))
    }

    fn command(&self, scope: &CompiledScope, effect: &Effect<'_>) -> Result<Option<(ScopeList, usize)>, Gap> {
        let Some(places) = Places::new(self, effect.cwd.as_deref()) else {
            return Err(gap(effect.clone(), "workdir_outside", None));
        };
        let files = Files { scope, places };
        let commands = scope.commands(self.case);
        match commands.covers(&effect.value, effect.dialect, &files) {
            CommandCoverage::Covered { entry } => Ok(entry.map(|place| (ScopeList::Commands, place))),
            CommandCoverage::Outside { part, why, nearest } => {
                let nearest = nearest.and_then(|place| scope.scope.commands.get(place)).cloned();
                let part = Effect { value: Cow::Owned(part), ..effect.clone() };
                Err(gap(part, why, nearest))
            }
        }
    }
}

/// The place of the entry that lists the tool.
fn tool(scope: &CompiledScope, tool: &str) -> Result<usize, Gap> {
    match scope.tools.find(&scope.scope.tools, true, tool) {
        Some(place) => Ok(place as usize),
        None => {
            let nearest = nearest_name(&scope.scope.tools, tool);
            Err(gap(Effect::new(EffectKind::Other, tool), "tool_not_listed", nearest))
        }
    }
}

fn url(scope: &CompiledScope, effect: &Effect<'_>) -> Result<Option<(ScopeList, usize)>, Gap> {
    let url = urls::read(&effect.value).map_err(|why| gap(effect.clone(), why, None))?;
    let Some(urls) = &scope.urls else { return Err(gap(effect.clone(), "url_not_listed", None)) };
    match urls.find(&url) {
        Some(place) => Ok(Some((ScopeList::Urls, place as usize))),
        None => Err(gap(effect.clone(), "url_not_listed", entry(&scope.scope.urls, urls.nearest(&url)))),
    }
}

fn extra_gaps(call: &Acting<'_>) -> impl Iterator<Item = Gap> {
    call.extras.iter().map(|extra| gap(Effect::new(EffectKind::Other, extra.name.as_str()), extra.why, None))
}

fn entry(list: &[String], place: Option<u32>) -> Option<String> {
    place.and_then(|place| list.get(place as usize)).cloned()
}

/// The name that differs only in case, or else shares the longest beginning, of three letters at least.
fn nearest_name(entries: &[String], name: &str) -> Option<String> {
    let common = |entry: &&String| {
        let pairs = entry.chars().zip(name.chars());
        pairs.take_while(|(a, b)| a.to_lowercase().eq(b.to_lowercase())).count()
    };
    let nearest = entries.iter().rev().max_by_key(common)?;
    (common(&nearest) >= name.chars().count().min(3)).then(|| nearest.clone())
}

/// The file entries, as a command line asks for them.
struct Files<'m> {
    scope: &'m CompiledScope,
    places: Places<'m>,
}

impl FileCover for Files<'_> {
    fn may_write(&self, cwd: &str, path: &str) -> bool {
        let matcher = self.places.matcher;
        let Some(files) = &self.scope.files else { return false };
        let Some(full) = self.places.full(cwd, path) else { return false };
        match matcher.write_form(&full) {
            Ok(Some(form)) => {
                let reader = matcher.reader();
                reader.with_text(&full, &form, |text| files.find(reader, text, &form)).is_some()
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
