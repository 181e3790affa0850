/// What a run of a target showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feedback {
    /// How it ended. Runs that end alike have the same.
    pub outcome: Box<str>,
    /// The parts of the target that it reached, in order. None where the target does not say.
    pub(super) coverage: Box<[u64]>,
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

#[cfg(test)]
mod tests {
    use super::*;

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
