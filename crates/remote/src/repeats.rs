use std::collections::HashMap;

/// The number of tests of which at least the last ones are remembered.
const MIN_REMEMBERED: usize = 1 << 17;

/// The number of ends of each test in this run, by its action. A run may last for weeks, so tests
/// of long ago are forgotten: if they are repeated, the farm may answer with their earlier results.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    recent: HashMap<String, u32>,
    older: HashMap<String, u32>,
}

impl Repeats {
    /// Returns how often the test of the given action finished.
    pub(crate) fn of(&self, action: &str) -> u32 {
        let known = self.recent.get(action).or_else(|| self.older.get(action));
        known.copied().unwrap_or(0)
    }

    pub(crate) fn count(&mut self, action: String) {
        let times = self.of(&action) + 1;
        if self.recent.len() >= MIN_REMEMBERED {
            self.older = std::mem::take(&mut self.recent);
        }
        self.recent.insert(action, times);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_tests_are_remembered_in_bounded_memory() {
        let mut repeats = Repeats::default();
        for nth in 0..3 * MIN_REMEMBERED {
            repeats.count(nth.to_string());
        }
        assert_eq!(repeats.of("0"), 0);
        assert_eq!(repeats.of(&(2 * MIN_REMEMBERED).to_string()), 1);
        repeats.count((2 * MIN_REMEMBERED).to_string());
        assert_eq!(repeats.of(&(2 * MIN_REMEMBERED).to_string()), 2);
        assert!(repeats.recent.len() + repeats.older.len() <= 2 * MIN_REMEMBERED);
    }
}
