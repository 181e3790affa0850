use crate::action::{Common, Template};
use crate::address::Access;
use crate::client::Client;
use crate::dispatch::{Shared, dispatch};
use crate::error::RemoteError;
use crate::job::{Job, Place};
use crate::queue::Queue;
use crate::{check, travel};
use nubbin_oracle::{CommandOracle, Keep, Run, RunError, TestCommand};
use nubbin_verdict::{Ask, Cancel, Candidate, Fault, Oracle, Unresolved, Verdict};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The largest number of tests in an action. More would delay their verdicts too much.
const MOST_TESTS: usize = 128;
/// The largest number of tests at the same time: the engine has a thread for each.
const MOST_JOBS: usize = 1024;
/// The time limits of tests, unless the user sets one. Two users have the same one in spite of
/// small differences between their machines, and so the same actions.
const TIME_LIMITS: [u64; 4] = [8, 32, 128, 300];
/// The number of tests with exit code 126 or 127 that are repeated on this machine. If all agree,
/// the code comes from the candidates.
const REPEATED: u32 = 4;

/// The settings of a [`RemoteOracle`]. [`Options::new`] gives the defaults.
pub struct Options {
    /// The farm.
    pub access: Access,
    /// Files and folders of this machine that tests need. They lie on the worker at the same path
    /// below the root of the input, and words of the command that name them are changed
    /// accordingly. The program of the test and the files that its words name are added by
    /// themselves, unless they belong to the system.
    pub inputs: Vec<PathBuf>,
    /// Properties that the worker must have.
    pub platform: Vec<(String, String)>,
    /// The number of tests that run on this machine at the same time; may be 0.
    pub here: usize,
    /// The number of actions that run on the farm at the same time.
    pub there: usize,
    /// The largest number of tests in an action, 128 by default. An action has as many as make it
    /// run for half a second.
    pub most_tests: usize,
    /// The time limit of a test; `None` to derive it from the time of the original's test.
    pub time_limit: Option<Duration>,
    /// The time of the original's test on this machine, if it is known.
    pub first_time: Duration,
    /// Receives what the user should know while tests run, on any thread.
    pub say: Box<dyn Fn(&str) + Send + Sync>,
}

impl Options {
    /// Returns the defaults: no slots on this machine, one on the farm.
    pub fn new(access: Access) -> Self {
        Options {
            access,
            inputs: vec![],
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

/// Where the tests of a run were run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The tests that ran on this machine.
    pub here: u64,
    /// The tests that ran on the farm.
    pub there: u64,
    /// The tests whose results the farm knew.
    pub known: u64,
    /// The actions that the farm was asked for.
    pub actions: u64,
}

/// The oracle that runs the tests of a [`CommandOracle`] on a farm, and on this machine as well.
///
/// A test is the same everywhere: the conditions are checked here, on the exit and the outputs that
/// a script on the worker has written down. What differs is the surroundings, which are those of
/// the worker: its programs and libraries, and an environment that has PATH, HOME, LANG, and the
/// variables of `--env` only. [`RemoteOracle::check`] finds out whether that makes a difference.
///
/// The farm is asked first whether it knows a result. If it does not, the test waits for the first
/// free slot: one of this machine, or one of the farm, where short tests share an action. A farm
/// that fails is left alone for a while; meanwhile tests run here, or wait if there are no slots
/// here. A failure of the farm is never a verdict.
pub struct RemoteOracle<'o> {
    local: &'o CommandOracle,
    shared: Arc<Shared>,
    common: Arc<Common>,
    time_limit: Duration,
    jobs: usize,
    templates: Mutex<Vec<(TestCommand, Keep, Arc<Template>)>>,
    /// By action: how often it had an end in this run.
    asked: Mutex<HashMap<String, u32>>,
    /// The number of repeated tests with exit code 126 or 127 that had it again.
    agreed: AtomicU32,
    say_lacks: std::sync::Once,
    say: Arc<dyn Fn(&str) + Send + Sync>,
    close: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl<'o> RemoteOracle<'o> {
    /// Connects to the farm and reads the files that are sent.
    ///
    /// # Errors
    /// [`RemoteError`] if the farm cannot be reached or cannot run tests, or a file cannot be read.
    pub fn new(local: &'o CommandOracle, options: Options) -> Result<Self, RemoteError> {
        let failed = |error: std::io::Error| RemoteError::Failed {
            why: format!("cannot start a thread: {error}"),
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(failed)?;
        let client = runtime.block_on(Client::connect(&options.access))?;
        let inputs = travel::inputs(local, &options.inputs);
        let common = Arc::new(Common::new(local, &inputs, &options.platform)?);
        let (here, there) = (options.here, options.there.max(1));
        let queue = Queue::new(here, there, options.first_time, options.most_tests);
        // With more threads than slots, there are tests to fill the actions with.
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
            local,
            shared,
            common,
            time_limit: options
                .time_limit
                .unwrap_or_else(|| time_limit(options.first_time)),
            jobs,
            templates: Mutex::default(),
            asked: Mutex::default(),
            agreed: AtomicU32::new(0),
            say_lacks: std::sync::Once::new(),
            say,
            close: Some(close),
            thread: Some(thread.map_err(failed)?),
        };
        Ok(oracle)
    }

    /// Checks that tests have the same verdicts on a worker as on this machine: one that prints and
    /// is killed, the original, and an empty input.
    ///
    /// # Errors
    /// [`RemoteError::Differs`] with what the worker lacks, as far as that can be told, and other
    /// errors of the farm.
    pub fn check(&self, original: &Candidate<'_>, cancel: &Cancel) -> Result<(), RemoteError> {
        check::check(self, original, cancel)
    }

    /// The number of tests that the engine should have at the same time: more than there are slots
    /// if short tests share actions.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// The size of what is sent to the farm beside the candidates, in bytes.
    pub fn sent_bytes(&self) -> usize {
        self.common.size()
    }

    /// Returns where tests were run so far.
    pub fn counts(&self) -> Counts {
        let counters = &self.shared.counters;
        Counts {
            here: counters.here.load(Ordering::Relaxed),
            there: counters.there.load(Ordering::Relaxed),
            known: counters.known.load(Ordering::Relaxed),
            actions: counters.actions.load(Ordering::Relaxed),
        }
    }

    pub(crate) fn local(&self) -> &CommandOracle {
        self.local
    }

    fn run(
        &self,
        command: &TestCommand,
        candidate: &Candidate<'_>,
        ask: &Ask,
        keep: Keep,
    ) -> Result<Run, RunError> {
        let slot = self.shared.queue().take_unasked();
        if let Some(slot) = slot {
            return self.run_here(slot, command, candidate, ask, keep);
        }
        let elsewhere = |error: RemoteError| RunError::Elsewhere(Box::new(error));
        let template = self.template(command, keep);
        let packed = template.pack(candidate, self.local).map_err(elsewhere)?;
        let first = template.action(&[&packed], 0, true);
        let hash = first.digest.hash.clone();
        let salt = self.asked().get(&hash).copied().unwrap_or(0);
        let alone = match salt {
            0 => first,
            // A repeated test must run again, and not be answered from the cache.
            salt => template.action(&[&packed], salt, true),
        };
        let job = Arc::new(Job::new(template, packed, alone));
        let cancelled = Arc::clone(&job);
        let _guard = ask.cancel.on_cancel(move || cancelled.cancel());
        self.shared.submit(Arc::clone(&job));
        let answer = match job.wait() {
            Place::Here(slot) if ask.cancel.is_cancelled() => {
                self.shared.queue().free_here(slot, None);
                return Ok(Run::cancelled());
            }
            Place::Here(slot) => return self.run_here(slot, command, candidate, ask, keep),
            Place::Waiting | Place::Left => return Ok(Run::cancelled()),
            Place::Done(answer) => answer,
        };
        *self.asked().entry(hash).or_insert(0) += 1;
        let inputs = candidate.files().iter().map(|file| file.name.to_owned());
        let inputs = inputs.collect();
        let run = match answer {
            Ok(answer) => answer
                .report
                .run(keep, self.time_limit, answer.elapsed, inputs),
            // Twice, each time for longer than the limit of a test.
            Err(RemoteError::TooLong(_)) => Run {
                cut_short: Some(Unresolved::TimedOut(self.time_limit)),
                ..Run::cancelled()
            },
            // It may be the candidate that no worker can cope with.
            Err(RemoteError::Worker { .. }) => {
                self.shared.counters.here.fetch_add(1, Ordering::Relaxed);
                let here = Ask {
                    slot: 0,
                    cancel: ask.cancel.clone(),
                };
                return self.local.run_once(command, candidate, &here, keep);
            }
            Err(error) => return Err(elsewhere(error)),
        };
        match self.is_doubtful(&run) {
            true => self.confirm(run, command, candidate, ask, keep),
            false => Ok(run),
        }
    }

    /// Runs a test in a slot of this machine.
    fn run_here(
        &self,
        slot: usize,
        command: &TestCommand,
        candidate: &Candidate<'_>,
        ask: &Ask,
        keep: Keep,
    ) -> Result<Run, RunError> {
        let here = Ask {
            slot,
            cancel: ask.cancel.clone(),
        };
        let begin = Instant::now();
        let run = self.local.run_once(command, candidate, &here, keep);
        let is_whole = run.as_ref().is_ok_and(|run| run.cut_short.is_none());
        let time = is_whole.then(|| begin.elapsed());
        self.shared.queue().free_here(slot, time);
        self.shared.counters.here.fetch_add(1, Ordering::Relaxed);
        run
    }

    /// Whether the exit of a run may come from a worker that lacks the program.
    fn is_doubtful(&self, run: &Run) -> bool {
        self.local.predicate().could_not_run(run) && self.agreed.load(Ordering::Relaxed) < REPEATED
    }

    /// Repeats a doubtful test on this machine, which has the program.
    fn confirm(
        &self,
        there: Run,
        command: &TestCommand,
        candidate: &Candidate<'_>,
        ask: &Ask,
        keep: Keep,
    ) -> Result<Run, RunError> {
        let here = Ask {
            slot: 0,
            cancel: ask.cancel.clone(),
        };
        let here = self.local.run_once(command, candidate, &here, keep)?;
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
        let packed = template.pack(candidate, self.local)?;
        let alone = template.action(&[&packed], 0, true);
        let job = Arc::new(Job::new(template, packed, alone));
        let cancelled = Arc::clone(&job);
        let _guard = cancel.on_cancel(move || cancelled.cancel());
        self.shared.run_alone(Arc::clone(&job));
        match job.wait() {
            Place::Done(answer) => {
                let answer = answer?;
                let inputs = candidate.files().iter().map(|file| file.name.to_owned());
                let inputs = inputs.collect();
                let limit = self.time_limit;
                Ok(answer.report.run(Keep::BOTH, limit, answer.elapsed, inputs))
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
        let made = self
            .common
            .template(self.local, command, keep, self.time_limit);
        let made = Arc::new(made);
        templates.push((command.clone(), keep, Arc::clone(&made)));
        made
    }

    fn asked(&self) -> MutexGuard<'_, HashMap<String, u32>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Oracle for RemoteOracle<'_> {
    fn judge(&self, candidate: &Candidate<'_>, ask: &Ask) -> Result<Verdict, Fault> {
        let run = |command: &TestCommand, keep| self.run(command, candidate, ask, keep);
        let judged = self.local.judge_through(candidate, ask, &run);
        judged.map_err(Fault::new)
    }
}

impl Drop for RemoteOracle<'_> {
    fn drop(&mut self) {
        if let Some(close) = self.close.take() {
            // The thread is over if it cannot be sent.
            let _ = close.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl std::fmt::Debug for RemoteOracle<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RemoteOracle")
            .field("counts", &self.counts())
            .field("jobs", &self.jobs)
            .finish_non_exhaustive()
    }
}

/// Returns the time limit of tests whose original took this time.
fn time_limit(first: Duration) -> Duration {
    let enough = (first * 10).max(Duration::from_secs(5));
    let limits = TIME_LIMITS.map(Duration::from_secs);
    let fits = limits.into_iter().find(|limit| *limit >= enough);
    fits.unwrap_or(limits[3])
}
