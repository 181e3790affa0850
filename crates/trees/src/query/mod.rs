//! Statements as parts with roles, and the search for smaller ones, for the tree reducer
//! [`Queries`](crate::tree_reducer::Queries).

mod change;
mod find;
mod named;
mod part;
mod read;
mod relations;
mod search;
mod tables;
#[cfg(test)]
mod tests;
mod whole;

use crate::tree::Outline;
use crate::tree_reducer::search::SearchMachine;
use nubbin_engine::work::Work;
use search::Reduction;

/// Returns the work on the statements of a text; `None` if its grammar has no rules of queries.
pub(crate) fn work(outline: &Outline) -> Option<Work> {
    let rules = &outline.grammar().conventions().queries;
    if rules.select.is_empty() {
        return None;
    }
    let units = read::units(outline, rules);
    (!units.is_empty()).then(|| SearchMachine::work(Reduction::new(units, rules)))
}
