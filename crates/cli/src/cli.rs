//! The tree of sub-commands, and their help in the person's language.

use crate::failure::{Failure, Outcome};
use crate::words::{Tongue, Words};
use crate::{by_hand, classify, completions, host, judge, man, profiles, replay, schema, split};
use clap::builder::styling::{AnsiColor, Styles};
use clap::{Arg, ArgAction, Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

// Help texts are data, not doc comments: see `localised` and `data/texts`.
#[derive(Debug, Parser)]
#[command(name = "plan-gate", version, styles = STYLES, disable_help_flag = true, disable_version_flag = true)]
#[command(disable_help_subcommand = true, arg_required_else_help = false, subcommand_required = true)]
pub struct Cli {
    #[arg(long, value_name = "zh|en", global = true, hide_possible_values = true)]
    lang: Option<Lang>,
    #[arg(long, value_name = "WHEN", global = true, hide_possible_values = true)]
    color: Option<Color>,
    #[command(subcommand)]
    command: Sub,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Lang {
    Zh,
    En,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
enum Sub {
    Replay(replay::Options),
    Classify(classify::Options),
    Match(judge::Options),
    Split(split::Options),
    Try(by_hand::Options),
    Schema(schema::Options),
    Profiles(profiles::Options),
    Completions(completions::Options),
    Man(man::Options),
    Install(host::install::Options),
    Uninstall(host::install::Options),
    Status(host::status::Options),
    Doctor(host::doctor::Options),
    Pending(host::button::PendingOptions),
    Approve(host::button::AnswerOptions),
    Reject(host::button::AnswerOptions),
    Log(host::journal::Options),
    Mcp(host::mcp::Options),
    Hook(host::hook::Options),
    Help(HelpOptions),
}

#[derive(Debug, clap::Args)]
struct HelpOptions {
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

/// Reads the arguments.
pub fn parse(arguments: &[OsString], tongue: Tongue) -> Result<Cli, clap::Error> {
    let matches = command(tongue.words()).try_get_matches_from(arguments)?;
    Cli::from_arg_matches(&matches)
}

/// Does what was asked.
pub fn run(cli: Cli, tongue: Tongue) -> Result<Outcome, Failure> {
    // `--lang` was read before everything else.
    let _ = cli.lang;
    match cli.color {
        Some(Color::Always) => anstream::ColorChoice::Always.write_global(),
        Some(Color::Never) => anstream::ColorChoice::Never.write_global(),
        Some(Color::Auto) | None => {}
    }
    match cli.command {
        Sub::Replay(options) => replay::run(&options, tongue),
        Sub::Classify(options) => classify::run(&options, tongue),
        Sub::Match(options) => judge::run(&options, tongue),
        Sub::Split(options) => split::run(&options, tongue),
        Sub::Try(options) => by_hand::run(&options, tongue),
        Sub::Schema(options) => schema::run(&options, tongue),
        Sub::Profiles(options) => profiles::run(&options, tongue),
        Sub::Completions(options) => completions::run(&options, tongue),
        Sub::Man(options) => man::run(&options, tongue),
        Sub::Install(options) => host::install::install(&options, tongue),
        Sub::Uninstall(options) => host::install::uninstall(&options, tongue),
        Sub::Status(options) => host::status::run(&options, tongue),
        Sub::Doctor(options) => host::doctor::run(&options, tongue),
        Sub::Pending(options) => host::button::pending(&options, tongue),
        Sub::Approve(options) => host::button::approve(&options, tongue),
        Sub::Reject(options) => host::button::reject(&options, tongue),
        Sub::Log(options) => host::journal::run(&options, tongue),
        Sub::Mcp(options) => host::mcp::run(&options, tongue),
        Sub::Hook(options) => host::hook::run(&options, tongue),
        Sub::Help(options) => help(&options, tongue.words()),
    }
}

/// The whole tree with its help.
pub fn command(words: Words) -> Command {
    let mut root = localised(Cli::command(), "", words);
    root = root.arg(flag("version", 'V', ArgAction::Version, words));
    root
}

fn help(options: &HelpOptions, words: Words) -> Result<Outcome, Failure> {
    let mut arguments: Vec<OsString> = vec!["plan-gate".into()];
    arguments.extend(options.command.iter().map(OsString::from));
    arguments.push("--help".into());
    match command(words).try_get_matches_from(arguments) {
        Err(error) => crate::usage::report(&error, words),
        Ok(_) => Ok(Outcome::Fine),
    }
}

/// The command with the texts `help.NAME`, `help.NAME.more` (examples) and `help.NAME.ARGUMENT`.
fn localised(command: Command, path: &str, words: Words) -> Command {
    let key = |name: &str| format!("help{path}{name}");
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let has_options = command.get_arguments().any(|argument| !argument.is_positional());
    let mut command = command
        .about(words.plain(&key("")))
        .disable_help_flag(true)
        .mut_args(|argument| {
            let id = argument.get_id().as_str().to_owned();
            let text = words.find(&key(&format!(".{id}"))).or_else(|| words.find(&format!("help.all.{id}")));
            let heading = if argument.is_positional() { "help.arguments" } else { "help.options" };
            argument.help(text.unwrap_or_default()).help_heading(words.plain(heading))
        })
        .arg(flag("help", 'h', ArgAction::Help, words))
        .subcommand_help_heading(words.plain("help.commands"))
        .help_template(template(words, has_options));
    if let Some(more) = words.find(&key(".more")) {
        command = command.after_help(more);
    }
    for name in names {
        let below = format!("{path}.{name}");
        command = command.mut_subcommand(&name, |sub| localised(sub, &below, words));
    }
    command
}

fn template(words: Words, _has_options: bool) -> String {
    let header = STYLES.get_header();
    format!(
        "{{about-with-newline}}\n{header}{}{header:#} {{usage}}\n\n{{all-args}}{{after-help}}",
        words.plain("help.usage")
    )
}

fn flag(name: &'static str, short: char, action: ArgAction, words: Words) -> Arg {
    Arg::new(name)
        .long(name)
        .short(short)
        .action(action)
        .help(words.plain(&format!("help.all.{name}")))
        .help_heading(words.plain("help.options"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_gate::Language;

    fn check(command: &Command, place: &str) {
        let about = command.get_about().unwrap().to_string();
        assert!(!about.starts_with("help."), "{place}: no text");
        for argument in command.get_arguments() {
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            assert!(!help.is_empty() && !help.starts_with("help."), "{place} {}: no text", argument.get_id());
        }
        for sub in command.get_subcommands() {
            check(sub, &format!("{place} {}", sub.get_name()));
        }
    }

    #[test]
    fn every_command_and_argument_has_its_text_in_both_languages() {
        for language in [Language::En, Language::Zh] {
            let command = command(Words(language));
            check(&command, "plan-gate");
            command.debug_assert();
        }
    }
}
