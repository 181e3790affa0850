//! The findings of a run, for the terminal.

use super::data::{Counts, Failure, Failures};
use super::outcomes::{End, Ran};
use super::results::Results;
use crate::nearly_empty;
use crate::shown::count;
use indicatif::HumanCount;
use nubbin_campaign::Reduction;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

/// The maximum number of files at a limit that are named.
const NAMED: usize = 5;

/// Returns the failures that were found, and the result for each of them.
pub(super) fn summary(
    results: &Results,
    counts: &Counts,
    ran: &[Ran],
    failures: &Failures,
) -> String {
    let mut text = counts.to_string();
    let late: Vec<&str> = (ran.iter())
        .filter(|ran| ran.outcome == End::TimeLimit)
        .map(|ran| &*ran.file)
        .collect();
    if !late.is_empty() {
        let named = late.iter().take(NAMED);
        let named: Vec<String> = named.map(|name| format!("`{name}`")).collect();
        let _ = write!(text, "\n  at the time limit: {}", named.join(", "));
        if late.len() > NAMED {
            let _ = write!(text, ", and {} more", late.len() - NAMED);
        }
    }
    let found = count(failures.of_files.len() as u64, "failure");
    let _ = write!(text, "\n{found}");
    for failure in &failures.of_files {
        text += &lines(failure, results);
    }
    if let Some(heading) = failures.heading_of_other() {
        let _ = write!(text, "\n{heading}");
        for failure in &failures.other {
            text += &lines(failure, results);
        }
    }
    text
}

/// Returns how far a failure is not reduced; an empty text if it is.
pub(super) fn state(failure: &Failure) -> &'static str {
    match failure.issue.reduction {
        Reduction::None if failure.seen > 0 => "not reduced",
        Reduction::Done | Reduction::None => "",
        Reduction::Partial => "not reduced to the end",
        Reduction::Limited => "not reduced to the end: a limit stopped the reduction",
        Reduction::Empty => "not reduced, since an empty file shows it as well",
    }
}

/// Returns the lines of a failure.
fn lines(failure: &Failure, results: &Results) -> String {
    let tests = || format!("{} of reductions", count(failure.met, "test"));
    let place = match (failure.seen, failure.met) {
        (0, _) => tests(),
        (files, 0) => count(files, "file"),
        (files, _) => format!("{} and {}", count(files, "file"), tests()),
    };
    let bytes = count(failure.bytes as u64, "byte");
    let is_reduced = failure.seen > 0 || failure.issue.reduction != Reduction::None;
    let sizes = match is_reduced {
        true => format!("{} → {bytes}", HumanCount(failure.bytes_before as u64)),
        false => bytes,
    };
    let state = match state(failure) {
        "" => String::new(),
        state => format!("\n    {state}"),
    };
    let note = nearly_empty::note(failure.bytes_before, failure.issue.smallest());
    let note = note.map_or(String::new(), |note| format!("\n    {note}"));
    format!(
        "\n  {}\n    in {place}, {sizes}: {}{state}{note}",
        failure.title,
        results.shown_path(failure).display()
    )
}

/// Returns the hint for files on which the program ends with an exit code other than 0 that is not
/// a failure by the flags.
pub(super) fn hint_of_codes(ran: &[Ran]) -> Option<String> {
    let mut codes: BTreeMap<u32, u64> = BTreeMap::new();
    for ran in ran.iter().filter(|ran| ran.outcome == End::NoFailure) {
        let code = ran.exit.strip_prefix("exit code ");
        if let Some(code @ 1..) = code.and_then(|code| code.parse().ok()) {
            *codes.entry(code).or_default() += 1;
        }
    }
    let files: u64 = codes.values().sum();
    let named: Vec<String> = codes.keys().map(u32::to_string).collect();
    let (first, named) = (named.first()?, named.join(","));
    let (code, them) = match codes.len() {
        1 => (format!("exit code {first}"), "these files"),
        _ => (format!("one of the exit codes {named}"), "all of them"),
    };
    let files = count(files, "file");
    Some(format!(
        "on {files} without a failure, the program ends with {code}: `--exit {named}` takes {them} \
         for failures"
    ))
}

impl Failures {
    /// Returns the hint for files that only an exit code groups.
    pub(super) fn hint_of_each(&self) -> Option<String> {
        let is_code = |failure: &&Failure| {
            let identity = &failure.identity;
            let has_no_message = identity.kind == "exit" && identity.what == failure.exit;
            has_no_message && identity.frames.is_empty() && failure.seen > 1
        };
        let failure = self.of_files.iter().find(is_code)?;
        Some(format!(
            "only `{}` groups {} files; `--each` reduces every file, and groups the files by their \
             results",
            failure.exit,
            HumanCount(failure.seen)
        ))
    }

    /// Returns the heading of the failures that no file shows; `None` without any.
    pub(super) fn heading_of_other(&self) -> Option<String> {
        let other = self.other.len() as u64;
        let is_left = |failure: &Failure| failure.issue.reduction == Reduction::None;
        let hint = match self.other.iter().any(is_left) {
            true => "; `--other-failures` reduces such failures",
            false => "",
        };
        (other > 0).then(|| {
            let shows = if other == 1 { "shows" } else { "show" };
            let found = count(other, "other failure");
            format!("{found} {shows} only in tests of reductions, and in no file{hint}")
        })
    }
}

impl Counts {
    /// Returns the flags that change the outcome of files that hit a limit.
    pub(super) fn hint(&self) -> Option<&'static str> {
        match (self.time_limit, self.other_limit) {
            (0, 0) => None,
            (0, _) => Some("`--memory SIZE` sets the memory limit"),
            _ => Some(
                "`--hang TIME` takes a run of this time for a failure, and `--timeout TIME` gives \
                 the files more time",
            ),
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fail = if self.failing == 1 { "fails" } else { "fail" };
        let files = count(self.run, "file");
        write!(f, "{files}: {} {fail}", HumanCount(self.failing))?;
        if self.time_limit > 0 {
            write!(f, ", {} hit the time limit", HumanCount(self.time_limit))?;
        }
        if self.other_limit > 0 {
            let limited = HumanCount(self.other_limit);
            write!(f, ", {limited} hit a memory or output limit")?;
        }
        if self.not_run > 0 {
            let verb = if self.not_run == 1 { "was" } else { "were" };
            write!(f, "; {} {verb} not run", count(self.not_run, "file"))?;
        }
        Ok(())
    }
}
