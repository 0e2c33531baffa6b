//! How a command ends: exit 0, 1 for what failed, 2 for what was asked wrongly.

use anstyle::{AnsiColor, Style};
use plan_gate::Error;
use std::io::{self, Write};
use std::process::ExitCode;

/// A command that ran to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Everything went well.
    Fine,
    /// Some of the input was at fault; it was said where it happened.
    Faults,
}

/// A command that could not go on.
#[derive(Debug)]
pub enum Failure {
    /// It was asked wrongly: the options do not fit together, or an argument is no such thing.
    Usage(String),
    /// It was asked rightly and could not be done.
    Failed(String),
    /// The reader of our output went away: nothing to say, and nobody to say it to.
    Closed,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::Failed(error.to_string()),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::from(io::Error::from(error))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Failed(error.message().to_owned())
    }
}

/// One line on standard error.
pub fn complain(message: &str) {
    let style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    // With standard error gone there is nobody to tell.
    let _ = writeln!(anstream::stderr(), "{style}plan-gate:{style:#} {}", crate::out::line(message));
}

/// The exit code, with its one line where there is one.
pub fn exit(ended: Result<Outcome, Failure>) -> ExitCode {
    match ended {
        Ok(Outcome::Fine) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Ok(Outcome::Faults) => ExitCode::from(1),
        Err(Failure::Failed(message)) => {
            complain(&message);
            ExitCode::from(1)
        }
        Err(Failure::Usage(message)) => {
            complain(&message);
            ExitCode::from(2)
        }
    }
}
