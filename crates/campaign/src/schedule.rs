//! Chooses the next job. The scheduler reads no clock and starts no thread; the caller passes the
//! time in.

use crate::severity::Severity;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::time::Duration;

/// The kind of a job that ends by itself. Fuzz jobs continue, slice by slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobKind {
    /// Run the test of an issue again.
    Validate,
    /// Reduce the test of an issue.
    Reduce,
    /// Find out which parts of the test of an issue matter.
    Explain,
    /// Update a program.
    Update,
}

impl JobKind {
    /// Returns the name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            JobKind::Validate => "validate",
            JobKind::Reduce => "reduce",
            JobKind::Explain => "explain",
            JobKind::Update => "update",
        }
    }

    /// Returns whether a job of this kind takes long, and shares the time with fuzz jobs.
    fn is_long(self) -> bool {
        matches!(self, JobKind::Reduce | JobKind::Explain)
    }

    pub(crate) fn of_name(name: &str) -> Self {
        match name {
            "reduce" => JobKind::Reduce,
            "explain" => JobKind::Explain,
            "update" => JobKind::Update,
            _ => JobKind::Validate,
        }
    }
}

/// The cores and the memory that all jobs may use together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The number of jobs that run at the same time, each on one core.
    pub cores: usize,
    /// The maximum sum of the memory limits of all running jobs, in bytes; `None` for no maximum.
    pub memory: Option<u64>,
}

/// The identifier of a fuzz job: its index in the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LaneId(pub usize);

/// The identifier of a job: its number in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JobId(pub i64);

/// The next work of a free worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// Run a slice of this fuzz job.
    Fuzz(LaneId),
    /// Run this job.
    Job(JobId),
    /// Wait until another job has finished, or until this time.
    Wait(Option<Duration>),
    /// Stop, since no job is left and no job is running.
    Nothing,
}

/// The maximum factor by which new issues raise the share of a fuzz job.
const MOST_LUCK: f64 = 4.0;
/// The time on one core after which a new issue counts half.
const HALF_LIFE: f64 = 300.0;

/// A fuzz job as the scheduler sees it.
#[derive(Clone, Debug)]
struct Lane {
    weight: f64,
    instances: usize,
    memory: u64,
    running: usize,
    /// The time that it had, in seconds divided by its share.
    served: f64,
    /// The number of its new issues, of which older ones count less.
    luck: f64,
    /// Not before this time.
    ready: Duration,
    exhausted: bool,
    /// Whether its tests come before all reductions.
    comes_first: bool,
}

impl Lane {
    fn share(&self) -> f64 {
        self.weight * (1.0 + self.luck.min(MOST_LUCK))
    }
}

#[derive(Clone, Copy, Debug)]
struct Job {
    id: JobId,
    kind: JobKind,
    priority: bool,
    memory: u64,
    /// Of the jobs that take long, one with a larger value comes first.
    value: Value,
    is_running: bool,
}

/// The value of a job: the harm of its issue, and the number of tests that show the issue.
pub(crate) type Value = (Severity, u64);

/// Decides which job is next.
///
/// Jobs of the user come first, then updates, which run alone, then validations, which are short.
/// Reductions and fuzz jobs share the time: reductions and explanations get half of it while there
/// are any, and fuzz jobs share the rest by their weights. A fuzz job that has found new issues
/// lately gets up to five times its share, so that the generators that find something are used
/// more. A fuzz job that was put first does not share: no reduction begins while it has a test that
/// can run.
///
/// Source: C. Waldspurger, W. Weihl, *Stride Scheduling*, 1995: the next job is the job with the
/// least time relative to its share. Changed: the shares depend on new issues.
///
/// ```
/// use nubbin_campaign::{Budget, Pick, Scheduler};
/// use std::time::Duration;
///
/// let mut scheduler = Scheduler::new(Budget { cores: 1, memory: None });
/// let heavy = scheduler.add_lane(3.0, 1, 0);
/// let light = scheduler.add_lane(1.0, 1, 0);
/// let mut slices = [0, 0];
/// for second in 0..400 {
///     let now = Duration::from_secs(second);
///     let Pick::Fuzz(lane) = scheduler.pick(now) else { panic!() };
///     slices[lane.0] += 1;
///     scheduler.end_slice(lane, Duration::from_secs(1), 0);
/// }
/// assert_eq!(slices, [300, 100]);
/// # let _ = (heavy, light);
/// ```
#[derive(Clone, Debug)]
pub struct Scheduler {
    budget: Budget,
    lanes: Vec<Lane>,
    jobs: Vec<Job>,
    /// The time that reductions had, in seconds divided by their share.
    reduced: f64,
    cores: usize,
    memory: u64,
}

impl Scheduler {
    /// Creates a scheduler without jobs.
    pub fn new(budget: Budget) -> Self {
        Scheduler {
            budget,
            lanes: vec![],
            jobs: vec![],
            reduced: 0.0,
            cores: 0,
            memory: 0,
        }
    }

    /// Adds a fuzz job. At most `instances` of its slices run at the same time. Each slice needs
    /// `memory` bytes.
    pub fn add_lane(&mut self, weight: f64, instances: usize, memory: u64) -> LaneId {
        self.lanes.push(Lane {
            weight: weight.max(f64::MIN_POSITIVE),
            instances: instances.max(1),
            memory,
            running: 0,
            served: self.least_served().unwrap_or(0.0),
            luck: 0.0,
            ready: Duration::ZERO,
            exhausted: false,
            comes_first: false,
        });
        LaneId(self.lanes.len() - 1)
    }

    /// Has the tests of a fuzz job run before all reductions: a limit on the time of the whole run
    /// must not leave tests that nobody has looked at.
    pub fn put_first(&mut self, id: LaneId) {
        self.lanes[id.0].comes_first = true;
    }

    /// Sets the values of the jobs for which `of` returns one. Without values, jobs are run in the
    /// order in which they were added.
    pub(crate) fn set_values(&mut self, of: impl Fn(JobId) -> Option<Value>) {
        for job in &mut self.jobs {
            job.value = of(job.id).unwrap_or(job.value);
        }
    }

    /// Adds a job, or raises the priority of an existing job.
    pub fn add_job(&mut self, id: JobId, kind: JobKind, priority: bool, memory: u64) {
        if let Some(job) = self.jobs.iter_mut().find(|job| job.id == id) {
            job.priority |= priority;
            return;
        }
        let has_reductions = self.jobs.iter().any(|job| job.kind.is_long());
        if kind.is_long() && !has_reductions {
            // A new job is not compensated for the time in which it did not exist.
            let least = self.least_served().unwrap_or(0.0);
            self.reduced = self.reduced.max(least);
        }
        self.jobs.push(Job {
            id,
            kind,
            priority,
            memory,
            value: Value::default(),
            is_running: false,
        });
    }

    /// Removes a job that is not running.
    pub fn remove_job(&mut self, id: JobId) {
        self.jobs.retain(|job| job.id != id || job.is_running);
    }

    /// Returns whether the scheduler has the given job, waiting or running.
    pub fn has_job(&self, id: JobId) -> bool {
        self.jobs.iter().any(|job| job.id == id)
    }

    /// Picks the next work of a free worker, and counts it as running.
    pub fn pick(&mut self, now: Duration) -> Pick {
        if let Some(at) = self.next_job(now) {
            return match at {
                Some(at) => self.begin_job(at),
                None => Pick::Wait(None),
            };
        }
        let reduction = self.most_valuable();
        let reduction = reduction.filter(|&at| self.fits(self.jobs[at].memory));
        let is_ready = |lane: &Lane| {
            !lane.exhausted
                && lane.ready <= now
                && lane.running < lane.instances
                && self.fits(lane.memory)
        };
        let lanes = self.lanes.iter().enumerate();
        let ready = lanes.filter(|(_, lane)| is_ready(lane));
        let lane = ready.min_by(|(_, one), (_, other)| {
            let by_place = other.comes_first.cmp(&one.comes_first);
            by_place.then(one.served.total_cmp(&other.served))
        });
        match (reduction, lane) {
            (Some(at), Some((_, lane))) if !lane.comes_first && self.reduced <= lane.served => {
                self.begin_job(at)
            }
            (Some(at), None) => self.begin_job(at),
            (_, Some((at, _))) => {
                let lane = &mut self.lanes[at];
                lane.running += 1;
                self.memory += lane.memory;
                self.cores += 1;
                Pick::Fuzz(LaneId(at))
            }
            (None, None) => self.idle(),
        }
    }

    /// Records the end of a slice.
    pub fn end_slice(&mut self, id: LaneId, time: Duration, new_issues: u64) {
        let lane = &mut self.lanes[id.0];
        let seconds = time.as_secs_f64();
        lane.luck *= 0.5_f64.powf(seconds / HALF_LIFE);
        lane.served += seconds.max(1e-6) / lane.share();
        lane.luck += new_issues as f64;
        lane.running = lane.running.saturating_sub(1);
        self.memory = self.memory.saturating_sub(lane.memory);
        self.cores = self.cores.saturating_sub(1);
    }

    /// Delays a fuzz job until the given time.
    pub fn delay(&mut self, id: LaneId, until: Duration) {
        self.lanes[id.0].ready = until;
    }

    /// Ends a fuzz job, since its source has no more tests.
    pub fn exhaust(&mut self, id: LaneId) {
        self.lanes[id.0].exhausted = true;
    }

    /// Records the end of a job.
    pub fn end_job(&mut self, id: JobId, time: Duration) {
        let Some(at) = self.jobs.iter().position(|job| job.id == id) else {
            return;
        };
        let job = self.jobs.remove(at);
        if job.kind.is_long() {
            let shares: f64 = self.lanes.iter().map(Lane::share).sum();
            self.reduced += time.as_secs_f64() / shares.max(f64::MIN_POSITIVE);
        }
        self.memory = self.memory.saturating_sub(job.memory);
        self.cores = self.cores.saturating_sub(1);
    }

    /// Returns the number of running jobs, including fuzz jobs.
    pub fn running(&self) -> usize {
        self.cores
    }

    /// Returns the place of the job that comes before all fuzz jobs: `Some(None)` if it has to
    /// wait, and nothing else may begin meanwhile.
    fn next_job(&self, _now: Duration) -> Option<Option<usize>> {
        if self.cores >= self.budget.cores || self.is_updating() {
            return Some(None);
        }
        let alone = |at: usize| (self.cores == 0).then_some(at);
        let place = |at: usize| match self.jobs[at].kind {
            JobKind::Update => alone(at),
            _ => Some(at).filter(|&at| self.fits(self.jobs[at].memory)),
        };
        if let Some(at) = self.position(|job| job.priority) {
            return Some(place(at));
        }
        if let Some(at) = self.position(|job| job.kind == JobKind::Update) {
            return Some(alone(at));
        }
        let validation = self.position(|job| job.kind == JobKind::Validate);
        validation.map(place)
    }

    fn begin_job(&mut self, at: usize) -> Pick {
        let job = &mut self.jobs[at];
        job.is_running = true;
        self.memory += job.memory;
        self.cores += 1;
        Pick::Job(job.id)
    }

    /// Returns the position of the first waiting job for which `is` returns `true`.
    fn position(&self, is: impl Fn(&Job) -> bool) -> Option<usize> {
        self.jobs.iter().position(|job| !job.is_running && is(job))
    }

    /// Returns the position of the waiting job with the largest value, of those that take long.
    fn most_valuable(&self) -> Option<usize> {
        let jobs = self.jobs.iter().enumerate();
        let waiting = jobs.filter(|(_, job)| !job.is_running && job.kind.is_long());
        let first = waiting.min_by_key(|(_, job)| Reverse(job.value));
        first.map(|(at, _)| at)
    }

    /// Returns whether an update is running. An update changes the program that all other jobs run.
    fn is_updating(&self) -> bool {
        let mut jobs = self.jobs.iter();
        jobs.any(|job| job.is_running && job.kind == JobKind::Update)
    }

    /// Returns whether there is memory for one more job. A job that needs more than the whole
    /// budget runs alone.
    fn fits(&self, memory: u64) -> bool {
        let most = self.budget.memory.unwrap_or(u64::MAX);
        self.cores == 0 || self.memory.saturating_add(memory) <= most
    }

    fn idle(&self) -> Pick {
        if self.cores > 0 || !self.jobs.is_empty() {
            return Pick::Wait(self.next_ready());
        }
        match self.next_ready() {
            Some(time) => Pick::Wait(Some(time)),
            None => Pick::Nothing,
        }
    }

    fn next_ready(&self) -> Option<Duration> {
        let lanes = self.lanes.iter();
        let waiting = lanes.filter(|lane| !lane.exhausted && lane.running < lane.instances);
        waiting.map(|lane| lane.ready).min()
    }

    fn least_served(&self) -> Option<f64> {
        let lanes = self.lanes.iter().filter(|lane| !lane.exhausted);
        lanes.map(|lane| lane.served).min_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn on(cores: usize) -> Scheduler {
        Scheduler::new(Budget {
            cores,
            memory: None,
        })
    }

    /// Runs one worker for some seconds, with jobs of a second. Returns the slices of each lane and
    /// the jobs.
    fn simulate(scheduler: &mut Scheduler, seconds: u64, lucky: Option<LaneId>) -> (Vec<u64>, u64) {
        let mut slices = vec![0; scheduler.lanes.len()];
        let mut jobs = 0;
        for second in 0..seconds {
            match scheduler.pick(Duration::from_secs(second)) {
                Pick::Fuzz(lane) => {
                    slices[lane.0] += 1;
                    scheduler.end_slice(lane, SECOND, u64::from(lucky == Some(lane)));
                }
                Pick::Job(job) => {
                    jobs += 1;
                    scheduler.end_job(job, SECOND);
                }
                Pick::Wait(_) | Pick::Nothing => {}
            }
        }
        (slices, jobs)
    }

    #[test]
    fn reductions_get_half_of_the_time_while_there_are_any() {
        let mut scheduler = on(1);
        scheduler.add_lane(1.0, 1, 0);
        scheduler.add_lane(1.0, 1, 0);
        simulate(&mut scheduler, 1000, None);
        for id in 0..50 {
            scheduler.add_job(JobId(id), JobKind::Reduce, false, 0);
        }
        let (slices, jobs) = simulate(&mut scheduler, 60, None);
        assert_eq!((slices, jobs), (vec![15, 15], 30));
    }

    #[test]
    fn a_generator_that_finds_issues_gets_up_to_five_times_its_share() {
        let mut scheduler = on(1);
        let lucky = scheduler.add_lane(1.0, 1, 0);
        scheduler.add_lane(1.0, 1, 0);
        let (slices, _) = simulate(&mut scheduler, 6000, Some(lucky));
        assert!((4900..=5000).contains(&slices[0]), "{slices:?}");
    }

    #[test]
    fn a_share_that_luck_has_raised_falls_again() {
        let mut scheduler = on(1);
        let lucky = scheduler.add_lane(1.0, 1, 0);
        scheduler.add_lane(1.0, 1, 0);
        simulate(&mut scheduler, 100, Some(lucky));
        simulate(&mut scheduler, 20_000, None);
        let (slices, _) = simulate(&mut scheduler, 1000, None);
        assert!(slices[0].abs_diff(500) <= 5, "{slices:?}");
    }

    #[test]
    fn no_reduction_begins_before_the_tests_of_a_job_that_comes_first() {
        let mut scheduler = on(1);
        let first = scheduler.add_lane(1.0, 1, 0);
        scheduler.put_first(first);
        for id in 0..3 {
            scheduler.add_job(JobId(id), JobKind::Reduce, false, 0);
        }
        assert_eq!(simulate(&mut scheduler, 60, None), (vec![60], 0));
        // A test that is still running does not keep other cores from reductions.
        let mut scheduler = Scheduler {
            budget: Budget {
                cores: 2,
                memory: None,
            },
            ..scheduler
        };
        assert_eq!(scheduler.pick(SECOND), Pick::Fuzz(first));
        assert_eq!(scheduler.pick(SECOND), Pick::Job(JobId(0)));
        scheduler.end_slice(first, SECOND, 0);
        assert_eq!(scheduler.pick(SECOND), Pick::Fuzz(first));
        scheduler.end_slice(first, SECOND, 0);
        scheduler.exhaust(first);
        assert_eq!(scheduler.pick(SECOND), Pick::Job(JobId(1)));
    }

    #[test]
    fn the_most_valuable_reduction_comes_first() {
        let mut scheduler = on(1);
        for (id, value) in [
            (0, (Severity::Low, 9)),
            (1, (Severity::High, 1)),
            (2, (Severity::High, 2)),
            (3, (Severity::High, 2)),
        ] {
            scheduler.add_job(JobId(id), JobKind::Reduce, false, 0);
            scheduler.set_values(|job| (job == JobId(id)).then_some(value));
        }
        for id in [2, 3, 1, 0] {
            assert_eq!(scheduler.pick(SECOND), Pick::Job(JobId(id)));
            scheduler.end_job(JobId(id), SECOND);
        }
    }

    #[test]
    fn an_update_runs_alone() {
        let mut scheduler = on(2);
        let lane = scheduler.add_lane(1.0, 2, 0);
        assert_eq!(scheduler.pick(SECOND), Pick::Fuzz(lane));
        scheduler.add_job(JobId(1), JobKind::Update, false, 0);
        assert_eq!(scheduler.pick(SECOND), Pick::Wait(None));
        scheduler.end_slice(lane, SECOND, 0);
        assert_eq!(scheduler.pick(SECOND), Pick::Job(JobId(1)));
        assert_eq!(scheduler.pick(SECOND), Pick::Wait(None));
        scheduler.end_job(JobId(1), SECOND);
        assert_eq!(scheduler.pick(SECOND), Pick::Fuzz(lane));
    }

    #[test]
    fn jobs_of_the_user_come_first_and_validations_before_reductions() {
        let mut scheduler = on(1);
        scheduler.add_lane(1.0, 1, 0);
        scheduler.add_job(JobId(1), JobKind::Reduce, false, 0);
        scheduler.add_job(JobId(2), JobKind::Validate, false, 0);
        scheduler.add_job(JobId(3), JobKind::Reduce, true, 0);
        let mut order = vec![];
        for _ in 0..3 {
            let Pick::Job(job) = scheduler.pick(SECOND) else {
                break;
            };
            order.push(job.0);
            scheduler.end_job(job, Duration::ZERO);
        }
        assert_eq!(order, [3, 2, 1]);
    }

    #[test]
    fn memory_bounds_the_jobs_that_run_together() {
        let mut scheduler = Scheduler::new(Budget {
            cores: 4,
            memory: Some(100),
        });
        let lane = scheduler.add_lane(1.0, 4, 60);
        assert_eq!(scheduler.pick(SECOND), Pick::Fuzz(lane));
        assert_eq!(scheduler.pick(SECOND), Pick::Wait(Some(Duration::ZERO)));
        scheduler.end_slice(lane, SECOND, 0);
        scheduler.add_job(JobId(1), JobKind::Validate, false, 500);
        assert_eq!(scheduler.pick(SECOND), Pick::Job(JobId(1)));
    }

    #[test]
    fn a_campaign_without_jobs_has_nothing_to_do() {
        let mut scheduler = on(2);
        assert_eq!(scheduler.pick(SECOND), Pick::Nothing);
        let lane = scheduler.add_lane(1.0, 1, 0);
        scheduler.delay(lane, SECOND * 5);
        assert_eq!(scheduler.pick(SECOND), Pick::Wait(Some(SECOND * 5)));
        scheduler.exhaust(lane);
        assert_eq!(scheduler.pick(SECOND), Pick::Nothing);
    }
}
