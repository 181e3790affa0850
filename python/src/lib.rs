//! The extension module of the Python package `nubbin`.
//!
//! It converts between Python's values and those of the crates, and contains no algorithm. The
//! package in `nubbin/` has the public functions, their documentation, and their types.

mod catalogue;
mod choices;
mod error;
mod explain;
mod form;
mod generate;
mod grammar;
mod interrupt;
mod isolate;
mod items;
mod reduce;
mod run;
mod syntax;
mod test;
mod tree;

use pyo3::prelude::*;

#[pymodule]
fn _nubbin(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    error::add(module)?;
    module.add_class::<grammar::Grammar>()?;
    module.add_class::<generate::Generator>()?;
    module.add_class::<choices::Choices>()?;
    module.add_function(wrap_pyfunction!(catalogue::algorithms, module)?)?;
    module.add_function(wrap_pyfunction!(catalogue::languages, module)?)?;
    module.add_function(wrap_pyfunction!(reduce::reduce, module)?)?;
    module.add_function(wrap_pyfunction!(items::reduce_items, module)?)?;
    module.add_function(wrap_pyfunction!(choices::reduce_choices, module)?)?;
    module.add_function(wrap_pyfunction!(isolate::isolate, module)?)?;
    module.add_function(wrap_pyfunction!(explain::explain, module)?)?;
    module.add_function(wrap_pyfunction!(tree::parse, module)?)
}
