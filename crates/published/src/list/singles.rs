use nubbin_minimize::{Configuration, Removal};

/// The last phase of the weighted algorithms. The phase tries one element at a time, backwards, in
/// rounds, and ends when no remaining element could be removed since the last removal. The result
/// is 1-minimal.
#[derive(Clone, Debug)]
pub(super) struct Singles {
    left: Configuration,
    /// The number of the element after the next one to try.
    before: u32,
    /// The number of elements tried since the last removal.
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
        // A list of one element is not tested, since this algorithm does not test the empty list.
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
