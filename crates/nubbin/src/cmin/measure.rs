//! The coverage of each input.

use super::corpus::Corpus;
use super::lines::places;
use crate::exit::Exit as End;
use crate::flags::CoverageSource;
use crate::problem::Problem;
use crate::signals::stopped;
use nubbin_oracle::{CommandOracle, Exit, Run, RunError};
use nubbin_reduce::engine::Stop;
use nubbin_verdict::{Candidate, File};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The behavior of the program with an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Measured {
    pub(super) covered: Vec<u64>,
    pub(super) has_crashed: bool,
    /// Whether a limit ended the run.
    pub(super) is_cut_short: bool,
}

impl Measured {
    fn of(run: Run, source: CoverageSource) -> Self {
        let covered = match source {
            CoverageSource::Afl => run.taken.unwrap_or_default(),
            CoverageSource::Sancov | CoverageSource::Command => places(run.stdout()),
        };
        // A shell reports the signal of a program by an exit code.
        let is_signal = match run.exit {
            Exit::Signal(_) => true,
            Exit::Code(_) => (1..32).any(|number| run.exit.is_signal(number)),
        };
        Measured {
            covered,
            has_crashed: is_signal,
            is_cut_short: run.cut_short.is_some(),
        }
    }
}

/// Runs the program on each input, several at a time.
pub(super) fn measure(
    corpus: &Corpus,
    oracle: &CommandOracle,
    source: CoverageSource,
    stop: &Stop,
) -> Result<Vec<Measured>, Problem> {
    let name = corpus.name_for_tests();
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Measured)>> = Mutex::default();
    // An error of one worker ends the others.
    let has_failed = AtomicBool::new(false);
    let work = |slot: usize| -> Result<(), Problem> {
        loop {
            if has_failed.load(Ordering::Relaxed) {
                return Ok(());
            }
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(entry) = corpus.entries.get(at) else {
                return Ok(());
            };
            if stop.is_requested() {
                return Err(stopped().saying("stopped before all inputs had been run"));
            }
            let bytes = corpus.read(at).map_err(|error| {
                let what = format!("cannot read `{}`", entry.name.display());
                Problem::new(End::Input, what).because(&error)
            })?;
            let run = ran((&name, &bytes), oracle, source, (slot, stop))
                .map_err(|error| broken(&error))?;
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push((at, Measured::of(run, source)));
        }
    };
    let ends: Vec<Result<(), Problem>> = std::thread::scope(|scope| {
        let (work, has_failed) = (&work, &has_failed);
        let threads: Vec<_> = (0..oracle.jobs())
            .map(|slot| {
                scope.spawn(move || {
                    work(slot).inspect_err(|_| has_failed.store(true, Ordering::Relaxed))
                })
            })
            .collect();
        let ends = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
        ends.map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    ends.into_iter().collect::<Result<Vec<()>, Problem>>()?;
    if stop.is_requested() {
        return Err(stopped().saying("stopped before all inputs had been run"));
    }
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, measured)| measured).collect())
}

fn ran(
    (name, bytes): (&Path, &[u8]),
    oracle: &CommandOracle,
    source: CoverageSource,
    (slot, stop): (usize, &Stop),
) -> Result<Run, RunError> {
    let file = [File { name, bytes }];
    let candidate = Candidate::new(&file);
    match source {
        CoverageSource::Afl => oracle.covered(&candidate, slot, stop.token()),
        CoverageSource::Sancov | CoverageSource::Command => {
            oracle.observe_with(&candidate, slot, stop.token())
        }
    }
}

fn broken(error: &RunError) -> Problem {
    Problem::new(End::Test, "the program cannot be run for its coverage")
        .because(error)
        .hint("`--coverage` says where coverage comes from: `afl`, `sancov`, or `command`")
}
