//! A search for the lightest sets that together contain all elements.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

/// The number of rounds in which single sets are exchanged for lighter ones.
const ROUNDS: usize = 8;

/// A set of elements, with its weight.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WeightedSet {
    /// The weight of the set, such as the size of a file.
    pub weight: u64,
    /// The elements of the set, in any order.
    pub elements: Vec<u64>,
}

/// Chooses light sets that together contain every element of all sets, and returns their indices in
/// ascending order. Of two choices with the same weight, the choice with fewer sets is better.
///
/// Finding the lightest choice is NP-hard. The result is never worse than the choice of the usual
/// tools, since it is the best of their choices: repeatedly the set with the largest number of new
/// elements for its weight (Chvátal, *A greedy heuristic for the set-covering problem*, 1979), once
/// among all sets, and once after the sets that every choice needs; the lightest set of each
/// element, the rarest element first, as afl-cmin; and each set with a new element in the order of
/// weights, as libFuzzer merges. Sets that other sets make superfluous are removed from each
/// choice, heaviest first. At the end, single sets are exchanged for lighter sets.
///
/// Costs no tests. Time grows with the number of elements in all sets, times its logarithm.
///
/// ```
/// use nubbin_minimize::{WeightedSet, cover};
///
/// let set = |weight, elements: &[u64]| WeightedSet { weight, elements: elements.to_vec() };
/// let sets = [set(5, &[1, 2]), set(5, &[3, 4]), set(3, &[1, 2, 3, 4]), set(1, &[4])];
/// assert_eq!(cover(&sets), [2]);
/// ```
pub fn cover(sets: &[WeightedSet]) -> Vec<usize> {
    let all = Problem::of(sets);
    let needed = all.needed();
    // Without the elements of the needed sets, another set may have the largest number of new
    // elements.
    let mut of_all = all.greedy();
    of_all.retain(|set| !needed.contains(set));
    let problem = all.without_elements_of(&needed);
    let choices = [
        problem.greedy(),
        of_all,
        problem.by_element(),
        problem.by_weight(),
    ];
    let choices = choices.into_iter().map(|choice| problem.pruned(choice));
    let best = choices.min_by_key(|choice| problem.cost(choice));
    let mut best = problem.exchanged(best.unwrap_or_default());
    best.extend(needed);
    best.sort_unstable();
    best
}

/// The sets, with their elements as small numbers.
struct Problem {
    weights: Vec<u64>,
    sets: Vec<Vec<usize>>,
    /// For each element, the sets that contain it.
    owners: Vec<Vec<usize>>,
}

impl Problem {
    fn of(sets: &[WeightedSet]) -> Self {
        let mut numbers: HashMap<u64, usize> = HashMap::new();
        let numbered = sets.iter().map(|set| {
            let mut elements: Vec<usize> = Vec::with_capacity(set.elements.len());
            for element in &set.elements {
                let next = numbers.len();
                elements.push(*numbers.entry(*element).or_insert(next));
            }
            elements.sort_unstable();
            elements.dedup();
            elements
        });
        let numbered = numbered.collect();
        let weights = sets.iter().map(|set| set.weight).collect();
        Problem::with(weights, numbered, numbers.len())
    }

    fn with(weights: Vec<u64>, sets: Vec<Vec<usize>>, elements: usize) -> Self {
        let mut owners = vec![Vec::new(); elements];
        for (at, set) in sets.iter().enumerate() {
            for &element in set {
                owners[element].push(at);
            }
        }
        Problem {
            weights,
            sets,
            owners,
        }
    }

    /// Returns the sets with an element that no other set has. Every choice has these sets.
    fn needed(&self) -> BTreeSet<usize> {
        let only = self.owners.iter().filter(|owners| owners.len() == 1);
        only.flatten().copied().collect()
    }

    /// Returns the problem without the elements of the given sets. For the inputs of a fuzzer, it
    /// is far smaller.
    fn without_elements_of(self, needed: &BTreeSet<usize>) -> Self {
        let mut numbers = vec![Some(0); self.owners.len()];
        for &element in needed.iter().flat_map(|&set| &self.sets[set]) {
            numbers[element] = None;
        }
        let mut count = 0;
        for number in numbers.iter_mut().flatten() {
            *number = count;
            count += 1;
        }
        let rest = |set: Vec<usize>| set.into_iter().filter_map(|element| numbers[element]);
        let sets = self.sets.into_iter().map(|set| rest(set).collect());
        Problem::with(self.weights, sets.collect(), count)
    }

    fn cost(&self, choice: &[usize]) -> (u64, usize) {
        let weight = choice.iter().map(|&set| self.weights[set]).sum();
        (weight, choice.len())
    }

    fn greedy(&self) -> Vec<usize> {
        let mut is_missing = vec![true; self.owners.len()];
        let all: Vec<usize> = (0..self.sets.len()).collect();
        self.greedy_among(&all, &mut is_missing, u64::MAX)
    }

    /// Covers the missing elements by some of the sets, until the weight is at the given limit.
    fn greedy_among(&self, among: &[usize], is_missing: &mut [bool], limit: u64) -> Vec<usize> {
        let new = |set: usize, is_missing: &[bool]| {
            let elements = self.sets[set].iter();
            elements.filter(|&&element| is_missing[element]).count() as u64
        };
        // The number of new elements only decreases, so a set whose number is up to date is the
        // best one.
        let mut heap: std::collections::BinaryHeap<Candidate> = among
            .iter()
            .map(|&set| Candidate::new(new(set, is_missing), self.weights[set], set))
            .collect();
        let (mut choice, mut weight) = (Vec::new(), 0_u64);
        while let Some(best) = heap.pop() {
            let now = new(best.set, is_missing);
            if now == 0 {
                continue;
            }
            if now < best.new {
                heap.push(Candidate { new: now, ..best });
                continue;
            }
            weight = weight.saturating_add(best.weight);
            if weight >= limit {
                break;
            }
            for &element in &self.sets[best.set] {
                is_missing[element] = false;
            }
            choice.push(best.set);
        }
        choice
    }

    fn by_element(&self) -> Vec<usize> {
        let mut elements: Vec<usize> = (0..self.owners.len()).collect();
        elements.sort_by_key(|&element| self.owners[element].len());
        let mut is_missing = vec![true; self.owners.len()];
        let mut choice = Vec::new();
        for element in elements {
            let lightest = self.owners[element]
                .iter()
                .min_by_key(|&&set| self.weights[set]);
            if let Some(&set) = lightest.filter(|_| is_missing[element]) {
                for &element in &self.sets[set] {
                    is_missing[element] = false;
                }
                choice.push(set);
            }
        }
        choice
    }

    fn by_weight(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.sets.len()).collect();
        order.sort_by_key(|&set| (self.weights[set], Reverse(self.sets[set].len())));
        let mut is_missing = vec![true; self.owners.len()];
        order.retain(|&set| {
            let mut is_new = false;
            for &element in &self.sets[set] {
                is_new |= std::mem::take(&mut is_missing[element]);
            }
            is_new
        });
        order
    }

    /// Returns how often each element is in the chosen sets.
    fn counts(&self, choice: &[usize]) -> Vec<u32> {
        let mut counts = vec![0; self.owners.len()];
        for &element in choice.iter().flat_map(|&set| &self.sets[set]) {
            counts[element] += 1;
        }
        counts
    }

    /// Removes the sets that the others make superfluous, heaviest first.
    fn pruned(&self, choice: Vec<usize>) -> Vec<usize> {
        let mut counts = self.counts(&choice);
        let mut choice = choice;
        choice.sort_by_key(|&set| Reverse(self.weights[set]));
        choice.retain(|&set| {
            let is_needed = self.sets[set].iter().any(|&element| counts[element] == 1);
            if !is_needed {
                for &element in &self.sets[set] {
                    counts[element] -= 1;
                }
            }
            is_needed
        });
        choice
    }

    /// Exchanges single sets for others that are lighter together.
    fn exchanged(&self, choice: Vec<usize>) -> Vec<usize> {
        let mut choice = choice;
        let mut is_missing = vec![false; self.owners.len()];
        for _ in 0..ROUNDS {
            let before = self.cost(&choice);
            let mut counts = self.counts(&choice);
            for set in choice.clone() {
                let Some(instead) = self.instead_of(set, &counts, &mut is_missing) else {
                    continue;
                };
                for &element in &self.sets[set] {
                    counts[element] -= 1;
                }
                for &element in instead.iter().flat_map(|&set| &self.sets[set]) {
                    counts[element] += 1;
                }
                choice.retain(|&it| it != set);
                choice.extend(instead);
            }
            choice = self.pruned(choice);
            if self.cost(&choice) >= before {
                break;
            }
        }
        choice
    }

    /// Returns lighter sets with the elements that a choice has only from the given set. `counts`
    /// has the number of sets in the choice with each element. No element is missing before or
    /// after the call.
    fn instead_of(
        &self,
        set: usize,
        counts: &[u32],
        is_missing: &mut [bool],
    ) -> Option<Vec<usize>> {
        let own = || {
            self.sets[set]
                .iter()
                .filter(|&&element| counts[element] == 1)
        };
        let mut among = Vec::new();
        for &element in own() {
            is_missing[element] = true;
            let owners = self.owners[element].iter();
            among.extend(owners.filter(|&&other| self.weights[other] < self.weights[set]));
        }
        among.sort_unstable();
        among.dedup();
        let instead = self.greedy_among(&among, is_missing, self.weights[set]);
        let mut is_complete = true;
        for &element in own() {
            is_complete &= !std::mem::take(&mut is_missing[element]);
        }
        is_complete.then_some(instead)
    }
}

/// A set that may be chosen next. The one with the most new elements for its weight is the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Candidate {
    new: u64,
    weight: u64,
    set: usize,
}

impl Candidate {
    fn new(new: u64, weight: u64, set: usize) -> Self {
        Candidate { new, weight, set }
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let this = u128::from(self.new) * u128::from(other.weight.max(1));
        let that = u128::from(other.new) * u128::from(self.weight.max(1));
        this.cmp(&that)
            .then(self.new.cmp(&other.new))
            .then(other.set.cmp(&self.set))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    fn union(sets: &[WeightedSet], choice: impl Iterator<Item = usize>) -> Vec<u64> {
        let mut all: Vec<u64> = choice.flat_map(|at| sets[at].elements.clone()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn every_choice_covers_all_and_is_no_heavier_than_the_usual_ones() {
        let mut numbers = SplitMix64::new(7);
        for _ in 0..200 {
            let count = 1 + numbers.below(12);
            let sets: Vec<WeightedSet> = (0..count)
                .map(|_| WeightedSet {
                    weight: numbers.below(50),
                    elements: (0..numbers.below(8)).map(|_| numbers.below(20)).collect(),
                })
                .collect();
            let choice = cover(&sets);
            assert_eq!(
                union(&sets, choice.iter().copied()),
                union(&sets, 0..sets.len())
            );
            let problem = Problem::of(&sets);
            for other in [problem.greedy(), problem.by_element(), problem.by_weight()] {
                let other = problem.pruned(other);
                assert!(problem.cost(&choice) <= problem.cost(&other));
            }
        }
    }

    #[test]
    fn the_greedy_choice_among_all_sets_may_be_the_best() {
        let set = |weight, elements: &[u64]| WeightedSet {
            weight,
            elements: elements.to_vec(),
        };
        let sets = [
            set(9, &[5, 7]),
            set(2, &[6]),
            set(5, &[0, 5, 6]),
            set(4, &[0]),
        ];
        assert_eq!(cover(&sets), [0, 2]);
    }

    #[test]
    fn a_heavy_set_is_exchanged_for_lighter_ones() {
        let set = |weight, elements: &[u64]| WeightedSet {
            weight,
            elements: elements.to_vec(),
        };
        let sets = [set(9, &[1, 2, 3]), set(2, &[1]), set(2, &[2]), set(2, &[3])];
        assert_eq!(cover(&sets), [1, 2, 3]);
        assert_eq!(cover(&[set(0, &[])]), Vec::<usize>::new());
        assert_eq!(cover(&[]), Vec::<usize>::new());
    }
}
