/// The observations of one run of a target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feedback {
    /// The outcome of the run. Runs with the same exit have the same outcome.
    pub outcome: Box<str>,
    /// The parts of the target that the run reached, in ascending order. The list is empty if the
    /// target does not report coverage.
    pub(super) coverage: Box<[u64]>,
}

impl Feedback {
    /// Creates the feedback of a run with the given outcome that reached the given parts of the
    /// target: the numbers of lines, branches, or states, for example.
    pub fn new(outcome: impl Into<Box<str>>, coverage: impl IntoIterator<Item = u64>) -> Self {
        let mut coverage: Vec<u64> = coverage.into_iter().collect();
        coverage.sort_unstable();
        coverage.dedup();
        Feedback {
            outcome: outcome.into(),
            coverage: coverage.into(),
        }
    }

    /// Returns the parts of the target that the run reached, in ascending order without duplicates.
    pub fn coverage(&self) -> &[u64] {
        &self.coverage
    }

    /// Returns whether the run has the outcome of a novelty and reached all new parts of the
    /// novelty.
    pub fn shows(&self, novelty: &Novelty) -> bool {
        let reached = |part: &u64| self.coverage.binary_search(part).is_ok();
        self.outcome == novelty.outcome && novelty.coverage.iter().all(reached)
    }
}

/// The difference between the feedback of a run and the feedback of all members of a population.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Novelty {
    /// The outcome of the run, new or not. A text shows the same novelty only if its run ends in
    /// the same way.
    pub outcome: Box<str>,
    /// Whether no earlier run had this outcome.
    pub is_new_outcome: bool,
    /// The parts of the target that were not reached before, in ascending order.
    pub coverage: Vec<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_novelty_is_shown_only_with_the_same_outcome() {
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
