use crate::command::TestCommand;
use crate::environment::Environment;
use crate::extra::Extra;
use crate::forkserver::Persistence;
use crate::observer::{Observer, Validity};
use crate::parameters::Parameters;
use crate::predicate::Predicate;
use crate::sandbox::Sandbox;
use crate::stack::Tracer;
use regex::bytes::Regex;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The settings of a [`CommandOracle`](crate::CommandOracle). [`Options::new`] returns the
/// defaults. Change the fields directly.
#[derive(Clone, Debug)]
pub struct Options {
    /// The test.
    pub command: TestCommand,
    /// A command that is run once before the test, and before the command to compare with, in the
    /// same folder; none by default. The test only runs if the build exits with code 0.
    /// Otherwise the verdict is *unresolved*
    /// ([`Unresolved::NotBuilt`](nubbin_verdict::Unresolved::NotBuilt)), and the run is the run of
    /// the build. The limits of a test hold for the build and for the test separately. A test in a
    /// fork server is not built.
    pub build: Option<TestCommand>,
    /// Files of the candidate that hold arguments and variables of the test; none by default. A
    /// test in a fork server does not use them.
    pub parameters: Parameters,
    /// The names of the input's files, relative to the folder of the test. `{}` stands for the
    /// first one, unless [`Options::place`] is set. A candidate may lack any of them.
    pub names: Vec<PathBuf>,
    /// The approximate size of the largest candidate in bytes; 0 by default. The size decides
    /// whether the folders of the tests fit in memory.
    pub input_size: u64,
    /// The path that `{}` stands for if it is not the first file: the name of a folder with files,
    /// or an empty path for the folder of the test itself.
    pub place: Option<PathBuf>,
    /// Folders that exist for every test, even if they are empty.
    pub folders: Vec<PathBuf>,
    /// Files and folders that are copied next to the candidate; none by default.
    pub extras: Vec<Extra>,
    /// The environment of the test; by default, the environment of this process.
    pub environment: Environment,
    /// The sandbox of the tests; none by default.
    /// [`CommandOracle::try_sandbox`](crate::CommandOracle::try_sandbox) checks whether the
    /// original fails in it.
    pub sandbox: Option<Sandbox>,
    /// Whether the first file of the candidate is the command's standard input, which is
    /// empty otherwise.
    pub stdin: bool,
    /// The permissions of the user's own files, in the order of [`Options::names`]. The candidate's
    /// files have the same permissions, but their owner can always read and write them. Only the
    /// owner can access files without a value. This has no effect on systems other than Unix.
    pub modes: Vec<u32>,
    /// The time limit of a run; 300 s by default, `None` for no limit.
    pub timeout: Option<Duration>,
    /// Whether a run is also ended when it takes ten times as long as the longest failing run so
    /// far, and at least five seconds; `false` by default. A run that computes, for example in an
    /// endless loop, is stopped when its processor time is twenty times the longest processor time
    /// of a failing run, and at least 0.2 seconds (on Linux). If the processor time of a run is not
    /// known, for example on a farm or in a fork server, its elapsed time is used instead.
    ///
    /// Only failing runs count: a limit is wrong only if it stops a run that would fail, and a run
    /// that hangs must not raise it. The limit can only grow, so that a candidate which once had
    /// enough time always has it again. Until the first failing run, [`Options::timeout`] is the
    /// limit.
    ///
    /// The times of runs vary, and the limit varies with them. This variation changes no verdict if
    /// no candidate takes ten times as long as a failing one.
    ///
    /// This has no effect with [`Predicate::timeout_fails`].
    pub adaptive_timeout: bool,
    /// The limit on standard output and on standard error in bytes, if they are read; a run that
    /// writes more is stopped. 64 MiB for each by default.
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
    /// enforces it from just after the start of a process, for files in any folder. A test counts
    /// as over the limit if it was killed for that, or if a file in its folders has that size.
    pub file_size_limit: Option<u64>,
    /// The limit on the disk space in bytes that a test takes in its folders, without the candidate
    /// and the extra files. Checked at least ten times a second, and at the end. `None`, the
    /// default, means 4 GiB or half of the free space, whichever is less.
    pub disk_limit: Option<u64>,
    /// A pattern that stops a run as soon as an output that is kept matches; none by default. The
    /// outputs are searched a hundred times a second. Without effect on systems other than Unix.
    pub until: Option<Regex>,
    /// The conditions under which a run shows the failure.
    pub predicate: Predicate,
    /// The number of tests that may run at the same time, which is the number of slots.
    pub jobs: usize,
    /// Whether this program only starts processes in other process groups through oracles while an
    /// oracle exists; `false` by default. If `true`, every child of this process in another group
    /// belongs to a test. Such a child is killed with the test even if it left the process group of
    /// the test *and* cleared its environment (Linux).
    pub owns_children: bool,
    /// Whether the private folder is kept when the oracle is dropped, so that a user can inspect
    /// it.
    pub keep_temp: bool,
    /// Whether both outputs of every run are kept for the observer even if no condition reads them;
    /// `false` by default.
    pub keep_outputs: bool,
    /// The observer that receives every run that was judged; none by default.
    pub observer: Option<Arc<dyn Observer>>,
    /// The check before each test; none by default.
    pub validity: Option<Arc<dyn Validity>>,
    /// The use of the fork server of the program, if it is instrumented for AFL++; `None`, the
    /// default, starts the program for each test. Runs that are only observed are started in any
    /// case. Linux only.
    pub persistence: Option<Persistence>,
    /// The tracer that reads the stacks of crashes; `None`, the default, reads none. Only runs
    /// whose stack is a condition
    /// ([`CommandOracle::with_same_stack`](crate::CommandOracle::with_same_stack)) are traced.
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
