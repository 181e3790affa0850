//! The syntax trees of all files, and passes over them.

use nubbin_grammar::syntax::Syntax;
use nubbin_reduce::list_minimizer::MinimizerChoice;
use nubbin_reduce::pass::Pass;
use nubbin_reduce::tree::Preparation;
use nubbin_reduce::tree_reducer::{
    Forms, Gtr, Lore, PackedSyntaxes, Syntaxes, TreePass, TreeReducer,
};
use std::sync::Arc;

/// The name of the tree reducer that learns.
pub(super) const LEARNS: &str = "gtr-learned";

/// The syntaxes of all files, and how their trees are used.
pub(super) struct Trees {
    pub(super) syntaxes: Syntaxes,
    /// The syntax of every file, if the user has named one.
    pub(super) of_all: Option<Arc<dyn Syntax>>,
    /// Whether tree reducers that the user has named also run over the regions of binary files.
    pub(super) has_regions: bool,
    /// The syntaxes of texts that are packed in files.
    pub(super) packed: PackedSyntaxes,
    /// Whether the trees are those of a grammar that has errors.
    pub(super) has_islands: bool,
    /// The preparation of all trees, if the user has named one.
    pub(super) preparation: Option<Preparation>,
    /// Knowledge from examples.
    pub(super) lore: Option<Lore>,
    /// The list minimizer of tree reducers, if the user has named one.
    pub(super) algorithm: Option<MinimizerChoice>,
}

impl Trees {
    /// Returns the pass of a tree reducer that the user has named.
    pub(super) fn named(&self, reducer: Arc<dyn TreeReducer>) -> Arc<dyn Pass> {
        let preparation = reducer.preparation();
        let pass = self.pass(reducer, preparation);
        Arc::new(match self.has_regions {
            true => pass.with_regions(),
            false => pass,
        })
    }

    /// Returns the pass of a tree reducer in the default plan, which prepares all trees alike.
    pub(super) fn planned(&self, reducer: Arc<dyn TreeReducer>) -> Arc<dyn Pass> {
        let pass = self.pass(reducer, Preparation::ALL);
        Arc::new(pass.with_packed(self.packed.clone()))
    }

    fn pass(&self, reducer: Arc<dyn TreeReducer>, preparation: Preparation) -> TreePass {
        let reducer = match &self.lore {
            Some(lore) if reducer.id() == LEARNS => Arc::new(Gtr::learned(lore.clone())),
            _ => reducer,
        };
        let pass = TreePass::of_each(reducer, Arc::clone(&self.syntaxes));
        pass.prepared(self.preparation.unwrap_or(preparation))
    }

    /// Returns the judge of how badly texts are formed.
    pub(super) fn forms(&self) -> Forms {
        Forms::new(Arc::clone(&self.syntaxes)).with_packed(self.packed.clone())
    }

    /// Returns the names of the languages or grammars.
    pub(super) fn names(&self) -> String {
        let syntaxes = self.syntaxes.iter().flatten().chain(self.packed.iter());
        let names = syntaxes.map(|syntax| syntax.name());
        let names: std::collections::BTreeSet<&str> = names.collect();
        names.into_iter().collect::<Vec<_>>().join(", ")
    }

    /// Returns whether every text has a tree of a language.
    pub(super) fn tolerant(&self) -> bool {
        let mut syntaxes = self.syntaxes.iter().flatten().chain(self.packed.iter());
        !self.has_islands && syntaxes.all(|syntax| syntax.is_tolerant())
    }
}
