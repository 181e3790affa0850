//! Laws of list minimizers: the contract that all list minimizers keep.
//!
//! [`Laws::hold`] is for the tests of a crate with list minimizers of its own.

use crate::{Configuration, ListMinimizer, ListShape, Minimizer, MinimizerChoice, drive, parse_in};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;

/// The list minimizers whose contract is tested.
#[derive(Clone, Copy, Debug)]
pub struct Laws<'a> {
    /// The list minimizers.
    pub catalogue: &'a [Minimizer],
    /// Choices of list minimizers: each minimizer by its name, and with options that change its
    /// tests.
    pub choices: &'a [&'a str],
    /// The names of the list minimizers that may test the empty list.
    pub may_empty: &'a [&'a str],
    /// The choices whose number of tests on a long list is at most proportional to its length.
    pub linear: &'a [&'a str],
}

impl Laws<'_> {
    /// Tests all laws.
    ///
    /// # Panics
    /// A list minimizer breaks one.
    pub fn hold(&self) {
        self.cover_the_catalogue();
        self.keep_the_contract();
        self.keep_the_contract_on_up_to_three_elements();
        self.leave_only_the_needed_elements();
        self.need_no_quadratic_number_of_tests();
    }

    fn read(&self, text: &str) -> MinimizerChoice {
        parse_in(self.catalogue, text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn cover_the_catalogue(&self) {
        for minimizer in self.catalogue {
            let id = minimizer.info.id;
            assert!(self.choices.contains(&id), "{id}");
            assert_eq!(self.read(id).to_string(), id);
            assert!(!minimizer.info.about.ends_with('.'));
            for (option, _) in minimizer.info.options {
                let option = match option.split_once('=') {
                    None => (*option).to_owned(),
                    Some((name, "ORDER")) => format!("{name}=random"),
                    Some((name, "WHICH")) => format!("{name}=always"),
                    Some((name, "N")) => format!("{name}=7"),
                    Some((name, _)) => format!("{name}=0.5"),
                };
                let choice = self.read(&format!("{id}:{option}"));
                assert_eq!(self.read(&choice.to_string()), choice);
            }
        }
    }

    fn keep_the_contract(&self) {
        let mut runner = TestRunner::new(ProptestConfig::with_cases(400));
        let cases = (shapes(), fails());
        let result = runner.run(&cases, |(shape, fails)| {
            for text in self.choices {
                self.check(text, &shape, &fails)?;
            }
            Ok(())
        });
        if let Err(error) = result {
            panic!("{error}");
        }
    }

    fn keep_the_contract_on_up_to_three_elements(&self) {
        for text in self.choices {
            for n in 0..4 {
                for needed in [&[][..], &[0], &[1], &[0, 2]] {
                    let fails = Fails::With(needed.iter().copied().collect());
                    if let Err(error) = self.check(text, &ListShape::uniform(n), &fails) {
                        panic!("{error}");
                    }
                }
            }
        }
    }

    /// With monotone tests, all algorithms but ddmin without complements find the only minimum.
    fn leave_only_the_needed_elements(&self) {
        let needed = [0, 1, 13, 14, 15, 77, 99];
        let choices = self.choices.iter();
        for text in choices.filter(|text| !text.contains("skip-complements")) {
            let mut machine = self.read(text).start(&ListShape::uniform(100));
            let left = drive(machine.as_mut(), 100, |kept| {
                needed.iter().all(|e| kept.contains(e))
            });
            assert_eq!(left, needed, "{text}");
        }
    }

    fn need_no_quadratic_number_of_tests(&self) {
        let n = 100_000;
        // All elements but the multiples of 1000 can be removed.
        for text in self.linear {
            let mut machine = self.read(text).start(&ListShape::uniform(n));
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

    /// Runs an algorithm, and checks each removal and the result against the contract.
    fn check(&self, text: &str, shape: &ListShape, fails: &Fails) -> Result<(), TestCaseError> {
        let n = shape.len;
        let choice = self.read(text);
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
            let may_empty = self.may_empty.contains(&choice.info().id);
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
        prop_assert_eq!(machine.next(), None, "{}: ended again", text);
        machine.record(true);
        prop_assert_eq!(machine.next(), None, "{}: ended again", text);
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
}

/// Returns whether the result of a choice is 1-minimal.
fn promises_minimality(text: &str, choice: &MinimizerChoice) -> bool {
    choice.info().one_minimal && !text.contains("never") && !text.contains("skip-complements")
}

/// A condition for the failure of a list.
#[derive(Clone, Debug)]
enum Fails {
    /// The list contains all these elements, so the condition is monotone.
    With(BTreeSet<u32>),
    /// The list contains all these elements, and for each element the elements that it needs.
    Closed(BTreeSet<u32>, Vec<Vec<u32>>),
    /// The condition is arbitrary: with this seed, one in so many hashes of a list fails. The whole
    /// list always fails.
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
