use super::TreeReducer;
use super::program::references::References;
use super::program::slicer::{Slice, Slicer, outermost, print, ranges};
use super::search::{Search, SearchMachine, leaves_enough};
use crate::tree::{Gone, NodeId, Outline, ROOT};
use nubbin_edit::Edit;
use nubbin_engine::work::{Lists, PassInfo, Work};
use nubbin_grammar::tree::NodeKind;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Removes statements with all their users, and with the definitions that are then unused: forward
/// slices of the program, many at once.
///
/// A declaration cannot be removed while it is used. A list minimizer on a program that must stay
/// valid therefore takes it apart from the outside in, and most of its tests pass. In this tree
/// reducer, each statement stands for a *slice*: the statement, the users of its definitions, the
/// users of their definitions, and so on, and then the definitions whose last use is in the slice.
/// Uses are guessed from the names and the fields of the grammar.
///
/// The choice of slices for one test follows probabilistic delta debugging: each statement has a
/// probability of being needed, a test removes the union of slices with the highest expected gain,
/// and a union that passes the test makes all its statements more likely to be needed. Large
/// definitions without uses are removed first. A slice that is removed in one test is often nearly
/// all of a program: the call of the function that uses all other code.
///
/// A body that has a [stand-in](crate::tree::Outline::stand_in) is a statement as well: it is not
/// removed but stubbed, and the definitions that only it used are removed with it. Where a list
/// must not be empty, the part around it is removed too, unless that costs more than the expected
/// gain.
///
/// It does not try each statement to the end: when no union is worth a test, this tree reducer
/// ends, and others continue. Prefer it to [`Subtrees`](super::Subtrees) at the beginning of a run
/// where candidates must be valid programs. Where they need not be, deleting bytes between brackets
/// saves as much.
///
/// Cost: some tens of tests; the guesses cost time linear in the text for each success.
///
/// Source: nubbin. Slices: M. Weiser: Program Slicing, ICSE 1981, there computed, here guessed and
/// tested; the choice of a union: G. Wang, R. Shen, J. Chen, Y. Xiong, L. Zhang: Probabilistic
/// Delta Debugging, ESEC/FSE 2021, there of single elements.
///
/// ```
/// use nubbin_reduce::tree_reducer::{Slices, trace};
///
/// let program = "<p> ::= <s>*\n<s> ::= <n> '=' <v> ';'\n<v> ::= <n> | '0'\n<n> ::= [a-z]+\n";
/// // A used name must have been defined before.
/// let valid = |text: &str| {
///     let lines: Vec<(&str, &str)> =
///         text.split_terminator(';').filter_map(|line| line.split_once('=')).collect();
///     let has = |at: usize, name: &str| lines[..at].iter().any(|(defined, _)| *defined == name);
///     lines.iter().enumerate().all(|(at, (_, used))| *used == "0" || has(at, used))
/// };
/// let text = "a=0;b=a;c=b;d=a;x=0;y=x;";
/// let run = trace(&Slices, program, text, |text| valid(text) && text.contains("y=x"));
/// assert_eq!(run.result, "x=0;y=x;");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Slices;

/// The limit on the steps for computing slices. The heaviest statements come first.
const MOST_STEPS: usize = 5_000_000;

/// The least expected gain for which a union is tested, as a share of the text.
const LEAST_GAIN: f64 = 1e-6;

/// The number of proposals in a row that were not adopted, after which the search ends.
const MOST_IN_VAIN: u32 = 16;

/// The number of statements that are initially expected to be needed.
const NEEDED: f64 = 5.0;

/// The factor by which the statements that have to be removed as well may lower the expected gain.
const COMPLETION_FACTOR: f64 = 4.0;

/// The probability that the definition where a program begins is needed.
const ENTRY: f64 = 0.5;

/// The factor for the probability of a definition without uses.
const UNUSED: f64 = 0.1;

/// The highest probability. A probability of 1 would have an infinite cost.
const MOST_NEEDED: f64 = 1.0 - 1e-9;

/// The factor for every probability after a success.
const NEEDED_AFTER_SUCCESS: f64 = 0.8;

/// The number of proposals in a row that were not adopted, from which each further one raises the
/// cost of every removal.
const EXPECTED_IN_VAIN: u32 = 8;

/// The factor by which the cost of every removal rises.
const COST_FACTOR: f64 = 1.3;

impl TreeReducer for Slices {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "slices",
            "removes statements with their users and the definitions that are then unused",
            "nubbin, after program slicing (Weiser, ICSE 1981) and ProbDD (Wang et al., ESEC/FSE 2021)",
        )
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        let references = outline.fact(References::of);
        if references.statements.len() < 2 {
            return None;
        }
        Some(SearchMachine::work(Slicing::new(
            Arc::clone(outline),
            references,
        )))
    }
}

/// The present state of a program, and the slices that can be removed from it.
#[derive(Clone)]
struct Slicing {
    outline: Arc<Outline>,
    references: Arc<References>,
    /// The removed statements, with all statements within them.
    gone: Arc<Vec<bool>>,
    gone_nodes: Gone,
    /// The probability that each statement is needed.
    needed: Arc<Vec<f64>>,
    slices: Arc<Vec<Slice>>,
    /// Sets of statements whose removal was rejected, by fingerprint.
    rejected: Arc<FxHashSet<u128>>,
    asked: Option<Asked>,
    /// The number of rejected proposals in a row.
    in_vain: u32,
    is_over: bool,
}

#[derive(Clone)]
struct Asked {
    slice: Arc<[Range<u32>]>,
    nodes: Arc<[NodeId]>,
    edit: Edit,
}

impl Slicing {
    pub(super) fn new(outline: Arc<Outline>, references: Arc<References>) -> Self {
        let count = references.statements.len();
        let each = (NEEDED / count as f64).clamp(0.0005, 0.1);
        let is_unused = |entity: &u32| references.entities[*entity as usize].users.is_empty();
        let is_entry = |entity: &u32| references.entities[*entity as usize].is_entry;
        let needed = references.statements.iter().map(|statement| {
            let defines = &statement.defines;
            if defines.iter().any(is_entry) {
                ENTRY
            } else if !defines.is_empty() && defines.iter().all(is_unused) {
                each * UNUSED
            } else {
                each
            }
        });
        let mut search = Slicing {
            needed: Arc::new(needed.collect()),
            outline,
            gone: Arc::new(vec![false; count]),
            gone_nodes: Gone::default(),
            references,
            slices: Arc::default(),
            rejected: Arc::default(),
            asked: None,
            in_vain: 0,
            is_over: false,
        };
        search.slice_all();
        search
    }

    /// Finds the slice of each remaining statement, and of each entity that is defined several
    /// times.
    fn slice_all(&mut self) {
        let References {
            statements,
            entities,
            namesakes,
            ..
        } = &*self.references;
        let weights = Sums::of(self.weights());
        let mut seeds: Vec<(u64, Vec<u32>)> = vec![];
        for at in 0..statements.len() as u32 {
            if !self.gone[at as usize] {
                let end = statements[at as usize].end;
                seeds.push((weights.of_range(at..end) as u64, vec![at]));
            }
        }
        let several = entities.iter().map(|entity| &entity.definitions);
        for definitions in several.chain(namesakes) {
            let left = |at: &&u32| !self.gone[**at as usize];
            let definitions: Vec<u32> = definitions.iter().filter(left).copied().collect();
            if definitions.len() > 1 {
                let of = |&at: &u32| weights.of_range(at..statements[at as usize].end) as u64;
                seeds.push((definitions.iter().map(of).sum(), definitions));
            }
        }
        seeds.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
        let mut slicer = Slicer::new(&self.references, &self.gone);
        let mut slices = Vec::with_capacity(seeds.len());
        let mut known: FxHashSet<u128> = FxHashSet::default();
        for (_, seed) in seeds {
            if slicer.steps > MOST_STEPS {
                break;
            }
            let slice = slicer.slice(&seed);
            if known.insert(print(&slice)) {
                slices.push(slice);
            }
        }
        self.slices = Arc::new(slices);
    }

    /// Returns the number of bytes of each remaining statement, without the bytes of statements
    /// within it.
    fn weights(&self) -> impl Iterator<Item = f64> + '_ {
        let statements = self.references.statements.iter();
        statements
            .zip(&*self.gone)
            .map(|(statement, gone)| match gone {
                true => 0.0,
                false => f64::from(statement.weight),
            })
    }

    /// Returns the cost of removing each statement, which rises with its probability of being
    /// needed.
    fn costs(&self) -> impl Iterator<Item = f64> + '_ {
        let needed = self.needed.iter().zip(&*self.gone);
        needed.map(|(needed, gone)| if *gone { 0.0 } else { -(1.0 - needed).ln() })
    }

    /// Returns the union of slices with the highest expected gain, if it is worth a test.
    fn choose(&self) -> Option<Vec<u32>> {
        let (weights, costs): (Vec<f64>, Vec<f64>) =
            (self.weights().collect(), self.costs().collect());
        let (weight_sums, cost_sums) = (
            Sums::of(weights.iter().copied()),
            Sums::of(costs.iter().copied()),
        );
        let total = weight_sums.all();
        let of = |sums: &Sums, slice: &Slice| -> f64 {
            slice.iter().map(|range| sums.of_range(range.clone())).sum()
        };
        let mut ranked: Vec<(f64, usize)> = self
            .slices
            .iter()
            .enumerate()
            .filter_map(|(at, slice)| {
                let (weight, cost) = (of(&weight_sums, slice), of(&cost_sums, slice));
                (weight > 0.0).then(|| (cost / weight, at))
            })
            .collect();
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut is_in = vec![false; weights.len()];
        let mut chosen: Vec<u32> = vec![];
        let (mut weight, mut cost) = (0.0, 0.0);
        let mut in_vain = 0;
        for (_, at) in ranked {
            let new = || self.slices[at].iter().flat_map(Clone::clone);
            let (mut more_weight, mut more_cost) = (0.0, 0.0);
            for statement in new().filter(|&at| !is_in[at as usize]) {
                more_weight += weights[statement as usize];
                more_cost += costs[statement as usize];
            }
            if more_weight <= 0.0 {
                continue;
            }
            if (weight + more_weight) * f64::exp(-cost - more_cost) <= weight * f64::exp(-cost) {
                in_vain += 1;
                if in_vain > 200 {
                    break;
                }
                continue;
            }
            // A slice that was rejected before would only repeat a test.
            if chosen.is_empty() && self.rejected.contains(&print(&self.slices[at])) {
                continue;
            }
            weight += more_weight;
            cost += more_cost;
            for statement in new() {
                if !std::mem::replace(&mut is_in[statement as usize], true) {
                    chosen.push(statement);
                }
            }
        }
        (weight * f64::exp(-cost) > total * LEAST_GAIN).then_some(chosen)
    }

    fn ask(&mut self) -> Option<Asked> {
        // Each round marks its union as rejected, so that the next round chooses another.
        for _ in 0..64 {
            let mut chosen = self.choose()?;
            chosen.sort_unstable();
            let plain = ranges(&chosen);
            let mut slicer = Slicer::new(&self.references, &self.gone);
            // The union may leave further definitions unused, and removing them may not be worth
            // the cost.
            let closed = slicer.slice(&chosen);
            let more = self.expected(&closed) > self.expected(&plain);
            let mut slice = if more { closed } else { plain.clone() };
            let wanted = self.expected(&slice);
            let asked = self.complete(&mut slicer, &mut slice);
            // Statements that must be removed as well may make the slice not worth a test.
            if asked.is_some() && self.expected(&slice) * COMPLETION_FACTOR > wanted {
                return asked;
            }
            self.reject(&plain);
        }
        None
    }

    /// Creates a proposal of a slice, with the statements that have to be removed as well; `None`
    /// if it was tried before.
    fn complete(&self, slicer: &mut Slicer<'_>, slice: &mut Slice) -> Option<Asked> {
        let (nodes, bodies) = loop {
            match self.nodes(slice) {
                Ok(found) => break found,
                Err(around) => {
                    let mut chosen: Vec<u32> = slice.iter().flat_map(Clone::clone).collect();
                    chosen.push(around);
                    *slice = slicer.slice(&chosen);
                }
            }
        };
        if self.rejected.contains(&print(slice)) {
            return None;
        }
        let edit = self.outline.prune(nodes.iter().copied(), &self.gone_nodes);
        let edit = edit.combine(&self.outline.stub(bodies)).ok()?;
        (!edit.is_none()).then(|| Asked {
            slice: slice.to_vec().into(),
            nodes: nodes.into(),
            edit,
        })
    }

    /// Marks the proposed statements as removed.
    fn take(&mut self, asked: &Asked) {
        asked
            .nodes
            .iter()
            .for_each(|&node| self.gone_nodes.insert(node));
        let gone = Arc::make_mut(&mut self.gone);
        for at in asked.slice.iter().flat_map(Clone::clone) {
            gone[at as usize] = true;
        }
    }

    /// Returns the expected gain of removing the given statements, in bytes.
    fn expected(&self, slice: &[Range<u32>]) -> f64 {
        let (mut weight, mut cost) = (0.0, 0.0);
        for at in slice.iter().flat_map(Clone::clone) {
            let at = at as usize;
            if !self.gone[at] {
                weight += f64::from(self.references.statements[at].weight);
                cost -= (1.0 - self.needed[at]).ln();
            }
        }
        weight * f64::exp(-cost)
    }

    /// Returns the nodes to remove for a slice and the bodies to stub; or, as an error, a statement
    /// that has to be removed as well, since a list in it must not be empty.
    fn nodes(&self, slice: &[Range<u32>]) -> Result<(Vec<NodeId>, Vec<NodeId>), u32> {
        let statements = &self.references.statements;
        let (bodies, outer): (Vec<u32>, Vec<u32>) =
            outermost(slice, &self.references).partition(|&at| statements[at as usize].is_body);
        let node = |&at: &u32| statements[at as usize].node;
        let bodies = bodies.iter().map(node).collect();
        let mut nodes: Vec<NodeId> = outer.iter().map(node).collect();
        if leaves_enough(&self.outline, &self.gone_nodes, &nodes) {
            return Ok((nodes, bodies));
        }
        let mut lists: BTreeMap<NodeId, (Vec<NodeId>, Option<u32>)> = BTreeMap::new();
        for (&at, &node) in outer.iter().zip(&nodes) {
            let list = lists.entry(self.outline.node(node).parent).or_default();
            list.0.push(node);
            list.1 = statements[at as usize].parent;
        }
        nodes.clear();
        for (list, (going, around)) in lists {
            if leaves_enough(&self.outline, &self.gone_nodes, &going) {
                nodes.extend(going);
                continue;
            }
            let top = around.map_or(ROOT, |at| statements[at as usize].node);
            match self.optional_around(list, top) {
                Some(part) => nodes.push(part),
                None => match around {
                    Some(around) => return Err(around),
                    // `prune` keeps the smallest text of a required iteration.
                    None => nodes.extend(going),
                },
            }
        }
        nodes.sort_unstable();
        Ok((nodes, bodies))
    }

    /// Returns the part that may be absent around a list, within the statement of the list.
    fn optional_around(&self, list: NodeId, top: NodeId) -> Option<NodeId> {
        let mut at = list;
        while at != top && at != ROOT {
            if self.outline.phrase(at).is_empty() && self.outline.node(at).kind != NodeKind::Repeat
            {
                return Some(at);
            }
            at = self.outline.node(at).parent;
        }
        None
    }

    /// Records that the removal of the given statements was not adopted.
    fn reject(&mut self, slice: &[Range<u32>]) {
        Arc::make_mut(&mut self.rejected).insert(print(slice));
        let needed = Arc::make_mut(&mut self.needed);
        let all = || {
            slice
                .iter()
                .flat_map(Clone::clone)
                .filter(|&at| !self.gone[at as usize])
        };
        let none: f64 = all().map(|at| (1.0 - needed[at as usize]).ln()).sum();
        let some = 1.0 - f64::exp(none);
        for at in all() {
            let probability = &mut needed[at as usize];
            *probability = (*probability / some).min(MOST_NEEDED);
        }
    }
}

impl Search for Slicing {
    fn propose(&mut self) -> Option<Edit> {
        if !self.is_over && self.in_vain < MOST_IN_VAIN {
            self.asked = self.ask();
            self.is_over = self.asked.is_none();
        }
        self.asked.as_ref().map(|asked| asked.edit.clone())
    }

    fn settle(&mut self, adopted: bool) {
        let Some(asked) = self.asked.take() else {
            return;
        };
        self.in_vain = if adopted { 0 } else { self.in_vain + 1 };
        if !adopted {
            self.reject(&asked.slice);
            if self.in_vain >= EXPECTED_IN_VAIN {
                for probability in Arc::make_mut(&mut self.needed) {
                    *probability = (1.0 - (1.0 - *probability).powf(COST_FACTOR)).min(MOST_NEEDED);
                }
            }
            return;
        }
        self.take(&asked);
        for probability in Arc::make_mut(&mut self.needed) {
            if *probability < MOST_NEEDED {
                *probability *= NEEDED_AFTER_SUCCESS;
            }
        }
        self.slice_all();
    }
}

/// Prefix sums, which give sums over ranges in constant time.
struct Sums(Vec<f64>);

impl Sums {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut sum = 0.0;
        let sums = values.map(|value| {
            sum += value;
            sum
        });
        Sums(std::iter::once(0.0).chain(sums).collect())
    }

    fn of_range(&self, range: Range<u32>) -> f64 {
        self.0[range.end as usize] - self.0[range.start as usize]
    }

    fn all(&self) -> f64 {
        self.0.last().copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::stays_in_the_grammar;
    use super::super::trace;
    use super::*;

    #[test]
    fn every_candidate_fits_the_grammar() {
        stays_in_the_grammar(&Slices);
    }

    const PROGRAM: &str =
        "<p> ::= <s>*\n<s> ::= 'use ' <n> ';' | 'def ' <n> '{' <s>* '}'\n<n> ::= [a-z]+\n";

    /// Returns whether every used name is defined before.
    fn valid(text: &str) -> bool {
        let names = |word: &str| -> Vec<(usize, String)> {
            text.match_indices(word)
                .map(|(at, _)| {
                    let name = text[at + word.len()..].chars();
                    (at, name.take_while(char::is_ascii_lowercase).collect())
                })
                .collect()
        };
        let defined = names("def ");
        names("use ").iter().all(|(at, name)| {
            defined
                .iter()
                .any(|(before, other)| before < at && other == name)
        })
    }

    #[test]
    fn a_definition_is_removed_with_its_users_and_definitions_that_only_they_use() {
        let text =
            "def a{}def b{use a;}def c{use b;use a;}def d{use b;}def e{use a;}use c;use d;use e;";
        let fails = |text: &str| valid(text) && text.contains("use e;");
        let run = trace(&Slices, PROGRAM, text, fails);
        assert_eq!(run.result, "def e{}use e;");
        let texts = run.texts();
        assert!(texts.iter().all(|text| valid(text)), "{texts:?}");
    }

    #[test]
    fn large_programs_take_few_tests() {
        // Each definition uses an earlier one. The test needs a chain of four.
        let needed = ["f", "fk", "fkz", "fkza"];
        let mut text = String::from("def f{}");
        for first in "abcdefghijklmnopqrstuvwxyz".chars() {
            for second in "abcdefghijklmnopqrstuvwxyz".chars() {
                let body = "use f;".repeat(usize::from(second == 'b'));
                text += &format!("def g{first}{second}{{{body}}}use g{first}{second};");
            }
        }
        text += "def fk{use f;}def fkz{use fk;}def fkza{use fkz;}use fkza;";
        let fails = |text: &str| {
            valid(text)
                && needed
                    .windows(2)
                    .all(|pair| text.contains(&format!("def {}{{use {};", pair[1], pair[0])))
        };
        let run = trace(&Slices, PROGRAM, &text, fails);
        // A test of the last statement alone is not worth its cost in this program.
        let all = "def f{}def fk{use f;}def fkz{use fk;}def fkza{use fkz;}use fkza;";
        assert_eq!(run.result, all);
        assert!(run.tests.len() < 60, "{}", run.tests.len());
    }
}
