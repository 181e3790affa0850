//! Saves the progress of a reduction to the database.

use super::Campaign;
use crate::fuzz::Found;
use crate::issue::Reduction;
use crate::reduce::Progress;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The interval at which the progress of a reduction is written.
const SAVE_INTERVAL: Duration = Duration::from_secs(1);

pub(super) struct Keeper<'a> {
    campaign: &'a Campaign,
    issue: i64,
    slot: usize,
    before: usize,
    kept: Mutex<SavedProgress>,
}

struct SavedProgress {
    verdicts: Vec<(u128, bool)>,
    smaller: Option<(Vec<u8>, Option<String>)>,
    bytes: usize,
    tests: u64,
    /// The tests that are not in the database yet.
    unwritten: u64,
    others: Vec<Found>,
    written: Option<Instant>,
}

impl<'a> Keeper<'a> {
    pub(super) fn new(campaign: &'a Campaign, issue: i64, slot: usize, bytes: usize) -> Self {
        Keeper {
            campaign,
            issue,
            slot,
            before: bytes,
            kept: Mutex::new(SavedProgress {
                verdicts: vec![],
                smaller: None,
                bytes,
                tests: 0,
                unwritten: 0,
                others: vec![],
                written: None,
            }),
        }
    }

    /// Returns the distinct failures that were found, other than the issue's.
    pub(super) fn others(&self) -> Vec<Found> {
        std::mem::take(&mut self.lock().others)
    }

    /// Returns the number of tests that the progress is about.
    pub(super) fn tests(&self) -> u64 {
        self.lock().tests
    }

    /// Stores the progress that was not stored yet.
    pub(super) fn flush(&self) {
        let mut kept = self.lock();
        let verdicts = std::mem::take(&mut kept.verdicts);
        let smaller = kept.smaller.take();
        let tests = std::mem::take(&mut kept.unwritten);
        kept.written = Some(Instant::now());
        let progress = format!(
            "{} of {} bytes, {} tests",
            kept.bytes, self.before, kept.tests
        );
        drop(kept);
        let mut state = self.campaign.lock();
        if let Some(running) = state.running.get_mut(&self.slot) {
            running.progress = progress;
        }
        // If the disk is full, these verdicts are lost, and their tests run again. The end of the
        // reduction waits for free space.
        let _ = state.store.record_verdicts(self.issue, &verdicts);
        if smaller.is_some() || tests > 0 {
            let test = smaller.as_ref().map(|(test, _)| &**test);
            let recipe = smaller.as_ref().and_then(|(_, recipe)| recipe.as_deref());
            let partial = Reduction::Partial;
            let _ = (state.store).record_reduced(self.issue, test, recipe, tests, partial);
        }
    }

    fn lock(&self) -> MutexGuard<'_, SavedProgress> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for Keeper<'_> {
    fn verdict(&self, fingerprint: u128, fails: bool) {
        let mut kept = self.lock();
        kept.verdicts.push((fingerprint, fails));
        kept.tests += 1;
        kept.unwritten += 1;
        let is_due = kept.written.is_none_or(|at| at.elapsed() >= SAVE_INTERVAL);
        drop(kept);
        if is_due {
            self.flush();
        }
    }

    fn smaller(&self, test: &[u8], recipe: Option<&str>) {
        let mut kept = self.lock();
        kept.bytes = test.len();
        kept.smaller = Some((test.to_vec(), recipe.map(str::to_owned)));
    }

    fn other(&self, found: Found) {
        let mut kept = self.lock();
        let mut others = kept.others.iter_mut();
        match others.find(|known| known.identity.matches(&found.identity)) {
            Some(known) => {
                known.seen += 1;
                if found.test.text.len() < known.test.text.len() {
                    let seen = known.seen;
                    *known = Found { seen, ..found };
                }
            }
            None => kept.others.push(found),
        }
    }
}
