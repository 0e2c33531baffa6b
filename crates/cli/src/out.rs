//! Standard output, for people and for programs, and what may be written to a terminal.

use anstyle::{AnsiColor, Style};
use plan_gate_core::hidden_character;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub const GOOD: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Green)));
pub const BAD: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Red)));
pub const ASK: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Yellow)));
pub const NOTE: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Cyan)));
pub const STRONG: Style = Style::new().bold();
pub const FAINT: Style = Style::new().dimmed();

/// Narrower than this nothing is laid out, wider than this nothing is read.
const WIDTHS: (usize, usize) = (40, 110);
/// The width where nobody says it, so that a file or a pipe gets the same text everywhere.
const WIDTH: usize = 100;

/// Standard output. Written to in pieces, sent in one go.
pub struct Out(BufWriter<Box<dyn Write>>);

impl Out {
    /// With colours where the terminal and its user want them.
    pub fn for_people() -> Self {
        Self(BufWriter::new(Box::new(anstream::stdout().lock())))
    }

    /// Byte for byte.
    pub fn for_programs() -> Self {
        Self(BufWriter::with_capacity(1 << 16, Box::new(io::stdout().lock())))
    }

    /// Writes a value as one line of JSON.
    pub fn json<T: serde::Serialize + ?Sized>(&mut self, value: &T) -> io::Result<()> {
        serde_json::to_writer(&mut self.0, value)?;
        self.0.write_all(b"\n")
    }

    /// Writes a value as JSON for reading.
    pub fn pretty_json<T: serde::Serialize + ?Sized>(&mut self, value: &T) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut self.0, value)?;
        self.0.write_all(b"\n")
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The text in a style.
pub fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// How many columns there are to write in.
pub fn width() -> usize {
    let columns = terminal_size::terminal_size().map_or(WIDTH, |(columns, _)| usize::from(columns.0));
    columns.clamp(WIDTHS.0, WIDTHS.1)
}

/// Text of others with everything made visible that could move the cursor, change colours or hide
/// words: the reader must see what a log holds, and nothing a log holds may play the terminal.
pub fn visible(text: &str) -> Cow<'_, str> {
    if hidden_character(text, true).is_none() && !text.contains('\t') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\t' => out.push_str("  "),
            '\r' if characters.peek() == Some(&'\n') => {}
            _ if hidden_character(c.encode_utf8(&mut [0; 4]), true).is_some() => {
                let _ = write!(out, "<U+{:04X}>", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The same on one line.
pub fn line(text: &str) -> String {
    visible(text).trim_end().replace('\n', "⏎")
}

/// The beginning of a line, with `…` where something was left out.
pub fn shortened(text: &str, columns: usize) -> String {
    let text = line(text);
    if text.width() <= columns {
        return text;
    }
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used >= columns {
            break;
        }
        out.push(c);
    }
    out.push('…');
    out
}

/// The text, blanks added up to `columns`.
pub fn padded(text: &str, columns: usize) -> String {
    let blanks = columns.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(blanks))
}

/// The text of others, wrapped to `columns`; every line of it is at least one line here.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    visible(text)
        .trim_end()
        .lines()
        .flat_map(|line| match line.trim() {
            "" => vec![String::new()],
            _ => textwrap::wrap(line, columns.max(8)).into_iter().map(Cow::into_owned).collect(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_log_plays_the_terminal() {
        assert_eq!(visible("a\u{1b}[31mb"), "a<U+001B>[31mb");
        assert_eq!(visible("a\u{202e}b\tc\r\nd"), "a<U+202E>b  c\nd");
        assert_eq!(visible("a\rb"), "a<U+000D>b");
        assert!(matches!(visible("短信 ✓\n"), Cow::Borrowed(_)));
        assert_eq!(line("a\nb\n"), "a⏎b");
    }

    #[test]
    fn columns_are_counted_as_terminals_do() {
        assert_eq!(padded("短信", 6), "短信  ");
        assert_eq!(shortened("短信登录", 8), "短信登录");
        assert_eq!(shortened("短信登录", 7), "短信登…");
        assert_eq!(shortened("abcdef", 4), "abc…");
        assert_eq!(wrapped("短信登录短信登录\n\nab", 8), ["短信登录", "短信登录", "", "ab"]);
    }
}
