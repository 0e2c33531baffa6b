//! `propose_plan`: from the model's arguments to a draft that the user is shown.

use crate::answer::{FaultText, ProposalAnswer, WarningText};
use crate::payload::Proposal;
use crate::session::Session;
use crate::{render, texts};
use plan_gate_core::limits::{MAX_BODY_BYTES, MAX_INPUT_BYTES, MAX_TITLE_BYTES};
use plan_gate_core::{Digest, Error, Fault, FaultCode, Language, Plan, Reason, hidden_character, json};
use plan_gate_state_machine::{Event, Origin, Phase};

impl Session {
    /// The model called `propose_plan` with these arguments.
    ///
    /// A plan with faults changes nothing; the answer names every fault so that the model can mend it.
    ///
    /// # Errors
    ///
    /// `Poisoned`. A plan with faults is an answer, not an error.
    pub fn propose(&self, args: &[u8]) -> Result<ProposalAnswer, Error> {
        self.proposed(|| {
            json::from_slice(args, MAX_INPUT_BYTES)
                .map_err(|error| Fault::new("propose_plan", FaultCode::Malformed, error.message()))
        })
    }

    /// The same with a plan that is read already.
    ///
    /// # Errors
    ///
    /// As [`Session::propose`].
    pub fn propose_plan(&self, plan: &Plan) -> Result<ProposalAnswer, Error> {
        self.proposed(|| Ok(plan.clone()))
    }

    fn proposed(&self, read: impl FnOnce() -> Result<Plan, Fault>) -> Result<ProposalAnswer, Error> {
        let mut state = self.lock()?;
        let language = self.engine().language(state.language);
        if self.origin() != Origin::Root {
            self.step(&mut state, Event::ProposeInvalid);
            return Ok(refused(language, Reason::ChildCannotPropose));
        }
        let plan = read().map_err(|fault| vec![fault]);
        match plan.and_then(|plan| self.proposal(&plan).map(|proposal| (plan, proposal))) {
            Ok((plan, proposal)) => {
                let id = proposal.id;
                let proposal = self.shared.intern(proposal);
                self.step(&mut state, Event::Propose(proposal));
                Ok(self.shown(language, id, &plan))
            }
            Err(faults) => {
                self.step(&mut state, Event::ProposeInvalid);
                Ok(faulty(language, faults))
            }
        }
    }

    fn shown(&self, language: Language, id: Digest, plan: &Plan) -> ProposalAnswer {
        let warnings = self.warnings(plan, language);
        ProposalAnswer {
            ok: true,
            id: Some(id),
            faults: Vec::new(),
            reason: None,
            rendered: Some(render::plan(language, id, plan, &warnings)),
            warnings,
            text: texts::text(language, "propose.shown", &[("id", &id.to_string())]),
        }
    }

    /// The draft that waits, rendered for the user.
    ///
    /// # Errors
    ///
    /// `Poisoned`.
    pub fn rendered_draft(&self) -> Result<Option<String>, Error> {
        let state = self.lock()?;
        let Phase::Proposed(draft) = &state.phase else { return Ok(None) };
        let (language, plan) = (self.engine().language(state.language), draft.plan());
        Ok(Some(render::plan(language, draft.id, &plan, &self.warnings(&plan, language))))
    }

    /// Checks a plan and compiles its scope; every fault at once.
    pub(crate) fn proposal(&self, plan: &Plan) -> Result<Proposal, Vec<Fault>> {
        let mut faults = prose("title", &plan.title, MAX_TITLE_BYTES, false);
        faults.extend(prose("plan", &plan.body, MAX_BODY_BYTES, true));
        match self.engine().matcher.compile(&plan.scope) {
            Ok(scope) if faults.is_empty() => Ok(Proposal {
                id: Proposal::id_of(&plan.title, &plan.body, &plan.scope),
                title: plan.title.as_str().into(),
                body: plan.body.as_str().into(),
                scope,
            }),
            Ok(_) => Err(faults),
            Err(more) => {
                faults.extend(more);
                Err(faults)
            }
        }
    }

    fn warnings(&self, plan: &Plan, language: Language) -> Vec<WarningText> {
        let warnings = self.engine().matcher.warnings(&plan.scope);
        warnings
            .into_iter()
            .map(|warning| WarningText {
                list: warning.list,
                index: warning.index,
                code: warning.code.to_owned(),
                text: texts::text(language, &format!("warning.{}", warning.code), &[]),
            })
            .collect()
    }
}

fn faulty(language: Language, faults: Vec<Fault>) -> ProposalAnswer {
    let faults: Vec<FaultText> = faults.into_iter().map(|fault| with_text(language, fault)).collect();
    let lines: Vec<String> = faults.iter().map(|fault| format!("- {}", fault.text)).collect();
    let text = texts::text(language, "propose.faults", &[("faults", &lines.join("\n"))]);
    ProposalAnswer { faults, ..not_shown(text) }
}

fn refused(language: Language, reason: Reason) -> ProposalAnswer {
    let text = texts::text(language, &format!("reason.{}", reason.name()), &[]);
    ProposalAnswer { reason: Some(reason), ..not_shown(text) }
}

fn not_shown(text: String) -> ProposalAnswer {
    ProposalAnswer {
        ok: false,
        id: None,
        faults: Vec::new(),
        reason: None,
        warnings: Vec::new(),
        rendered: None,
        text,
    }
}

pub(crate) fn with_text(language: Language, fault: Fault) -> FaultText {
    let values = [("place", fault.place.as_str()), ("detail", fault.detail.as_str())];
    let text = texts::text(language, &format!("fault.{}", fault.code.name()), &values);
    FaultText { fault, text }
}

/// Faults of title or body.
fn prose(place: &str, text: &str, limit: usize, many_lines: bool) -> Vec<Fault> {
    let mut faults = Vec::new();
    if text.trim().is_empty() {
        faults.push(Fault::new(place, FaultCode::Blank, ""));
    }
    if text.len() > limit {
        faults.push(Fault::new(place, FaultCode::TooLong, limit.to_string()));
    }
    if let Some(hidden) = hidden_character(text, many_lines) {
        faults.push(Fault::new(place, FaultCode::HiddenCharacters, format!("U+{:04X}", u32::from(hidden))));
    }
    faults
}
