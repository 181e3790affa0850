//! Machines over the nodes of a tree, which the tree reducers share.
//!
//! A tree reducer describes the state of its search as a [`Search`], or as a [`ListSearch`] if it
//! also minimizes lists of nodes. [`SearchMachine`] and [`WithLists`] create machines from them.
//! [`NodeList`] minimizes a list of nodes with a list minimizer. `OneAtATime` tries proposals that
//! are computed on demand. `nested` holds functions for nodes within other nodes.

mod across;
mod list_search;
pub(super) mod nested;
mod node_list;
mod one_at_a_time;
#[expect(clippy::module_inception)]
mod search;

pub(super) use across::{Across, Parts};
pub use list_search::{ListSearch, SearchStep, WithLists};
pub use node_list::NodeList;
pub(super) use one_at_a_time::{OneAtATime, Proposal, Source, leaves_enough, may_go};
pub use search::{Search, SearchMachine};
