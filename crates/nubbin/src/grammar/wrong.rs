//! Problems with grammars.

use crate::exit::Exit;
use crate::problem::Problem;
use std::path::{Path, PathBuf};

/// Returns a problem with a grammar of these files.
pub(crate) fn wrong_grammar(
    paths: &[PathBuf],
    error: &(dyn std::error::Error + 'static),
) -> Problem {
    let what = format!("cannot use the grammar {}", named(paths));
    Problem::new(Exit::Input, what).because(error)
}

/// Returns the paths of a grammar in the form of messages.
pub(crate) fn named(paths: &[PathBuf]) -> String {
    let paths = paths.iter().map(|path| format!("`{}`", path.display()));
    paths.collect::<Vec<_>>().join(", ")
}

pub(crate) fn wrong(path: &Path, error: &(dyn std::error::Error + 'static)) -> Problem {
    let what = format!("cannot use the grammar `{}`", path.display());
    Problem::new(Exit::Input, what).because(error)
}
