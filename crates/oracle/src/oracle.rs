use crate::command::{CommandError, TestCommand};
use crate::disk;
use crate::environment::Environment;
use crate::extra::{self, Extra};
use crate::folder::{Folder, FolderError, Surroundings, is_inner};
use crate::limits::Limits;
use crate::observer::Observer;
use crate::output::Keep;
use crate::predicate::{Predicate, PredicateError};
use crate::remove::remove_any;
use crate::root::Root;
use crate::run::{Exit, Run};
use crate::signature::Signature;
use crate::slot::Slot;
use crate::start::RunError;
use nubbin_verdict::{Ask, Cancel, Candidate, Fault, Oracle, Unresolved, Verdict};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A run may take this many times as long as the longest interesting one.
const TIMES_LONGEST: u64 = 10;
/// Below this, the time of a run depends more on the load of the machine than on the test.
const LEAST_TIME: Duration = Duration::from_secs(5);
/// After this many runs in a row that were killed again when they were repeated, a kill is taken to
/// be what the test does by itself, as `timeout -s KILL` does.
const KILLED_BY_ITSELF: u32 = 4;

/// Everything a [`CommandOracle`] is made of. Fields are set directly; [`Options::new`] gives the
/// usual values.
#[derive(Clone, Debug)]
pub struct Options {
    /// The test.
    pub command: TestCommand,
    /// Names of the input's files, relative to the folder of the test. The first one is `{}`. A
    /// candidate may lack any of them.
    pub names: Vec<PathBuf>,
    /// About how many bytes the largest candidate has; 0 at first. Decides whether memory is large
    /// enough for the folders of the tests.
    pub input_size: u64,
    /// The path that `{}` stands for, where that is not the first file: the name of a folder that
    /// files lie in, or nothing for the folder of the test itself.
    pub place: Option<PathBuf>,
    /// Folders that are there for every test, also when no file lies in them.
    pub folders: Vec<PathBuf>,
    /// Files and folders copied beside the candidate.
    pub extras: Vec<Extra>,
    /// The environment of the test: that of this process at first.
    pub environment: Environment,
    /// Whether the first file of the candidate is the command's standard input. Else it is empty.
    pub stdin: bool,
    /// Whether the candidate's files may be executed (as the user's own file may).
    pub executable: bool,
    /// A run that takes longer is ended: 300 s at first, `None` for no limit.
    pub timeout: Option<Duration>,
    /// Whether a run may also be ended much earlier, when it takes ten times as long as the longest
    /// run so far that was interesting (and at least five seconds); `false` at first.
    ///
    /// Only interesting runs count: whether a limit is right is a question of those alone, and a
    /// run that hangs must not raise it for the next. The limit can only grow, so that a candidate
    /// which was once given the time it needs is always given it again. Until there has been an
    /// interesting run, [`Options::timeout`] is the limit.
    ///
    /// How long runs take differs from time to time, and so the limit does; a test in which no
    /// candidate takes ten times as long as an interesting one never notices.
    ///
    /// Without effect with [`Predicate::timeout_fails`].
    pub adaptive_timeout: bool,
    /// Largest standard output and largest standard error in bytes, where they are read at all;
    /// a run that writes more is ended. 64 MiB each at first.
    pub output_limit: u64,
    /// Most memory of all processes of a test together in bytes; no limit at first. What counts is
    /// memory in use and not address space: sanitizers and virtual machines reserve terabytes of
    /// that. Looked at a hundred times a second. Linux only.
    pub memory_limit: Option<u64>,
    /// Most time on processors of all processes of a test together; no limit at first. Looked at
    /// a hundred times a second. Linux only.
    pub cpu_limit: Option<Duration>,
    /// Most processes of a test at one time; 512 at first, `None` for no limit. Looked at ten
    /// times a second and more often. Linux and Windows only.
    pub process_limit: Option<usize>,
    /// The length in bytes at which a file may grow no more; no limit at first. The system holds
    /// every process to it from just after its start (Linux), whatever file it writes. A test is
    /// known to have hit the limit where it was killed for it, or where a file in its folders is
    /// that long.
    pub file_size_limit: Option<u64>,
    /// Most room on disk in bytes that a test may take in its folders, beyond the candidate and the
    /// extra files. Looked at ten times a second and more often, and at the end. `None` at first:
    /// 4 GiB, or half of what is free where that is less.
    pub disk_limit: Option<u64>,
    /// The conditions that make a run interesting.
    pub predicate: Predicate,
    /// How many tests may run at the same time: slots from 0 up to this.
    pub jobs: usize,
    /// Whether this program starts no processes but those of oracles as long as one is there;
    /// `false` at first. Whatever process comes to hang below it is then of a test, and is ended
    /// with it even where it left the process group *and* cleared its environment (Linux).
    pub owns_children: bool,
    /// Whether the private folder stays when the oracle is dropped, for a look at it.
    pub keep_temp: bool,
    /// Whether both outputs of every run are kept, also those that no condition reads: for an
    /// observer that wants to look at them. `false` at first.
    pub keep_outputs: bool,
    /// The observer that receives every run that was judged; none at first.
    pub observer: Option<Arc<dyn Observer>>,
}

impl Options {
    /// The usual values for a test of the input files `names`.
    pub fn new(command: TestCommand, names: Vec<PathBuf>) -> Self {
        Options {
            command,
            names,
            input_size: 0,
            place: None,
            folders: Vec::new(),
            extras: Vec::new(),
            environment: Environment::default(),
            stdin: false,
            executable: false,
            timeout: Some(Duration::from_secs(300)),
            adaptive_timeout: false,
            output_limit: 64 << 20,
            memory_limit: None,
            cpu_limit: None,
            process_limit: Some(512),
            file_size_limit: None,
            disk_limit: None,
            predicate: Predicate::new(),
            jobs: 1,
            owns_children: false,
            keep_temp: false,
            keep_outputs: false,
            observer: None,
        }
    }
}

/// An oracle could not be built, or a test not be run.
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// The command cannot be used.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The conditions make no sense.
    #[error(transparent)]
    Predicate(#[from] PredicateError),
    /// The private folder cannot be made.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A run broke.
    #[error(transparent)]
    Run(#[from] RunError),
    /// There is no input.
    #[error("no input file")]
    NoInput,
}

/// The interestingness test as a command.
///
/// Each slot has a folder of its own with the same path for every test. A test sees the candidate
/// under its own name, the extra files, an empty folder as TMPDIR, and the environment of this
/// process (see [`Environment`] for another) with `NUBBIN=1` added; HOME is the user's. When its
/// first process has ended, or the time is up, or the answer is not needed any more, every process
/// of the test is killed and everything it left in its folders is removed.
///
/// Outputs that no condition reads go to `/dev/null`; others go to files without a name. (A
/// script that writes `> /dev/stderr` empties such a file, as it does with every file; `>&2` adds
/// to it.)
///
/// A run that ends through SIGKILL, or with the code by which a shell reports that (137), without
/// having been ended here was most likely killed for lack of memory or by a user, and says
/// nothing about the candidate. It is repeated once, and what the repetition says counts. Where
/// repetitions are killed as well, several times in a row, the test is taken to end so by itself,
/// and nothing is repeated any more. A kill that a script hides behind another exit code cannot be
/// seen.
///
/// Building one makes this process adopt the orphans of its descendants (Linux, *child
/// subreaper*) and stops core dumps of its children (Unix, resource limit). Dropping it removes
/// its folders.
///
/// A run that takes more of something than [`Options`] give it is ended, and unresolved: what it
/// would have shown is not known.
///
/// Cost above starting and awaiting the same command: some ten system calls and the writing of
/// the candidate. A test that runs for long is looked at ten times a second, for some ten system
/// calls; one that ends within ten milliseconds never is.
#[derive(Debug)]
pub struct CommandOracle {
    command: TestCommand,
    has_stdin: bool,
    limits: Limits,
    is_adaptive: bool,
    /// Nanoseconds that the longest interesting run took; 0 where there was none.
    longest: AtomicU64,
    /// Runs in a row that were killed a second time when they were repeated.
    killed_again: AtomicU32,
    predicate: Predicate,
    names: Box<[PathBuf]>,
    place: PathBuf,
    surroundings: Arc<Surroundings>,
    owns_children: bool,
    environment: Arc<Environment>,
    keep_outputs: bool,
    observer: Option<Arc<dyn Observer>>,
    slots: Box<[Mutex<Slot>]>,
    // After the slots: they clear up in it when dropped.
    root: Root,
}

impl CommandOracle {
    /// Makes the folders; starts nothing.
    ///
    /// # Errors
    /// [`OracleError`] where a name or condition cannot be used or there is no place for the
    /// folders.
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
        let surroundings = Arc::new(Surroundings {
            names: names.iter().cloned().collect(),
            folders: options.folders,
            extras: options.extras,
            is_executable: options.executable,
        });
        let slot = |number: usize| {
            let dir = root.path().join(number.to_string());
            let folder = Folder::new(&dir, Arc::clone(&surroundings));
            // The closing sign keeps slot 1 from taking processes of slot 10.
            let mark = format!("{}.{number};", root.id());
            Mutex::new(Slot::new(
                folder,
                place.clone(),
                mark,
                Arc::clone(&environment),
                owns_children,
            ))
        };
        Ok(CommandOracle {
            slots: (0..options.jobs.max(1)).map(slot).collect(),
            command: options.command,
            has_stdin: options.stdin,
            limits: Limits {
                time: options.timeout,
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
            killed_again: AtomicU32::new(0),
            predicate: options.predicate,
            names: names.into(),
            place,
            surroundings,
            owns_children,
            environment,
            keep_outputs: options.keep_outputs,
            observer: options.observer,
            root,
        })
    }

    /// Runs the command once with both outputs kept, whatever the conditions read.
    ///
    /// # Errors
    /// [`RunError`] where it could not be run.
    pub fn observe(&self, candidate: &Candidate<'_>, slot: usize) -> Result<Run, RunError> {
        self.observe_with(candidate, slot, &Cancel::new())
    }

    /// As [`CommandOracle::observe`], with a way to call the run off: it then ends at once, with
    /// [`Unresolved::Cancelled`] as what cut it short.
    ///
    /// # Errors
    /// [`RunError`] where it could not be run.
    pub fn observe_with(
        &self,
        candidate: &Candidate<'_>,
        slot: usize,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        self.observe_other(&self.command, candidate, slot, cancel)
    }

    /// As [`CommandOracle::observe_with`], of another command in the place of the test: for a tool
    /// that is asked many things of one text.
    ///
    /// # Errors
    /// [`RunError`] where it could not be run.
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

    /// What the conditions say of a run that [`CommandOracle::observe`] gave. A condition on
    /// another command counts as fulfilled.
    pub fn judge_run(&self, run: &Run) -> Verdict {
        self.predicate.judge(run)
    }

    /// Narrows the conditions to the failure that this run shows.
    ///
    /// A run that ended with exit code 0 and still shows a failure is that of a script which
    /// judges by itself: then the exit code must stay 0 as well.
    ///
    /// # Errors
    /// [`PredicateError::NoFailure`] where it shows none, [`PredicateError::CutShort`] where it
    /// did not come to its end.
    pub fn with_same_failure(mut self, run: &Run) -> Result<Self, PredicateError> {
        if let Some(reason) = &run.cut_short {
            return Err(PredicateError::CutShort {
                reason: reason.clone(),
            });
        }
        let signature = Signature::of(run).ok_or(PredicateError::NoFailure { exit: run.exit })?;
        let predicate = std::mem::take(&mut self.predicate);
        let is_free = predicate.says_nothing_of_exit();
        let predicate = predicate.same_failure(signature);
        self.predicate = match run.exit {
            Exit::Code(0) if is_free => predicate.with_code(0),
            _ => predicate,
        };
        self.predicate.check()?;
        Ok(self)
    }

    /// Takes other conditions.
    ///
    /// # Errors
    /// [`PredicateError::Conflict`]
    pub fn set_predicate(&mut self, predicate: Predicate) -> Result<(), PredicateError> {
        predicate.check()?;
        self.predicate = predicate;
        Ok(())
    }

    /// Takes another time limit, for instance a multiple of how long the first run took.
    pub fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.limits.time = timeout;
    }

    /// The time limit that is never exceeded.
    pub fn timeout(&self) -> Option<Duration> {
        self.limits.time
    }

    /// The time limit that is in force now, see [`Options::adaptive_timeout`].
    pub fn timeout_now(&self) -> Option<Duration> {
        let longest = self.longest.load(Ordering::Relaxed);
        if !self.is_adaptive || longest == 0 || self.predicate.is_about_time() {
            return self.limits.time;
        }
        let enough = Duration::from_nanos(longest.saturating_mul(TIMES_LONGEST));
        let enough = enough.max(LEAST_TIME);
        Some(self.limits.time.map_or(enough, |most| most.min(enough)))
    }

    /// The conditions.
    pub fn predicate(&self) -> &Predicate {
        &self.predicate
    }

    /// The test.
    pub fn command(&self) -> &TestCommand {
        &self.command
    }

    /// Whether the first file of the candidate is the standard input of the test.
    pub fn has_stdin(&self) -> bool {
        self.has_stdin
    }

    /// The environment of the test.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Names of the input's files.
    pub fn names(&self) -> &[PathBuf] {
        &self.names
    }

    /// Returns the number of tests that may run at the same time.
    pub fn jobs(&self) -> usize {
        self.slots.len()
    }

    /// The private folder of this run.
    pub fn folder(&self) -> &Path {
        self.root.path()
    }

    /// Runs the command, and repeats the run where something outside has killed it.
    fn run(
        &self,
        command: &TestCommand,
        candidate: &Candidate<'_>,
        ask: &Ask,
        keep: Keep,
    ) -> Result<Run, RunError> {
        let was_killed = |run: &Run| run.cut_short.is_none() && run.exit.is_signal(KILL);
        let run = self.run_once(command, candidate, ask, keep)?;
        let is_usual = self.killed_again.load(Ordering::Relaxed) >= KILLED_BY_ITSELF;
        if !was_killed(&run) || is_usual {
            return Ok(run);
        }
        let again = self.run_once(command, candidate, ask, keep)?;
        if was_killed(&again) {
            self.killed_again.fetch_add(1, Ordering::Relaxed);
        } else {
            self.killed_again.store(0, Ordering::Relaxed);
        }
        Ok(again)
    }

    fn run_once(
        &self,
        command: &TestCommand,
        candidate: &Candidate<'_>,
        ask: &Ask,
        keep: Keep,
    ) -> Result<Run, RunError> {
        self.slot(ask.slot).run(
            command,
            self.has_stdin,
            candidate,
            &ask.cancel,
            Limits {
                time: self.timeout_now(),
                ..self.limits
            },
            keep,
        )
    }

    /// Workers beyond the number of slots share them and wait for each other.
    fn slot(&self, number: usize) -> MutexGuard<'_, Slot> {
        let slot = &self.slots[number % self.slots.len()];
        // A panic leaves at worst a folder to be emptied, which the next test does anyway.
        slot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn verdict(&self, candidate: &Candidate<'_>, ask: &Ask) -> Result<Verdict, RunError> {
        if ask.cancel.is_cancelled() {
            return Ok(Verdict::Unresolved(Unresolved::Cancelled));
        }
        let keep = match self.keep_outputs {
            true => Keep::BOTH,
            false => self.predicate.keep(),
        };
        let main = self.run(&self.command, candidate, ask, keep)?;
        let keep = Keep {
            stdout: true,
            stderr: false,
        };
        let (verdict, other) = self.judge_wholly(&main, candidate, ask, keep)?;
        if verdict.is_fail() {
            let longest = other.map_or(main.elapsed, |other| other.elapsed.max(main.elapsed));
            let longest = u64::try_from(longest.as_nanos()).unwrap_or(u64::MAX);
            self.longest.fetch_max(longest, Ordering::Relaxed);
        }
        if let Some(observer) = &self.observer {
            observer.judged(candidate, &main, &verdict);
        }
        Ok(verdict)
    }

    /// Returns the verdict of all conditions on a run, with the run of the other command if needed.
    pub(crate) fn judge_wholly(
        &self,
        main: &Run,
        candidate: &Candidate<'_>,
        ask: &Ask,
        keep: Keep,
    ) -> Result<(Verdict, Option<Run>), RunError> {
        let verdict = self.predicate.judge(main);
        let Some(other) = self.predicate.other_command().filter(|_| verdict.is_fail()) else {
            return Ok((verdict, None));
        };
        let other = self.run(other, candidate, ask, keep)?;
        Ok((self.predicate.compare(main, &other), Some(other)))
    }

    /// Runs the command once as [`CommandOracle::observe_with`] does, with more files beside the
    /// candidate.
    pub(crate) fn observe_beside(
        &self,
        neighbours: Vec<Extra>,
        candidate: &Candidate<'_>,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        let dir = self.root.path().join("beside");
        let ours = &self.surroundings;
        let surroundings = Surroundings {
            names: ours.names.clone(),
            folders: ours.folders.clone(),
            extras: ours.extras.iter().cloned().chain(neighbours).collect(),
            is_executable: ours.is_executable,
        };
        let folder = Folder::new(&dir, Arc::new(surroundings));
        let mut slot = Slot::new(
            folder,
            self.place.clone(),
            format!("{}.beside;", self.root.id()),
            Arc::clone(&self.environment),
            self.owns_children,
        );
        let run = slot.run(
            &self.command,
            self.has_stdin,
            candidate,
            cancel,
            self.limits,
            Keep::BOTH,
        );
        drop(slot);
        // The copies may be many; what stays goes with the root.
        let _ = remove_any(&dir);
        run
    }

    /// What `{}` stands for, relative to the folder of the test: the first file, a folder, or
    /// nothing for the folder of the test itself.
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
        self.verdict(candidate, ask).map_err(Fault::new)
    }
}

/// The signal that ends a process without asking it.
#[cfg(unix)]
const KILL: i32 = rustix::process::Signal::KILL.as_raw();
#[cfg(not(unix))]
const KILL: i32 = 9;

/// More than a compiler writes, and less than what would hurt others.
fn usual_disk(root: &Path) -> u64 {
    const MOST: u64 = 4 << 30;
    disk::free(root).map_or(MOST, |free| (free / 2).min(MOST))
}

/// A test that crashes on purpose, thousands of times, must not write its memory to disk each
/// time. Only the soft limit is lowered: a test may raise it for itself.
fn no_core_dumps() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Core);
        limit.current = Some(0);
        // Lowering is always allowed; where it is not, core dumps are swept with the folder.
        let _ = setrlimit(Resource::Core, limit);
    }
}
