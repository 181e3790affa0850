//! Compares the failure of the original in the user's folder with its failure in a private folder,
//! where every candidate runs. A test that lacks a file fails for that reason, and so does every
//! candidate.

use crate::awaited::Awaited;
use crate::exit::Exit;
use crate::problem::Problem;
use crate::settings::{FailureSettings, TestSettings};
use crate::siblings;
use crate::signals::stopped;
use crate::with_flags::with_flags;
use nubbin_oracle::{
    CommandOracle, Comparison, Difference, Run, Signature, Wanted, missing_neighbors,
};
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use std::path::{Path, PathBuf};

/// The original input of a command line.
#[derive(Clone, Copy, Debug)]
pub struct Own<'a> {
    pub flags: &'a TestSettings,
    /// The folder of the original.
    pub folder: &'a Path,
    /// Whether the original consists of files of the user.
    pub has_files: bool,
    pub is_quiet: bool,
}

/// Returns whether the conditions do not identify the failure. Other conditions identify it, for
/// example by a message.
pub fn is_asked(flags: &TestSettings) -> bool {
    let FailureSettings {
        stdout,
        stderr,
        not_stdout,
        not_stderr,
        signal,
        timeout_fails,
        differs_from,
        same_coverage,
        ..
    } = &flags.failure;
    let texts = [stdout, stderr, not_stdout, not_stderr, signal];
    texts.iter().all(|list| list.is_empty())
        && !timeout_fails
        && differs_from.is_none()
        && same_coverage.is_none()
        && !flags.run.private_failure
}

/// Returns an error if the original fails in another way in the user's folder than in `private`,
/// its run in a private folder.
pub fn refuse_other(
    own: Own<'_>,
    oracle: &CommandOracle,
    input: &Input,
    private: &Run,
    wanted: Wanted,
    stop: &Stop,
) -> Result<(), Problem> {
    if own.flags.run.private_failure {
        return Ok(());
    }
    let here = Path::new(".");
    // A text of choices is not in a folder of the user.
    let is_there = own.has_files && is_asked(own.flags);
    let mut folders = vec![own.folder];
    if own.folder.canonicalize().ok() != here.canonicalize().ok() {
        folders.push(here);
    }
    if is_there {
        let running = "running the original as in your folder".to_owned();
        let _running = Awaited::begin(running, own.is_quiet);
        for folder in &folders {
            let compared = input.with_candidate(|candidate| {
                let token = stop.token();
                let place: (&Path, &dyn Fn(&Path) -> bool) = (folder, &siblings::is_result);
                oracle.compare_with_own_folder(candidate, private, place, wanted, token)
            });
            let compared = compared.map_err(|error| {
                Problem::new(Exit::Test, "the test cannot be run").because(&error)
            })?;
            if stop.is_requested() {
                return Err(stopped());
            }
            if let Comparison::Different(difference) = compared {
                return Err(other_failure(&difference, folder, true));
            }
        }
    }
    if wanted == Wanted::SameFailure {
        return refuse_missing(own, oracle, private);
    }
    Ok(())
}

/// Refuses a failure that is a missing file which the user has.
fn refuse_missing(own: Own<'_>, oracle: &CommandOracle, run: &Run) -> Result<(), Problem> {
    let mut missing = missing_neighbors(oracle, run, own.folder);
    let is_given = |file: &PathBuf| own.flags.run.with.iter().any(|with| with.ends_with(file));
    missing.retain(|file| !is_given(file));
    let Some(first) = missing.first() else {
        return Ok(());
    };
    let what = format!(
        "nothing was reduced: where the tests run, the test cannot find `{}`, and every input would \
         fail for that reason",
        first.display()
    );
    let flags = with_flags(&missing, own.folder);
    Err(Problem::new(Exit::NotFailing, what)
        .hint(format!(
            "the test runs in a folder of its own: add `{flags}`"
        ))
        .hint(PRIVATE_FAILURE))
}

const PRIVATE_FAILURE: &str = "if the failure in the folder of the test is the one to keep, say so \
                               with `--private-failure`";

/// Describes the two failures of the original, and the flags with which the test shows the failure
/// of the user's folder: `--with`, and with `has_siblings` also `--with-siblings`.
pub fn other_failure(difference: &Difference, folder: &Path, has_siblings: bool) -> Problem {
    const ALONE: &str = "the test runs in a folder of its own, which has the input and what \
                         `--with` names";
    let all = match has_siblings {
        true => "; `--with-siblings` gives it everything next to the input",
        false => "",
    };
    let files = &difference.files[..];
    let flags = with_flags(files, folder);
    let what = match files {
        [] => {
            "nothing was reduced: the original fails in another way in the folder of the test than \
               in yours"
                .into()
        }
        files => {
            let names = files.iter().map(|file| format!("`{}`", file.display()));
            format!(
                "nothing was reduced: where the tests run, the test cannot find {}, and every input \
                 would fail for that reason",
                names.collect::<Vec<_>>().join(", ")
            )
        }
    };
    let hint = match (files, difference.is_enough) {
        ([], _) => format!("{ALONE}{all}"),
        (_, true) => format!("{ALONE}: add `{flags}`{all}"),
        (_, false) => {
            format!(
                "{ALONE}: add `{flags}` and other files that the test needs, which were not \
                     found{all}"
            )
        }
    };
    Problem::new(Exit::NotFailing, what)
        .fact(format!("in your folder: {}", end(&difference.own)))
        .fact(format!(
            "in the folder of the test: {}",
            end(&difference.private)
        ))
        .hint(hint)
        .hint(PRIVATE_FAILURE)
}

/// Describes the end of a run, with its failure.
fn end(run: &Run) -> String {
    match Signature::of(run) {
        Some(signature) if signature.to_string().contains(&run.exit.to_string()) => {
            signature.to_string()
        }
        Some(signature) => format!("{}, {signature}", run.exit),
        None => run.exit.to_string(),
    }
}
