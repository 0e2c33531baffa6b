//! The reviewed exit: what is checked before anybody is asked, the question, and what its answer means.

use crate::texts::text;
use plan_gate_core::Language;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The name of the exit tool.
pub const EXIT_TOOL: &str = "exit_plan_mode";
/// The id of the review question, and its presentation intent.
pub const REVIEW: &str = "plan-review";
/// The value of the option that approves.
pub const APPROVE: &str = "Approve";
/// The value of the option that does not.
pub const KEEP_PLANNING: &str = "Keep planning";

/// Who calls the exit tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Caller {
    /// No agent: a call from outside.
    None,
    /// An agent that may speak with the user.
    Agent,
    /// A live sub-agent that another agent owns.
    Owned,
}

/// How the review ended, as the host saw it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReviewOutcome {
    /// The user answered; the answers as they came, however many.
    Answered(Vec<Answer>),
    /// The user closed the question.
    Dismissed,
    /// There is no channel to ask through, or nobody behind it.
    Unavailable,
    /// The channel failed with this message.
    Failed(String),
    /// The call was aborted.
    Aborted,
}

/// One answer to one question.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The question's id.
    pub question: String,
    /// The values of the chosen options.
    #[serde(default)]
    pub selected: Vec<String>,
    /// Free text; blank is none.
    #[serde(default)]
    pub text: Option<String>,
}

impl Answer {
    fn words(&self) -> Option<&str> {
        self.text.as_deref().filter(|text| !text.trim().is_empty())
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $key:literal;)*) => {
        /// What the exit tool's call came to.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
        pub enum ExitCode { $($(#[$doc])* #[serde(rename = $code)] $name,)* }

        impl ExitCode {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The key of its text.
            pub(crate) fn key(self) -> &'static str {
                match self { $(Self::$name => $key,)* }
            }
        }
    };
}

codes! {
    /// Approved: the only code that is no error.
    Approved = "approved", "result-approved";
    /// No calling agent.
    NoAgent = "no-agent", "result-no-agent";
    /// Plan mode is off.
    NotActive = "not-active", "result-not-active";
    /// The arguments are not one plan under a heading.
    InvalidPlan = "invalid-plan", "result-invalid-plan";
    /// A sub-agent has no user.
    OwnedChild = "owned-child", "result-owned-child";
    /// Another review of this agent is open.
    ReviewOpen = "review-open", "result-review-open";
    /// Not approved, without words.
    KeepPlanning = "keep-planning", "result-keep-planning";
    /// Not approved, with the user's words.
    Feedback = "feedback", "result-feedback";
    /// The user wants to speak.
    Dismissed = "dismissed", "result-dismissed";
    /// Nobody could be asked.
    Unavailable = "unavailable", "result-unavailable";
    /// The channel failed.
    Failed = "failed", "result-failed";
    /// The call was aborted.
    Aborted = "aborted", "result-aborted";
    /// No such review is open any more: plan mode was reloaded, unloaded or resumed meanwhile.
    ReviewLost = "review-lost", "result-review-lost";
}

/// The value of a successful result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Approval {
    approved: bool,
}

/// A card for display.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Card {
    /// A heading.
    pub title: String,
    /// Markdown.
    pub content: String,
}

/// The exit tool's result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExitResult {
    /// What came of it.
    pub code: ExitCode,
    /// Whether the tool call failed.
    pub error: bool,
    /// `{"approved":true}`, or nothing where the call failed.
    pub value: Option<Approval>,
    /// What the model reads.
    pub text: String,
    /// What the user sees.
    pub card: Card,
}

/// One of the two options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReviewOption {
    /// Stable; this is what an answer's `selected` holds.
    pub value: &'static str,
    /// In the user's language.
    pub label: String,
    /// What choosing it does.
    pub description: String,
}

/// How an interface that knows reviews shows the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Presentation {
    /// Always `plan-review`.
    pub intent: &'static str,
    /// The value of the approving option.
    pub approve: &'static str,
}

/// The single-choice question for the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Question {
    /// Always `plan-review`.
    pub id: &'static str,
    /// A short heading.
    pub title: String,
    /// The question.
    pub text: String,
    /// The two options.
    pub options: [ReviewOption; 2],
    /// Always false: one option at most.
    pub multiple: bool,
    /// Always true: words may be typed instead.
    pub free_text: bool,
    /// The whole plan, byte for byte.
    pub detail: String,
    /// That this is a plan review.
    pub presentation: Presentation,
}

impl Question {
    pub(crate) fn new(language: Language, plan: &str) -> Self {
        let option = |value, label: &str| ReviewOption {
            value,
            label: text(language, label, &[]),
            description: text(language, &format!("{label}-description"), &[]),
        };
        Self {
            id: REVIEW,
            title: text(language, "question-title", &[]),
            text: text(language, "question-text", &[]),
            options: [option(APPROVE, "option-approve"), option(KEEP_PLANNING, "option-keep")],
            multiple: false,
            free_text: true,
            detail: plan.to_owned(),
            presentation: Presentation { intent: REVIEW, approve: APPROVE },
        }
    }
}

/// The plan in the tool's arguments, if they are exactly one string `plan` under a heading.
pub(crate) fn plan_of(args: &Value) -> Option<&str> {
    let keys = args.as_object().filter(|keys| keys.len() == 1)?;
    keys.get("plan")?.as_str().filter(|plan| heading(plan).is_some())
}

/// The text of the heading that a plan begins with: its first line that is not blank is one `#`, a blank
/// and text. Closing `#`s are no text.
pub fn heading(plan: &str) -> Option<&str> {
    let line = plan.split(['\n', '\r']).find(|line| !line.trim().is_empty())?;
    let title = line.strip_prefix('#')?.strip_prefix([' ', '\t'])?.trim();
    let open = title.trim_end_matches('#');
    let closed = open.is_empty() || open.ends_with([' ', '\t']);
    let title = if closed { open.trim_end() } else { title };
    (!title.is_empty()).then_some(title)
}

/// Reads how the review ended. Consent is one answer to our question in all, Approve its one choice, and
/// no words; everything else stays in planning.
pub(crate) fn judge(outcome: &ReviewOutcome) -> (ExitCode, String) {
    match outcome {
        ReviewOutcome::Answered(answers) => judge_answers(answers),
        ReviewOutcome::Dismissed => (ExitCode::Dismissed, String::new()),
        ReviewOutcome::Unavailable => (ExitCode::Unavailable, String::new()),
        ReviewOutcome::Failed(message) => (ExitCode::Failed, message.clone()),
        ReviewOutcome::Aborted => (ExitCode::Aborted, String::new()),
    }
}

fn judge_answers(answers: &[Answer]) -> (ExitCode, String) {
    let words: Vec<&str> = answers.iter().filter_map(Answer::words).collect();
    if !words.is_empty() {
        return (ExitCode::Feedback, words.join("\n"));
    }
    match answers {
        [Answer { question, selected, .. }] if question == REVIEW && *selected == [APPROVE] => {
            (ExitCode::Approved, String::new())
        }
        _ => (ExitCode::KeepPlanning, String::new()),
    }
}

/// The result with this code; `words` are the user's or the channel's, verbatim.
pub(crate) fn result(language: Language, gate: Option<&str>, code: ExitCode, words: &str) -> ExitResult {
    let approved = code == ExitCode::Approved;
    let mut told = text(language, code.key(), &[("words", words), ("message", words)]);
    if approved && let Some(propose) = gate {
        append_sentence(
            language,
            &mut told,
            &text(language, "result-approved-gate", &[("propose", propose)]),
        );
    }
    ExitResult {
        code,
        error: !approved,
        value: approved.then_some(Approval { approved }),
        card: result_card(language, approved, &told),
        text: told,
    }
}

/// Joins two sentences as the language does it.
pub(crate) fn append_sentence(language: Language, text: &mut String, sentence: &str) {
    if language == Language::En {
        text.push(' ');
    }
    text.push_str(sentence);
}

/// The card for a call, whatever its arguments: titled by the plan's heading, with the plan as content.
pub(crate) fn call_card(language: Language, args: &Value) -> Card {
    let plan = args.get("plan").and_then(Value::as_str).unwrap_or_default();
    let title = heading(plan).map_or_else(|| text(language, "card-plan", &[]), str::to_owned);
    Card { title, content: plan.to_owned() }
}

/// The card for a result.
pub(crate) fn result_card(language: Language, approved: bool, told: &str) -> Card {
    let key = if approved { "card-approved" } else { "card-not-approved" };
    Card { title: text(language, key, &[]), content: told.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings() {
        for (plan, title) in [
            ("# Title", Some("Title")),
            ("\n \t\n# Title #\nbody", Some("Title")),
            ("#\tC#", Some("C#")),
            ("# a # b ##", Some("a # b")),
            ("# 标题\r\n正文", Some("标题")),
            ("", None),
            (" \n", None),
            ("#", None),
            ("# ", None),
            ("# ##", None),
            ("#Title", None),
            ("## Title", None),
            (" # Title", None),
            ("text\n# Title", None),
            ("\u{feff}# Title", None),
            ("#\u{a0}Title", None),
        ] {
            assert_eq!(heading(plan), title, "{plan:?}");
        }
    }
}
