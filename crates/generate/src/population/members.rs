use super::feedback::{Feedback, Novelty};
use rustc_hash::FxHashSet;

/// A text of a population, which showed something new when it joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The text after its reduction.
    pub text: Vec<u8>,
    /// The feedback of a run of the text.
    pub feedback: Feedback,
    /// The novelty that the text showed. The value is `None` for a seed that is kept without a
    /// novelty.
    pub novelty: Option<Novelty>,
    /// The size of the text before its reduction, in bytes.
    pub bytes_before: usize,
}

/// A set of texts that each showed something new when they joined.
#[derive(Clone, Debug, Default)]
pub struct Population {
    members: Vec<Member>,
    outcomes: FxHashSet<Box<str>>,
    covered: FxHashSet<u64>,
}

impl Population {
    /// Returns the members in the order in which they joined.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Returns the total size of all texts in bytes.
    pub fn bytes(&self) -> usize {
        self.members.iter().map(|member| member.text.len()).sum()
    }

    /// Returns the number of parts of the target that at least one member reaches.
    pub fn covered(&self) -> usize {
        self.covered.len()
    }

    /// Returns the number of distinct outcomes.
    pub fn outcomes(&self) -> usize {
        self.outcomes.len()
    }

    /// Returns the novelty of a run with the given feedback, or `None` if nothing in it is new.
    pub fn novelty(&self, feedback: &Feedback) -> Option<Novelty> {
        let new = |part: &&u64| !self.covered.contains(part);
        let novelty = Novelty {
            outcome: feedback.outcome.clone(),
            is_new_outcome: !self.outcomes.contains(&feedback.outcome),
            coverage: feedback.coverage.iter().filter(new).copied().collect(),
        };
        (novelty.is_new_outcome || !novelty.coverage.is_empty()).then_some(novelty)
    }

    /// Adds a member, whether or not it shows something new.
    pub fn add(&mut self, member: Member) {
        self.learn(&member.feedback);
        self.members.push(member);
    }

    /// Returns a population with the same known outcomes and coverage, but without members.
    pub(super) fn clone_known(&self) -> Self {
        Population {
            members: vec![],
            outcomes: self.outcomes.clone(),
            covered: self.covered.clone(),
        }
    }

    /// Records the outcome and the coverage of the given feedback as known.
    pub(super) fn learn(&mut self, feedback: &Feedback) {
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
    fn a_novelty_is_an_outcome_or_a_part_that_was_never_seen() {
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
}
