//! Reduction of a text.

use crate::error::{self, GrammarError};
use crate::form::Form;
use crate::grammar::Grammar;
use crate::interrupt::Interrupt;
use crate::run::{self, Ran, Settings};
use crate::syntax;
use crate::test::{self, Given, Test};
use nubbin_grammar::syntax::Syntax;
use nubbin_reduce::engine::SyntaxFilter;
use nubbin_reduce::input::Input;
use nubbin_reduce::pass::{self, SortTables};
use nubbin_reduce::plan::Plan;
use nubbin_reduce::tree::Outline;
use nubbin_reduce::tree_reducer::{Forms, Syntaxes, Trees};
use nubbin_reduce::{Algorithm, PlanError, auto};
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;

/// An input and its syntax, as the caller gave them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Subject<'py> {
    pub(crate) data: Vec<u8>,
    pub(crate) is_text: bool,
    pub(crate) name: String,
    pub(crate) language: Option<String>,
    pub(crate) grammar: Option<Bound<'py, Grammar>>,
}

impl Subject<'_> {
    pub(crate) fn input(&self) -> PyResult<Input> {
        Input::single(&self.name, self.data.clone()).map_err(error::value)
    }

    pub(crate) fn syntax(&self) -> PyResult<Option<Arc<dyn Syntax>>> {
        let grammar = self.grammar.as_ref().map(|grammar| grammar.get());
        syntax::of(grammar, self.language.as_deref(), &self.name, &self.data)
    }
}

/// Reduces a text with an algorithm by its name. `atom` is the unit of a list minimizer, and with
/// `must_parse` every candidate that is tested parses as well as the original.
#[pyfunction]
pub(crate) fn reduce<'py>(
    py: Python<'py>,
    subject: Subject<'py>,
    fails: Given,
    algorithm: &str,
    atom: &str,
    must_parse: bool,
    settings: Settings,
) -> PyResult<Ran<'py>> {
    test::check(&fails, py)?;
    let jobs = settings.jobs()?;
    let named = nubbin_published::catalogue()
        .algorithm(algorithm)
        .map_err(error::value)?;
    let input = subject.input()?;
    let may_learn = matches!(named, Algorithm::Auto);
    let syntax = match named {
        // A list of lines is the same in every language.
        Algorithm::List(_) if !must_parse => None,
        _ => subject.syntax()?,
    };
    let syntax = usable(py, syntax, &subject.data, !may_learn || must_parse)?;
    if must_parse && syntax.is_none() {
        let what = "`must_parse` needs a language or a grammar of the input";
        return Err(PyValueError::new_err(what));
    }
    let syntaxes: Syntaxes = [syntax].into();
    let plan = plan(&named, algorithm, atom, &input, &syntaxes)?;
    let forms = Forms::new(Arc::clone(&syntaxes));
    let filter = match (must_parse, may_learn && syntaxes[0].is_some()) {
        (true, _) => SyntaxFilter::Require(&forms),
        (false, true) => SyntaxFilter::Learn(vec![&forms]),
        (false, false) => SyntaxFilter::Off,
    };
    let form = Form::of(subject.is_text);
    let interrupt = Interrupt::new();
    let test = Test::new(fails, &input, jobs, &form, &interrupt)?;
    let threads = test.threads(jobs);
    run::run(
        py,
        input,
        plan,
        filter,
        (test.oracle(), threads),
        (&form, &interrupt),
        &settings,
    )
}

/// Returns the syntax if the text fits it. Otherwise, warns, or returns an error if it is needed.
fn usable(
    py: Python<'_>,
    syntax: Option<Arc<dyn Syntax>>,
    text: &[u8],
    is_needed: bool,
) -> PyResult<Option<Arc<dyn Syntax>>> {
    let Some(syntax) = syntax else {
        return Ok(None);
    };
    // A tolerant syntax makes a tree of every text.
    if syntax.is_tolerant() {
        return Ok(Some(syntax));
    }
    let Err(error) = py.detach(|| Outline::parse(&*syntax, text, 0)) else {
        return Ok(Some(syntax));
    };
    let what = format!(
        "the input does not fit the grammar: {}",
        error::message(&error)
    );
    if is_needed {
        return Err(GrammarError::new_err(what));
    }
    let what = std::ffi::CString::new(format!("{what}; it is reduced without a tree"))?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &what, 2)?;
    Ok(None)
}

fn plan(
    named: &Algorithm,
    name: &str,
    atom: &str,
    input: &Input,
    syntaxes: &Syntaxes,
) -> PyResult<Plan> {
    let passes = match named {
        Algorithm::List(_) => {
            let pass = pass::by_id(&format!("{atom}s")).filter(|_| ATOMS.contains(&atom));
            vec![pass.ok_or_else(|| {
                PyValueError::new_err(format!("`atom` is one of {}", ATOMS.join(", ")))
            })?]
        }
        _ => vec![],
    };
    let trees = (syntaxes[0].is_some()).then(|| Trees::of_each(Arc::clone(syntaxes)));
    let made = named.plan_with_trees(input, passes, trees.as_ref());
    let mut plan = made.map_err(|error| match error {
        PlanError::NoTrees { reducer } => PyValueError::new_err(format!(
            "`{reducer}` is a tree reducer: name a language or a grammar of the input"
        )),
        other => error::value(other),
    })?;
    if let Algorithm::Tree(_) = named {
        // With the options.
        plan.name = name.into();
    }
    let sorts = SortTables(nubbin_languages::hints::SORTS);
    Ok(auto::with_sorts(plan, input, sorts))
}

/// The units of list minimizers.
const ATOMS: [&str; 4] = ["line", "token", "char", "byte"];
