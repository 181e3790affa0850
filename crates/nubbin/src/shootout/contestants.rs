//! Who takes part.

use nubbin_grammar::syntax::Syntax;
use nubbin_reduce::input::Input;
use nubbin_reduce::list_minimizer::{self, MinimizerChoice};
use nubbin_reduce::pass::{self, Pass};
use nubbin_reduce::plan::Plan;
use nubbin_reduce::tree_reducer::{self, TreePass, TreeReducer};
use std::sync::Arc;

/// An algorithm as it takes part: by itself, or with a list algorithm inside.
pub(super) struct Contestant {
    pub(super) name: String,
    pub(super) family: Family,
    how: How,
}

/// What an algorithm knows of its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Family {
    /// A list: of characters, or of lines.
    List,
    /// A tree of the grammar, or of the language.
    Tree,
    /// What the program does when it is not told how.
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
    /// With the list algorithm for lists that ask for none themselves, or for all.
    Tree(Arc<dyn TreeReducer>, MinimizerChoice, bool),
    Auto,
    AutoGrammar,
}

/// How inputs are seen by those who take part.
#[derive(Clone)]
pub(super) struct InputView {
    /// As trees; nothing where no language or grammar is known.
    pub(super) syntax: Option<Arc<dyn Syntax>>,
    /// As lists.
    pub(super) atoms: Arc<dyn Pass>,
}

impl InputView {
    /// As trees of a grammar, and as lists of characters.
    pub(super) fn of_chars(syntax: Arc<dyn Syntax>) -> Self {
        InputView {
            syntax: Some(syntax),
            atoms: Arc::new(pass::Chars),
        }
    }

    /// As lists of lines, and as trees where there are some.
    pub(super) fn of_lines(syntax: Option<Arc<dyn Syntax>>) -> Self {
        InputView {
            syntax,
            atoms: Arc::new(pass::Lines),
        }
    }
}

impl Contestant {
    /// The pipeline for inputs that are seen like this; nothing for a walk where there are no
    /// trees.
    pub(super) fn plan(&self, view: &InputView, input: &Input) -> Option<Plan> {
        let syntax = view.syntax.as_ref();
        let plan = match (&self.how, syntax) {
            (How::List(choice), _) => Plan::single(Arc::clone(&view.atoms), choice.clone()),
            (How::Tree(..), None) => return None,
            (How::Tree(walk, choice, insist), Some(syntax)) => {
                let mut plan = Plan::single(tree_pass(syntax, walk), choice.clone());
                plan.insist = *insist;
                plan
            }
            (How::Auto, _) | (How::AutoGrammar, None) => nubbin_reduce::auto::plan(input),
            (How::AutoGrammar, Some(syntax)) => {
                let plan = nubbin_reduce::auto::plan(input);
                let tolerant = syntax.is_tolerant();
                nubbin_reduce::auto::with_trees(plan, tolerant, |walk| tree_pass(syntax, &walk))
            }
        };
        Some(plan.with_sorts(nubbin_languages::hints::SORTS))
    }
}

fn tree_pass(syntax: &Arc<dyn Syntax>, walk: &Arc<dyn TreeReducer>) -> Arc<dyn Pass> {
    Arc::new(TreePass::new(Arc::clone(walk), Arc::clone(syntax)))
}

/// Every list algorithm on lists, every walk with `ddmin` as its list algorithm and, if `full`,
/// with every other one, and the default.
pub(super) fn all(full: bool) -> Vec<Contestant> {
    let ids = || {
        list_minimizer::catalogue()
            .iter()
            .map(|algorithm| algorithm.id)
    };
    let mut all: Vec<Contestant> = ids()
        .filter_map(|id| {
            Some(Contestant {
                name: id.to_owned(),
                family: Family::List,
                how: How::List(id.parse().ok()?),
            })
        })
        .collect();
    for walk in tree_reducer::catalogue() {
        for id in ids().filter(|&id| full || id == "ddmin") {
            let Ok(choice) = id.parse() else { continue };
            let name = match full {
                true => format!("{} × {id}", walk.id()),
                false => walk.id().to_owned(),
            };
            all.push(Contestant {
                name,
                family: Family::Tree,
                how: How::Tree(Arc::clone(walk), choice, full),
            });
        }
    }
    for (name, how) in [("auto", How::Auto), ("auto with grammar", How::AutoGrammar)] {
        all.push(Contestant {
            name: name.to_owned(),
            family: Family::Default,
            how,
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_takes_part_once() {
        let mut names: Vec<String> = all(true).into_iter().map(|one| one.name).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
        let lists = list_minimizer::catalogue().len();
        assert_eq!(count, lists + tree_reducer::catalogue().len() * lists + 2);
        assert_eq!(
            all(false).len(),
            lists + tree_reducer::catalogue().len() + 2
        );
    }
}
