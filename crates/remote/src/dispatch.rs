//! The side of the farm: takes tests from the queue, runs them as actions, and copes with faults.

use crate::action::{Action, Packed, Template};
use crate::blob;
use crate::client::{Client, Executed};
use crate::error::{Remedy, RemoteError, remedy};
use crate::job::{self, Answer, Job, Place, Running};
use crate::queue::{Queue, Rest};
use crate::script::Report;
use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::protobuf::Timestamp;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, oneshot};
use tonic::{Code, Status};

/// The time that an action waits for more tests, if it is to have several.
const GATHERING: Duration = Duration::from_millis(10);
/// The pauses after which a failed call is repeated, before the farm is left alone for a while.
const PAUSES: [Duration; 3] = [
    Duration::from_millis(100),
    Duration::from_millis(400),
    Duration::from_millis(1000),
];
/// The shortest and the longest time for which a farm that fails is left alone.
const FIRST_REST: Duration = Duration::from_secs(1);
const LONGEST_REST: Duration = Duration::from_secs(15);
/// The number of times that lost blobs are sent again for one action.
const SENT_AGAIN: usize = 3;
/// The time for which the end of a run waits until running actions are canceled.
const CANCELLING: Duration = Duration::from_secs(3);
/// The number of actions with a single test that failed because of a worker, after which the farm
/// no longer runs the test.
const MOST_BROKEN: usize = 2;
/// The largest report that is kept to be found again without the farm.
const MAX_KEPT_BYTES: usize = 4096;
/// The number of reports that are kept.
const MOST_REPORTS: usize = 4096;

/// Prints a message for the user while tests run.
pub(crate) type Say = dyn Fn(&str) + Send + Sync;

/// The number of tests and calls of a run, for its report.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) here: AtomicU64,
    pub(crate) there: AtomicU64,
    pub(crate) known: AtomicU64,
    pub(crate) actions: AtomicU64,
}

/// The state that is shared by the threads with tests and the thread that communicates with the
/// farm.
pub(crate) struct Shared {
    pub(crate) client: Client,
    queue: Mutex<Queue>,
    wake: Notify,
    has_slots_here: bool,
    cannot_cancel: AtomicBool,
    cannot_store: AtomicBool,
    is_closing: AtomicBool,
    /// The number of actions and of results that are being stored.
    busy: AtomicUsize,
    say: Box<Say>,
    pub(crate) counters: Counters,
    /// Small reports, which most tests share, by their hash.
    reports: Mutex<HashMap<String, Vec<u8>>>,
    runtime: tokio::runtime::Handle,
}

impl Shared {
    pub(crate) fn new(
        client: Client,
        queue: Queue,
        has_slots_here: bool,
        say: Box<Say>,
        runtime: tokio::runtime::Handle,
    ) -> Arc<Self> {
        let stores = client.stores_results();
        Arc::new(Shared {
            client,
            queue: Mutex::new(queue),
            wake: Notify::new(),
            has_slots_here,
            cannot_cancel: AtomicBool::new(false),
            cannot_store: AtomicBool::new(!stores),
            is_closing: AtomicBool::new(false),
            busy: AtomicUsize::new(0),
            say,
            counters: Counters::default(),
            reports: Mutex::default(),
            runtime,
        })
    }

    pub(crate) fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a test. The dispatcher looks the test up first. Then the test waits for a slot of this
    /// machine or of the farm.
    pub(crate) fn submit(self: &Arc<Self>, job: Arc<Job>) {
        if self.queue().rest.is_some() || job.is_anew.load(Ordering::Relaxed) {
            self.enqueue(job);
            return;
        }
        let shared = Arc::clone(self);
        self.runtime.spawn(async move {
            if !shared.look_up(&job).await {
                shared.enqueue(job);
            }
        });
    }

    /// Runs a test on the farm or not at all, and reports every failure.
    pub(crate) fn run_alone(self: &Arc<Self>, job: Arc<Job>) {
        let busy = Busy::new(self);
        let shared = Arc::clone(self);
        self.runtime.spawn(async move {
            let _busy = busy;
            if shared.look_up(&job).await {
                return;
            }
            let jobs = [Arc::clone(&job)];
            let running = job::begin(&jobs);
            let (template, action) = (&job.template, &job.alone);
            let ended = attempts(&shared, template, action, &[&job.packed], &jobs, &running).await;
            job::end(&jobs);
            let answer = match ended {
                Ok(None) => Err(RemoteError::Stopped),
                Err((_, error)) => Err(error),
                Ok(Some(executed)) => {
                    let result = &executed.result;
                    match shared.report(result, &action.outputs[0]).await {
                        Ok(Some(report)) => Ok(Answer {
                            report,
                            elapsed: time_of(result).unwrap_or_default(),
                        }),
                        Ok(None) => Err(RemoteError::Worker {
                            why: "the action has no result".to_owned(),
                        }),
                        Err(status) => Err(RemoteError::of(&status)),
                    }
                }
            };
            job.give(Place::Done(answer));
        });
    }

    fn enqueue(&self, job: Arc<Job>) {
        if self.queue().add(job) {
            self.wake.notify_one();
        }
    }

    /// Ends the actions that still run, and waits a limited time for their end.
    pub(crate) async fn close(&self) {
        self.is_closing.store(true, Ordering::Release);
        self.wake.notify_one();
        let begin = Instant::now();
        while self.busy.load(Ordering::Acquire) > 0
            && !self.cannot_cancel.load(Ordering::Acquire)
            && begin.elapsed() < CANCELLING
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Asks the farm's cache for a test. Returns whether the test is over.
    async fn look_up(&self, job: &Job) -> bool {
        if job.is_cancelled() {
            return true;
        }
        let begin = Instant::now();
        let output = &job.alone.outputs[0];
        let known = self.client.known(&job.alone.digest, output).await;
        self.queue().learn_question(begin.elapsed());
        // If the query fails, the action runs, which retries for longer.
        let Ok(Some(result)) = known else {
            return false;
        };
        let report = match result.exit_code {
            0 => self.report(&result, output).await,
            _ => Ok(None),
        };
        let Ok(Some(report)) = report else {
            // The farm must not answer this action with the same cached result.
            job.is_anew.store(true, Ordering::Relaxed);
            return false;
        };
        if report.is_out_of_time() {
            // The result may be the fault of an overloaded worker.
            job.is_anew.store(true, Ordering::Relaxed);
            return false;
        }
        self.counters.known.fetch_add(1, Ordering::Relaxed);
        let elapsed = time_of(&result).unwrap_or_default();
        job.give(Place::Done(Ok(Answer { report, elapsed })));
        true
    }

    /// Reads the end of a test; `None` if the action did not get that far.
    async fn report(
        &self,
        result: &reapi::ActionResult,
        output: &str,
    ) -> Result<Option<Report>, Status> {
        let Some(file) = result.output_files.iter().find(|file| file.path == output) else {
            return Ok(None);
        };
        let digest = file.digest.clone().unwrap_or_default();
        let damaged = || Status::data_loss("the end of a test is damaged");
        let known = self.reports().get(&digest.hash).cloned();
        let bytes = match known {
            Some(bytes) => bytes,
            None if !file.contents.is_empty() => {
                if blob::digest(&file.contents) != digest {
                    return Err(damaged());
                }
                file.contents.clone()
            }
            None => self.client.read(&digest).await?,
        };
        let report = Report::read(&bytes).ok_or_else(damaged)?;
        if bytes.len() <= MAX_KEPT_BYTES {
            let mut reports = self.reports();
            // A run may take weeks, so the number of stored reports is limited.
            if reports.len() >= MOST_REPORTS {
                reports.clear();
            }
            reports.insert(digest.hash, bytes);
        }
        Ok(Some(report))
    }

    fn reports(&self) -> MutexGuard<'_, HashMap<String, Vec<u8>>> {
        self.reports.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops using the farm for a while: tests run on this machine, or wait.
    fn rest(&self, why: &RemoteError) {
        let mut queue = self.queue();
        if queue.rest.is_none() {
            queue.rest = Some(Rest {
                until: Instant::now() + FIRST_REST,
                pause: FIRST_REST,
            });
            let then = match self.has_slots_here {
                true => "tests run on this machine meanwhile",
                false => "waiting for it (Ctrl-C stops the run)",
            };
            (self.say)(&format!("{why}; {then}"));
        }
        queue.fill_here();
        drop(queue);
        self.wake.notify_one();
    }

    /// Asks whether the farm is back, once the time to rest is over.
    async fn wake_up(&self, rest: Rest) {
        tokio::time::sleep_until(rest.until.into()).await;
        // The cause may have been the token.
        let _ = self.client.new_token().await;
        let answer = self.client.capabilities().await;
        let mut queue = self.queue();
        match answer {
            Ok(_) => {
                queue.rest = None;
                drop(queue);
                // The farm may have been restarted without its blobs.
                self.client.forget();
                (self.say)("the farm answers again");
            }
            Err(_) => {
                let pause = (rest.pause * 2).min(LONGEST_REST);
                let until = Instant::now() + pause;
                queue.rest = Some(Rest { until, pause });
            }
        }
    }
}

/// Counts something that the end of a run waits for.
struct Busy(Arc<Shared>);

impl Busy {
    fn new(shared: &Arc<Shared>) -> Self {
        shared.busy.fetch_add(1, Ordering::AcqRel);
        Busy(Arc::clone(shared))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Begins actions for waiting tests as long as the run lasts.
pub(crate) async fn dispatch(shared: Arc<Shared>, closed: oneshot::Receiver<()>) {
    let work = async {
        loop {
            let rest = shared.queue().rest;
            if let Some(rest) = rest {
                shared.wake_up(rest).await;
                continue;
            }
            let (is_ready, is_full) = shared.queue().is_ready();
            if !is_ready {
                shared.wake.notified().await;
                continue;
            }
            if !is_full {
                tokio::time::sleep(GATHERING).await;
            }
            let bundle = shared.queue().take_bundle();
            if !bundle.is_empty() {
                let busy = Busy::new(&shared);
                let shared = Arc::clone(&shared);
                tokio::spawn(async move {
                    let _busy = busy;
                    run(&shared, bundle).await;
                });
            }
        }
    };
    tokio::select! {
        () = work => {}
        _ = closed => shared.close().await,
    }
}

/// Runs the tests of one action to their ends, or puts them back.
async fn run(shared: &Arc<Shared>, jobs: Vec<Arc<Job>>) {
    let running = job::begin(&jobs);
    let template = &jobs[0].template;
    let packed: Vec<&Packed> = jobs.iter().map(|job| &job.packed).collect();
    let bundled;
    let action = match &jobs[..] {
        [job] => &job.alone,
        _ => {
            // The tests of the bundle are stored one by one, if the farm lets clients store
            // results. A cached result of the whole action would also answer a repeated test, which
            // must run again.
            bundled = template.action(&packed, 0, false);
            &bundled
        }
    };
    let begin = Instant::now();
    let ended = attempts(shared, template, action, &packed, &jobs, &running).await;
    job::end(&jobs);
    match ended {
        Ok(Some(executed)) => {
            shared.queue().learn_turn(begin.elapsed());
            deliver(shared, &jobs, action, &executed).await;
        }
        // The action was canceled, or its result is no longer wanted.
        Ok(None) => {}
        Err((Remedy::TooLong, _)) => match &jobs[..] {
            [job] if job.is_single.load(Ordering::Relaxed) => {
                job.give(Place::Done(Err(RemoteError::TooLong(action.limit))));
            }
            _ => {
                for job in &jobs {
                    job.is_single.store(true, Ordering::Relaxed);
                }
                put_back(shared, &jobs);
            }
        },
        Err((Remedy::Never, error)) if !shared.has_slots_here => {
            for job in &jobs {
                job.give(Place::Done(Err(error.clone())));
            }
        }
        Err((_, error @ RemoteError::Worker { .. })) => {
            put_back_broken(shared, &jobs, &error);
            shared.rest(&error);
        }
        Err((_, error)) => {
            put_back(shared, &jobs);
            shared.rest(&error);
        }
    }
    shared.queue().free_there();
    shared.wake.notify_one();
}

fn put_back(shared: &Shared, jobs: &[Arc<Job>]) {
    let mut queue = shared.queue();
    // The oldest job becomes the first one again.
    for job in jobs.iter().rev() {
        queue.put_back(Arc::clone(job));
    }
}

/// Puts tests whose action failed because of a worker back into the queue, each for a separate
/// action. A test that breaks its own actions as well may be the reason, and gets the error.
fn put_back_broken(shared: &Shared, jobs: &[Arc<Job>], error: &RemoteError) {
    for job in jobs {
        job.is_single.store(true, Ordering::Relaxed);
    }
    if let [job] = jobs
        && job.broken.fetch_add(1, Ordering::Relaxed) + 1 >= MOST_BROKEN
    {
        job.give(Place::Done(Err(error.clone())));
        return;
    }
    put_back(shared, jobs);
}

/// Runs an action, with everything that can be done about failures within a few seconds. Returns
/// `None` if no test of it is wanted any more.
async fn attempts(
    shared: &Shared,
    template: &Template,
    action: &Action,
    packed: &[&Packed],
    jobs: &[Arc<Job>],
    running: &Running,
) -> Result<Option<Executed>, (Remedy, RemoteError)> {
    let blobs = template.all_blobs(action, packed);
    let mut is_anew = jobs.iter().any(|job| job.is_anew.load(Ordering::Relaxed));
    let mut pauses = PAUSES.into_iter();
    let mut sent_again = 0;
    let mut had_token = false;
    loop {
        if jobs.iter().all(|job| job.is_cancelled()) {
            return Ok(None);
        }
        let tried = match shared.client.upload(&blobs).await {
            Ok(()) => once(shared, action, is_anew, running).await,
            Err(status) => Err(status),
        };
        let status = match tried {
            Ok(None) => return Ok(None),
            Ok(Some(executed)) if executed.result.exit_code == 0 => return Ok(Some(executed)),
            Ok(Some(executed)) => {
                let error = broken(shared, &executed).await;
                is_anew |= executed.was_cached;
                match pauses.next() {
                    // Another worker may be able to run the action.
                    Some(pause) => tokio::time::sleep(pause).await,
                    None => return Err((Remedy::TryAgain, error)),
                }
                continue;
            }
            Err(status) => status,
        };
        let mut remedy = remedy(&status);
        if remedy == Remedy::SendAgain {
            shared.client.forget();
            sent_again += 1;
            if sent_again <= SENT_AGAIN {
                continue;
            }
            remedy = Remedy::TryAgain;
        }
        if remedy == Remedy::NewToken && !had_token {
            had_token = true;
            match shared.client.new_token().await {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => return Err((remedy, error)),
            }
        }
        let pause = match remedy {
            Remedy::TryAgain => pauses.next(),
            _ => None,
        };
        match pause {
            Some(pause) => tokio::time::sleep(pause).await,
            None => return Err((remedy, RemoteError::of(&status))),
        }
    }
}

/// Runs an action once. When no test of it is wanted any more, it is canceled; on a farm that
/// cannot do so, its slot remains taken until its end, so that the farm does not get more actions
/// than it can run.
async fn once(
    shared: &Shared,
    action: &Action,
    is_anew: bool,
    running: &Running,
) -> Result<Option<Executed>, Status> {
    let name: Mutex<Option<String>> = Mutex::new(None);
    let has_begun = Notify::new();
    let lock = || name.lock().unwrap_or_else(PoisonError::into_inner);
    shared.counters.actions.fetch_add(1, Ordering::Relaxed);
    let outputs = action.outputs.clone();
    let execution = shared
        .client
        .execute(&action.digest, outputs, is_anew, |new| {
            *lock() = Some(new.to_owned());
            has_begun.notify_one();
        });
    tokio::pin!(execution);
    let (mut is_unwanted, mut is_asked) = (false, false);
    loop {
        tokio::select! {
            ended = &mut execution => {
                return match ended {
                    Err(_) if is_unwanted => Ok(None),
                    ended => ended.map(Some),
                };
            }
            () = running.unwanted.notified(), if !is_unwanted => is_unwanted = true,
            () = has_begun.notified() => {}
        }
        let begun = lock().clone();
        if let (true, false, Some(name)) = (is_unwanted, is_asked, begun)
            && !shared.cannot_cancel.load(Ordering::Acquire)
        {
            is_asked = true;
            match shared.client.cancel(&name).await {
                Err(status) if status.code() == Code::Unimplemented => {
                    shared.cannot_cancel.store(true, Ordering::Release);
                }
                _ => return Ok(None),
            }
        }
    }
}

/// Returns the error of an action whose script could not run the test.
async fn broken(shared: &Shared, executed: &Executed) -> RemoteError {
    let result = &executed.result;
    let stderr = match (&result.stderr_raw, &result.stderr_digest) {
        (raw, _) if !raw.is_empty() => raw.clone(),
        (_, Some(digest)) => shared.client.read(digest).await.unwrap_or_default(),
        (_, None) => vec![],
    };
    let stderr = String::from_utf8_lossy(&stderr).trim().to_owned();
    let code = result.exit_code;
    let why = match (stderr.is_empty(), executed.message.is_empty()) {
        (false, _) => format!("exit code {code}: {stderr}"),
        (true, false) => format!("exit code {code}: {}", executed.message),
        (true, true) => format!("exit code {code}, no output"),
    };
    RemoteError::Worker { why }
}

/// Hands the ends of tests to those who wait, and stores them for others.
async fn deliver(shared: &Arc<Shared>, jobs: &[Arc<Job>], action: &Action, executed: &Executed) {
    let result = &executed.result;
    let mut reports = vec![];
    for output in &action.outputs {
        reports.push(shared.report(result, output).await);
    }
    let count = reports
        .iter()
        .filter(|report| matches!(report, Ok(Some(_))))
        .count();
    let Some(count_of_tests) = u32::try_from(count).ok().filter(|&count| count > 0) else {
        let why = match reports.into_iter().find_map(Result::err) {
            Some(status) if status.code() == Code::DataLoss => RemoteError::Worker {
                why: status.message().to_owned(),
            },
            Some(status) => RemoteError::of(&status),
            None => RemoteError::Worker {
                why: "the action has no result".to_owned(),
            },
        };
        for job in jobs {
            // The farm must not answer again with an unreadable result.
            job.is_anew.store(true, Ordering::Relaxed);
        }
        match why {
            RemoteError::Worker { .. } => put_back_broken(shared, jobs, &why),
            _ => put_back(shared, jobs),
        }
        shared.rest(&why);
        return;
    };
    let all = time_of(result);
    if let (Some(all), false) = (all, executed.was_cached) {
        shared.queue().learn_there(all / count_of_tests);
    }
    // The time of each test is unknown. Time limits that follow from it must not be too short.
    let elapsed = all.unwrap_or_default();
    let counter = match executed.was_cached {
        true => &shared.counters.known,
        false => &shared.counters.there,
    };
    counter.fetch_add(count as u64, Ordering::Relaxed);
    let mut stored = vec![];
    for ((job, report), output) in jobs.iter().zip(reports).zip(&action.outputs) {
        let Ok(Some(report)) = report else {
            if report.is_err() {
                job.is_single.store(true, Ordering::Relaxed);
            }
            put_back(shared, std::slice::from_ref(job));
            continue;
        };
        let file = result.output_files.iter().find(|file| file.path == *output);
        if let (true, Some(file)) = (jobs.len() > 1 && !report.is_out_of_time(), file) {
            stored.push((job.alone.digest.clone(), alone(file, job)));
        }
        job.give(Place::Done(Ok(Answer { report, elapsed })));
    }
    if shared.cannot_store.load(Ordering::Relaxed) {
        return;
    }
    // Only the end of the run waits for these uploads.
    let busy = Busy::new(shared);
    let shared = Arc::clone(shared);
    tokio::spawn(async move {
        let _busy = busy;
        for (action, result) in stored {
            if let Err(status) = shared.client.store(action, result).await {
                let is_final = [Code::PermissionDenied, Code::Unimplemented];
                if is_final.contains(&status.code()) {
                    shared.cannot_store.store(true, Ordering::Relaxed);
                }
                return;
            }
        }
    });
}

/// Returns the result that the action of this test alone would have had.
fn alone(file: &reapi::OutputFile, job: &Job) -> reapi::ActionResult {
    reapi::ActionResult {
        output_files: vec![reapi::OutputFile {
            path: job.alone.outputs[0].clone(),
            contents: vec![],
            ..file.clone()
        }],
        ..Default::default()
    }
}

/// Returns the time that a worker took for an action, if the farm reports it.
fn time_of(result: &reapi::ActionResult) -> Option<Duration> {
    let meta = result.execution_metadata.as_ref()?;
    let since = |time: &Timestamp| {
        let seconds = u64::try_from(time.seconds).ok()?;
        Some(Duration::new(seconds, u32::try_from(time.nanos).ok()?))
    };
    let begin = since(meta.execution_start_timestamp.as_ref()?)?;
    let end = since(meta.execution_completed_timestamp.as_ref()?)?;
    end.checked_sub(begin)
}
