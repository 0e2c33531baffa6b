//! URLs: a host, its sub-domains, an origin, or a path prefix. Parsing is the WHATWG algorithm.
//!
//! Other clients read some texts differently from a browser (`\` as a separator, a missing `//`, a tab
//! in the host). Where two readings exist the URL is outside: the gate must not judge one host and
//! the tool reach another.

use rustc_hash::FxHashMap;
use std::borrow::Cow;
use url::{Host, Url};

/// The URL entries of a scope.
#[derive(Debug, Clone, Default)]
pub(crate) struct UrlTable {
    /// Host (for sub-domains: their parent) to the rules for it.
    hosts: FxHashMap<Box<str>, Box<[Rule]>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    subdomains: bool,
    scheme: Box<str>,
    port: Option<u16>,
    /// Without a slash at its end; empty for the whole origin.
    path: Box<str>,
    /// Only what is below the path, not the path itself.
    below: bool,
    /// A query must be the same.
    query: Option<Box<str>>,
    place: u32,
}

/// Why an entry is not usable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryFault {
    /// `*` alone.
    Star,
    /// It cannot be read, or could never match.
    Unreadable,
}

/// A URL that one reading only can be given.
pub(crate) struct ReadUrl(Url);

/// Why a URL is outside. A stable key.
pub(crate) type UrlFault = &'static str;

/// Reads the URL of a call.
///
/// # Errors
///
/// `url_unreadable`, or `url_ambiguous` when clients could disagree about the host.
pub(crate) fn read(text: &str) -> Result<ReadUrl, UrlFault> {
    let text = text.trim_matches(' ');
    if text.chars().any(char::is_control) || text.contains('\\') {
        return Err("url_ambiguous");
    }
    let Ok(url) = Url::parse(text) else { return Err("url_unreadable") };
    let Some(after) = text.get(url.scheme().len()..).and_then(|rest| rest.strip_prefix("://")) else {
        return Err("url_ambiguous");
    };
    let authority = after.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.is_empty() {
        return Err("url_ambiguous");
    }
    if authority.contains('@') {
        return Err("url_user_info");
    }
    match url.host() {
        Some(Host::Domain(domain)) if domain.ends_with('.') => Err("url_trailing_dot"),
        Some(Host::Domain(domain)) if domain.split('.').any(str::is_empty) => Err("url_unreadable"),
        Some(_) => Ok(ReadUrl(url)),
        None => Err("url_unreadable"),
    }
}

/// The URL as it is compared: parsed, without its fragment. A text that cannot be read stays as it is.
pub(crate) fn normal(text: &str) -> Cow<'_, str> {
    match read(text) {
        Ok(ReadUrl(mut url)) => {
            url.set_fragment(None);
            Cow::Owned(url.into())
        }
        Err(_) => Cow::Borrowed(text),
    }
}

impl UrlTable {
    /// A table of entries.
    ///
    /// # Errors
    ///
    /// Every entry that is not usable, with its place.
    pub(crate) fn new(entries: &[String]) -> Result<Self, Vec<(usize, EntryFault)>> {
        let mut hosts: FxHashMap<Box<str>, Vec<Rule>> = FxHashMap::default();
        let mut faults = Vec::new();
        for (place, entry) in entries.iter().enumerate() {
            match rule(entry, place) {
                Ok((host, rule)) => hosts.entry(host).or_default().push(rule),
                Err(fault) => faults.push((place, fault)),
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(Self { hosts: hosts.into_iter().map(|(host, rules)| (host, rules.into())).collect() })
    }

    /// The place of an entry that covers the URL.
    pub(crate) fn find(&self, ReadUrl(url): &ReadUrl) -> Option<u32> {
        let host = url.host_str()?;
        if let Some(place) = self.rule_for(host, url, false) {
            return Some(place);
        }
        if !matches!(url.host(), Some(Host::Domain(_))) {
            return None;
        }
        let mut rest = host;
        while let Some((_, parent)) = rest.split_once('.') {
            if let Some(place) = self.rule_for(parent, url, true) {
                return Some(place);
            }
            rest = parent;
        }
        None
    }

    fn rule_for(&self, host: &str, url: &Url, subdomains: bool) -> Option<u32> {
        let rules = self.hosts.get(host)?;
        rules.iter().find(|rule| rule.subdomains == subdomains && rule.covers(url)).map(|rule| rule.place)
    }

    /// The place of an entry with the same host, or a related one.
    pub(crate) fn nearest(&self, ReadUrl(url): &ReadUrl) -> Option<u32> {
        let mut rest = url.host_str()?;
        loop {
            if let Some(rule) = self.hosts.get(rest).and_then(|rules| rules.first()) {
                return Some(rule.place);
            }
            rest = rest.split_once('.')?.1;
        }
    }
}

impl Rule {
    fn covers(&self, url: &Url) -> bool {
        *self.scheme == *url.scheme() && self.port == url.port_or_known_default() && self.covers_path(url)
    }

    fn covers_path(&self, url: &Url) -> bool {
        if let Some(query) = &self.query {
            return *self.path == *url.path() && url.query() == Some(query);
        }
        if self.path.is_empty() && !self.below {
            return true;
        }
        match url.path().strip_prefix(&*self.path) {
            Some("") => !self.below,
            Some(rest) => rest.starts_with('/') && !may_climb(url.path()),
            None => false,
        }
    }
}

/// Ways to write `.`, `/` or `\` that UTF-8 forbids and some servers decode all the same.
const OVERLONG: [&str; 9] =
    ["%c0%ae", "%c0%af", "%c0%2e", "%c0%2f", "%c1%9c", "%c1%1c", "%e0%80%ae", "%e0%80%af", "%u00"];

/// Whether a server could read the path as one that climbs: an encoded separator, or dots that appear
/// once the path is decoded (again), or that end in a path parameter (`..;x`).
fn may_climb(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    if OVERLONG.iter().any(|code| lower.contains(code)) {
        return true;
    }
    let mut text = Cow::Borrowed(path);
    for _ in 0..3 {
        let dots = |segment: &str| {
            let name = segment.split(';').next().unwrap_or_default();
            let name = name.trim_matches(|c: char| c.is_whitespace() || c.is_control());
            name == ".." || (name == "." && segment.len() > 1) || segment.contains('\0')
        };
        if text.contains('\\') || text.split('/').any(dots) {
            return true;
        }
        let decoded = decode(&text);
        if decoded.matches('/').count() != text.matches('/').count() {
            return true;
        }
        if decoded == *text {
            return false;
        }
        text = Cow::Owned(decoded);
    }
    // Encoded three times over: nobody writes that by accident.
    text.contains('%') && decode(&text) != *text
}

fn decode(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Reads an entry into its host and rule.
fn rule(entry: &str, place: usize) -> Result<(Box<str>, Rule), EntryFault> {
    let (scheme, rest) = match entry.split_once("://") {
        Some((scheme, rest)) => (scheme.to_ascii_lowercase(), rest),
        None => ("https".to_owned(), entry),
    };
    if rest.is_empty() || entry.contains(['\\', ' ']) || entry.chars().any(char::is_control) {
        return Err(EntryFault::Unreadable);
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at_checked(end).ok_or(EntryFault::Unreadable)?;
    let (authority, subdomains) = match authority.strip_prefix("*.") {
        Some(parent) => (parent, true),
        None => (authority, false),
    };
    if authority == "*" {
        return Err(EntryFault::Star);
    }
    let (tail, below) = match tail.strip_suffix("/*") {
        Some(tail) => (tail, !tail.is_empty()),
        None => (tail, false),
    };
    if authority.is_empty() || authority.contains(['*', '@']) || tail.contains('*') {
        return Err(EntryFault::Unreadable);
    }
    let authority = bracketed(authority);
    let url = Url::parse(&format!("{scheme}://{authority}{tail}")).map_err(|_| EntryFault::Unreadable)?;
    let host = url.host_str().ok_or(EntryFault::Unreadable)?;
    let named = matches!(url.host(), Some(Host::Domain(_)));
    if host.is_empty() || host.ends_with('.') || (subdomains && !named) {
        return Err(EntryFault::Unreadable);
    }
    let path = match url.query() {
        Some(_) => url.path(),
        None => url.path().trim_end_matches('/'),
    };
    let rule = Rule {
        subdomains,
        scheme: url.scheme().into(),
        port: url.port_or_known_default(),
        path: path.into(),
        below,
        query: url.query().map(Into::into),
        place: u32::try_from(place).map_err(|_| EntryFault::Unreadable)?,
    };
    Ok((host.into(), rule))
}

/// An IPv6 address as people write it in a list, in the brackets that a URL wants.
fn bracketed(authority: &str) -> Cow<'_, str> {
    match authority.parse::<std::net::Ipv6Addr>() {
        Ok(_) => Cow::Owned(format!("[{authority}]")),
        Err(_) => Cow::Borrowed(authority),
    }
}

#[cfg(test)]
mod tests;
