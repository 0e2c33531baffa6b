//! A command line that plainly writes to a protected file is refused, whatever the plan or the user says
//! of it: an exact entry or a yes would cover the whole line as it stands.
//!
//! What is plain: a redirection, or an argument of a program that exists to write files, also behind
//! `cd`, wrappers and `bash -c`, and the home directory written as `~` or `$HOME`. A program that finds
//! the file by other means is not seen here; like anything else it needs an entry or a yes.

use crate::args::Refusal;
use crate::command::{CommandTable, FileCover, writes_files};
use crate::cover::Places;
use crate::matcher::Matcher;
use crate::shell::{Word, split};
use plan_gate_core::{CommandCase, Dialect, Effect, Reason};
use std::cell::RefCell;

/// Watches which files a line would write.
struct Watch<'m> {
    places: Places<'m>,
    /// The first protected one.
    hit: RefCell<Option<String>>,
}

impl Watch<'_> {
    fn write(&self, cwd: &str, path: &str) {
        let Some(full) = self.places.full(cwd, path) else { return };
        let form = self.places.matcher.write_form(&full);
        if form.is_err_and(|refusal| refusal.reason == Reason::ProtectedFile) {
            self.found(path);
        }
    }

    /// A path as it stands in the line, perhaps below the home directory.
    fn home(&self, raw: &str) {
        let path = raw.trim_matches(['"', '\'']);
        if self.places.matcher.protected.is_home_path(path) {
            self.found(path);
        }
    }

    fn found(&self, path: &str) {
        self.hit.borrow_mut().get_or_insert_with(|| path.to_owned());
    }

    /// Asks about every file that a line plainly writes.
    fn line(&self, line: &str, dialect: Dialect, depth: u8) {
        // Judged as if any command were allowed, every file that the line writes is asked about.
        if let Ok(any) = CommandTable::compile(&["*".to_owned()], CommandCase::Exact) {
            any.covers(line, dialect, self);
        }
        for part in split(line, dialect).parts {
            // That stops at the first part nothing can cover; redirections behind it count too.
            for redirect in part.redirects.iter().filter(|redirect| redirect.op.contains('>')) {
                self.home(redirect.target.raw());
                if let Some(path) = redirect.target.known() {
                    self.write("", path);
                }
            }
            // What such a program is given below the home directory is not certain enough to be asked about.
            if part.words.iter().any(|word| word.known().is_some_and(writes_files)) {
                part.words.iter().for_each(|word| self.home(word.raw()));
            }
            // And an entry for a shell covers whatever that shell is told to run.
            let told = part.words.windows(2).filter(|pair| pair.first().is_some_and(is_command_option));
            for script in told.filter_map(|pair| pair.get(1)?.known()).filter(|_| depth < MAX_DEPTH) {
                self.line(script, Dialect::Bash, depth + 1);
            }
        }
    }
}

/// `-c` and its company: `-lc`, `-ec`.
fn is_command_option(word: &Word<'_>) -> bool {
    word.known().is_some_and(|word| word.starts_with('-') && word.ends_with('c') && word.len() <= 5)
}

/// How deep shells within shells are followed.
const MAX_DEPTH: u8 = 4;

impl FileCover for Watch<'_> {
    fn may_write(&self, cwd: &str, path: &str) -> bool {
        self.write(cwd, path);
        true
    }

    fn enter(&self, cwd: &str, dir: &str) -> Option<String> {
        self.places.enter(cwd, dir)
    }
}

impl Matcher {
    /// Refuses a line that plainly writes to a protected file.
    pub(crate) fn refuse_protected_line(&self, effect: &Effect<'_>) -> Result<(), Refusal> {
        // Nearly every line ends here: it does not even hold the name of a protected file.
        if !self.protected.is_named_in(&effect.value) {
            return Ok(());
        }
        let places = Places::new(self, effect.cwd.as_deref()).or_else(|| Places::new(self, None));
        let Some(places) = places else { return Ok(()) };
        let watch = Watch { places, hit: RefCell::new(None) };
        watch.line(&effect.value, effect.dialect, 0);
        match watch.hit.into_inner() {
            Some(path) => Err(Refusal::new(Reason::ProtectedFile, format!("`{path}`"))),
            None => Ok(()),
        }
    }
}
