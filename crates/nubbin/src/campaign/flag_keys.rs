//! Keys of `campaign.toml` that are flags of a command line.

use super::config::ConfigFile;
use crate::exit::Exit;
use crate::flags::{Command, CommandLine, SandboxFlags, TestFlags};
use crate::problem::Problem;
use crate::sandbox;
use clap::Parser as _;
use nubbin_oracle::Sandbox;
use toml::{Spanned, Value};

/// Returns flags of a test, parsed as those of a command line.
pub(super) fn test_flags<'a>(
    flags: impl Iterator<Item = (&'static str, &'a Spanned<Value>)>,
    file: &ConfigFile,
) -> Result<TestFlags, Problem> {
    let parse = |words: &[String]| {
        let line = ["nubbin", "reduce", "input"].map(str::to_owned);
        let test = ["--", "true"].map(str::to_owned);
        let all = line.into_iter().chain(words.iter().cloned()).chain(test);
        CommandLine::try_parse_from(all)
    };
    let mut all = vec![];
    for (name, value) in flags {
        let words = flag_words(name, value.get_ref());
        let Some(words) = words else {
            let what = format!("`{name}` cannot have this value");
            return Err(file.wrong(&value.span(), &what));
        };
        if let Err(error) = parse(&words) {
            let text = error.to_string();
            let line = text.lines().next().unwrap_or_default();
            let line = line.trim_start_matches("error: ");
            return Err(file.wrong(&value.span(), line));
        }
        all.extend(words);
    }
    match parse(&all).map(|line| line.command) {
        Ok(Command::Reduce(flags)) => Ok(flags.test),
        _ => Err(Problem::new(
            Exit::Usage,
            "the flags of a program do not go together",
        )),
    }
}

/// Returns the sandbox of these flags, and a mistake with its place.
pub(super) fn sandbox_of(
    flags: &SandboxFlags,
    writable: Option<&Spanned<Value>>,
    (file, is_quiet): (&ConfigFile, bool),
) -> Result<Option<Sandbox>, Problem> {
    sandbox::of(flags, is_quiet).map_err(|problem| match writable {
        Some(writable) => file.wrong(&writable.span(), problem.what()),
        None => problem,
    })
}

/// Returns a value as words of a command line.
pub(super) fn flag_words(name: &str, value: &Value) -> Option<Vec<String>> {
    Some(match value {
        Value::Boolean(true) => vec![format!("--{name}")],
        Value::Boolean(false) => vec![],
        Value::String(text) => vec![format!("--{name}={text}")],
        Value::Integer(number) => vec![format!("--{name}={number}")],
        Value::Float(number) => vec![format!("--{name}={number}")],
        Value::Array(values) => {
            let each = values.iter().map(|value| match value {
                Value::Array(_) | Value::Table(_) => None,
                value => flag_words(name, value),
            });
            each.collect::<Option<Vec<_>>>()?.concat()
        }
        // Variables of the environment.
        Value::Table(pairs) => {
            let each = pairs.iter().map(|(key, value)| match value {
                Value::String(text) => Some(format!("--{name}={key}={text}")),
                Value::Integer(number) => Some(format!("--{name}={key}={number}")),
                _ => None,
            });
            each.collect::<Option<Vec<_>>>()?
        }
        Value::Datetime(_) => return None,
    })
}
