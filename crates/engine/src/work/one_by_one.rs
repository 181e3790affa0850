use super::Machine;
use nubbin_edit::Edit;
use std::sync::Arc;

/// A machine over a fixed list of proposals. It tries each in order, independently of the verdicts
/// of the others. For proposals of which only one can be adopted, or that are best tried smallest
/// first.
#[derive(Clone, Debug)]
pub struct OneByOne {
    edits: Arc<[Edit]>,
    at: usize,
    stop_at_success: bool,
}

impl OneByOne {
    /// Makes a machine that tries each of the edits.
    pub fn new(edits: impl Into<Arc<[Edit]>>) -> Self {
        OneByOne {
            edits: edits.into(),
            at: 0,
            stop_at_success: false,
        }
    }

    /// Ends after the first one that was adopted.
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
