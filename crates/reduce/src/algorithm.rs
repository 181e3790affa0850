use crate::auto;
use nubbin_edit::Input;
use nubbin_engine::plan::Plan;
use nubbin_engine::work::Pass;
use nubbin_minimize::{MinimizerChoice, MinimizerError};
use nubbin_text::Lines;
#[cfg(feature = "trees")]
use nubbin_trees::tree_reducer::{TreeReducer, TreeReducerError, Trees};
use std::fmt;
use std::sync::Arc;

/// An algorithm, chosen by name: the default plan, a list minimizer, or a tree reducer.
///
/// ```
/// use nubbin_reduce::Algorithm;
///
/// assert!(matches!("auto".parse()?, Algorithm::Auto));
/// assert!(matches!("ddmin:backward".parse()?, Algorithm::List(_)));
/// # #[cfg(feature = "trees")]
/// assert!(matches!("perses".parse()?, Algorithm::Tree(_)));
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

/// The reason why an algorithm has no plan for an input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanError {
    /// A tree reducer was given an input without trees.
    NoTrees {
        /// The name of the tree reducer.
        reducer: String,
    },
    /// A tree reducer was given passes, but works on trees and not on the units of passes.
    Passes {
        /// The name of the tree reducer.
        reducer: String,
    },
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::NoTrees { reducer } => write!(
                f,
                "`{reducer}` is a tree reducer, and no grammar or parser of the input is given"
            ),
            PlanError::Passes { reducer } => {
                write!(f, "`{reducer}` is a tree reducer, and does not use passes")
            }
        }
    }
}

impl std::error::Error for PlanError {}

impl Algorithm {
    /// Returns the plan of this algorithm for an input without trees.
    ///
    /// With passes, a list minimizer works through their lists, once each, and `auto` runs them
    /// until none finds anything more. Without any, a list minimizer works on lines, and `auto` is
    /// the [default plan](auto::plan) for the input.
    ///
    /// # Errors
    /// Returns [`PlanError::NoTrees`] for a tree reducer.
    ///
    /// ```
    /// use nubbin_reduce::{Algorithm, input::Input, pass};
    ///
    /// let input = Input::single("input", "a b c")?;
    /// let tokens = pass::by_id("tokens").into_iter().collect();
    /// let plan = "ddmin".parse::<Algorithm>()?.plan(&input, tokens)?;
    /// assert_eq!(plan.passes().map(|pass| pass.id()).collect::<Vec<_>>(), ["tokens"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan(&self, input: &Input, passes: Vec<Arc<dyn Pass>>) -> Result<Plan, PlanError> {
        let default = auto::plan(input);
        let order = default.order;
        let plan = match self {
            Algorithm::Auto if passes.is_empty() => default,
            Algorithm::Auto => Plan::of(passes),
            Algorithm::List(choice) => {
                let passes = match passes.is_empty() {
                    true => vec![Arc::new(Lines) as Arc<dyn Pass>],
                    false => passes,
                };
                Plan::once("list", choice.to_string(), passes, choice.clone())
            }
            #[cfg(feature = "trees")]
            Algorithm::Tree(reducer) => {
                let reducer = reducer.id().to_owned();
                return Err(PlanError::NoTrees { reducer });
            }
        };
        Ok(plan.with_order(order))
    }

    /// Returns the plan of this algorithm for an input that may have trees. Without trees, it is
    /// the same as [`Algorithm::plan`]. The default plan uses the trees in addition, and a tree
    /// reducer runs once.
    ///
    /// # Errors
    /// Returns [`PlanError::NoTrees`] for a tree reducer without trees, and [`PlanError::Passes`]
    /// for one with passes.
    #[cfg(feature = "trees")]
    pub fn plan_with_trees(
        &self,
        input: &Input,
        passes: Vec<Arc<dyn Pass>>,
        trees: Option<&Trees>,
    ) -> Result<Plan, PlanError> {
        let Some(trees) = trees else {
            return self.plan(input, passes);
        };
        match self {
            Algorithm::Auto if passes.is_empty() => Ok(auto::with_trees(auto::plan(input), trees)),
            Algorithm::Auto | Algorithm::List(_) => self.plan(input, passes),
            Algorithm::Tree(reducer) if !passes.is_empty() => Err(PlanError::Passes {
                reducer: reducer.id().to_owned(),
            }),
            Algorithm::Tree(reducer) => {
                let id = reducer.id();
                let (name, choice) = match trees.list_algorithm() {
                    Some(choice) => (format!("{id} with {choice}"), choice.clone()),
                    None => (id.to_owned(), reducer.list_minimizer()),
                };
                let pass = trees.pass(Arc::clone(reducer));
                let order = reducer.order();
                let plan = Plan::once("tree", name, vec![pass], choice);
                let order = order.unwrap_or_else(|| auto::plan(input).order);
                Ok(plan.with_order(order))
            }
        }
    }
}

/// The reason why the name of an algorithm cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AlgorithmError {
    /// The text does not name a list minimizer with valid options.
    List(MinimizerError),
    /// The text names a tree reducer with invalid options.
    #[cfg(feature = "trees")]
    Tree(TreeReducerError),
    /// The algorithm is unknown, but a tree reducer has a similar name.
    Unknown {
        /// The unknown name.
        name: String,
        /// The name of the tree reducer.
        like: String,
    },
}

impl fmt::Display for AlgorithmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AlgorithmError::List(error) => error.fmt(f),
            #[cfg(feature = "trees")]
            AlgorithmError::Tree(error) => error.fmt(f),
            AlgorithmError::Unknown { name, like } => write!(
                f,
                "unknown algorithm `{name}`, did you mean the tree reducer `{like}`?"
            ),
        }
    }
}

impl std::error::Error for AlgorithmError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            AlgorithmError::List(error) => error.source(),
            #[cfg(feature = "trees")]
            AlgorithmError::Tree(error) => error.source(),
            _ => None,
        }
    }
}
impl From<MinimizerError> for AlgorithmError {
    fn from(error: MinimizerError) -> Self {
        AlgorithmError::List(error)
    }
}

#[cfg(feature = "trees")]
impl From<TreeReducerError> for AlgorithmError {
    fn from(error: TreeReducerError) -> Self {
        AlgorithmError::Tree(error)
    }
}
