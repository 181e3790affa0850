//! Who takes part.

use super::grammars::Subject;
use nubbin_grammar::syntax::Syntax;
use nubbin_reduce::input::Input;
use nubbin_reduce::pass::{self, Pass};
use nubbin_reduce::pick::{self, Choice};
use nubbin_reduce::plan::Plan;
use nubbin_reduce::walk::{self, TreePass, Walk};
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
    /// A list of characters.
    List,
    /// A tree of the grammar.
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
    List(Choice),
    /// With the list algorithm for lists that ask for none themselves, or for all.
    Tree(Arc<dyn Walk>, Choice, bool),
    Auto,
    AutoGrammar,
}

impl Contestant {
    /// The pipeline for inputs of a grammar.
    pub(super) fn plan(&self, subject: &Subject, input: &Input) -> Plan {
        match &self.how {
            How::List(choice) => Plan::single(chars(), choice.clone()),
            How::Tree(walk, choice, insist) => {
                let mut plan = Plan::single(tree_pass(subject, walk), choice.clone());
                plan.insist = *insist;
                plan
            }
            How::Auto => nubbin_reduce::auto::plan(input),
            How::AutoGrammar => {
                let plan = nubbin_reduce::auto::plan(input);
                nubbin_reduce::auto::with_trees(plan, false, |walk| tree_pass(subject, &walk))
            }
        }
    }
}

fn tree_pass(subject: &Subject, walk: &Arc<dyn Walk>) -> Arc<dyn Pass> {
    let syntax: Arc<dyn Syntax> = Arc::clone(&subject.parser) as _;
    Arc::new(TreePass::new(Arc::clone(walk), syntax))
}

fn chars() -> Arc<dyn Pass> {
    Arc::new(pass::Chars)
}

/// Every list algorithm on characters, every walk with `ddmin` as its list algorithm and, if `full`,
/// with every other one, and the default.
pub(super) fn all(full: bool) -> Vec<Contestant> {
    let ids = || pick::catalogue().iter().map(|algorithm| algorithm.id);
    let mut all: Vec<Contestant> = ids()
        .filter_map(|id| {
            Some(Contestant {
                name: id.to_owned(),
                family: Family::List,
                how: How::List(id.parse().ok()?),
            })
        })
        .collect();
    for walk in walk::catalogue() {
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
        let lists = pick::catalogue().len();
        assert_eq!(count, lists + walk::catalogue().len() * lists + 2);
        assert_eq!(all(false).len(), lists + walk::catalogue().len() + 2);
    }
}
