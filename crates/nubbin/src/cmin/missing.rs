//! A program that cannot run at all, which the first input shows.

use super::corpus::Corpus;
use super::ending::end_of;
use super::lines::places;
use crate::exit::Exit;
use crate::flags::CoverageSource;
use crate::problem::Problem;
use nubbin_oracle::{CommandOracle, missing_programs};
use nubbin_reduce::engine::Stop;
use nubbin_verdict::{Candidate, File};

/// The exit codes with which a shell reports that it could not start a program.
const UNSTARTED: [i32; 2] = [126, 127];

/// Refuses a command that cannot start a program with the first input. A run with any other input
/// would show nothing more.
pub(super) fn refuse_missing(
    corpus: &Corpus,
    oracle: &CommandOracle,
    source: CoverageSource,
    stop: &Stop,
) -> Result<(), Problem> {
    // The other sources begin with a run of the program itself, which is found or not.
    if !matches!(source, CoverageSource::Command | CoverageSource::Sancov) {
        return Ok(());
    }
    // An input that cannot be read, and a program that cannot be run, are told by the measurement.
    let (Some(entry), Ok(bytes)) = (corpus.entries.first(), corpus.read(0)) else {
        return Ok(());
    };
    let name = corpus.name_for_tests();
    let file = [File {
        name: &name,
        bytes: &bytes,
    }];
    let Ok(run) = oracle.observe_with(&Candidate::new(&file), 0, stop.token()) else {
        return Ok(());
    };
    if stop.is_requested() || !places(run.stdout()).is_empty() {
        return Ok(());
    }
    let here = std::env::current_dir().unwrap_or_default();
    let program = missing_programs(oracle.command(), &here).into_iter().next();
    let is_unstarted = run
        .exit
        .code()
        .is_some_and(|code| UNSTARTED.contains(&code));
    let what = match (program, is_unstarted) {
        (Some(program), _) => {
            format!("the command runs `{program}`, which does not exist")
        }
        (None, true) => "the command cannot start a program".to_owned(),
        (None, false) => return Ok(()),
    };
    let (name, exit) = (entry.name.display(), &run.exit);
    Err(Problem::new(Exit::Test, what)
        .fact(format!(
            "on `{name}`, the command ends with {exit}; {}",
            end_of(&run)
        ))
        .hint(
            "correct its name, or install it; each run is in a folder of its own, so write absolute \
             paths, or copy files there with `--with FILE`",
        ))
}
