use crate::action::{Common, Template};
use crate::address::Access;
use crate::client::Client;
use crate::dispatch::{Shared, dispatch};
use crate::error::RemoteError;
use crate::job::{Job, Place};
use crate::queue::Queue;
use crate::repeats::Repeats;
use crate::travel;
use nubbin_oracle::{
    CommandOracle, Keep, PlaceCounts, Run, RunError, RunRequest, Runner, TestCommand,
};
use nubbin_verdict::{Ask, Cancel, Candidate, Fault, Oracle, Unresolved, Verdict};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The largest number of tests in an action. More would delay their verdicts too much.
const MOST_TESTS: usize = 128;
/// The largest number of tests at the same time: callers have a thread for each.
const MOST_JOBS: usize = 1024;
/// The time limits of tests, unless the user sets one. Two users have the same one in spite of
/// small differences between their machines, and so the same actions.
const TIME_LIMITS: [u64; 4] = [8, 32, 128, 300];
/// The number of tests with exit code 126 or 127 that are repeated on this machine. If all agree,
/// the code comes from the candidates.
const REPEATED: u32 = 4;

/// The settings of a [`RemoteOracle`]. [`Options::new`] gives the defaults.
pub struct Options {
    /// The address of the farm, and the access to it.
    pub access: Access,
    /// Files and folders of this machine that tests need. On the worker they have the same path
    /// below the root of the input, and words of the command that name them are changed
    /// accordingly. The program of the test and the files that its words name are added
    /// automatically, unless they belong to the system.
    pub inputs: Vec<PathBuf>,
    /// Commands for [`Runner::observe_request`] other than the oracle's command. The files that
    /// they name are sent as well.
    pub others: Vec<TestCommand>,
    /// Properties that the worker must have.
    pub platform: Vec<(String, String)>,
    /// The number of tests that run on this machine at the same time; may be 0.
    pub here: usize,
    /// The number of actions that run on the farm at the same time.
    pub there: usize,
    /// The maximum number of tests in an action, 128 by default. An action has enough tests to run
    /// for half a second.
    pub most_tests: usize,
    /// The time limit of a test; `None` to derive it from the time of the original's test.
    pub time_limit: Option<Duration>,
    /// The time of the original's test on this machine; zero if it is unknown.
    pub first_time: Duration,
    /// Receives messages for the user while tests run, on any thread.
    pub say: Box<dyn Fn(&str) + Send + Sync>,
}

impl Options {
    /// Returns the defaults: no slots on this machine, and one slot on the farm.
    pub fn new(access: Access) -> Self {
        Options {
            access,
            inputs: vec![],
            others: vec![],
            platform: vec![],
            here: 0,
            there: 1,
            most_tests: MOST_TESTS,
            time_limit: None,
            first_time: Duration::ZERO,
            say: Box::new(|_| {}),
        }
    }
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("access", &self.access)
            .field("inputs", &self.inputs)
            .field("here", &self.here)
            .field("there", &self.there)
            .finish_non_exhaustive()
    }
}

/// An oracle that runs the tests of a [`CommandOracle`] on a farm and on this machine.
///
/// A test is the same everywhere: the conditions are checked on this machine, on the exit and the
/// outputs that a script on the worker has recorded. Only the surroundings differ: a test uses the
/// programs and libraries of the worker, and an environment with only PATH, HOME, LANG, and the
/// variables set with `--env`. [`RemoteOracle::check`] checks whether this makes a difference.
///
/// The farm is asked first for a stored result. Without one, the test waits for the first free slot
/// on this machine or on the farm, where short tests share an action. A farm that fails is not used
/// for a while; meanwhile tests run on this machine, or wait if it has no slots. A failure of the
/// farm is never a verdict.
pub struct RemoteOracle {
    local: Arc<CommandOracle>,
    shared: Arc<Shared>,
    inputs: Vec<PathBuf>,
    platform: Vec<(String, String)>,
    common: Mutex<Arc<Common>>,
    time_limit: Duration,
    here: usize,
    there: usize,
    jobs: usize,
    templates: Mutex<Vec<(TestCommand, Keep, Arc<Template>)>>,
    repeats: Mutex<Repeats>,
    /// The number of repeated tests with exit code 126 or 127 that had it again.
    agreed: AtomicU32,
    say_lacks: std::sync::Once,
    say: Arc<dyn Fn(&str) + Send + Sync>,
    close: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl RemoteOracle {
    /// Connects to the farm and reads the files that are sent.
    ///
    /// # Errors
    /// Returns [`RemoteError`] if the farm cannot be reached or cannot run tests, or a file cannot
    /// be read.
    pub fn new(local: &Arc<CommandOracle>, options: Options) -> Result<Self, RemoteError> {
        let failed = |error: std::io::Error| RemoteError::Failed {
            why: format!("cannot start a thread: {error}"),
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(failed)?;
        let client = runtime.block_on(Client::connect(&options.access))?;
        let inputs = travel::inputs(local, &options.others, &options.inputs);
        let common = Arc::new(Common::new(local, &inputs, &options.platform)?);
        let (here, there) = (options.here, options.there.max(1));
        let queue = Queue::new(here, there, options.first_time, options.most_tests);
        // If there are more threads than slots, there are enough tests to bundle.
        let bundle = match options.first_time {
            Duration::ZERO => 1,
            _ => queue.bundle(),
        };
        let jobs = (here + there * bundle).min(MOST_JOBS);
        let say: Arc<dyn Fn(&str) + Send + Sync> = Arc::from(options.say);
        let said = Arc::clone(&say);
        let handle = runtime.handle().clone();
        let shared = Shared::new(
            client,
            queue,
            here > 0,
            Box::new(move |text| said(text)),
            handle,
        );
        let (close, closed) = oneshot::channel();
        let thread = std::thread::Builder::new().name("farm".into()).spawn({
            let shared = Arc::clone(&shared);
            move || {
                runtime.block_on(dispatch(shared, closed));
                runtime.shutdown_background();
            }
        });
        let oracle = RemoteOracle {
            local: Arc::clone(local),
            shared,
            inputs,
            platform: options.platform,
            common: Mutex::new(common),
            time_limit: options
                .time_limit
                .unwrap_or_else(|| time_limit(options.first_time)),
            here,
            there,
            jobs,
            templates: Mutex::default(),
            repeats: Mutex::default(),
            agreed: AtomicU32::new(0),
            say_lacks: std::sync::Once::new(),
            say,
            close: Some(close),
            thread: Some(thread.map_err(failed)?),
        };
        Ok(oracle)
    }

    /// Returns the number of tests that the engine should run at the same time. This number is
    /// larger than the number of slots if short tests share actions.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// Returns the size in bytes of the files that are sent to the farm, without the candidates.
    pub fn sent_bytes(&self) -> usize {
        self.common().size()
    }

    /// Returns the numbers of tests so far, by machine.
    pub fn counts(&self) -> PlaceCounts {
        let counters = &self.shared.counters;
        PlaceCounts {
            here: counters.here.load(Ordering::Relaxed),
            there: counters.there.load(Ordering::Relaxed),
            known: counters.known.load(Ordering::Relaxed),
            actions: counters.actions.load(Ordering::Relaxed),
        }
    }

    pub(crate) fn local(&self) -> &CommandOracle {
        &self.local
    }

    /// Runs a command in the first free slot.
    fn run(&self, test: &Test<'_>) -> Result<Run, RunError> {
        let slot = self.shared.queue().take_unasked();
        if let Some(slot) = slot {
            return self.run_here(slot, test);
        }
        let elsewhere = |error: RemoteError| RunError::Elsewhere(Box::new(error));
        let template = self.template(test.command, test.keep);
        let packed = template.pack(test.candidate, &self.local);
        let packed = packed.map_err(elsewhere)?;
        let first = template.action(&[&packed], 0, true);
        let hash = first.digest.hash.clone();
        let salt = self.repeats().of(&hash);
        let alone = match salt {
            0 => first,
            // A repeated test must run again, and must not be answered from the cache.
            salt => template.action(&[&packed], salt, true),
        };
        let job = Arc::new(Job::new(template, packed, alone));
        job.is_anew.store(test.is_anew, Ordering::Relaxed);
        let cancelled = Arc::clone(&job);
        let _guard = test.cancel.on_cancel(move || cancelled.cancel());
        self.shared.submit(Arc::clone(&job));
        let answer = match job.wait() {
            Place::Here(slot) if test.cancel.is_cancelled() => {
                self.shared.queue().free_here(slot, None);
                return Ok(Run::cancelled());
            }
            Place::Here(slot) => return self.run_here(slot, test),
            Place::Waiting | Place::Left => return Ok(Run::cancelled()),
            Place::Done(answer) => answer,
        };
        self.repeats().count(hash);
        let run = match answer {
            Ok(answer) => answer.report.run(
                test.keep,
                self.time_limit,
                answer.elapsed,
                names(test.candidate),
            ),
            // The test ran twice, each time for longer than its limit.
            Err(RemoteError::TooLong(_)) => Run {
                cut_short: Some(Unresolved::TimedOut(self.time_limit)),
                ..Run::cancelled()
            },
            // The candidate may be one that no worker can run.
            Err(RemoteError::Worker { .. }) => return self.run_beside(test),
            Err(error) => return Err(elsewhere(error)),
        };
        match self.is_doubtful(&run) {
            true => self.confirm(run, test),
            false => Ok(run),
        }
    }

    /// Runs a test in a slot of this machine.
    fn run_here(&self, slot: usize, test: &Test<'_>) -> Result<Run, RunError> {
        let begin = Instant::now();
        let run = self.run_in(slot, test);
        let is_whole = run.as_ref().is_ok_and(|run| run.cut_short.is_none());
        let time = is_whole.then(|| begin.elapsed());
        self.shared.queue().free_here(slot, time);
        run
    }

    /// Runs a test that the farm cannot decide on this machine, without its own slot.
    fn run_beside(&self, test: &Test<'_>) -> Result<Run, RunError> {
        self.run_in(0, test)
    }

    fn run_in(&self, slot: usize, test: &Test<'_>) -> Result<Run, RunError> {
        let ask = Ask {
            slot,
            cancel: test.cancel.clone(),
        };
        self.shared.counters.here.fetch_add(1, Ordering::Relaxed);
        self.local
            .run_once(test.command, test.candidate, &ask, test.keep)
    }

    /// Returns whether the exit of a run may come from a worker that lacks the program.
    fn is_doubtful(&self, run: &Run) -> bool {
        self.local.predicate().could_not_run(run) && self.agreed.load(Ordering::Relaxed) < REPEATED
    }

    /// Repeats a doubtful test on this machine, which has the program.
    fn confirm(&self, there: Run, test: &Test<'_>) -> Result<Run, RunError> {
        let here = self.run_beside(test)?;
        if here.exit == there.exit {
            self.agreed.fetch_add(1, Ordering::Relaxed);
        } else if here.cut_short.is_none() {
            self.say_lacks.call_once(|| {
                (self.say)(
                    "a worker lacks the program of the test: exit code 126 or 127 there, another \
                     here; such tests are repeated on this machine",
                );
            });
        }
        Ok(here)
    }

    /// Runs a command on the farm alone, and returns nothing if it was canceled.
    pub(crate) fn run_there(
        &self,
        command: &TestCommand,
        candidate: &Candidate<'_>,
        cancel: &Cancel,
    ) -> Result<Run, RemoteError> {
        let template = self.template(command, Keep::BOTH);
        let packed = template.pack(candidate, &self.local)?;
        let alone = template.action(&[&packed], 0, true);
        let job = Arc::new(Job::new(template, packed, alone));
        let cancelled = Arc::clone(&job);
        let _guard = cancel.on_cancel(move || cancelled.cancel());
        self.shared.run_alone(Arc::clone(&job));
        match job.wait() {
            Place::Done(answer) => {
                let (answer, limit) = (answer?, self.time_limit);
                let names = names(candidate);
                Ok(answer.report.run(Keep::BOTH, limit, answer.elapsed, names))
            }
            _ => Err(RemoteError::Stopped),
        }
    }

    fn template(&self, command: &TestCommand, keep: Keep) -> Arc<Template> {
        let mut templates = self
            .templates
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let known = templates
            .iter()
            .find(|(of, with, _)| of == command && *with == keep);
        if let Some((.., template)) = known {
            return Arc::clone(template);
        }
        let common = self.common();
        let made = common.template(&self.local, command, keep, self.time_limit);
        let made = Arc::new(made);
        templates.push((command.clone(), keep, Arc::clone(&made)));
        made
    }

    fn common(&self) -> Arc<Common> {
        let common = self.common.lock();
        Arc::clone(&common.unwrap_or_else(PoisonError::into_inner))
    }

    fn repeats(&self) -> MutexGuard<'_, Repeats> {
        self.repeats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A test that is to be run somewhere.
struct Test<'a> {
    command: &'a TestCommand,
    candidate: &'a Candidate<'a>,
    cancel: &'a Cancel,
    keep: Keep,
    is_anew: bool,
}

impl Oracle for RemoteOracle {
    fn judge(&self, candidate: &Candidate<'_>, ask: &Ask) -> Result<Verdict, Fault> {
        let run = |command: &TestCommand, keep| {
            self.run(&Test {
                command,
                candidate,
                cancel: &ask.cancel,
                keep,
                is_anew: false,
            })
        };
        let judged = self.local.judge_through(candidate, ask, &run);
        judged.map_err(Fault::new)
    }
}

impl Runner for RemoteOracle {
    fn observe_request(&self, request: &RunRequest<'_>) -> Result<Run, RunError> {
        let test = Test {
            command: request.command,
            candidate: request.candidate,
            cancel: request.cancel,
            keep: Keep::BOTH,
            is_anew: request.is_anew,
        };
        self.local.repeat_if_killed(|| self.run(&test))
    }

    /// Returns as many tests as fill all slots, with several tests in an action if they are short.
    /// While the farm is not used, it returns one.
    fn at_once(&self, callers: usize) -> usize {
        let queue = self.shared.queue();
        match queue.rest {
            None => {
                let all = self.here + self.there * queue.bundle();
                all.clamp(1, MOST_JOBS).div_ceil(callers.max(1))
            }
            Some(_) => 1,
        }
    }

    fn refresh(&self) -> Result<(), RunError> {
        let elsewhere = |error: RemoteError| RunError::Elsewhere(Box::new(error));
        let read = Common::new(&self.local, &self.inputs, &self.platform).map_err(elsewhere)?;
        let mut templates = self
            .templates
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut common = self.common.lock().unwrap_or_else(PoisonError::into_inner);
        *common = Arc::new(read);
        templates.clear();
        Ok(())
    }

    fn place_counts(&self) -> Option<PlaceCounts> {
        Some(self.counts())
    }
}

fn names(candidate: &Candidate<'_>) -> Vec<PathBuf> {
    let files = candidate.files().iter();
    files.map(|file| file.name.to_owned()).collect()
}

impl Drop for RemoteOracle {
    fn drop(&mut self) {
        if let Some(close) = self.close.take() {
            // If the send fails, the thread has already ended.
            let _ = close.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl std::fmt::Debug for RemoteOracle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RemoteOracle")
            .field("counts", &self.counts())
            .field("jobs", &self.jobs)
            .finish_non_exhaustive()
    }
}

/// Returns the time limit of tests whose original took the given time.
fn time_limit(first: Duration) -> Duration {
    let enough = (first * 10).max(Duration::from_secs(5));
    let limits = TIME_LIMITS.map(Duration::from_secs);
    let fits = limits.into_iter().find(|limit| *limit >= enough);
    fits.unwrap_or(limits[3])
}
