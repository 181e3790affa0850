//! The output for a job of continuous integration: a line for each failure, and the summary.

use super::data::{Counts, Failures};
use super::summary::state;
use crate::exit::Exit;
use crate::output::Access;
use crate::problem::{Problem, warn};
use crate::reduce::{annotate, command_in_markdown, in_markdown};
use crate::shown::count;
use crate::shown::visible;
use std::fmt::Write as _;
use std::io::Write as _;

/// The maximum number of results in the summary of a job.
const SHOWN: usize = 10;

/// Returns whether a job of continuous integration succeeds despite this exit.
pub(super) fn is_harmless(exit: Exit) -> bool {
    matches!(exit, Exit::NotFailing | Exit::EmptyFails | Exit::NoResult)
}

/// Tells of the failures in the log, and in the summary of the job where the host has one.
pub(super) fn announce(counts: &Counts, failures: &Failures) -> Result<(), Problem> {
    for failure in &failures.of_files {
        let text = format!(
            "{}: {} to {} ({}), in {}{}",
            failure.title,
            count(failure.bytes_before as u64, "byte"),
            failure.bytes,
            failure.file,
            count(failure.seen, "file"),
            behind(state(failure))
        );
        annotate("notice", &text)?;
    }
    append(|| summary(counts, failures));
    Ok(())
}

/// Tells of results, one line for each, in the log, and in the summary of the job where the host
/// has one.
pub(super) fn announce_lines(counts: &str, lines: &[String]) -> Result<(), Problem> {
    for line in lines {
        annotate("notice", line)?;
    }
    append(|| {
        let lines: String = lines
            .iter()
            .map(|line| format!("- {}\n", cell(line)))
            .collect();
        format!("### nubbin\n\n{counts}\n\n{lines}") + &command_in_markdown()
    });
    Ok(())
}

/// Appends to the summary of the job where the host has one.
fn append(text: impl FnOnce() -> String) {
    let Some(file) = std::env::var_os("GITHUB_STEP_SUMMARY") else {
        return;
    };
    let appended = Access::ALL.append(file.as_ref());
    let written = appended.and_then(|mut file| file.write_all(text().as_bytes()));
    if let Err(error) = written {
        warn(&format!(
            "cannot write the summary of the job: {error} (`GITHUB_STEP_SUMMARY`)"
        ));
    }
}

/// Returns a table of the failures, their results, and the command to repeat.
fn summary(counts: &Counts, failures: &Failures) -> String {
    let mut text = format!("### nubbin\n\n{counts}\n\n");
    if failures.of_files.is_empty() {
        return text;
    }
    text += "| failure | files | bytes | result |\n|---|--:|--:|---|\n";
    for failure in &failures.of_files {
        let _ = writeln!(
            text,
            "| {} | {} | {} → {}{} | `{}` |",
            cell(&failure.title),
            failure.seen,
            failure.bytes_before,
            failure.bytes,
            behind(state(failure)),
            failure.file
        );
    }
    if let Some(heading) = failures.heading_of_other() {
        let _ = writeln!(text, "\n{heading}.");
    }
    for failure in failures.of_files.iter().take(SHOWN) {
        let result = in_markdown(failure.issue.smallest());
        if !result.is_empty() {
            let _ = write!(text, "\n{}:\n{result}", cell(&failure.title));
        }
    }
    text + &command_in_markdown()
}

/// Returns a state as the end of a line.
fn behind(state: &str) -> String {
    match state {
        "" => String::new(),
        state => format!("; {state}"),
    }
}

/// Returns a text for a cell of a table in Markdown: code, in which nothing is markup.
fn cell(text: &str) -> String {
    let text = visible(text).replace('`', "'").replace('|', "\\|");
    format!("`{text}`")
}
