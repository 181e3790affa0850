//! Machines over the nodes of a tree, which the tree reducers share.
//!
//! A tree reducer describes the state of its search as a [`Search`], or as a [`ListSearch`] where
//! it also works through lists of nodes; [`SearchMachine`] and [`WithLists`] make machines of them.
//! [`NodeList`] works through nodes with a list minimizer. `OneAtATime` tries proposals that are
//! made when their turn comes. `nested` holds functions for nodes within other nodes.

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
