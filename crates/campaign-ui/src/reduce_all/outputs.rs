//! Data for programs and the page, next to the folder of the results.

use super::data::{Counts, Failures};
use super::outcomes::Ran;
use super::page::{Subject, page};
use super::results;
use crate::exit::Exit;
use crate::flags::ReduceAllFlags;
use crate::output::{Access, Destination};
use crate::paths;
use crate::print::print_json;
use crate::problem::Problem;
use crate::report;
use crate::sarif;
use crate::setup::Setup;
use serde_json::json;
use std::path::{Path, PathBuf};

/// The outputs that a run writes at its end.
pub(super) struct Outputs {
    has_json: bool,
    page: Option<Destination>,
    sarif: Option<Destination>,
}

impl Outputs {
    /// Takes the files of the page and of the log. A file that nubbin did not write is refused.
    pub(super) fn claim(flags: &ReduceAllFlags) -> Result<Self, Problem> {
        let cannot = |error: &std::io::Error| {
            Problem::new(Exit::Output, "cannot tell the current folder").because(error)
        };
        let place = |path: &Option<PathBuf>, flag| match path {
            Some(path) => {
                // The path becomes absolute, since the campaign works in another folder.
                let path = std::path::absolute(path).map_err(|error| cannot(&error))?;
                paths::keep_outside(&path, &flags.folder, flag)?;
                Ok(Some(path))
            }
            None => Ok(None),
        };
        let page = place(&flags.report, "--report")?;
        let log = place(&flags.sarif, "--sarif")?;
        let force = flags.force;
        Ok(Outputs {
            has_json: flags.json,
            page: page
                .map(|path| report::claim(&path, "page", Access::OWNER, force))
                .transpose()?,
            sarif: log.map(|path| sarif::claim(&path, force)).transpose()?,
        })
    }

    pub(super) fn write(
        &self,
        setup: &Setup,
        program: &str,
        (counts, ran, failures): (&Counts, &[Ran], &Failures),
    ) -> Result<(), Problem> {
        if self.has_json {
            let answer = json!({
                "program": program,
                "counts": counts,
                "failures": failures.of_files,
                "other_failures": failures.other,
                "files": results::files(&failures.of_files, ran),
            });
            print_json(&answer)?;
        }
        if let Some(file) = &self.sarif {
            let entries = failures.of_files.iter().map(|failure| sarif::Entry {
                issue: &failure.issue,
                test: failure.file.clone(),
                files: &failure.files,
            });
            sarif::write(file, &entries.collect::<Vec<_>>())?;
        }
        let Some(file) = &self.page else {
            return Ok(());
        };
        let line = |test: &str| {
            let oracle = setup.programs.first().map(|built| built.program.oracle());
            oracle.map_or_else(String::new, |oracle| match oracle.has_stdin() {
                true => format!("{} < {test}", oracle.command().line_for(Path::new(test))),
                false => oracle.command().line_for(Path::new(test)),
            })
        };
        let subject = Subject {
            program,
            command: &line,
            counts,
            ran,
            failures,
        };
        file.write(page(&subject).as_bytes())
    }
}
