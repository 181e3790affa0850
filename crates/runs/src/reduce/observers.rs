//! The observers of a search: the result on disk, the journal, the progress, and the log.

use super::empty::EmptyInput;
use super::journal::Journal;
use super::log::Log;
use super::progress::ReductionProgress;
use super::running::Running;
use crate::output::Saver;
use nubbin_reduce::engine::{Ended, Event, Statistics};

/// Everything that an event of a search is passed on to.
pub(super) struct Observers<'a> {
    pub(super) running: &'a Running,
    pub(super) saver: Saver,
    pub(super) journal: Journal,
    pub(super) progress: ReductionProgress,
    pub(super) empty: EmptyInput<'a>,
    pub(super) log: &'a mut Log,
}

impl Observers<'_> {
    /// Observes an event about a text. `choices` is the number of choices, if choices are reduced.
    pub(super) fn observe(
        &mut self,
        event: &Event<'_>,
        statistics: &Statistics,
        choices: Option<usize>,
    ) {
        let prepared = &self.running.claimed.prepared;
        match event {
            Event::Started { input, .. } => {
                prepared.beginning.conclude();
                self.saver.begin(input);
            }
            Event::Adopted { input, .. } => {
                self.saver.save(input);
                self.journal.supersede_others();
                self.empty.look(input);
            }
            Event::RolledBack { input, .. } => self.saver.go_back(input),
            // The original is a result as well.
            Event::Ended {
                ended: Ended::Complete,
                input,
            } => self.saver.conclude(input),
            Event::Judged { print, verdict } => self.journal.add(*print, *verdict),
            _ => {}
        }
        if let Some(text) = self.saver.trouble() {
            self.progress.warn(&text);
        }
        let news = self.running.places.news();
        news.iter().for_each(|text| self.progress.warn(text));
        for (id, why) in prepared.proposers.parked() {
            let text = format!("the proposer `{id}` failed and is not used again: {why}");
            self.progress.warn(&text);
            self.log.proposer_failed(id, &why, statistics);
        }
        self.progress.observe(event, statistics, choices);
        self.log.observe(event, statistics);
    }
}
