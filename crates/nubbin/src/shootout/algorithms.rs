//! The algorithms of a benchmark.

use nubbin_grammar::syntax::Syntax;
use nubbin_reduce::input::Input;
use nubbin_reduce::list_minimizer::{self, MinimizerChoice};
use nubbin_reduce::pass::{self, Pass};
use nubbin_reduce::plan::Plan;
use nubbin_reduce::tree::Preparation;
use nubbin_reduce::tree_reducer::{self, TreePass, TreeReducer};
use std::sync::Arc;

/// An algorithm of a benchmark: a list minimizer, a tree reducer with a list minimizer, or a
/// default plan.
pub(super) struct BenchmarkAlgorithm {
    pub(super) name: String,
    pub(super) family: Family,
    how: How,
    /// The preparation of all trees, if the user has named one.
    preparation: Option<Preparation>,
}

/// The structure of the input that an algorithm uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Family {
    /// A list of characters or of lines.
    List,
    /// A syntax tree by the grammar or the language.
    Tree,
    /// The default plan of nubbin.
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

enum How {
    List(MinimizerChoice),
    /// A tree reducer with a list minimizer. The flag says whether the minimizer also replaces the
    /// one that the tree reducer was published with.
    Tree(Arc<dyn TreeReducer>, MinimizerChoice, bool),
    Auto,
    AutoGrammar,
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
    /// Returns the plan for inputs with this view. Returns `None` for a tree reducer without a
    /// syntax.
    pub(super) fn plan(&self, view: &InputView, input: &Input) -> Option<Plan> {
        let syntax = view.syntax.as_ref();
        let plan = match (&self.how, syntax) {
            (How::List(choice), _) => Plan::single(Arc::clone(&view.atoms), choice.clone()),
            (How::Tree(..), None) => return None,
            (How::Tree(reducer, choice, insist), Some(syntax)) => {
                let preparation = self.preparation.unwrap_or(reducer.preparation());
                let pass = tree_pass(syntax, reducer, preparation);
                let mut plan = Plan::single(pass, choice.clone());
                plan.insist = *insist;
                plan.order = reducer.order().unwrap_or(plan.order);
                plan
            }
            (How::Auto, _) | (How::AutoGrammar, None) => nubbin_reduce::auto::plan(input),
            (How::AutoGrammar, Some(syntax)) => {
                let plan = nubbin_reduce::auto::plan(input);
                let tolerant = syntax.is_tolerant();
                let preparation = self.preparation.unwrap_or(Preparation::ALL);
                nubbin_reduce::auto::with_trees(plan, tolerant, |reducer| {
                    tree_pass(syntax, &reducer, preparation)
                })
            }
        };
        Some(plan.with_sorts(nubbin_languages::hints::SORTS))
    }
}

fn tree_pass(
    syntax: &Arc<dyn Syntax>,
    reducer: &Arc<dyn TreeReducer>,
    preparation: Preparation,
) -> Arc<dyn Pass> {
    let pass = TreePass::new(Arc::clone(reducer), Arc::clone(syntax));
    Arc::new(pass.prepared(preparation))
}

/// Returns every list minimizer, every tree reducer with `ddmin` as its list minimizer (and with
/// every other one if `full`), and the default plans. `preparation` replaces those of the
/// publications.
pub(super) fn all(full: bool, preparation: Option<Preparation>) -> Vec<BenchmarkAlgorithm> {
    let ids = || {
        list_minimizer::catalogue()
            .iter()
            .map(|algorithm| algorithm.id)
    };
    let mut all: Vec<BenchmarkAlgorithm> = ids()
        .filter_map(|id| {
            Some(BenchmarkAlgorithm {
                name: id.to_owned(),
                family: Family::List,
                how: How::List(id.parse().ok()?),
                preparation,
            })
        })
        .collect();
    for reducer in tree_reducer::catalogue() {
        for id in ids().filter(|&id| full || id == "ddmin") {
            let Ok(choice) = id.parse() else { continue };
            let name = match full {
                true => format!("{} × {id}", reducer.id()),
                false => reducer.id().to_owned(),
            };
            all.push(BenchmarkAlgorithm {
                name,
                family: Family::Tree,
                how: How::Tree(Arc::clone(reducer), choice, full),
                preparation,
            });
        }
    }
    for (name, how) in [("auto", How::Auto), ("auto with grammar", How::AutoGrammar)] {
        all.push(BenchmarkAlgorithm {
            name: name.to_owned(),
            family: Family::Default,
            how,
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
        let lists = list_minimizer::catalogue().len();
        assert_eq!(count, lists + tree_reducer::catalogue().len() * lists + 2);
        assert_eq!(
            all(false, None).len(),
            lists + tree_reducer::catalogue().len() + 2
        );
    }
}
