//! The syntax trees of all files, and their use by algorithms.

use nubbin_grammar::syntax::Syntax;
use nubbin_published::tree::{Examples, Gtr};
use nubbin_reduce::list_minimizer::MinimizerChoice;
use nubbin_reduce::tree::Preparation;
use nubbin_reduce::tree_reducer::{self, Forms, PackedSyntaxes, Syntaxes};
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
    /// Whether the trees come from a grammar with islands, so that they may have errors.
    pub(super) has_islands: bool,
    /// The preparation of all trees, if the user has named one.
    pub(super) preparation: Option<Preparation>,
    /// Knowledge from examples.
    pub(super) lore: Option<Examples>,
    /// The list minimizer of tree reducers, if the user has named one.
    pub(super) algorithm: Option<MinimizerChoice>,
}

impl Trees {
    /// Returns the trees for plans.
    pub(super) fn used(&self) -> tree_reducer::Trees {
        let mut used = tree_reducer::Trees::of_each(Arc::clone(&self.syntaxes))
            .with_packed(self.packed.clone());
        if self.has_regions {
            used = used.with_regions();
        }
        if self.has_islands {
            used = used.partial();
        }
        if let Some(preparation) = self.preparation {
            used = used.prepared(preparation);
        }
        if let Some(algorithm) = &self.algorithm {
            used = used.with_list_algorithm(algorithm.clone());
        }
        if let Some(lore) = &self.lore {
            used = used.with_reducer(Arc::new(Gtr::learned(lore.clone())));
        }
        used
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
}
