//! The case that an empty input fails as well: the test does not depend on the input, and every
//! result is meaningless.

use crate::advice;
use crate::exit::Exit;
use crate::problem::{Problem, say, warn};
use crate::settings::ReduceSettings;
use crate::test::folder_of;
use nubbin_oracle::{CommandOracle, called_of_input, why_unused};
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use nubbin_terminal::fixed_flags::fixed_flags;
use nubbin_terminal::repeat::command_with;
use nubbin_verdict::{Ask, Oracle as _};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// The number of runs of an empty input that must fail, in addition to the run that adopted it. A
/// flaky test fails in some of them.
const RUNS: usize = 2;

/// The check of every new best so far for an empty input.
pub(super) struct EmptyInput<'a> {
    args: &'a ReduceSettings,
    oracle: &'a CommandOracle,
    /// Whether an empty input may fail: the user permits it, or the command is reduced as well.
    is_allowed: bool,
    stop: &'a Stop,
    found: RefCell<Option<Problem>>,
}

impl<'a> EmptyInput<'a> {
    pub(super) fn new(args: &'a ReduceSettings, oracle: &'a CommandOracle, stop: &'a Stop) -> Self {
        EmptyInput {
            args,
            oracle,
            is_allowed: args.allow_empty || args.reduce_args || args.reduce_env,
            stop,
            found: RefCell::default(),
        }
    }

    /// Looks at the best so far. Stops the run if that is empty and fails each time.
    pub(super) fn look(&self, best: &Input) {
        if self.is_allowed || best.size() > 0 || self.stop.is_requested() {
            return;
        }
        let ask = Ask {
            cancel: self.stop.token().clone(),
            ..Ask::new(0)
        };
        for _ in 0..RUNS {
            let verdict = best.with_candidate(|candidate| self.oracle.judge(candidate, &ask));
            if !verdict.is_ok_and(|verdict| verdict.is_fail()) {
                return;
            }
        }
        *self.found.borrow_mut() = Some(self.problem(best));
        self.stop.request();
    }

    /// Returns the problem, if there is one.
    pub(super) fn take(self) -> Option<Problem> {
        self.found.into_inner()
    }

    fn problem(&self, best: &Input) -> Problem {
        let is_folder = best.file_count() > 1;
        let problem = Problem::new(
            Exit::EmptyFails,
            match is_folder {
                false => "the test also fails on an empty input, so the result says nothing",
                true => "the test also fails if all files are empty, so the result says nothing",
            },
        );
        let folder = folder_of(&self.args.inputs, self.args.start());
        let cause = best.with_candidate(|empty| why_unused(self.oracle, empty, folder));
        let called = called(self.args, self.oracle);
        let problem = match (cause, called.first()) {
            (Some(cause), _) => {
                let advice = advice::for_finding(&cause, folder);
                problem.hint(format!("{cause}{advice}"))
            }
            (None, Some(first)) => problem.hint(format!(
                "the test calls `{}`, which is a file of the input and is reduced like all \
                 others: keep it with `{}`",
                first.display(),
                flags_for(&called, self.oracle)
            )),
            (None, None) => problem.hint(self.condition()),
        };
        problem.hint("`--allow-empty` accepts an empty result")
    }

    /// Returns the advice for a test that reads its input and accepts too many inputs.
    fn condition(&self) -> String {
        let wanted = self.oracle.predicate().describe();
        match self.oracle.predicate().is_default() {
            true => "the test must end with another exit code than 0 if the failure is not there: \
                     look for its message, or describe it with `--stderr`, `--stdout`, or \
                     `--same-failure`"
                .to_owned(),
            false => format!(
                "`{wanted}` holds for more than the failure: describe it with `--stderr`, \
                 `--stdout`, or `--same-failure`"
            ),
        }
    }
}

/// Warns of a script of the input folder that the test calls. If it is reduced to nothing, every
/// candidate may fail.
pub(super) fn warn_of_called(args: &ReduceSettings, oracle: &CommandOracle) {
    let called = called(args, oracle);
    let Some(first) = called.first().filter(|_| !args.output_flags.quiet) else {
        return;
    };
    let first = first.display();
    let flags = flags_for(&called, oracle);
    warn(&format!(
        "the test calls `{first}`, which is a file of the input and is reduced like all others, so \
         the result may be a program that is broken: `{flags}` keeps it"
    ));
    say(&format!("hint: `{}`", command_with(&flags)));
}

/// Returns the programs and scripts of the input that the test calls.
fn called(args: &ReduceSettings, oracle: &CommandOracle) -> Vec<PathBuf> {
    if args.inputs.len() != 1 || !args.inputs[0].is_dir() {
        return Vec::new();
    }
    called_of_input(oracle, folder_of(&args.inputs, args.start()))
}

/// Returns the flags that keep the programs as they are.
fn flags_for(called: &[PathBuf], oracle: &CommandOracle) -> String {
    let within = (oracle.names().iter()).filter_map(|name| name.strip_prefix(oracle.place()).ok());
    let within: Vec<PathBuf> = within.map(Path::to_owned).collect();
    fixed_flags(called, &within)
}
