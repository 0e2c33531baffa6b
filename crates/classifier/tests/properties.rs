//! What must hold for every message, not only for those somebody thought of.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test fails loudly")]

use plan_gate_classifier::{Classifier, lookalikes};
use plan_gate_core::ReplyKind;
use proptest::prelude::*;
use std::sync::LazyLock;

static CLASSIFIER: LazyLock<Classifier> = LazyLock::new(|| Classifier::new(&[]).unwrap());

/// Replies known to approve, from the case files.
static APPROVALS: LazyLock<Vec<String>> = LazyLock::new(|| {
    ["approvals_en", "approvals_zh", "approvals_more"]
        .iter()
        .flat_map(|name| {
            let file = format!("{}/tests/cases/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
            std::fs::read_to_string(file).unwrap().lines().map(text_of).collect::<Vec<_>>()
        })
        .collect()
});

/// Sentences that approve nothing, from the lexicon.
static OTHERS: LazyLock<Vec<String>> =
    LazyLock::new(|| lookalikes().unwrap().into_iter().flat_map(|entry| entry.sentences).collect());

fn text_of(line: &str) -> String {
    let case: serde_json::Value = serde_json::from_str(line).unwrap();
    case["text"].as_str().unwrap().to_owned()
}

fn kind(text: &str) -> ReplyKind {
    CLASSIFIER.classify(text).kind
}

fn approval() -> impl Strategy<Value = String> {
    (0..APPROVALS.len()).prop_map(|index| APPROVALS[index].clone())
}

/// Bits of what people write, real words among rubbish.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => approval(),
        2 => (0..OTHERS.len()).prop_map(|index| OTHERS[index].clone()),
        2 => prop::sample::select(vec![
            "，", "。", "\n", " ", "?", "？", "吗", "不", "没", "not ", "no ", "don't ", "了", "吧", "`", "```\n",
            "> ", "\"", "“", "”", "「", "」", "[request interrupted by user]", "[Image #1]", "@a.rs", "/x", "👍",
            "👎", "🏽", "\u{fe0f}", "\u{200d}", "\u{301}", "Ａ", "　", "…", "but ", "就", "re", "ok", "好",
        ]).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// Content that no list can call filler: letters and digits of a made-up word.
fn content() -> impl Strategy<Value = String> {
    prop_oneof!["zq[a-z]{3,8}", "[0-9]{2,5}", "(登录|端口|缓存|数据库|日志)[0-9]", "zq[a-z]{2,4}\\.(txt|rs)"]
}

fn wide(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '!'..='~' => char::from_u32(c as u32 + 0xfee0).unwrap(),
            ' ' => '\u{3000}',
            _ => c,
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// No message makes it panic; spans and notes lie in the message, on character boundaries, in order.
    #[test]
    fn every_message_is_read(text in soup()) {
        let reading = CLASSIFIER.classify(&text);
        prop_assert_eq!(reading.why.is_some(), reading.kind == ReplyKind::Other);
        prop_assert_eq!(reading.note.is_some(), reading.kind == ReplyKind::Amend);
        if let Some(note) = reading.note {
            prop_assert!(text.contains(note) && !note.is_empty());
        }
        let explanation = CLASSIFIER.explain(&text);
        prop_assert_eq!(explanation.verdict, reading.kind);
        prop_assert_eq!(explanation.rule, reading.rule);
        let mut end = 0;
        for span in &explanation.spans {
            prop_assert!(end <= span.start && span.start <= span.end, "{:?}", explanation);
            prop_assert_eq!(text.get(span.start..span.end), Some(span.text.as_str()));
            end = span.end;
        }
    }

    /// An approval with content beside it is no approval any more.
    #[test]
    fn content_beside_an_approval_is_never_approved(
        yes in approval(), word in content(), joint in "( |\n|, |，|。|\\. )", first in any::<bool>(),
    ) {
        let text = if first { format!("{word}{joint}{yes}") } else { format!("{yes}{joint}{word}") };
        prop_assert_ne!(kind(&text), ReplyKind::Approve, "{}", text);
    }

    /// Blanks around it, case, width and a friendly emoji behind it change nothing.
    #[test]
    fn dress_does_not_matter(text in soup(), blanks in "[ \t\n\u{3000}\u{200b}]{0,5}") {
        let reading = CLASSIFIER.classify(&text);
        let same = |other: &str| {
            let other = CLASSIFIER.classify(other);
            (other.kind, other.why) == (reading.kind, reading.why)
        };
        prop_assert!(same(&format!("{blanks}{text}{blanks}")), "blanks {:?}", text);
        prop_assert!(same(&text.to_ascii_uppercase()), "upper case {:?}", text);
        prop_assert!(same(&text.to_ascii_lowercase()), "lower case {:?}", text);
    }

    /// As above, for approvals, where width and emoji mean the same.
    #[test]
    fn an_approval_may_be_wide_or_smile(yes in approval(), emoji in "(😊|🙏|🎉|🚀|😄)") {
        prop_assert_eq!(kind(&wide(&yes)), ReplyKind::Approve, "wide {}", yes);
        prop_assert_eq!(kind(&format!("{yes}{emoji}")), ReplyKind::Approve, "emoji {}", yes);
        prop_assert_eq!(kind(&format!("{yes} {emoji}")), ReplyKind::Approve, "emoji {}", yes);
    }

    /// A negated approval approves nothing.
    #[test]
    fn a_negated_approval_is_none(
        yes in approval(),
        negator in prop::sample::select(vec!["不", "别", "没", "不要", "没有", "先别", "not ", "don't ", "do not ", "never ", "no, "]),
    ) {
        prop_assert_ne!(kind(&format!("{negator}{yes}")), ReplyKind::Approve);
    }

    /// A question mark behind an approval makes it a question.
    #[test]
    fn an_approval_with_a_question_mark_is_a_question(yes in approval(), mark in "(\\?|？| \\?|吗|吗？)") {
        prop_assert_ne!(kind(&format!("{yes}{mark}")), ReplyKind::Approve);
    }

    /// Someone else's words approve nothing.
    #[test]
    fn a_quoted_approval_is_none(yes in approval()) {
        for (open, close) in [
            ("\"", "\""), ("“", "”"), ("「", "」"), ("『", "』"), ("《", "》"), ("`", "`"), ("``", "``"),
            ("```\n", "\n```"), ("~~~\n", "\n~~~"), ("> ", ""), ("'", "'"), ("(", ")"), ("（", "）"),
        ] {
            let text = format!("{open}{yes}{close}");
            prop_assert_ne!(kind(&text), ReplyKind::Approve, "{}", text);
        }
    }
}

/// The lists the properties draw from are not empty.
#[test]
fn there_is_something_to_draw_from() {
    assert!(APPROVALS.len() > 400 && OTHERS.len() > 300);
    for text in APPROVALS.iter() {
        assert_eq!(kind(text), ReplyKind::Approve, "{text}");
    }
}
