//! Builds the oracle of a test, and chooses its sandbox and fork server with runs of the original.

use super::options::options;
use super::problems::{not_failing, or_each_file, unusable, wrong_condition};
use super::setup::TestSetup;
use super::words::Words;
use crate::awaited::Awaited;
use crate::exit::Exit;
use crate::files::Source;
use crate::kept_failure::KeptFailure;
use crate::other_failures::OtherFailures;
use crate::own_folder;
use crate::persistent;
use crate::problem::{Problem, warn};
use crate::sandbox::{self, SandboxState};
use crate::signals::stopped;
use crate::stack;
use crate::undefined;
use nubbin_oracle::{
    CommandOracle, FailureKind, OracleError, Run, Signature, Trial, Wanted, path_of_original,
};
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use nubbin_verdict::{Unresolved, Verdict};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

/// The problem of an original whose failure cannot be required.
pub const NO_FAILURE: &str = "the original shows no failure that can be recognized";

/// Builds the oracle and its observer. Runs of the original decide whether the tests run in a
/// sandbox. With `--same-failure`, these runs also determine the failure.
pub fn prepare(
    setup: TestSetup<'_>,
    input: &Input,
    sources: &[Source],
    jobs: usize,
    stop: &Stop,
) -> Result<(CommandOracle, Arc<OtherFailures>, SandboxState), Problem> {
    setup.words().map_or(Ok(()), Words::require)?;
    let (options, others) = options(setup, input, sources, jobs)?;
    let mut oracle = CommandOracle::new(options).map_err(|error| match error {
        error @ OracleError::Predicate(_) => wrong_condition(&error),
        error => unusable(&error),
    })?;
    refuse_original(setup, &oracle)?;
    let original = Original { setup, input, stop };
    let (state, trial) = original.settle_sandbox(&oracle)?;
    let is_required = setup.flags.failure.same_failure;
    others.note_kept(
        trial
            .as_ref()
            .and_then(|it| KeptFailure::of(&oracle, it.run(), input, is_required)),
    );
    match is_required {
        true => oracle = original.with_same_failure(oracle, trial)?,
        false => original.compare_with_own_folder(&oracle, trial.as_ref())?,
    }
    if setup.has_original {
        undefined::settle(&oracle, input, setup.is_quiet, stop)?;
    }
    warn_of_built_files(setup, &oracle, input, stop)?;
    if setup.has_original {
        persistent::settle(setup.flags, &mut oracle, input, setup.is_quiet, stop)?;
    }
    oracle = stack::settle(&setup.flags.failure, oracle, input, stop)?;
    warn_of_general_failure(setup, &oracle);
    Ok((oracle, others, state))
}

/// The runs of the original before the first test.
#[derive(Clone, Copy)]
struct Original<'a> {
    setup: TestSetup<'a>,
    input: &'a Input,
    stop: &'a Stop,
}

impl Original<'_> {
    /// Decides whether the tests run in the sandbox, with a trial if there is an original.
    fn settle_sandbox(
        self,
        oracle: &CommandOracle,
    ) -> Result<(SandboxState, Option<Trial>), Problem> {
        let setup = self.setup;
        let flags = &setup.flags.sandbox;
        if !setup.has_original || oracle.sandbox().is_none() {
            return Ok((sandbox::state(flags, oracle), None));
        }
        let wanted = match setup.flags.failure.same_failure {
            true => Wanted::SameFailure,
            false => Wanted::Conditions,
        };
        let running = Awaited::begin("running the original".into(), setup.is_quiet);
        let (kept, quiet, stop) = (setup.kept(), setup.is_quiet, self.stop);
        let settled = sandbox::settle(flags, oracle, self.input, wanted, &kept, quiet, stop);
        drop(running);
        let (trial, state) = settled.map_err(|error| unusable(&error))?;
        match stop.is_requested() {
            true => Err(stopped()),
            false => Ok((state, Some(trial))),
        }
    }

    /// Returns an error if the original fails in another way in the user's folder, unless the
    /// conditions identify the failure.
    fn compare_with_own_folder(
        self,
        oracle: &CommandOracle,
        trial: Option<&Trial>,
    ) -> Result<(), Problem> {
        let (setup, input, stop) = (self.setup, self.input, self.stop);
        if !setup.has_original || !own_folder::is_asked(setup.flags) {
            return Ok(());
        }
        let run = match trial {
            Some(trial) => trial.run().clone(),
            None => self.observe(oracle)?,
        };
        if !oracle.judge_run(&run).is_fail() || stop.is_requested() {
            return Ok(());
        }
        own_folder::refuse_other(setup.own(), oracle, input, &run, Wanted::Conditions, stop)
    }

    /// Returns an oracle that requires the failure that the original shows.
    fn with_same_failure(
        self,
        oracle: CommandOracle,
        trial: Option<Trial>,
    ) -> Result<CommandOracle, Problem> {
        let (setup, input, stop) = (self.setup, self.input, self.stop);
        let run = match trial {
            Some(trial) => trial.into_run(),
            None => self.observe(&oracle)?,
        };
        if stop.is_requested() {
            return Err(stopped());
        }
        if let Some(reason @ Unresolved::NotBuilt { .. }) = &run.cut_short {
            let verdict = Verdict::Unresolved(reason.clone());
            return Err(not_failing(setup, &oracle, input, &verdict, stop));
        }
        own_folder::refuse_other(setup.own(), &oracle, input, &run, Wanted::SameFailure, stop)?;
        if is_of_shell(&oracle, &run) {
            return Err(not_failing(setup, &oracle, input, &Verdict::Pass, stop));
        }
        let oracle = oracle.with_same_failure(&run).map_err(|error| {
            let problem = Problem::new(Exit::NotFailing, NO_FAILURE)
                .because(&error)
                .hint("describe the failure with `--exit`, `--signal`, `--stdout`, or `--stderr`");
            or_each_file(problem, setup, input)
        })?;
        Ok(oracle)
    }

    /// Runs the original once.
    fn observe(self, oracle: &CommandOracle) -> Result<Run, Problem> {
        self.input
            .with_candidate(|candidate| oracle.observe_with(candidate, 0, self.stop.token()))
            .map_err(|error| unusable(&error))
    }
}

/// Returns whether the only failure of a run is that a shell found nothing to run, which every
/// candidate would share. Conditions of the user say that it is wanted.
fn is_of_shell(oracle: &CommandOracle, run: &Run) -> bool {
    let predicate = oracle.predicate();
    let is_exit = |signature: Signature| signature.kind() == FailureKind::ExitCode;
    predicate.is_default()
        && predicate.could_not_run(run)
        && Signature::of(run).is_some_and(is_exit)
}

/// Prints a warning about a failure that cannot be distinguished from other failures of the
/// program.
fn warn_of_general_failure(setup: TestSetup<'_>, oracle: &CommandOracle) {
    let given = &setup.flags.failure;
    let has_stack = oracle.predicate().stack().is_some();
    let is_narrowed = has_stack || !given.stdout.is_empty() || !given.stderr.is_empty();
    let general = oracle.predicate().signature();
    let Some(signature) = general.filter(|it| it.is_general() && !is_narrowed) else {
        return;
    };
    if !setup.is_quiet {
        warn(&format!(
            "the test prints nothing that distinguishes this failure from others: each that is \
             `{signature}` counts as the same; `--stderr RE` and `--stdout RE` narrow it"
        ));
    }
}

/// Warns of files of the input that the build writes. A candidate of such a file means nothing.
fn warn_of_built_files(
    setup: TestSetup<'_>,
    oracle: &CommandOracle,
    input: &Input,
    stop: &Stop,
) -> Result<(), Problem> {
    let is_asked = setup.has_original && !setup.is_quiet && oracle.build().is_some();
    if !is_asked || stop.is_requested() {
        return Ok(());
    }
    let changed = input
        .with_candidate(|candidate| oracle.changed_by_build(candidate, stop.token()))
        .map_err(|error| unusable(&error))?;
    let Some(first) = changed.first() else {
        return Ok(());
    };
    let others = match changed.len() {
        1 => String::new(),
        all => format!(" and {} other files", all - 1),
    };
    let name = Path::new(first.file_name().unwrap_or_default()).display();
    warn(&format!(
        "the build writes `{}`{others} of the input: leave out the files that a build creates, for \
         example with `--exclude '{name}'`",
        first.display()
    ));
    Ok(())
}

/// Refuses a command line that names the original where the candidate belongs, since every
/// candidate would fail with it, and warns of a script that names it.
fn refuse_original(setup: TestSetup<'_>, oracle: &CommandOracle) -> Result<(), Problem> {
    let Some(path) = path_of_original(oracle, setup.folder()) else {
        return Ok(());
    };
    let command = oracle.command();
    let is_whole_word = |word: &OsString| Path::new(word) == path;
    let name = path.file_name().unwrap_or(path.as_os_str());
    let (path, name) = (path.display(), Path::new(name).display());
    if !oracle.has_stdin() && !command.has_place() && command.args().iter().any(is_whole_word) {
        let what = format!("the test reads `{path}`, which is the original, for every candidate");
        return Err(
            Problem::new(Exit::Usage, what).hint(format!("write `{{}}` instead of `{path}`"))
        );
    }
    if setup.is_quiet {
        return Ok(());
    }
    warn(&format!(
        "the test names `{path}`, which is the original; the candidate is `{name}` in the folder \
         where the test runs"
    ));
    Ok(())
}
