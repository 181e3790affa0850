//! The test of a run: a callable, or a command.

use crate::error;
use crate::form::Form;
use crate::interrupt::Interrupt;
use nubbin_oracle::{CommandOracle, Options, TestCommand};
use nubbin_reduce::input::Input;
use nubbin_verdict::{Ask, Candidate, Fault, Oracle, Unresolved, Verdict};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};
use std::ffi::OsString;

/// A test as the caller gave it.
#[derive(FromPyObject)]
pub(crate) enum Given {
    Command(Vec<OsString>),
    Callable(Py<PyAny>),
}

/// The fault of a test that raised an exception, which the [`Interrupt`] keeps.
#[derive(Debug)]
struct Raised;

impl std::fmt::Display for Raised {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the test raised an exception")
    }
}

impl std::error::Error for Raised {}

/// A test with everything that it needs to run.
pub(crate) enum Test<'a> {
    Callable(Callable<'a>),
    Command(Box<CommandOracle>),
}

impl<'a> Test<'a> {
    /// Prepares a test for this input and this many tests at the same time.
    pub(crate) fn new(
        given: Given,
        input: &Input,
        jobs: usize,
        form: &'a Form,
        interrupt: &'a Interrupt,
    ) -> PyResult<Self> {
        match given {
            Given::Callable(test) => Ok(Test::Callable(Callable {
                test,
                form,
                interrupt,
            })),
            Given::Command(words) => {
                let here = std::env::current_dir()?;
                let command = TestCommand::new(words, &here).map_err(error::command)?;
                let names = input.present().map(|file| file.name.to_path_buf());
                let mut options = Options::new(command, names.collect());
                options.adaptive_timeout = true;
                options.input_size = input.size() as u64;
                options.jobs = jobs;
                let oracle = CommandOracle::new(options).map_err(error::command)?;
                Ok(Test::Command(Box::new(oracle)))
            }
        }
    }

    pub(crate) fn oracle(&self) -> &dyn Oracle {
        match self {
            Test::Callable(test) => test,
            Test::Command(test) => &**test,
        }
    }

    /// Returns the number of threads for tests; `None` calls the test on the caller's thread.
    ///
    /// A command has a thread of its own in any case, so that the caller's thread sees signals.
    pub(crate) fn threads(&self, jobs: usize) -> Option<usize> {
        match self {
            Test::Callable(_) if jobs == 1 => None,
            _ => Some(jobs),
        }
    }
}

/// A test that calls a Python function.
pub(crate) struct Callable<'a> {
    test: Py<PyAny>,
    form: &'a Form,
    interrupt: &'a Interrupt,
}

impl Callable<'_> {
    pub(crate) fn function(&self) -> &Py<PyAny> {
        &self.test
    }

    fn ask(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<Verdict> {
        match self.form.value(py, bytes)? {
            Some(value) => verdict(&self.test.bind(py).call1((value,))?),
            None => Ok(Verdict::Unresolved(Unresolved::Invalid)),
        }
    }
}

impl Oracle for Callable<'_> {
    fn judge(&self, candidate: &Candidate<'_>, _ask: &Ask) -> Result<Verdict, Fault> {
        if self.interrupt.has_ended() {
            return Ok(Verdict::Unresolved(Unresolved::Cancelled));
        }
        Python::attach(|py| self.ask(py, candidate.bytes())).map_err(|error| {
            self.interrupt.end(error);
            Fault::new(Raised)
        })
    }
}

/// Returns the verdict that a function has returned.
///
/// A text is the name of a verdict: every other text is true, so `"PASS"` would mean that the
/// candidate fails.
pub(crate) fn verdict(answer: &Bound<'_, PyAny>) -> PyResult<Verdict> {
    if let Ok(answer) = answer.cast::<PyBool>() {
        return Ok(of(answer.is_true()));
    }
    if let Ok(word) = answer.cast::<PyString>() {
        let word = word.to_cow()?.to_ascii_lowercase();
        return match &*word {
            "fail" => Ok(Verdict::Fail),
            "pass" => Ok(Verdict::Pass),
            "unresolved" => Ok(Verdict::Unresolved(Unresolved::Abstained)),
            _ => Err(PyValueError::new_err(format!(
                "the test returned `{word}`: return True if the input still fails, False if it \
                 does not, or one of `fail`, `pass`, `unresolved`"
            ))),
        };
    }
    Ok(of(answer.is_truthy()?))
}

fn of(fails: bool) -> Verdict {
    match fails {
        true => Verdict::Fail,
        false => Verdict::Pass,
    }
}

/// Returns an error if the test is neither a callable nor a command.
pub(crate) fn check(given: &Given, py: Python<'_>) -> PyResult<()> {
    match given {
        Given::Callable(test) if !test.bind(py).is_callable() => Err(PyTypeError::new_err(
            "the test is neither a callable nor a command (a list of strings)",
        )),
        _ => Ok(()),
    }
}
