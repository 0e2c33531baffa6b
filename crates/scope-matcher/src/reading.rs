//! What a call would do, read from its name and arguments.

use crate::args::Refusal;
use crate::paths::PathForm;
use plan_gate_core::{Effect, EffectKind, Reason};
use smallvec::{SmallVec, smallvec};

/// A call, as far as the configuration decides it.
#[derive(Debug, Clone)]
pub enum CallReading<'a> {
    /// It may run in any state: it only reads, or the configuration lets it.
    Free(Reason),
    /// It is refused at once, and no yes could change that.
    Refused(Refusal),
    /// It acts: the approved scope decides.
    Acting(Acting<'a>),
}

/// An acting call.
#[derive(Debug, Clone)]
pub struct Acting<'a> {
    /// The tool's name.
    pub tool: &'a str,
    /// What the call would do; never empty. Every one of them must be covered.
    pub effects: SmallVec<[Effect<'a>; 1]>,
    /// Arguments that a plan cannot cover: unknown ones, and requests for wider rights.
    pub extras: Vec<Extra>,
    /// For each effect its path in normal form, where it has one that can be compared.
    pub(crate) forms: SmallVec<[Option<PathForm>; 1]>,
    /// The whole arguments, for a call that only an exact yes covers.
    pub(crate) args: &'a [u8],
}

/// An argument that a plan cannot cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extra {
    /// Its name.
    pub name: String,
    /// `unknown_argument` or `widens_rights`.
    pub why: &'static str,
}

impl<'a> Acting<'a> {
    pub(crate) fn new(tool: &'a str, args: &'a [u8]) -> Self {
        Self { tool, effects: SmallVec::new(), extras: Vec::new(), forms: SmallVec::new(), args }
    }

    /// A call with one effect and no arguments.
    #[inline]
    pub(crate) fn with(tool: &'a str, effect: Effect<'a>, form: Option<PathForm>) -> Self {
        Self { tool, effects: smallvec![effect], extras: Vec::new(), forms: smallvec![form], args: &[] }
    }

    pub(crate) fn push(&mut self, effect: Effect<'a>, form: Option<PathForm>) {
        self.effects.push(effect);
        self.forms.push(form);
    }

    /// The effect of a tool that only its name describes.
    pub(crate) fn by_name(&mut self) {
        if self.effects.is_empty() {
            self.push(Effect::new(EffectKind::Other, self.tool), None);
        }
    }
}

impl<'a> From<Refusal> for CallReading<'a> {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}
