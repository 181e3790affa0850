//! The settings of a generator.

use crate::config::{ConfigFile, GeneratorTable};
use crate::flags::{Command, CommandLine, GenerateCommand};
use crate::problem::Problem;
use crate::program::Surroundings;
use crate::reducer::Way;
use clap::Parser as _;
use nubbin_campaign::{Fuzz, FuzzError};
use std::ops::Range;
use toml::Spanned;

/// A generator that is bound to a program.
pub(crate) struct Bound {
    pub(crate) fuzz: Box<dyn Fuzz>,
    pub(crate) way: Way,
    /// Whether only one slice may run at a time.
    pub(crate) is_single: bool,
}

/// The settings of a generator.
pub(crate) struct Setting<'a> {
    pub(crate) name: &'a str,
    pub(crate) table: &'a GeneratorTable,
    pub(crate) span: Range<usize>,
    pub(crate) around: &'a Surroundings<'a>,
    /// The seed of the campaign.
    pub(crate) seed: u64,
}

impl Setting<'_> {
    /// Returns the seed of the generator, which no other one of the campaign has.
    pub(super) fn own_seed(&self, flag: u64) -> u64 {
        let name = nubbin_reduce::edit::fingerprint(self.name.as_bytes()).0 as u64;
        self.seed.wrapping_add(flag) ^ name
    }

    pub(super) fn file(&self) -> &ConfigFile {
        self.around.file
    }

    /// Parses the arguments of `nubbin generate` that the user has written, those of a command if
    /// one is given.
    pub(super) fn parse(
        &self,
        words: &Spanned<String>,
        command: Option<&str>,
    ) -> Result<GenerateCommand, Problem> {
        let wrong = |what: &str| self.file().wrong(&words.span(), what);
        let split = shlex::split(words.get_ref()).ok_or_else(|| wrong("a quote has no end"))?;
        let line = ["nubbin", "generate"].into_iter().chain(command);
        let line = line.map(str::to_owned).chain(split);
        let parsed = CommandLine::try_parse_from(line);
        match parsed {
            Ok(line) => match line.command {
                Command::Generate(command) => Ok(command),
                _ => Err(wrong("this is not a generator")),
            },
            Err(error) => {
                let text = error.to_string();
                let line = text.lines().next().unwrap_or_default();
                let problem = wrong(line.trim_start_matches("error: "));
                Err(problem.hint("these are the arguments of `nubbin generate`; try them there"))
            }
        }
    }

    /// Adds the place of the generator to a problem.
    pub(super) fn located(&self, words: &Spanned<String>, problem: Problem) -> Problem {
        let what = self.file().wrong(&words.span(), problem.what());
        problem.saying(what.what())
    }
}

/// Returns the error of a generator.
pub(super) fn broken(
    name: &str,
    source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> FuzzError {
    FuzzError::Generator {
        generator: name.to_owned(),
        source: source.into(),
    }
}
