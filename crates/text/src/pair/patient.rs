use nubbin_edit::Edit;
use nubbin_engine::work::Machine;

/// A machine that ends if none of its first proposals is adopted. A pass that guesses the structure
/// of a text uses this machine, since the guess is then wrong.
pub(super) struct Patient {
    machine: Box<dyn Machine>,
    /// The number of further proposals before the machine ends; `None` after an adoption.
    left: Option<u32>,
}

/// The maximum number of tests that a wrong guess costs.
pub(super) const PATIENCE: u32 = 8;

impl Patient {
    /// Creates the machine of a guess.
    pub(super) fn new(machine: Box<dyn Machine>) -> Self {
        Patient::with(PATIENCE, machine)
    }

    /// Creates a machine that ends after the given number of proposals without an adoption.
    pub(super) fn with(patience: u32, machine: Box<dyn Machine>) -> Self {
        Patient {
            machine,
            left: Some(patience),
        }
    }
}

impl Machine for Patient {
    fn next(&mut self) -> Option<Edit> {
        if self.left == Some(0) {
            return None;
        }
        self.machine.next()
    }

    fn record(&mut self, adopted: bool) {
        self.left = self.left.filter(|_| !adopted);
        self.left = self.left.map(|left| left.saturating_sub(1));
        self.machine.record(adopted);
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(Patient {
            machine: self.machine.fork(),
            left: self.left,
        })
    }

    fn configurations(&self) -> Option<u64> {
        self.machine.configurations()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_edit::Span;
    use nubbin_engine::work::OneByOne;

    fn proposals(mut adopted: impl FnMut(usize) -> bool) -> usize {
        let edits: Vec<Edit> = (0..30)
            .map(|at| Edit::delete(Span::new(at, at + 1)))
            .collect();
        let mut machine = Patient::new(Box::new(OneByOne::new(edits)));
        let mut count = 0;
        while machine.next().is_some() {
            assert!(machine.fork().next().is_some());
            machine.record(adopted(count));
            count += 1;
        }
        count
    }

    #[test]
    fn a_wrong_guess_ends_and_a_right_one_goes_on() {
        assert_eq!(proposals(|_| false), 8);
        assert_eq!(proposals(|nth| nth == 7), 30);
        assert_eq!(proposals(|nth| nth == 8), 8);
    }
}
