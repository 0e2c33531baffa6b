//! `plan-gate profiles`: what each shipped profile says of each tool.

use crate::failure::{Failure, Outcome};
use crate::out::{ASK, BAD, FAINT, GOOD, Out, STRONG, padded, paint, width};
use crate::setting::known_profile;
use crate::words::{Tongue, Words};
use clap::Args;
use plan_gate_scope_matcher::{Profile, ProfileDescription, ReadsDescription, ToolDescription};
use std::io::Write;
use unicode_width::UnicodeWidthStr;

#[derive(Debug, Args)]
pub struct Options {
    #[arg(value_name = "NAME")]
    name: Option<String>,
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options, tongue: Tongue) -> Result<Outcome, Failure> {
    let words = tongue.words();
    let named = options.name.as_deref().map(|name| known_profile(name, words)).transpose()?;
    let profiles: Vec<ProfileDescription<'_>> = Profile::names()
        .iter()
        .filter(|name| named.is_none_or(|named| named == **name))
        .filter_map(|name| Profile::shipped(name))
        .map(Profile::describe)
        .collect();
    if options.json {
        let mut out = Out::for_programs();
        match profiles.as_slice() {
            [one] if named.is_some() => out.pretty_json(one)?,
            all => out.pretty_json(all)?,
        }
        out.flush()?;
        return Ok(Outcome::Fine);
    }
    let mut out = Out::for_people();
    match profiles.as_slice() {
        [one] if named.is_some() => table(one, words, &mut out)?,
        all => list(all, words, &mut out)?,
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

fn list(profiles: &[ProfileDescription<'_>], words: Words, out: &mut Out) -> Result<(), Failure> {
    for profile in profiles {
        let tools: usize = profile.tools.iter().map(|tool| tool.names.len()).sum();
        let tools = words.text("profiles.tools", &[("count", &tools.to_string())]);
        let name = paint(STRONG, &padded(profile.profile, 12));
        writeln!(out, "  {name}  {}  {}", padded(&tools, 12), profile.about)?;
    }
    writeln!(out, "\n{}", paint(FAINT, &words.plain("profiles.hint")))?;
    Ok(())
}

fn table(profile: &ProfileDescription<'_>, words: Words, out: &mut Out) -> Result<(), Failure> {
    writeln!(out, "{}  {}", paint(STRONG, profile.profile), profile.about)?;
    let control = words.text("profiles.control", &[("names", &profile.control.join(", "))]);
    let assume = words.text("profiles.assume", &[("shell", profile.assume)]);
    writeln!(out, "{}\n{}", paint(FAINT, &control), paint(FAINT, &assume))?;
    if profile.interactive {
        writeln!(out, "{}", paint(FAINT, &words.plain("profiles.interactive")))?;
    }
    writeln!(out)?;
    let names = |tool: &ToolDescription<'_>| tool.names.join(", ");
    let widest = profile.tools.iter().map(|tool| names(tool).width()).max().unwrap_or(0).min(30);
    for tool in &profile.tools {
        row(tool, &names(tool), widest, words, out)?;
    }
    writeln!(out, "\n{}", paint(FAINT, &words.plain("profiles.unknown")))?;
    Ok(())
}

fn row(
    tool: &ToolDescription<'_>,
    names: &str,
    widest: usize,
    words: Words,
    out: &mut Out,
) -> Result<(), Failure> {
    let (style, key) = match (&tool.never, &tool.reads) {
        (Some(_), _) => (BAD, "profiles.never"),
        (None, ReadsDescription::Always) => (GOOD, "profiles.reads"),
        (None, ReadsDescription::When(..)) => (ASK, "profiles.reads_when"),
        (None, ReadsDescription::Never) => (ASK, "profiles.acts"),
    };
    let what = words.plain(key);
    let mut says = vec![
        tool.effects
            .iter()
            .map(|effect| words.plain(&format!("does.{effect}")))
            .collect::<Vec<_>>()
            .join(", "),
    ];
    if let Some(why) = tool.never {
        says = vec![why.to_owned()];
    }
    if let ReadsDescription::When(argument, values) = &tool.reads {
        says.push(words.text("profiles.when", &[("argument", argument), ("values", &values.join(", "))]));
    }
    let telling = |is: &str| !matches!(is, "plain");
    let arguments: Vec<String> = tool
        .arguments
        .iter()
        .filter(|(_, argument)| telling(argument.is) && tool.never.is_none())
        .map(|(name, argument)| {
            format!("{name}{}: {}", if argument.required { "" } else { "?" }, argument.is)
        })
        .collect();
    if !arguments.is_empty() {
        says.push(arguments.join(", "));
    }
    // Names that do not fit have lines of their own.
    let mut first = names.to_owned();
    let indent = widest + 14;
    if first.width() > widest {
        for line in textwrap::wrap(names, width().saturating_sub(4)) {
            writeln!(out, "  {}", paint(STRONG, &line))?;
        }
        first = String::new();
    }
    let says = says.join(" · ");
    let columns = width().saturating_sub(indent + 2).max(20);
    for (index, line) in textwrap::wrap(&says, columns).iter().enumerate() {
        if index == 0 {
            let head = paint(STRONG, &padded(&first, widest));
            writeln!(out, "  {head}  {}{line}", paint(style, &padded(&what, 12)))?;
        } else {
            writeln!(out, "{}{line}", " ".repeat(indent + 2))?;
        }
    }
    Ok(())
}
