//! Data for programs and the page, beside the folder of the results.

use super::data::{Counts, Failure};
use super::outcomes::Ran;
use super::page::{Subject, page};
use super::results;
use crate::campaign::setup::Setup;
use crate::exit::Exit;
use crate::flags::ReduceAllFlags;
use crate::output::{Access, Destination};
use crate::print::print;
use crate::problem::Problem;
use crate::report;
use serde_json::json;
use std::path::Path;

/// The outputs that a run writes at its end.
pub(super) struct Outputs {
    has_json: bool,
    page: Option<Destination>,
}

impl Outputs {
    /// Takes the file of the page. A file that nubbin has not written is refused.
    pub(super) fn claim(flags: &ReduceAllFlags) -> Result<Self, Problem> {
        let cannot = |error: &std::io::Error| {
            Problem::new(Exit::Output, "cannot tell the current folder").because(error)
        };
        let page = match &flags.report {
            Some(path) => {
                // The campaign works in another folder.
                let path = std::path::absolute(path).map_err(|error| cannot(&error))?;
                refuse_within(&path, &flags.folder)?;
                Some(report::claim(&path, Access::OWNER, flags.force)?)
            }
            None => None,
        };
        Ok(Outputs {
            has_json: flags.json,
            page,
        })
    }

    pub(super) fn write(
        &self,
        setup: &Setup,
        program: &str,
        (counts, ran, failures): (&Counts, &[Ran], &[Failure]),
    ) -> Result<(), Problem> {
        if self.has_json {
            let answer = json!({
                "program": program,
                "counts": counts,
                "failures": failures,
                "files": results::files(failures, ran),
            });
            print(&format!("{answer:#}\n"))?;
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

/// Refuses a page in the folder of the files, which nubbin never writes to.
fn refuse_within(page: &Path, folder: &Path) -> Result<(), Problem> {
    let parent = page.parent().and_then(|parent| parent.canonicalize().ok());
    let folder = folder.canonicalize().ok();
    match (parent, folder) {
        (Some(parent), Some(folder)) if parent.starts_with(&folder) => {
            let what = format!("`{}` is in the folder of the files", page.display());
            Err(Problem::new(Exit::Usage, what).hint("give a path outside of it with `--report`"))
        }
        _ => Ok(()),
    }
}
