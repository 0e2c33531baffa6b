//! The JSON door: one object in, one object out; `op` says what is asked.
//!
//! Everything the gate can do goes through here, so that a new verb changes no function of the C
//! boundary. An unknown field is an error that names it.

use crate::gate::Gate;
use crate::session::{Message, Session};
use crate::tool_schema;
use plan_gate_core::json::Fields;
use plan_gate_core::limits::MAX_INPUT_BYTES;
use plan_gate_core::{Digest, Error, ErrorKind, Language, Scope, Source};
use plan_gate_scope_matcher::Profile;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// A request may be larger than an input: a reply too long to be read must still be recognised as one,
/// since it may have said stop.
const MAX_BYTES: usize = 8 * MAX_INPUT_BYTES;

impl Session {
    /// Answers one request of this session.
    ///
    /// | op | fields | answer |
    /// |---|---|---|
    /// | `check` | `tool`, `args` (any JSON) or `argsText` (the raw text) | [`crate::CallAnswer`] |
    /// | `explain` | as `check` | [`crate::CallExplanation`]; asking changes nothing |
    /// | `reply` | `text`, `source`?, `shown`?, `attachments`? | [`crate::ReplyAnswer`] |
    /// | `propose` | `plan` (the tool's arguments) | [`crate::ProposalAnswer`] |
    /// | `settle` | `id`, `approve` | `{"settlement"}` |
    /// | `state` | | [`crate::StateView`] |
    /// | `render` | | `{"rendered"}`: the waiting draft as the user sees it, or null |
    /// | `export` | | `{"snapshot"}`: a string |
    /// | `import` | `snapshot`: that string | `{}` |
    /// | `close` | | `{}`: the session ended, as by [`Session::close`]; handles stay valid and deny |
    ///
    /// # Errors
    ///
    /// What is wrong with the request, or with the session. A `reply` that cannot be read withdraws the
    /// approval all the same; any other request in error changes nothing.
    pub fn request(&self, request: &[u8]) -> Result<String, Error> {
        let mut fields = match Fields::read(request, MAX_BYTES) {
            Ok(fields) => fields,
            Err(error) => {
                if is_reply(request) {
                    self.reply(UNREADABLE)?;
                }
                return Err(error);
            }
        };
        let op: String = fields.required("op")?;
        match op.as_str() {
            "check" => {
                let tool: String = fields.required("tool")?;
                let args = arguments(&mut fields)?;
                fields.finish()?;
                answer(&self.answer(&tool, args.as_bytes())?)
            }
            "explain" => {
                let tool: String = fields.required("tool")?;
                let args = arguments(&mut fields)?;
                fields.finish()?;
                answer(&self.explain(&tool, args.as_bytes())?)
            }
            "reply" => self.request_reply(fields),
            "propose" => {
                let plan = raw(&mut fields, "plan")?;
                fields.finish()?;
                answer(&self.propose(plan.get().as_bytes())?)
            }
            "settle" => {
                let (id, approve): (Digest, bool) = (fields.required("id")?, fields.required("approve")?);
                fields.finish()?;
                answer(&json!({ "settlement": self.settle(id, approve)? }))
            }
            "state" => {
                fields.finish()?;
                answer(&self.state()?)
            }
            "render" => {
                fields.finish()?;
                answer(&json!({ "rendered": self.rendered_draft()? }))
            }
            "export" => {
                fields.finish()?;
                answer(&json!({ "snapshot": self.export()? }))
            }
            "import" => {
                let snapshot: String = fields.required("snapshot")?;
                fields.finish()?;
                self.import(snapshot.as_bytes())?;
                answer(&json!({}))
            }
            "close" => {
                fields.finish()?;
                self.clone().close();
                answer(&json!({}))
            }
            other => Err(unknown_op(
                other,
                "check, explain, reply, propose, settle, state, render, export, import or close",
            )),
        }
    }

    fn request_reply(&self, mut fields: Fields) -> Result<String, Error> {
        let source = fields.optional("source");
        let message = (|| {
            let text: String = fields.required("text")?;
            let source = source.clone()?.unwrap_or(Source::User);
            let shown: Option<Digest> = fields.optional("shown")?;
            let attachments = fields.optional("attachments")?.unwrap_or(false);
            fields.finish()?;
            Ok((text, source, shown, attachments))
        })();
        match message {
            Ok((text, source, shown, attachments)) => {
                answer(&self.reply(Message { source, text: text.as_bytes(), shown, attachments })?)
            }
            Err(error) => {
                // Whoever is known not to be the user withdraws nothing.
                let source = source.ok().flatten().unwrap_or(Source::User);
                self.reply(Message { source, ..UNREADABLE })?;
                Err(error)
            }
        }
    }
}

/// Stands for a reply that cannot be read: 0xff is in no UTF-8 text.
const UNREADABLE: Message<'static> =
    Message { source: Source::User, text: b"\xff", shown: None, attachments: false };

/// Whether a request that is not JSON as it stands was meant as a reply.
fn is_reply(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let op = Fields::read(text.as_bytes(), usize::MAX).and_then(|mut fields| fields.required::<String>("op"));
    match op {
        Ok(op) => op == "reply",
        // Not even then: cut off, or a key that stands twice.
        Err(_) => text.replace(char::is_whitespace, "").contains("\"op\":\"reply\""),
    }
}

impl Gate {
    /// Answers one request that needs no session.
    ///
    /// | op | fields | answer |
    /// |---|---|---|
    /// | `classify` | `text`, `explain`? | `{"verdict","why","note","rule"}`, or the explanation |
    /// | `match` | `scope`, `tool`, `args` or `argsText` | [`crate::MatchAnswer`] |
    /// | `schema` | `language`? | the `propose_plan` tool definition |
    /// | `profiles` | | what each shipped profile says of each tool |
    ///
    /// # Errors
    ///
    /// What is wrong with the request.
    pub fn request(&self, request: &[u8]) -> Result<String, Error> {
        let mut fields = Fields::read(request, MAX_BYTES)?;
        let op: String = fields.required("op")?;
        match op.as_str() {
            "classify" => {
                let text: String = fields.required("text")?;
                let explain = fields.optional("explain")?.unwrap_or(false);
                fields.finish()?;
                if explain {
                    return answer(&self.explain_reply(&text)?);
                }
                let read = self.classify(&text)?;
                answer(&json!({
                    "verdict": read.kind, "why": read.why, "note": read.note, "rule": read.rule,
                }))
            }
            "match" => {
                let scope: Scope = fields.required("scope")?;
                let tool: String = fields.required("tool")?;
                let args = arguments(&mut fields)?;
                fields.finish()?;
                answer(&self.match_call(&scope, &tool, args.as_bytes()))
            }
            "schema" => {
                let language = fields.optional("language")?.unwrap_or(Language::En);
                fields.finish()?;
                Ok(tool_schema(language).to_owned())
            }
            "profiles" => {
                fields.finish()?;
                let profiles = Profile::names().iter().filter_map(|name| Profile::shipped(name));
                answer(&profiles.map(Profile::describe).collect::<Vec<_>>())
            }
            other => Err(unknown_op(other, "classify, match, schema or profiles")),
        }
    }
}

/// `args` as the bytes stood in the request, or `argsText` for arguments that are not JSON.
fn arguments(fields: &mut Fields) -> Result<String, Error> {
    let text: Option<String> = fields.optional("argsText")?;
    match (text, fields.raw("args")) {
        (Some(text), None) => Ok(text),
        (None, Some(args)) => Ok(args.get().to_owned()),
        (None, None) => Err(Error::new(ErrorKind::InvalidRequest, "missing field `args`")),
        (Some(_), Some(_)) => {
            Err(Error::new(ErrorKind::InvalidRequest, "give `args` or `argsText`, not both"))
        }
    }
}

fn raw(fields: &mut Fields, name: &str) -> Result<Box<RawValue>, Error> {
    fields.raw(name).ok_or_else(|| Error::new(ErrorKind::InvalidRequest, format!("missing field `{name}`")))
}

fn unknown_op(op: &str, known: &str) -> Error {
    Error::new(ErrorKind::InvalidRequest, format!("unknown op `{op}`: {known}"))
}

fn answer<T: Serialize + ?Sized>(value: &T) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::new(ErrorKind::InvalidRequest, error.to_string()))
}

/// The answer of the JSON door to a request that failed.
pub fn error_json(error: &Error) -> String {
    let value: Value = json!({
        "error": { "kind": error.kind().name(), "status": error.kind() as u16, "message": error.message() }
    });
    value.to_string()
}
