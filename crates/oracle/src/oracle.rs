use crate::access;
use crate::command::{CommandError, TestCommand};
use crate::disk;
use crate::enclosure::Enclosure;
use crate::environment::Environment;
use crate::extra::{self, Extra};
use crate::folder::{Folder, FolderError, Surroundings, is_inner};
use crate::forkserver::{Persistence, ServerError};
use crate::limits::Limits;
use crate::observer::{Observer, Validity};
use crate::output::Keep;
use crate::parameters::Parameters;
use crate::predicate::{Predicate, PredicateError};
use crate::remove::remove_any;
use crate::root::{BESIDE, Root};
use crate::run::{Exit, Run};
use crate::runner::{RunRequest, Runner};
use crate::sandbox::Sandbox;
use crate::signature::Signature;
use crate::slot::{Slot, Task};
use crate::stack::Tracer;
use crate::start::RunError;
use nubbin_verdict::{Ask, Cancel, Candidate, Fault, File, Oracle, Unresolved, Verdict};
use regex::bytes::Regex;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The adaptive time limit, as a multiple of the time of the longest failing run.
const TIMES_LONGEST: u64 = 10;
/// The least adaptive time limit. The time of a shorter run depends more on the load of the machine
/// than on the test.
const LEAST_TIME: Duration = Duration::from_secs(5);
/// The adaptive limit on processor time, as a multiple of the most that a failing run has used.
const TIMES_MOST_CPU: u64 = 20;
/// The least such limit. The load of the machine does not count, since it takes time from a run and
/// no processor time.
const LEAST_BUSY: Duration = Duration::from_millis(200);
/// The number of killed runs, each of them killed again when repeated, after which the test is
/// assumed to kill itself (as `timeout -s KILL` does).
const KILLED_BY_ITSELF: u32 = 4;

/// The settings of a [`CommandOracle`]. [`Options::new`] gives the defaults, and fields are set
/// directly.
#[derive(Clone, Debug)]
pub struct Options {
    /// The test.
    pub command: TestCommand,
    /// A command that is run once before the test, and before the command to compare with, in the
    /// same folder; none by default. Only if it ends with exit code 0 is the test run; otherwise
    /// the verdict is *unresolved* ([`Unresolved::NotBuilt`]), and the run is that of the build.
    /// Each of both commands has the limits of a test. A test in a fork server is not built.
    pub build: Option<TestCommand>,
    /// Files of the candidate that are no files of the test; none by default. A test in a fork
    /// server does not use them.
    pub parameters: Parameters,
    /// The names of the input's files, relative to the folder of the test. `{}` stands for the
    /// first one, unless [`Options::place`] is set. A candidate may lack any of them.
    pub names: Vec<PathBuf>,
    /// The approximate size of the largest candidate in bytes; 0 by default. It decides whether the
    /// folders of the tests fit in memory.
    pub input_size: u64,
    /// The path that `{}` stands for, if it is not the first file: the name of a folder with files,
    /// or an empty path for the folder of the test itself.
    pub place: Option<PathBuf>,
    /// Folders that exist for every test, even if they are empty.
    pub folders: Vec<PathBuf>,
    /// Files and folders copied beside the candidate.
    pub extras: Vec<Extra>,
    /// The environment of the test; that of this process by default.
    pub environment: Environment,
    /// The sandbox of the tests; none by default. [`CommandOracle::try_sandbox`] finds out whether
    /// the original fails in it.
    pub sandbox: Option<Sandbox>,
    /// Whether the first file of the candidate is the command's standard input, which is empty
    /// otherwise.
    pub stdin: bool,
    /// The permissions of the user's own files, in the order of [`Options::names`]. The candidate's
    /// files have the same ones, but their owner can always read and write them. Files without a
    /// value here are for their owner only. Without effect on systems other than Unix.
    pub modes: Vec<u32>,
    /// The time limit of a run; 300 s by default, `None` for no limit.
    pub timeout: Option<Duration>,
    /// Whether a run is also ended when it takes ten times as long as the longest failing run so
    /// far, and at least five seconds; `false` by default. A run that computes, as one in an
    /// endless loop does, is ended when its processor time is twenty times the most that a failing
    /// run has used, and at least 0.2 seconds (on Linux). Where the processor time of a run is not
    /// known, as on a farm and in a fork server, its time counts as such.
    ///
    /// Only failing runs count: a limit is wrong only if it ends a run that would fail, and a run
    /// that hangs must not raise it. The limit can only grow, so that a candidate which once had
    /// enough time always has it again. Until the first failing run, [`Options::timeout`] is the
    /// limit.
    ///
    /// The times of runs vary, and the limit varies with them. That changes no verdict if no
    /// candidate takes ten times as long as a failing one.
    ///
    /// This has no effect with [`Predicate::timeout_fails`].
    pub adaptive_timeout: bool,
    /// The limit on standard output and on standard error in bytes, if they are read; a run that
    /// writes more is ended. 64 MiB for each by default.
    pub output_limit: u64,
    /// The limit on the memory of all processes of a test in bytes; no limit by default. Memory in
    /// use counts, and reserved address space does not, since sanitizers and virtual machines
    /// reserve terabytes. Checked a hundred times a second. Linux only.
    pub memory_limit: Option<u64>,
    /// The limit on the processor time of all processes of a test; no limit by default. Checked a
    /// hundred times a second. Linux only.
    pub cpu_limit: Option<Duration>,
    /// The limit on the number of processes of a test at one time; 512 by default, `None` for no
    /// limit. Checked at least ten times a second. Linux and Windows only.
    pub process_limit: Option<usize>,
    /// The limit on the size of each file in bytes; no limit by default. On Linux the system
    /// enforces it from just after the start of a process, for files in any place. A test counts as
    /// over the limit if it was killed for that, or if a file in its folders has that size.
    pub file_size_limit: Option<u64>,
    /// The limit on the disk space in bytes that a test takes in its folders, without the candidate
    /// and the extra files. Checked at least ten times a second, and at the end. `None`, the
    /// default, means 4 GiB or half of the free space, whichever is less.
    pub disk_limit: Option<u64>,
    /// A pattern that ends a run as soon as an output that is kept matches; none by default. The
    /// outputs are searched a hundred times a second. Without effect on systems other than Unix.
    pub until: Option<Regex>,
    /// The conditions under which a run shows the failure.
    pub predicate: Predicate,
    /// The number of tests that may run at the same time, which is the number of slots.
    pub jobs: usize,
    /// Whether this program starts no processes in process groups of their own except through
    /// oracles while one exists; `false` by default. Every child of this process in another group
    /// then belongs to a test, and is ended with it even if it left the process group of the test
    /// *and* cleared its environment (Linux).
    pub owns_children: bool,
    /// Whether the private folder is kept when the oracle is dropped, so that a user can look at
    /// it.
    pub keep_temp: bool,
    /// Whether both outputs of every run are kept for the observer, even if no condition reads
    /// them; `false` by default.
    pub keep_outputs: bool,
    /// The observer that receives every run that was judged; none by default.
    pub observer: Option<Arc<dyn Observer>>,
    /// The check before each test; none by default.
    pub validity: Option<Arc<dyn Validity>>,
    /// How tests run in the fork server of the program, if it is instrumented for AFL++; `None`,
    /// the default, starts the program for each test. Runs that are only observed are started in
    /// any case. Linux only.
    pub persistence: Option<Persistence>,
    /// The tracer that reads the stacks of crashes; `None`, the default, reads none. Only runs
    /// whose stack is a condition ([`CommandOracle::with_same_stack`]) are traced.
    pub tracer: Option<Tracer>,
}

impl Options {
    /// Returns the defaults for a test of the input files `names`.
    pub fn new(command: TestCommand, names: Vec<PathBuf>) -> Self {
        Options {
            command,
            build: None,
            parameters: Parameters::default(),
            names,
            input_size: 0,
            place: None,
            folders: Vec::new(),
            extras: Vec::new(),
            environment: Environment::default(),
            sandbox: None,
            stdin: false,
            modes: Vec::new(),
            timeout: Some(Duration::from_secs(300)),
            adaptive_timeout: false,
            output_limit: 64 << 20,
            memory_limit: None,
            cpu_limit: None,
            process_limit: Some(512),
            file_size_limit: None,
            disk_limit: None,
            until: None,
            predicate: Predicate::new(),
            jobs: 1,
            owns_children: false,
            keep_temp: false,
            keep_outputs: false,
            observer: None,
            validity: None,
            persistence: None,
            tracer: None,
        }
    }
}

/// An oracle could not be built, or a test could not be run.
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// The command cannot be used.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The conditions cannot be used.
    #[error(transparent)]
    Predicate(#[from] PredicateError),
    /// The private folder cannot be made.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The test could not be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// There is no input.
    #[error("no input file")]
    NoInput,
}

/// The interestingness test as a command.
///
/// Each slot has its own folder, with the same path for every test. A test sees the candidate under
/// its own name, the extra files, an empty folder as TMPDIR, and the environment of this process
/// (see [`Environment`] for changes) with `NUBBIN=1` added; HOME is the user's. When its first
/// process has ended, the time is up, or the test is canceled, every process of the test is killed
/// and all its leftovers in its folders are removed.
///
/// Outputs that no condition reads go to `/dev/null`; others go to unnamed files. (A script that
/// writes `> /dev/stderr` empties this file, as it would empty any other; `>&2` appends to it.)
///
/// If a run ends by SIGKILL, or with the exit code by which a shell reports that (137), and the
/// oracle did not kill it, the likely cause is lack of memory or a user, and the run says nothing
/// about the candidate. It is repeated once, and the second run counts. After several runs whose
/// repetition was killed as well, the test is assumed to kill itself, and no more runs are
/// repeated. A kill that a script reports with another exit code is not detected.
///
/// Building an oracle makes this process adopt the orphans of its descendants (Linux, *child
/// subreaper*) and turns off core dumps of its children (Unix, resource limit). Dropping it removes
/// its folders.
///
/// A run that exceeds a limit of [`Options`] is ended, and its verdict is *unresolved*.
///
/// The cost, compared to starting the same command and waiting for it, is about ten system calls
/// and writing the candidate. The limits of a long test are checked ten times a second, with about
/// ten system calls each time. A test that ends within ten milliseconds is not checked.
#[derive(Debug)]
pub struct CommandOracle {
    command: TestCommand,
    build: Option<TestCommand>,
    parameters: Parameters,
    has_stdin: bool,
    limits: Limits,
    is_adaptive: bool,
    /// The time of the longest failing run in nanoseconds; 0 if there was none.
    longest: AtomicU64,
    /// The largest processor time of a failing run in nanoseconds; 0 if there was none.
    most_cpu: AtomicU64,
    /// The number of killed runs whose repetition was killed as well, in a row.
    killed_again: AtomicU32,
    pub(crate) predicate: Predicate,
    names: Box<[PathBuf]>,
    place: PathBuf,
    surroundings: Arc<Surroundings>,
    around: Arc<Enclosure>,
    owns_children: bool,
    environment: Arc<Environment>,
    sandbox: Mutex<Option<Arc<Sandbox>>>,
    pub(crate) persistence: Mutex<Option<Persistence>>,
    /// The number of tests that a fork server could not run, and the reason of the last one.
    pub(crate) unserved: Mutex<(u32, Option<ServerError>)>,
    pub(crate) input_size: usize,
    /// The run of an earlier test, to be taken for the next one of the same candidate.
    remembered: Mutex<Option<(u64, Run)>>,
    /// The time of remembered runs that were taken, in nanoseconds.
    time_before: AtomicU64,
    keep_outputs: bool,
    observer: Option<Arc<dyn Observer>>,
    validity: Option<Arc<dyn Validity>>,
    pub(crate) tracer: Option<Tracer>,
    slots: Box<[Mutex<Slot>]>,
    // Declared after the slots, so that it is dropped after them.
    root: Root,
}

impl CommandOracle {
    /// Makes an oracle with its folders. It starts no process.
    ///
    /// # Errors
    /// [`OracleError`] if a name or condition cannot be used, or if the folders cannot be made.
    pub fn new(options: Options) -> Result<Self, OracleError> {
        options.predicate.check()?;
        let names = options.names;
        let first = names.first().ok_or(OracleError::NoInput)?.clone();
        let place = options.place.unwrap_or(first);
        let folder = Some(&place).filter(|place| !place.as_os_str().is_empty());
        let mut all = names.iter().chain(&options.folders).chain(folder);
        if let Some(name) = all.find(|name| !is_inner(name)) {
            return Err(FolderError::Name { name: name.clone() }.into());
        }
        extra::check_names(&options.extras, &names)?;
        no_core_dumps();
        let extra: u64 = options.extras.iter().map(Extra::size).sum();
        let size = options.input_size.saturating_add(extra);
        let root = Root::new(options.keep_temp, options.jobs.max(1), size)?;
        let environment = Arc::new(options.environment);
        let owns_children = options.owns_children;
        let until = options.until.map(Arc::new);
        let modes = options.modes.into_iter().map(access::of_candidate);
        let modes = names.iter().cloned().zip(modes).collect();
        let surroundings = Arc::new(Surroundings {
            names: names.iter().cloned().collect(),
            folders: options.folders,
            extras: options.extras,
            modes,
        });
        let around = Arc::new(root.enclosure(options.jobs.max(1)));
        let slot = |number: usize| {
            let dir = root.path().join(number.to_string());
            let folder = Folder::new(&dir, Arc::clone(&around), Arc::clone(&surroundings));
            // The semicolon distinguishes slot 1 from slot 10.
            let mark = format!("{}.{number};", root.id());
            let environment = Arc::clone(&environment);
            let mut slot = Slot::new(folder, place.clone(), mark, environment, owns_children);
            slot.set_until(until.clone());
            Mutex::new(slot)
        };
        let oracle = CommandOracle {
            slots: (0..options.jobs.max(1)).map(slot).collect(),
            command: options.command,
            build: options.build,
            parameters: options.parameters,
            has_stdin: options.stdin,
            limits: Limits {
                time: options.timeout,
                busy: None,
                measures_cpu: options.adaptive_timeout,
                output: options.output_limit,
                memory: options.memory_limit,
                cpu: options.cpu_limit,
                processes: options.process_limit,
                file_size: options.file_size_limit,
                disk: Some(
                    options
                        .disk_limit
                        .unwrap_or_else(|| usual_disk(root.path())),
                ),
            },
            is_adaptive: options.adaptive_timeout,
            longest: AtomicU64::new(0),
            most_cpu: AtomicU64::new(0),
            killed_again: AtomicU32::new(0),
            predicate: options.predicate,
            names: names.into(),
            place,
            surroundings,
            owns_children,
            environment,
            sandbox: Mutex::new(None),
            persistence: Mutex::new(options.persistence),
            around,
            unserved: Mutex::new((0, None)),
            input_size: usize::try_from(options.input_size).unwrap_or(0),
            remembered: Mutex::new(None),
            time_before: AtomicU64::new(0),
            keep_outputs: options.keep_outputs,
            observer: options.observer,
            validity: options.validity,
            tracer: options.tracer,
            root,
        };
        oracle.set_sandbox(options.sandbox);
        Ok(oracle)
    }

    /// Sets the sandbox of the tests from now on.
    pub fn set_sandbox(&self, sandbox: Option<Sandbox>) {
        self.set_shared(sandbox.map(Arc::new));
    }

    pub(crate) fn set_shared(&self, sandbox: Option<Arc<Sandbox>>) {
        let kept = self.sandbox.lock();
        *kept.unwrap_or_else(PoisonError::into_inner) = sandbox.clone();
        for slot in 0..self.slots.len() {
            self.slot(slot).set_sandbox(sandbox.clone());
        }
    }

    /// The sandbox of the tests, if they run in one.
    pub fn sandbox(&self) -> Option<Arc<Sandbox>> {
        let kept = self.sandbox.lock();
        kept.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Runs the command once and keeps both outputs.
    ///
    /// # Errors
    /// [`RunError`] if the command could not be run.
    pub fn observe(&self, candidate: &Candidate<'_>, slot: usize) -> Result<Run, RunError> {
        self.observe_with(candidate, slot, &Cancel::new())
    }

    /// Runs the command as [`CommandOracle::observe`] does, and ends the run when it is canceled:
    /// it is then cut short with [`Unresolved::Cancelled`].
    ///
    /// # Errors
    /// [`RunError`] if the command could not be run.
    pub fn observe_with(
        &self,
        candidate: &Candidate<'_>,
        slot: usize,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        self.observe_other(&self.command, candidate, slot, cancel)
    }

    /// Runs another command in place of the test, as [`CommandOracle::observe_with`] does. It is
    /// for a tool that runs with different arguments on one text.
    ///
    /// # Errors
    /// [`RunError`] if the command could not be run.
    pub fn observe_other(
        &self,
        command: &TestCommand,
        candidate: &Candidate<'_>,
        slot: usize,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        let ask = Ask {
            cancel: cancel.clone(),
            ..Ask::new(slot)
        };
        self.run(command, candidate, &ask, Keep::BOTH)
    }

    /// Returns the verdict of the conditions on a run of [`CommandOracle::observe`]. A condition on
    /// another command counts as met.
    pub fn judge_run(&self, run: &Run) -> Verdict {
        self.predicate.judge(run)
    }

    /// Narrows the conditions to the failure that this run shows.
    ///
    /// A run that ended with exit code 0 and still shows a failure is one of a script that checks
    /// for the failure itself, so the exit code must stay 0.
    ///
    /// # Errors
    /// [`PredicateError::NoFailure`] if the run shows no failure, and [`PredicateError::CutShort`]
    /// if it was ended early.
    pub fn with_same_failure(mut self, run: &Run) -> Result<Self, PredicateError> {
        self.predicate = self.narrowed(run)?;
        Ok(self)
    }

    /// Returns the conditions of [`CommandOracle::with_same_failure`].
    pub(crate) fn narrowed(&self, run: &Run) -> Result<Predicate, PredicateError> {
        if let Some(reason) = &run.cut_short {
            return Err(PredicateError::CutShort {
                reason: reason.clone(),
            });
        }
        let signature = Signature::of(run).ok_or(PredicateError::NoFailure { exit: run.exit })?;
        let predicate = self.predicate.clone();
        let is_free = predicate.says_nothing_of_exit();
        let predicate = predicate.same_failure(signature);
        let predicate = match run.exit {
            Exit::Code(0) if is_free => predicate.with_code(0),
            _ => predicate,
        };
        predicate.check()?;
        Ok(predicate)
    }

    /// Replaces the conditions.
    ///
    /// # Errors
    /// [`PredicateError::Conflict`] if two conditions exclude each other.
    pub fn set_predicate(&mut self, predicate: Predicate) -> Result<(), PredicateError> {
        predicate.check()?;
        self.predicate = predicate;
        Ok(())
    }

    /// Sets the time limit, for instance to a multiple of the time of the first run.
    pub fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.limits.time = timeout;
    }

    /// Returns the time limit, see [`Options::timeout`].
    pub fn timeout(&self) -> Option<Duration> {
        self.limits.time
    }

    /// Returns the time limit of the next run, see [`Options::adaptive_timeout`].
    pub fn timeout_now(&self) -> Option<Duration> {
        let longest = self.longest.load(Ordering::Relaxed);
        if !self.is_adaptive || longest == 0 || self.predicate.is_about_time() {
            return self.limits.time;
        }
        let enough = Duration::from_nanos(longest.saturating_mul(TIMES_LONGEST));
        let enough = enough.max(LEAST_TIME);
        Some(self.limits.time.map_or(enough, |most| most.min(enough)))
    }

    /// Returns the limit on the processor time of the next run that follows from earlier ones, see
    /// [`Options::adaptive_timeout`].
    pub fn busy_timeout_now(&self) -> Option<Duration> {
        let most = self.most_cpu.load(Ordering::Relaxed);
        if !self.is_adaptive || most == 0 || self.predicate.is_about_time() {
            return None;
        }
        let enough = Duration::from_nanos(most.saturating_mul(TIMES_MOST_CPU));
        Some(enough.max(LEAST_BUSY))
    }

    /// The conditions.
    pub fn predicate(&self) -> &Predicate {
        &self.predicate
    }

    /// The test.
    pub fn command(&self) -> &TestCommand {
        &self.command
    }

    /// The command that is run before the test.
    pub fn build(&self) -> Option<&TestCommand> {
        self.build.as_ref()
    }

    /// The build that a command needs: the test and the command to compare with need one, and other
    /// commands on the candidate do not.
    fn build_for(&self, command: &TestCommand) -> Option<&TestCommand> {
        let other = self.predicate.other_command();
        let is_test = *command == self.command || other == Some(command);
        self.build.as_ref().filter(|_| is_test)
    }

    /// Whether the first file of the candidate is the standard input of the test.
    pub fn has_stdin(&self) -> bool {
        self.has_stdin
    }

    /// The environment of the test.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// The names of the input's files.
    pub fn names(&self) -> &[PathBuf] {
        &self.names
    }

    /// The files and folders beside the candidate.
    pub fn extras(&self) -> &[Extra] {
        &self.surroundings.extras
    }

    /// The folders that exist for every test.
    pub fn folders(&self) -> &[PathBuf] {
        &self.surroundings.folders
    }

    /// The limit on each output in bytes, see [`Options::output_limit`].
    pub fn output_limit(&self) -> u64 {
        self.limits.output
    }

    /// Whether a file of the candidate is executable.
    pub fn is_executable(&self, name: &Path) -> bool {
        let mode = self.surroundings.modes.get(name);
        mode.is_some_and(|mode| mode & 0o100 != 0)
    }

    /// Returns the number of tests that may run at the same time.
    pub fn jobs(&self) -> usize {
        self.slots.len()
    }

    /// The private folder of this run.
    pub fn folder(&self) -> &Path {
        self.root.path()
    }

    /// Runs the command, and repeats the run if it was killed from outside.
    pub(crate) fn run(
        &self,
        command: &TestCommand,
        candidate: &Candidate<'_>,
        ask: &Ask,
        keep: Keep,
    ) -> Result<Run, RunError> {
        self.repeat_if_killed(|| self.run_once(command, candidate, ask, keep))
    }

    /// Repeats a run that was killed from outside.
    ///
    /// # Errors
    /// The error of `run`.
    pub fn repeat_if_killed<E>(&self, run: impl Fn() -> Result<Run, E>) -> Result<Run, E> {
        let was_killed = |run: &Run| {
            let is_whole = matches!(
                run.cut_short,
                None | Some(Unresolved::NotBuilt { timed_out: false })
            );
            is_whole && !run.is_matched && run.exit.is_signal(KILL)
        };
        let first = run()?;
        let is_usual = self.killed_again.load(Ordering::Relaxed) >= KILLED_BY_ITSELF;
        if !was_killed(&first) || is_usual {
            return Ok(first);
        }
        let again = run()?;
        if was_killed(&again) {
            self.killed_again.fetch_add(1, Ordering::Relaxed);
        } else {
            self.killed_again.store(0, Ordering::Relaxed);
        }
        Ok(again)
    }

    /// Runs a command once in the folder of a slot, as [`CommandOracle::judge_through`] asks for.
    ///
    /// # Errors
    /// [`RunError`] if the command could not be run.
    pub fn run_once(
        &self,
        command: &TestCommand,
        candidate: &Candidate<'_>,
        ask: &Ask,
        keep: Keep,
    ) -> Result<Run, RunError> {
        let task = self.task(command, candidate, ask, keep);
        self.run_task(task, &mut self.slot(ask.slot))
    }

    /// Runs a task in a slot, with the parameters that the candidate has.
    fn run_task(&self, task: Task<'_>, slot: &mut Slot) -> Result<Run, RunError> {
        let ran = self.placed(task, |task| slot.run(task));
        ran.unwrap_or_else(|| Ok(Run::invalid()))
    }

    /// Calls `run` with a task in which the parameters of the candidate are in their places. `None`
    /// if a text of them has an open quote.
    pub(crate) fn placed<R>(&self, task: Task<'_>, run: impl FnOnce(Task<'_>) -> R) -> Option<R> {
        if self.parameters.is_empty() {
            return Some(run(task));
        }
        let apply = |command| self.parameters.apply(command, task.candidate);
        let (test, files) = apply(task.test)?;
        let build = match task.build {
            Some(build) => Some(apply(build)?.0),
            None => None,
        };
        Some(run(Task {
            test: &test,
            build: build.as_deref(),
            candidate: &Candidate::new(&files),
            ..task
        }))
    }

    /// Returns a command with the parameters of a candidate in their places.
    pub(crate) fn command_on<'a>(
        &self,
        command: &'a TestCommand,
        candidate: &Candidate<'a>,
    ) -> Cow<'a, TestCommand> {
        let applied = self.parameters.apply(command, candidate);
        applied.map_or(Cow::Borrowed(command), |(command, _)| command)
    }

    /// Builds a candidate, and returns the files of it that the build has changed or removed. Such
    /// files are results of an earlier build, and no input of this one.
    ///
    /// # Errors
    /// [`RunError`] if the build could not be run.
    pub fn changed_by_build(
        &self,
        candidate: &Candidate<'_>,
        cancel: &Cancel,
    ) -> Result<Vec<PathBuf>, RunError> {
        let ask = Ask {
            cancel: cancel.clone(),
            ..Ask::new(0)
        };
        let Some(build) = &self.build else {
            return Ok(Vec::new());
        };
        let task = Task {
            has_stdin: false,
            ..self.task(build, candidate, &ask, Keep::default())
        };
        let changed = self.placed(task, |task| self.slot(0).changed_by(task));
        changed.unwrap_or_else(|| Ok(Vec::new()))
    }

    /// The files of the candidate that say how the test is run.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    pub(crate) fn task<'a>(
        &'a self,
        test: &'a TestCommand,
        candidate: &'a Candidate<'a>,
        ask: &'a Ask,
        keep: Keep,
    ) -> Task<'a> {
        let limits = match self.predicate.guard() == Some(test) {
            true => self.generous_limits(),
            false => Limits {
                time: self.timeout_now(),
                busy: self.busy_timeout_now(),
                ..self.limits
            },
        };
        Task {
            test,
            build: self.build_for(test),
            has_stdin: self.has_stdin,
            candidate,
            cancel: &ask.cancel,
            limits,
            keep,
        }
    }

    /// The limits of a run that takes far longer than the test.
    pub(crate) fn generous_limits(&self) -> Limits {
        let longest = self.longest.load(Ordering::Relaxed);
        self.guard_limits(Duration::from_nanos(longest), self.limits)
    }

    /// Locks a slot. Workers beyond the number of slots share slots and wait for each other.
    pub(crate) fn slot(&self, number: usize) -> MutexGuard<'_, Slot> {
        let slot = &self.slots[number % self.slots.len()];
        // After a panic the folder may have files left, which the next test removes.
        slot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Decides about a candidate as [`Oracle::judge`] does, with runs from elsewhere: `run` runs a
    /// command on the candidate and keeps the outputs that are asked for. Everything else is the
    /// same, so that a verdict does not depend on the place of the run: the check before the test,
    /// the conditions, the repetition of killed runs, and what the observer is told.
    ///
    /// # Errors
    /// [`RunError`] if `run` returns one.
    pub fn judge_through(
        &self,
        candidate: &Candidate<'_>,
        ask: &Ask,
        run: &dyn Fn(&TestCommand, Keep) -> Result<Run, RunError>,
    ) -> Result<Verdict, RunError> {
        if ask.cancel.is_cancelled() {
            return Ok(Verdict::Unresolved(Unresolved::Cancelled));
        }
        let files = candidate.files().iter();
        let files: Vec<File<'_>> = files
            .filter(|it| !self.parameters.has(it.name))
            .copied()
            .collect();
        let own = Candidate::new(&files);
        let validity = self.validity.as_deref();
        if validity.is_some_and(|validity| !validity.is_valid(&own)) {
            return Ok(Verdict::Unresolved(Unresolved::Invalid));
        }
        let keep = match self.keep_outputs {
            true => Keep::BOTH,
            false => self.predicate.keep(),
        };
        let mut main = match self.take_remembered(candidate, keep) {
            Some(run) => run,
            None => self.repeat_if_killed(|| run(&self.command, keep))?,
        };
        let rerun = |command: &TestCommand| self.repeat_if_killed(|| run(command, Keep::STDOUT));
        let (mut verdict, other) = self.judge_all(&main, &rerun)?;
        if verdict.is_fail()
            && let Some(traced) = self.traced_if_wanted(candidate, ask)?
        {
            verdict = self.predicate.judge_stack(&traced);
            main.stack = traced.stack;
        }
        if verdict.is_fail() {
            for run in std::iter::once(&main).chain(&other) {
                let nanos = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
                let cpu = run.cpu.unwrap_or(run.elapsed);
                self.longest
                    .fetch_max(nanos(run.elapsed), Ordering::Relaxed);
                self.most_cpu.fetch_max(nanos(cpu), Ordering::Relaxed);
            }
        }
        if let Some(observer) = &self.observer {
            observer.judged(candidate, &main, &verdict);
        }
        Ok(verdict)
    }

    /// Keeps a run for the next test of this candidate.
    pub(crate) fn remember(&self, candidate: &Candidate<'_>, run: &Run) {
        let kept = self.remembered.lock();
        *kept.unwrap_or_else(PoisonError::into_inner) = Some((hash(candidate), run.clone()));
    }

    /// Returns the run that is kept for the next test of this candidate.
    pub(crate) fn remembered(&self, candidate: &Candidate<'_>) -> Option<Run> {
        let kept = self.remembered.lock();
        let kept = kept.unwrap_or_else(PoisonError::into_inner).clone();
        let (_, run) = kept.filter(|(of, _)| *of == hash(candidate))?;
        Some(run)
    }

    /// Takes the run that was kept for this candidate, as if it had been run with `keep`.
    fn take_remembered(&self, candidate: &Candidate<'_>, keep: Keep) -> Option<Run> {
        let mut kept = self
            .remembered
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // One test takes it or none does: later ones of a flaky test must run.
        let (_, mut run) = kept.take().filter(|(of, _)| *of == hash(candidate))?;
        let nanos = u64::try_from(run.elapsed.as_nanos()).unwrap_or(u64::MAX);
        self.time_before.fetch_add(nanos, Ordering::Relaxed);
        run.stdout = run.stdout.filter(|_| keep.stdout);
        run.stderr = run.stderr.filter(|_| keep.stderr);
        if keep == Keep::default() {
            run.inputs.clear();
        }
        Some(run)
    }

    /// Returns the time of the test that was run by [`CommandOracle::try_sandbox`], until its run
    /// is taken.
    pub fn time_kept(&self) -> Duration {
        let kept = self
            .remembered
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().map_or(Duration::ZERO, |(_, run)| run.elapsed)
    }

    /// Returns the time of a test that was run earlier, [`CommandOracle::try_sandbox`], as soon as
    /// its run has been taken. A clock that adds it shows the same as if the test had run then.
    pub fn time_before(&self) -> Duration {
        Duration::from_nanos(self.time_before.load(Ordering::Relaxed))
    }

    /// Whether all conditions hold for a run.
    pub(crate) fn fails_wholly(
        &self,
        run: &Run,
        candidate: &Candidate<'_>,
        cancel: &Cancel,
    ) -> Result<bool, RunError> {
        let ask = Ask {
            cancel: cancel.clone(),
            ..Ask::new(0)
        };
        let (verdict, _) = self.judge_wholly(run, candidate, &ask, Keep::STDOUT)?;
        Ok(verdict.is_fail())
    }

    /// Returns the verdict of all conditions on a run, with the run of the other command if needed.
    pub(crate) fn judge_wholly(
        &self,
        main: &Run,
        candidate: &Candidate<'_>,
        ask: &Ask,
        keep: Keep,
    ) -> Result<(Verdict, Option<Run>), RunError> {
        self.judge_all(main, &|command| self.run(command, candidate, ask, keep))
    }

    /// Runs the command once as [`CommandOracle::observe_with`] does, with more files beside the
    /// candidate.
    pub(crate) fn observe_beside(
        &self,
        neighbors: Vec<Extra>,
        candidate: &Candidate<'_>,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        let (dir, mut slot) = self.slot_beside(neighbors);
        slot.set_sandbox(self.sandbox());
        self.observe_once(&dir, slot, candidate, cancel)
    }

    /// Runs the command once in a folder of the user, on the original that is there. `None` if the
    /// tests have no sandbox, or if the original is not there.
    ///
    /// The run is in the sandbox of the tests, but may not write to the folder, to a part of it, or
    /// to a folder that it is in. So it writes nowhere but to its own TMPDIR, and where the user
    /// permits it elsewhere.
    pub(crate) fn observe_in(
        &self,
        user_dir: &Path,
        original: &Candidate<'_>,
        cancel: &Cancel,
    ) -> Result<Option<Run>, RunError> {
        let (Some(sandbox), Ok(user_dir)) = (self.sandbox(), user_dir.canonicalize()) else {
            return Ok(None);
        };
        if !user_dir.join(&self.place).exists() {
            return Ok(None);
        }
        let (dir, mut slot) = self.slot_beside(Vec::new());
        slot.set_sandbox(Some(Arc::new(sandbox.without(&user_dir))));
        slot.set_home(user_dir);
        self.observe_once(&dir, slot, original, cancel).map(Some)
    }

    /// Makes a slot beside those of the tests, with more files beside the candidate.
    fn slot_beside(&self, neighbors: Vec<Extra>) -> (PathBuf, Slot) {
        let dir = self.root.path().join(BESIDE);
        let ours = &self.surroundings;
        let surroundings = Surroundings {
            names: ours.names.clone(),
            folders: ours.folders.clone(),
            extras: ours.extras.iter().cloned().chain(neighbors).collect(),
            modes: ours.modes.clone(),
        };
        let folder = Folder::new(&dir, Arc::clone(&self.around), Arc::new(surroundings));
        let slot = Slot::new(
            folder,
            self.place.clone(),
            format!("{}.beside;", self.root.id()),
            Arc::clone(&self.environment),
            self.owns_children,
        );
        (dir, slot)
    }

    /// Runs the command in a slot that is used once.
    fn observe_once(
        &self,
        dir: &Path,
        mut slot: Slot,
        candidate: &Candidate<'_>,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        let task = Task {
            test: &self.command,
            build: self.build.as_ref(),
            has_stdin: self.has_stdin,
            candidate,
            cancel,
            limits: self.limits,
            keep: Keep::BOTH,
        };
        let run = self.run_task(task, &mut slot);
        drop(slot);
        // Done at once, since there may be many copies. The root is removed later in any case.
        let _ = remove_any(dir);
        run
    }

    /// The path that `{}` stands for, relative to the folder of the test: the first file, a folder,
    /// or an empty path for the folder of the test itself.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// The path that `{}` stands for in slot 0.
    pub(crate) fn first_path(&self) -> PathBuf {
        self.slot(0).place()
    }
}

impl Oracle for CommandOracle {
    fn judge(&self, candidate: &Candidate<'_>, ask: &Ask) -> Result<Verdict, Fault> {
        let run = |command: &TestCommand, keep| match std::ptr::eq(command, &self.command) {
            true => self.run_main(candidate, ask, keep),
            false => self.run_once(command, candidate, ask, keep),
        };
        self.judge_through(candidate, ask, &run).map_err(Fault::new)
    }
}

impl Runner for CommandOracle {
    fn observe_request(&self, request: &RunRequest<'_>) -> Result<Run, RunError> {
        self.observe_other(
            request.command,
            request.candidate,
            request.slot,
            request.cancel,
        )
    }
}

/// Distinguishes candidates within one run of this program.
fn hash(candidate: &Candidate<'_>) -> u64 {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut hasher = DefaultHasher::new();
    for file in candidate.files() {
        (file.name, file.bytes).hash(&mut hasher);
    }
    hasher.finish()
}

/// The signal that a process cannot catch.
#[cfg(unix)]
const KILL: i32 = rustix::process::Signal::KILL.as_raw();
#[cfg(not(unix))]
const KILL: i32 = 9;

/// The default disk limit: more than a compiler writes, and too little to harm other programs.
fn usual_disk(root: &Path) -> u64 {
    const MAX_BYTES: u64 = 4 << 30;
    disk::free(root).map_or(MAX_BYTES, |free| (free / 2).min(MAX_BYTES))
}

/// Turns off core dumps of this process and its children, since a reduction of a crash would write
/// thousands of them. Only the soft limit is lowered, so a test can raise it again.
fn no_core_dumps() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Core);
        limit.current = Some(0);
        // Lowering a limit is always allowed. Core dumps in the folder are removed in any case.
        let _ = setrlimit(Resource::Core, limit);
    }
}
