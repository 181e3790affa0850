//! The smallest difference between an input that passes and one that fails.

use crate::error::{self, NotFailingError};
use crate::form::Form;
use crate::interrupt::Interrupt;
use crate::reduce::Subject;
use crate::run::{Ran, Settings, TestFault};
use crate::test::{self, Given, Test};
use nubbin_reduce::engine::Ended;
use nubbin_reduce::isolate::{Atom, DdOrder, IsolateError, Isolation};
use nubbin_verdict::Verdict;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

const ATOMS: [Atom; 4] = [Atom::Line, Atom::Token, Atom::Char, Atom::Byte];

fn atom(id: &str) -> PyResult<Atom> {
    let found = ATOMS.into_iter().find(|atom| atom.id() == id);
    found.ok_or_else(|| {
        let all = ATOMS.map(Atom::id).join(", ");
        PyValueError::new_err(format!("unknown atom `{id}`; there are {all}"))
    })
}

/// Isolates the difference between a passing input and a failing one.
#[pyfunction]
pub(crate) fn isolate<'py>(
    py: Python<'py>,
    passing: Vec<u8>,
    failing: Subject<'py>,
    fails: Given,
    algorithm: &str,
    atoms: Option<Vec<String>>,
    settings: Settings,
) -> PyResult<Ran<'py>> {
    test::check(&fails, py)?;
    let jobs = settings.jobs()?;
    let order: DdOrder = algorithm.parse().map_err(error::value)?;
    let atoms: Option<Vec<Atom>> = atoms
        .map(|atoms| atoms.iter().map(|id| atom(id)).collect())
        .transpose()?;
    let time = settings.time()?;
    let input = failing.input()?;
    let form = Form::of(failing.is_text);
    let interrupt = Interrupt::new();
    let test = Test::new(fails, &input, jobs, &form, &interrupt)?;
    let threads = test.threads(jobs);
    let isolated = py.detach(|| {
        let clock = || interrupt.clock();
        let mut isolation = Isolation::new(passing, input, test.oracle())
            .order(order)
            .clock(&clock)
            .stop(interrupt.stop());
        if let Some(atoms) = atoms {
            isolation = isolation.atoms(atoms);
        }
        if let Some(threads) = threads {
            isolation = isolation.jobs(threads);
        }
        if let Some(tests) = settings.max_tests {
            isolation = isolation.max_tests(tests);
        }
        if let Some(time) = time {
            isolation = isolation.max_time(time);
        }
        isolation.run()
    });
    let raised = interrupt.take();
    let isolated = match (isolated, raised) {
        (Ok(isolated), raised) => {
            let result = PyDict::new(py);
            let passing = isolated.passing.bytes();
            result.set_item("passing", form.value(py, passing)?)?;
            result.set_item("failing", form.value(py, isolated.failing.bytes())?)?;
            let changes: Vec<_> = isolated
                .difference
                .changes()
                .iter()
                .map(|splice| {
                    let new = PyBytes::new(py, splice.text.as_deref().unwrap_or_default());
                    let old = passing.get(splice.span.range()).unwrap_or_default();
                    (splice.span.start, PyBytes::new(py, old), new)
                })
                .collect();
            result.set_item("changes", changes)?;
            result.set_item("atom", isolated.difference.atom().id())?;
            result.set_item("ended", isolated.ended.to_string())?;
            let verified = isolated
                .verified
                .as_ref()
                .map(|verdicts| matches!(verdicts, [Verdict::Pass, Verdict::Fail]));
            result.set_item("verified", verified)?;
            let counts = &isolated.statistics;
            result.set_item("tests", counts.tests)?;
            result.set_item("failing_tests", counts.failing)?;
            result.set_item("passing_tests", counts.passing)?;
            result.set_item("unresolved", counts.unresolved)?;
            result.set_item("seconds", counts.elapsed.as_secs_f64())?;
            let fault = match &isolated.ended {
                Ended::Fault(fault) if raised.is_none() => Some(error::command(TestFault(fault))),
                _ => raised,
            };
            (result, fault)
        }
        (Err(_), Some(raised)) => return Err(raised),
        (Err(error @ IsolateError::NotApart { .. }), None) => {
            return Err(NotFailingError::new_err(error.to_string()));
        }
        (Err(IsolateError::Fault(fault)), None) => return Err(error::command(TestFault(&fault))),
        (Err(error), None) => return Err(error::value(error)),
    };
    Ok(isolated)
}
