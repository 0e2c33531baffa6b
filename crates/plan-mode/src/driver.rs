//! One agent's plan mode, as a host drives it.

use crate::answer::{ExitAnswer, Host, Next, RequestPart, Settled, StepAnswer, StepOutcome};
use crate::command::{self, CommandAnswer, CommandCode, Parsed, UserMessage};
use crate::review::{self, Caller, ExitCode, ExitResult, Question, ReviewOutcome};
use crate::stance::{Selected, Selection, Stance};
use crate::texts::text;
use crate::{ModeEvent, PlanModeConfig, Section, Tool, View};
use plan_gate_core::{Error, ErrorKind, Language};
use serde_json::Value;

/// Whose append is awaited.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Waiting {
    Selection,
    Command(Option<UserMessage>),
    Step,
}

/// Plan mode of one agent.
///
/// It does nothing by itself: the host reports, and does what the answers say. The only durable fact is
/// the `plan/mode` event in the host's log; [`PlanMode::resume`] takes the stance from there. A report that
/// is refused changes nothing. After an answer that asks for an append nothing but
/// [`PlanMode::appended`] (or a fresh [`PlanMode::resume`]) is accepted, so that log and stance cannot part.
///
/// ```
/// use plan_gate_plan_mode::{Next, PlanMode, Selection, Settled};
/// let mut mode = PlanMode::new(br#"{"section":"Plan first."}"#)?;
/// let Next::Append(event) = mode.set(true)? else { unreachable!() };
/// assert!(event.active()); // the host appends it, then says so
/// assert_eq!(mode.appended(true)?, Settled::Selection(Selection::Committed));
/// assert_eq!(mode.section().map(|section| section.text).as_deref(), Some("Plan first."));
/// # Ok::<(), plan_gate_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PlanMode {
    /// None: unloaded.
    config: Option<PlanModeConfig>,
    host: Host,
    stance: Stance,
    waiting: Option<Waiting>,
    /// The call whose review is open.
    review: Option<String>,
}

impl PlanMode {
    /// A freshly spawned agent's: inactive. The configuration is `{"section":"…"}`.
    ///
    /// # Errors
    ///
    /// As [`PlanModeConfig::read`].
    pub fn new(config: &[u8]) -> Result<Self, Error> {
        PlanModeConfig::read(config).map(Self::with_config)
    }

    /// As [`PlanMode::new`], with a configuration that was read before.
    pub fn with_config(config: PlanModeConfig) -> Self {
        let (host, stance) = (Host::default(), Stance::default());
        Self { config: Some(config), host, stance, waiting: None, review: None }
    }

    /// What plan mode knows of its host.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// Tells what plan mode should know of its host.
    pub fn set_host(&mut self, host: Host) {
        self.host = host;
    }

    /// A session resumed or forked: the stance is what its log says, everything else begins anew.
    pub fn resume(&mut self, logged: bool) {
        self.stance = Stance { logged, ..Stance::default() };
        self.waiting = None;
        self.review = None;
    }

    /// The service is loaded with this configuration, anew if it was loaded already. What waited is
    /// dropped, an open review fails closed; the stance in the log stays.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PlanMode`] while an append is not reported.
    pub fn reload(&mut self, config: PlanModeConfig) -> Result<(), Error> {
        self.unload()?;
        self.config = Some(config);
        Ok(())
    }

    /// The service is unloaded: section, tool, notices and commands are gone, what waited is dropped, an
    /// open review fails closed. Turns, steps and headers are followed still.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PlanMode`] while an append is not reported.
    pub fn unload(&mut self) -> Result<(), Error> {
        self.settled()?;
        self.config = None;
        self.stance.forget();
        self.review = None;
        Ok(())
    }

    /// A turn of the agent begins.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PlanMode`] if one is open already, or while an append is not reported.
    pub fn turn_opened(&mut self) -> Result<(), Error> {
        self.settled()?;
        if self.stance.turn {
            return refuse("a turn is open already: report its end first");
        }
        self.stance.turn = true;
        self.stance.assembled = false;
        Ok(())
    }

    /// The agent's turn ends. A selection that waits goes on waiting.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PlanMode`] if none is open, or while an append is not reported.
    pub fn turn_closed(&mut self) -> Result<(), Error> {
        self.settled()?;
        self.in_turn()?;
        self.stance.turn = false;
        self.stance.assembled = false;
        Ok(())
    }

    /// A step's pre-step was decided. An accepted one first logs the selection that waits.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PlanMode`] outside a turn, for a retry of a step that was not accepted, or while an
    /// append is not reported.
    pub fn step(&mut self, outcome: StepOutcome) -> Result<Next<StepAnswer>, Error> {
        self.settled()?;
        self.in_turn()?;
        match outcome {
            StepOutcome::Accepted => match self.stance.target() {
                Some(target) => {
                    self.waiting = Some(Waiting::Step);
                    return Ok(Next::Append(ModeEvent::new(target)));
                }
                None => return Ok(Next::Done(self.assemble(None))),
            },
            StepOutcome::Rejected => self.stance.assembled = false,
            StepOutcome::Retried if !self.stance.assembled => {
                return refuse("no step of this turn was accepted that could be retried");
            }
            StepOutcome::Retried => {}
        }
        Ok(Next::Done(StepAnswer { request: None, warning: None }))
    }

    /// The append that the answer before asked for was made, or failed.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PlanMode`] if no append was asked for, and for [`PlanMode::set`] if it failed: nothing
    /// was changed.
    pub fn appended(&mut self, ok: bool) -> Result<Settled, Error> {
        match (self.waiting.take(), ok) {
            (None, _) => refuse("no append was asked for"),
            (Some(Waiting::Selection), false) => {
                refuse("the log did not take the `plan/mode` event: nothing was changed, try again")
            }
            (Some(Waiting::Selection), true) => {
                self.stance.commit_selection();
                Ok(Settled::Selection(Selection::Committed))
            }
            (Some(Waiting::Command(_)), false) => {
                Ok(Settled::Command(self.command_answer(CommandCode::AppendFailed, None, None)))
            }
            (Some(Waiting::Command(message)), true) => {
                self.stance.commit_selection();
                let code = CommandCode::of(self.stance.logged, Selection::Committed, false);
                Ok(Settled::Command(self.command_answer(code, Some(Selection::Committed), message)))
            }
            (Some(Waiting::Step), false) => {
                let warn = self.stance.keep_pending();
                let warning = warn.then(|| text(self.host.language, "warning-append", &[]));
                Ok(Settled::Step(self.assemble(warning)))
            }
            (Some(Waiting::Step), true) => {
                self.stance.commit_pending();
                Ok(Settled::Step(self.assemble(None)))
            }
        }
    }

    /// A request header was recorded that describes this state to the model. After
    /// [`PlanMode::resume`], report the log's last one.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PlanMode`] while an append is not reported.
    pub fn header(&mut self, active: bool) -> Result<(), Error> {
        self.settled()?;
        self.stance.header = Some(active);
        Ok(())
    }

    /// Selects a state.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PlanMode`] when unloaded, or while an append is not reported.
    pub fn set(&mut self, active: bool) -> Result<Next<Selection>, Error> {
        self.ready()?;
        Ok(match self.stance.select(active) {
            Selected::Done(selection) => Next::Done(selection),
            Selected::Append => {
                self.waiting = Some(Waiting::Selection);
                Next::Append(ModeEvent::new(active))
            }
        })
    }

    /// The logged state, and the selection that waits.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PlanMode`] when unloaded.
    pub fn get(&self) -> Result<View, Error> {
        self.loaded()?;
        Ok(View { active: self.stance.logged, pending: self.stance.target() })
    }

    /// The user ran `/plan`; `args` is what stood after it, `images` how many images came along.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PlanMode`] when unloaded, or while an append is not reported.
    pub fn command(&mut self, args: &str, images: u32) -> Result<Next<CommandAnswer>, Error> {
        self.ready()?;
        let (active, message) = match command::parse(args) {
            Parsed::Off if images > 0 => {
                return Ok(Next::Done(self.command_answer(CommandCode::OffWithImages, None, None)));
            }
            Parsed::Off => (false, None),
            Parsed::On("") if images == 0 => (true, None),
            Parsed::On(words) => (true, Some(UserMessage { text: words.to_owned(), images })),
        };
        Ok(match self.stance.select(active) {
            Selected::Append => {
                self.waiting = Some(Waiting::Command(message));
                Next::Append(ModeEvent::new(active))
            }
            Selected::Done(selection) => {
                let code = CommandCode::of(active, selection, self.stance.pending.is_some());
                Next::Done(self.command_answer(code, Some(selection), message))
            }
        })
    }

    /// The model called the exit tool. `call` is the host's id for it, `args` what the model wrote.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PlanMode`] when unloaded, or while an append is not reported.
    pub fn exit(&mut self, call: &str, caller: Caller, args: &Value) -> Result<ExitAnswer, Error> {
        self.ready()?;
        let card = review::call_card(self.host.language, args);
        let refused =
            |code| Ok(ExitAnswer { card: card.clone(), ask: None, result: Some(self.result(code, "")) });
        if caller == Caller::None {
            return refused(ExitCode::NoAgent);
        }
        if !self.stance.logged {
            return refused(ExitCode::NotActive);
        }
        let Some(plan) = review::plan_of(args) else { return refused(ExitCode::InvalidPlan) };
        if caller == Caller::Owned {
            return refused(ExitCode::OwnedChild);
        }
        if self.review.is_some() {
            return refused(ExitCode::ReviewOpen);
        }
        self.review = Some(call.to_owned());
        Ok(ExitAnswer { card, ask: Some(Question::new(self.host.language, plan)), result: None })
    }

    /// The review that `call` opened has ended. One that is not open any more fails closed.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PlanMode`] while an append is not reported.
    pub fn review(&mut self, call: &str, outcome: &ReviewOutcome) -> Result<ExitResult, Error> {
        self.settled()?;
        if self.review.take_if(|open| open == call).is_none() {
            return Ok(self.result(ExitCode::ReviewLost, ""));
        }
        let (code, words) = review::judge(outcome);
        if code == ExitCode::Approved {
            self.stance.leave_silently();
        }
        Ok(self.result(code, &words))
    }

    /// The prompt section, while active.
    pub fn section(&self) -> Option<Section> {
        self.config.as_ref().filter(|_| self.stance.logged).map(|config| Section::new(config.section()))
    }

    /// The exit tool, while loaded: the same bytes whatever the stance.
    pub fn tool(&self, language: Language) -> Option<Tool> {
        self.config.as_ref().map(|_| Tool::new(language, self.host.gate.as_deref()))
    }

    /// The sentence by which the description of the gate's `propose_plan` names the exit tool; only while
    /// loaded, and where the host has told that the gate is on too.
    pub fn propose_note(&self, language: Language) -> Option<String> {
        let both = self.config.is_some() && self.host.gate.is_some();
        both.then(|| text(language, "propose-note", &[]))
    }

    fn assemble(&mut self, warning: Option<String>) -> StepAnswer {
        let tell = self.stance.assemble() && self.config.is_some();
        let key = if self.stance.logged { "notice-on" } else { "notice-off" };
        let notice = tell.then(|| text(self.host.language, key, &[]));
        StepAnswer { request: Some(RequestPart { section: self.section(), notice }), warning }
    }

    fn command_answer(
        &self,
        code: CommandCode,
        selection: Option<Selection>,
        message: Option<UserMessage>,
    ) -> CommandAnswer {
        let say = text(self.host.language, code.key(), &[]);
        CommandAnswer { ok: code.ok(), code, selection, say, message }
    }

    fn result(&self, code: ExitCode, words: &str) -> ExitResult {
        review::result(self.host.language, self.host.gate.as_deref(), code, words)
    }

    fn ready(&self) -> Result<(), Error> {
        self.settled()?;
        self.loaded()
    }

    fn loaded(&self) -> Result<(), Error> {
        if self.config.is_none() {
            return refuse("plan mode is unloaded: reload it with a configuration first");
        }
        Ok(())
    }

    fn settled(&self) -> Result<(), Error> {
        if self.waiting.is_some() {
            return refuse("the answer before asked for an append: report `appended` first");
        }
        Ok(())
    }

    fn in_turn(&self) -> Result<(), Error> {
        if !self.stance.turn {
            return refuse("no turn is open: report `turn_opened` first");
        }
        Ok(())
    }
}

fn refuse<T>(message: &str) -> Result<T, Error> {
    Err(Error::new(ErrorKind::PlanMode, message))
}
