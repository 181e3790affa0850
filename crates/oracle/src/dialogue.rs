use crate::command::TestCommand;
use crate::over::wait_if_over;
use crate::process::{Command, Leftovers, MARK, Process, Stdio, mark_value};
use crate::root;
use crate::run::Exit;
use crate::run_error::RunError;
use crate::sandbox::{Cage, Sandbox};
use crate::start::with_retries;
use std::collections::VecDeque;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// A running program with a line protocol: it writes lines to its standard output and reads replies
/// from its standard input.
///
/// The program runs in its own session, without a terminal. When the dialogue ends or is dropped,
/// every process that the program has started is killed. These processes are found like the
/// processes of a test, even outside the session.
#[derive(Debug)]
pub struct Dialogue {
    process: Option<Process>,
    leftovers: Leftovers,
    group: i32,
    answers: Option<Sender<String>>,
    lines: Receiver<io::Result<Vec<u8>>>,
    /// The last lines that the program wrote to standard error.
    complaints: Arc<Mutex<VecDeque<String>>>,
    /// Closed when the program has closed its standard error.
    complained: Receiver<()>,
    command: String,
}

/// The reason why a dialogue could not start or continue.
#[derive(Debug, thiserror::Error)]
pub enum DialogueError {
    /// The program could not be started.
    #[error(transparent)]
    Start(#[from] RunError),
    /// The program wrote no line within this time.
    #[error("the program wrote nothing for {0:?}")]
    Silent(Duration),
    /// The program wrote a line with more bytes than this limit.
    #[error("the program wrote a line of more than {0} bytes")]
    TooLong(usize),
    /// The program closed its standard output or ended.
    #[error("it ended{0}")]
    Ended(Ending),
    /// Reading from the program failed.
    #[error("cannot read its output")]
    Lost(#[source] io::Error),
}

/// The end of the program's output, with the exit of the program if it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending(Option<Exit>);

impl Ending {
    /// Returns the exit of the program, or `None` if the program only closed its output.
    pub fn exit(self) -> Option<Exit> {
        self.0
    }

    /// Returns whether the program exited by itself with exit code 0, or only closed its output.
    pub fn is_clean(self) -> bool {
        matches!(self.0, None | Some(Exit::Code(0)))
    }
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(exit) => write!(f, " with {exit}"),
            None => Ok(()),
        }
    }
}

/// The number of dialogues that were started, which makes their marks unique.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// Returns a new mark. It begins with the id of a root, if there is one, so that a later run kills
/// the processes of a killed run.
fn mark() -> String {
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let id = root::living_id().unwrap_or_else(own_id);
    // The semicolon distinguishes dialogue 1 from dialogue 10.
    format!("{id}.d{number};")
}

/// Returns the beginning of the marks of dialogues that were started without a root.
pub(crate) fn own_mark() -> String {
    format!(" {}.", own_id())
}

/// Returns a name that no other process of this machine has at this time.
fn own_id() -> String {
    static RANDOM: OnceLock<u64> = OnceLock::new();
    let random = RANDOM.get_or_init(|| RandomState::new().build_hasher().finish());
    format!("{}-{random:016x}", std::process::id())
}

/// The number of lines of standard error that are kept, and their length in characters.
const KEPT: usize = 400;
const LONGEST_KEPT: usize = 1000;
/// The number of lines of standard error that are shown, and their length in characters.
const COMPLAINTS: usize = 8;
const LONGEST_COMPLAINT: usize = 300;

/// The number of lines that may wait to be read.
const WAITING: usize = 64;

/// The time to wait for the end of a program that has closed its output.
const END_WAIT: Duration = Duration::from_secs(1);

impl Dialogue {
    /// Starts the program in `folder`. A line of more than `longest` bytes ends the dialogue.
    ///
    /// With a sandbox and a private folder, the program writes only beneath that folder, which is
    /// its TMPDIR.
    ///
    /// For `owns_children`, see [`Options::owns_children`](crate::Options::owns_children).
    ///
    /// # Errors
    /// Returns [`DialogueError::Start`] if the program cannot be started.
    pub fn start(
        command: &TestCommand,
        folder: &Path,
        longest: usize,
        sandbox: Option<(&Sandbox, &Path)>,
        owns_children: bool,
    ) -> Result<Self, DialogueError> {
        let mark = mark();
        let leftovers = Leftovers::of(&mark, owns_children);
        let mut started = Command::new(command.program());
        started
            .args(command.args())
            .current_dir(folder)
            .env(MARK, mark_value(&mark))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some((_, private)) = sandbox {
            started.env("TMPDIR", private);
        }
        let cage = sandbox.map(|(sandbox, private)| Cage::new(sandbox, private));
        let cage = cage.transpose().map_err(RunError::from)?;
        let mut process =
            with_retries(&mut started, cage.as_ref()).map_err(|source| RunError::Start {
                command: command.program().to_path_buf(),
                source,
                hint: "",
            })?;
        let lost = || {
            let error = io::Error::other("a pipe is missing");
            DialogueError::Lost(error)
        };
        let group = process.group();
        let pipes = process.pipes();
        let stdin = pipes.0.ok_or_else(lost)?;
        let (stdout, stderr) = (pipes.1.ok_or_else(lost)?, pipes.2.ok_or_else(lost)?);
        let (sender, lines) = sync_channel(WAITING);
        // The threads end with their pipes, at the latest when the process is killed.
        std::thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            loop {
                let mut line = vec![];
                let mut limited = (&mut stdout).take(longest as u64 + 2);
                let read = limited.read_until(b'\n', &mut line);
                let is_over = read.is_err();
                if matches!(read, Ok(0)) || sender.send(read.map(|_| line)).is_err() || is_over {
                    return;
                }
            }
        });
        // A program that does not read must not block this thread.
        let (answers, to_say) = channel::<String>();
        std::thread::spawn(move || {
            let mut stdin = stdin;
            for line in to_say {
                if stdin.write_all(line.as_bytes()).is_err() {
                    return;
                }
            }
        });
        let complaints = Arc::new(Mutex::new(VecDeque::new()));
        let (complaining, complained) = channel::<()>();
        std::thread::spawn({
            let complaints = Arc::clone(&complaints);
            move || {
                // The thread drops this sender when it ends, which closes `complained`.
                let _complaining = complaining;
                for line in BufReader::new(stderr).split(b'\n') {
                    let Ok(line) = line else {
                        return;
                    };
                    let line = String::from_utf8_lossy(&line);
                    let line = line.chars().take(LONGEST_KEPT).collect();
                    let mut kept = complaints.lock().unwrap_or_else(PoisonError::into_inner);
                    if kept.len() == KEPT {
                        kept.pop_front();
                    }
                    kept.push_back(line);
                }
            }
        });
        Ok(Dialogue {
            process: Some(process),
            leftovers,
            group,
            answers: Some(answers),
            lines,
            complaints,
            complained,
            command: command.to_string(),
        })
    }

    /// Waits up to `patience` for the next line of the program, and returns it without its end.
    ///
    /// # Errors
    /// Returns [`DialogueError`] if there is no line within `patience`, or if it has more than
    /// `longest` bytes. After any error except [`DialogueError::Silent`], the dialogue cannot
    /// continue.
    pub fn hear(&mut self, patience: Duration, longest: usize) -> Result<Vec<u8>, DialogueError> {
        match self.lines.recv_timeout(patience) {
            Ok(Ok(mut line)) => {
                while line
                    .last()
                    .is_some_and(|&byte| byte == b'\n' || byte == b'\r')
                {
                    line.pop();
                }
                match line.len() > longest {
                    true => Err(DialogueError::TooLong(longest)),
                    false => Ok(line),
                }
            }
            Ok(Err(error)) => Err(DialogueError::Lost(error)),
            Err(RecvTimeoutError::Timeout) => Err(DialogueError::Silent(patience)),
            Err(RecvTimeoutError::Disconnected) => Err(DialogueError::Ended(self.ending())),
        }
    }

    /// Writes a line to the program. If the program has exited, the next `hear` reports it.
    pub fn say(&mut self, line: &str) {
        if let Some(answers) = &self.answers {
            // This fails if the writing thread ended with the program, which `hear` reports.
            let _ = answers.send(format!("{line}\n"));
        }
    }

    /// The last lines that the program wrote to standard error.
    pub fn complaints(&self) -> Vec<String> {
        let kept = self.complaints.lock();
        let kept = kept.unwrap_or_else(PoisonError::into_inner);
        let skipped = kept.len().saturating_sub(COMPLAINTS);
        let last = kept.iter().skip(skipped);
        last.map(|line| line.chars().take(LONGEST_COMPLAINT).collect())
            .collect()
    }

    /// Returns the program's standard error since the last [`Dialogue::forget_errors`], at most the
    /// last 400 lines.
    pub fn errors(&self) -> String {
        let kept = self.complaints.lock();
        let kept = kept.unwrap_or_else(PoisonError::into_inner);
        kept.iter().map(|line| format!("{line}\n")).collect()
    }

    /// Discards the program's standard error up to now.
    pub fn forget_errors(&self) {
        let kept = self.complaints.lock();
        kept.unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The command, for messages.
    pub fn command(&self) -> &str {
        &self.command
    }

    fn ending(&mut self) -> Ending {
        self.answers = None;
        let Some(process) = self.process.take() else {
            return Ending(None);
        };
        let until = std::time::Instant::now().checked_add(END_WAIT);
        let ended = process.wait(until, None, || None);
        let by_itself = matches!(ended, Ok(crate::process::Wake::Ended));
        let status = process.end();
        wait_if_over();
        self.leftovers.end(self.group);
        // The last lines of standard error may still be in the pipe. The wait has a limit, since a
        // process that the program started may hold the other end.
        let _ = self.complained.recv_timeout(END_WAIT);
        Ending(status.ok().filter(|_| by_itself).map(Exit::of))
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        self.answers = None;
        if let Some(process) = self.process.take() {
            // There is no caller to report an error to.
            let _ = process.end();
            self.leftovers.end(self.group);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(line: &str) -> Dialogue {
        let command = TestCommand::shell(line).unwrap();
        Dialogue::start(&command, Path::new("."), 100, None, false).unwrap()
    }

    const PATIENCE: Duration = Duration::from_secs(20);

    #[test]
    fn each_line_gets_its_answer() {
        let mut dialogue = start("while read line; do echo \"you said $line\"; done");
        for word in ["this", "that"] {
            dialogue.say(word);
            let heard = dialogue.hear(PATIENCE, 100).unwrap();
            assert_eq!(heard, format!("you said {word}").as_bytes());
        }
    }

    #[test]
    fn the_end_of_the_program_is_reported_with_its_error_output() {
        let mut dialogue = start("echo oh no >&2; exit 3");
        let error = dialogue.hear(PATIENCE, 100).unwrap_err();
        assert_eq!(error.to_string(), "it ended with exit code 3");
        assert_eq!(dialogue.complaints(), ["oh no"]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn nothing_that_the_program_started_outlives_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().display();
        // One process is in another group, and another one was abandoned by its parent.
        let script = format!(
            "setsid sh -c 'echo $$ > {path}/1; sleep 1000' >/dev/null 2>&1 &
             (setsid sh -c 'echo $$ > {path}/2; sleep 1000' >/dev/null 2>&1 &)
             until [ -s {path}/1 ] && [ -s {path}/2 ]; do sleep 0.01; done; echo started;"
        );
        let lives = || {
            ["1", "2"].iter().any(|name| {
                let pid = std::fs::read_to_string(dir.path().join(name)).unwrap();
                let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
                stat.is_ok_and(|stat| !stat.contains(") Z "))
            })
        };
        let is_gone = |when: &str| {
            let until = std::time::Instant::now() + PATIENCE;
            while lives() {
                assert!(std::time::Instant::now() < until, "{when}");
                std::thread::sleep(Duration::from_millis(5));
            }
        };
        let mut running = start(&format!("{script} read line"));
        running.hear(PATIENCE, 100).unwrap();
        drop(running);
        is_gone("after it was dropped");
        for name in ["1", "2"] {
            std::fs::remove_file(dir.path().join(name)).unwrap();
        }
        let mut ended = start(&format!("{script} exit 3"));
        ended.hear(PATIENCE, 100).unwrap();
        ended.hear(PATIENCE, 100).unwrap_err();
        is_gone("after it ended");
    }

    #[test]
    fn silence_and_a_line_that_is_too_long_are_errors() {
        let mut dialogue = start("sleep 1000");
        let silent = dialogue.hear(Duration::from_millis(10), 100).unwrap_err();
        assert!(matches!(silent, DialogueError::Silent(_)), "{silent}");
        let mut dialogue =
            start("while :; do printf aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done");
        let long = dialogue.hear(PATIENCE, 100).unwrap_err();
        assert!(matches!(long, DialogueError::TooLong(100)), "{long}");
    }
}
