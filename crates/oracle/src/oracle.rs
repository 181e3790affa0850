use crate::command::TestCommand;
use crate::enclosure::Enclosure;
use crate::environment::Environment;
use crate::extra::{self, Extra};
use crate::folder::{Folder, Surroundings};
use crate::folder_error::FolderError;
use crate::forkserver::Persistence;
use crate::inner_name::is_inner;
use crate::last_output::LastOutput;
use crate::limits::Limits;
use crate::observer::{Observer, Validity};
use crate::options::Options;
use crate::oracle_error::OracleError;
use crate::output::Keep;
use crate::parameters::Parameters;
use crate::predicate::{Predicate, PredicateError};
use crate::root::Root;
use crate::run::{Exit, Run};
use crate::run_error::{RunError, ServerError};
use crate::sandbox::Sandbox;
use crate::signature::Signature;
use crate::slot::Slot;
use crate::stack::Tracer;
use crate::written::LeftFile;
use crate::{access, disk};
use nubbin_verdict::{Ask, Cancel, Candidate};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The interestingness test as a command.
///
/// Each slot has its own folder, with the same path for every test. A test sees the candidate under
/// its own name, the extra files, an empty folder as TMPDIR, and the environment of this process
/// (see [`Environment`] for changes) with `NUBBIN=1` added. HOME is the user's home folder. When
/// its first process has exited, the time is up, or the test is canceled, every process of the test
/// is killed and all its leftovers in its folders are removed.
///
/// Outputs that no condition reads go to `/dev/null`; other outputs go to unnamed files. (A script
/// that writes `> /dev/stderr` empties this file, as it would empty any other; `>&2` appends to
/// it.)
///
/// If a run ends by SIGKILL, or with the exit code by which a shell reports that (137), and the
/// oracle did not kill it, the likely cause is lack of memory or a user, and the run says nothing
/// about the candidate. Such a run is repeated once, and the second run counts. After several runs
/// whose repetition was killed as well, the test is assumed to kill itself, and no more runs are
/// repeated. A kill that a script reports with another exit code is not detected.
///
/// Building an oracle makes this process adopt the orphans of its descendants (Linux, *child
/// subreaper*) and turns off core dumps of its children (Unix, resource limit). Dropping it removes
/// its folders.
///
/// A run that exceeds a limit of [`Options`] is stopped, and its verdict is *unresolved*.
///
/// The cost, compared to starting the same command and waiting for it, is about ten system calls
/// and writing the candidate. The limits of a long test are checked ten times a second, with about
/// ten system calls each time. A test that ends within ten milliseconds is not checked.
#[derive(Debug)]
pub struct CommandOracle {
    pub(crate) command: TestCommand,
    pub(crate) build: Option<TestCommand>,
    pub(crate) parameters: Parameters,
    pub(crate) has_stdin: bool,
    pub(crate) limits: Limits,
    pub(crate) is_adaptive: bool,
    /// The time of the longest failing run in nanoseconds; 0 if there was none.
    pub(crate) longest: AtomicU64,
    /// The largest processor time of a failing run in nanoseconds; 0 if there was none.
    pub(crate) most_cpu: AtomicU64,
    /// The number of killed runs whose repetition was killed as well, in a row.
    pub(crate) killed_again: AtomicU32,
    pub(crate) predicate: Predicate,
    pub(crate) names: Box<[PathBuf]>,
    pub(crate) place: PathBuf,
    pub(crate) surroundings: Arc<Surroundings>,
    pub(crate) around: Arc<Enclosure>,
    pub(crate) owns_children: bool,
    pub(crate) environment: Arc<Environment>,
    pub(crate) sandbox: Mutex<Option<Arc<Sandbox>>>,
    pub(crate) persistence: Mutex<Option<Persistence>>,
    /// The number of tests that a fork server could not run, and the reason of the last one.
    pub(crate) unserved: Mutex<(u32, Option<ServerError>)>,
    pub(crate) input_size: usize,
    /// The run of an earlier test, to be taken for the next one of the same candidate.
    pub(crate) remembered: Mutex<Option<(u64, Run)>>,
    /// The time of remembered runs that were taken, in nanoseconds.
    pub(crate) time_before: AtomicU64,
    pub(crate) keep_outputs: bool,
    pub(crate) last_output: Arc<LastOutput>,
    pub(crate) observer: Option<Arc<dyn Observer>>,
    pub(crate) validity: Option<Arc<dyn Validity>>,
    pub(crate) tracer: Option<Tracer>,
    pub(crate) slots: Box<[Mutex<Slot>]>,
    // The field is declared after the slots, so that it is dropped after them.
    pub(crate) root: Root,
}

impl CommandOracle {
    /// Creates an oracle with its folders. This call starts no process.
    ///
    /// # Errors
    /// Returns [`OracleError`] if a name or condition cannot be used, or if the folders cannot be
    /// created.
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
            last_output: Arc::default(),
            observer: options.observer,
            validity: options.validity,
            tracer: options.tracer,
            root,
        };
        oracle.set_sandbox(options.sandbox);
        Ok(oracle)
    }

    /// Returns the output of the last test. The output is only kept after [`LastOutput::want`].
    pub fn last_output(&self) -> &Arc<LastOutput> {
        &self.last_output
    }

    /// Sets the sandbox of the tests. `None` runs them outside.
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
    /// Returns [`RunError`] if the command could not be run.
    pub fn observe(&self, candidate: &Candidate<'_>, slot: usize) -> Result<Run, RunError> {
        self.observe_with(candidate, slot, &Cancel::new())
    }

    /// Runs the command as [`CommandOracle::observe`] does, and stops the run when it is canceled:
    /// it is then cut short with [`Unresolved::Cancelled`](nubbin_verdict::Unresolved::Cancelled).
    ///
    /// # Errors
    /// Returns [`RunError`] if the command could not be run.
    pub fn observe_with(
        &self,
        candidate: &Candidate<'_>,
        slot: usize,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        self.observe_other(&self.command, candidate, slot, cancel)
    }

    /// Runs another command in place of the test, as [`CommandOracle::observe_with`] does. Use it
    /// for a tool that runs with different arguments on one text.
    ///
    /// # Errors
    /// Returns [`RunError`] if the command could not be run.
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

    /// Runs another command in place of the test, and returns the run, with the outputs that are to
    /// be kept, and the files in the folder of the test after the run whose names are wanted.
    ///
    /// # Errors
    /// Returns [`RunError`] if the command could not be run.
    pub fn observe_files(
        &self,
        command: &TestCommand,
        candidate: &Candidate<'_>,
        (slot, cancel): (usize, &Cancel),
        keep: Keep,
        wanted: &dyn Fn(&OsStr) -> bool,
    ) -> Result<(Run, Vec<LeftFile>), RunError> {
        let ask = Ask {
            cancel: cancel.clone(),
            ..Ask::new(slot)
        };
        let task = self.task(command, candidate, &ask, keep);
        self.slot(slot).run_for_files(task, wanted)
    }

    /// The folder in which the tests of a slot run.
    pub fn work_of(&self, slot: usize) -> PathBuf {
        self.slot(slot).work().to_owned()
    }

    /// Runs the test on the original, and also keeps the texts that it writes in its folder.
    pub(crate) fn observe_original(
        &self,
        original: &Candidate<'_>,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        let ask = Ask {
            cancel: cancel.clone(),
            ..Ask::new(0)
        };
        self.run(&self.command, original, &ask, Keep::ALL)
    }

    /// Narrows the conditions to the failure that this run shows.
    ///
    /// If the run exited with code 0 and still shows a failure, the test is a script that
    /// checks for the failure itself. Then the exit code must stay 0.
    ///
    /// # Errors
    /// Returns [`PredicateError::NoFailure`] if the run shows no failure, and
    /// [`PredicateError::CutShort`] if it was stopped early.
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
    /// Returns [`PredicateError::Conflict`] if two conditions exclude each other.
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

    /// The conditions.
    pub fn predicate(&self) -> &Predicate {
        &self.predicate
    }

    /// The test.
    pub fn command(&self) -> &TestCommand {
        &self.command
    }

    /// The build command that is run before the test, if there is one.
    pub fn build(&self) -> Option<&TestCommand> {
        self.build.as_ref()
    }

    /// The build that a command needs: the test and the command to compare with need one, and other
    /// commands on the candidate do not.
    pub(crate) fn build_for(&self, command: &TestCommand) -> Option<&TestCommand> {
        let other = self.predicate.other_command();
        let is_test = *command == self.command || other == Some(command);
        self.build.as_ref().filter(|_| is_test)
    }

    /// Returns whether the first file of the candidate is the standard input of the test.
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

    /// The files and folders that are copied next to the candidate.
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

    /// Returns whether a file of the candidate is executable.
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

    /// The files of the candidate with arguments and variables of the test.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
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
