//! A compiled configuration.

use crate::args::{Collected, Refusal, collect};
use crate::interactive::waiting_program;
use crate::paths::{PathForm, PathReader, Style, resolve};
use crate::profile::{Profile, ToolRule};
use crate::protected::Protected;
use crate::reading::{Acting, CallReading};
use plan_gate_core::{
    CommandCase, Config, Dialect, Effect, EffectKind, Error, ErrorKind, ProfileChoice, Reason, limits,
};
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::Arc;

/// Everything about a configuration that decides what calls do and what covers them. Immutable, and free
/// to share between threads and sessions.
#[derive(Debug, Clone)]
pub struct Matcher {
    profile: Arc<Profile>,
    pub(crate) paths: PathReader,
    /// With `resolveSymlinks`: the root as it lies on disk.
    pub(crate) disk: Option<Disk>,
    pub(crate) case: CommandCase,
    shell: Option<Dialect>,
    tools: FxHashMap<Box<str>, Standing>,
    pub(crate) protected: Protected,
    /// For tools that no profile describes.
    unknown: ToolRule,
}

/// How paths are read once their links are resolved.
#[derive(Debug, Clone)]
pub(crate) struct Disk {
    /// The configured root, to which relative paths are joined.
    root: String,
    /// Reads resolved paths.
    pub(crate) reader: PathReader,
}

/// What configuration and profile say about a tool by its exact name.
#[derive(Debug, Clone, Copy, Default)]
struct Standing {
    control: bool,
    gated: bool,
    allowed: bool,
    /// The place of its rule in the profile.
    rule: Option<u32>,
}

impl Matcher {
    /// Compiles the part of a configuration that concerns calls.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidConfig`] or [`ErrorKind::InvalidProfile`], naming the key.
    pub fn new(config: &Config) -> Result<Self, Error> {
        let profile = profile(&config.profile)?;
        let style = Style::of(config.path_style);
        let paths = PathReader::new(style, config.root.as_deref()).map_err(|_| {
            let root = config.root.as_deref().unwrap_or_default();
            invalid(format!("`root`: `{root}` must be an absolute path in the chosen `pathStyle`"))
        })?;
        let disk = match (config.resolve_symlinks, &config.root) {
            (false, _) => None,
            (true, None) => return Err(invalid("`resolveSymlinks` needs `root`")),
            (true, Some(root)) => Some(Disk::new(style, root)?),
        };
        let protected = protected(&paths, disk.as_ref(), &config.protected_files)?;
        let tools = standings(config, &profile)?;
        Ok(Self {
            profile,
            paths,
            disk,
            case: config.command_case,
            shell: config.shell,
            tools,
            protected,
            unknown: ToolRule { open: true, ..ToolRule::default() },
        })
    }

    /// The profile in use.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Reads a call: what it would do, or why it is free or refused whatever the plan says.
    pub fn read<'a>(&'a self, tool: &'a str, args: &'a [u8]) -> CallReading<'a> {
        let (standing, rule) = self.standing(tool);
        if let Some(settled) = settled_by_name(tool, standing, rule) {
            return settled;
        }
        let collected = match collect(rule, self.dialect(rule), args) {
            Ok(collected) => collected,
            // A guess that an argument of a tool which needs no plan is mistyped is only a guess.
            Err(refusal) if standing.allowed && !standing.gated && rule.open && refusal.is_mistyped() => {
                return CallReading::Free(Reason::AllowedTool);
            }
            Err(refusal) => return refusal.into(),
        };
        self.judge(tool, args, standing, collected).unwrap_or_else(CallReading::Refused)
    }

    /// Reads a call whose one effect the host knows itself. Nothing is parsed: the fast way for a path.
    pub fn read_effect<'a>(&'a self, tool: &'a str, kind: EffectKind, value: &'a str) -> CallReading<'a> {
        let (standing, rule) = self.standing(tool);
        let dialect = match kind {
            EffectKind::Execute => self.dialect(rule),
            _ => Dialect::Unknown,
        };
        self.known(tool, standing, rule, Effect { dialect, ..Effect::new(kind, value) })
    }

    /// As [`Matcher::read_effect`], for an effect whose shell and directory the host knows too.
    pub fn read_known<'a>(&'a self, tool: &'a str, effect: Effect<'a>) -> CallReading<'a> {
        let (standing, rule) = self.standing(tool);
        self.known(tool, standing, rule, effect)
    }

    #[inline]
    fn known<'a>(
        &'a self,
        tool: &'a str,
        standing: Standing,
        rule: &'a ToolRule,
        effect: Effect<'a>,
    ) -> CallReading<'a> {
        if let Some(settled) = settled_by_name(tool, standing, rule) {
            return settled;
        }
        let form = match self.form(&effect) {
            Ok(form) => form,
            Err(refusal) => return refusal.into(),
        };
        match free(standing, effect.kind == EffectKind::Read) {
            Some(reason) => CallReading::Free(reason),
            None => CallReading::Acting(Acting::with(tool, effect, form)),
        }
    }

    fn judge<'a>(
        &'a self,
        tool: &'a str,
        args: &'a [u8],
        standing: Standing,
        collected: Collected<'a>,
    ) -> Result<CallReading<'a>, Refusal> {
        let mut acting = Acting::new(tool, args);
        let mut reads = collected.reads;
        // A tool that only reads, as far as its name goes, but was given something to run or fetch.
        let acts = |effect: &Effect<'_>| {
            matches!(effect.kind, EffectKind::Execute | EffectKind::Fetch | EffectKind::Delegate)
        };
        reads &= !collected.effects.iter().any(acts);
        if reads && !collected.extras.is_empty() {
            let names: Vec<String> =
                collected.extras.iter().map(|extra| format!("`{}`", extra.name)).collect();
            return Err(Refusal::new(Reason::ReadNotUnderstood, names.join(", ")));
        }
        for mut effect in collected.effects {
            if reads && effect.kind == EffectKind::Write {
                effect.kind = EffectKind::Read;
            }
            let form = self.form(&effect)?;
            acting.push(effect, form);
        }
        acting.extras = collected.extras;
        acting.by_name();
        Ok(match free(standing, reads) {
            Some(reason) => CallReading::Free(reason),
            None => CallReading::Acting(acting),
        })
    }

    /// The form of an effect's path, unless it is one that no yes could make sense of.
    #[inline]
    fn form(&self, effect: &Effect<'_>) -> Result<Option<PathForm>, Refusal> {
        match effect.kind {
            EffectKind::Write => self.write_form(&effect.value),
            EffectKind::Read if effect.value.chars().any(char::is_control) => {
                let detail = format!("`{}`: the path holds a control character", effect.value.escape_debug());
                Err(Refusal::new(Reason::PathUnusable, detail))
            }
            EffectKind::Execute if effect.value.trim().is_empty() => {
                Err(Refusal::new(Reason::ArgumentMissing, "the command is empty"))
            }
            EffectKind::Execute => self.refuse_protected_line(effect).and_then(|()| self.waits(effect)),
            _ => Ok(None),
        }
    }

    /// On a host where a model could feed an open program unseen, one that waits for input is refused.
    fn waits(&self, effect: &Effect<'_>) -> Result<Option<PathForm>, Refusal> {
        match effect.kind {
            EffectKind::Execute if self.profile.interactive => {
                match waiting_program(&effect.value, effect.dialect) {
                    None => Ok(None),
                    Some(program) => {
                        let detail = format!("`{program}` waits for input, which could be fed to it unseen");
                        Err(Refusal::new(Reason::NeverGrantable, detail))
                    }
                }
            }
            _ => Ok(None),
        }
    }

    /// The form in which a written path is compared. `None`: its links cannot be resolved with
    /// certainty, so nothing covers it.
    pub(crate) fn write_form(&self, path: &str) -> Result<Option<PathForm>, Refusal> {
        let form = self.paths.form(path).map_err(|fault| {
            let shown: String = path.chars().take(200).collect();
            Refusal::new(Reason::PathUnusable, format!("`{}`: {}", shown.escape_debug(), fault.text()))
        })?;
        self.refuse_protected(&self.paths, path, &form)?;
        let Some(disk) = &self.disk else { return Ok(Some(form)) };
        let Some((resolved, form)) = disk.form(path) else { return Ok(None) };
        self.refuse_protected(&disk.reader, &resolved, &form)?;
        // The resolved path is no part of the text that was read: keep a copy.
        Ok(Some(disk.reader.detached(&resolved, form)))
    }

    fn refuse_protected(&self, reader: &PathReader, path: &str, form: &PathForm) -> Result<(), Refusal> {
        if self.protected.is_empty()
            || !reader.with_text(path, form, |text| self.protected.holds(reader, text))
        {
            return Ok(());
        }
        Err(Refusal::new(Reason::ProtectedFile, format!("`{path}`")))
    }

    /// The reader whose normal texts the scope's table holds.
    pub(crate) fn reader(&self) -> &PathReader {
        self.disk.as_ref().map_or(&self.paths, |disk| &disk.reader)
    }

    /// What is known about a tool. A name that stands nowhere may belong to a family.
    #[inline]
    fn standing(&self, tool: &str) -> (Standing, &ToolRule) {
        let standing = self.tools.get(tool).copied().unwrap_or_default();
        let rule = match standing.rule {
            Some(place) => self.profile.tools.get(place as usize),
            None => self.profile.family(tool),
        };
        (standing, rule.unwrap_or(&self.unknown))
    }

    /// The shell that reads a tool's command lines.
    fn dialect(&self, rule: &ToolRule) -> Dialect {
        rule.dialect.or(self.shell).unwrap_or(self.profile.assume)
    }
}

impl Disk {
    fn new(style: Style, root: &str) -> Result<Self, Error> {
        let unresolved =
            || invalid(format!("`root`: `{root}` cannot be resolved on disk, as `resolveSymlinks` asks"));
        let real = resolve(Path::new(root)).ok_or_else(unresolved)?;
        let reader = PathReader::new(style, Some(&real)).map_err(|_| unresolved())?;
        Ok(Self { root: root.to_owned(), reader })
    }

    /// A path as it lies on disk, and its form.
    pub(crate) fn form(&self, path: &str) -> Option<(String, PathForm)> {
        let resolved = resolve(&Path::new(&self.root).join(path))?;
        let form = self.reader.form(&resolved).ok()?;
        Some((resolved, form))
    }
}

/// Why a call that is well formed may run in any state, if it may.
fn free(standing: Standing, reads: bool) -> Option<Reason> {
    match standing {
        Standing { gated: true, .. } => None,
        Standing { allowed: true, .. } => Some(Reason::AllowedTool),
        _ => reads.then_some(Reason::ReadOnly),
    }
}

/// What the name alone decides.
fn settled_by_name<'a>(tool: &str, standing: Standing, rule: &ToolRule) -> Option<CallReading<'a>> {
    if standing.control {
        return Some(CallReading::Free(Reason::ControlTool));
    }
    let limit = limits::MAX_TOOL_NAME_BYTES;
    if tool.len() > limit {
        let detail = format!("the tool's name is {} bytes long, the limit is {limit}", tool.len());
        return Some(Refusal::new(Reason::ArgumentsTooLarge, detail).into());
    }
    rule.never.as_deref().map(|why| Refusal::new(Reason::NeverGrantable, why).into())
}

fn standings(config: &Config, profile: &Profile) -> Result<FxHashMap<Box<str>, Standing>, Error> {
    let mut tools: FxHashMap<Box<str>, Standing> = FxHashMap::default();
    for (name, place) in profile.names_with_rules() {
        tools.entry(name.into()).or_default().rule = u32::try_from(place).ok();
    }
    for name in &profile.control {
        tools.entry(name.clone()).or_default().control = true;
    }
    let mut mark = |key: &str, names: &[String], set: fn(&mut Standing)| {
        for name in names {
            if name.is_empty() {
                return Err(invalid(format!("`{key}` holds an empty name")));
            }
            set(tools.entry(name.as_str().into()).or_default());
        }
        Ok(())
    };
    mark("allowTools", &config.allow_tools, |standing| standing.allowed = true)?;
    mark("gateTools", &config.gate_tools, |standing| standing.gated = true)?;
    mark("controlTools", &config.control_tools, |standing| standing.control = true)?;
    Ok(tools)
}

fn profile(choice: &ProfileChoice) -> Result<Arc<Profile>, Error> {
    match choice {
        ProfileChoice::Named(name) => match Profile::shipped(name) {
            Some(profile) => Ok(Arc::new(profile.clone())),
            None => {
                let names = Profile::names().join("`, `");
                Err(invalid(format!("`profile`: `{name}` is none of `{names}`")))
            }
        },
        ProfileChoice::Inline(json) => Profile::from_json(json.get()).map(Arc::new),
    }
}

fn protected(paths: &PathReader, disk: Option<&Disk>, files: &[String]) -> Result<Protected, Error> {
    let mut texts = Vec::new();
    for file in files {
        let form = paths
            .form(file)
            .map_err(|fault| invalid(format!("`protectedFiles`: `{file}`: {}", fault.text())))?;
        texts.push(paths.text(file, &form).into_owned());
        if let Some((path, form)) = disk.and_then(|disk| disk.form(file)) {
            texts.extend(disk.map(|disk| disk.reader.text(&path, &form).into_owned()));
        }
    }
    let protected = Protected::new(texts.into_iter());
    let roots = [paths.root(), disk.and_then(|disk| disk.reader.root())];
    if protected.holds_everything() || roots.into_iter().flatten().any(|root| protected.covers(root)) {
        let message = "`protectedFiles`: what holds the root cannot be protected, name the files in it";
        return Err(invalid(message));
    }
    Ok(protected)
}

fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidConfig, message)
}
