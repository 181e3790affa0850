use super::TreeReducer;
use super::program::names::Names;
use super::search::{OneAtATime, Proposal, Source};
use crate::tree::{NodeId, Outline};
use nubbin_edit::Edit;
use nubbin_engine::work::{Lists, PassInfo, Work};
use std::cmp::Reverse;
use std::sync::Arc;

/// Identifier replacement: replaces one name with another.
///
/// It takes the names of one symbol, rarest first; for each, other names of that symbol, the
/// most frequent first. Three kinds of edits are tried:
///
/// 1. All uses but the first become the other name, and a part around the first use, presumably its
///    declaration, is removed: the third removable part from the inside, then the second, then the
///    innermost.
/// 2. All uses become the other name.
/// 3. All uses but the first become the other name.
///
/// Then single uses are replaced with the two most frequent other names.
///
/// Two names that could as well be one keep two declarations alive: nothing can be deleted that
/// either of them needs. Run it when deleting finds nothing more, and delete again afterwards.
///
/// Cost: up to 40 tests per name, two per use.
///
/// Source: Z. Xu, Y. Tian, M. Zhang, G. Zhao, Y. Jiang, C. Sun, "Pushing the Limit of 1-Minimality
/// of Language-Agnostic Program Reduction", OOPSLA 2023 (Vulcan's identifier replacement, which
/// makes most of Vulcan's reductions).
///
/// Changed: Vulcan adopts candidates that are not smaller, as long as they are new. Here a result
/// must be smaller, so the first kind of edit also deletes, and the others are adopted only where
/// the candidate is shorter, or as long and earlier in the alphabet. At most eight other names are
/// tried for each.
///
/// ```
/// use nubbin_reduce::tree_reducer::{Identifiers, trace};
///
/// let program = "<p> ::= <s>*\n<s> ::= <name> ';'\n<name> ::= [a-z]+\n";
/// let run = trace(&Identifiers, program, "aa;b;aa;b;", |text| text.contains("aa;aa;"));
/// // `b` becomes `aa`, and its first use is removed.
/// assert!(run.tests.contains(&("aa;aa;aa;".to_owned(), true)));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Identifiers;

/// The number of other names that are tried for each name.
const MOST_OTHERS: usize = 8;
/// The number of enclosing parts that are tried with a declaration.
const MOST_AROUND: u32 = 3;
/// The number of other names that are tried for single uses.
const MOST_FOR_ONE: usize = 2;

impl TreeReducer for Identifiers {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "identifiers",
            "replaces one name with another, and removes the declaration that is then unused",
            "Xu and others: Pushing the Limit of 1-Minimality (Vulcan), OOPSLA 2023",
        )
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        let names = outline.fact(Names::of);
        let groups = &names.groups;
        let mut by_symbol: Vec<usize> = (0..groups.len()).collect();
        // The names of one symbol come together, the most frequent first.
        by_symbol.sort_by_key(|&at| (groups[at].symbol, Reverse(groups[at].nodes.len()), at));
        let mut rarest: Vec<usize> = (0..groups.len()).collect();
        rarest.sort_by_key(|&at| (groups[at].nodes.len(), at));
        let mut steps = vec![];
        let mut single = vec![];
        for name in rarest {
            let symbol = groups[name].symbol;
            let from = by_symbol.partition_point(|&at| groups[at].symbol < symbol);
            let others = by_symbol[from..]
                .iter()
                .take_while(|&&at| groups[at].symbol == symbol)
                .filter(|&&at| at != name);
            for (rank, &other) in others.take(MOST_OTHERS).enumerate() {
                let coupled = (0..MOST_AROUND).rev().map(How::Coupled);
                let all = coupled.chain([How::All, How::AllButFirst]);
                steps.extend(all.map(|how| Step { name, other, how }));
                if rank < MOST_FOR_ONE {
                    let uses = 0..groups[name].nodes.len();
                    single.extend(uses.map(|at| Step {
                        name,
                        other,
                        how: How::One(at as u32),
                    }));
                }
            }
        }
        steps.extend(single);
        (!steps.is_empty())
            .then(|| OneAtATime::work(Arc::clone(outline), Replacing { names, steps }))
    }
}

struct Replacing {
    names: Arc<Names>,
    steps: Vec<Step>,
}

/// A replacement of one name by another.
struct Step {
    name: usize,
    other: usize,
    how: How,
}

enum How {
    /// Removes the removable part that is this many parts outside of the innermost one around the
    /// first use.
    Coupled(u32),
    All,
    AllButFirst,
    One(u32),
}

impl Source for Replacing {
    fn len(&self) -> usize {
        self.steps.len()
    }

    fn proposal(&self, at: usize, outline: &Outline) -> Proposal {
        let step = &self.steps[at];
        let uses = &self.names.groups[step.name].nodes;
        let other = self.names.groups[step.other].nodes[0];
        let rename = |uses: &[NodeId]| {
            let splices = uses
                .iter()
                .flat_map(|&id| outline.replace(id, outline.text_of(other)).into_splices());
            Edit::new(splices).unwrap_or_default()
        };
        let (remove, also) = match step.how {
            How::Coupled(outer) => match self.names.element_around(outline, uses[0], outer) {
                Some(element) => {
                    let outside = |id: &NodeId| !outline.covers(element, *id);
                    let others: Vec<NodeId> = uses.iter().copied().filter(outside).collect();
                    (vec![element], rename(&others))
                }
                None => (vec![], Edit::none()),
            },
            How::All => (vec![], rename(uses)),
            How::AllButFirst => (vec![], rename(&uses[1..])),
            How::One(at) => (vec![], rename(&uses[at as usize..][..1])),
        };
        let at_least = remove.len();
        Proposal {
            remove,
            also,
            at_least,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::{STATEMENTS, stays_in_the_grammar};
    use super::super::{Perses, trace};
    use super::*;

    #[test]
    fn every_candidate_fits_the_grammar() {
        stays_in_the_grammar(&Identifiers);
    }

    #[test]
    fn two_declarations_become_one() {
        let text = "f(a);f(b);g(a+b);";
        // Every name that is used in `g` is declared by a call of `f`, and there is a sum.
        let fails = |text: &str| {
            let uses = text.split_once('g').map_or("", |(_, uses)| uses);
            let declared = |c: char| text.contains(&format!("f({c})"));
            uses.contains('+') && uses.chars().filter(char::is_ascii_lowercase).all(declared)
        };
        assert_eq!(trace(&Perses, STATEMENTS, text, fails).result, text);
        assert_eq!(
            trace(&Identifiers, STATEMENTS, text, fails).result,
            "f(b);g(b+b);"
        );
    }
}
