use super::Machine;
use nubbin_edit::Edit;
use std::sync::Arc;

/// A machine for a fixed list of proposals. The machine tries each proposal in order, independent
/// of the verdicts on the others. Use it for proposals of which only one can be adopted, or that
/// are best tried from the smallest on.
#[derive(Clone, Debug)]
pub struct OneByOne {
    edits: Arc<[Edit]>,
    at: usize,
    stop_at_success: bool,
}

impl OneByOne {
    /// Creates a machine that tries each of the edits.
    pub fn new(edits: impl Into<Arc<[Edit]>>) -> Self {
        OneByOne {
            edits: edits.into(),
            at: 0,
            stop_at_success: false,
        }
    }

    /// Returns the machine with an early end, after the first adopted proposal.
    #[must_use]
    pub fn first_only(mut self) -> Self {
        self.stop_at_success = true;
        self
    }
}

impl Machine for OneByOne {
    fn next(&mut self) -> Option<Edit> {
        self.edits.get(self.at).cloned()
    }

    fn record(&mut self, adopted: bool) {
        self.at = if adopted && self.stop_at_success {
            self.edits.len()
        } else {
            self.at + 1
        };
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}
