//! Programs of campaigns on a farm.

use super::connection::Connection;
use super::farm::{access, platform, problem};
use crate::exit::Exit;
use crate::problem::{Problem, say};
use nubbin_campaign::{Outcome, Program};
use nubbin_oracle::{Run, TestCommand};
use nubbin_remote::{Comparison, Options, RemoteError, RemoteOracle, Sample};
use nubbin_verdict::{Candidate, File};
use std::sync::Arc;

impl Connection<'_> {
    /// Checks that the workers of the farm run the program and its variants as this machine does.
    /// Afterwards the tests of the program run on the farm. `tell` receives messages for the user,
    /// on any thread.
    pub fn open(
        &self,
        program: &Program,
        tell: Box<dyn Fn(&str) + Send + Sync>,
    ) -> Result<(), Problem> {
        let address = self.flags.remote.as_deref().unwrap_or_default();
        let (here, there) = self.slots;
        let oracle = program.oracle();
        let text = |bytes| {
            [File {
                name: program.file(),
                bytes,
            }]
        };
        let (empty, known) = (text(b""), self.known.map(text));
        let empty = Candidate::new(&empty);
        let known = known.as_ref().map(|known| Candidate::new(known));
        let first = oracle.observe_with(&empty, 0, self.stop).map_err(|error| {
            let what = format!("the program `{}` cannot be run", program.name());
            Problem::new(Exit::Test, what).because(&error)
        })?;
        let mut options = Options::new(access(self.flags, address));
        options.inputs = self.flags.remote_input.clone();
        options.platform = platform(self.flags)?;
        let variants = program.all_variants().iter();
        options.others = variants.map(|variant| variant.command.clone()).collect();
        (options.here, options.there) = (here, there);
        options.time_limit = oracle.timeout();
        options.first_time = first.elapsed;
        options.say = tell;
        let farm = RemoteOracle::new(oracle, options).map_err(|error| problem(&error))?;
        let name = program.name();
        let whats = Whats {
            empty: format!("an empty test of `{name}`"),
            known: format!("the test of an issue of `{name}`"),
            variants: (program.all_variants().iter())
                .map(|variant| format!("an empty test of the variant `{}`", variant.name))
                .collect(),
        };
        let mut samples = vec![sample(&whats.empty, oracle.command(), &empty)];
        for (variant, what) in program.all_variants().iter().zip(&whats.variants) {
            samples.push(sample(what, &variant.command, &empty));
        }
        if let Some(known) = &known {
            samples.push(Sample {
                may_vary: true,
                ..sample(&whats.known, oracle.command(), known)
            });
        }
        let outcome = |run: &Run| program.rules().outcome(run);
        let is_alike = |one: &Run, other: &Run| match (outcome(one), outcome(other)) {
            (Outcome::Issue(one, _), Outcome::Issue(other, _)) => one.matches(&other),
            (Outcome::Usual, Outcome::Usual) => one.exit == other.exit,
            (one, other) => one == other,
        };
        let comparison = Comparison {
            is_alike: &is_alike,
            shown: &|run| match outcome(run) {
                Outcome::Issue(identity, _) => format!("the issue `{identity}`"),
                Outcome::Usual => "no issue".to_owned(),
                Outcome::Limit | Outcome::Stopped => "no end".to_owned(),
            },
        };
        let checked = farm.check_samples(&samples, &comparison, self.stop);
        checked.map_err(|error| match error {
            RemoteError::Stopped => crate::signals::stopped(),
            _ if self.stop.is_cancelled() => crate::signals::stopped(),
            error => problem(&error),
        })?;
        if !self.is_quiet {
            let sent = indicatif::HumanBytes(farm.sent_bytes() as u64);
            say(&format!(
                "tests of {name} run on `{address}`: {there} slots on the farm, {here} on this \
                 machine; {sent} sent \
                 in addition to the tests"
            ));
        }
        program.set_runner(Arc::new(farm));
        Ok(())
    }
}

/// The names of the samples of a program.
struct Whats {
    empty: String,
    known: String,
    variants: Vec<String>,
}

fn sample<'a>(what: &'a str, command: &'a TestCommand, candidate: &'a Candidate<'a>) -> Sample<'a> {
    Sample {
        what,
        command,
        candidate,
        may_vary: false,
    }
}
