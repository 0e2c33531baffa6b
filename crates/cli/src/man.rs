//! `plan-gate man`: the manual page, or one page a sub-command into a directory.

use crate::failure::{Failure, Outcome};
use crate::out::Out;
use crate::setting::cause;
use crate::words::Tongue;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Options {
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(options: &Options, tongue: Tongue) -> Result<Outcome, Failure> {
    let words = tongue.words();
    let command = crate::cli::command(words);
    let Some(directory) = &options.out else {
        let mut out = Out::for_programs();
        clap_mangen::Man::new(command).render(&mut out)?;
        out.flush()?;
        return Ok(Outcome::Fine);
    };
    let written =
        std::fs::create_dir_all(directory).and_then(|()| clap_mangen::generate_to(command, directory));
    written.map_err(|error| {
        let name = directory.display().to_string();
        let message = cause(&error, words);
        Failure::Failed(words.text("error.at_file", &[("file", &name), ("message", &message)]))
    })?;
    Ok(Outcome::Fine)
}
