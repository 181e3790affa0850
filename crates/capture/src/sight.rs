//! The methods by which nubbin observes the files that a command reads.

use super::compilers::Watch;
use super::strace::{Refused, Trace};
use crate::exit::Exit;
use crate::flags::{CaptureFlags, Means};
use crate::problem::Problem;
use std::path::Path;

/// The size in bytes for which there has to be room: the trace of a large build, its output, and a
/// preprocessed file.
pub(super) const TRACE: u64 = 1 << 30;

pub(super) fn no_place(error: &(dyn std::error::Error + 'static)) -> Problem {
    Problem::new(
        Exit::Output,
        "nubbin cannot make a folder for temporary files",
    )
    .because(error)
}

/// The method by which nubbin observes the files that the command reads.
pub(super) enum Sight {
    Strace(Trace),
    /// Dependency files of compilers, with the reason why strace was not used, unless the user
    /// chose this method.
    Depfiles(Watch, Option<Refused>),
    Database,
}

impl Sight {
    pub(super) fn choose(flags: &CaptureFlags, private: &Path) -> Result<Self, Problem> {
        if flags.with == Some(Means::Database) {
            return Ok(Sight::Database);
        }
        let watch = || Watch::new(private).map_err(|error| no_place(&error));
        if flags.preprocess || flags.with == Some(Means::Depfiles) {
            let watch = watch()?.ok_or_else(|| {
                Problem::new(Exit::Test, "there is no C or C++ compiler in PATH")
                    .hint("`--with strace` sees what any command reads")
            })?;
            return Ok(Sight::Depfiles(watch, None));
        }
        let refused = match Trace::new(private) {
            Ok(trace) => return Ok(Sight::Strace(trace)),
            Err(refused) => refused,
        };
        let watch = match flags.with {
            None => watch()?,
            Some(_) => None,
        };
        let problem = || {
            Problem::new(Exit::Test, "nubbin cannot see what the command reads")
                .because(&refused)
                .hint("install strace, or run where strace may trace processes")
        };
        let watch = watch.ok_or_else(problem)?;
        Ok(Sight::Depfiles(watch, Some(refused)))
    }
}
