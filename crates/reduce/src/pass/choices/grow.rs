/// Finds out how far something can go that goes better the less of it is asked: doubles, then
/// halves what is between.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grow {
    /// So much works.
    works: u64,
    /// So much does not.
    fails: Option<u64>,
    most: u64,
}

impl Grow {
    /// From 0, which works, up to `most`.
    pub(super) fn new(most: u64) -> Self {
        Grow {
            works: 0,
            fails: None,
            most,
        }
    }

    /// How much to try next.
    pub(super) fn next(&self) -> Option<u64> {
        match self.fails {
            None if self.works >= self.most => None,
            None => Some(self.works.saturating_mul(2).clamp(1, self.most)),
            Some(fails) if fails - self.works < 2 => None,
            Some(fails) => Some(self.works + (fails - self.works) / 2),
        }
    }

    pub(super) fn record(&mut self, worked: bool) {
        if let Some(asked) = self.next() {
            if worked {
                self.works = asked;
            } else {
                self.fails = Some(asked);
            }
        }
    }

    /// So much is known to work.
    pub(super) fn works(&self) -> u64 {
        self.works
    }
}
