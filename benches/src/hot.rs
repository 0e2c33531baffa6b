//! The hottest ways through the C interface, each as one call that can be repeated.

use crate::library::{EXECUTE, Gate, Library, Session, WRITE, allows};
use crate::questions::{
    CONFIG, EXACT_COMMAND, REPLY_LONGER, REPLY_SHORT, THREE_PART_COMMAND, paths, plan, scope_of_commands,
    scope_of_paths, write_arguments,
};

/// One way: its name, and the function of the interface in which it spends its time.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    /// Stable: baselines name it.
    pub name: &'static str,
    /// As the header names it.
    pub function: &'static str,
    run: fn(&Sessions) -> bool,
}

/// Sessions in which everything that is asked was approved.
pub struct Sessions {
    paths: Session,
    commands: Session,
    talk: Session,
    inside: Vec<String>,
    arguments: String,
    _gate: Gate,
}

const CHECK_EFFECT: &str = "plan_gate_session_check_effect";
const REPLY: &str = "plan_gate_session_reply";

/// The ways whose instructions and allocations are counted. All of them allow, or approve.
pub const WAYS: [Way; 6] = [
    Way { name: "path", function: CHECK_EFFECT, run: |s| s.path() },
    Way { name: "exact command", function: CHECK_EFFECT, run: |s| s.command(EXACT_COMMAND) },
    Way { name: "command of three parts", function: CHECK_EFFECT, run: |s| s.command(THREE_PART_COMMAND) },
    Way { name: "JSON arguments 1 KB", function: "plan_gate_session_check", run: |s| s.arguments() },
    Way { name: "reply 6 B", function: REPLY, run: |s| s.reply(REPLY_SHORT) },
    Way { name: "reply 33 B", function: REPLY, run: |s| s.reply(REPLY_LONGER) },
];

impl Way {
    /// Once.
    ///
    /// # Panics
    ///
    /// When the answer is not the expected one.
    pub fn run(&self, sessions: &Sessions) {
        assert!((self.run)(sessions), "`{}` was answered otherwise", self.name);
    }
}

impl Sessions {
    /// Opens and approves them.
    pub fn new(library: &Library) -> Self {
        let gate = library.gate(CONFIG);
        let inside = paths(50, true);
        Self {
            paths: gate.approved("paths", &plan(&scope_of_paths(50))),
            commands: gate.approved("commands", &plan(&scope_of_commands(50))),
            talk: gate.session("talk"),
            arguments: write_arguments(&inside[0], 1_000),
            inside,
            _gate: gate,
        }
    }

    fn path(&self) -> bool {
        allows(self.paths.check_effect("write", WRITE, &self.inside[0]))
    }

    fn command(&self, line: &str) -> bool {
        allows(self.commands.check_effect("bash", EXECUTE, line))
    }

    fn arguments(&self) -> bool {
        allows(self.paths.check("write", &self.arguments))
    }

    fn reply(&self, text: &str) -> bool {
        // An approval with nothing to approve: read in full, and no state moves.
        self.talk.reply(text) == 1
    }
}
