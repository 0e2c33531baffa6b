//! A text with marks under the words that decided how it was read.

use crate::failure::Failure;
use crate::out::{ASK, BAD, FAINT, GOOD, NOTE, Out, padded, paint, shortened, visible, width};
use crate::words::Words;
use anstyle::Style;
use plan_gate::{Explanation, Span, SpanKind};
use std::io::Write;
use unicode_width::UnicodeWidthStr;

/// Most marked words that are named under the text.
const MOST_WORDS: usize = 24;

/// How a kind of words is marked: sign, style, key of its text.
fn mark(kind: SpanKind) -> (char, Style, &'static str) {
    match kind {
        SpanKind::Approval => ('=', GOOD, "span.approval"),
        SpanKind::Negated => ('x', BAD, "span.negated"),
        SpanKind::Past => ('<', BAD, "span.past"),
        SpanKind::Negator => ('!', BAD, "span.negator"),
        SpanKind::Question => ('?', BAD, "span.question"),
        SpanKind::Filler => ('.', FAINT, "span.filler"),
        SpanKind::Quote => ('"', NOTE, "span.quote"),
        SpanKind::Residue => ('~', ASK, "span.residue"),
    }
}

/// Two rows, text above marks, filled up to a width.
#[derive(Default)]
struct Rows {
    text: String,
    marks: String,
    columns: usize,
    marked: bool,
}

impl Rows {
    fn push(&mut self, text: &str, kind: Option<SpanKind>) {
        let columns = text.width();
        self.columns += columns;
        match kind.map(mark) {
            Some((sign, style, _)) => {
                self.marked = true;
                self.text.push_str(&paint(style, text));
                self.marks.push_str(&paint(style, &sign.to_string().repeat(columns)));
            }
            None => {
                self.text.push_str(text);
                self.marks.push_str(&" ".repeat(columns));
            }
        }
    }

    fn send(&mut self, out: &mut Out) -> std::io::Result<()> {
        writeln!(out, "  {}", self.text)?;
        if self.marked {
            writeln!(out, "  {}", self.marks.trim_end())?;
        }
        *self = Self::default();
        Ok(())
    }
}

/// The text with its marks, then what each mark stands for.
pub fn show(text: &str, explanation: &Explanation, words: Words, out: &mut Out) -> Result<(), Failure> {
    let columns = width().saturating_sub(4);
    let mut rows = Rows::default();
    for (place, c) in text.trim_end().char_indices() {
        if c == '\n' {
            rows.send(out)?;
            continue;
        }
        let mut room = [0; 4];
        let shown = visible(c.encode_utf8(&mut room));
        if rows.columns + shown.width() > columns {
            rows.send(out)?;
        }
        rows.push(&shown, kind_at(&explanation.spans, place));
    }
    rows.send(out)?;
    writeln!(out)?;
    let named: Vec<&Span> = explanation.spans.iter().filter(|span| !span.text.trim().is_empty()).collect();
    let shown: Vec<(String, &Span)> =
        named.iter().take(MOST_WORDS).map(|span| (shortened(&span.text, 40), *span)).collect();
    let widest = shown.iter().map(|(text, _)| text.width()).max().unwrap_or(0);
    for (text, span) in shown {
        let (sign, style, key) = mark(span.what);
        let phrase = match &span.phrase {
            Some(phrase) if *phrase != span.text => words.text("classify.phrase", &[("phrase", phrase)]),
            _ => String::new(),
        };
        let text = paint(style, &padded(&text, widest));
        writeln!(out, "  {} {text}  {}{phrase}", paint(style, &sign.to_string()), words.plain(key))?;
    }
    if let Some(more) = named.len().checked_sub(MOST_WORDS).filter(|more| *more > 0) {
        writeln!(out, "  {}", words.text("classify.more", &[("count", &more.to_string())]))?;
    }
    Ok(())
}

fn kind_at(spans: &[Span], place: usize) -> Option<SpanKind> {
    let index = spans.partition_point(|span| span.end <= place);
    spans.get(index).filter(|span| span.start <= place).map(|span| span.what)
}
