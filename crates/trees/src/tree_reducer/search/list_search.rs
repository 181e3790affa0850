use super::{NodeList, Search, SearchMachine};
use crate::tree::Piece;
use nubbin_edit::Edit;
use nubbin_engine::work::Work;
use std::sync::Arc;

/// The next step of a [`ListSearch`].
pub enum SearchStep {
    /// A single proposal. [`ListSearch::settle`] receives its verdict.
    Try(Edit),
    /// A list of nodes. A list minimizer removes as many of them as possible.
    List(NodeList),
}

/// The state of a search that tries single proposals and minimizes lists of nodes.
pub trait ListSearch: Clone + Send + 'static {
    /// Returns the next step, or `None` at the end.
    fn step(&mut self) -> Option<SearchStep>;

    /// Records whether the last [`SearchStep::Try`] was adopted.
    fn settle(&mut self, adopted: bool);

    /// Returns the edit that removes the given nodes of the current list. Returns `None` if the
    /// grammar forbids it. The list minimizer then counts it as passing, without a test.
    fn edit(&self, nodes: &[Piece]) -> Option<Edit>;

    /// Records that the given nodes of the list at work were removed.
    fn remove(&mut self, nodes: &[Piece]);

    /// Goes on after the list at work has ended.
    fn list_ended(&mut self);
}

/// A [`ListSearch`] with its current list.
#[derive(Clone)]
pub struct WithLists<S> {
    search: S,
    list: Option<NodeList>,
    /// The nodes of the list that the last proposal removes. Forks share them, since there may be
    /// many.
    asked: Arc<[Piece]>,
}

impl<S: ListSearch> WithLists<S> {
    /// Wraps a search as the work of a tree reducer.
    pub fn work(search: S) -> Work {
        SearchMachine::work(WithLists {
            search,
            list: None,
            asked: Arc::default(),
        })
    }
}

impl<S: ListSearch> Search for WithLists<S> {
    fn propose(&mut self) -> Option<Edit> {
        loop {
            let Some(list) = &mut self.list else {
                match self.search.step()? {
                    SearchStep::Try(edit) => return Some(edit),
                    SearchStep::List(list) => self.list = Some(list),
                }
                continue;
            };
            let Some(nodes) = list.next_nodes() else {
                self.list = None;
                self.search.list_ended();
                continue;
            };
            match self.search.edit(&nodes) {
                Some(edit) => {
                    self.asked = nodes.into();
                    return Some(edit);
                }
                None => list.record(false),
            }
        }
    }

    fn settle(&mut self, adopted: bool) {
        let Some(list) = &mut self.list else {
            return self.search.settle(adopted);
        };
        if adopted {
            self.search.remove(&self.asked);
        }
        list.record(adopted);
    }
}
