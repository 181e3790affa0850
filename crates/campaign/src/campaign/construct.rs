//! The creation of a campaign, and the jobs that it reads from the database.

use super::baseline::Baselines;
use super::known::KnownIdentities;
use super::model::{Lane, State};
use super::suspicion::Suspicion;
use super::{Campaign, Jobs, Limits};
use crate::event::Listener;
use crate::schedule::{Budget, JobId, Scheduler};
use crate::store::{IssueFilter, Store, StoreError};
use nubbin_oracle::PlaceCounts;
use nubbin_verdict::Cancel;
use std::collections::{HashMap, HashSet};
use std::sync::{Condvar, Mutex};
use std::time::Instant;

impl Campaign {
    /// Creates a campaign. [`Campaign::run`] starts it.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn new(
        store: Store,
        jobs: Jobs,
        budget: Budget,
        limits: Limits,
        listeners: Vec<Box<dyn Listener>>,
    ) -> Result<Self, StoreError> {
        let mut scheduler = Scheduler::new(budget);
        let mut lanes = vec![];
        for job in &jobs.fuzz {
            let program = &jobs.programs[job.program];
            let id = scheduler.add_lane(job.weight, job.instances, program.memory);
            if job.comes_first {
                scheduler.put_first(id);
            }
            lanes.push(Lane {
                id,
                running: vec![],
                rate: 0.0,
                failures: 0,
            });
        }
        let updates = jobs.programs.iter();
        let updates = updates.map(|program| program.update.as_ref().map(|update| update.next()));
        let state = State {
            updates: updates.collect(),
            foreign: store.foreign_changes()?,
            store,
            scheduler,
            lanes,
            rows: HashMap::new(),
            running: HashMap::new(),
            tests: 0,
            reserved: 0,
            issues: 0,
            ended: None,
            fuzzed: None,
            is_full: false,
            workers: 0,
            suspicion: Suspicion::default(),
            places: vec![PlaceCounts::default(); jobs.programs.len()],
            refused: vec![0; jobs.programs.len()],
            broken: None,
        };
        let campaign = Campaign {
            known: KnownIdentities::new(&state.store)?,
            baselines: Baselines::default(),
            jobs,
            budget,
            limits,
            began: Instant::now(),
            listeners,
            cancels: (0..budget.cores).map(|_| Cancel::new()).collect(),
            state: Mutex::new(state),
            changed: Condvar::new(),
        };
        campaign.lock().take_jobs(&campaign.jobs)?;
        Ok(campaign)
    }
}

impl State {
    /// Takes over the jobs of the database.
    pub(super) fn take_jobs(&mut self, jobs: &Jobs) -> Result<(), StoreError> {
        let rows = self.store.jobs()?;
        let mut has_new = false;
        for row in &rows {
            let mut programs = jobs.programs.iter();
            // The program of a job may have been removed from the campaign.
            if let Some(program) = programs.find(|it| it.program.name() == row.program) {
                if self.rows.get(&row.id) == Some(row) {
                    continue;
                }
                let id = JobId(row.id);
                let memory = program.memory;
                self.scheduler.add_job(id, row.kind, row.priority, memory);
                self.rows.insert(row.id, row.clone());
                has_new = true;
            }
        }
        let ids: HashSet<i64> = rows.iter().map(|row| row.id).collect();
        let gone: Vec<i64> = (self.rows.keys().copied())
            .filter(|id| !ids.contains(id))
            .collect();
        for id in gone {
            self.scheduler.remove_job(JobId(id));
            if !self.scheduler.has_job(JobId(id)) {
                self.rows.remove(&id);
            }
        }
        match has_new {
            true => self.order_jobs(jobs),
            false => Ok(()),
        }
    }

    /// Orders the jobs of the issues of tests that come first by what the issues are worth.
    pub(super) fn order_jobs(&mut self, jobs: &Jobs) -> Result<(), StoreError> {
        if !jobs.fuzz.iter().any(|job| job.comes_first) {
            return Ok(());
        }
        let issues = self.store.issue_list(&IssueFilter::default())?.into_iter();
        let values: HashMap<i64, _> = issues
            .map(|issue| (issue.id, (issue.severity, issue.seen)))
            .collect();
        let rows = &self.rows;
        self.scheduler.set_values(|JobId(id)| {
            let issue = rows.get(&id)?.issue?;
            values.get(&issue).copied()
        });
        Ok(())
    }
}
