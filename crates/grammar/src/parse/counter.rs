use super::build::Choose;

/// Counts through all sequences of choices. The last choice changes fastest.
#[derive(Default)]
pub(super) struct Counter {
    /// Each choice with the number of its alternatives.
    digits: Vec<(usize, usize)>,
    at: usize,
}

impl Counter {
    /// Restarts at the first choice of the current sequence.
    pub(super) fn restart(&mut self) {
        self.at = 0;
    }

    /// Advances to the next sequence. Returns `false` if there is none.
    pub(super) fn next(&mut self) -> bool {
        self.digits.truncate(self.at);
        while let Some((digit, count)) = self.digits.pop() {
            if digit + 1 < count {
                self.digits.push((digit + 1, count));
                return true;
            }
        }
        false
    }
}

impl Choose for Counter {
    fn choose(&mut self, count: usize) -> usize {
        if self.at == self.digits.len() {
            self.digits.push((0, count));
        }
        self.at += 1;
        self.digits[self.at - 1].0
    }
}
