//! Reduction of the choices of a generator that is a Python function.

use crate::error::{self, NotFailingError, Rejected};
use crate::form::Form;
use crate::interrupt::Interrupt;
use crate::run::{self, Ran, Settings};
use crate::test::{self, Given, Test};
use nubbin_choices::{Alphabet, Replay, Run, Value, decode, encode_run};
use nubbin_reduce::engine::SyntaxFilter;
use nubbin_reduce::input::Input;
use nubbin_reduce::pass::choices::{Judge, catalogue, plan};
use nubbin_reduce::plan::Plan;
use nubbin_verdict::{Ask, Candidate, Fault, Oracle, Unresolved, Verdict};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyString};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

/// The choices of one run of a generator, from which it draws all that is not fixed.
#[pyclass(frozen, module = "nubbin")]
pub(crate) struct Choices {
    choices: Mutex<nubbin_generate::Choices>,
}

impl Choices {
    fn new(choices: nubbin_generate::Choices) -> Self {
        Choices {
            choices: Mutex::new(choices),
        }
    }

    fn with<T>(&self, draw: impl FnOnce(&mut nubbin_generate::Choices) -> T) -> T {
        draw(&mut self.choices.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes the choices out, so that no lock is held while Python runs.
    fn take(&self) -> nubbin_generate::Choices {
        self.with(|choices| mem::replace(choices, nubbin_generate::Choices::of(vec![])))
    }

    /// Puts the choices back while `call` runs, which draws from them.
    fn lend<T>(
        &self,
        choices: &mut nubbin_generate::Choices,
        call: impl FnOnce() -> PyResult<T>,
        error: &mut Option<PyErr>,
    ) -> Option<T> {
        if error.is_some() {
            return None;
        }
        self.with(|own| mem::swap(own, choices));
        let called = call();
        self.with(|own| mem::swap(own, choices));
        called.map_err(|raised| *error = Some(raised)).ok()
    }
}

/// Returns an error unless the range has a value.
fn check<T: PartialOrd>(min: T, max: T) -> PyResult<()> {
    match min <= max {
        true => Ok(()),
        false => Err(PyValueError::new_err(
            "the lowest value is above the highest",
        )),
    }
}

#[pymethods]
impl Choices {
    /// Chooses a Boolean that is true with this probability; `False` is simpler.
    #[pyo3(signature = (probability=0.5))]
    fn boolean(&self, probability: f64) -> bool {
        self.with(|choices| choices.boolean_with(probability))
    }

    /// Chooses an integer from `min` to `max`. The one nearest to `toward` is simplest, by default
    /// the one nearest to 0. Without bounds, most integers are small.
    #[pyo3(signature = (min=None, max=None, toward=None))]
    fn integer(&self, min: Option<i64>, max: Option<i64>, toward: Option<i64>) -> PyResult<i64> {
        if (min, max, toward) == (None, None, None) {
            return Ok(self.with(nubbin_generate::Choices::any_integer));
        }
        let (min, max) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
        check(min, max)?;
        let toward = toward.unwrap_or(0.max(min).min(max));
        Ok(self.with(|choices| choices.integer_toward(min..=max, toward)))
    }

    /// Chooses a floating-point number; integers are simpler than other numbers. Without bounds,
    /// infinities and NaN are among them.
    #[pyo3(signature = (min=f64::NEG_INFINITY, max=f64::INFINITY))]
    fn float(&self, min: f64, max: f64) -> PyResult<f64> {
        check(min, max)?;
        Ok(self.with(|choices| choices.float(min..=max)))
    }

    /// Chooses a text of `min` to `max` characters of an alphabet, by default printable ASCII. A
    /// shorter text is simpler.
    #[pyo3(signature = (alphabet=None, min=0, max=20))]
    fn text(&self, alphabet: Option<&str>, min: u32, max: u32) -> PyResult<String> {
        check(min, max)?;
        let alphabet = match alphabet {
            Some(chars) => Alphabet::new(chars.chars()),
            None => Alphabet::new(' '..='~'),
        };
        let alphabet = Arc::new(alphabet);
        Ok(self.with(|choices| choices.text(&alphabet, min..=max).to_string()))
    }

    /// Chooses `min` to `max` bytes.
    #[pyo3(signature = (min=0, max=20))]
    fn bytes<'py>(&self, py: Python<'py>, min: u32, max: u32) -> PyResult<Bound<'py, PyBytes>> {
        check(min, max)?;
        let bytes = self.with(|choices| choices.bytes(min..=max));
        Ok(PyBytes::new(py, &bytes))
    }

    /// Chooses an element of a sequence; the first one is simplest.
    fn choose<'py>(&self, options: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let count = options.len()?;
        if count == 0 {
            return Err(PyValueError::new_err("there is nothing to choose from"));
        }
        let index = self.with(|choices| choices.choose(count, 0));
        options.get_item(index)
    }

    /// Makes a list of `min` to `max` elements, each by a call of `element` with these choices.
    ///
    /// The choices of an element are removed as a whole, so prefer it to a loop.
    #[pyo3(signature = (element, min=0, max=20))]
    fn list(
        slf: &Bound<'_, Self>,
        element: &Bound<'_, PyAny>,
        min: u32,
        max: u32,
    ) -> PyResult<Vec<Py<PyAny>>> {
        check(min, max)?;
        let own = slf.get();
        let mut error = None;
        let mut choices = own.take();
        let made = choices.list(min..=max, |choices| {
            let call = || element.call1((slf,)).map(Bound::unbind);
            own.lend(choices, call, &mut error)
        });
        own.with(|place| *place = choices);
        match error {
            Some(error) => Err(error),
            None => Ok(made.into_iter().flatten().collect()),
        }
    }

    /// Calls `make` with these choices until `keep` accepts what it returns, three times at most.
    ///
    /// The choices are rejected after that. Prefer a generator that needs no filter.
    fn filter(
        slf: &Bound<'_, Self>,
        make: &Bound<'_, PyAny>,
        keep: &Bound<'_, PyAny>,
    ) -> PyResult<Py<PyAny>> {
        let own = slf.get();
        let mut error = None;
        let mut choices = own.take();
        let made = choices.filter(
            |choices| {
                let call = || {
                    let made = make.call1((slf,))?;
                    let kept = keep.call1((&made,))?.is_truthy()?;
                    Ok((made.unbind(), kept))
                };
                own.lend(choices, call, &mut error)
            },
            // After an exception there is no other attempt.
            |made| made.as_ref().is_none_or(|(_, kept)| *kept),
        );
        own.with(|place| *place = choices);
        match (error, made) {
            (Some(error), _) => Err(error),
            (None, Some(Some((made, _)))) => Ok(made),
            _ => Err(Rejected::new_err("no attempt made an acceptable value")),
        }
    }

    /// Begins a span: choices that make one part of the value, up to `end`.
    ///
    /// A reducer removes or moves a span as a whole, and puts a span of the same label in its
    /// place.
    fn begin(&self, label: &str) {
        self.with(|choices| choices.begin(label));
    }

    /// Ends the innermost span.
    fn end(&self) {
        self.with(nubbin_generate::Choices::end);
    }

    /// Ends the innermost span, and says that the value does not use it.
    fn discard(&self) {
        self.with(nubbin_generate::Choices::discard);
    }

    /// Rejects the choices: they make no value. Raises `Rejected`, which the generator lets pass.
    fn reject(&self) -> PyResult<()> {
        self.with(nubbin_generate::Choices::reject);
        Err(Rejected::new_err("the generator rejected its choices"))
    }
}

/// A generator that is a Python function.
pub(crate) struct Source {
    make: Py<PyAny>,
    interrupt: Arc<Interrupt>,
}

impl Source {
    /// Runs the generator. Returns `None` if it rejects the choices.
    fn make<'py>(
        &self,
        py: Python<'py>,
        choices: nubbin_generate::Choices,
    ) -> PyResult<Option<(Bound<'py, PyAny>, Run)>> {
        let choices = Bound::new(py, Choices::new(choices))?;
        let made = match self.make.bind(py).call1((&choices,)) {
            Ok(made) => made,
            Err(error) if error.is_instance_of::<Rejected>(py) => return Ok(None),
            Err(error) => return Err(error),
        };
        let text = text(&made)?;
        Ok(choices.get().take().into_run(text).map(|run| (made, run)))
    }

    /// Returns the value that an encoded sequence of choices makes.
    pub(crate) fn value<'py>(
        &self,
        py: Python<'py>,
        bytes: &[u8],
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let values = decode(bytes).map_err(error::value)?;
        let made = self.make(py, nubbin_generate::Choices::of(values))?;
        Ok(made.map(|(made, _)| made))
    }
}

impl Replay for Source {
    fn replay(&self, values: &[Value]) -> Option<Arc<Run>> {
        if self.interrupt.has_ended() {
            return None;
        }
        let made = Python::attach(|py| {
            let made = self.make(py, nubbin_generate::Choices::of(values.to_vec()))?;
            Ok::<_, PyErr>(made.map(|(_, run)| run))
        });
        match made {
            Ok(run) => run.map(Arc::new),
            Err(error) => {
                self.interrupt.end(error);
                None
            }
        }
    }
}

/// Returns the text of a value. Values of the same text count as the same value.
fn text(made: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(bytes) = made.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec());
    }
    let text = match made.cast::<PyString>() {
        Ok(text) => text.clone(),
        Err(_) => made.repr()?,
    };
    let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
    Ok(bytes.cast::<PyBytes>()?.as_bytes().to_vec())
}

/// A test of the values that choices make.
struct ValueTest<'a> {
    source: &'a Source,
    test: &'a Py<PyAny>,
}

impl Oracle for ValueTest<'_> {
    fn judge(&self, candidate: &Candidate<'_>, _ask: &Ask) -> Result<Verdict, Fault> {
        let interrupt = &self.source.interrupt;
        if interrupt.has_ended() {
            return Ok(Verdict::Unresolved(Unresolved::Cancelled));
        }
        let judged = Python::attach(|py| match self.source.value(py, candidate.bytes())? {
            Some(value) => test::verdict(&self.test.bind(py).call1((value,))?),
            None => Ok(Verdict::Unresolved(Unresolved::Invalid)),
        });
        judged.or_else(|error| {
            interrupt.end(error);
            Ok(Verdict::Unresolved(Unresolved::Cancelled))
        })
    }
}

/// The first choices of a reduction: given ones, or a number of seeds to try.
#[derive(FromPyObject)]
pub(crate) enum First<'py> {
    Seeds(u64),
    Choices(Vec<Bound<'py, PyAny>>),
}

/// Reduces the choices of a generator.
#[pyfunction]
pub(crate) fn reduce_choices<'py>(
    py: Python<'py>,
    generate: Py<PyAny>,
    fails: Given,
    first: First<'py>,
    algorithm: &str,
    settings: Settings,
) -> PyResult<Ran<'py>> {
    test::check(&fails, py)?;
    let jobs = settings.jobs()?;
    let interrupt = Arc::new(Interrupt::new());
    let source = Arc::new(Source {
        make: generate,
        interrupt: Arc::clone(&interrupt),
    });
    let replay: Arc<dyn Replay> = Arc::clone(&source) as Arc<dyn Replay>;
    let plan = plan_of(algorithm, &replay)?;
    let text = Form::of(false);
    let named = Input::single("input", vec![]).map_err(error::value)?;
    let test = Test::new(fails, &named, jobs, &text, &interrupt)?;
    let threads = test.threads(jobs);
    let judge: Box<dyn Oracle> = match &test {
        Test::Callable(callable) => Box::new(ValueTest {
            source: &source,
            test: callable.function(),
        }),
        Test::Command(command) => Box::new(Judge::new(Arc::clone(&replay), &**command, "input")),
    };
    let run = match first {
        First::Choices(values) => {
            let values: Vec<Value> = values.iter().map(value).collect::<PyResult<_>>()?;
            let made = source.make(py, nubbin_generate::Choices::of(values))?;
            made.map(|(_, run)| run)
        }
        First::Seeds(seeds) => {
            let seeds = (0..seeds).map(|seed| settings.seed.wrapping_add(seed));
            first_failing(py, &source, &*judge, seeds)?
        }
    };
    let run = run.ok_or_else(|| {
        NotFailingError::new_err("no run of the generator that was tried makes a value that fails")
    })?;
    let count = run.choices.len();
    let input = Input::single("choices", encode_run(&run)).map_err(error::value)?;
    let form = Form::Made(Arc::clone(&source));
    let (result, raised) = run::run(
        py,
        input,
        plan,
        SyntaxFilter::Off,
        (&*judge, threads),
        (&form, &interrupt),
        &settings,
    )?;
    result.set_item("original_size", count)?;
    Ok((result, raised))
}

/// Returns the plan of an algorithm for choices.
fn plan_of(algorithm: &str, replay: &Arc<dyn Replay>) -> PyResult<Plan> {
    let single = ["choice-ddmin", "choice-ddmin-nop", "choice-ddmin-aligned"];
    if matches!(algorithm, "auto" | "choices") {
        return Ok(plan(replay));
    }
    let passes = catalogue(replay).into_iter();
    let mut passes = passes.filter(|pass| single.contains(&pass.id()));
    let found = passes.find(|pass| pass.id() == algorithm);
    found
        .map(nubbin_reduce::pass::choices::single)
        .ok_or_else(|| {
            PyValueError::new_err(format!(
                "`{algorithm}` is not an algorithm for choices; there are `choices`, `choice-ddmin`, \
             `choice-ddmin-nop`, and `choice-ddmin-aligned`"
            ))
        })
}

/// Returns the first failing run of these seeds.
fn first_failing(
    py: Python<'_>,
    source: &Source,
    judge: &dyn Oracle,
    seeds: impl Iterator<Item = u64>,
) -> PyResult<Option<Run>> {
    for seed in seeds {
        py.check_signals()?;
        let Some((_, run)) = source.make(py, nubbin_generate::Choices::recording(seed))? else {
            continue;
        };
        let encoded = Input::single("choices", encode_run(&run)).map_err(error::value)?;
        let verdict =
            py.detach(|| encoded.with_candidate(|candidate| judge.judge(candidate, &Ask::new(0))));
        if let Some(raised) = source.interrupt.take() {
            return Err(raised);
        }
        let verdict = verdict.map_err(|fault| error::command(run::TestFault(&fault)))?;
        if verdict.is_fail() {
            return Ok(Some(run));
        }
    }
    Ok(None)
}

/// Returns the value of a choice.
fn value(given: &Bound<'_, PyAny>) -> PyResult<Value> {
    Ok(if given.is_none() {
        Value::Simplest
    } else if let Ok(given) = given.cast::<PyBool>() {
        Value::Boolean(given.is_true())
    } else if given.is_instance_of::<PyInt>() {
        Value::Integer(given.extract()?)
    } else if given.is_instance_of::<PyFloat>() {
        Value::Float(given.extract()?)
    } else if let Ok(given) = given.cast::<PyString>() {
        Value::Text(given.to_cow()?.into())
    } else if let Ok(given) = given.cast::<PyBytes>() {
        Value::Bytes(given.as_bytes().into())
    } else {
        return Err(PyTypeError::new_err(
            "a choice is a bool, int, float, str, bytes, or None",
        ));
    })
}

/// Returns the choices of an encoded sequence.
pub(crate) fn list<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let values = decode(bytes).map_err(error::value)?;
    let values = values.iter().map(|value| {
        Ok(match value {
            Value::Simplest => py.None().into_bound(py),
            Value::Boolean(value) => PyBool::new(py, *value).to_owned().into_any(),
            Value::Integer(value) => value.into_pyobject(py)?.into_any(),
            Value::Float(value) => PyFloat::new(py, *value).into_any(),
            Value::Text(value) => PyString::new(py, value).into_any(),
            Value::Bytes(value) => PyBytes::new(py, value).into_any(),
        })
    });
    values.collect()
}
