//! The last stage of an isolation: its results are on disk and are reported.

use super::results::Results;
use super::running::{End, Running};
use super::stats::Stats;
use super::{diff, other_failures, report};
use crate::broken;
use crate::events::TestPlaces;
use crate::exit::Exit;
use crate::outputs;
use crate::problem::{Problem, say};
use crate::repeat::quoted;
use nubbin_reduce::engine::Ended;
use nubbin_reduce::isolate::Isolated;
use nubbin_verdict::{Unresolved, Verdict};

/// An isolation with its results.
pub(super) struct Settled {
    end: End,
    running: Running,
}

impl Settled {
    /// Writes the two results.
    pub(super) fn of(running: Running, end: End) -> Result<Self, Problem> {
        running.claimed.owned.write(&end.isolated)?;
        Ok(Settled { end, running })
    }

    /// Reports the results, writes the files about the run, and returns the exit code.
    pub(super) fn conclude(self) -> Result<Exit, Problem> {
        let (claimed, places) = (&self.running.claimed, &self.running.tested.places);
        let (args, results) = (&claimed.prepared.args, &claimed.results);
        let End { isolated, logged } = self.end;
        if !args.output_flags.quiet {
            if !outputs::are_printed(&args.output_flags) {
                let shown = diff::minimal(&isolated, results, args.context);
                crate::print::print_bytes(&shown.text)?;
                if shown.is_cut {
                    let [one, other] =
                        [&results.passing, &results.failing].map(|path| quoted(path.as_os_str()));
                    say(&format!(
                        "long lines are cut around the change: `diff -u {one} {other}` prints them \
                         whole"
                    ));
                }
            }
            report::print(&isolated, results);
            places.summary().iter().for_each(|line| say(line));
            other_failures::report(&self.running, &isolated);
        }
        if claimed.outputs.has_stats() {
            let mut stats = Stats::new(&isolated, claimed.prepared.order, results);
            stats.places = places.counts().map(TestPlaces::from);
            claimed.outputs.write_stats(&stats)?;
        }
        logged?;
        exit(isolated, results)
    }
}

/// Returns the exit code.
fn exit(isolated: Isolated, results: &Results) -> Result<Exit, Problem> {
    match isolated.ended {
        Ended::Fault(fault) => {
            return Err(broken::in_the_middle(&fault).hint(format!(
                "the closest two so far are in `{}` and `{}`",
                results.passing.display(),
                results.failing.display()
            )));
        }
        Ended::Stopped => return Ok(Exit::Stopped),
        _ => {}
    }
    let (which, verdict) = match isolated.verified {
        None | Some([Verdict::Pass, Verdict::Fail]) => return Ok(Exit::Done),
        Some([Verdict::Pass, failing]) => (&results.failing, failing),
        Some([passing, _]) => (&results.passing, passing),
    };
    let hint = match verdict {
        Verdict::Unresolved(Unresolved::TimedOut(limit)) => broken::close_to_limit(limit),
        _ => "the test is flaky: run the program several times in it, and demand one \
              outcome"
            .into(),
    };
    let what = format!(
        "`{}` was tested once more, and the verdict is now `{}`",
        which.display(),
        verdict.word()
    );
    Err(Problem::new(Exit::Flaky, what).hint(hint))
}
