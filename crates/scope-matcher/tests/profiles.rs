//! What profiles say, and what is wrong with those that cannot be used.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use plan_gate_core::{Config, ErrorKind};
use plan_gate_scope_matcher::{Matcher, Profile, ReadsDescription};

#[test]
fn a_profile_describes_its_tools() {
    let profile = Profile::shipped("claude-code").unwrap();
    let description = profile.describe();
    let tool = |name: &str| description.tools.iter().find(|tool| tool.names.contains(&name)).unwrap();
    assert_eq!(tool("Write").effects, ["write"]);
    assert_eq!(tool("Read").reads, ReadsDescription::Always);
    assert_eq!(tool("Bash").arguments["dangerouslyDisableSandbox"].is, "widens");
    assert!(tool("CronCreate").never.is_some());
    assert!(tool("mcp__*").open);
    assert_eq!(tool("Agent").effects, ["delegate"]);
    let dsh = Profile::shipped("dsh").unwrap().describe();
    let editor = dsh.tools.iter().find(|tool| tool.names == ["str_replace_editor"]).unwrap();
    assert_eq!(editor.reads, ReadsDescription::When("command", vec!["view"]));
    for name in Profile::names() {
        let json = serde_json::to_value(Profile::shipped(name).unwrap().describe()).unwrap();
        assert_eq!(json["profile"], *name);
        assert!(!json["tools"].as_array().unwrap().is_empty());
    }
}

#[test]
fn what_is_wrong_with_a_profile_is_named() {
    let tool = |tool: &str| format!(r#"{{"profile":"p","about":"","tools":[{tool}]}}"#);
    for (json, message) in [
        ("[]".to_owned(), "JSON object"),
        (r#"{"profile":"p","about":"","tools":[],"more":1}"#.to_owned(), "more"),
        (r#"{"profile":"","about":"","tools":[]}"#.to_owned(), "`profile` is empty"),
        (r#"{"profile":"p","profile":"q","about":"","tools":[]}"#.to_owned(), "duplicate"),
        (tool(r#"{"names":[]}"#), "`names` is empty"),
        (tool(r#"{"names":["a","a"]}"#), "`a` stands twice"),
        (tool(r#"{"names":["*"]}"#), "needs a prefix"),
        (tool(r#"{"names":["a"],"arguments":{"x":"wirte"}}"#), "`wirte` is no kind"),
        (tool(r#"{"names":["a"],"arguments":{"x":"plain?"}}"#), "never required"),
        (tool(r#"{"names":["a"],"arguments":{"x":{"is":"write","default":"y"}}}"#), "`default` belongs"),
        (tool(r#"{"names":["a"],"arguments":{"x":{"is":"write","unless":[1]}}}"#), "`unless` belongs"),
        (tool(r#"{"names":["a"],"arguments":{"x":{"is":"each"}}}"#), "`arguments` belongs"),
        (tool(r#"{"names":["a"],"arguments":{"x":{"is":"workdir","list":true}}}"#), "cannot be a list"),
        (tool(r#"{"names":["a"],"needs":["x"]}"#), "`needs` names `x`"),
        (tool(r#"{"names":["a"],"reads":{"x":["y"]}}"#), "`reads` needs an argument"),
        (tool(r#"{"names":["a"],"reads":true,"never":"x"}"#), "needs no `never`"),
        (tool(r#"{"names":["a"],"dialect":"fish"}"#), "fish"),
    ] {
        let error = Profile::from_json(&json).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidProfile, "{json}");
        assert!(error.message().contains(message), "{json}: {}", error.message());
    }
}

#[test]
fn what_is_wrong_with_a_configuration_names_its_key() {
    for (json, key) in [
        (r#"{"root":"w","pathStyle":"posix"}"#, "`root`"),
        (r#"{"root":"","pathStyle":"posix"}"#, "`root`"),
        (r#"{"root":"C:w","pathStyle":"windows"}"#, "`root`"),
        (r#"{"resolveSymlinks":true}"#, "`resolveSymlinks`"),
        (r#"{"resolveSymlinks":true,"root":"/\u0000","pathStyle":"posix"}"#, "`root`"),
        (r#"{"allowTools":[""]}"#, "`allowTools`"),
        (r#"{"gateTools":[""]}"#, "`gateTools`"),
        (r#"{"controlTools":[""]}"#, "`controlTools`"),
        (r#"{"profile":"nobody"}"#, "`profile`"),
        (r#"{"protectedFiles":["../x"],"pathStyle":"posix"}"#, "`protectedFiles`"),
        (r#"{"protectedFiles":["."],"pathStyle":"posix"}"#, "`protectedFiles`"),
        (r#"{"protectedFiles":["/w"],"root":"/w/p","pathStyle":"posix"}"#, "`protectedFiles`"),
    ] {
        let config: Config = serde_json::from_str(json).unwrap();
        let error = Matcher::new(&config).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{json}");
        assert!(error.message().contains(key), "{json}: {}", error.message());
    }
}
