//! Which logs are played, and which of them belong together.

use super::log::{Reader, Said};
use crate::lines::Lines;
use crate::setting::cause;
use crate::words::Words;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

/// Lines that are looked at to tell whose log it is.
const HEAD_LINES: usize = 40;
/// Name endings of logs in a directory.
const ENDINGS: [&str; 3] = [".jsonl", ".jsonl.zstd", ".jsonl.zst"];

/// Where a log is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    StandardInput,
    File(PathBuf),
}

impl Place {
    /// As it is named to people.
    pub fn name(&self) -> String {
        match self {
            Self::StandardInput => "-".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    pub fn open(&self) -> io::Result<Lines> {
        match self {
            Self::StandardInput => Ok(Lines::standard_input()),
            Self::File(path) => Lines::open(path),
        }
    }

    /// Size in bytes, as far as it is known.
    pub fn size(&self) -> u64 {
        match self {
            Self::StandardInput => 0,
            Self::File(path) => std::fs::metadata(path).map_or(0, |metadata| metadata.len()),
        }
    }
}

/// The logs that the arguments name, and what was wrong with some of them.
pub fn find(arguments: &[PathBuf], words: Words) -> (Vec<Place>, Vec<String>) {
    let (mut places, mut faults) = (Vec::new(), Vec::new());
    for argument in arguments {
        if argument.as_os_str() == "-" {
            places.push(Place::StandardInput);
            continue;
        }
        let name = argument.display().to_string();
        let mut fault = |message: &str| {
            faults.push(words.text("error.at_file", &[("file", &name), ("message", message)]));
        };
        match std::fs::metadata(argument) {
            Err(error) => fault(&cause(&error, words)),
            Ok(metadata) if metadata.is_dir() => {
                let mut found = Vec::new();
                if let Err(error) = below(argument, &mut found) {
                    fault(&cause(&error, words));
                } else if found.is_empty() {
                    fault(&words.plain("error.no_logs_below"));
                }
                places.extend(found.into_iter().map(Place::File));
            }
            Ok(_) => places.push(Place::File(argument.clone())),
        }
    }
    let mut seen = Vec::new();
    places.retain(|place| {
        let new = !seen.contains(place);
        seen.push(place.clone());
        new
    });
    (places, faults)
}

/// The logs below a directory, in the order of their names. Links to directories are not followed.
fn below(directory: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries: Vec<_> = std::fs::read_dir(directory)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            below(&entry.path(), found)?;
        } else if ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            found.push(entry.path());
        }
    }
    Ok(())
}

/// The logs in families: a sub-agent's with its parent's, the parent first.
pub fn families(places: Vec<Place>) -> Vec<Vec<Place>> {
    let heads: Vec<Head> = places.iter().map(Head::read).collect();
    // Two logs of the same session (a copy, a backup) are two families.
    let mut owner: HashMap<&str, usize> = HashMap::new();
    for (index, head) in heads.iter().enumerate() {
        if let Some(id) = &head.id {
            owner.entry(id).or_insert(index);
        }
    }
    // The file each file belongs under; a chain of parents ends at a file that names none of them.
    let top = |mut index: usize| {
        for _ in 0..places.len() {
            let above = heads.get(index).and_then(|head| head.parent.as_deref());
            match above.and_then(|id| owner.get(id)) {
                Some(above) if *above != index => index = *above,
                _ => break,
            }
        }
        index
    };
    let tops: Vec<usize> = (0..places.len()).map(top).collect();
    let mut families: Vec<(usize, Vec<Place>)> = Vec::new();
    for (index, place) in places.iter().enumerate() {
        let top = tops.get(index).copied().unwrap_or(index);
        match families.iter_mut().find(|(of, _)| *of == top) {
            Some((_, family)) if index == top => family.insert(0, place.clone()),
            Some((_, family)) => family.push(place.clone()),
            None => families.push((top, vec![place.clone()])),
        }
    }
    families.into_iter().map(|(_, family)| family).collect()
}

/// What the first lines of a log say of its session.
#[derive(Debug, Default)]
struct Head {
    id: Option<String>,
    parent: Option<String>,
}

impl Head {
    /// Standard input cannot be read twice and is a family of its own.
    fn read(place: &Place) -> Self {
        let Place::File(path) = place else { return Self::default() };
        let Ok(mut lines) = Lines::open(path) else { return Self::default() };
        let mut reader = Reader::default();
        for _ in 0..HEAD_LINES {
            let Ok(Some(line)) = lines.next() else { break };
            let Ok(heard) = line.bytes.and_then(|bytes| reader.read(&bytes)) else { continue };
            if reader.format() == super::log::Format::Own {
                break;
            }
            // A line of a sub-agent in a file of its own opens its parent first and then itself.
            let opened = heard.entries.iter().rev().find_map(|entry| match &entry.said {
                Said::Opens { parent, .. } => Some((entry.session.clone(), parent.clone())),
                _ => None,
            });
            if let Some((id, parent)) = opened {
                return Self { id, parent };
            }
        }
        Self::default()
    }
}
