//! Any entry and any URL: what is covered has the host, scheme and port that the entry names.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plan_gate_core::{Config, EffectKind, PathStyleChoice, Scope};
use plan_gate_scope_matcher::{CallReading, Coverage, Matcher};
use std::sync::LazyLock;
use url::Url;

static MATCHER: LazyLock<Matcher> = LazyLock::new(|| {
    Matcher::new(&Config { path_style: PathStyleChoice::Posix, ..Config::default() }).unwrap()
});

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Some((entry, url)) = text.split_once('\u{1}') else { return };
    let scope = Scope { tools: vec!["t".into()], urls: vec![entry.to_owned()], ..Scope::default() };
    let Ok(compiled) = MATCHER.compile(&scope) else { return };
    let CallReading::Acting(call) = MATCHER.read_effect("t", EffectKind::Fetch, url) else { panic!("refused") };
    if MATCHER.cover(&compiled, &[], &call) != Coverage::Covered {
        return;
    }
    let url = Url::parse(url).expect("a covered URL can be parsed");
    let written = if entry.contains("://") { entry.to_owned() } else { format!("https://{entry}") };
    let (scheme, rest) = written.split_once("://").unwrap();
    assert!(url.scheme().eq_ignore_ascii_case(scheme));
    assert!(url.username().is_empty() && url.password().is_none());
    let sub = rest.strip_prefix("*.");
    let bare = sub.unwrap_or(rest).trim_end_matches("/*");
    let bare = if bare.parse::<std::net::Ipv6Addr>().is_ok() { format!("[{bare}]") } else { bare.to_owned() };
    let named = Url::parse(&format!("{scheme}://{bare}")).expect("an entry without fault can be parsed");
    let (host, wanted) = (url.host_str().unwrap(), named.host_str().unwrap());
    assert_eq!(url.port_or_known_default(), named.port_or_known_default());
    match sub {
        Some(_) => assert!(host.ends_with(&format!(".{wanted}")), "`{host}` under `{wanted}`"),
        None => assert_eq!(host, wanted),
    }
    assert!(url.path().starts_with(named.path().trim_end_matches('/')));
});
