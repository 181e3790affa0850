use crate::abandon::wait_if_over;
use crate::command::{CommandError, TestCommand};
use crate::disk;
use crate::environment::Environment;
use crate::folder::{Folder, FolderError};
use crate::limits::{Guard, Limits};
use crate::output::{self, Keep};
use crate::process::{self, Command, Leftovers, MARK, Stdio, Wake};
use crate::run::{Exit, Run};
use crate::sandbox::{Cage, Sandbox};
use crate::start::{self, RunError};
use nubbin_verdict::{Cancel, Candidate, Limit, Unresolved};
use regex::bytes::Regex;
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
    ready: Vec<Ready>,
    place: PathBuf,
    mark: String,
    environment: Arc<Environment>,
    sandbox: Option<Arc<Sandbox>>,
    /// The sandbox of the folder, made for the first test in it.
    cage: Option<Cage>,
    until: Option<Arc<Regex>>,
    group: i32,
}

/// A command with all settings that are the same for every test of the slot.
#[derive(Debug)]
struct Ready {
    test: TestCommand,
    has_stdin: bool,
    is_through_shell: bool,
    command: Command,
    keep: Keep,
}

enum Started {
    Runs(process::Process),
    /// The candidate is the program and cannot be run; holds the exit code that shells give then.
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
            group: 0,
        }
    }

    /// Ends each test as soon as one of its outputs matches.
    pub(crate) fn set_until(&mut self, until: Option<Arc<Regex>>) {
        self.until = until;
    }

    /// Sets the sandbox of the tests from now on.
    pub(crate) fn set_sandbox(&mut self, sandbox: Option<Arc<Sandbox>>) {
        self.sandbox = sandbox;
        self.cage = None;
    }

    /// Makes the sandbox of the folder, if there is to be one. A folder that was removed and made
    /// again is another one for the system.
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

    /// Runs `test` on `candidate` in the folder of the slot, and removes its leftovers.
    pub(crate) fn run(
        &mut self,
        test: &TestCommand,
        has_stdin: bool,
        candidate: &Candidate<'_>,
        cancel: &Cancel,
        limits: Limits,
        keep: Keep,
    ) -> Result<Run, RunError> {
        wait_if_over();
        let prepared = self.folder.prepare(candidate, cancel);
        // The folder may be gone for that reason.
        wait_if_over();
        if !prepared? {
            return Ok(Run::cancelled());
        }
        // On a busy machine a short test may be over before this thread runs again.
        let begin = Instant::now();
        let outcome = self
            .start(test, has_stdin, candidate, keep)
            .and_then(|started| {
                let cut = |process| self.watch(process, test, cancel, limits, keep, begin);
                match started {
                    Started::Runs(process) => cut(process),
                    Started::Never(code) => Ok(Run::refused(code)),
                }
            });
        // The test may have been ended for that reason.
        wait_if_over();
        self.leftovers.end(self.group);
        self.folder.tidy();
        let mut run = outcome?;
        let no_room = Some(Unresolved::OverLimit(Limit::Disk));
        if run.cut_short == no_room && disk::is_full(self.folder.dir()) {
            // Something other than this test has filled the disk, and the next test would fail too.
            let full = io::ErrorKind::StorageFull.into();
            return Err(FolderError::write(self.folder.work(), full).into());
        }
        if keep != Keep::default() {
            run.inputs = candidate
                .files()
                .iter()
                .map(|file| file.name.to_owned())
                .collect();
        }
        Ok(run)
    }

    /// The path that `{}` stands for.
    pub(crate) fn place(&self) -> PathBuf {
        let work = self.folder.work();
        if self.place.as_os_str().is_empty() {
            work.to_owned()
        } else {
            work.join(&self.place)
        }
    }

    fn start(
        &mut self,
        test: &TestCommand,
        has_stdin: bool,
        candidate: &Candidate<'_>,
        keep: Keep,
    ) -> Result<Started, RunError> {
        for file in self.kept(keep).into_iter().flatten() {
            output::rewind(file).map_err(|source| start::lost(test, source))?;
        }
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
                        // The next candidate may have a `#!` line, or be a program.
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
                io::ErrorKind::NotFound if test.runs_candidate() => Ok(Started::Never(127)),
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
        test: &TestCommand,
        cancel: &Cancel,
        limits: Limits,
        keep: Keep,
        begin: Instant,
    ) -> Result<Run, RunError> {
        let lost = |source| start::lost(test, source);
        process.limit_files(limits.file_size);
        let guard = process.killed_by(cancel);
        let outputs = self.kept(keep);
        let (folder, leftovers) = (&self.folder, &self.leftovers);
        let leader = process.leader();
        let watch = Guard::new(limits, outputs, folder, leftovers, leader, begin);
        let mut watch = watch.until(self.until.as_deref());
        // A time limit too large for the clock is no limit.
        let until = |time: Option<Duration>| time.and_then(|time| begin.checked_add(time));
        let is_shorter = |busy: &Duration| limits.time.is_none_or(|time| *busy < time);
        let mut time = limits.busy.filter(is_shorter).or(limits.time);
        let mut wake = process.wait(until(time), watch.first(), || watch.look());
        if let (Ok(Wake::TimeUp), Some(busy)) = (&wake, time)
            && time != limits.time
            && !watch.is_busy(busy)
        {
            time = limits.time;
            wake = process.wait(until(time), watch.first(), || watch.look());
        }
        let elapsed = begin.elapsed();
        let has_stopped = matches!(wake, Ok(Wake::TimeUp)) && leftovers.any_stopped(&leader);
        // The guard sends signals to the process number, which the system may reuse after `end`.
        drop(guard);
        let status = process.end().map_err(lost)?;
        let is_matched = watch.is_matched();
        let cut_short = match wake.map_err(lost)? {
            _ if is_matched => None,
            _ if cancel.is_cancelled() => Some(Unresolved::Cancelled),
            Wake::TimeUp => time.map(Unresolved::TimedOut),
            Wake::Over => watch.broken(),
            Wake::Ended => watch.after(Exit::of(status)).or_else(|| {
                // On a full disk the exit code says nothing about the candidate.
                let is_full = disk::is_full(self.folder.dir());
                is_full.then_some(Unresolved::OverLimit(Limit::Disk))
            }),
        };
        let read = |file: Option<&File>| {
            file.map(|file| output::read(file, limits.output))
                .transpose()
        };
        let stdout = read(outputs[0]).map_err(lost)?;
        let stderr = read(outputs[1]).map_err(lost)?;
        for file in outputs.into_iter().flatten() {
            // The file may lie in memory, so a large output must not stay until the next test.
            output::rewind(file).map_err(lost)?;
        }
        let inputs = Vec::new();
        Ok(Run {
            exit: Exit::of(status),
            cut_short,
            has_stopped,
            is_matched,
            stdout,
            stderr,
            elapsed,
            inputs,
        })
    }

    /// Returns the index of the prepared command, with its outputs set as `keep` says.
    fn ready(
        &mut self,
        test: &TestCommand,
        has_stdin: bool,
        keep: Keep,
    ) -> Result<usize, RunError> {
        let same = |ready: &Ready| ready.test == *test && ready.has_stdin == has_stdin;
        let at = match self.ready.iter().position(same) {
            Some(at) => at,
            None => {
                self.ready.push(Ready {
                    test: test.clone(),
                    has_stdin,
                    is_through_shell: false,
                    command: self.command(test, false)?,
                    keep: Keep::default(),
                });
                self.ready.len() - 1
            }
        };
        if self.ready[at].keep != keep {
            let stdout = output::file(&mut self.stdout, keep.stdout, &self.folder)?;
            let stderr = output::file(&mut self.stderr, keep.stderr, &self.folder)?;
            let ready = &mut self.ready[at];
            ready.command.stdout(stdout).stderr(stderr);
            ready.keep = keep;
        }
        Ok(at)
    }

    fn command(&self, test: &TestCommand, through_shell: bool) -> Result<Command, RunError> {
        let candidate = self.place();
        let program = test.program_for(&candidate);
        let mut command = if through_shell {
            let mut command = Command::new("sh");
            command.arg(program);
            command
        } else {
            Command::new(program)
        };
        command.args(test.args_for(&candidate));
        self.surround(&mut command);
        command
            .stdin(output::nothing()?)
            .stdout(output::nothing()?)
            .stderr(output::nothing()?);
        Ok(command)
    }

    /// Sets the folder and the environment of a command.
    fn surround(&self, command: &mut Command) {
        let (work, tmp) = (self.folder.work(), self.folder.tmp());
        self.environment.clear(command);
        command
            .current_dir(work)
            .env("PWD", work)
            .env("TMPDIR", tmp)
            .env("NUBBIN", "1");
        if cfg!(windows) {
            command.env("TMP", tmp).env("TEMP", tmp);
        }
        self.environment.change(command);
        // Set last, so that no change by the user removes it: the processes of the test are found
        // by the mark.
        command.env(MARK, process::mark_value(&self.mark));
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.leftovers.end(self.group);
    }
}
