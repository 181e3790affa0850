//! Command lines without a test: which words may have been meant as the test, and the line to type.

mod behind;
mod dashes;
mod given;
mod line;
mod script;

use crate::exit::Exit;
use crate::near;
use crate::problem::Problem;
use crate::typed::Typed;
pub use behind::flag_of_test;
pub use dashes::without_dashes;
use line::completed;
use std::ffi::OsString;
use std::path::PathBuf;

/// Returns a problem with the command line to type if a command line has no test. `args` begins
/// with the name of the program.
pub fn without_test(args: &[OsString]) -> Option<Problem> {
    let typed = Typed::of(args).filter(|typed| typed.takes_test() && !typed.has_test())?;
    if let Some(problem) = without_dashes(args) {
        return Some(problem);
    }
    let named: Vec<PathBuf> = (typed.plain().into_iter())
        .map(|at| PathBuf::from(&typed.words()[at]))
        .collect();
    let is_other = match typed.command().get_name() {
        // A benchmark takes a folder of cases in the place of an input and a test.
        "shootout" => named.is_empty(),
        // A population keeps every input that the program accepts, and has no flags for a failure.
        "population" => true,
        _ => false,
    };
    if is_other {
        return None;
    }
    // A word that is neither a command nor a path is a misspelled command.
    let is_path = |word: &PathBuf| word.exists() || script::looks_like_path(word);
    let first = typed.words().first();
    if !typed.has_name()
        && !named
            .first()
            .is_some_and(|word| first == Some(&word.clone().into()) && is_path(word))
    {
        return None;
    }
    script::unusable(&typed, &named)
        .or_else(|| missing_file(&named))
        .or_else(|| given::none(&typed, &named))
}

fn missing_file(named: &[PathBuf]) -> Option<Problem> {
    let missing = named.iter().find(|path| !path.exists())?;
    let what = format!("`{}` does not exist", missing.display());
    let problem = Problem::new(Exit::Usage, what);
    let problem = match near::hint(missing) {
        Some(hint) => problem.hint(hint),
        None => problem,
    };
    Some(problem.hint(
        "each word before the test is an input; a command of several words has `--` in front of it",
    ))
}

/// Returns the problem of a command line with a test and without a folder for the result, which
/// `nubbin cmin` requires. `args` begins with the name of the program.
pub fn without_output(args: &[OsString]) -> Option<Problem> {
    let typed = Typed::of(args)?;
    let end = typed.words().iter().position(|word| word == "--")?;
    let (own, test) = typed.words().split_at(end);
    let line = [&completed(&typed, own.to_vec())[..], test].concat();
    if !typed.accepts(&line) {
        return None;
    }
    let what = "no folder for the result is given";
    Some(Problem::new(Exit::Usage, what).hint(format!(
        "`--output` (`-o`) names it: `{}`",
        typed.line(&line)?
    )))
}
