//! The algorithms of a benchmark.

use nubbin_grammar::syntax::Syntax;
use nubbin_reduce::Algorithm;
use nubbin_reduce::auto;
use nubbin_reduce::input::Input;
use nubbin_reduce::list_minimizer::MinimizerChoice;
use nubbin_reduce::pass::{self, Pass, SortTables};
use nubbin_reduce::plan::Plan;
use nubbin_reduce::tree::Preparation;
use nubbin_reduce::tree_reducer::Trees;
use std::sync::Arc;

/// An algorithm of a benchmark: a list minimizer, a tree reducer with a list minimizer, or a
/// default plan.
pub(super) struct BenchmarkAlgorithm {
    pub(super) name: String,
    pub(super) family: Family,
    algorithm: Algorithm,
    /// Whether it uses the trees of an input.
    uses_trees: bool,
    /// The list minimizer in place of the one that a tree reducer was published with.
    list_algorithm: Option<MinimizerChoice>,
    /// The preparation of all trees, if the user has named one.
    preparation: Option<Preparation>,
}

/// The structure of the input that an algorithm uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Family {
    /// The algorithm reduces a list of characters or of lines.
    List,
    /// The algorithm reduces a syntax tree by the grammar or the language.
    Tree,
    /// The algorithm is the default plan of nubbin.
    Default,
}

impl Family {
    pub(super) fn word(self) -> &'static str {
        match self {
            Family::List => "list",
            Family::Tree => "tree",
            Family::Default => "default",
        }
    }
}

/// The views of an input that the algorithms work on.
#[derive(Clone)]
pub(super) struct InputView {
    /// The syntax for trees; `None` if no language or grammar is known.
    pub(super) syntax: Option<Arc<dyn Syntax>>,
    /// The units of lists.
    pub(super) atoms: Arc<dyn Pass>,
}

impl InputView {
    /// Views inputs as trees of a grammar and as lists of characters.
    pub(super) fn of_chars(syntax: Arc<dyn Syntax>) -> Self {
        InputView {
            syntax: Some(syntax),
            atoms: Arc::new(pass::Chars),
        }
    }

    /// Views inputs as lists of lines, and as trees if the syntax is known.
    pub(super) fn of_lines(syntax: Option<Arc<dyn Syntax>>) -> Self {
        InputView {
            syntax,
            atoms: Arc::new(pass::Lines),
        }
    }
}

impl BenchmarkAlgorithm {
    /// Returns the plan for inputs with the given view. Returns `None` for a tree reducer without a
    /// syntax.
    pub(super) fn plan(&self, view: &InputView, input: &Input) -> Option<Plan> {
        let syntax = view.syntax.clone().filter(|_| self.uses_trees);
        let trees = syntax.map(|syntax| {
            let mut trees = Trees::new(syntax);
            if let Some(preparation) = self.preparation {
                trees = trees.prepared(preparation);
            }
            if let Some(choice) = &self.list_algorithm {
                trees = trees.with_list_algorithm(choice.clone());
            }
            trees
        });
        let passes = match &self.algorithm {
            Algorithm::List(_) => vec![Arc::clone(&view.atoms)],
            _ => vec![],
        };
        let plan = (self.algorithm).plan_with_trees(input, passes, trees.as_ref());
        // Only a tree reducer without syntax trees has no plan.
        let sorts = SortTables(nubbin_languages::hints::SORTS);
        Some(auto::with_sorts(plan.ok()?, input, sorts))
    }
}

/// Returns every list minimizer, every tree reducer with `ddmin` as its list minimizer (and with
/// every other one if `full`), and the default plans. `preparation` replaces the preparations of
/// the publications.
pub(super) fn all(full: bool, preparation: Option<Preparation>) -> Vec<BenchmarkAlgorithm> {
    let published = nubbin_published::catalogue();
    let ids = || {
        published
            .list_minimizers()
            .iter()
            .map(|minimizer| minimizer.info.id)
    };
    let mut all: Vec<BenchmarkAlgorithm> = ids()
        .filter_map(|id| {
            Some(BenchmarkAlgorithm {
                name: id.to_owned(),
                family: Family::List,
                algorithm: Algorithm::List(published.list_minimizer(id).ok()?),
                uses_trees: false,
                list_algorithm: None,
                preparation,
            })
        })
        .collect();
    for reducer in published.tree_reducers() {
        for id in ids().filter(|&id| full || id == "ddmin") {
            let Ok(choice) = published.list_minimizer(id) else {
                continue;
            };
            let name = match full {
                true => format!("{} × {id}", reducer.id()),
                false => reducer.id().to_owned(),
            };
            all.push(BenchmarkAlgorithm {
                name,
                family: Family::Tree,
                algorithm: Algorithm::Tree(Arc::clone(reducer)),
                uses_trees: true,
                list_algorithm: full.then_some(choice),
                preparation,
            });
        }
    }
    for (name, uses_trees) in [("auto", false), ("auto with grammar", true)] {
        all.push(BenchmarkAlgorithm {
            name: name.to_owned(),
            family: Family::Default,
            algorithm: Algorithm::Auto,
            uses_trees,
            list_algorithm: None,
            preparation,
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_takes_part_once() {
        let mut names: Vec<String> = all(true, None).into_iter().map(|one| one.name).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
        let published = nubbin_published::catalogue();
        let lists = published.list_minimizers().len();
        let trees = published.tree_reducers().len();
        assert_eq!(count, lists + trees * lists + 2);
        assert_eq!(all(false, None).len(), lists + trees + 2);
    }
}
