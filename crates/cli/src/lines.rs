//! Lines of input, one by one, from a file or standard input.

use crate::failure::Failure;
use crate::words::Words;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, IsTerminal, Read};
use std::path::Path;

/// Longest line that is kept, in bytes (64 MiB). What is longer is a bad line, not half a line.
const MAX_LINE_BYTES: u64 = 64 << 20;
/// Most bytes that a compressed file may hold (4 GiB): a small file must not fill the memory.
const MAX_UNPACKED_BYTES: u64 = 4 << 30;
/// How a zstd frame begins.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// A line with its number, from 1, without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub number: usize,
    /// The bytes, or what is wrong with them.
    pub bytes: Result<Vec<u8>, String>,
}

/// Reads lines.
pub struct Lines {
    reader: BufReader<Box<dyn Read>>,
    number: usize,
    /// Bytes taken so far, for a progress bar.
    taken: u64,
}

impl Lines {
    /// Standard input.
    pub fn standard_input() -> Self {
        Self::new(Box::new(io::stdin()))
    }

    /// A file; zstd frames are unpacked.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let mut head = Vec::new();
        (&mut file).take(ZSTD.len() as u64).read_to_end(&mut head)?;
        if head != ZSTD {
            return Ok(Self::new(Box::new(Cursor::new(head).chain(file))));
        }
        let mut packed = head;
        file.read_to_end(&mut packed)?;
        Ok(Self::new(Box::new(Cursor::new(unpack(&packed)?))))
    }

    fn new(reader: Box<dyn Read>) -> Self {
        Self { reader: BufReader::with_capacity(1 << 16, reader), number: 0, taken: 0 }
    }

    /// The next line that is not blank.
    pub fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let mut bytes = Vec::new();
            let taken = (&mut self.reader).take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes)?;
            if taken == 0 {
                return Ok(None);
            }
            self.number += 1;
            self.taken += taken as u64;
            let number = self.number;
            if taken as u64 == MAX_LINE_BYTES && bytes.last() != Some(&b'\n') {
                self.taken += skip_line(&mut self.reader)?;
                let message = format!("longer than {MAX_LINE_BYTES} bytes");
                return Ok(Some(Line { number, bytes: Err(message) }));
            }
            let start = if number == 1 && bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
            let trimmed = bytes.get(start..).unwrap_or_default().trim_ascii();
            if !trimmed.is_empty() {
                return Ok(Some(Line { number, bytes: Ok(trimmed.to_vec()) }));
            }
        }
    }

    /// Whether the next line may take a while, so that what is ready should be sent first.
    pub fn would_wait(&self) -> bool {
        self.reader.buffer().is_empty()
    }

    /// Bytes taken so far.
    pub fn taken(&self) -> u64 {
        self.taken
    }
}

fn skip_line(reader: &mut impl BufRead) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        let buffer = reader.fill_buf()?;
        let (used, ended) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(place) => (place + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        reader.consume(used);
        skipped += used as u64;
        if ended {
            return Ok(skipped);
        }
    }
}

/// Every frame of a zstd file. A last frame that was cut off (the host died while it wrote) gives what
/// can be read of it.
fn unpack(packed: &[u8]) -> io::Result<Vec<u8>> {
    let mut rest = packed;
    let mut out = Vec::new();
    while !rest.is_empty() {
        let room = MAX_UNPACKED_BYTES.saturating_sub(out.len() as u64);
        let frame = ruzstd::decoding::StreamingDecoder::new(&mut rest).map_err(io::Error::other);
        match frame.and_then(|frame| frame.take(room).read_to_end(&mut out)) {
            Ok(_) if out.len() as u64 >= MAX_UNPACKED_BYTES => {
                return Err(io::Error::other(format!("holds more than {MAX_UNPACKED_BYTES} bytes unpacked")));
            }
            Ok(_) => {}
            Err(_) if !out.is_empty() => {
                // The reader of lines finds the half line at the end and names it.
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(out)
}

/// What is wrong with a line of JSON: the line is the only one its reader sees.
pub fn on_one_line(message: &str) -> String {
    message.replace(" at line 1 column ", " at column ")
}

/// Standard input, unless a person sits there who was asked for nothing.
pub fn piped(words: Words, what: &str) -> Result<Lines, Failure> {
    if io::stdin().is_terminal() {
        return Err(Failure::Usage(words.text("error.nothing_given", &[("what", what)])));
    }
    Ok(Lines::standard_input())
}

/// The whole of standard input as text.
pub fn piped_text(words: Words, what: &str) -> Result<String, Failure> {
    if io::stdin().is_terminal() {
        return Err(Failure::Usage(words.text("error.nothing_given", &[("what", what)])));
    }
    let mut bytes = Vec::new();
    io::stdin().take(MAX_LINE_BYTES).read_to_end(&mut bytes)?;
    if bytes.trim_ascii().is_empty() {
        return Err(Failure::Failed(words.plain("error.empty_input")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to().to_string();
        Failure::Failed(words.text("error.not_utf8", &[("place", &place)]))
    })
}
