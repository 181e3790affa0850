//! Issues that an empty test shows.

use super::baseline::Baseline;
use super::passing::passes;
use super::{Broken, Campaign};
use crate::event::{Event, EventKind};
use crate::issue::{Issue, Reduction};
use crate::reasons::reasons;
use std::sync::Arc;

impl Campaign {
    /// Records that an issue is not reduced if an empty test shows it: every part of its test could
    /// be removed, and the result would say nothing. Returns `None` if this cannot be decided now:
    /// the campaign has ended, or the farm is unreachable.
    pub(super) fn is_shown_by_nothing(
        &self,
        issue: &Issue,
        at: usize,
        slot: usize,
    ) -> Result<Option<bool>, Broken> {
        let program = &self.jobs.programs[at].program;
        let version = program.version();
        let key = (at, version.clone());
        let known = self.baselines.lock().get(&key).map(Arc::clone);
        let baseline = match known {
            Some(baseline) => baseline,
            None => match Baseline::of(program, slot, &self.cancels[slot]) {
                Ok(Some(baseline)) => {
                    let baseline = Arc::new(baseline);
                    self.baselines.lock().insert(key, Arc::clone(&baseline));
                    baseline
                }
                Ok(None) => return Ok(None),
                // A farm that is unreachable for a moment must not cause the issue to be reduced to
                // nothing.
                Err(error) if passes(&error) => {
                    let text = format!("issue {} cannot be reduced: {}", issue.id, reasons(&error));
                    self.warn(text)?;
                    return Ok(None);
                }
                // The reduction itself reports this error.
                Err(_) => return Ok(Some(false)),
            },
        };
        let Some(found) = baseline.shown(issue, &version) else {
            return Ok(Some(false));
        };
        let (mut state, recorded) = self.store(self.lock(), |store| {
            store.record_reduced(issue.id, None, None, 0, Reduction::Empty)
        });
        recorded?;
        let text = baseline.warning(program.name(), issue, &version, found);
        self.tell(
            &mut state,
            Event::of_issue(EventKind::Warning, issue.id, text),
        )?;
        Ok(Some(true))
    }
}
