//! A reduction from its settings to its result.

use crate::error::{self, NotFailingError};
use crate::form::Form;
use crate::interrupt::Interrupt;
use nubbin_reduce::engine::{
    Ended, Event, Outcome, ReduceError, Reduction, Statistics, SyntaxFilter,
};
use nubbin_reduce::input::Input;
use nubbin_reduce::plan::Plan;
use nubbin_verdict::{Oracle, VerdictKind};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::time::Duration;

/// The settings that all runs share.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings {
    pub(crate) jobs: usize,
    pub(crate) seed: u64,
    pub(crate) max_tests: Option<u64>,
    pub(crate) max_time: Option<f64>,
    pub(crate) on_progress: Option<Py<PyAny>>,
    pub(crate) log: bool,
}

/// The largest number of tests at the same time.
const MOST_JOBS: usize = 1024;

impl Settings {
    /// Returns the time limit.
    pub(crate) fn time(&self) -> PyResult<Option<Duration>> {
        let time = self.max_time.map(Duration::try_from_secs_f64).transpose();
        time.map_err(|_| PyValueError::new_err("`max_time` is a number of seconds, at least 0"))
    }

    /// Returns the number of tests at the same time.
    pub(crate) fn jobs(&self) -> PyResult<usize> {
        match self.jobs {
            jobs @ 1..=MOST_JOBS => Ok(jobs),
            _ => Err(PyValueError::new_err(format!(
                "`jobs` is a number from 1 to {MOST_JOBS}"
            ))),
        }
    }
}

/// The result of a run as a dictionary, and the exception that ended it.
pub(crate) type Ran<'py> = (Bound<'py, PyDict>, Option<PyErr>);

/// One test in the log.
struct Logged {
    bytes: Vec<u8>,
    verdict: VerdictKind,
    pass: &'static str,
}

/// The name of the test of the original in the log.
const ORIGINAL: &str = "original";

/// The time between two calls of `on_progress` without a success.
const PERIOD: Duration = Duration::from_millis(100);

/// Runs a reduction without the interpreter's lock.
pub(crate) fn run<'py>(
    py: Python<'py>,
    input: Input,
    plan: Plan,
    filter: SyntaxFilter<'_>,
    (oracle, threads): (&dyn Oracle, Option<usize>),
    (form, interrupt): (&Form, &Interrupt),
    settings: &Settings,
) -> PyResult<Ran<'py>> {
    let time = settings.time()?;
    let name = plan.name.clone();
    let mut log = vec![];
    let mut told = Duration::ZERO;
    let outcome = py.detach(|| {
        let mut observer = |event: &Event<'_>, statistics: &Statistics| {
            if settings.log {
                keep(&mut log, event);
            }
            if let Some(on_progress) = &settings.on_progress {
                let due = statistics.elapsed.saturating_sub(told) >= PERIOD;
                if let Some((pass, best)) = news(event, due) {
                    told = statistics.elapsed;
                    let told = Python::attach(|py| {
                        tell(on_progress.bind(py), form, pass, best, statistics)
                    });
                    told.unwrap_or_else(|error| interrupt.end(error));
                }
            }
        };
        let clock = || interrupt.clock();
        let mut reduction = Reduction::new(input, oracle, plan)
            .seed(settings.seed)
            .clock(&clock)
            .stop(interrupt.stop())
            .syntax_filter(filter)
            .observer(&mut observer);
        if let Some(threads) = threads {
            reduction = reduction.jobs(threads);
        }
        if let Some(tests) = settings.max_tests {
            reduction = reduction.max_tests(tests);
        }
        if let Some(time) = time {
            reduction = reduction.max_time(time);
        }
        reduction.run()
    });
    let raised = interrupt.take();
    let outcome = match (outcome, raised) {
        (Ok(outcome), raised) => {
            let result = result(py, &outcome, form)?;
            result.set_item("algorithm", name)?;
            let fault = match &outcome.ended {
                Ended::Fault(fault) if raised.is_none() => Some(error::command(TestFault(fault))),
                _ => raised,
            };
            (result, fault)
        }
        // The test of the original raised.
        (Err(_), Some(raised)) => return Err(raised),
        (Err(ReduceError::NotFailing { verdict, .. }), None) => {
            return Err(NotFailingError::new_err(format!(
                "the original does not fail: the test says `{}`",
                verdict.word()
            )));
        }
        (Err(ReduceError::Fault(fault)), None) => return Err(error::command(TestFault(&fault))),
        (Err(error), None) => return Err(error::command(error)),
    };
    if settings.log {
        let list = PyList::empty(py);
        for Logged {
            bytes,
            verdict,
            pass,
        } in log
        {
            list.append((form.value(py, &bytes)?, verdict.word(), pass))?;
        }
        outcome.0.set_item("log", list)?;
    }
    Ok(outcome)
}

/// A fault as an error with its causes.
#[derive(Debug)]
pub(crate) struct TestFault<'a>(pub(crate) &'a nubbin_verdict::Fault);

impl std::fmt::Display for TestFault<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let message = error::message(self.0);
        write!(f, "the test cannot be run: {message}")
    }
}

impl std::error::Error for TestFault<'_> {}

fn keep(log: &mut Vec<Logged>, event: &Event<'_>) {
    match event {
        Event::Started { input, .. } => log.push(Logged {
            bytes: input.bytes().to_vec(),
            verdict: VerdictKind::Fail,
            pass: ORIGINAL,
        }),
        Event::Tested {
            pass,
            verdict,
            input,
            ..
        } => log.push(Logged {
            bytes: input.bytes().to_vec(),
            verdict: *verdict,
            pass,
        }),
        _ => {}
    }
}

/// Returns the pass at work, and the best so far if it is new.
fn news<'a>(event: &Event<'a>, due: bool) -> Option<(&'static str, Option<&'a Input>)> {
    match event {
        Event::Started { input, .. } => Some((ORIGINAL, Some(input))),
        Event::Adopted { pass, input, .. } => Some((pass, Some(input))),
        Event::Tested { pass, .. } if due => Some((pass, None)),
        _ => None,
    }
}

fn tell(
    on_progress: &Bound<'_, PyAny>,
    form: &Form,
    pass: &str,
    best: Option<&Input>,
    statistics: &Statistics,
) -> PyResult<()> {
    let py = on_progress.py();
    let best = match best {
        Some(best) => form.value(py, best.bytes())?,
        None => None,
    };
    let size = (
        form.count(statistics.bytes_before),
        form.count(statistics.bytes_now),
    );
    let counts = (statistics.tests, statistics.elapsed.as_secs_f64());
    on_progress.call1((size.0, size.1, counts.0, counts.1, pass, best))?;
    Ok(())
}

fn result<'py>(py: Python<'py>, outcome: &Outcome, form: &Form) -> PyResult<Bound<'py, PyDict>> {
    let statistics = &outcome.statistics;
    let result = PyDict::new(py);
    let bytes = outcome.input.bytes();
    result.set_item("data", form.value(py, bytes)?)?;
    if let Some(choices) = form.choices(py, bytes)? {
        result.set_item("choices", choices)?;
    }
    result.set_item("ended", outcome.ended.to_string())?;
    let verified = outcome.verified.as_ref().map(|verdict| verdict.is_fail());
    result.set_item("verified", verified)?;
    result.set_item("tests", statistics.tests)?;
    result.set_item("failing", statistics.failing)?;
    result.set_item("unresolved", statistics.unresolved)?;
    result.set_item("cache_hits", statistics.cache_hits)?;
    result.set_item("original_size", form.count(statistics.bytes_before))?;
    result.set_item("size", form.count(statistics.bytes_now))?;
    result.set_item("seconds", statistics.elapsed.as_secs_f64())?;
    let passes = PyDict::new(py);
    for (pass, counts) in &statistics.passes {
        passes.set_item(pass, (counts.tests, counts.adopted))?;
    }
    result.set_item("passes", passes)?;
    result.set_item("log", py.None())?;
    Ok(result)
}
