//! Mutation guided by what a target shows: texts that showed something new are kept, reduced first,
//! and mutated further.
//!
//! What is new is said by the [`Feedback`] of a run: an outcome that was never seen, or a part of the
//! target that no text of the population reaches. A text that shows it is made as small as it can be
//! while it still shows the same new thing, and only then joins the population. So all that descends
//! from it is short as well, which makes its tests faster and its failures easy to read.
//!
//! How a text is run is known to a [`Target`], how it is made smaller to a [`Reducer`].
//!
//! * *Source:* A. Zeller, R. Gopinath, M. Böhme, G. Fraser, C. Holler, *The Fuzzing Book*: the
//!   population of `MutationCoverageFuzzer`, and the first exercise of the chapter "Reducing
//!   Failure-Inducing Inputs", which asks for the reduction.
//! * *Changed:* outcomes count as well as coverage, so that a target without any can be fuzzed; and
//!   what is met while a text is reduced is not lost.
//!
//! ```
//! use nubbin_generate::{Choices, Feedback, MutationFuzzer, PopulationFuzzer};
//! use std::convert::Infallible;
//!
//! // A target with three branches, and a reducer that only cuts off the end.
//! let target = |text: &[u8]| {
//!     let reached = [b'a', b'b', b'c'].iter().zip(0..).filter(|(byte, _)| text.contains(byte));
//!     Ok::<_, Infallible>(Feedback::new("exit code 0", reached.map(|(_, branch)| branch)))
//! };
//! let reducer = |text: &[u8], shows: &(dyn Fn(&[u8]) -> bool + Sync)| {
//!     let len = (0..text.len()).find(|&len| shows(&text[..len]));
//!     text[..len.unwrap_or(text.len())].to_vec()
//! };
//! let mutation = MutationFuzzer::new(vec![b"a seed".to_vec()]).unwrap();
//! let mut fuzzer = PopulationFuzzer::new(mutation);
//! let mut choices = Choices::seeded(1);
//! fuzzer.step(&mut choices, &target, Some(&reducer)).unwrap();
//! assert_eq!(fuzzer.population().members()[0].text, b"a");
//! while fuzzer.population().covered() < 3 {
//!     fuzzer.step(&mut choices, &target, Some(&reducer)).unwrap();
//! }
//! ```

mod fuzzer;

pub use fuzzer::{Counts, PopulationFuzzer, Reducer, Target};

use rustc_hash::FxHashSet;

/// What a run of a target showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feedback {
    /// How it ended. Runs that end alike have the same.
    pub outcome: Box<str>,
    /// The parts of the target that it reached, in order. None where the target does not say.
    coverage: Box<[u64]>,
}

impl Feedback {
    /// Of a run with this outcome, which reached these parts: numbers of lines, branches, states, or
    /// whatever the target counts.
    pub fn new(outcome: impl Into<Box<str>>, coverage: impl IntoIterator<Item = u64>) -> Self {
        let mut coverage: Vec<u64> = coverage.into_iter().collect();
        coverage.sort_unstable();
        coverage.dedup();
        Feedback {
            outcome: outcome.into(),
            coverage: coverage.into(),
        }
    }

    /// The parts of the target that the run reached, in order, none twice.
    pub fn coverage(&self) -> &[u64] {
        &self.coverage
    }

    /// Whether it ended as this novelty did and reached all that was new of it.
    pub fn shows(&self, novelty: &Novelty) -> bool {
        let reached = |part: &u64| self.coverage.binary_search(part).is_ok();
        self.outcome == novelty.outcome && novelty.coverage.iter().all(reached)
    }
}

/// What a run showed that no member of a population does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Novelty {
    /// How the run ended, whether or not that was new: a text that is to show the same must not show
    /// it in a run that ends in another way.
    pub outcome: Box<str>,
    /// Whether no run had ended so.
    pub is_new_outcome: bool,
    /// The parts of the target that were not reached before, in order.
    pub coverage: Vec<u64>,
}

/// A text that showed something new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The text, reduced.
    pub text: Vec<u8>,
    /// What a run of it shows.
    pub feedback: Feedback,
    /// What was new. `None` for a seed that is kept though nothing was.
    pub novelty: Option<Novelty>,
    /// Bytes it had before it was reduced.
    pub bytes_before: usize,
}

/// Texts of which each showed something new when it joined.
#[derive(Clone, Debug, Default)]
pub struct Population {
    members: Vec<Member>,
    outcomes: FxHashSet<Box<str>>,
    covered: FxHashSet<u64>,
}

impl Population {
    /// In the order they joined.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// All texts together, in bytes.
    pub fn bytes(&self) -> usize {
        self.members.iter().map(|member| member.text.len()).sum()
    }

    /// Number of parts of the target that some member reaches.
    pub fn covered(&self) -> usize {
        self.covered.len()
    }

    /// Number of different outcomes.
    pub fn outcomes(&self) -> usize {
        self.outcomes.len()
    }

    /// What is new in what a run showed; `None` where nothing is.
    pub fn novelty(&self, feedback: &Feedback) -> Option<Novelty> {
        let new = |part: &&u64| !self.covered.contains(part);
        let novelty = Novelty {
            outcome: feedback.outcome.clone(),
            is_new_outcome: !self.outcomes.contains(&feedback.outcome),
            coverage: feedback.coverage.iter().filter(new).copied().collect(),
        };
        (novelty.is_new_outcome || !novelty.coverage.is_empty()).then_some(novelty)
    }

    /// Takes a text in, whether or not it shows something new.
    pub fn add(&mut self, member: Member) {
        self.learn(&member.feedback);
        self.members.push(member);
    }

    /// The same knowledge, without members.
    fn clone_known(&self) -> Self {
        Population {
            members: vec![],
            outcomes: self.outcomes.clone(),
            covered: self.covered.clone(),
        }
    }

    /// What is shown so is new no more.
    fn learn(&mut self, feedback: &Feedback) {
        if !self.outcomes.contains(&feedback.outcome) {
            self.outcomes.insert(feedback.outcome.clone());
        }
        self.covered.extend(feedback.coverage.iter().copied());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_is_an_outcome_or_a_part_that_was_never_seen() {
        let mut population = Population::default();
        let novelty = |population: &Population, outcome: &str, coverage: &[u64]| {
            let feedback = Feedback::new(outcome, coverage.iter().copied());
            population
                .novelty(&feedback)
                .map(|novelty| (novelty.is_new_outcome, novelty.coverage))
        };
        assert_eq!(novelty(&population, "ok", &[]), Some((true, vec![])));
        let feedback = Feedback::new("ok", [3, 1, 3]);
        assert_eq!(feedback.coverage(), [1, 3]);
        population.add(Member {
            text: b"x".to_vec(),
            novelty: population.novelty(&feedback),
            feedback,
            bytes_before: 1,
        });
        assert_eq!(novelty(&population, "ok", &[3]), None);
        assert_eq!(novelty(&population, "ok", &[2, 3]), Some((false, vec![2])));
        assert_eq!(novelty(&population, "crash", &[1]), Some((true, vec![])));
        assert_eq!((population.covered(), population.outcomes()), (2, 1));
    }

    #[test]
    fn the_same_new_thing_is_shown_with_the_same_outcome_only() {
        let novelty = Novelty {
            outcome: "ok".into(),
            is_new_outcome: false,
            coverage: vec![2, 5],
        };
        for (outcome, coverage, shows) in [
            ("ok", &[1, 2, 5][..], true),
            ("ok", &[2], false),
            ("crash", &[2, 5], false),
        ] {
            let feedback = Feedback::new(outcome, coverage.iter().copied());
            assert_eq!(feedback.shows(&novelty), shows, "{feedback:?}");
        }
    }
}
