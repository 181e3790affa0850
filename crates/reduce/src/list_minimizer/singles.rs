use super::{Configuration, Removal};

/// The last pass of the weighted algorithms: one element at a time, backwards, round and round
/// until every element that is left has failed since the last removal. What it leaves is
/// 1-minimal.
#[derive(Clone, Debug)]
pub(super) struct Singles {
    left: Configuration,
    /// Elements before this one come next.
    before: u32,
    /// How many have failed since something was removed.
    tried: u32,
}

impl Singles {
    pub(super) fn new(left: Configuration) -> Self {
        Singles {
            left,
            before: u32::MAX,
            tried: 0,
        }
    }

    pub(super) fn next(&self) -> Option<Removal> {
        // A list of one is left alone: without it the list would be empty.
        if self.left.len() < 2 || self.tried >= self.left.len() {
            return None;
        }
        let position = self.position();
        Some(self.left.without(position..position + 1))
    }

    pub(super) fn record(&mut self, fails: bool) {
        let position = self.position();
        self.before = self.left.element(position);
        if fails {
            self.left.remove(position..position + 1);
            self.tried = 0;
        } else {
            self.tried += 1;
        }
    }

    fn position(&self) -> u32 {
        match self.left.position(self.before) {
            0 => self.left.len() - 1,
            before => before - 1,
        }
    }
}
