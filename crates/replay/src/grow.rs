/// A search for a large amount that works, if smaller amounts are more likely to work. The search
/// doubles the amount, and then bisects the range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grow {
    /// The largest amount that works.
    works: u64,
    /// The smallest amount that does not work.
    fails: Option<u64>,
    most: u64,
}

impl Grow {
    /// Starts the search from 0, which works, with `most` as the limit.
    pub(super) fn new(most: u64) -> Self {
        Grow {
            works: 0,
            fails: None,
            most,
        }
    }

    /// Returns the amount to try next.
    pub(super) fn next(&self) -> Option<u64> {
        match self.fails {
            None if self.works >= self.most => None,
            None => Some(self.works.saturating_mul(2).clamp(1, self.most)),
            Some(fails) if fails - self.works < 2 => None,
            Some(fails) => Some(self.works + (fails - self.works) / 2),
        }
    }

    /// Records whether the last amount worked.
    pub(super) fn record(&mut self, worked: bool) {
        if let Some(asked) = self.next() {
            if worked {
                self.works = asked;
            } else {
                self.fails = Some(asked);
            }
        }
    }

    /// Returns the largest amount that is known to work.
    pub(super) fn works(&self) -> u64 {
        self.works
    }
}
