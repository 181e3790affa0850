use super::TreeReducer;
use super::program::items::Items;
use super::program::references::References;
use super::search::{Search, SearchMachine};
use crate::edit::Edit;
use crate::tree::{Gone, NodeId, Outline};
use crate::work::{Lists, Work};
use std::ops::Range;
use std::sync::Arc;

/// Removes all declarations that nothing needed reaches by name, in one test.
///
/// Most of a large program is not needed by the few lines that fail. A list minimizer finds that
/// out declaration by declaration, since each can go only after its users. Here an item, that is, a
/// declaration outside of functions or a statement of a script, needs all items that define a name
/// that it has. All items that no needed item reaches go in one test. If they cannot, another
/// needed item is found by bisection: in an order in which users come before what they use, the
/// longest beginning goes, and the item behind it is needed. It stays with everything that it
/// reaches.
///
/// At first the entry points and the statements without a name are assumed to be needed, then the
/// last item of the text, then nothing.
///
/// No candidate lacks a definition of a name that it still has, as far as names tell. So prefer it
/// to [`Slices`](super::Slices) where candidates must be valid programs and few declarations are
/// needed. It removes nothing within functions.
///
/// Cost: three tests, and two and the binary logarithm of the number of items for each needed item
/// that no other one reaches; linear time in the text for each test.
///
/// Source: nubbin, after `remove-unused-function` of C-Reduce (Regehr et al., PLDI 2012), which
/// asks a compiler which functions have no use, and removes them one by one or by halves.
///
/// ```
/// use nubbin_reduce::tree_reducer::{Unreachable, trace};
///
/// let program = "<p> ::= <s>*\n<s> ::= <n> '=' <v> ';'\n<v> ::= <n> | '0'\n<n> ::= [a-z]+\n";
/// let text = "a=zero;b=a;c=b;d=a;e=d;";
/// let run = trace(&Unreachable, program, text, |text| text.contains("d=a"));
/// assert_eq!(run.result, "a=zero;d=a;");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Unreachable;

impl TreeReducer for Unreachable {
    fn id(&self) -> &'static str {
        "unreachable"
    }

    fn about(&self) -> &'static str {
        "removes all declarations that nothing needed reaches by name"
    }

    fn source(&self) -> &'static str {
        "nubbin, after the removal of unused functions in C-Reduce (Regehr et al., PLDI 2012)"
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        let items = Items::of(outline, &References::of(outline));
        if items.all.len() < 2 {
            return None;
        }
        Some(SearchMachine::work(Shaking::new(outline, items)))
    }
}

/// What is known about the items of a program.
#[derive(Clone)]
struct Shaking {
    outline: Arc<Outline>,
    items: Arc<Items>,
    /// The groups of items that need each other, users first.
    groups: Arc<[Vec<u32>]>,
    assumption: Assumption,
    /// The items that could not go.
    needed: Vec<u32>,
    /// The items that are needed or assumed to be, with all that they need.
    kept: Vec<bool>,
    gone: Vec<bool>,
    gone_nodes: Gone,
    step: Step,
    asked: Vec<u32>,
}

/// The items that are not tried yet, since they are most likely to be needed.
#[derive(Clone, Copy)]
enum Assumption {
    /// The entry points, and the statements without a name.
    Roots,
    /// The last item of the text: the call that fails, the query, the rest of a script.
    Last,
    Nothing,
}

#[derive(Clone, Copy)]
enum Step {
    /// All items are proposed that are not kept.
    Rest,
    /// The groups before the first bound are decided. It is known that not all groups before the
    /// second bound can go.
    Bisect(usize, usize),
}

impl Shaking {
    fn new(outline: &Arc<Outline>, items: Items) -> Self {
        let count = items.all.len();
        let mut shaking = Shaking {
            outline: Arc::clone(outline),
            groups: items.groups().into(),
            items: Arc::new(items),
            assumption: Assumption::Roots,
            needed: vec![],
            kept: vec![false; count],
            gone: vec![false; count],
            gone_nodes: Gone::default(),
            step: Step::Rest,
            asked: vec![],
        };
        shaking.assume(Assumption::Roots);
        shaking
    }

    fn assume(&mut self, assumption: Assumption) {
        self.assumption = assumption;
        self.kept.fill(false);
        self.items
            .reach(self.needed.iter().copied(), &mut self.kept);
        let left = (0..)
            .zip(&self.items.all)
            .filter(|(at, _)| !self.gone[*at as usize]);
        let outer = left.filter(|(_, item)| item.around.is_none());
        let assumed: Vec<u32> = match assumption {
            Assumption::Roots => outer
                .filter(|(_, item)| item.is_root)
                .map(|(at, _)| at)
                .collect(),
            Assumption::Last => outer.map(|(at, _)| at).last().into_iter().collect(),
            Assumption::Nothing => vec![],
        };
        self.items.reach(assumed, &mut self.kept);
    }

    /// Returns the items of some groups that are not decided.
    fn undecided(&self, groups: Range<usize>) -> Vec<u32> {
        let all = self.groups[groups].iter().flatten().copied();
        all.filter(|&at| !self.kept[at as usize] && !self.gone[at as usize])
            .collect()
    }

    fn weight(&self, items: &[u32]) -> u64 {
        let weight = |&at: &u32| u64::from(self.items.all[at as usize].weight);
        items.iter().map(weight).sum()
    }

    /// Returns the bound between two that divides the weight of what is undecided between them.
    fn middle(&self, from: usize, to: usize) -> usize {
        let total = self.weight(&self.undecided(from..to));
        let mut before = 0;
        for at in from..to - 1 {
            before += self.weight(&self.undecided(at..at + 1));
            if before * 2 >= total {
                return at + 1;
            }
        }
        to - 1
    }

    /// Returns the items to remove next; none at the end.
    fn choose(&mut self) -> Vec<u32> {
        loop {
            match self.step {
                Step::Rest => {
                    let left = self.undecided(0..self.groups.len());
                    if !left.is_empty() {
                        return left;
                    }
                    match self.assumption {
                        Assumption::Roots => self.assume(Assumption::Last),
                        Assumption::Last => self.assume(Assumption::Nothing),
                        Assumption::Nothing => return vec![],
                    }
                }
                Step::Bisect(from, to) => {
                    // Only the group before the second bound is left, so it is needed.
                    if self.undecided(from..to - 1).is_empty() {
                        let needed = self.undecided(to - 1..to);
                        self.items.reach(needed.iter().copied(), &mut self.kept);
                        self.needed.extend(needed);
                        self.step = Step::Rest;
                        continue;
                    }
                    return self.undecided(from..self.middle(from, to));
                }
            }
        }
    }

    /// Makes an edit that removes items.
    fn edit(&self, items: &[u32]) -> Edit {
        let mut is_in = vec![false; self.items.all.len()];
        for &at in items {
            is_in[at as usize] = true;
        }
        let is_outer = |at: &&u32| {
            let around = self.items.all[**at as usize].around;
            around.is_none_or(|around| !is_in[around as usize])
        };
        let nodes = items.iter().filter(is_outer);
        let mut nodes: Vec<NodeId> = nodes.map(|&at| self.items.all[at as usize].node).collect();
        nodes.sort_unstable();
        self.outline.prune(nodes, &self.gone_nodes)
    }
}

impl Search for Shaking {
    fn propose(&mut self) -> Option<Edit> {
        self.asked = self.choose();
        (!self.asked.is_empty()).then(|| self.edit(&self.asked))
    }

    fn settle(&mut self, adopted: bool) {
        let asked = std::mem::take(&mut self.asked);
        if adopted {
            for at in asked {
                self.gone[at as usize] = true;
                self.gone_nodes.insert(self.items.all[at as usize].node);
            }
        }
        self.step = match self.step {
            Step::Rest if adopted => Step::Rest,
            Step::Rest => Step::Bisect(0, self.groups.len()),
            // What has gone is not undecided any more.
            Step::Bisect(from, to) if adopted => Step::Bisect(from, to),
            Step::Bisect(from, to) => Step::Bisect(from, self.middle(from, to)),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::super::laws::cases::stays_in_the_grammar;
    use super::super::trace;
    use super::*;

    #[test]
    fn every_candidate_fits_the_grammar() {
        stays_in_the_grammar(&Unreachable);
    }

    const PROGRAM: &str =
        "<p> ::= <s>*\n<s> ::= 'use ' <n> ';' | 'def ' <n> '{' <s>* '}'\n<n> ::= [a-z]+\n";

    #[test]
    fn all_that_one_definition_does_not_need_goes_in_one_test_after_it_is_found() {
        let mut text = String::from("def a{}");
        for (before, name) in (b'a'..b'y').zip(b'b'..=b'z') {
            text += &format!("def {}{{use {};}}", name as char, before as char);
        }
        // Every other definition is needed by the one behind it.
        let fails = |text: &str| text.contains("def d{use c;}");
        let run = trace(&Unreachable, PROGRAM, &text, fails);
        assert_eq!(run.result, "def a{}def b{use a;}def c{use b;}def d{use c;}");
        assert!(run.tests.len() <= 8, "{:#?}", run.texts());
    }
}
