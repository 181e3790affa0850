//! The settings of a generator.

use super::filled::GivenUp;
use crate::config::GeneratorTable;
use crate::origin::Origin;
use crate::problem::Problem;
use crate::program::Surroundings;
use crate::reducer::ReductionMethod;
use clap::Parser;
use nubbin_campaign::{Fuzz, FuzzError};
use std::ops::Range;
use toml::Spanned;

/// A generator that is bound to a program.
pub(crate) struct Bound {
    pub(crate) fuzz: Box<dyn Fuzz>,
    pub(crate) way: ReductionMethod,
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
    /// The generators whose fuzzers have exited for good.
    pub(crate) given_up: &'a GivenUp,
}

impl Setting<'_> {
    /// Returns the seed of the generator, which no other one of the campaign has.
    pub(super) fn own_seed(&self, flag: u64) -> u64 {
        let name = nubbin_reduce::edit::fingerprint(self.name.as_bytes()).0 as u64;
        self.seed.wrapping_add(flag) ^ name
    }

    pub(super) fn origin(&self) -> &Origin {
        self.around.origin
    }

    /// Parses the arguments that the user has written as the value of a key.
    pub(super) fn parse<L: Parser>(&self, words: &Spanned<String>) -> Result<L, Problem> {
        let wrong = |what: &str| self.origin().wrong(&words.span(), what);
        let split = shlex::split(words.get_ref()).ok_or_else(|| wrong("a quote has no end"))?;
        if split.is_empty() {
            let problem = wrong("the arguments of `nubbin generate` are missing");
            return Err(
                problem.hint("write a generator and its flags, such as `grammar -g sums.bnf`")
            );
        }
        L::try_parse_from(split).map_err(|error| {
            let text = error.to_string();
            let problem = wrong(first_words(&text).trim_start_matches("error: "));
            problem.hint("these are the arguments of `nubbin generate`; try them there")
        })
    }

    /// Adds the position of the generator to a problem.
    pub(super) fn located(&self, words: &Spanned<String>, problem: Problem) -> Problem {
        let what = self.origin().wrong(&words.span(), problem.what());
        problem.saying(what.what())
    }
}

/// Returns the first sentence of an error of the command line, with the names that follow a colon.
fn first_words(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().trim_end();
    match first.ends_with(':') {
        true => {
            let names: Vec<&str> = lines
                .take_while(|line| !line.trim().is_empty())
                .map(str::trim)
                .collect();
            format!("{first} {}", names.join(", "))
        }
        false => first.to_owned(),
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
