//! Which directories a command of the line may run in.

use super::FileCover;
use crate::shell::Step;

/// More possible directories than this and the line is outside.
const MOST: usize = 16;

/// Directories, relative to the session's root, at one place of the line.
#[derive(Debug, Clone)]
pub(super) struct Directories {
    /// Where the next command runs if everything since the last separator succeeded.
    now: Vec<String>,
    /// Everywhere it may run at all.
    all: Vec<String>,
    outer: Vec<(Vec<String>, Vec<String>)>,
    pub moved: bool,
}

impl Directories {
    pub(super) fn new() -> Self {
        Self { now: Vec::new(), all: Vec::new(), outer: Vec::new(), moved: false }
    }

    /// Follows what lies between the parts.
    pub(super) fn step(&mut self, step: Step) {
        if !self.moved {
            // Nothing to follow until the first `cd`, except that shells end again.
            match step {
                Step::Enter => self.outer.push((Vec::new(), Vec::new())),
                Step::Leave => drop(self.outer.pop()),
                _ => {}
            }
            return;
        }
        match step {
            Step::Next => self.now.clone_from(&self.all),
            Step::Enter => {
                self.outer.push((self.now.clone(), self.all.clone()));
                self.all.clone_from(&self.now);
            }
            Step::Leave => {
                if let Some((now, all)) = self.outer.pop() {
                    (self.now, self.all) = (now, all);
                }
            }
            Step::And | Step::Part(_) => {}
        }
    }

    /// `cd dir`; says whether it stays inside the root wherever the command may run.
    pub(super) fn enter(&mut self, dir: &str, files: &dyn FileCover) -> bool {
        if !self.moved {
            self.moved = true;
            let start = || vec![String::new()];
            (self.now, self.all) = (start(), start());
            for outer in &mut self.outer {
                *outer = (start(), start());
            }
        }
        let mut next = Vec::with_capacity(self.now.len());
        for cwd in &self.now {
            match files.enter(cwd, dir) {
                Some(dir) => next.push(dir),
                None => return false,
            }
        }
        for dir in &next {
            if !self.all.contains(dir) {
                self.all.push(dir.clone());
            }
        }
        self.now = next;
        self.all.len() <= MOST
    }

    /// Whether `path` may be written from every directory the command may run in.
    pub(super) fn may_write(&self, path: &str, files: &dyn FileCover) -> bool {
        if self.moved {
            self.now.iter().all(|cwd| files.may_write(cwd, path))
        } else {
            files.may_write("", path)
        }
    }

    /// Whether the command certainly runs where the line began.
    pub(super) fn unmoved(&self) -> bool {
        !self.moved || self.now.iter().all(String::is_empty)
    }

    /// Whether `dir` is inside the root from every directory the command may run in.
    pub(super) fn inside(&self, dir: &str, files: &dyn FileCover) -> bool {
        if self.moved {
            self.now.iter().all(|cwd| files.enter(cwd, dir).is_some())
        } else {
            files.enter("", dir).is_some()
        }
    }
}
