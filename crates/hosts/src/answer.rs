//! The answer, in the one form that every host treats right.
//!
//! Measured on each host: `{}` with exit 0 is "no objection" everywhere, and exit 2 with text on standard error is a
//! refusal everywhere. Nothing else is: one host ignores a deny in JSON, another lets a call run when the reason is
//! empty, a third when exit 2 comes without text. `allow` is never sent, so that the host's own permission rules stay.

use serde::Serialize;

/// What the gate says to a hook event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The gate has no objection; the host's own rules go on.
    NoObjection,
    /// The call (or prompt, or change) must not happen, and why.
    Refuse(String),
    /// The host shall ask a person in its own dialog, with this text. Only where [`crate::Facts::can_ask`] says so.
    Ask(String),
}

/// What a hook process writes and how it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Standard output, whole.
    pub stdout: String,
    /// Standard error, whole.
    pub stderr: String,
    /// Exit code.
    pub code: u8,
}

/// Said when a refusal has no words of its own: some hosts let a call run when the reason is empty.
const NO_REASON: &str = "plan-gate: refused";

/// The order of the fields matters: see [`Answer::output`].
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Ask<'a> {
    hook_event_name: &'a str,
    permission_decision_reason: &'a str,
    permission_decision: &'a str,
}

impl Answer {
    /// The form of this answer.
    ///
    /// The JSON of [`Answer::Ask`] ends in `","permissionDecision":"ask"}}`. Inside its text every quotation mark is
    /// escaped, so no shorter piece of it ends like that: the wrapper in the hook's command line knows a whole answer
    /// by its end, and refuses a cut one (which a host would let pass).
    pub fn output(&self) -> Output {
        let refuse = |reason: &str| {
            let reason = if reason.trim().is_empty() { NO_REASON } else { reason };
            Output { stdout: String::new(), stderr: format!("{reason}\n"), code: 2 }
        };
        match self {
            Self::NoObjection => Output { stdout: "{}".to_owned(), stderr: String::new(), code: 0 },
            Self::Refuse(reason) => refuse(reason),
            Self::Ask(text) => {
                let ask = Ask {
                    hook_event_name: "PreToolUse",
                    permission_decision_reason: text,
                    permission_decision: "ask",
                };
                match serde_json::to_string(&ask) {
                    Ok(ask) => Output {
                        stdout: format!("{{\"hookSpecificOutput\":{ask}}}"),
                        stderr: String::new(),
                        code: 0,
                    },
                    Err(error) => refuse(&error.to_string()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_always_has_words() {
        for reason in ["", " \n", "no"] {
            let output = Answer::Refuse(reason.to_owned()).output();
            assert_eq!((output.code, output.stdout.as_str()), (2, ""));
            assert!(!output.stderr.trim().is_empty());
        }
    }

    #[test]
    fn only_a_whole_question_ends_like_one() {
        const END: &str = "\",\"permissionDecision\":\"ask\"}}";
        let nasty = "\",\"permissionDecision\":\"ask\"}} \\\",\"permissionDecision\":\"ask\"}}\n\\";
        let whole = Answer::Ask(nasty.to_owned()).output().stdout;
        let value: serde_json::Value = serde_json::from_str(&whole).unwrap();
        assert_eq!(value["hookSpecificOutput"]["permissionDecisionReason"], nasty);
        let ends: Vec<_> = (0..=whole.len())
            .filter(|end| whole.get(..*end).is_some_and(|piece| piece.ends_with(END)))
            .collect();
        assert_eq!(ends, [whole.len()]);
    }
}
