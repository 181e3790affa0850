//! `nubbin campaign report` and `export`.

use super::act::existing;
use super::farm::Given;
use super::reports::{Writer, words};
use super::setup::Setup;
use super::site;
use super::store;
use crate::anchor::{Anchor, Missing};
use crate::exit::Exit;
use crate::flags::{ExportFlags, FolderFlags};
use crate::output::Access;
use crate::problem::{Problem, say};
use crate::shown::count;
use nubbin_campaign::{IssueFilter, IssueState, Store};
use serde_json::json;
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;

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

/// Writes the pages of a campaign, the tests of its open issues, or both.
pub(super) fn export(flags: &ExportFlags) -> Result<Exit, Problem> {
    let opened = existing(&flags.folder.folder)?;
    if let Some(folder) = &flags.html {
        let issues = site::write(&opened, folder)?;
        let page = folder.join("index.html");
        let pages = count(issues as u64, "issue");
        say(&format!("the pages of {pages} are in `{}`", page.display()));
    }
    match &flags.output {
        Some(folder) => tests(&opened, folder),
        None => Ok(Exit::Done),
    }
}

/// Writes the tests of open issues to a folder.
fn tests(opened: &Store, output: &Path) -> Result<Exit, Problem> {
    let filter = IssueFilter {
        states: vec![IssueState::Open],
        ..IssueFilter::default()
    };
    let issues = opened.issues(&filter);
    let issues = issues.map_err(|error| store::problem(&error))?;
    let cannot = |path: &Path, error: &std::io::Error| {
        let what = format!("cannot write `{}`", path.display());
        Problem::new(Exit::Output, what)
            .because(error)
            .hint("give another folder with `-o DIR`")
    };
    let access = Access::OWNER;
    match access.make_empty_dir(output) {
        Err(error) => return Err(cannot(output, &error)),
        Ok(false) => {
            let what = format!("the folder `{}` is not empty", output.display());
            return Err(Problem::new(Exit::Output, what).hint("give a new folder with `-o DIR`"));
        }
        Ok(true) => {}
    }
    let folder = Anchor::at(output).folder(Missing::Refuse);
    let folder = folder.map_err(|error| cannot(output, &error))?;
    let put = |name: &str, bytes: &[u8]| {
        let made = folder.create_new(OsStr::new(name), access.mode());
        let written = made.and_then(|mut file| file.write_all(bytes));
        written.map_err(|error| cannot(&output.join(name), &error))
    };
    let mut lines = String::new();
    for issue in issues.iter().rev() {
        let name = format!("{:04}-{}", issue.id, words(&issue.identity.to_string()));
        put(&name, issue.smallest())?;
        let line = json!({
            "file": name,
            "program": issue.program,
            "identity": issue.identity,
            "exit": issue.exit,
            "version": issue.last_version,
        });
        lines += &format!("{line}\n");
    }
    put("issues.jsonl", lines.as_bytes())?;
    say(&format!(
        "{} tests are in `{}`",
        issues.len(),
        output.display()
    ));
    Ok(Exit::Done)
}
