use super::coverage::{self, Coverage};
use super::protocol::{LARGEST_MAP, Offer, Wire, greet};
use super::segment::Segment;
use super::target::Marks;
use super::{Answer, Persistence, Setup};
use crate::folder::Folder;
use crate::limits::Guard;
use crate::output;
use crate::process::{self, ChildList, Command, Leader, Process, Readable, Wake, gate};
use crate::run::Exit;
use crate::run_error::{RunError, ServerError};
use crate::sandbox::Cage;
use crate::start;
use nubbin_verdict::Cancel;
use rustix::io::fcntl_dupfd_cloexec;
use rustix::pipe::{PipeFlags, pipe_with};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

/// The numbers that the runtime of AFL++ gives to its two pipes.
const CONTROL: i32 = 198;
const STATUS: i32 = 199;

/// The time limit for the first words. A large program with sanitizers takes seconds to start.
const TIME_TO_GREET: Duration = Duration::from_secs(30);
/// The time limit for a response of the server itself, which only forks or reaps a process.
const TIME_TO_ANSWER: Duration = Duration::from_secs(10);
/// The least size of the shared memory for test cases: the largest test case of AFL++.
const LEAST_TEXT: usize = 1 << 20;

/// A program that waits, and makes a copy of itself for each test.
#[derive(Debug)]
pub(crate) struct Server {
    line: Line,
    setup: Setup,
    map: Segment,
    map_words: usize,
    /// The memory from which the program takes its test cases.
    text: Option<Segment>,
    /// The file from which it takes them otherwise, if that is its standard input.
    stdin: Option<File>,
    /// The process that is stopped after its last test, and waits for the next one.
    stopped: Option<(Leader, ChildList)>,
    /// Whether a process was killed since the last test began.
    was_killed: bool,
    /// Both outputs of the program before its first copy.
    before: [Vec<u8>; 2],
    is_out_of_step: bool,
    /// The word with which the last test ended.
    last_status: Option<u32>,
}

impl Server {
    /// Starts the program, whose standard streams are set already, except its standard input.
    pub(crate) fn start(
        mut command: Command,
        cage: Option<&Cage>,
        setup: Setup,
        outputs: [Option<&File>; 2],
        folder: &Folder,
        cancel: &Cancel,
    ) -> Result<Self, ServerError> {
        let map = Segment::new(LARGEST_MAP as usize)?;
        let text =
            Segment::new(setup.input_size.saturating_mul(2).max(LEAST_TEXT) + size_of::<u32>())?;
        let stdin = match setup.has_stdin {
            true => {
                let file = tempfile::tempfile_in(folder.dir())?;
                command.stdin(file.try_clone()?);
                Some(file)
            }
            false => None,
        };
        let marks = Marks::of(command.get_program().as_ref());
        command
            .env("__AFL_SHM_ID", map.id().to_string())
            .env("__AFL_SHM_FUZZ_ID", text.id().to_string())
            .env("AFL_MAP_SIZE", LARGEST_MAP.to_string());
        if marks.is_deferred {
            command.env("__AFL_DEFER_FORKSRV", "1");
        }
        match marks.has_loop {
            // Without this variable, the server of a later version is not informed that the loop
            // has stopped.
            true => command.env("__AFL_PERSISTENT", "1"),
            false => command.env_remove("__AFL_PERSISTENT"),
        };
        if std::env::var_os("LD_BIND_LAZY").is_none() {
            // The dynamic linker resolves symbols once, and not in each copy.
            command.env("LD_BIND_NOW", "1");
        }
        let mut line = Line::start(command, cage)?;
        let greeted = {
            let _guard = line.process.killed_by(cancel);
            greet(&mut line)
        };
        let offer = match greeted {
            // The program may have been killed just after it sent its greeting.
            _ if cancel.is_cancelled() => return Err(ServerError::Stopped),
            Ok(offer) => offer,
            Err(ServerError::System(_)) => return Err(line.ended()),
            Err(error) => return Err(error),
        };
        if !line.is_program() {
            return Err(ServerError::Another);
        }
        let Offer {
            map: map_size,
            has_memory,
        } = offer;
        let mut before = [Vec::new(), Vec::new()];
        for (before, file) in before.iter_mut().zip(outputs) {
            if let Some(file) = file {
                *before = output::read(file, u64::MAX)?;
                output::rewind(file)?;
            }
        }
        Ok(Server {
            line,
            setup,
            map,
            map_words: (map_size as usize).div_ceil(size_of::<u64>()),
            text: Some(text).filter(|_| has_memory),
            stdin,
            stopped: None,
            was_killed: false,
            before,
            is_out_of_step: false,
            last_status: None,
        })
    }

    /// The number of its process group.
    pub(crate) fn group(&self) -> i32 {
        self.line.process.group()
    }

    /// Returns whether the server has the given setup.
    pub(crate) fn is(&self, setup: Setup) -> bool {
        self.setup == setup
    }

    /// Returns both outputs of the program before its first copy. A copy does not write them, but a
    /// started program would.
    pub(crate) fn before(&self) -> [&[u8]; 2] {
        self.before.each_ref().map(Vec::as_slice)
    }

    /// Limits the size of the files that the tests write.
    pub(crate) fn limit_files(&self, size: Option<u64>) {
        self.line.process.limit_files(size);
    }

    /// Makes the next test run in a new process.
    pub(crate) fn renew(&mut self) {
        self.was_killed |= self.stopped.is_some();
    }

    /// Returns whether the server has written more than it was asked for. The next word would be
    /// taken for the number of a process, and then one test for another.
    fn has_unread(&mut self) -> bool {
        // A server that has ended has closed the pipe, so the read returns no byte.
        let read = (&self.line.status).read(&mut [0]);
        self.is_out_of_step |= matches!(read, Ok(1));
        self.is_out_of_step
    }

    /// Returns whether the server cannot be used, since its words do not belong to the tests.
    pub(crate) fn is_out_of_step(&self) -> bool {
        self.is_out_of_step
    }

    /// Returns the process that a word names as the process of a test. A word that names no process
    /// is counted as one word too many, and the result is `None`. A server has created the process
    /// before it names it. So the process is a child of the server, unless it has exited and was
    /// reaped. A second status is the same word as the first.
    fn child_of(&mut self, word: u32) -> Option<Leader> {
        let child = i32::try_from(word).ok().filter(|&child| child > 0);
        let is_own = |child: i32| match process::parent_of(child) {
            Some(parent) => parent == self.line.process.group(),
            None => self.last_status != Some(word),
        };
        match child {
            Some(child) if is_own(child) => Some(child),
            // A server that cannot create a process reports this in its status.
            None if self.last_status != Some(word) => None,
            _ => {
                // If the server has ended, this process has adopted its children.
                self.is_out_of_step = process::lives(self.line.process.group());
                None
            }
        }
    }

    /// Takes a word for the status of a test, unless its process runs, or the word names a process
    /// of the server that runs. The server writes it when the process has exited or stopped.
    fn end_of(&mut self, child: Leader, word: u32) -> Option<ExitStatus> {
        let server = self.line.process.group();
        let mut named = [child, word.cast_signed()].into_iter();
        self.is_out_of_step |= named.any(|pid| process::is_running_child(pid, server));
        self.last_status = Some(word);
        let status = ExitStatus::from_raw(word.cast_signed());
        Some(status).filter(|_| !self.is_out_of_step)
    }

    /// Runs a test. `watch` makes the guard of a process. `None` means that the server has exited
    /// or does not answer, and that the test has no outcome.
    pub(crate) fn test<'g>(
        &mut self,
        text: &[u8],
        cancel: &Cancel,
        begin: Instant,
        watch: impl FnOnce(Leader) -> Guard<'g>,
    ) -> Option<(Answer, Guard<'g>)> {
        if self.has_unread() {
            return None;
        }
        self.give(text).ok()?;
        if self.setup.coverage.is_some() {
            coverage::clear(self.map());
        }
        let is_used = self.stopped.is_some() && !self.was_killed;
        let server = self.line.process.group();
        if let (Some((child, _)), true) = (&self.stopped, self.was_killed) {
            // The server is informed, and waits for the end of this process.
            process::kill_child(*child, server);
        }
        // A process that an earlier test left is older than this test.
        gate::enter(server, gate::now());
        self.line.write(u32::from(self.was_killed)).ok()?;
        self.was_killed = false;
        let word = self.line.read_within(TIME_TO_ANSWER).ok()?;
        let child = self.child_of(word)?;
        let guard = cancel.on_cancel(move || process::kill_child(child, server));
        let mut watch = watch(child);
        if is_used {
            watch.begin_within_a_process();
        }
        let line = &self.line;
        let waited = watch.wait(|until, first, look| {
            process::wait(until, first, look, |pause| line.can_read(pause))
        });
        let elapsed = begin.elapsed();
        let has_ended = matches!(waited.wake, Ok(Wake::Ended));
        let has_stopped = matches!(waited.wake, Ok(Wake::TimeUp)) && watch.has_stopped();
        if !has_ended {
            process::kill_child(child, server);
        }
        // The process number remains valid at least until the server has reaped the process.
        drop(guard);
        self.was_killed = !has_ended || cancel.is_cancelled();
        let status = self.line.read_within(TIME_TO_ANSWER);
        // A test with many processes is ended together with its server.
        let is_over = matches!(waited.wake, Ok(Wake::Over));
        let goes_on = status.is_ok() && !is_over;
        let status = match status {
            Ok(word) => self.end_of(child, word)?,
            // This process ended the test, and only the server has not reported it yet.
            Err(_) if !has_ended => ExitStatus::from_raw(rustix::process::Signal::KILL.as_raw()),
            Err(_) => return None,
        };
        self.keep_stopped(child, status);
        let coverage = self.setup.coverage;
        let answer = Answer {
            exit: exit_of(status),
            waited,
            elapsed,
            has_stopped,
            coverage: coverage.map(|granularity| Coverage::of(self.map(), granularity)),
            taken: coverage
                .filter(|_| self.setup.keeps_edges)
                .map(|granularity| coverage::taken(self.map(), granularity)),
            is_used,
            goes_on,
        };
        Some((answer, watch))
    }

    fn map(&self) -> &[AtomicU64] {
        &self.map.words()[..self.map_words]
    }

    /// Writes a test case to the place where the program reads it. If the program reads the file of
    /// the candidate, the test case is there already.
    fn give(&mut self, text: &[u8]) -> io::Result<()> {
        if let Some(memory) = &self.text {
            return match memory.write(text) {
                true => Ok(()),
                false => Err(io::ErrorKind::FileTooLarge.into()),
            };
        }
        if let Some(file) = &mut self.stdin {
            // The last test has moved the file position at which the program reads.
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(text)?;
            file.rewind()?;
        }
        Ok(())
    }

    /// Keeps a process that has stopped itself in the loop of the program. One that has left
    /// processes is killed with them.
    fn keep_stopped(&mut self, child: Leader, status: ExitStatus) {
        if status.stopped_signal().is_none() {
            self.stopped = None;
            return;
        }
        let list = match self.stopped.take() {
            Some((known, list)) if known == child => Some(list),
            _ => ChildList::of(child),
        };
        let Some(list) = list else {
            return;
        };
        if !list.is_empty() {
            process::end_tree(child);
            self.was_killed = true;
        }
        // The next test then has a process of its own.
        self.was_killed |= self.setup.persistence == Persistence::Fork;
        self.stopped = Some((child, list));
    }
}

/// Returns how a test ended. A process that has stopped itself is at the end of one round of its
/// loop, which is not a failure.
fn exit_of(status: ExitStatus) -> Exit {
    match status.stopped_signal() {
        Some(_) => Exit::Code(0),
        None => Exit::of(status),
    }
}

/// The process of a server with its two pipes.
#[derive(Debug)]
struct Line {
    process: Process,
    control: File,
    /// Reading it does not wait.
    status: File,
}

impl Line {
    fn start(mut command: Command, cage: Option<&Cage>) -> Result<Self, ServerError> {
        let pipe = || -> io::Result<(OwnedFd, OwnedFd)> { Ok(pipe_with(PipeFlags::CLOEXEC)?) };
        let (their_control, control) = pipe()?;
        let (status, their_status) = pipe()?;
        rustix::fs::fcntl_setfl(&status, rustix::fs::OFlags::NONBLOCK).map_err(io::Error::from)?;
        for (file, number) in [(their_control, CONTROL), (their_status, STATUS)] {
            let moved = fcntl_dupfd_cloexec(&file, STATUS + 1).map_err(io::Error::from)?;
            command.pass(moved, number);
        }
        let process =
            start::with_retries(&mut command, cage).map_err(|source| RunError::Start {
                command: command.get_program().into(),
                source,
                hint: "",
            })?;
        Ok(Line {
            process,
            control: control.into(),
            status: status.into(),
        })
    }

    /// Returns whether the program itself has answered. A program that it starts has the same
    /// pipes, and would run tests in which the rest of a script is left out.
    fn is_program(&self) -> bool {
        let has_ended = self.process.wait(Some(Instant::now()), None, || None);
        let lives = matches!(has_ended, Ok(Wake::TimeUp));
        lives && !process::has_children(self.process.group())
    }

    /// Returns whether there is something to read within the given time, or nothing will come any
    /// more.
    fn can_read(&self, pause: Option<Duration>) -> io::Result<bool> {
        let readable = self.process.can_read(&self.status, pause)?;
        Ok(readable != Readable::NotYet)
    }

    fn read_within(&self, patience: Duration) -> Result<u32, ServerError> {
        let mut word = [0; size_of::<u32>()];
        self.fill(&mut word, patience)?;
        Ok(u32::from_ne_bytes(word))
    }

    fn fill(&self, bytes: &mut [u8], patience: Duration) -> Result<(), ServerError> {
        let until = Instant::now() + patience;
        let mut filled = 0;
        while filled < bytes.len() {
            match (&self.status).read(&mut bytes[filled..]) {
                Ok(0) => return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let pause = until.saturating_duration_since(Instant::now());
                    match self.process.can_read(&self.status, Some(pause))? {
                        Readable::Yes => {}
                        Readable::Never => return Err(error.into()),
                        Readable::NotYet => return Err(ServerError::Silent(patience)),
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Kills a program that does not respond, and returns its exit if it had exited by itself.
    fn ended(self) -> ServerError {
        let until = Instant::now() + TIME_TO_ANSWER;
        let ended = self.process.wait(Some(until), None, || None);
        match self.process.end() {
            Ok(status) if matches!(ended, Ok(Wake::Ended)) => ServerError::Ended(Exit::of(status)),
            Ok(_) => ServerError::Silent(TIME_TO_ANSWER),
            Err(error) => error.into(),
        }
    }
}

impl Wire for Line {
    fn read(&mut self) -> Result<u32, ServerError> {
        self.read_within(TIME_TO_GREET)
    }

    fn skip(&mut self, bytes: u32) -> Result<(), ServerError> {
        let mut left = bytes as usize;
        let mut part = [0; 4096];
        while left > 0 {
            let next = left.min(part.len());
            self.fill(&mut part[..next], TIME_TO_GREET)?;
            left -= next;
        }
        Ok(())
    }

    fn write(&mut self, word: u32) -> Result<(), ServerError> {
        Ok(self.control.write_all(&word.to_ne_bytes())?)
    }
}
