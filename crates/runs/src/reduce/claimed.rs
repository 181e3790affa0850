//! The second stage of a run: it holds the locks of its results, and owns all files that it writes.

use super::apart::keep_apart;
use super::prepared::Prepared;
use crate::output::{OwnFile, Targets, Written};
use crate::outputs::Outputs;
use crate::paths;
use crate::problem::Problem;
use crate::state::{Lock, StateFolder};
use std::path::Path;

/// A run that owns the files that it writes.
pub(super) struct Claimed {
    pub(super) prepared: Prepared,
    pub(super) targets: Targets,
    /// The results of this run and of earlier ones.
    pub(super) written: Written,
    /// The reduced choices, or the last text that parsed.
    pub(super) beside: Option<OwnFile>,
    pub(super) outputs: Outputs,
    locks: Vec<Lock>,
}

impl Claimed {
    /// Takes the locks and the files, none of which replaces a file of the user's.
    pub(super) fn of(mut prepared: Prepared) -> Result<Self, Problem> {
        let args = &prepared.args;
        let targets = Targets::new(&prepared.sources, args.output.as_deref())?
            .with_parameters(prepared.parameters.endings());
        let state = StateFolder::of(targets.paths().next().unwrap_or(Path::new("nubbin")));
        let beside = prepared.subject.beside(&targets);
        keep_apart(args, &targets, &state, beside.as_deref())?;
        targets.probe()?;
        let locks: Vec<Lock> = (targets.paths())
            .map(|path| Lock::take(StateFolder::of(path)))
            .collect::<Result<_, _>>()?;
        let access = prepared.subject.access(&prepared.sources);
        let mode = prepared.subject.mode(&targets);
        let claim = |path: &Path| OwnFile::claim(path, mode, args.force);
        let beside = beside.as_deref().map(claim).transpose()?;
        let written = targets.claim(args.force)?;
        let given = &args.test.run.with;
        let (sources, there) = (&prepared.sources, written.others());
        let input = prepared.input.clone();
        let input = prepared.subject.renamable(input, sources, given, there)?;
        let outputs = Outputs::claim(
            &args.output_flags,
            args.report.as_deref(),
            access,
            args.force,
        )?;
        if let Some(path) = &args.output_flags.other_failures {
            paths::folder_or_nothing(path, "--other-failures")?;
        }
        prepared.input = input;
        Ok(Claimed {
            prepared,
            targets,
            written,
            beside,
            outputs,
            locks,
        })
    }

    /// Returns the lock of the result that the journal belongs to: the first one.
    pub(super) fn lock(&self) -> &Lock {
        &self.locks[0]
    }
}
