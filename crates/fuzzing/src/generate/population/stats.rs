//! The counts at the end of a run, for people and, with `--stats`, for scripts.

use super::store::Store;
use crate::output::json::round;
use nubbin_generate::{Mutator, PopulationFuzzer};
use serde::Serialize;
use std::time::Duration;

/// The reason for the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    MaxTests,
    MaxTime,
    Stopped,
}

/// The document that `--stats` writes. Its names are stable: fields are added and never renamed.
#[derive(Debug, Serialize)]
pub(super) struct Stats {
    /// The number of runs of the program.
    pub(super) tests: u64,
    /// The number of these runs that reduced a text.
    pub(super) tests_reducing: u64,
    pub(super) wall_s: f64,
    /// `max-tests`, `max-time` or `stopped`.
    pub(super) ended: &'static str,
    /// The number of different parts that the program reported as covered.
    pub(super) covered: usize,
    /// The total size of all texts, in bytes.
    pub(super) bytes: usize,
    pub(super) outcomes: Vec<Outcome>,
    pub(super) members: Vec<Listed>,
}

/// A way the program ended.
#[derive(Debug, Serialize)]
pub(super) struct Outcome {
    pub(super) outcome: String,
    /// The number of texts with this outcome.
    pub(super) members: usize,
    /// The shortest text with this outcome.
    pub(super) file: String,
    pub(super) bytes: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct Listed {
    file: String,
    bytes: usize,
    bytes_before: usize,
    outcome: String,
    new_outcome: bool,
    /// The number of parts that no earlier text covered.
    newly_covered: usize,
}

impl Stats {
    pub(super) fn new(
        fuzzer: &PopulationFuzzer<impl Mutator>,
        store: &Store,
        ended: Ended,
        elapsed: Duration,
    ) -> Self {
        let population = fuzzer.population();
        let mut outcomes: Vec<Outcome> = vec![];
        let mut members = vec![];
        for (member, file) in population.members().iter().zip(store.names()) {
            let (outcome, bytes) = (&*member.feedback.outcome, member.text.len());
            match outcomes.iter_mut().find(|known| known.outcome == outcome) {
                Some(known) => {
                    known.members += 1;
                    if bytes < known.bytes {
                        (known.bytes, known.file) = (bytes, file.clone());
                    }
                }
                None => outcomes.push(Outcome {
                    outcome: outcome.to_owned(),
                    members: 1,
                    file: file.clone(),
                    bytes,
                }),
            }
            let novelty = member.novelty.as_ref();
            members.push(Listed {
                file: file.clone(),
                bytes,
                bytes_before: member.bytes_before,
                outcome: outcome.to_owned(),
                new_outcome: novelty.is_some_and(|novelty| novelty.is_new_outcome),
                newly_covered: novelty.map_or(0, |novelty| novelty.coverage.len()),
            });
        }
        Stats {
            tests: fuzzer.counts().tests(),
            tests_reducing: fuzzer.counts().reducing,
            wall_s: round(elapsed.as_secs_f64()),
            ended: match ended {
                Ended::MaxTests => "max-tests",
                Ended::MaxTime => "max-time",
                Ended::Stopped => "stopped",
            },
            covered: population.covered(),
            bytes: population.bytes(),
            outcomes,
            members,
        }
    }
}
