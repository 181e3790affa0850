use crate::private_file;
use nubbin_oracle::{
    Dialogue, DialogueError, Exit, FolderError, PrivateFolder, Run, Sandbox, TestCommand,
};
use nubbin_verdict::{Cancel, Unresolved};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The maximum number of bytes of a line that a program writes.
const LONGEST: usize = 1 << 20;
/// The interval at which a silent program is checked for the end of the campaign.
const LOOK_INTERVAL: Duration = Duration::from_millis(50);

/// A program that runs many tests in one process. The program reads the path of each test as a line
/// on standard input. After the test, it writes a line with the mark to standard output.
///
/// Use it for programs that take long to start. A process that has exited, or that hit the time
/// limit, is replaced for the next test. A test may depend on earlier tests, so a separate
/// [`Program`](crate::Program) validates its issues.
#[derive(Debug)]
pub struct Persistent {
    command: TestCommand,
    mark: String,
    timeout: Duration,
    sandbox: Option<Sandbox>,
    file: PathBuf,
    owns_children: bool,
    folder: PrivateFolder,
    slots: Vec<Mutex<Option<Dialogue>>>,
}

/// A persistent program could not run a test.
#[derive(Debug, thiserror::Error)]
pub enum PersistentError {
    /// The file of the test cannot be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The file of the test cannot be written.
    #[error("cannot write a test")]
    Write(#[from] std::io::Error),
    /// The program cannot be started, or its output cannot be read.
    #[error(transparent)]
    Dialogue(#[from] DialogueError),
}

impl Persistent {
    /// Creates a persistent program with at most `slots` processes at the same time. A line that
    /// ends with `mark` marks the end of a test.
    ///
    /// # Errors
    /// Returns [`PersistentError::Folder`] if the folder for the files of tests cannot be created.
    pub fn new(
        command: TestCommand,
        mark: &str,
        timeout: Duration,
        sandbox: Option<Sandbox>,
        (file, slots): (&Path, usize),
        owns_children: bool,
    ) -> Result<Self, PersistentError> {
        Ok(Persistent {
            command,
            mark: mark.to_owned(),
            timeout,
            sandbox,
            file: file.to_owned(),
            owns_children,
            folder: PrivateFolder::new(1 << 20)?,
            slots: (0..slots.max(1)).map(|_| Mutex::new(None)).collect(),
        })
    }

    /// Runs a test in the process of a slot.
    ///
    /// # Errors
    /// Returns [`PersistentError`] if the program cannot be run.
    pub fn run(&self, test: &[u8], slot: usize, stop: &Cancel) -> Result<Run, PersistentError> {
        let place = self.folder.path().join(slot.to_string());
        std::fs::create_dir_all(&place)?;
        let path = place.join(&self.file);
        private_file::write(&path, test)?;
        let kept = self.slots[slot % self.slots.len()].lock();
        let mut kept = kept.unwrap_or_else(PoisonError::into_inner);
        let mut dialogue = match kept.take() {
            Some(dialogue) => dialogue,
            None => {
                let sandbox = self.sandbox.as_ref().map(|sandbox| (sandbox, &*place));
                let owns = self.owns_children;
                Dialogue::start(&self.command, &place, LONGEST, sandbox, owns)?
            }
        };
        let begin = Instant::now();
        dialogue.forget_errors();
        dialogue.say(&path.display().to_string());
        let mut stdout = vec![];
        let run = |exit, cut_short, stdout, dialogue: &Dialogue| Run {
            exit,
            cut_short,
            has_stopped: false,
            is_matched: false,
            stdout: Some(stdout),
            stderr: Some(dialogue.errors().into_bytes()),
            written: Vec::new(),
            elapsed: begin.elapsed(),
            cpu: None,
            inputs: vec![self.file.clone()],
            coverage: None,
            is_in_loop: false,
            stack: None,
            taken: None,
        };
        loop {
            let left = self.timeout.saturating_sub(begin.elapsed());
            match dialogue.hear(left.min(LOOK_INTERVAL), LONGEST) {
                Ok(line) if line.ends_with(self.mark.as_bytes()) => {
                    let run = run(Exit::Code(0), None, stdout, &dialogue);
                    *kept = Some(dialogue);
                    return Ok(run);
                }
                Ok(line) => {
                    stdout.extend_from_slice(&line);
                    stdout.push(b'\n');
                }
                Err(DialogueError::Silent(_)) => {}
                Err(DialogueError::Ended(ending)) => {
                    let exit = ending.exit().unwrap_or(Exit::Code(0));
                    return Ok(run(exit, None, stdout, &dialogue));
                }
                Err(DialogueError::TooLong(_)) => {
                    let cut_short = Some(Unresolved::OutputLimit);
                    return Ok(run(Exit::Code(0), cut_short, stdout, &dialogue));
                }
                Err(error) => return Err(error.into()),
            }
            let cut_short = match stop.is_cancelled() {
                true => Unresolved::Cancelled,
                false if begin.elapsed() >= self.timeout => Unresolved::TimedOut(self.timeout),
                false => continue,
            };
            // Dropping the dialogue ends the process.
            return Ok(run(Exit::Code(0), Some(cut_short), stdout, &dialogue));
        }
    }
}
