use crate::{Algorithm, AlgorithmError, pass};
use nubbin_engine::work::Pass;
use nubbin_minimize::{Minimizer, MinimizerChoice, MinimizerError};
#[cfg(feature = "trees")]
use nubbin_trees::tree_reducer::{self, TreeReducer};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The passes, list minimizers, and tree reducers by their names.
///
/// The default catalogue has everything that the [default plans](crate::auto) use. Others are added
/// to it, such as the algorithms of the crate `nubbin-published`.
///
/// ```
/// use nubbin_reduce::{Algorithm, Catalogue};
///
/// let catalogue = Catalogue::default();
/// assert!(catalogue.pass("tokens").is_some());
/// assert!(matches!(catalogue.algorithm("ddmin:backward")?, Algorithm::List(_)));
/// # Ok::<(), nubbin_reduce::AlgorithmError>(())
/// ```
#[derive(Clone)]
pub struct Catalogue {
    passes: Vec<Arc<dyn Pass>>,
    list_minimizers: Vec<Minimizer>,
    #[cfg(feature = "trees")]
    tree_reducers: Vec<Arc<dyn TreeReducer>>,
}

impl Default for Catalogue {
    fn default() -> Self {
        Catalogue {
            passes: pass::catalogue().to_vec(),
            list_minimizers: nubbin_minimize::catalogue().to_vec(),
            #[cfg(feature = "trees")]
            tree_reducers: tree_reducer::catalogue().to_vec(),
        }
    }
}

impl Catalogue {
    /// Returns the catalogue with additional list minimizers.
    #[must_use]
    pub fn with_list_minimizers(mut self, added: &[Minimizer]) -> Self {
        self.list_minimizers.extend_from_slice(added);
        self
    }

    /// Returns the catalogue with additional tree reducers.
    #[cfg(feature = "trees")]
    #[must_use]
    pub fn with_tree_reducers(mut self, added: &[Arc<dyn TreeReducer>]) -> Self {
        self.tree_reducers.extend_from_slice(added);
        self
    }

    /// Returns the passes, coarsest first.
    pub fn passes(&self) -> &[Arc<dyn Pass>] {
        &self.passes
    }

    /// Returns the list minimizers, default first.
    pub fn list_minimizers(&self) -> &[Minimizer] {
        &self.list_minimizers
    }

    /// Returns the tree reducers.
    #[cfg(feature = "trees")]
    pub fn tree_reducers(&self) -> &[Arc<dyn TreeReducer>] {
        &self.tree_reducers
    }

    /// Returns a pass by its name.
    pub fn pass(&self, id: &str) -> Option<Arc<dyn Pass>> {
        self.passes.iter().find(|pass| pass.id() == id).cloned()
    }

    /// Returns a tree reducer by its name, without options.
    #[cfg(feature = "trees")]
    pub fn tree_reducer(&self, id: &str) -> Option<Arc<dyn TreeReducer>> {
        let mut reducers = self.tree_reducers.iter();
        reducers.find(|reducer| reducer.id() == id).cloned()
    }

    /// Parses the name and options of a list minimizer, such as `ddmin:skip-subsets,backward`.
    ///
    /// # Errors
    /// Returns [`MinimizerError`] if there is no such list minimizer or option, or
    /// if options contradict each other.
    pub fn list_minimizer(&self, text: &str) -> Result<MinimizerChoice, MinimizerError> {
        nubbin_minimize::parse_in(&self.list_minimizers, text)
    }

    /// Parses the name and options of an algorithm: `auto`, a list minimizer, or a tree reducer.
    ///
    /// # Errors
    /// Returns [`AlgorithmError`] if there is no such algorithm or option, or if options contradict
    /// each other. The error for an unknown algorithm names the most similar one.
    pub fn algorithm(&self, text: &str) -> Result<Algorithm, AlgorithmError> {
        if text == "auto" {
            return Ok(Algorithm::Auto);
        }
        #[cfg(feature = "trees")]
        if let Some(reducer) = self.tree(text) {
            return reducer;
        }
        Ok(Algorithm::List(self.list_minimizer(text)?))
    }

    /// Returns the tree reducer of a name. For the name of no algorithm, returns an error that
    /// names a similar tree reducer, which is a better suggestion than a less similar list
    /// minimizer.
    #[cfg(feature = "trees")]
    fn tree(&self, text: &str) -> Option<Result<Algorithm, AlgorithmError>> {
        let id = text.split(':').next().unwrap_or(text).trim();
        if self.tree_reducer(id).is_some() {
            let reducer = tree_reducer::parse_in(&self.tree_reducers, text);
            return Some(reducer.map(Algorithm::Tree).map_err(AlgorithmError::from));
        }
        let Err(MinimizerError::UnknownAlgorithm { name, .. }) = self.list_minimizer(text) else {
            return None;
        };
        let reducers = self.tree_reducers.iter().map(|reducer| reducer.id());
        let like = nubbin_grammar::suggest::nearest(id, reducers)?.into();
        Some(Err(AlgorithmError::Unknown { name, like }))
    }
}

impl FromStr for Algorithm {
    type Err = AlgorithmError;

    /// Reads an algorithm of the default plans, see [`Catalogue::algorithm`].
    fn from_str(text: &str) -> Result<Self, AlgorithmError> {
        Catalogue::default().algorithm(text)
    }
}

impl fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let passes: Vec<&str> = self.passes.iter().map(|pass| pass.id()).collect();
        let mut catalogue = f.debug_struct("Catalogue");
        catalogue
            .field("passes", &passes)
            .field("list_minimizers", &self.list_minimizers);
        #[cfg(feature = "trees")]
        {
            let reducers = self.tree_reducers.iter().map(|reducer| reducer.id());
            catalogue.field("tree_reducers", &reducers.collect::<Vec<_>>());
        }
        catalogue.finish()
    }
}

#[cfg(all(test, feature = "trees"))]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_is_read_by_its_name() {
        let catalogue = Catalogue::default();
        for minimizer in catalogue.list_minimizers() {
            let id = minimizer.info.id;
            let read = catalogue.algorithm(id);
            assert!(matches!(read, Ok(Algorithm::List(choice)) if choice.info().id == id));
        }
        for reducer in catalogue.tree_reducers() {
            let read = catalogue.algorithm(reducer.id());
            assert!(matches!(read, Ok(Algorithm::Tree(read)) if read.id() == reducer.id()));
        }
        assert!(matches!(catalogue.algorithm("auto"), Ok(Algorithm::Auto)));
    }

    #[test]
    fn errors_name_similar_algorithms() {
        let message = |text: &str| match Catalogue::default().algorithm(text) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        };
        assert_eq!(
            message("same_kind"),
            "unknown algorithm `same_kind`, did you mean the tree reducer `same-kind`?"
        );
        assert_eq!(
            message("sweap"),
            "unknown list minimizer `sweap`, did you mean `sweep`?"
        );
        assert_eq!(
            message("perses:dfs"),
            "`perses` has no option `dfs`; it has none"
        );
    }
}
