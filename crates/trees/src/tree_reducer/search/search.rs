use nubbin_edit::Edit;
use nubbin_engine::work::{Machine, Work};

/// The state of a search. [`SearchMachine`] does the other tasks of a [`Machine`].
///
/// A state makes one proposal, and receives its verdict before it makes the next proposal.
/// [`SearchMachine`] keeps the proposal until then, so a state computes each proposal once.
pub trait Search: Clone + Send + 'static {
    /// Returns the next proposal, or `None` at the end.
    fn propose(&mut self) -> Option<Edit>;

    /// Records whether the last proposal was adopted.
    fn settle(&mut self, adopted: bool);
}

/// The machine of a [`Search`].
#[derive(Clone)]
pub struct SearchMachine<S> {
    search: S,
    asked: Option<Edit>,
}

impl<S: Search> SearchMachine<S> {
    /// Wraps a search as the work of a tree reducer.
    pub fn work(search: S) -> Work {
        Work::Machine(Box::new(SearchMachine {
            search,
            asked: None,
        }))
    }
}

impl<S: Search> Machine for SearchMachine<S> {
    fn next(&mut self) -> Option<Edit> {
        if self.asked.is_none() {
            self.asked = self.search.propose();
        }
        self.asked.clone()
    }

    fn record(&mut self, adopted: bool) {
        if self.asked.take().is_some() {
            self.search.settle(adopted);
        }
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}
