use crate::list_minimizer::{MinimizerChoice, MinimizerError};
#[cfg(feature = "trees")]
use crate::tree_reducer::{self, TreeReducer, TreeReducerError};
use std::str::FromStr;
#[cfg(feature = "trees")]
use std::sync::Arc;

/// An algorithm, chosen by name: the default plan, a list minimizer, or a tree reducer.
///
/// ```
/// use nubbin_reduce::Algorithm;
///
/// assert!(matches!("auto".parse()?, Algorithm::Auto));
/// assert!(matches!("ddmin:backward".parse()?, Algorithm::List(_)));
/// # #[cfg(feature = "trees")]
/// assert!(matches!("hddr:dfs".parse()?, Algorithm::Tree(_)));
/// # Ok::<(), nubbin_reduce::AlgorithmError>(())
/// ```
#[derive(Clone)]
pub enum Algorithm {
    /// The default plan.
    Auto,
    /// A list minimizer with its options.
    List(MinimizerChoice),
    /// A tree reducer with its options.
    #[cfg(feature = "trees")]
    Tree(Arc<dyn TreeReducer>),
}

/// The reason why the name of an algorithm cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AlgorithmError {
    /// It is no list minimizer, or has other options.
    #[error(transparent)]
    List(#[from] MinimizerError),
    /// The tree reducer has other options.
    #[cfg(feature = "trees")]
    #[error(transparent)]
    Tree(#[from] TreeReducerError),
    /// There is no such algorithm, but a tree reducer with a similar name.
    #[error("unknown algorithm `{name}`, did you mean the tree reducer `{like}`?")]
    Unknown {
        /// The unknown name.
        name: String,
        /// The name of the tree reducer.
        like: String,
    },
}

impl FromStr for Algorithm {
    type Err = AlgorithmError;

    fn from_str(text: &str) -> Result<Self, AlgorithmError> {
        if text == "auto" {
            return Ok(Algorithm::Auto);
        }
        #[cfg(feature = "trees")]
        if let Some(reducer) = tree(text) {
            return reducer;
        }
        Ok(Algorithm::List(text.parse()?))
    }
}

/// Returns the tree reducer of a name. For the name of no algorithm, returns an error that names a
/// similar tree reducer, which is a better suggestion than a less similar list minimizer.
#[cfg(feature = "trees")]
fn tree(text: &str) -> Option<Result<Algorithm, AlgorithmError>> {
    let id = text.split(':').next().unwrap_or(text).trim();
    if tree_reducer::by_id(id).is_some() {
        return Some(match tree_reducer::parse(text) {
            Ok(reducer) => Ok(Algorithm::Tree(reducer)),
            Err(error) => Err(error.into()),
        });
    }
    let Err(MinimizerError::UnknownAlgorithm { name, .. }) = text.parse::<MinimizerChoice>() else {
        return None;
    };
    let reducers = tree_reducer::catalogue().iter().map(|reducer| reducer.id());
    let like = nubbin_grammar::suggest::nearest(id, reducers)?.into();
    Some(Err(AlgorithmError::Unknown { name, like }))
}

#[cfg(all(test, feature = "trees"))]
mod tests {
    use super::*;
    use crate::list_minimizer;

    #[test]
    fn every_algorithm_is_read_by_its_name() {
        for minimizer in list_minimizer::catalogue() {
            let read = minimizer.id.parse();
            assert!(matches!(read, Ok(Algorithm::List(choice)) if choice.algorithm() == minimizer));
        }
        for reducer in tree_reducer::catalogue() {
            let read = reducer.id().parse();
            assert!(matches!(read, Ok(Algorithm::Tree(read)) if read.id() == reducer.id()));
        }
        assert!(matches!("auto".parse(), Ok(Algorithm::Auto)));
    }

    #[test]
    fn errors_name_similar_algorithms() {
        let message = |text: &str| match text.parse::<Algorithm>() {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        };
        assert_eq!(
            message("hdd_star"),
            "unknown algorithm `hdd_star`, did you mean the tree reducer `hdd-star`?"
        );
        assert_eq!(
            message("probd"),
            "unknown list minimizer `probd`, did you mean `probdd`?"
        );
        assert_eq!(message("hdd:dfs"), "`hdd` has no option `dfs`; it has none");
    }
}
