//! The coverage of each input.

use super::corpus::Corpus;
use super::lines::places;
use super::parallel::in_parallel;
use super::sancov;
use crate::exit::Exit as End;
use crate::problem::Problem;
use nubbin_oracle::{CommandOracle, Exit, Keep, Run, RunError};
use nubbin_reduce::engine::Stop;
use nubbin_verdict::{Candidate, File};
use std::path::Path;

/// The source of the coverage of one run.
#[derive(Clone, Copy, Debug)]
pub(super) enum RunSource {
    Afl,
    Sancov,
    Command,
}

/// The behavior of the program with an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Measured {
    pub(super) covered: Vec<u64>,
    pub(super) has_crashed: bool,
    /// Whether a limit ended the run.
    pub(super) is_cut_short: bool,
    /// Whether the program exited with code 0 before libFuzzer recorded the coverage of the input.
    pub(super) has_exited: bool,
}

impl Measured {
    /// Returns whether the input is left out, whatever it covers.
    pub(super) fn is_left_out(&self) -> bool {
        self.has_crashed || self.is_cut_short || self.has_exited
    }

    fn of(run: &Run, covered: Vec<u64>) -> Self {
        // A shell reports the signal of a program by an exit code.
        let is_signal = match run.exit {
            Exit::Signal(_) => true,
            Exit::Code(_) => (1..32).any(|number| run.exit.is_signal(number)),
        };
        Measured {
            covered,
            has_crashed: is_signal,
            is_cut_short: run.cut_short.is_some(),
            has_exited: false,
        }
    }
}

/// Runs the program on each input, several at a time.
pub(super) fn measure(
    corpus: &Corpus,
    oracle: &CommandOracle,
    source: RunSource,
    stop: &Stop,
) -> Result<Vec<Measured>, Problem> {
    let name = corpus.name_for_tests();
    in_parallel(
        oracle.jobs(),
        corpus.entries.len(),
        stop,
        |slot, at, stop| {
            let bytes = corpus.read(at).map_err(|error| {
                let what = format!("cannot read `{}`", corpus.entries[at].name.display());
                Problem::new(End::Input, what).because(&error)
            })?;
            let ran = ran((&name, &bytes), oracle, source, (slot, stop));
            ran.map_err(|error| broken(&error))
        },
    )
}

fn ran(
    (name, bytes): (&Path, &[u8]),
    oracle: &CommandOracle,
    source: RunSource,
    (slot, stop): (usize, &Stop),
) -> Result<Measured, RunError> {
    let file = [File { name, bytes }];
    let candidate = Candidate::new(&file);
    match source {
        RunSource::Afl => {
            let mut run = oracle.covered(&candidate, slot, stop.token())?;
            let covered = run.taken.take().unwrap_or_default();
            Ok(Measured::of(&run, covered))
        }
        RunSource::Sancov => {
            let command = sancov::command(oracle, slot);
            let (cancel, keep) = (stop.token(), Keep::default());
            let left =
                oracle.observe_files(&command, &candidate, (slot, cancel), keep, &sancov::is_name);
            let (run, files) = left?;
            Ok(Measured::of(&run, sancov::places(&files)))
        }
        RunSource::Command => {
            let run = oracle.observe_with(&candidate, slot, stop.token())?;
            let covered = places(run.stdout());
            Ok(Measured::of(&run, covered))
        }
    }
}

pub(super) fn broken(error: &RunError) -> Problem {
    Problem::new(End::Test, "the program cannot be run for its coverage")
        .because(error)
        .hint(
            "`--coverage` sets the source of coverage: `afl`, `libfuzzer`, `sancov`, or \
             `command`",
        )
}
