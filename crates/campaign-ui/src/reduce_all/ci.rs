//! The output for a job of continuous integration: a line for each failure, and the summary.

use super::data::{Counts, Failure};
use crate::output::Access;
use crate::problem::{Problem, warn};
use crate::reduce::annotate;
use crate::shown::count;
use crate::shown::visible;
use std::fmt::Write as _;
use std::io::Write as _;

/// Tells of the failures in the log, and in the summary of the job where the host has one.
pub(super) fn announce(counts: &Counts, failures: &[Failure]) -> Result<(), Problem> {
    for failure in failures {
        let text = format!(
            "{}: {} to {} ({}), in {}",
            failure.title,
            count(failure.bytes_before as u64, "byte"),
            failure.bytes,
            failure.file,
            count(failure.seen, "file")
        );
        annotate("notice", &text)?;
    }
    let Some(file) = std::env::var_os("GITHUB_STEP_SUMMARY") else {
        return Ok(());
    };
    let appended = Access::ALL.append(file.as_ref());
    let written = appended.and_then(|mut file| file.write_all(table(counts, failures).as_bytes()));
    if let Err(error) = written {
        warn(&format!(
            "the summary of the job is not written: {error} (`GITHUB_STEP_SUMMARY`)"
        ));
    }
    Ok(())
}

fn table(counts: &Counts, failures: &[Failure]) -> String {
    let mut text = format!("### nubbin\n\n{counts}\n\n");
    if failures.is_empty() {
        return text;
    }
    text += "| failure | files | bytes | result |\n|---|--:|--:|---|\n";
    for failure in failures {
        let _ = writeln!(
            text,
            "| {} | {} | {} → {} | `{}` |",
            cell(&failure.title),
            failure.seen,
            failure.bytes_before,
            failure.bytes,
            failure.file
        );
    }
    text
}

/// Returns a text for a cell of a table in Markdown: code, in which nothing is markup.
fn cell(text: &str) -> String {
    let text = visible(text).replace('`', "'").replace('|', "\\|");
    format!("`{text}`")
}
