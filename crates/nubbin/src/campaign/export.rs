//! `nubbin campaign report` and `export`.

use super::act::existing;
use super::farm::Given;
use super::reports::{Writer, words};
use super::setup::Setup;
use super::store;
use crate::exit::Exit;
use crate::flags::{ExportFlags, FolderFlags};
use crate::output::Access;
use crate::problem::{Problem, say};
use nubbin_campaign::{IssueFilter, IssueState};
use serde_json::json;

/// Writes the reports of all issues.
pub(super) fn reports(flags: &FolderFlags) -> Result<Exit, Problem> {
    // Without a database there is nothing to report, and none is made.
    let mut opened = existing(&flags.folder)?;
    let forgotten = opened.forget_reports();
    forgotten.map_err(|error| store::problem(&error))?;
    drop(opened);
    let setup = Setup::new(&flags.folder, &Given::default(), false)?;
    let written = Writer::new(&setup)?.write_all(true)?;
    say(&format!(
        "{written} reports are in `{}`",
        setup.folder.join("issues").display()
    ));
    Ok(Exit::Done)
}

/// Writes the tests of open issues to a folder.
pub(super) fn tests(flags: &ExportFlags) -> Result<Exit, Problem> {
    let opened = existing(&flags.folder.folder)?;
    let filter = IssueFilter {
        states: vec![IssueState::Open],
        ..IssueFilter::default()
    };
    let issues = opened.issues(&filter);
    let issues = issues.map_err(|error| store::problem(&error))?;
    let cannot = |path: &std::path::Path, error: &std::io::Error| {
        let what = format!("cannot write `{}`", path.display());
        Problem::new(Exit::Output, what)
            .because(error)
            .hint("give another folder with `-o DIR`")
    };
    let access = Access::OWNER;
    match access.make_empty_dir(&flags.output) {
        Err(error) => return Err(cannot(&flags.output, &error)),
        Ok(false) => {
            let what = format!("the folder `{}` is not empty", flags.output.display());
            return Err(Problem::new(Exit::Output, what).hint("give a new folder with `-o DIR`"));
        }
        Ok(true) => {}
    }
    let mut lines = String::new();
    for issue in issues.iter().rev() {
        let name = format!("{:04}-{}", issue.id, words(&issue.identity.to_string()));
        let path = flags.output.join(&name);
        let written = access.write_new(&path, issue.smallest());
        written.map_err(|error| cannot(&path, &error))?;
        let line = json!({
            "file": name,
            "program": issue.program,
            "identity": issue.identity,
            "exit": issue.exit,
            "version": issue.last_version,
        });
        lines += &format!("{line}\n");
    }
    let index = flags.output.join("issues.jsonl");
    let written = access.write_new(&index, lines.as_bytes());
    written.map_err(|error| cannot(&index, &error))?;
    say(&format!(
        "{} tests are in `{}`",
        issues.len(),
        flags.output.display()
    ));
    Ok(Exit::Done)
}
