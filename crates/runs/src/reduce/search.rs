//! The search of a run: the engine with its observers.

use super::empty::EmptyInput;
use super::log::Log;
use super::observers::Observers;
use super::progress::ReductionProgress;
use super::report::Origin;
use super::running::Running;
use super::start::{Begun, Start};
use super::{format, plan, view};
use crate::awaited::Awaited;
use crate::broken;
use crate::exit::Exit;
use crate::flags::{FlakyMode, SandboxMode};
use crate::output::{Saver, Targets};
use crate::problem::Problem;
use crate::test;
use indicatif::HumanCount;
use nubbin_reduce::engine::{
    Control, Ended, Event, Flaky, Outcome, ReduceError, Reduction, Statistics,
};
use nubbin_reduce::input::Input;
use nubbin_verdict::{Oracle, Verdict};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The end of a search.
pub(super) struct End {
    pub(super) outcome: Outcome,
    /// Whether the result is on disk.
    pub(super) saved: Result<(), Problem>,
    pub(super) origin: Origin,
    /// The reason why the result is meaningless.
    pub(super) empty: Option<Problem>,
    /// Whether the search began with the result of an earlier run.
    pub(super) is_begun: bool,
    /// The time of the runs that this one resumed.
    pub(super) time_before: Duration,
}

/// Runs the engine with its observers.
pub(super) fn search(running: &mut Running, log: &mut Log) -> Result<End, Problem> {
    let written = std::mem::take(&mut running.claimed.written);
    let running = &*running;
    let prepared = &running.claimed.prepared;
    let judge = prepared.subject.judge(&running.places);
    let judge: &dyn Oracle = match &judge {
        Some(judge) => judge,
        None => &running.places,
    };
    let (mut start, journal) = Start::of(running, judge, &written)?;
    let targets = running.claimed.targets.clone();
    let saver = Saver::start(targets, start.floor, written).map_err(|error| {
        let what = "cannot start the thread that writes the result";
        Problem::new(Exit::Output, what).because(&error)
    })?;
    let control = Control::default();
    let handles = view::Handles {
        stop: prepared.stop.clone(),
        control: control.clone(),
        output: Arc::clone(running.oracle.last_output()),
    };
    let (flags, facts) = (&prepared.args.output_flags, view_facts(running));
    let mut observers = Observers {
        running,
        saver,
        journal,
        // From now on, only `progress` prints.
        progress: ReductionProgress::new(flags, facts, handles),
        empty: EmptyInput::new(&prepared.args, &running.oracle, &prepared.stop),
        log,
    };
    let result = engine(running, judge, &mut start, control, &mut observers);
    observers.progress.finish();
    conclude(&start, observers, result)
}

/// Runs the engine.
fn engine(
    running: &Running,
    judge: &dyn Oracle,
    start: &mut Start,
    control: Control,
    observers: &mut Observers<'_>,
) -> Result<Outcome, ReduceError> {
    let prepared = &running.claimed.prepared;
    let (search, oracle) = (&prepared.args.search, &running.oracle);
    // The original was already run, to find out whether it fails in the sandbox.
    let spent = prepared.started.elapsed();
    let spent = spent.saturating_sub(oracle.time_kept());
    let clock = Instant::now();
    let clock = || clock.elapsed() + oracle.time_before();
    let mut observer = |event: &Event<'_>, statistics: &Statistics| {
        let observe = &mut |event: &Event<'_>, statistics: &Statistics, choices| {
            observers.observe(event, statistics, choices);
        };
        prepared.subject.tell(event, statistics, observe);
    };
    let known = std::mem::take(&mut start.known);
    let mut reduction = Reduction::new(start.input.clone(), judge, running.plan.clone())
        .jobs(running.places.jobs())
        .seed(search.seed)
        .flaky(match search.flaky {
            FlakyMode::Auto => Flaky::Auto,
            FlakyMode::On => Flaky::On,
            FlakyMode::Off => Flaky::Off,
        })
        .clock(&clock)
        .spent(spent)
        .count_configurations(running.facts.counts_configurations)
        .known(known)
        .stop(prepared.stop.clone())
        .control(control)
        .syntax_filter(running.filter())
        .observer(&mut observer);
    if let Some(tests) = search.max_tests {
        reduction = reduction.max_tests(tests);
    }
    if let Some(time) = search.max_time {
        reduction = reduction.max_time(time);
    }
    if let Some(enough) = search.stop_at {
        reduction = reduction.stop_at(enough.bytes(start.original.size()));
    }
    if let Some(tests) = search.stop_when_stalled {
        reduction = reduction.max_stalled(tests);
    }
    reduction.run()
}

/// Formats the result, and waits until it and the journal are on disk.
fn conclude(
    start: &Start,
    observers: Observers<'_>,
    mut result: Result<Outcome, ReduceError>,
) -> Result<End, Problem> {
    let Observers {
        running,
        saver,
        journal,
        empty,
        ..
    } = observers;
    let claimed = &running.claimed;
    let (prepared, targets) = (&claimed.prepared, &claimed.targets);
    let empty = empty.take();
    // The run cannot be resumed: the plan is complete, or never started.
    let is_complete = |outcome: &Outcome| matches!(outcome.ended, Ended::Complete);
    let over = empty.is_some() || result.as_ref().map_or(true, is_complete);
    if let (Ok(outcome), None) = (&mut result, &empty)
        && let Some(formatted) = formatted(running, &outcome.input)
    {
        saver.go_back(&formatted);
        outcome.statistics.bytes_now = formatted.size();
        outcome.input = formatted;
    }
    let origin = match (saver.has_saved(), start.floor) {
        (true, _) => Origin::ThisRun,
        (false, Some(_)) => Origin::Resumed,
        (false, None) => Origin::Earlier,
    };
    let saved = written(saver, targets, prepared.is_quiet());
    // A result that could not be written can be restored from the journal.
    let journalled = journal.finish(over && saved.is_ok());
    let mut outcome = result.map_err(|error| problem(running, error))?;
    let is_whole = is_complete(&outcome) && matches!(outcome.verified, None | Some(Verdict::Fail));
    if start.is_kept
        && (is_whole || start.earlier.is_some())
        && saved.is_ok()
        && let Some(there) = targets.read(&start.original)
    {
        start.result_of.note(claimed.lock(), &there);
    }
    let beside = claimed.beside.as_ref();
    let quiet = prepared.is_quiet();
    let concluded = prepared
        .subject
        .conclude(&mut outcome, origin, beside, quiet);
    Ok(End {
        outcome,
        saved: saved.and(journalled).and(concluded),
        origin,
        empty,
        is_begun: start.earlier == Some(Begun::WithResult),
        time_before: start.time_before,
    })
}

/// Returns the result as `--format` prints it, if that still fails.
fn formatted(running: &Running, result: &Input) -> Option<Input> {
    let prepared = &running.claimed.prepared;
    let (args, parameters) = (&prepared.args, &prepared.parameters);
    let line = args.format.as_ref()?;
    let is_off = args.test.sandbox.sandbox == SandboxMode::Off;
    let says_outside = !is_off && !prepared.is_quiet();
    let (oracle, stop) = (&running.oracle, &prepared.stop);
    format::formatted(line, oracle, result, parameters, stop, says_outside)
}

/// Waits until the result is on disk.
fn written(saver: Saver, targets: &Targets, is_quiet: bool) -> Result<(), Problem> {
    let writing = match targets.modes().count() {
        1 => "writing the result".to_owned(),
        files => format!(
            "writing the {} files of the result",
            HumanCount(files as u64)
        ),
    };
    let _writing = Awaited::begin(writing, is_quiet);
    saver.finish()
}

/// Returns the reason why a search has no outcome.
fn problem(running: &Running, error: ReduceError) -> Problem {
    let prepared = &running.claimed.prepared;
    match error {
        ReduceError::NotFailing { verdict, input } => {
            let (test, input) = (prepared.test(), prepared.subject.text_of(&input));
            test::not_failing(test, &running.oracle, &input, &verdict, &prepared.stop)
        }
        ReduceError::Fault(fault) => broken::cannot_run(&fault),
        error => Problem::new(Exit::Stopped, error.to_string()),
    }
}

/// Returns the facts in the head of the view.
fn view_facts(running: &Running) -> view::Facts {
    let (facts, args) = (&running.facts, &running.claimed.prepared.args);
    let names: Vec<String> = (args.inputs.iter())
        .chain(&args.choices.choices)
        .map(|path| path.display().to_string())
        .collect();
    let results = running.claimed.targets.paths();
    let results: Vec<String> = results.map(|path| path.display().to_string()).collect();
    view::Facts {
        input: names.join(" "),
        result: results.join(" "),
        test: facts.test.clone(),
        failure: facts.failure.clone(),
        language: facts.language.clone(),
        algorithm: facts.algorithm.clone(),
        seed: facts.seed,
        jobs: facts.jobs,
        counts_original: plan::counts_original(&args.search),
        max_tests: args.search.max_tests,
        passes: running.plan.passes().map(|pass| pass.id()).collect(),
        colors: view::Colors::new(running.claimed.prepared.counter.languages().to_vec()),
        // The view itself sets this field.
        has_pager: false,
        has_editor: false,
    }
}
