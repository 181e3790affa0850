mod commands;
mod prepared;
mod served;
mod served_program;

pub(crate) use served_program::ServeError;

use crate::command::{CommandError, TestCommand};
use crate::disk;
use crate::environment::Environment;
use crate::folder::Folder;
use crate::folder_error::FolderError;
use crate::limits::{Guard, Limits};
use crate::output::{self, Keep};
use crate::over::wait_if_over;
use crate::process::{self, Leftovers, Stdio, Wake};
use crate::run::{Exit, Run};
use crate::run_error::RunError;
use crate::sandbox::{Cage, Sandbox};
use crate::stack::{Stack, Tracer};
use crate::start;
use crate::written::{self, LeftFile};
use nubbin_verdict::{Cancel, Candidate, Limit, Unresolved};
use prepared::PreparedCommand;
use regex::bytes::Regex;
use served_program::Served;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The resources with which one worker runs tests: a folder, output files, and prepared commands.
#[derive(Debug)]
pub(crate) struct Slot {
    folder: Folder,
    leftovers: Leftovers,
    stdout: Option<File>,
    stderr: Option<File>,
    ready: Vec<PreparedCommand>,
    place: PathBuf,
    mark: String,
    environment: Arc<Environment>,
    sandbox: Option<Arc<Sandbox>>,
    /// The sandbox of the folder, made for the first test in it.
    cage: Option<Cage>,
    until: Option<Arc<Regex>>,
    /// The folder of the user in which the commands run instead of that of the slot.
    home: Option<PathBuf>,
    group: i32,
    server: Option<Served>,
}

/// One run of a command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'a> {
    pub(crate) test: &'a TestCommand,
    /// The command that is run in the same folder before the test.
    pub(crate) build: Option<&'a TestCommand>,
    pub(crate) has_stdin: bool,
    pub(crate) candidate: &'a Candidate<'a>,
    pub(crate) cancel: &'a Cancel,
    pub(crate) limits: Limits,
    pub(crate) keep: Keep,
}

enum Started {
    Runs(process::Process),
    /// The candidate is the program and cannot be run. The value is the exit code with which a
    /// shell reports this.
    Never(i32),
}

impl Slot {
    pub(crate) fn new(
        folder: Folder,
        place: PathBuf,
        mark: String,
        environment: Arc<Environment>,
        owns_children: bool,
    ) -> Self {
        Slot {
            folder,
            leftovers: Leftovers::of(&mark, owns_children),
            stdout: None,
            stderr: None,
            ready: Vec::new(),
            place,
            mark,
            environment,
            sandbox: None,
            cage: None,
            until: None,
            home: None,
            group: 0,
            server: None,
        }
    }

    /// Ends each test as soon as one of its outputs matches.
    pub(crate) fn set_until(&mut self, until: Option<Arc<Regex>>) {
        self.until = until;
    }

    /// Runs the commands in a folder of the user, on the files in that folder.
    pub(crate) fn set_home(&mut self, home: PathBuf) {
        self.home = Some(home);
    }

    /// The folder in which the commands run.
    pub(crate) fn work(&self) -> &std::path::Path {
        self.home.as_deref().unwrap_or(self.folder.work())
    }

    /// Sets the sandbox of the tests from now on.
    pub(crate) fn set_sandbox(&mut self, sandbox: Option<Arc<Sandbox>>) {
        self.sandbox = sandbox;
        self.cage = None;
        self.server = None;
    }

    /// Creates the sandbox of the folder if one is required. The system treats a folder that was
    /// removed and created again as a different folder.
    fn confine(&mut self) -> Result<(), RunError> {
        let Some(sandbox) = &self.sandbox else {
            return Ok(());
        };
        let folder = self.folder.dir();
        if !self.cage.as_ref().is_some_and(|cage| cage.is_for(folder)) {
            self.cage = Some(Cage::new(sandbox, folder)?);
        }
        Ok(())
    }

    /// Runs a test in the folder of the slot, and removes its leftovers.
    ///
    /// If there is a build, it is run before. If the build fails, its run is returned. Otherwise,
    /// the time of the run includes both.
    pub(crate) fn run(&mut self, task: Task<'_>) -> Result<Run, RunError> {
        self.run_traced(task, None)
    }

    /// Runs a test as [`Slot::run`] does, with the test behind a tracer if there is one.
    pub(crate) fn run_traced(
        &mut self,
        task: Task<'_>,
        tracer: Option<&Tracer>,
    ) -> Result<Run, RunError> {
        if !self.prepare(task)? {
            return Ok(Run::cancelled());
        }
        let (mut build_time, mut build_cpu) = (Duration::ZERO, Some(Duration::ZERO));
        if let Some(build) = task.build {
            let built = Task {
                test: build,
                has_stdin: false,
                ..task
            };
            let built = self.run_prepared(built, None)?;
            if let Some(reason) = why_not_built(&built) {
                let cut_short = Some(reason);
                return self.tidied(task, Run { cut_short, ..built });
            }
            (build_time, build_cpu) = (built.elapsed, built.cpu);
        }
        let mut run = self.run_prepared(task, tracer)?;
        run.elapsed += build_time;
        run.cpu = run.cpu.zip(build_cpu).map(|(test, build)| test + build);
        self.tidied(task, run)
    }

    /// Runs a command in the folder of the slot, and returns the wanted files that exist when the
    /// command ends.
    pub(crate) fn run_for_files(
        &mut self,
        task: Task<'_>,
        wanted: &dyn Fn(&OsStr) -> bool,
    ) -> Result<(Run, Vec<LeftFile>), RunError> {
        if !self.prepare(task)? {
            return Ok((Run::cancelled(), Vec::new()));
        }
        let run = self.run_prepared(task, None)?;
        let files = written::files(self.work(), wanted);
        Ok((self.tidied(task, run)?, files))
    }

    /// Runs a command in the folder of the slot, and returns the files of the candidate that it has
    /// changed or removed.
    pub(crate) fn changed_by(&mut self, task: Task<'_>) -> Result<Vec<PathBuf>, RunError> {
        if !self.prepare(task)? {
            return Ok(Vec::new());
        }
        let ran = self.run_prepared(task, None);
        let work = self.folder.work();
        let is_same = |file: &nubbin_verdict::File<'_>| {
            let path = work.join(file.name);
            // A pipe that replaces the file is not read.
            let there = std::fs::symlink_metadata(&path);
            there.is_ok_and(|there| there.is_file() && there.len() == file.bytes.len() as u64)
                && std::fs::read(&path).is_ok_and(|bytes| bytes == file.bytes)
        };
        let files = task.candidate.files().iter();
        let changed = files.filter(|file| !is_same(file));
        let changed = changed.map(|file| file.name.to_owned()).collect();
        self.folder.tidy();
        ran.map(|_| changed)
    }

    /// Runs the command of a test in the prepared folder, and kills all processes of the test.
    fn run_prepared(&mut self, task: Task<'_>, tracer: Option<&Tracer>) -> Result<Run, RunError> {
        // On a busy machine, a short test may end before this thread continues.
        let begin = Instant::now();
        let (started, report) = match tracer {
            Some(tracer) => match self.start_traced(task, tracer) {
                Ok((process, report)) => (Ok(Started::Runs(process)), Some(report)),
                Err(error) => (Err(error), None),
            },
            None => (self.start(task), None),
        };
        let outcome = started.and_then(|started| match started {
            Started::Runs(process) => self.watch(process, task, begin),
            Started::Never(code) => Ok(Run::refused(code)),
        });
        // The test may have been ended because the run is over.
        wait_if_over();
        self.leftovers.end(self.group);
        let stack = report.as_ref().and_then(Stack::read);
        outcome.map(|run| Run { stack, ..run })
    }

    /// Writes the candidate to the folder. Returns `false` if the test was canceled.
    fn prepare(&mut self, task: Task<'_>) -> Result<bool, RunError> {
        wait_if_over();
        let prepared = self.folder.prepare(task.candidate, task.cancel);
        // The folder may have been removed because the run is over.
        wait_if_over();
        Ok(prepared?)
    }

    /// Removes the files that a test left in the folder, and completes its run.
    fn tidied(&mut self, task: Task<'_>, mut run: Run) -> Result<Run, RunError> {
        if task.keep.written && self.home.is_none() {
            run.written = self.folder.written();
        }
        self.folder.tidy();
        let no_room = Some(Unresolved::OverLimit(Limit::Disk));
        if run.cut_short == no_room && disk::is_full(self.folder.dir()) {
            // The disk was filled by something other than this test, so the next test would fail
            // too.
            let full = io::ErrorKind::StorageFull.into();
            return Err(FolderError::write(self.folder.work(), full).into());
        }
        if task.keep != Keep::default() {
            let files = task.candidate.files().iter();
            run.inputs = files.map(|file| file.name.to_owned()).collect();
        }
        Ok(run)
    }

    /// The path that `{}` stands for.
    pub(crate) fn place(&self) -> PathBuf {
        let work = self.work();
        if self.place.as_os_str().is_empty() {
            work.to_owned()
        } else {
            work.join(&self.place)
        }
    }

    /// Empties the files of the outputs.
    fn rewind(&self, task: Task<'_>) -> Result<(), RunError> {
        for file in self.kept(task.keep).into_iter().flatten() {
            output::rewind(file).map_err(|source| start::lost(task.test, source))?;
        }
        Ok(())
    }

    fn start(&mut self, task: Task<'_>) -> Result<Started, RunError> {
        let Task {
            test,
            has_stdin,
            candidate,
            keep,
            ..
        } = task;
        self.rewind(task)?;
        self.confine()?;
        loop {
            let at = self.ready(test, has_stdin, keep)?;
            if has_stdin {
                let stdin = self.stdin(candidate)?;
                self.ready[at].command.stdin(stdin);
            }
            let ready = &mut self.ready[at];
            let error = match start::with_retries(&mut ready.command, self.cage.as_ref()) {
                Ok(process) => {
                    if test.runs_candidate() && ready.is_through_shell {
                        // The next candidate may have a `#!` line, or may be a program.
                        self.ready.swap_remove(at);
                    }
                    self.group = process.group();
                    return Ok(Started::Runs(process));
                }
                Err(error) => error,
            };
            let program = PathBuf::from(ready.command.get_program());
            let is_unknown = start::has_unknown_format(&error) && !ready.is_through_shell;
            if is_unknown && !start::is_binary(&program) {
                // A shell also runs a script without a `#!` line in this way.
                let command = self.command(test, true)?;
                let ready = &mut self.ready[at];
                (ready.command, ready.is_through_shell) = (command, true);
                ready.keep = Keep::default();
                continue;
            }
            return match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory if test.runs_candidate() => {
                    Ok(Started::Never(127))
                }
                _ if test.runs_candidate() && start::is_refusal(&error) => Ok(Started::Never(126)),
                _ if is_unknown => Err(CommandError::WrongFormat { path: program }.into()),
                _ => {
                    let hint = start::hint(&error, &program, self.folder.work());
                    Err(RunError::Start {
                        command: program,
                        source: error,
                        hint,
                    })
                }
            };
        }
    }

    /// Starts a test under a tracer, and returns the file of the tracer's report.
    fn start_traced(
        &mut self,
        task: Task<'_>,
        tracer: &Tracer,
    ) -> Result<(process::Process, File), RunError> {
        self.rewind(task)?;
        self.confine()?;
        let lost = |source| start::lost(task.test, source);
        let mut command = self.command(task.test, false)?;
        if task.has_stdin {
            command.stdin(self.stdin(task.candidate)?);
        }
        let stdout = output::file(&mut self.stdout, task.keep.stdout, &self.folder)?;
        let stderr = output::file(&mut self.stderr, task.keep.stderr, &self.folder)?;
        command.stdout(stdout).stderr(stderr);
        let report = tracer.put_before(&mut command).map_err(lost)?;
        let process = start::with_retries(&mut command, self.cage.as_ref()).map_err(lost)?;
        self.group = process.group();
        Ok((process, report))
    }

    fn stdin(&self, candidate: &Candidate<'_>) -> Result<Stdio, RunError> {
        let Some(file) = candidate.files().first() else {
            return output::nothing();
        };
        let path = self.folder.work().join(file.name);
        let opened = File::open(&path).map_err(|source| FolderError::write(&path, source))?;
        Ok(opened.into())
    }

    /// The files of the outputs that are kept.
    fn kept(&self, keep: Keep) -> [Option<&File>; 2] {
        [
            self.stdout.as_ref().filter(|_| keep.stdout),
            self.stderr.as_ref().filter(|_| keep.stderr),
        ]
    }

    fn watch(
        &self,
        process: process::Process,
        task: Task<'_>,
        begin: Instant,
    ) -> Result<Run, RunError> {
        let Task {
            test,
            cancel,
            limits,
            keep,
            ..
        } = task;
        let lost = |source| start::lost(test, source);
        process.limit_files(limits.file_size);
        let guard = process.killed_by(cancel);
        let outputs = self.kept(keep);
        let (folder, leftovers) = (&self.folder, &self.leftovers);
        let leader = process.leader();
        let watch = Guard::new(limits, outputs, folder, leftovers, leader, begin);
        let mut watch = watch.until(self.until.as_deref());
        let waited = watch.wait(|until, first, look| process.wait(until, first, look));
        let elapsed = begin.elapsed();
        let cpu = watch.used(&waited, elapsed);
        let has_stopped = matches!(waited.wake, Ok(Wake::TimeUp)) && watch.has_stopped();
        // The guard sends signals to the process number, which the system may reuse after `end`.
        drop(guard);
        let status = process.end().map_err(lost)?;
        let is_matched = watch.is_matched();
        let exit = Exit::of(status);
        let cut_short = watch.cut_short(waited, exit, cancel).map_err(lost)?;
        let [stdout, stderr] = self.take_outputs(task)?;
        Ok(Run {
            exit,
            cut_short,
            has_stopped,
            is_matched,
            stdout,
            stderr,
            written: Vec::new(),
            elapsed,
            cpu,
            inputs: Vec::new(),
            coverage: None,
            is_in_loop: false,
            stack: None,
            taken: None,
        })
    }

    /// Reads the outputs that are kept, and empties their files.
    fn take_outputs(&self, task: Task<'_>) -> Result<[Option<Vec<u8>>; 2], RunError> {
        let lost = |source| start::lost(task.test, source);
        let read = |file: Option<&File>| {
            let read = file.map(|file| output::read(file, task.limits.output));
            read.transpose().map_err(lost)
        };
        let [stdout, stderr] = self.kept(task.keep);
        let taken = [read(stdout)?, read(stderr)?];
        // The file may be in memory, so a large output must not be kept until the next test.
        self.rewind(task)?;
        Ok(taken)
    }
}

/// Returns the reason why a candidate is not built after this run of the build. Every exit code but
/// 0 is one.
fn why_not_built(build: &Run) -> Option<Unresolved> {
    match &build.cut_short {
        // A build that times out is not a test that times out.
        Some(Unresolved::TimedOut(_)) => Some(Unresolved::NotBuilt { timed_out: true }),
        Some(reason) => Some(reason.clone()),
        None if build.exit == Exit::Code(0) => None,
        None => Some(Unresolved::NotBuilt { timed_out: false }),
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.server = None;
        self.leftovers.end(self.group);
    }
}
