use super::build::Choose;

/// Counts through all sequences of choices, the last one fastest.
#[derive(Default)]
pub(super) struct Counter {
    /// Each with how many there are.
    digits: Vec<(usize, usize)>,
    at: usize,
}

impl Counter {
    /// Begins with the first choice of the present sequence.
    pub(super) fn restart(&mut self) {
        self.at = 0;
    }

    /// The next sequence; `false` if there is none.
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
