//! Reduction of a sequence: each element is a unit of a list minimizer.

use crate::error;
use crate::form::{self, Form, WIDTH};
use crate::interrupt::Interrupt;
use crate::run::{self, Ran, Settings};
use crate::test::{self, Given, Test};
use nubbin_reduce::engine::SyntaxFilter;
use nubbin_reduce::input::{File, Input};
use nubbin_reduce::pass::{Bytes, Chars, Context, Pass, PassInfo};
use nubbin_reduce::plan::Plan;
use nubbin_reduce::span::Span;
use nubbin_reduce::work::{List, Spans, Work};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Removes elements. The input has [`WIDTH`] bytes for each element.
struct Items;

impl Pass for Items {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "items",
            "removes elements of a sequence",
            "Zeller, Hildebrandt 2002",
        )
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        let starts = (file.span.start..file.span.end).step_by(WIDTH);
        let spans: Vec<Span> = starts
            .map(|start| Span::new(start, start + WIDTH as u32))
            .collect();
        (!spans.is_empty()).then(|| Work::List(List::new(Spans::new(spans))))
    }
}

/// A sequence: of objects, with a function that makes it from a list, or of characters or bytes.
#[derive(FromPyObject)]
pub(crate) enum Sequence {
    Encoded {
        #[pyo3(item)]
        data: Vec<u8>,
        #[pyo3(item)]
        is_text: bool,
    },
    Objects {
        #[pyo3(item)]
        items: Vec<Py<PyAny>>,
        #[pyo3(item)]
        make: Option<Py<PyAny>>,
    },
}

/// Reduces a sequence with a list minimizer by its name.
#[pyfunction]
pub(crate) fn reduce_items<'py>(
    py: Python<'py>,
    sequence: Sequence,
    fails: Given,
    algorithm: &str,
    settings: Settings,
) -> PyResult<Ran<'py>> {
    test::check(&fails, py)?;
    if matches!(fails, Given::Command(_)) {
        let what = "the test of a sequence is a callable, not a command";
        return Err(PyValueError::new_err(what));
    }
    let jobs = settings.jobs()?;
    let algorithm = nubbin_published::catalogue()
        .list_minimizer(algorithm)
        .map_err(error::value)?;
    let (pass, bytes, form): (Arc<dyn Pass>, _, _) = match sequence {
        Sequence::Encoded { data, is_text } => match is_text {
            true => (Arc::new(Chars), data, Form::Text),
            false => (Arc::new(Bytes), data, Form::Bytes),
        },
        Sequence::Objects { items, make } => {
            let len = u32::try_from(items.len());
            let len = len.map_err(|_| PyValueError::new_err("too many elements"))?;
            (
                Arc::new(Items),
                form::encode(len),
                Form::Items { items, make },
            )
        }
    };
    let input = Input::single("items", bytes).map_err(error::value)?;
    let interrupt = Interrupt::new();
    let test = Test::new(fails, &input, jobs, &form, &interrupt)?;
    let threads = test.threads(jobs);
    run::run(
        py,
        input,
        Plan::single(pass, algorithm),
        SyntaxFilter::Off,
        (test.oracle(), threads),
        (&form, &interrupt),
        &settings,
    )
}
