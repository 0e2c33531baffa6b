//! The extra words of a configuration, bytes, languages, markers: what is not in the case files.

use plan_gate_classifier::{Classifier, SpanKind};
use plan_gate_core::{ErrorKind, Language, OtherWhy, ReplyKind};

fn with(words: &[&str]) -> Result<Classifier, plan_gate_core::Error> {
    Classifier::new(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
}

#[test]
fn configured_words_approve_between_boundaries() {
    let classifier = with(&["Ship It", "发车", "ＹＯＬＯ", "🟢"]).unwrap();
    for text in
        ["ship it", "SHIP IT!", "ok, ship it", "发车", "发车吧", "好的，发车", "yolo", "🟢", "ship it 👍"]
    {
        assert_eq!(classifier.classify(text).kind, ReplyKind::Approve, "{text}");
    }
    for text in [
        "ship itself",
        "don't ship it",
        "别发车",
        "发车时间",
        "发车吗",
        "ship it?",
        "`ship it`",
        "yolov8",
        "not yolo",
        "they ship it tomorrow",
    ] {
        assert_ne!(classifier.classify(text).kind, ReplyKind::Approve, "{text}");
    }
    let reading = classifier.classify("ship it, but skip the docs");
    assert_eq!((reading.kind, reading.note), (ReplyKind::Amend, Some("but skip the docs")));
    assert_ne!(Classifier::new(&[]).unwrap().classify("ship it").kind, ReplyKind::Approve);
}

#[test]
fn words_that_cannot_approve_are_refused_with_the_reason() {
    for (word, why) in [
        ("", "empty"),
        (" \u{3000}\u{200b}", "empty"),
        ("...", "punctuation"),
        ("no", "negator"),
        ("不", "negator"),
        ("don't", "negator"),
        ("不行", "negat"),
        ("not ok", "negates"),
        ("不同意", "negates"),
        ("可以吗", "question"),
        ("行不行", "question"),
        ("why not", "question"),
        ("go?", "question"),
        ("吧", "particle"),
        ("了", "particle"),
        ("2", "no letter"),
        ("`go`", "quotation"),
        ("“好”", "quotation"),
        ("a\nb", "line break"),
    ] {
        let error = with(&["fine word", word]).expect_err(word);
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{word}");
        assert!(error.message().contains("`approvalWords[1]`"), "{word}: {error}");
        assert!(error.message().contains(why), "{word}: {error}");
    }
    let many: Vec<String> = (0..1001).map(|index| format!("word {index}")).collect();
    assert!(Classifier::new(&many).unwrap_err().message().contains("limit is 1000"));
    assert!(with(&[&"x".repeat(5000)]).unwrap_err().message().contains("longer"));
}

#[test]
fn bytes_that_are_no_text_are_an_error() {
    let classifier = Classifier::new(&[]).unwrap();
    let error = classifier.classify_bytes(b"ok \xff").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidUtf8);
    assert!(error.message().contains("byte 3"));
    assert_eq!(classifier.classify_bytes("同意".as_bytes()).unwrap().kind, ReplyKind::Approve);
}

#[test]
fn the_language_is_told_by_the_letters() {
    let classifier = Classifier::new(&[]).unwrap();
    for (text, language) in [
        ("ok", Some(Language::En)),
        ("同意", Some(Language::Zh)),
        ("同意，把结果写进 b.txt", Some(Language::Zh)),
        ("rename the 标题 column in the users table", Some(Language::En)),
        ("👍", None),
        ("42", None),
        ("", None),
        ("sí, adelante", Some(Language::En)),
    ] {
        assert_eq!(classifier.classify(text).language, language, "{text}");
    }
}

#[test]
fn what_a_harness_inserts_is_not_read() {
    let classifier = Classifier::new(&[]).unwrap();
    for (text, kind, why) in [
        ("[Request interrupted by user]", ReplyKind::Other, Some(OtherWhy::Interrupted)),
        ("[Request interrupted by user for tool use]", ReplyKind::Other, Some(OtherWhy::Interrupted)),
        ("[Image #1]", ReplyKind::Other, Some(OtherWhy::Empty)),
        ("[Request interrupted by user]\ngo ahead", ReplyKind::Approve, None),
        ("[Image #1] 同意", ReplyKind::Approve, None),
        ("[Image #1] 同意 [Image #2]", ReplyKind::Approve, None),
        ("[Request interrupted by user\ngo ahead", ReplyKind::Amend, None),
    ] {
        let reading = classifier.classify(text);
        assert_eq!((reading.kind, reading.why), (kind, why), "{text}");
    }
}

#[test]
fn an_explanation_names_the_stretches_of_the_original() {
    let classifier = Classifier::new(&[]).unwrap();
    let explanation = classifier.explain("  ＯＫ, 不要改 `ok`？");
    assert_eq!(explanation.why, Some(OtherWhy::Question));
    let kinds: Vec<_> = explanation.spans.iter().map(|span| (span.what, span.text.as_str())).collect();
    assert!(kinds.contains(&(SpanKind::Approval, "ＯＫ")), "{kinds:?}");
    assert!(kinds.contains(&(SpanKind::Negator, "不要")), "{kinds:?}");
    let explanation = classifier.explain("我不同意");
    assert_eq!(explanation.rule, "negation");
    assert!(explanation.spans.iter().any(|span| span.what == SpanKind::Negated && span.text == "同意"));
    let json = serde_json::to_value(classifier.explain("sounds good to me")).unwrap();
    assert_eq!(json["verdict"], "approve");
    assert_eq!(json["spans"][0]["phrase"], "sounds-good");
}

#[test]
fn mere_acknowledgements_are_known_as_such() {
    let classifier = Classifier::new(&[]).unwrap();
    for (text, mere) in [
        ("ok", true),
        ("好的", true),
        ("收到！", true),
        ("ok, go ahead", false),
        ("同意", false),
        ("no", false),
    ] {
        assert_eq!(classifier.merely_acknowledges(text), mere, "{text}");
    }
}

#[test]
fn it_can_be_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<Classifier>();
}
