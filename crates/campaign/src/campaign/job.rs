//! Jobs that end: validations, reductions, explanations, and updates.

use super::passing::passes;
use super::progress::Keeper;
use super::{Broken, Campaign, ProgramJobs, RunningJob};
use crate::event::{Event, EventKind};
use crate::fuzz::{Found, Test};
use crate::identity::Identity;
use crate::issue::{Issue, IssueState, Reduction};
use crate::program::ProgramError;
use crate::reasons::reasons;
use crate::reduce::{Reduced, Task};
use crate::rules::Outcome;
use crate::schedule::{JobId, JobKind};
use crate::store::IssueFilter;
use std::time::Instant;

/// The state of a job after it ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum JobEnd {
    Over,
    /// The job is kept until the jobs change, or until the next run.
    Stopped,
    /// The job is kept until the next run, since a test of its issue hits a limit.
    Limited,
}

impl From<bool> for JobEnd {
    fn from(is_over: bool) -> Self {
        match is_over {
            true => JobEnd::Over,
            false => JobEnd::Stopped,
        }
    }
}

/// The runs of the tests of an issue.
#[derive(Default)]
struct Validated {
    /// The number of runs in which the last test showed the issue.
    hits: u64,
    /// The number of runs of this test that hit no limit. A run that hits a limit says nothing
    /// about the issue.
    tries: u64,
    /// The tests of which all runs hit a limit, if no test showed the issue.
    limited: Vec<&'static str>,
    /// The identity as this build shows it.
    identity: Option<Identity>,
    others: Vec<Found>,
}

impl Validated {
    /// Returns whether a test showed the issue, or no test can show it.
    fn is_conclusive(&self) -> bool {
        self.hits > 0 || self.limited.is_empty()
    }
}

impl Campaign {
    pub(super) fn run_job(&self, id: JobId, slot: usize) -> Result<(), Broken> {
        let begin = Instant::now();
        let state = self.lock();
        let Some(row) = state.rows.get(&id.0).cloned() else {
            let mut state = state;
            state.scheduler.end_job(id, begin.elapsed());
            return Ok(());
        };
        drop(state);
        let mut programs = self.jobs.programs.iter();
        let at = programs.position(|it| it.program.name() == row.program);
        let at = at.unwrap_or(0);
        let mut state = self.lock();
        state.running.insert(
            slot,
            RunningJob {
                kind: row.kind.name(),
                program: at,
                lane: None,
                issue: row.issue,
                progress: String::new(),
                began: begin,
            },
        );
        let mut event = Event::new(EventKind::Activated, row.kind.name());
        event.issue = row.issue;
        self.tell(&mut state, event)?;
        let issue = match row.issue {
            None => None,
            Some(issue) => match state.store.own_issue(issue) {
                Ok(issue) => issue,
                Err(error) => {
                    state.broken.get_or_insert(error);
                    return Err(Broken);
                }
            },
        };
        drop(state);
        let end = match (row.kind, &issue) {
            (JobKind::Update, _) => self.update(at, slot)?.into(),
            (JobKind::Validate, Some(issue)) => self.validate(issue, at, slot)?,
            (JobKind::Reduce, Some(issue)) => self.reduce(issue, at, slot)?,
            (JobKind::Explain, Some(issue)) => self.explain(issue, at, slot)?.into(),
            // The issue was deleted.
            (_, None) => JobEnd::Over,
        };
        let mut state = self.lock();
        state.scheduler.end_job(id, begin.elapsed());
        // An existing row is not taken from the database again, unless the user adds the job.
        if end != JobEnd::Limited || state.rows.get(&id.0) != Some(&row) {
            state.rows.remove(&id.0);
        }
        // A stopped job is kept until the campaign continues.
        if end == JobEnd::Over {
            let (after, removed) = self.store(state, |store| store.remove_job(&row));
            removed?;
            state = after;
            if let Err(error) = state.take_jobs(&self.jobs) {
                state.broken.get_or_insert(error);
                return Err(Broken);
            }
        }
        let mut event = Event::new(EventKind::Removed, row.kind.name());
        event.issue = row.issue;
        self.tell(&mut state, event)
    }

    /// Runs the test of an issue again.
    fn validate(&self, issue: &Issue, at: usize, slot: usize) -> Result<JobEnd, Broken> {
        let jobs = &self.jobs.programs[at];
        match self.try_again(issue, jobs, slot) {
            Ok(Some(validated)) => {
                self.record_validation(issue, at, &validated)?;
                match validated.is_conclusive() {
                    true => Ok(JobEnd::Over),
                    false => Ok(JobEnd::Limited),
                }
            }
            Ok(None) => Ok(JobEnd::Stopped),
            Err(error) => {
                let text = format!(
                    "issue {} cannot be validated: {}",
                    issue.id,
                    reasons(&error)
                );
                self.warn(text)?;
                // The next run repeats the validation.
                Ok(JobEnd::from(!passes(&error)))
            }
        }
    }

    /// Runs the smallest test of an issue, and the original test if the smallest one does not show
    /// the issue. Returns `None` if the campaign has ended meanwhile.
    fn try_again(
        &self,
        issue: &Issue,
        jobs: &ProgramJobs,
        slot: usize,
    ) -> Result<Option<Validated>, ProgramError> {
        let mut validated = Validated::default();
        let reduced = issue.reduced.as_deref();
        let reduced = reduced.map(|text| ("smallest test", text));
        let name = reduced.map_or("test", |_| "original test");
        for (name, text) in reduced.into_iter().chain([(name, &*issue.test)]) {
            validated.hits = 0;
            validated.tries = 0;
            let (runs, mut limits) = (jobs.validations.max(1), 0);
            while validated.tries < runs && limits < runs {
                let observed = jobs.program.run_uncached(text, slot, &self.cancels[slot])?;
                if observed.outcome == Outcome::Stopped {
                    return Ok(None);
                }
                if observed.outcome == Outcome::Limit {
                    limits += 1;
                    continue;
                }
                validated.tries += 1;
                match Found::of(&Test::new(text), &observed) {
                    Some(found) if issue.is_shown_by(&found.identity, &jobs.program.version()) => {
                        validated.hits += 1;
                        validated.identity = Some(found.identity);
                    }
                    Some(found) => validated.others.push(found),
                    None => {}
                }
            }
            if validated.hits > 0 {
                break;
            }
            if validated.tries == 0 {
                validated.limited.push(name);
            }
        }
        Ok(Some(validated))
    }

    /// Records a validation. One that is not conclusive does not change the issue.
    fn record_validation(
        &self,
        issue: &Issue,
        at: usize,
        validated: &Validated,
    ) -> Result<(), Broken> {
        let program = &self.jobs.programs[at].program;
        let version = program.version();
        let (hits, tries) = (validated.hits, validated.tries);
        if !validated.is_conclusive() {
            let name = match &validated.limited[..] {
                [name] => name,
                _ => "test",
            };
            let text = format!(
                "issue {} is not validated: its {name} hits a limit",
                issue.id
            );
            self.warn(text)?;
            return self.record_others(issue, at, &validated.others);
        }
        let (mut state, changed) = self.store(self.lock(), |store| {
            store.record_validation(
                issue.id,
                &version,
                (hits, tries),
                validated.identity.as_ref(),
            )
        });
        let changed = changed?;
        let (kind, text) = match hits {
            0 => (
                EventKind::IssueInvalidated,
                format!("issue {} was not seen again in {tries} runs", issue.id),
            ),
            _ => (
                EventKind::IssueUpdated,
                format!(
                    "issue {} was seen again in {hits} of {tries} runs",
                    issue.id
                ),
            ),
        };
        if hits > 0 || changed {
            let event = Event::of_issue(kind, issue.id, text)
                .fact("hits", hits)
                .fact("tries", tries);
            self.tell(&mut state, event)?;
        }
        drop(state);
        self.record_others(issue, at, &validated.others)
    }

    /// Records failures that were met with the test of an issue.
    pub(super) fn record_others(
        &self,
        issue: &Issue,
        at: usize,
        others: &[Found],
    ) -> Result<(), Broken> {
        let program = &self.jobs.programs[at].program;
        let version = program.version();
        for found in others {
            let follow = self.jobs.programs[at].follow_met();
            let (mut state, change) = self.store(self.lock(), |store| {
                store.record_found(program.name(), &issue.generator, &version, found, follow)
            });
            let change = change?;
            state.issues += u64::from(change.is_new);
            drop(state);
            self.follow_up(&[change], &issue.generator, (at, follow))?;
        }
        Ok(())
    }

    /// Validates an issue and reduces its test.
    fn reduce(&self, issue: &Issue, at: usize, slot: usize) -> Result<JobEnd, Broken> {
        let jobs = &self.jobs.programs[at];
        let validated = match self.try_again(issue, jobs, slot) {
            Ok(Some(validated)) => validated,
            Ok(None) => return Ok(JobEnd::Stopped),
            Err(error) => {
                let text = format!("issue {} cannot be reduced: {}", issue.id, reasons(&error));
                self.warn(text)?;
                return Ok(JobEnd::from(!passes(&error)));
            }
        };
        self.record_validation(issue, at, &validated)?;
        if !validated.is_conclusive() {
            return Ok(JobEnd::Limited);
        }
        let reduce = jobs.reduce.as_ref();
        let Some(reduce) = reduce.filter(|_| validated.hits > 0 && !issue.reduction.has_ended())
        else {
            return Ok(JobEnd::Over);
        };
        let (state, read) = self.store(self.lock(), |store| {
            Ok((store.verdicts(issue.id)?, store.own_issue(issue.id)?))
        });
        drop(state);
        // The validation may have changed the issue, or the user may have deleted it.
        let (known, Some(issue)) = read? else {
            return Ok(JobEnd::Over);
        };
        let issue = &issue;
        if !jobs.allows_empty {
            match self.is_shown_by_nothing(issue, at, slot)? {
                Some(false) => {}
                Some(true) => return Ok(JobEnd::Over),
                None => return Ok(JobEnd::Stopped),
            }
        }
        let keeper = Keeper::new(self, issue.id, slot, issue.test.len());
        let task = Task {
            program: &jobs.program,
            issue,
            slot,
            at_once: jobs.program.at_once(self.budget.cores),
            known,
            stop: &self.cancels[slot],
            max_tests: jobs.reduction_tests,
            max_time: jobs.reduction_time,
            progress: &keeper,
        };
        let reduced = reduce.reduce(&task);
        keeper.flush();
        self.record_others(issue, at, &keeper.others())?;
        let reduced = match reduced {
            Ok(reduced) => reduced,
            Err(error) => {
                self.warn(reasons(&error))?;
                return Ok(JobEnd::from(!passes(&error)));
            }
        };
        let rest = reduced.tests.saturating_sub(keeper.tests());
        self.record_end(issue, (&reduced, rest), jobs)?;
        // A reduction of a flaky test is not repeated automatically.
        let is_over = reduced.is_done || !self.cancels[slot].is_cancelled();
        Ok(JobEnd::from(is_over))
    }

    /// Records the end of a reduction, and tells of one that came to it. An explanation follows, if
    /// the program wants it. `rest` is the number of the tests that are not recorded yet.
    fn record_end(
        &self,
        issue: &Issue,
        (reduced, rest): (&Reduced, u64),
        jobs: &ProgramJobs,
    ) -> Result<(), Broken> {
        let reduction = match (reduced.is_done, reduced.is_limited) {
            (true, false) => Reduction::Done,
            (true, true) => Reduction::Limited,
            (false, _) => Reduction::Partial,
        };
        let (mut state, recorded) = self.store(self.lock(), |store| {
            let (test, recipe) = (reduced.test.as_deref(), reduced.recipe.as_deref());
            store.record_reduced(issue.id, test, recipe, rest, reduction)?;
            if reduced.is_done && jobs.explains {
                store.add_job(JobKind::Explain, &issue.program, Some(issue.id), false)?;
            }
            // The tests before an interruption count as well, as on all pages.
            let all = store
                .own_issue(issue.id)?
                .map(|issue| issue.reduction_tests);
            Ok(all.unwrap_or(reduced.tests))
        });
        let tests = recorded?;
        if reduced.is_done {
            let bytes = reduced
                .test
                .as_ref()
                .map_or(issue.smallest().len(), Vec::len);
            let before = issue.test.len();
            let text = match bytes < before {
                true => format!(
                    "issue {} was reduced from {before} bytes to {bytes}, in {tests} tests",
                    issue.id
                ),
                false if reduced.is_limited => {
                    format!("issue {} has {bytes} bytes after {tests} tests", issue.id)
                }
                false => format!("issue {} cannot be smaller than {bytes} bytes", issue.id),
            };
            let text = match reduced.is_limited {
                true => format!("{text}; a limit stopped the reduction"),
                false => text,
            };
            let event = Event::of_issue(EventKind::IssueReduced, issue.id, text)
                .fact("bytes", bytes)
                .fact("tests", tests)
                .fact("limited", reduced.is_limited);
            self.tell(&mut state, event)?;
        }
        Ok(())
    }

    /// Updates a program. Returns whether the job is over.
    fn update(&self, at: usize, slot: usize) -> Result<bool, Broken> {
        let jobs = &self.jobs.programs[at];
        let name = jobs.program.name();
        let Some(update) = &jobs.update else {
            return Ok(true);
        };
        let updated = update.update(&self.cancels[slot]);
        if self.cancels[slot].is_cancelled() {
            return Ok(false);
        }
        let mut state = self.lock();
        state.updates[at] = Some(self.began.elapsed() + update.next());
        drop(state);
        let version = match updated {
            Ok(Some(version)) => version,
            Ok(None) => return Ok(true),
            Err(error) => {
                self.warn(format!("{name} cannot be updated: {}", reasons(&*error)))?;
                return Ok(true);
            }
        };
        let is_new = jobs.program.version() != version;
        jobs.program.set_version(version.clone());
        if let Err(error) = jobs.program.runner().refresh() {
            let text = format!(
                "the files of {name} cannot be read again: {}",
                reasons(&error)
            );
            self.warn(text)?;
        }
        let mut state = self.lock();
        let text = format!("{name} was updated: version {version}");
        let event = Event::new(EventKind::Loaded, text).fact("program", name);
        self.tell(&mut state, event)?;
        drop(state);
        if is_new && update.validates() {
            self.validate_all(name)?;
        }
        Ok(true)
    }

    /// Adds a validation of each issue of a program.
    fn validate_all(&self, program: &str) -> Result<(), Broken> {
        let filter = IssueFilter {
            states: vec![IssueState::Open, IssueState::Closed],
            program: Some(program.to_owned()),
            ..IssueFilter::default()
        };
        let (mut state, added) = self.store(self.lock(), |store| {
            for issue in store.issue_list(&filter)? {
                store.add_job(JobKind::Validate, program, Some(issue.id), false)?;
            }
            Ok(())
        });
        added?;
        if let Err(error) = state.take_jobs(&self.jobs) {
            state.broken.get_or_insert(error);
            return Err(Broken);
        }
        Ok(())
    }

    pub(super) fn warn(&self, text: String) -> Result<(), Broken> {
        let mut state = self.lock();
        self.tell(&mut state, Event::new(EventKind::Warning, text))
    }
}
