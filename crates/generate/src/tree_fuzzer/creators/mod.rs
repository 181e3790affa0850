//! The creators, one per file. Each file has the function `create`.

pub(super) mod delete_quantified;
pub(super) mod generate;
pub(super) mod hoist_rule;
pub(super) mod insert_local_node;
pub(super) mod insert_quantified;
pub(super) mod regenerate_rule;
pub(super) mod replace_node;
pub(super) mod replicate_quantified;
pub(super) mod shuffle_quantifieds;
pub(super) mod swap_local_nodes;
pub(super) mod unrestricted_delete;
pub(super) mod unrestricted_hoist_rule;

use crate::choices::Choices;

/// The number of pairs that a creator draws before it gives up.
const TRIES: u32 = 32;

/// Chooses one of a list, or `None` if it is empty.
fn pick<'l, T>(list: &'l [T], choices: &mut Choices) -> Option<&'l T> {
    list.get(choices.choose(list.len(), 0))
}
