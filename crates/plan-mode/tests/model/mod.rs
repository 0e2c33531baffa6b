//! Plan mode once more, as plainly as the specification says it: what is waited for is written down as
//! the state wanted, every rule is one `if`, and answers are short words instead of texts.

use serde_json::{Value, json};

/// What the host was asked to append, and for whom.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Asked {
    Nothing,
    ForSet,
    /// With what to say of the message afterwards.
    ForCommand(String),
    ForStep,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Model {
    pub log: bool,
    pub wanted: Option<bool>,
    pub wanted_by_review: bool,
    pub in_turn: bool,
    pub step_has_request: bool,
    pub last_header: Option<bool>,
    pub change_not_told: bool,
    pub warned: bool,
    pub asked: Asked,
    pub loaded: bool,
    pub under_review: Option<String>,
}

impl Model {
    pub fn new() -> Self {
        Self {
            log: false,
            wanted: None,
            wanted_by_review: false,
            in_turn: false,
            step_has_request: false,
            last_header: None,
            change_not_told: false,
            warned: false,
            asked: Asked::Nothing,
            loaded: true,
            under_review: None,
        }
    }

    /// The answer to one request, in short words.
    pub fn answer(&mut self, request: &Value) -> String {
        let op = request["op"].as_str().unwrap();
        if self.asked != Asked::Nothing && !matches!(op, "appended" | "get" | "section" | "resume") {
            return "refused".to_owned();
        }
        match op {
            "turn_opened" => self.turn(true),
            "turn_closed" => self.turn(false),
            "step" => self.step(request["outcome"].as_str().unwrap()),
            "appended" => self.appended(request["ok"] == true),
            "header" => {
                self.last_header = request["active"].as_bool();
                "fine".to_owned()
            }
            "get" if !self.loaded => "refused".to_owned(),
            "get" => format!("{} {:?}", self.log, self.wanted),
            "section" => format!("section {}", self.loaded && self.log),
            "set" if !self.loaded => "refused".to_owned(),
            "set" => self.set(request["active"] == true),
            "command" if !self.loaded => "refused".to_owned(),
            "command" => self.command(request["args"].as_str().unwrap(), request["images"].as_u64().unwrap()),
            "exit" if !self.loaded => "refused".to_owned(),
            "exit" => self.exit(request),
            "review" => self.review(request),
            "unload" | "reload" => {
                self.loaded = op == "reload";
                self.nothing_wanted();
                self.change_not_told = false;
                self.under_review = None;
                "fine".to_owned()
            }
            "resume" => {
                let loaded = self.loaded;
                let log = request["events"].as_array().unwrap().last().is_some_and(|e| e["active"] == true);
                *self = Self { log, loaded, ..Self::new() };
                format!("resumed {log}")
            }
            _ => unreachable!("{op}"),
        }
    }

    fn turn(&mut self, opens: bool) -> String {
        if self.in_turn == opens {
            return "refused".to_owned();
        }
        self.in_turn = opens;
        self.step_has_request = false;
        "fine".to_owned()
    }

    fn step(&mut self, outcome: &str) -> String {
        if !self.in_turn || (outcome == "retried" && !self.step_has_request) {
            return "refused".to_owned();
        }
        if outcome == "retried" {
            return "no request".to_owned();
        }
        if outcome == "rejected" {
            self.step_has_request = false;
            return "no request".to_owned();
        }
        if let Some(wanted) = self.wanted {
            self.asked = Asked::ForStep;
            return format!("append {wanted}");
        }
        self.request(false)
    }

    /// The request of an accepted step.
    fn request(&mut self, warning: bool) -> String {
        self.step_has_request = true;
        let header_says_other = self.last_header.is_some() && self.last_header != Some(self.log);
        let tell = self.change_not_told && header_says_other && self.loaded;
        self.change_not_told = false;
        let notice = if tell { format!(" notice {}", self.log) } else { String::new() };
        let warning = if warning { " warning" } else { "" };
        format!("request section {}{notice}{warning}", self.loaded && self.log)
    }

    fn appended(&mut self, ok: bool) -> String {
        let asked = std::mem::replace(&mut self.asked, Asked::Nothing);
        match asked {
            Asked::Nothing => "refused".to_owned(),
            Asked::ForSet if !ok => "refused".to_owned(),
            Asked::ForSet => {
                self.log = !self.log;
                self.change_not_told = true;
                "committed".to_owned()
            }
            Asked::ForCommand(_) if !ok => "append-failed".to_owned(),
            Asked::ForCommand(message) => {
                self.log = !self.log;
                self.change_not_told = true;
                let code = if self.log { "on" } else { "off" };
                format!("{code} committed{message}")
            }
            Asked::ForStep if !ok => {
                let first = !self.warned;
                self.warned = true;
                self.request(first)
            }
            Asked::ForStep => {
                self.log = self.wanted.unwrap();
                self.change_not_told = !self.wanted_by_review;
                self.nothing_wanted();
                self.request(false)
            }
        }
    }

    fn set(&mut self, active: bool) -> String {
        if self.wanted == Some(active) || (self.wanted.is_none() && self.log == active) {
            return "noop".to_owned();
        }
        if self.wanted.is_some() {
            self.nothing_wanted();
            return "cancelled".to_owned();
        }
        if self.in_turn {
            self.wanted = Some(active);
            return "queued".to_owned();
        }
        self.asked = Asked::ForSet;
        format!("append {active}")
    }

    fn command(&mut self, args: &str, images: u64) -> String {
        let off = args.trim() == "off";
        if off && images > 0 {
            return "off-with-images".to_owned();
        }
        let sends = !off && (images > 0 || !args.trim().is_empty());
        let message = if sends { format!(" message {:?} {images}", args.trim()) } else { String::new() };
        let selection = self.set(!off);
        if self.asked == Asked::ForSet {
            self.asked = Asked::ForCommand(message);
            return selection;
        }
        let code = match (off, &*selection, self.wanted) {
            (false, _, Some(_)) => "entering",
            (false, _, None) => "on",
            (true, "cancelled", _) => "entry-cancelled",
            (true, _, Some(_)) => "leaving",
            (true, _, None) => "already-inactive",
        };
        format!("{code} {selection}{message}")
    }

    fn exit(&mut self, request: &Value) -> String {
        let good = request["args"]["plan"].as_str().is_some_and(|plan| plan.starts_with("# "));
        let code = if request["caller"] == "none" {
            "no-agent"
        } else if !self.log {
            "not-active"
        } else if !good {
            "invalid-plan"
        } else if request["caller"] == "owned" {
            "owned-child"
        } else if self.under_review.is_some() {
            "review-open"
        } else {
            self.under_review = Some(request["call"].as_str().unwrap().to_owned());
            "ask"
        };
        code.to_owned()
    }

    fn review(&mut self, request: &Value) -> String {
        if self.under_review.as_deref() != request["call"].as_str() {
            return "review-lost".to_owned();
        }
        self.under_review = None;
        if request["outcome"] == json!({"answered": [{"question": "plan-review", "selected": ["Approve"]}]}) {
            if self.log {
                self.wanted = Some(false);
                self.wanted_by_review = true;
            }
            return "approved".to_owned();
        }
        "kept".to_owned()
    }

    fn nothing_wanted(&mut self) {
        self.wanted = None;
        self.wanted_by_review = false;
        self.warned = false;
    }
}

/// A driver's answer in the model's short words.
pub fn short(answer: Result<&Value, &str>, english: &Value) -> String {
    let Ok(answer) = answer else { return "refused".to_owned() };
    let has = |key: &str| answer.get(key).is_some();
    if has("append") {
        return format!("append {}", answer["append"]["active"]);
    }
    if has("request") {
        let request = &answer["request"];
        if request.is_null() {
            return "no request".to_owned();
        }
        let notice = match &request["notice"] {
            Value::Null => String::new(),
            text if *text == english["notice-on"] => " notice true".to_owned(),
            text if *text == english["notice-off"] => " notice false".to_owned(),
            other => format!(" notice {other}"),
        };
        let warning = if answer["warning"].is_null() { "" } else { " warning" };
        return format!("request section {}{notice}{warning}", !request["section"].is_null());
    }
    if has("code") {
        let code = answer["code"].as_str().unwrap();
        let selection = answer["selection"].as_str().map_or(String::new(), |word| format!(" {word}"));
        let message = match &answer["message"] {
            Value::Null => String::new(),
            message => format!(" message {} {}", message["text"], message["images"]),
        };
        return format!("{code}{selection}{message}");
    }
    if has("selection") {
        return answer["selection"].as_str().unwrap().to_owned();
    }
    if has("ask") {
        let result = answer["result"]["code"].as_str();
        assert_eq!(answer["ask"].is_null(), result.is_some());
        return result.unwrap_or("ask").to_owned();
    }
    if has("result") {
        let code = answer["result"]["code"].as_str().unwrap();
        assert_eq!(
            answer["result"]["value"],
            if code == "approved" { json!({"approved": true}) } else { Value::Null }
        );
        return if matches!(code, "approved" | "review-lost") { code.to_owned() } else { "kept".to_owned() };
    }
    if has("pending") {
        return format!("{} {:?}", answer["active"], answer["pending"].as_bool());
    }
    if has("section") {
        return format!("section {}", !answer["section"].is_null());
    }
    if has("active") {
        return format!("resumed {}", answer["active"]);
    }
    assert_eq!(*answer, json!({}));
    "fine".to_owned()
}
