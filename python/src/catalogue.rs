//! The algorithms and languages there are.

use nubbin_languages::catalogue;
use pyo3::prelude::*;

type Described = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    Vec<(&'static str, &'static str)>,
);

/// Returns the name, the kind, the description, the source, and the options of all algorithms.
#[pyfunction]
pub(crate) fn algorithms() -> Vec<Described> {
    let lists = nubbin_published::catalogue()
        .list_minimizers()
        .iter()
        .map(|minimizer| {
            let info = minimizer.info;
            let options = info.options.to_vec();
            (info.id, "list", info.about, info.source, options)
        });
    let trees = nubbin_published::catalogue()
        .tree_reducers()
        .iter()
        .map(|reducer| {
            let options = reducer.info().options.to_vec();
            let (about, source) = (reducer.info().about, reducer.info().source);
            (reducer.id(), "tree", about, source, options)
        });
    lists.chain(trees).collect()
}

/// Returns the names of all languages with a parser.
#[pyfunction]
pub(crate) fn languages() -> Vec<&'static str> {
    catalogue::all().map(|entry| entry.id).collect()
}
