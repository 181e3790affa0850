//! `nubbin campaign report` and `export`.

use super::act::existing;
use super::farm::Given;
use super::reports::{Writer, words};
use super::sarif;
use super::setup::Setup;
use super::site;
use super::store;
use crate::exit::Exit;
use crate::flags::{ExportFlags, FolderFlags};
use crate::new_folder::NewFolder;
use crate::problem::{Problem, say};
use crate::shown::count;
use nubbin_campaign::{Issue, IssueFilter, IssueState, Store};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Writes the reports of all issues.
pub(super) fn reports(flags: &FolderFlags) -> Result<Exit, Problem> {
    // Without a database, there are no issues to report. The command creates no database.
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

/// Writes the pages of a campaign, the log of its issues, and the tests of the open ones.
pub(super) fn export(flags: &ExportFlags) -> Result<Exit, Problem> {
    let opened = existing(&flags.folder.folder)?;
    if let Some(folder) = &flags.html {
        let issues = site::write(&opened, folder)?;
        let page = folder.join("index.html");
        let pages = count(issues as u64, "issue");
        say(&format!("the pages of {pages} are in `{}`", page.display()));
    }
    if let Some(path) = &flags.sarif {
        log(&opened, path, flags)?;
    }
    match &flags.output {
        Some(folder) => tests(&opened, folder),
        None => Ok(Exit::Done),
    }
}

/// Returns the name of the file with the smallest test of an issue.
fn name_of_test(issue: &Issue) -> String {
    format!("{:04}-{}", issue.id, words(&issue.identity.to_string()))
}

/// Writes the open and ignored issues as a SARIF log. It names the files written by `-o`.
fn log(opened: &Store, path: &Path, flags: &ExportFlags) -> Result<(), Problem> {
    let file = sarif::claim(path, flags.force)?;
    let filter = IssueFilter {
        states: vec![IssueState::Open, IssueState::Ignored],
        ..IssueFilter::default()
    };
    let issues = opened.issues(&filter);
    let mut issues = issues.map_err(|error| store::problem(&error))?;
    issues.reverse();
    let entry = |issue| {
        let name = PathBuf::from(name_of_test(issue));
        // The folder has the tests of open issues alone.
        let folder = flags
            .output
            .as_ref()
            .filter(|_| issue.state == IssueState::Open);
        let test = folder.map_or(name.clone(), |folder| folder.join(name));
        sarif::Entry {
            issue,
            test: test.to_string_lossy().into_owned(),
            files: &[],
        }
    };
    let entries: Vec<_> = issues.iter().map(entry).collect();
    sarif::write(&file, &entries)?;
    let written = count(issues.len() as u64, "issue");
    say(&format!("the log of {written} is in `{}`", path.display()));
    Ok(())
}

/// Writes the tests of open issues to a folder.
fn tests(opened: &Store, output: &Path) -> Result<Exit, Problem> {
    let filter = IssueFilter {
        states: vec![IssueState::Open],
        ..IssueFilter::default()
    };
    let issues = opened.issues(&filter);
    let issues = issues.map_err(|error| store::problem(&error))?;
    let folder = NewFolder::make(output, "-o")?;
    let mut lines = String::new();
    for issue in issues.iter().rev() {
        let name = name_of_test(issue);
        folder.put(&name, issue.smallest())?;
        let line = json!({
            "file": name,
            "program": issue.program,
            "identity": issue.identity,
            "exit": issue.exit,
            "version": issue.last_version,
        });
        lines += &format!("{line}\n");
    }
    folder.put("issues.jsonl", lines.as_bytes())?;
    say(&format!(
        "{} tests are in `{}`",
        issues.len(),
        output.display()
    ));
    Ok(Exit::Done)
}
