//! Tests of the contract that every algorithm of the catalogue keeps.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Every algorithm, also with options that change its tests.
const CHOICES: &[&str] = &[
    "sweep",
    "sweep:forward",
    "sweep:one-way",
    "sweep:prior=0.4",
    "sweep:start=1",
    "adaptive",
    "dfs-halving",
    "chunk-halving",
    "chunk-halving:backward",
    "chunk-halving:repeat=always",
    "chunk-halving:repeat=never,backward",
    "ddmin",
    "ddmin:backward",
    "ddmin:skip-subsets,continue",
    "ddmin:skip-subsets,continue,backward,split=3",
    "ddmin:complements-first,balanced,split=4",
    "ddmin:complements-first,random",
    "ddmin:random,continue",
    "ddmin:skip-complements",
    "ddmin-star",
    "ddmin-star:skip-subsets,balanced",
    "ddmin-book",
    "ddmin-halving",
    "ddrmin",
    "probdd",
    "probdd:backward,p0=0.3",
    "cdd",
    "cdd:backward,p0=0.02",
    "weighted-ddmin",
    "weighted-probdd",
    "weighted-probdd:backward,p0=0.3",
];

/// Algorithms that may test the empty list.
const MAY_EMPTY: &[&str] = &["ddmin-halving", "probdd", "cdd", "weighted-probdd"];

/// Whether the result of a choice is 1-minimal.
fn promises_minimality(text: &str, choice: &MinimizerChoice) -> bool {
    choice.algorithm().one_minimal && !text.contains("never") && !text.contains("skip-complements")
}

/// A condition for the failure of a list.
#[derive(Clone, Debug)]
enum Fails {
    /// The list has all these elements, so the condition is monotone.
    With(BTreeSet<u32>),
    /// The list has all these elements, and with each element those that it needs.
    Closed(BTreeSet<u32>, Vec<Vec<u32>>),
    /// The condition is arbitrary: with this seed, one in so many hashes of the list fails. The
    /// whole list always fails.
    Hashed(u64, u64),
}

impl Fails {
    fn holds(&self, len: u32, kept: &[u32]) -> bool {
        let has = |e: &u32| *e >= len || kept.binary_search(e).is_ok();
        match self {
            Fails::With(needed) => needed.iter().all(has),
            Fails::Closed(needed, needs) => {
                needed.iter().all(has)
                    && kept
                        .iter()
                        .all(|&e| needs.get(e as usize).is_none_or(|n| n.iter().all(has)))
            }
            Fails::Hashed(seed, one_in) => {
                let hash = kept
                    .iter()
                    .fold(*seed, |hash, &e| crate::random::mix(hash ^ u64::from(e)));
                kept.len() == len as usize || hash.is_multiple_of(*one_in)
            }
        }
    }
}

fn fails() -> impl Strategy<Value = Fails> {
    let needed = || prop::collection::btree_set(0u32..60, 0..12);
    prop_oneof![
        needed().prop_map(Fails::With),
        (
            needed(),
            prop::collection::vec(prop::collection::vec(0u32..60, 0..2), 60)
        )
            .prop_map(|(needed, needs)| Fails::Closed(needed, needs)),
        (any::<u64>(), 2u64..9).prop_map(|(seed, one_in)| Fails::Hashed(seed, one_in)),
    ]
}

fn shapes() -> impl Strategy<Value = ListShape> {
    (
        prop::collection::vec(0u32..40, 0..60),
        any::<bool>(),
        any::<u64>(),
    )
        .prop_map(|(weights, weighted, seed)| ListShape {
            len: weights.len() as u32,
            weights: weighted.then(|| weights.into()),
            seed,
        })
}

/// Runs an algorithm, and checks each removal and the result against the contract.
fn check(text: &str, shape: &ListShape, fails: &Fails) -> Result<(), TestCaseError> {
    let n = shape.len;
    let choice = parse(text).unwrap();
    let mut machine = choice.start(shape);
    let mut same = choice.start(shape);
    let mut left = Configuration::new(n);
    let mut tests = 0u32;
    let mut forked: Option<(u32, Box<dyn ListMinimizer>)> = None;
    while let Some(probe) = machine.next() {
        prop_assert_eq!(
            machine.next(),
            Some(probe.clone()),
            "{}: next is idempotent",
            text
        );
        prop_assert_eq!(same.next(), Some(probe.clone()), "{}: deterministic", text);
        let ranges = &probe.remove;
        prop_assert!(
            ranges.iter().all(|r| r.start < r.end && r.end <= n),
            "{}: {:?}",
            text,
            ranges
        );
        prop_assert!(
            ranges.windows(2).all(|w| w[0].end <= w[1].start),
            "{}: {:?}",
            text,
            ranges
        );
        let mut smaller = left.clone();
        smaller.adopt(&probe);
        prop_assert!(smaller.len() < left.len(), "{}: removes something", text);
        let may_empty = MAY_EMPTY.contains(&choice.algorithm().id);
        prop_assert!(may_empty || !smaller.is_empty(), "{}: the empty list", text);
        let kept: Vec<u32> = smaller.iter().collect();
        let outcome = fails.holds(n, &kept);
        if tests.is_multiple_of(3) {
            // A hypothetical outcome of a fork must not change the original.
            let mut other = machine.fork();
            other.record(!outcome);
            other.next();
        }
        if tests.is_multiple_of(5) {
            forked = Some((tests, machine.fork()));
        }
        if let Some((since, fork)) = &mut forked {
            let asked = fork.next();
            prop_assert_eq!(asked, Some(probe.clone()), "{}: forked at {}", text, since);
            fork.record(outcome);
        }
        if outcome {
            left = smaller;
        }
        machine.record(outcome);
        same.record(outcome);
        tests += 1;
        prop_assert!(tests <= 4 * n * n + 100, "{}: does not end", text);
    }
    prop_assert_eq!(machine.next(), None, "{}: None stays", text);
    machine.record(true);
    prop_assert_eq!(machine.next(), None, "{}: None stays", text);
    let kept: Vec<u32> = left.iter().collect();
    prop_assert!(fails.holds(n, &kept), "{}: the result fails", text);
    if promises_minimality(text, &choice) && kept.len() > 1 {
        for position in 0..left.len() {
            let mut smaller = left.clone();
            smaller.remove(position..position + 1);
            let smaller: Vec<u32> = smaller.iter().collect();
            prop_assert!(
                !fails.holds(n, &smaller),
                "{}: {:?} at {}",
                text,
                kept,
                position
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn every_algorithm_keeps_the_contract(shape in shapes(), fails in fails()) {
        for text in CHOICES {
            check(text, &shape, &fails)?;
        }
    }
}

#[test]
fn the_cases_cover_the_catalogue() {
    for algorithm in catalogue() {
        assert!(CHOICES.contains(&algorithm.id), "{}", algorithm.id);
    }
}

#[test]
fn lists_of_up_to_three_elements_keep_the_contract() {
    for text in CHOICES {
        for n in 0..4 {
            for needed in [&[][..], &[0], &[1], &[0, 2]] {
                let fails = Fails::With(needed.iter().copied().collect());
                check(text, &ListShape::uniform(n), &fails).unwrap();
            }
        }
    }
}

/// With monotone tests, all algorithms but ddmin without complements find the only minimum.
#[test]
fn only_the_needed_elements_are_left() {
    let needed = [0, 1, 13, 14, 15, 77, 99];
    for text in CHOICES
        .iter()
        .filter(|text| !text.contains("skip-complements"))
    {
        let mut machine = parse(text).unwrap().start(&ListShape::uniform(100));
        let left = drive(machine.as_mut(), 100, |kept| {
            needed.iter().all(|e| kept.contains(e))
        });
        assert_eq!(left, needed, "{text}");
    }
}

#[test]
fn the_tests_of_a_long_list_are_not_quadratic() {
    let n = 100_000;
    // All elements but the multiples of 1000 can be removed.
    for text in [
        "sweep",
        "adaptive",
        "dfs-halving",
        "probdd",
        "cdd",
        "weighted-probdd",
    ] {
        let mut machine = parse(text).unwrap().start(&ListShape::uniform(n));
        let mut left = Configuration::new(n);
        let mut tests = 0;
        while let Some(probe) = machine.next() {
            let fails = probe
                .remove
                .iter()
                .all(|r| r.start.div_ceil(1000) == r.end.div_ceil(1000));
            if fails {
                left.adopt(&probe);
            }
            machine.record(fails);
            tests += 1;
        }
        assert!(tests < 5 * n, "{text}: {tests}");
        assert!(left.len() >= 100, "{text}");
    }
}
