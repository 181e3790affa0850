use super::Units;
use nubbin_edit::{Edit, Splice};
use std::ops::Range;
use std::sync::Arc;

/// Proposals of any kind, each an [`Edit`], as the units of a list. Several proposals are adopted
/// together by combining them. If two of them conflict, the earlier one in the list wins.
#[derive(Clone, Debug)]
pub struct Proposals {
    edits: Arc<[Edit]>,
}

impl Proposals {
    /// Creates a list of proposals, in the order in which a list minimizer sees them.
    pub fn new(edits: impl Into<Arc<[Edit]>>) -> Self {
        Proposals {
            edits: edits.into(),
        }
    }
}

impl Units for Proposals {
    fn len(&self) -> u32 {
        self.edits.len() as u32
    }

    fn weight(&self, unit: u32) -> u32 {
        (-self.edits[unit as usize].growth()).clamp(1, i64::from(u32::MAX)) as u32
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let chosen = || {
            units
                .iter()
                .flat_map(|r| &self.edits[r.start as usize..r.end as usize])
        };
        let splices: Vec<Splice> = chosen()
            .flat_map(|edit| edit.splices().iter().cloned())
            .collect();
        // Building all splices at once takes linear time. Combining them one by one does not, and
        // is only needed on a conflict.
        Edit::new(splices).unwrap_or_else(|_| {
            chosen().fold(Edit::none(), |all, edit| all.combine(edit).unwrap_or(all))
        })
    }
}
