//! `nubbin campaign report` and `export`.

use super::act::existing;
use super::config::{Config, ConfigFile};
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
        Some(folder) => tests(&opened, folder, flags),
        None => Ok(Exit::Done),
    }
}

/// Returns the name of the file with the smallest test of an issue. The extension is the one that
/// the program gets, if the campaign names one.
fn name_of_test(issue: &Issue, config: Option<&Config>) -> String {
    let program = config.and_then(|config| config.program.get(&issue.program));
    let name = program.and_then(|program| program.get_ref().name.as_ref());
    let extension = name.map(|name| Path::new(name.get_ref()).extension());
    let extension = match extension {
        Some(extension) => extension.map(|it| it.to_string_lossy().into_owned()),
        None if std::str::from_utf8(issue.smallest()).is_ok() => Some("txt".to_owned()),
        None => Some("bin".to_owned()),
    };
    let extension = extension.map_or(String::new(), |it| format!(".{it}"));
    let words = words(&issue.identity.to_string());
    format!("{:04}-{words}{extension}", issue.id)
}

/// Returns the settings of a campaign, if its file can be read: tests can be exported without it.
fn config(folder: &Path) -> Option<Config> {
    ConfigFile::read(folder).ok()?.parse().ok()
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
    let config = config(&flags.folder.folder);
    let entry = |issue| {
        let name = PathBuf::from(name_of_test(issue, config.as_ref()));
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
fn tests(opened: &Store, output: &Path, flags: &ExportFlags) -> Result<Exit, Problem> {
    let config = config(&flags.folder.folder);
    let filter = IssueFilter {
        states: vec![IssueState::Open],
        ..IssueFilter::default()
    };
    let issues = opened.issues(&filter);
    let issues = issues.map_err(|error| store::problem(&error))?;
    let folder = NewFolder::make(output, "-o")?;
    let mut lines = String::new();
    for issue in issues.iter().rev() {
        let name = name_of_test(issue, config.as_ref());
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
    let written = count(issues.len() as u64, "test");
    let verb = if issues.len() == 1 { "is" } else { "are" };
    say(&format!("{written} {verb} in `{}`", output.display()));
    if flags.html.is_none() {
        say("`--html DIR` writes a page for each issue");
    }
    Ok(Exit::Done)
}
