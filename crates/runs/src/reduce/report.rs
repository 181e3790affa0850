//! The report at the end: sizes, reason of the end, path, and text of the result.

use super::modules::Modules;
use super::tokens::Tokens;
use crate::events::ChangedFailure;
use crate::nearly_empty;
use crate::other_failures::OtherFailures;
use crate::output::Targets;
use crate::problem::{say, warn};
use crate::repeat::{command_with, quoted};
use crate::shown::{run_time, shrinkage, style, tests};
use console::Term;
use indicatif::HumanCount;
use nubbin_reduce::engine::{Ended, Outcome, Statistics};
use nubbin_reduce::input::Input;
use nubbin_terminal::expression::pattern_of_message;
use std::ffi::OsStr;
use std::fmt::Write;
use std::path::MAIN_SEPARATOR;
use std::time::Duration;

/// A result with more lines than this is not shown.
const SHOWN_LINES: usize = 24;

/// The origin of the result on disk at the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// This run wrote the result.
    ThisRun,
    /// An earlier run with the same test and input wrote the result, and this run found no
    /// smaller result.
    Resumed,
    /// An earlier run or the user wrote the result. This run has no result.
    Earlier,
}

/// The time and tests of the runs before this one.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) origin: Origin,
    /// Whether the search began with the result of an earlier run.
    pub(super) is_begun: bool,
    /// The time of the runs that this one resumed.
    pub(super) time_before: Duration,
    /// Whether the algorithm counts the test of the original.
    pub(super) counts_original: bool,
    /// The algorithm or the passes, unless the default plan ran, which ends where nothing more can
    /// be removed.
    pub(super) chosen: Option<String>,
    /// Whether the algorithm has nothing to divide, since its units are lines and the input is one.
    pub(super) is_one_line: bool,
}

pub(super) fn print(
    outcome: &Outcome,
    tokens: Option<Tokens>,
    (targets, found): (Option<&Targets>, &Found),
    others: &OtherFailures,
) {
    let statistics = &outcome.statistics;
    let mut text = sizes(statistics, tokens, found);
    text += &reason(outcome, targets.is_some(), found.chosen.as_deref());
    if found.is_one_line && statistics.bytes_now == statistics.bytes_before {
        let bytes = count(statistics.bytes_before);
        text = format!("one line of {bytes} bytes; `--atom char` divides it\n");
    }
    text += &notes(outcome);
    match found.origin {
        Origin::ThisRun => {}
        Origin::Resumed if found.is_begun => text += "the result is that of the earlier run\n",
        Origin::Resumed => text += "the result is that of the run that was resumed\n",
        Origin::Earlier => {
            let _ = writeln!(text, "{}", targets.map(stays).unwrap_or_default());
        }
    }
    let targets = targets.filter(|_| found.origin != Origin::Earlier);
    text += &targets.map_or(String::new(), |it| places(it, &outcome.input));
    let _ = text.pop();
    say(&text);
    if statistics.bytes_now == 0 {
        warn("the test also fails on an empty input: it probably ignores its input");
    } else if let Some(note) = nearly_empty::note(statistics.bytes_before, outcome.input.bytes()) {
        warn(&note);
    }
    print_runs(others, outcome);
}

fn count(n: usize) -> String {
    HumanCount(n as u64).to_string()
}

/// Describes the sizes, tests, and time of a run.
fn sizes(statistics: &Statistics, tokens: Option<Tokens>, found: &Found) -> String {
    let of_tokens = tokens.map_or(String::new(), |tokens| {
        let part = |before: u64, after: u64, unit: &str| {
            let (before, after) = (HumanCount(before), HumanCount(after));
            let after = style(after.to_string()).bold();
            format!(", {before} {unit} to {after}")
        };
        // For a module, the number of instructions is more useful than the number of tokens.
        match tokens.modules {
            Some(Modules { before, after }) => {
                part(before.instructions, after.instructions, "instructions")
                    + &part(before.functions, after.functions, "functions")
            }
            None => part(tokens.before as u64, tokens.after as u64, "tokens"),
        }
    });
    format!(
        "{} bytes to {} ({}){of_tokens}; {} in {}{}{}\n",
        count(statistics.bytes_before),
        style(count(statistics.bytes_now)).bold(),
        shrinkage(statistics.bytes_before as u64, statistics.bytes_now as u64),
        tests(counted(statistics, found.counts_original)),
        run_time(statistics.elapsed + found.time_before),
        match found.time_before.is_zero() {
            true => "",
            false => " with the run that was resumed",
        },
        uncounted(statistics, found.counts_original),
    )
}

/// Describes why a run has ended. Nothing remains of one that writes to standard output, so that it
/// cannot go on.
fn reason(outcome: &Outcome, can_go_on: bool, chosen: Option<&str>) -> String {
    if let (Ended::Complete, Some(chosen)) = (&outcome.ended, chosen) {
        return format!("finished: {chosen} can remove nothing more, but the default plan may\n");
    }
    let (why, then) = match &outcome.ended {
        Ended::Complete => ("finished: nothing more can be removed", ""),
        Ended::MaxTests => (
            "stopped at the test limit",
            "; without it, the same command continues from here",
        ),
        Ended::MaxTime => (
            "stopped at the time limit",
            "; the same command continues from here",
        ),
        Ended::SmallEnough => (
            "as small as was asked for",
            "; without that limit, the same command looks for less",
        ),
        Ended::Stalled => (
            "stopped: nothing got smaller for as long as was allowed",
            "; without that limit, the same command continues from here",
        ),
        Ended::Stopped => (
            "stopped; this is the best so far",
            ", and the same command continues from here",
        ),
        _ => (
            "ended early; this is the best so far",
            ", and the same command continues from here",
        ),
    };
    let then = if can_go_on { then } else { "" };
    format!("{why}{then}\n")
}

/// Describes the facts that make a result less certain.
fn notes(outcome: &Outcome) -> String {
    let mut text = String::new();
    if matches!(outcome.ended, Ended::MaxTime) && outcome.verified.is_none() {
        text += "no time was left to test the result once more\n";
    }
    match outcome.statistics.interventions {
        0 => {}
        1 => text += "a pass was skipped or left out by hand: the seed alone did not decide this\n",
        more => {
            let _ = writeln!(
                text,
                "passes were skipped or left out by hand {more} times: the seed alone does not \
                 reproduce this run"
            );
        }
    }
    if let (Some(original), Some(result)) = (outcome.original, outcome.reproduction) {
        let _ = writeln!(
            text,
            "the result failed in {} of {} runs, the original in {} of {}",
            result.failures, result.runs, original.failures, original.runs,
        );
    }
    text
}

/// Describes the files and folders of a result.
fn places(targets: &Targets, result: &Input) -> String {
    let mut text = String::new();
    for (path, files, is_folder) in targets.numbers() {
        let is_left = |file: &usize| result.file(*file).is_some();
        let left: Vec<usize> = files.iter().copied().filter(is_left).collect();
        let is_renamed = |file: &&usize| targets.is_renamed(**file, result);
        let renamed = match left.iter().filter(is_renamed).count() {
            0 => String::new(),
            renamed => format!(", {renamed} renamed"),
        };
        let note = match (is_folder, left.len()) {
            (true, left) => {
                format!(
                    "{MAIN_SEPARATOR} ({left} of {} files{renamed})",
                    files.len()
                )
            }
            (false, 0) => " (removed: not needed)".into(),
            (false, _) => String::new(),
        };
        let _ = writeln!(text, "{}{note}", style(path.display()).green());
    }
    text
}

/// The commands of the result, if arguments were reduced.
#[derive(Debug)]
pub(super) struct ReducedLines {
    pub(super) build: Option<String>,
    pub(super) command: Option<String>,
}

/// Prints the commands of the result, and the names of the variables that it needs.
pub(super) fn print_parameters(lines: &ReducedLines, variables: Option<&(Vec<String>, usize)>) {
    if let Some(build) = &lines.build {
        say(&format!("build: {build}"));
    }
    if let Some(command) = &lines.command {
        say(&format!("command: {command}"));
    }
    match variables {
        None => {}
        Some((names, all)) if names.is_empty() => {
            say(&format!(
                "environment: none of the {all} variables is needed"
            ));
        }
        Some((names, all)) => say(&format!(
            "environment: {} ({} of {all} variables)",
            names.join(", "),
            names.len()
        )),
    }
}

/// The message about a result with another failure than the original.
pub(super) const ANOTHER: &str = "the result shows another failure than the original";

/// Warns of a result with another failure than the original. `what` names both, and `is_script`
/// says whether the test decides by its exit code.
pub(crate) fn warn_of_change(what: &str, changed: &ChangedFailure, is_script: bool) {
    // Without a condition, `--same-failure` alone would not ask for the verdict of the script.
    let flags = match (changed.values_differ, is_script) {
        (true, _) => {
            let message = pattern_of_message(&changed.original);
            format!("--stderr {}", quoted(OsStr::new(&message)))
        }
        (false, true) => "--exit 0 --same-failure".to_owned(),
        (false, false) => "--same-failure".to_owned(),
    };
    warn(&format!("{what}; both meet the conditions"));
    say(&format!("  the original: {}", changed.original));
    say(&format!("  the result:   {}", changed.result));
    say(&format!(
        "hint: this command keeps the failure of the original: `{}`",
        command_with(&flags)
    ));
}

/// Returns the message of a notification.
pub(super) fn message(outcome: &Outcome) -> String {
    let statistics = &outcome.statistics;
    format!(
        "nubbin: {} bytes to {}, {}",
        HumanCount(statistics.bytes_before as u64),
        HumanCount(statistics.bytes_now as u64),
        outcome.ended,
    )
}

/// Describes a run without its own result.
pub(super) fn stays(targets: &Targets) -> String {
    let paths: Vec<String> = targets
        .paths()
        .filter(|path| path.exists())
        .map(|path| format!("`{}`", path.display()))
        .collect();
    if paths.is_empty() {
        return "no smaller input was found, so this run has no result".to_owned();
    }
    let verb = if paths.len() == 1 { "is" } else { "are" };
    format!(
        "no smaller input was found, so this run has no result: {} {verb} from before it",
        paths.join(", ")
    )
}

/// Reports tests that hit limits, and other failures.
fn print_runs(others: &OtherFailures, outcome: &Outcome) {
    let timed_out = outcome.statistics.timed_out;
    if let Some((least, most)) = others.time_limits().filter(|_| timed_out > 0) {
        let stopped = others.stopped();
        let advice = match stopped >= timed_out {
            true => "",
            false => "; `--timeout TIME` sets another limit",
        };
        say(&format!(
            "{} took longer than {}{advice}",
            tests(timed_out),
            match (run_time(least), run_time(most)) {
                (least, most) if least == most => least,
                // By default, the limit increases with the tests that fail.
                (least, most) => format!("the limit, which was {least} to {most}"),
            },
        ));
        if stopped > 0 {
            say(&format!(
                "in {}, a process was stopped by a signal (SIGSTOP, for example) and nothing \
                 continued it, which more time does not help",
                tests(stopped)
            ));
        }
    }
    match outcome.statistics.not_built {
        0 => {}
        1 => say("1 candidate did not build"),
        many => say(&format!("{} candidates did not build", HumanCount(many))),
    }
    for (flag, count) in others.limits() {
        say(&format!(
            "{} hit the limit `--{flag}` and counted as unresolved",
            tests(count)
        ));
    }
    others.refusals().iter().for_each(|line| say(line));
    if let Some(line) = others.summary() {
        say(&line);
    }
}

/// Returns the number of tests that the algorithm counts: without the last test of the result, and
/// possibly without the test of the original.
pub(super) fn counted(statistics: &Statistics, counts_original: bool) -> u64 {
    let uncounted = statistics.verifications + u64::from(!counts_original);
    statistics.tests.saturating_sub(uncounted)
}

/// Describes the tests that are not [`counted`], and the candidates whose verdict was in the cache.
fn uncounted(statistics: &Statistics, counts_original: bool) -> String {
    let tests = match (statistics.verifications > 0, counts_original) {
        (true, true) => ", and the result once more",
        (true, false) => ", and the original and the result once each",
        (false, true) => "",
        (false, false) => ", and the original once",
    };
    let memory = match statistics.cache_hits {
        0 => String::new(),
        hits => format!("; {} more from the cache", HumanCount(hits)),
    };
    format!("{tests}{memory}")
}

/// Shows a short text on a terminal.
pub(super) fn show(result: &Input) {
    if !Term::stderr().is_term() || result.present().count() != 1 {
        return;
    }
    let Some(file) = result.present().next() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(file.text) else {
        return;
    };
    let printable = text
        .chars()
        .all(|c| !c.is_control() || c == '\n' || c == '\t');
    if !printable || text.is_empty() || text.len() > 4000 || text.lines().count() > SHOWN_LINES {
        return;
    }
    say("");
    for line in text.lines() {
        say(&format!("{} {line}", style("|").dim()));
    }
}
