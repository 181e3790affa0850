//! The `--report` page: each failure with its result, its files, and the command to repeat.

use super::data::{Counts, Failure, Failures};
use super::outcomes::{End, Ran};
use crate::html::document;
use crate::nearly_empty;
use crate::report::bytes_markup;
use crate::shown::count;
use maud::{Markup, html};
use nubbin_campaign::Reduction;

/// The longest result that the page shows, in bytes.
const LONGEST: usize = 20_000;
/// The number of files of a failure that are shown without a click.
const MAX_LISTED_FILES: usize = 3;

/// The contents of the page.
pub(super) struct Subject<'a> {
    /// The name of the program.
    pub(super) program: &'a str,
    /// The command that runs the program on a file.
    pub(super) command: &'a dyn Fn(&str) -> String,
    pub(super) counts: &'a Counts,
    pub(super) ran: &'a [Ran],
    pub(super) failures: &'a Failures,
}

pub(super) fn page(subject: &Subject<'_>) -> String {
    let failures = &subject.failures.of_files;
    let heading = format!(
        "{}: {}",
        subject.program,
        count(failures.len() as u64, "failure")
    );
    let body = html! {
        h1 { (heading) }
        p { (subject.counts.to_string()) "." }
        @if failures.len() > 1 {
            div.scroll tabindex="0" { table {
                thead { tr {
                    th scope="col" { "failure" }
                    th.number scope="col" { "files" }
                    th.number scope="col" { "bytes" }
                } }
                tbody { @for failure in failures { tr {
                    th scope="row" { a href=(format!("#{}", failure.file)) { (failure.title) } }
                    td.number { (failure.seen) }
                    td.number {
                        (failure.bytes_before) " → " (failure.bytes)
                        @if !failure.done { " (not reduced to the end)" }
                    }
                } } }
            } }
        }
        @for failure in failures { (of_failure(failure, subject)) }
        (of_other(subject))
        (of_files(subject))
    };
    document(&format!("nubbin: {heading}"), &body, None)
}

fn of_failure(failure: &Failure, subject: &Subject<'_>) -> Markup {
    let test = failure.issue.smallest();
    let state = match failure.issue.reduction {
        Reduction::Done => "",
        Reduction::None => ", not reduced",
        Reduction::Partial | Reduction::Limited => ", not reduced to the end",
        Reduction::Empty => ", not reduced: an empty file shows the failure as well",
    };
    html! {
        section id=(failure.file) {
            h2 { (failure.title) }
            p.more {
                (failure.bytes_before) " → " (count(failure.bytes as u64, "byte")) (state) ", "
                (failure.exit) ", in " code { (failure.file) }
            }
            @if let Some(note) = nearly_empty::note(failure.bytes_before, test) { p { (note) "." } }
            @if test.len() > LONGEST { p { (count(test.len() as u64, "byte")) ", too long to be shown here." } }
            @else { pre tabindex="0" role="group" aria-label="the result" { (bytes_markup(test)) } }
            p { code { ((subject.command)(&failure.file)) } }
            @let files = &failure.files;
            @if files.is_empty() { p.more { "In " (count(failure.met, "test")) " of reductions." } }
            @else if files.len() <= MAX_LISTED_FILES { p { "Files: " (names(files)) } }
            @else { details { summary { (count(failure.seen, "file")) } p { (names(files)) } } }
            @if !failure.issue.output.is_empty() {
                details {
                    summary { "Output of the program" }
                    pre tabindex="0" role="group" aria-label="the output" { (String::from_utf8_lossy(&failure.issue.output)) }
                }
            }
        }
    }
}

fn names(files: &[String]) -> Markup {
    html! { @for (at, file) in files.iter().enumerate() { @if at > 0 { ", " } code { (file) } } }
}

/// Returns the failures that no file shows.
fn of_other(subject: &Subject<'_>) -> Markup {
    html! {
        @if let Some(heading) = subject.failures.heading_of_other() {
            details {
                summary { (heading) }
                @for failure in &subject.failures.other { (of_failure(failure, subject)) }
            }
        }
    }
}

/// Returns the files without a failure.
fn of_files(subject: &Subject<'_>) -> Markup {
    let rows = [
        (End::TimeLimit, "At the time limit"),
        (End::OtherLimit, "At a memory or output limit"),
        (End::NoFailure, "Without a failure"),
    ];
    html! {
        @for (end, heading) in rows {
            @let ran = subject.ran.iter().filter(|ran| ran.outcome == end);
            @let files: Vec<String> = ran.map(|ran| ran.file.clone()).collect();
            @if !files.is_empty() {
                section { h2 { (heading) } p { (count(files.len() as u64, "file")) ": " (names(&files)) } }
            }
        }
    }
}
