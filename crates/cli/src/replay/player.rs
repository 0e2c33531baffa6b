//! Plays entries through a gate: what it would have answered, and how the state moved.

use super::log::{Entry, Format, Said, Sent};
use super::target;
use crate::setting::Setting;
use plan_gate::plan_mode::{LogEvent, Projection, View};
use plan_gate::{
    CallAnswer, Digest, Error, Gate, Language, Message, Outside, ProposalAnswer, ReplyAnswer, Session,
    Settlement, Source, StateView,
};
use plan_gate_scope_matcher::Matcher;
use std::collections::{HashMap, HashSet};

/// An id that nothing on screen ever has: what a message answers to that was written before anything
/// was shown.
const NOTHING_SHOWN: Digest = Digest([0; 16]);
/// The session of lines that name none.
pub const ONLY: &str = "main";

/// What came of an entry.
#[derive(Debug)]
pub struct Step {
    pub session: String,
    /// Whether it is a sub-agent's.
    pub child: bool,
    /// Phase before and after: `closed`, `proposed`, `revising`, `approved`.
    pub before: &'static str,
    pub after: &'static str,
    /// The language the gate speaks to the session.
    pub language: Language,
    pub played: Played,
}

/// What happened and what the gate said to it.
#[derive(Debug)]
pub enum Played {
    /// A session began.
    Opened { parent: Option<String>, orphan: bool },
    /// Somebody wrote; for a user's reply with what it approved or withdrew.
    Said { source: Source, text: String, aside: bool, answer: ReplyAnswer, settled: Vec<Outside> },
    /// A plan was proposed.
    Proposed { plan: String, answer: Box<ProposalAnswer> },
    /// A plan was proposed that the host did not show.
    NotShown { plan: String },
    /// A tool was called.
    Called { tool: String, args: String, answer: CallAnswer },
    /// A call that the gate would have stopped ran.
    RanAnyway,
    /// Plan mode was switched, or is about to be.
    Stance(View),
    /// Nothing that matters here.
    Nothing,
}

/// One gate with the sessions of a family of logs.
pub struct Player {
    setting: Setting,
    gate: Option<Gate>,
    /// Reads what calls work on, for the display.
    matcher: Option<Matcher>,
    seats: HashMap<String, Seat>,
    /// Calls the gate would have stopped.
    stopped: HashSet<String>,
    pub profile: String,
    pub root: Option<String>,
}

struct Seat {
    session: Session,
    child: bool,
    stance: Projection,
    /// What was on screen when messages were queued.
    queued: HashMap<String, Option<Digest>>,
}

impl Player {
    pub fn new(setting: Setting) -> Self {
        Self {
            setting,
            gate: None,
            matcher: None,
            seats: HashMap::new(),
            stopped: HashSet::new(),
            profile: String::new(),
            root: None,
        }
    }

    /// Plays one entry of a log of this format.
    pub fn play(&mut self, format: Format, entry: Entry) -> Result<Step, String> {
        self.try_play(format, entry).map_err(|error| error.message().to_owned())
    }

    /// Where the sessions stand that a user talks to.
    pub fn roots(&self) -> Vec<(String, StateView)> {
        let roots = self.seats.iter().filter(|(_, seat)| !seat.child);
        let mut roots: Vec<(String, StateView)> =
            roots.filter_map(|(id, seat)| Some((id.clone(), seat.session.state().ok()?))).collect();
        roots.sort_by(|left, right| left.0.cmp(&right.0));
        roots
    }

    /// Where a session stands; the only one when none is named.
    pub fn state(&self, id: Option<&str>) -> Option<StateView> {
        self.seats.get(id.unwrap_or(ONLY))?.session.state().ok()
    }

    /// What a call works on, in one line: what the gate reads in it, or else its arguments.
    pub fn target(&self, tool: &str, args: &str) -> String {
        let Some(matcher) = &self.matcher else { return args.to_owned() };
        target::of_call(matcher, &self.profile, tool, args)
    }

    /// Presses the button beside what waits, which no model can press.
    pub fn press(&mut self, approve: bool) -> Result<Option<Settlement>, String> {
        let Some(seat) = self.seats.get(ONLY) else { return Ok(None) };
        let state = seat.session.state().map_err(|error| error.message().to_owned())?;
        let Some(id) = shown(&state) else { return Ok(None) };
        seat.session.settle(id, approve).map(Some).map_err(|error| error.message().to_owned())
    }

    fn try_play(&mut self, format: Format, entry: Entry) -> Result<Step, Error> {
        let id = entry.session.unwrap_or_else(|| ONLY.to_owned());
        let said = match entry.said {
            Said::Opens { parent, root } => return self.open(format, id, parent, root.as_deref()),
            said => said,
        };
        if !self.seats.contains_key(&id) {
            self.open(format, id.clone(), None, None)?;
        }
        let Self { seats, stopped, .. } = self;
        let Some(seat) = seats.get_mut(&id) else {
            return Err(Error::new(plan_gate::ErrorKind::InvalidRequest, "no such session"));
        };
        let before = seat.session.state()?;
        let played = seat.play(said, &before, stopped)?;
        let after = match &played {
            Played::Said { .. } | Played::Proposed { .. } | Played::Called { .. } => seat.session.state()?,
            _ => before.clone(),
        };
        let (child, language) = (seat.child, after.language);
        Ok(Step { session: id, child, before: before.phase, after: after.phase, language, played })
    }

    fn open(
        &mut self,
        format: Format,
        id: String,
        parent: Option<String>,
        root: Option<&str>,
    ) -> Result<Step, Error> {
        let gate = match &self.gate {
            Some(gate) => gate.clone(),
            None => {
                let config = self.setting.config_for(format.profile(), root);
                let gate = Gate::with_config(&config)?;
                self.matcher = Some(Matcher::new(&config)?);
                self.profile = crate::setting::profile_name(&config);
                self.root = config.root;
                self.gate.insert(gate).clone()
            }
        };
        let session = match &parent {
            Some(parent) => gate.child(&id, parent)?,
            None => gate.session(&id)?,
        };
        let state = session.state()?;
        let orphan = state.role == "orphan";
        let seat = Seat {
            session,
            child: state.role != "root",
            stance: Projection::default(),
            queued: HashMap::new(),
        };
        self.seats.entry(id.clone()).or_insert(seat);
        Ok(Step {
            session: id,
            child: parent.is_some(),
            before: state.phase,
            after: state.phase,
            language: state.language,
            played: Played::Opened { parent, orphan },
        })
    }
}

impl Seat {
    fn play(
        &mut self,
        said: Said,
        before: &StateView,
        stopped: &mut HashSet<String>,
    ) -> Result<Played, Error> {
        let on_screen = shown(before);
        Ok(match said {
            Said::Message { source, text, attachments, sent, aside } => {
                let shown = self.answers_to(sent, on_screen);
                let message = Message { source, text: text.as_bytes(), shown, attachments };
                let answer = self.session.reply(message)?;
                let settled = before.held.as_ref().map(|held| held.outside.clone()).unwrap_or_default();
                Played::Said { source, text, aside, answer, settled }
            }
            Said::Queued { key } => {
                self.queued.insert(key, on_screen);
                Played::Nothing
            }
            // A sub-agent is told why it cannot propose, whatever its host said.
            Said::Propose { plan, counts, .. } if counts || self.child => {
                let answer = Box::new(self.session.propose(plan.as_bytes())?);
                Played::Proposed { plan, answer }
            }
            Said::Propose { plan, .. } => Played::NotShown { plan },
            Said::Call { tool, args, call } => {
                let answer = self.session.answer(&tool, args.as_bytes())?;
                if !answer.reason.allows() {
                    stopped.extend(call);
                }
                Played::Called { tool, args, answer }
            }
            Said::Result { call, failed } => match stopped.remove(&call) && !failed {
                true => Played::RanAnyway,
                false => Played::Nothing,
            },
            Said::Stance(event) => self.stance(&event),
            Said::Opens { .. } => Played::Nothing,
        })
    }

    /// The id that a message answers to, where it is not simply what is on screen now.
    fn answers_to(&mut self, sent: Sent, now: Option<Digest>) -> Option<Digest> {
        let then = match sent {
            Sent::Now => return None,
            Sent::Queued(key) => self.queued.remove(&key).flatten(),
            Sent::Perhaps(key) => self.queued.remove(&key)?,
        };
        // With nothing on screen now there is nothing that an old yes could approve by mistake.
        now.map(|_| then.unwrap_or(NOTHING_SHOWN))
    }

    fn stance(&mut self, event: &LogEvent<'_>) -> Played {
        let before = self.stance.view();
        self.stance.step(event);
        let after = self.stance.view();
        if before == after { Played::Nothing } else { Played::Stance(after) }
    }
}

/// The id of what the user sees: a draft or a held call.
fn shown(state: &StateView) -> Option<Digest> {
    let draft = state.draft.as_ref().map(|draft| draft.id);
    draft.or_else(|| state.held.as_ref().map(|held| held.id))
}
