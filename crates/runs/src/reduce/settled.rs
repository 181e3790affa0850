//! The last stage of a run: its result is on disk and is reported.

use super::log::Log;
use super::report::{self, Origin, ReducedLines};
use super::running::Running;
use super::search::End;
use super::stats::statistics;
use super::tokens::Tokens;
use super::{ci, notify, plan};
use crate::broken;
use crate::events::{ChangedFailure, ReductionStatistics, TestPlaces};
use crate::exit::Exit;
use crate::output::{Targets, json};
use crate::persistent;
use crate::problem::{Problem, say};
use nubbin_reduce::engine::{Ended, Outcome};
use nubbin_reduce::input::Input;
use nubbin_verdict::{Unresolved, Verdict};

/// The end of a run whose test does not depend on the input, for statistics.
const EMPTY: &str = "empty";

/// The size in bytes of the largest original whose tokens are counted when a run has to end.
const COUNTED: usize = 4 << 20;

/// A run with its result.
pub(super) struct Settled {
    end: End,
    tokens: Option<Tokens>,
    /// A line about each original that was replaced.
    replaced: Vec<String>,
    /// The result without parameters of the test.
    own: Input,
    /// The commands of the result.
    lines: ReducedLines,
    /// The names of the variables of the result, and the number of those of the original.
    variables: Option<(Vec<String>, usize)>,
    /// The failures of the original and the result, if they differ.
    changed: Option<ChangedFailure>,
    running: Running,
}

impl Settled {
    /// Counts the tokens of the result, and replaces the original with the result if requested.
    pub(super) fn of(mut running: Running, mut end: End) -> Result<Self, Problem> {
        let before = running.size_before();
        let (claimed, oracle) = (&running.claimed, &running.oracle);
        let (prepared, targets) = (&claimed.prepared, &claimed.targets);
        let original = &prepared.input;
        let outcome = &mut end.outcome;
        if let (Origin::Resumed, Some(there)) = (end.origin, targets.read(original)) {
            outcome.statistics.bytes_now = there.size();
            outcome.input = there;
        }
        let is_stopped = matches!(outcome.ended, Ended::Stopped | Ended::MaxTime);
        let may_count = !is_stopped || outcome.statistics.bytes_before <= COUNTED;
        let counter = &prepared.counter;
        let tokens = may_count.then(|| counter.compare(before, original, &outcome.input));
        let replaced = match &prepared.in_place {
            Some(in_place) if end.saved.is_ok() && is_settled(outcome, end.origin) => {
                in_place.replace(targets, original)?
            }
            _ => vec![],
        };
        let (parameters, result) = (&prepared.parameters, &outcome.input);
        let place = targets.paths().next();
        let place = place.filter(|path| !prepared.streams.is_output && path.exists());
        let line = |command| parameters.line(command, result, place);
        Ok(Settled {
            tokens,
            replaced,
            own: parameters.own(result),
            lines: ReducedLines {
                build: oracle.build().and_then(line),
                command: line(oracle.command()),
            },
            variables: parameters.variables(result),
            changed: changed_failure(&running, &end),
            end,
            running,
        })
    }

    /// Reports the result, writes the files about the run, and returns the exit code.
    pub(super) fn conclude(mut self, mut log: Log) -> Result<Exit, Problem> {
        let is_quiet = self.running.claimed.prepared.is_quiet();
        if !is_quiet && self.end.empty.is_none() {
            self.report();
        }
        let mut stats = self.statistics(&log);
        log.conclude(&stats, &self.end.outcome.statistics);
        let logged = log.finish(self.running.claimed.outputs.page.as_ref());
        self.pass_on(&mut stats)?;
        let others = self.running.others.finish();
        std::mem::replace(&mut self.end.saved, Ok(()))
            .and(logged)
            .and(others)?;
        match self.end.empty {
            Some(empty) => Err(empty),
            None => exit(
                self.end.outcome,
                &self.running.claimed.targets,
                self.end.origin,
            ),
        }
    }

    fn report(&self) {
        let (running, end, claimed) = (&self.running, &self.end, &self.running.claimed);
        let prepared = &claimed.prepared;
        let (search, is_output) = (&prepared.args.search, prepared.streams.is_output);
        let place = (!is_output).then_some(&claimed.targets);
        let found = report::Found {
            origin: end.origin,
            is_begun: end.is_begun,
            time_before: end.time_before,
            counts_original: plan::counts_original(search),
            chosen: plan::chosen(search),
            is_one_line: plan::is_one_line(search, &prepared.input),
        };
        report::print(&end.outcome, self.tokens, (place, &found), &running.others);
        if end.origin != Origin::Earlier {
            report::print_parameters(&self.lines, self.variables.as_ref());
            if !is_output {
                report::show(&self.own);
            }
        }
        if let Some(changed) = &self.changed {
            report::warn_of_change(
                report::ANOTHER,
                changed,
                running.oracle.predicate().is_default(),
            );
        }
        persistent::warn_of_unserved(&running.oracle);
        self.replaced.iter().for_each(|line| say(line));
        running.places.summary().iter().for_each(|line| say(line));
        let is_own = end.origin == Origin::ThisRun;
        let beside = claimed.beside.as_ref().filter(|_| is_own);
        prepared.subject.report(beside);
    }

    fn statistics(&self, log: &Log) -> ReductionStatistics {
        let (running, end) = (&self.running, &self.end);
        let (sandbox, others) = (running.sandbox.clone(), &running.others);
        let mut stats = statistics(&end.outcome, self.tokens, &running.facts, log.first_test);
        // A file that was not needed has no result.
        stats.result = (running.claimed.targets.paths())
            .filter(|path| end.origin != Origin::Earlier && path.exists())
            .map(|path| path.display().to_string())
            .collect();
        if end.origin != Origin::Earlier {
            stats.build_command = self.lines.build.clone();
            stats.test_command = self.lines.command.clone();
            stats.variables = self.variables.as_ref().map(|(names, _)| names.clone());
        }
        if !end.time_before.is_zero() {
            stats.wall_s_resumed = Some(json::round(end.time_before.as_secs_f64()));
        }
        if end.empty.is_some() {
            stats.ended = EMPTY.to_owned();
        }
        stats.sandbox = sandbox.word().to_owned();
        stats.sandbox_reason = sandbox.reason;
        stats.sandbox_permitted = sandbox.permitted;
        stats.other_failures = others.list();
        stats.changed_failure = self.changed.clone();
        stats.positions = running.positions.positions.len() as u64;
        stats.places = running.places.counts().map(TestPlaces::from);
        stats.tests_over_limit = (others.limits().into_iter())
            .map(|(limit, tests)| (limit.to_owned(), tests))
            .collect();
        stats
    }

    /// Writes the statistics, and passes the result on: to standard output, the job, the clipboard,
    /// and the `--notify` command.
    fn pass_on(&self, stats: &mut ReductionStatistics) -> Result<(), Problem> {
        let (claimed, outcome) = (&self.running.claimed, &self.end.outcome);
        let (prepared, args) = (&claimed.prepared, &claimed.prepared.args);
        claimed.outputs.write_stats(stats)?;
        if prepared.streams.is_output {
            (prepared.streams).print(&outcome.input, &prepared.parameters)?;
            stats.result = vec!["-".into()];
        }
        let has_result = self.end.origin != Origin::Earlier && self.end.empty.is_none();
        if args.ci.is_some() && has_result {
            ci::announce(&outcome.statistics, &stats.result, &self.own)?;
        }
        if args.copy {
            notify::copy(&self.own);
        }
        if let Some(command) = &args.notify {
            let (message, result) = (report::message(outcome), claimed.targets.paths().next());
            notify::notify(command, &message, result, &prepared.stop);
        }
        Ok(())
    }
}

/// Runs the result once more if its failure may differ from the original's. Returns both if it is.
fn changed_failure(running: &Running, end: &End) -> Option<ChangedFailure> {
    let kept = running.others.kept()?;
    let (stop, result) = (&running.claimed.prepared.stop, &end.outcome.input);
    let is_checked = is_settled(&end.outcome, end.origin) && end.empty.is_none();
    if !is_checked || end.outcome.verified.is_none() || stop.is_requested() {
        return None;
    }
    let run = result
        .with_candidate(|candidate| running.oracle.observe_with(candidate, 0, stop.token()))
        .ok()?;
    kept.changed(&running.oracle, (result, &run))
}

/// Returns whether a run was not stopped and has its own result, which failed at the end.
fn is_settled(outcome: &Outcome, origin: Origin) -> bool {
    origin != Origin::Earlier
        && !matches!(outcome.ended, Ended::Stopped | Ended::Fault(_))
        && matches!(outcome.verified, None | Some(Verdict::Fail))
}

/// Returns the exit code.
fn exit(outcome: Outcome, targets: &Targets, origin: Origin) -> Result<Exit, Problem> {
    let result: Vec<String> = targets
        .paths()
        .map(|path| format!("`{}`", path.display()))
        .collect();
    let result = result.join(", ");
    match outcome.ended {
        Ended::Fault(fault) => {
            return Err(broken::in_the_middle(&fault).hint(match origin {
                Origin::Earlier => report::stays(targets),
                _ => format!("the best so far is in {result}"),
            }));
        }
        Ended::Stopped => return Ok(Exit::Stopped),
        _ if origin == Origin::Earlier => return Ok(Exit::NoResult),
        _ => {}
    }
    let hint = match outcome.verified {
        None | Some(Verdict::Fail) => return Ok(Exit::Done),
        Some(Verdict::Unresolved(Unresolved::TimedOut(limit))) => broken::close_to_limit(limit),
        Some(_) => {
            "the test is flaky: `--flaky on` runs it several times for each candidate".into()
        }
    };
    let what = "the result failed before, but not when it was tested once more";
    Err(Problem::new(Exit::Flaky, what)
        .hint(hint)
        .hint(format!("try it yourself on {result}")))
}
