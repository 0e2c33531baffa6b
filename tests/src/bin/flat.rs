//! Writes the conversations as a flat file for a runner without a JSON reader: `flat FILE`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else { return ExitCode::from(2) };
    let written = plan_gate_tests::flat()
        .and_then(|bytes| std::fs::write(path, bytes).map_err(|error| format!("cannot write: {error}")));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        #[allow(clippy::print_stderr, reason = "a command line tool says why it failed")]
        Err(error) => {
            eprintln!("flat: {error}");
            ExitCode::FAILURE
        }
    }
}
