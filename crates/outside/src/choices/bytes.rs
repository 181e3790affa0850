//! Generators that read a string of bytes, as fuzz targets do.

use super::GeneratorError;
use super::answer::Made;
use crate::exit::Exit;
use crate::flags::GeneratorFlags;
use crate::problem::Problem;
use nubbin_oracle::{CommandOracle, Exit as Ended, Options, Predicate, Sandbox, TestCommand};
use nubbin_verdict::{Candidate, File};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, PoisonError};

/// The name of the file with the bytes, in the generator's folder.
const NAME: &str = "choices";

/// A generator that is started for each text, in its own folder.
pub(super) struct Bytes {
    runner: CommandOracle,
    /// The numbers of unused folders.
    free: Mutex<Vec<usize>>,
    freed: Condvar,
}

impl Bytes {
    pub(super) fn new(
        command: TestCommand,
        args: &GeneratorFlags,
        sandbox: Option<Sandbox>,
        jobs: usize,
    ) -> Result<Self, Problem> {
        let has_place = command.to_string().contains("{}");
        let mut options = Options::new(command, vec![PathBuf::from(NAME)]);
        options.stdin = !has_place;
        options.timeout = Some(args.generator_timeout);
        options.predicate = Predicate::new();
        options.sandbox = sandbox;
        options.jobs = jobs;
        let runner = CommandOracle::new(options).map_err(|error| {
            Problem::new(Exit::Usage, "the generator cannot be run").because(&error)
        })?;
        Ok(Bytes {
            runner,
            free: Mutex::new((0..jobs).collect()),
            freed: Condvar::new(),
        })
    }

    /// Returns the text for the given bytes, which is the standard output of the program.
    pub(super) fn make(&self, bytes: &[u8]) -> Result<Made, GeneratorError> {
        let file = [File {
            name: Path::new(NAME),
            bytes,
        }];
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = loop {
            match free.pop() {
                Some(slot) => break slot,
                None => {
                    free = self
                        .freed
                        .wait(free)
                        .unwrap_or_else(PoisonError::into_inner)
                }
            }
        };
        drop(free);
        let run = self.runner.observe(&Candidate::new(&file), slot);
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(slot);
        drop(free);
        self.freed.notify_one();
        let run = run.map_err(|error| GeneratorError::new(error.to_string()))?;
        let what = match (&run.cut_short, run.exit) {
            (Some(reason), _) => reason.to_string(),
            (None, Ended::Code(0)) => {
                return Ok(Made::Text(run.stdout.unwrap_or_default()));
            }
            (None, exit) => format!("it ended with {exit}"),
        };
        let complaints = String::from_utf8_lossy(run.stderr());
        let complaints = complaints.lines().take(8).map(str::to_owned).collect();
        Err(GeneratorError {
            complaints,
            ..GeneratorError::new(what)
        })
    }
}
