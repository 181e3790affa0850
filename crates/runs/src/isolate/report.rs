//! The report at the end: the share of the difference that matters, and the paths of the two
//! results.

use super::results::Results;
use crate::problem::say;
use crate::shown::{run_time, style};
use console::Term;
use indicatif::HumanCount;
use nubbin_reduce::engine::Ended;
use nubbin_reduce::isolate::{Atom, Isolated, Level};

pub(super) fn print(isolated: &Isolated, results: &Results) {
    if Term::stdout().is_term() && Term::stderr().is_term() {
        // A blank line between the difference and the report.
        say("");
    }
    let statistics = &isolated.statistics;
    let mut found = String::new();
    let mut around = 0;
    for (number, level) in statistics.levels.iter().enumerate() {
        // A single change cannot be divided.
        if number > 0 && level.changes < 2 {
            continue;
        }
        match around {
            0 => {}
            1 => found += ", in it ",
            _ => found += ", in them ",
        }
        found += &changes(level);
        around = level.left;
    }
    say(&format!(
        "{found}; {} tests in {}",
        HumanCount(statistics.tests),
        run_time(statistics.elapsed),
    ));
    match statistics.not_built {
        0 => {}
        1 => say("1 candidate did not build"),
        many => say(&format!("{} candidates did not build", HumanCount(many))),
    }
    let left = statistics.levels.last().map_or(0, |level| level.left);
    let why = match &isolated.ended {
        Ended::Complete if left > 1 => Some(
            "none of the changes can be made or undone alone: the test cannot decide about the \
             candidates",
        ),
        Ended::Complete => None,
        Ended::MaxTests => Some("stopped at the test limit; these are the closest two so far"),
        Ended::MaxTime => Some("stopped at the time limit; these are the closest two so far"),
        Ended::Stopped => Some("stopped; these are the closest two so far"),
        _ => Some("ended early; these are the closest two so far"),
    };
    if let Some(why) = why {
        say(why);
    }
    let path = |path: &std::path::Path| style(path.display().to_string()).green();
    say(&format!("passes: {}", path(&results.passing)));
    say(&format!("fails:  {}", path(&results.failing)));
}

/// Describes how many of the changes matter.
pub(super) fn changes(level: &Level) -> String {
    let (one, many) = match level.atom {
        Atom::Line => ("changed line", "changed lines"),
        Atom::Token => ("changed token", "changed tokens"),
        Atom::Char => ("changed character", "changed characters"),
        Atom::Byte => ("changed byte", "changed bytes"),
    };
    format!(
        "{} of {} {}",
        style(HumanCount(level.left.into())).bold(),
        HumanCount(level.changes.into()),
        if level.changes == 1 { one } else { many },
    )
}
