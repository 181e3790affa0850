//! The findings of a run, for the terminal.

use super::data::{Counts, Failure};
use super::outcomes::{End, Ran};
use super::results::Results;
use crate::shown::count;
use indicatif::HumanCount;
use nubbin_campaign::Reduction;
use std::fmt::{self, Write as _};

/// The maximum number of files at a limit that are named.
const NAMED: usize = 5;

/// Returns what was found, and the result for each failure.
pub(super) fn summary(
    results: &Results,
    counts: &Counts,
    ran: &[Ran],
    failures: &[Failure],
) -> String {
    let mut text = counts.to_string();
    let late: Vec<&str> = (ran.iter())
        .filter(|ran| ran.outcome == End::TimeLimit)
        .map(|ran| &*ran.file)
        .collect();
    if !late.is_empty() {
        let named = late.iter().take(NAMED);
        let named: Vec<String> = named.map(|name| format!("`{name}`")).collect();
        let _ = write!(text, "\n  at the limit on time: {}", named.join(", "));
        if late.len() > NAMED {
            let _ = write!(text, ", and {} more", late.len() - NAMED);
        }
    }
    let only_met = failures.iter().filter(|failure| failure.seen == 0).count() as u64;
    let _ = write!(text, "\n{}", count(failures.len() as u64, "failure"));
    if only_met > 0 {
        let _ = write!(
            text,
            ", {} of them only in tests of reductions",
            HumanCount(only_met)
        );
    }
    for failure in failures {
        let tests = || format!("{} of reductions", count(failure.met, "test"));
        let place = match (failure.seen, failure.met) {
            (0, _) => format!("only in {}", tests()),
            (files, 0) => format!("in {}", count(files, "file")),
            (files, _) => format!("in {} and {}", count(files, "file"), tests()),
        };
        let _ = write!(
            text,
            "\n  {}\n    {place}, {} → {}: {}",
            failure.title,
            HumanCount(failure.bytes_before as u64),
            count(failure.bytes as u64, "byte"),
            results.shown_path(failure).display()
        );
        text += match failure.issue.reduction {
            Reduction::Done => "",
            Reduction::None => "\n    not reduced",
            Reduction::Partial => "\n    not reduced to the end",
            Reduction::Empty => "\n    not reduced, since an empty file shows it as well",
        };
    }
    text
}

impl Counts {
    /// Returns the flags that change what becomes of files at a limit.
    pub(super) fn hint(&self) -> Option<&'static str> {
        match (self.time_limit, self.other_limit) {
            (0, 0) => None,
            (0, _) => Some("`--memory SIZE` sets the limit on memory"),
            _ => Some(
                "`--hang SECS` takes a run of this time for a failure, and `--timeout SECS` gives \
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
            write!(f, ", {} hit the limit on time", HumanCount(self.time_limit))?;
        }
        if self.other_limit > 0 {
            let limited = HumanCount(self.other_limit);
            write!(f, ", {limited} hit a limit on memory or output")?;
        }
        if self.not_run > 0 {
            let verb = if self.not_run == 1 { "was" } else { "were" };
            write!(f, "; {} {verb} not run", count(self.not_run, "file"))?;
        }
        Ok(())
    }
}
