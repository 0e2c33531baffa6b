//! Little languages in arguments: sed and awk, as far as they can run or write something.

use super::cover::Call;
use super::why;
use crate::shell::{Marks, Word};

/// Whether every sed script among the words only edits the stream.
pub(super) fn sed(call: &Call<'_>, fixed: usize) -> Result<(), &'static str> {
    let mut words = call.words.iter().enumerate().skip(1);
    let mut given = false;
    let mut first = None;
    while let Some((index, word)) = words.next() {
        let text = word.text();
        if text == "-e" || text == "--expression" {
            given = true;
            let Some((index, script)) = words.next() else { return Err(why::SCRIPT) };
            check(index >= fixed, script, sed_is_plain, why::SCRIPT)?;
        } else if let Some(script) = text.strip_prefix("--expression=") {
            given = true;
            if index >= fixed && !(word.certain() && sed_is_plain(script)) {
                return Err(why::SCRIPT);
            }
        } else if text.starts_with("--") && word.certain() {
            let known = [
                "",
                "quiet",
                "silent",
                "regexp-extended",
                "posix",
                "null-data",
                "separate",
                "sandbox",
                "debug",
                "unbuffered",
                "follow-symlinks",
            ];
            if index >= fixed && !text.get(2..).is_some_and(|name| known.contains(&name)) {
                return Err(why::SCRIPT);
            }
        } else if text.starts_with('-') && text.len() > 1 && word.certain() {
            let letters = text.trim_start_matches('-');
            if letters.ends_with('l') && !letters.contains('e') {
                words.next();
            } else if letters.contains('e') {
                // `-ne script`: the script is the rest of the word, or the next one.
                given = true;
                let rest = letters.split_once('e').map_or("", |(_, rest)| rest);
                if rest.is_empty() {
                    let Some((index, script)) = words.next() else { return Err(why::SCRIPT) };
                    check(index >= fixed, script, sed_is_plain, why::SCRIPT)?;
                } else if index >= fixed && !sed_is_plain(rest) {
                    return Err(why::SCRIPT);
                }
            }
        } else if first.is_none() {
            first = Some((index, word));
        }
    }
    match first {
        Some((index, script)) if !given => check(index >= fixed, script, sed_is_plain, why::SCRIPT),
        _ => Ok(()),
    }
}

fn check(
    open: bool,
    word: &Word<'_>,
    plain: fn(&str) -> bool,
    why: &'static str,
) -> Result<(), &'static str> {
    if !open || word.known().is_some_and(plain) { Ok(()) } else { Err(why) }
}

/// Whether a sed script holds none of `e`, `w`, `W`, `r` nor the flags `e` and `w`. Anything that
/// is not understood counts as one of them.
fn sed_is_plain(script: &str) -> bool {
    let mut sed = Sed { rest: script };
    sed.commands()
}

struct Sed<'s> {
    rest: &'s str,
}

impl Sed<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = self.rest.get(c.len_utf8()..).unwrap_or_default();
        Some(c)
    }

    fn skip(&mut self, skipped: impl Fn(char) -> bool) {
        self.rest = self.rest.trim_start_matches(skipped);
    }

    fn commands(&mut self) -> bool {
        loop {
            self.skip(|c| matches!(c, ' ' | '\t' | '\n' | ';' | '}'));
            if self.rest.is_empty() {
                return true;
            }
            if !(self.addresses() && self.command()) {
                return false;
            }
        }
    }

    fn addresses(&mut self) -> bool {
        if !self.address() {
            return false;
        }
        self.skip(|c| c == ' ');
        if self.peek() == Some(',') {
            self.next();
            self.skip(|c| c == ' ');
            if !self.address() {
                return false;
            }
        }
        self.skip(|c| matches!(c, ' ' | '!'));
        true
    }

    /// A line number, `$`, `/regex/`, `\cregexc`, or nothing.
    fn address(&mut self) -> bool {
        match self.peek() {
            Some('0'..='9' | '$' | '+' | '~') => {
                self.skip(|c| c.is_ascii_digit() || matches!(c, '$' | '+' | '~'));
                true
            }
            Some('/') => {
                self.next();
                self.until('/') && self.regex_flags()
            }
            Some('\\') => {
                self.next();
                self.next().is_some_and(|delimiter| self.until(delimiter)) && self.regex_flags()
            }
            _ => true,
        }
    }

    fn regex_flags(&mut self) -> bool {
        self.skip(|c| matches!(c, 'I' | 'M'));
        true
    }

    /// Over a text up to a delimiter. A bracket expression may hold the delimiter: not understood.
    fn until(&mut self, delimiter: char) -> bool {
        if delimiter == '\\' || delimiter == '\n' || delimiter.is_ascii_alphanumeric() {
            return false;
        }
        let mut bracket = false;
        loop {
            match self.next() {
                None => return false,
                Some('\\') => {
                    if self.next().is_none() {
                        return false;
                    }
                }
                Some(c) if c == delimiter => return !bracket,
                Some('[') => bracket = true,
                Some(']') => bracket = false,
                Some(_) => {}
            }
        }
    }

    fn command(&mut self) -> bool {
        match self.next() {
            Some('{') => true,
            Some('p' | 'P' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'x' | '=' | 'z' | 'F') => {
                self.ends()
            }
            Some('q' | 'Q' | 'l') => {
                self.skip(|c| c == ' ' || c.is_ascii_digit());
                self.ends()
            }
            Some('s') => self.substitute(),
            Some('y') => self.next().is_some_and(|c| self.until(c) && self.until(c)) && self.ends(),
            Some('b' | 't' | 'T' | ':') => {
                self.skip(|c| c == ' ' || c.is_alphanumeric() || matches!(c, '_' | '-'));
                self.ends()
            }
            // Their text goes on to the end of the line.
            Some('a' | 'i' | 'c') => {
                let line = self.rest.split('\n').next().unwrap_or_default();
                let more = line.ends_with('\\') && !line.trim_start().eq("\\");
                if line.trim_start() == "\\" {
                    let length = (line.len() + 1).min(self.rest.len());
                    self.rest = self.rest.get(length..).unwrap_or_default();
                    let text = self.rest.split('\n').next().unwrap_or_default();
                    let more = text.ends_with('\\');
                    self.rest = self.rest.get(text.len()..).unwrap_or_default();
                    return !more;
                }
                self.rest = self.rest.get(line.len()..).unwrap_or_default();
                !more
            }
            Some('#') => {
                let line = self.rest.split('\n').next().unwrap_or_default().len();
                self.rest = self.rest.get(line..).unwrap_or_default();
                true
            }
            _ => false,
        }
    }

    fn substitute(&mut self) -> bool {
        let Some(delimiter) = self.next() else { return false };
        if !self.until(delimiter) || !self.until(delimiter) {
            return false;
        }
        self.skip(|c| matches!(c, 'g' | 'p' | 'i' | 'I' | 'm' | 'M') || c.is_ascii_digit());
        self.ends()
    }

    fn ends(&mut self) -> bool {
        self.skip(|c| c == ' ' || c == '\t');
        matches!(self.peek(), None | Some(';' | '\n' | '}' | '#'))
    }
}

/// What makes TeX run a program or open a file.
pub(super) const TEX: &[&str] =
    &["\\write", "\\openout", "\\input|", "\\directlua", "\\immediate", "\\catcode", "\\csname"];

/// What makes a database client run a program or reach a file, in lower case.
pub(super) const SQL: &[&str] = &[
    "\\!",
    "\\o",
    "\\g",
    "\\w",
    "\\i",
    "\\copy",
    "\\e",
    "\\set",
    "\\c ",
    "\\s",
    "program",
    "copy ",
    "outfile",
    "dumpfile",
    "infile",
    "load_file",
    "load_extension",
    ".shell",
    ".system",
    ".import",
    ".output",
    ".once",
    ".read",
    ".load",
    ".open",
    ".save",
    ".backup",
    ".dump",
    ".excel",
    ".log",
    ".trace",
    "edit(",
    "writefile",
    "attach",
    "vacuum into",
    "system",
    "tee ",
    "pager",
    "source ",
    "xp_",
    "sys_",
    "lo_export",
    "lo_import",
    "pg_read",
    "pg_write",
    "create function",
    "create extension",
    "eval",
    "httpget",
    "install ",
    "\\! ",
    "module load",
    "config set",
    "slaveof",
    "replicaof",
    "bgsave",
    "save",
    "into ",
];

/// Whether none of the open words holds one of the texts, and none is computed.
pub(super) fn without(call: &Call<'_>, fixed: usize, texts: &[&str]) -> Result<(), &'static str> {
    let plain = |word: &Word<'_>| {
        word.known().is_some_and(|text| {
            let text = text.to_ascii_lowercase();
            !texts.iter().any(|other| text.contains(other))
        })
    };
    if call.words.iter().skip(fixed.max(1)).all(plain) { Ok(()) } else { Err(why::SCRIPT) }
}

/// Whether the awk program among the words only prints.
pub(super) fn awk(call: &Call<'_>, fixed: usize) -> Result<(), &'static str> {
    let mut words = call.words.iter().enumerate().skip(1);
    while let Some((index, word)) = words.next() {
        let Some(text) = word.known() else { return Err(why::SCRIPT) };
        if text == "--" {
            continue;
        }
        if matches!(text, "-F" | "-v" | "--field-separator" | "--assign") {
            // A value that may become several words may become a program.
            let many = Marks::SPLITS.with(Marks::GLOB).with(Marks::BRACE);
            if words.next().is_some_and(|(_, value)| value.marks().has(many)) {
                return Err(why::SCRIPT);
            }
            continue;
        }
        if text.starts_with('-') && text.len() > 1 {
            let plain = text.starts_with("-F")
                || text.starts_with("-v")
                || text.starts_with("--field-separator=")
                || text.starts_with("--assign=")
                || text == "--posix";
            if index >= fixed && !plain {
                return Err(why::SCRIPT);
            }
            continue;
        }
        return if index < fixed || awk_is_plain(text) { Ok(()) } else { Err(why::SCRIPT) };
    }
    Ok(())
}

/// Whether an awk program holds no `system`, no `getline`, no pipe, no redirection and no extension.
fn awk_is_plain(program: &str) -> bool {
    let mut chars = program.chars().peekable();
    let mut word = String::new();
    // The last thing that was not a blank: decides whether `/` begins a pattern or divides.
    let mut operand = false;
    let mut printing = false;
    while let Some(c) = chars.next() {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            operand = true;
            continue;
        }
        if !word.is_empty() {
            if matches!(word.as_str(), "system" | "getline" | "close" | "fflush") {
                return false;
            }
            if matches!(word.as_str(), "print" | "printf") {
                printing = true;
                operand = false;
            }
            if word == "return" || word == "in" {
                operand = false;
            }
            word.clear();
        }
        match c {
            ' ' | '\t' => {}
            '"' => {
                loop {
                    match chars.next() {
                        Some('\\') => drop(chars.next()),
                        Some('"') => break,
                        Some(_) => {}
                        None => return false,
                    }
                }
                operand = true;
            }
            '/' if !operand => {
                loop {
                    match chars.next() {
                        Some('\\') => drop(chars.next()),
                        Some('[') => return false,
                        Some('/') => break,
                        Some(_) => {}
                        None => return false,
                    }
                }
                operand = true;
            }
            '|' if chars.peek() == Some(&'|') => {
                chars.next();
                operand = false;
            }
            '|' | '@' | '\\' | '`' => return false,
            '>' if printing => return false,
            ';' | '}' | '\n' | '{' => {
                printing = false;
                operand = false;
            }
            ')' | ']' | '$' => operand = c != '$',
            '+' | '-' if chars.peek() == Some(&c) => {
                chars.next();
            }
            _ => operand = false,
        }
    }
    !matches!(word.as_str(), "system" | "getline" | "close" | "fflush")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sed_scripts() {
        for plain in [
            "1,5p",
            "s/a/b/g",
            "$d",
            "/x/d",
            "s#a/b#c#g;s/x/y/2",
            "/a/,/b/p",
            "1~2p",
            "y/abc/xyz/",
            "/x/{s/a/b/;p}",
            "5q",
            "s/[0-9]*//",
            "2!d",
            "/a/I,+3d",
            ":a;N;$!ba;s/\\n/ /g",
            "1i hello",
            "s/a/b/;# note",
            "=",
            "s|/|_|g",
        ] {
            assert!(sed_is_plain(plain), "{plain}");
        }
        for other in [
            "s/a/b/e",
            "s/a/b/w out",
            "w out",
            "1e id",
            "e",
            "1,5w x",
            "/x/w y",
            "r /etc/passwd",
            "s/a/b/gw x",
            "s/[/]/b/",
            "R x",
            "a\\\nx\\",
            "s/a/b",
            "W x",
            "1!e id",
            "{w x\n}",
            "s,a,b,we",
            "$!{e id\n}",
        ] {
            assert!(!sed_is_plain(other), "{other}");
        }
    }

    #[test]
    fn awk_programs() {
        for plain in [
            "{print $1}",
            "NR==1 || /foo|bar/ {print $2}",
            "$1 > 5 {print}",
            "END {print s/NR}",
            "BEGIN{FS=\":\"} {s+=$1} END{print s}",
            "{ if ($3 > 10) { print \"a | b > c\" } }",
            "!seen[$0]++",
        ] {
            assert!(awk_is_plain(plain), "{plain}");
        }
        for other in [
            "BEGIN{system(\"id\")}",
            "{print > \"f\"}",
            "{print | \"sh\"}",
            "\"id\" | getline",
            "{printf \"x\" >> \"f\"}",
            "@load \"x\"",
            "BEGIN { while ((\"id\" | getline l) > 0) print l }",
            "{ print $1 > $2 }",
            "{print(1) > \"f\"}",
        ] {
            assert!(!awk_is_plain(other), "{other}");
        }
    }
}
