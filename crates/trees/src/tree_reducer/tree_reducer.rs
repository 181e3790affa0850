use crate::tree::{Outline, Preparation};
use nubbin_edit::Input;
use nubbin_engine::order::Order;
use nubbin_engine::work::{Lists, PassInfo, Work};
use nubbin_minimize::MinimizerChoice;
use std::sync::Arc;

/// The trees of the files of a program.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// The whole input, with all its files.
    pub input: &'a Input,
    /// The files that have a tree, by their numbers, in order.
    pub trees: &'a [(usize, Arc<Outline>)],
}

impl Program<'_> {
    /// Returns the trees in the order of their files.
    pub(super) fn outlines(&self) -> Vec<Arc<Outline>> {
        self.trees
            .iter()
            .map(|(_, tree)| Arc::clone(tree))
            .collect()
    }
}

/// An algorithm that proposes edits of a syntax tree. See the [module documentation](super).
pub trait TreeReducer: Send + Sync {
    /// Returns the description.
    fn info(&self) -> PassInfo;

    /// Returns the name for flags, logs, and statistics.
    fn id(&self) -> &'static str {
        self.info().id
    }

    /// Returns this tree reducer with an option set, or `None` if it has no such option, or not
    /// with the given value.
    fn with(&self, option: &str, value: Option<&str>) -> Option<Arc<dyn TreeReducer>> {
        let _ = (option, value);
        None
    }

    /// Returns the steps that prepare a tree for the reducer, unless other steps are requested.
    /// These are the steps of the publication, and all steps for algorithms of our own.
    fn preparation(&self) -> Preparation {
        Preparation::ALL
    }

    /// Returns the list minimizer for the lists of the reducer when it runs by itself, unless
    /// another one is requested. This is the list minimizer of the publication.
    fn list_minimizer(&self) -> MinimizerChoice {
        MinimizerChoice::ddmin()
    }

    /// Returns the order of the candidates when the reducer runs by itself, if it does not order
    /// them by size.
    fn order(&self) -> Option<Order> {
        None
    }

    /// Returns whether the publication counts the test of the original as the first test.
    fn counts_original(&self) -> bool {
        true
    }

    /// Returns proposals for a tree, or `None` if there is nothing to propose.
    fn open(&self, outline: &Arc<Outline>, lists: &Lists) -> Option<Work>;

    /// Returns proposals for the trees of several files, or `None` if there is nothing to
    /// propose. By default, it joins those for each, as for
    /// [passes](nubbin_engine::work::Scope::Joined).
    fn open_all(&self, program: &Program<'_>, lists: &Lists) -> Option<Work> {
        let trees = program.trees.iter();
        let works = trees.filter_map(|(_, outline)| self.open(outline, lists));
        Work::joined(works, lists)
    }
}
