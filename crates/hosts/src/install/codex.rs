//! Codex's TOML.

use super::settings::SERVER;
use super::{InstallError, MARK, command_line};
use crate::Host;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

pub(super) fn install(program: &str, hooks: bool, old: Option<&str>) -> Result<String, InstallError> {
    let mut document = parse(old.unwrap_or_default())?;
    if hooks {
        put_hooks(&mut document, program)?;
    } else {
        remove_hooks(&mut document);
    }
    let servers = table(document.as_table_mut(), "mcp_servers")?;
    if servers.get(SERVER).is_some_and(|server| !is_our_server(server)) {
        let message = format!("`mcp_servers.{SERVER}` belongs to another program; rename it first");
        return Err(InstallError::new(message));
    }
    let mut server = Table::new();
    server.insert("command", value(program));
    server.insert("args", value(toml_edit::Array::from_iter(["mcp"])));
    if servers.get(SERVER).is_none_or(|old| old.to_string().trim() != server.to_string().trim()) {
        servers.insert(SERVER, Item::Table(server));
    }
    Ok(document.to_string())
}

/// The machine's requirements: they need no trust, and pinned on they cannot be switched off.
pub(super) fn install_requirements(program: &str, old: Option<&str>) -> Result<String, InstallError> {
    let mut document = parse(old.unwrap_or_default())?;
    put_hooks(&mut document, program)?;
    let root = document.as_table_mut();
    let hooks = table(root, "hooks")?;
    if hooks.get("managed_dir").is_none() {
        hooks.insert("managed_dir", value("/etc/codex"));
    }
    table(root, "features")?.insert("hooks", value(true));
    Ok(document.to_string())
}

pub(super) fn uninstall(old: &str) -> Result<String, InstallError> {
    let mut document = parse(old)?;
    remove_hooks(&mut document);
    if let Some(servers) = document.get_mut("mcp_servers").and_then(Item::as_table_mut) {
        if servers.get(SERVER).is_some_and(is_our_server) {
            servers.remove(SERVER);
        }
        if servers.is_empty() {
            document.remove("mcp_servers");
        }
    }
    Ok(document.to_string())
}

pub(super) fn uninstall_requirements(old: &str) -> Result<String, InstallError> {
    let mut document = parse(old)?;
    remove_hooks(&mut document);
    // The pin stays: other hooks may rely on it.
    if let Some(hooks) = document.get_mut("hooks").and_then(Item::as_table_mut)
        && hooks.iter().all(|(key, _)| key == "managed_dir")
    {
        document.remove("hooks");
    }
    Ok(document.to_string())
}

fn parse(text: &str) -> Result<DocumentMut, InstallError> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        InstallError::new(format!("not TOML: {}", error.message().trim()))
    })
}

fn table<'a>(parent: &'a mut Table, key: &str) -> Result<&'a mut Table, InstallError> {
    let item = parent.entry(key).or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    item.as_table_mut()
        .ok_or_else(|| InstallError::new(format!("`{key}` is not a plain table; it stays as it is")))
}

fn put_hooks(document: &mut DocumentMut, program: &str) -> Result<(), InstallError> {
    let command = command_line(Host::Codex, program);
    let facts = Host::Codex.facts();
    let hooks = table(document.as_table_mut(), "hooks")?;
    for event in &facts.install_events {
        let groups = hooks.entry(event).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        let groups = groups.as_array_of_tables_mut().ok_or_else(|| {
            InstallError::new(format!("`hooks.{event}` is not an array of tables; it stays as it is"))
        })?;
        let mut hook = Table::new();
        hook.insert("type", value("command"));
        hook.insert("command", value(&command));
        hook.insert("timeout", value(i64::from(facts.timeout_seconds)));
        // One that is right stays where it is: its place is part of what the person trusted.
        if groups.iter().flat_map(hooks_of).any(|old| old.to_string() == hook.to_string()) {
            continue;
        }
        remove_ours(groups);
        let mut inner = ArrayOfTables::new();
        inner.push(hook);
        let mut group = Table::new();
        group.insert("hooks", Item::ArrayOfTables(inner));
        groups.push(group);
    }
    Ok(())
}

fn hooks_of(group: &Table) -> impl Iterator<Item = &Table> {
    group.get("hooks").and_then(Item::as_array_of_tables).into_iter().flat_map(ArrayOfTables::iter)
}

fn remove_hooks(document: &mut DocumentMut) {
    let Some(hooks) = document.get_mut("hooks").and_then(Item::as_table_mut) else { return };
    let names: Vec<String> = hooks.iter().map(|(name, _)| name.to_owned()).collect();
    for name in names {
        let Some(groups) = hooks.get_mut(&name).and_then(Item::as_array_of_tables_mut) else { continue };
        remove_ours(groups);
        if groups.is_empty() {
            hooks.remove(&name);
        }
    }
    if hooks.is_empty() {
        document.remove("hooks");
    }
}

fn remove_ours(groups: &mut ArrayOfTables) {
    for group in groups.iter_mut() {
        if let Some(hooks) = group.get_mut("hooks").and_then(Item::as_array_of_tables_mut) {
            hooks.retain(|hook| !is_our_hook(hook));
        }
    }
    groups.retain(|group| {
        group.get("hooks").and_then(Item::as_array_of_tables).is_none_or(|hooks| !hooks.is_empty())
    });
}

fn is_our_hook(hook: &Table) -> bool {
    let command = hook.get("command").and_then(Item::as_str).unwrap_or_default();
    command.contains(&format!("echo \"{MARK}: refused\""))
}

fn is_our_server(server: &Item) -> bool {
    server.get("command").and_then(Item::as_str).is_some_and(|command| command.contains(MARK))
}
