//! A run of this program for a client.

use super::call::Call;
use super::guard::{PROCESS, STOP};
use nubbin_oracle::PrivateFolder;
use nubbin_session::output::json::last_document;
use serde_json::Value;
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The longest text from standard error that is kept, in bytes.
const LONGEST_ERROR: usize = 4096;

/// The time in which a run ends after one request.
const STOPPING: Duration = Duration::from_secs(60);

/// A run of this program that has not ended, or whose result is kept.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) number: u64,
    /// The name of the tool that started it.
    pub(super) tool: &'static str,
    /// The path of the best so far during the run.
    pub(super) result: Option<PathBuf>,
    /// The limit on its time.
    pub(super) most: Option<Duration>,
    started: Instant,
    progress: watch::Receiver<Progress>,
    /// The guard of the run. Without it, the run is asked to end.
    guard: Mutex<Option<ChildStdin>>,
    /// The time of the last request to end.
    asked: Mutex<Option<Instant>>,
    /// Removed when the job is forgotten.
    _scratch: Option<PrivateFolder>,
}

/// The state of a job.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Progress {
    pub(super) tests: u64,
    /// The size of the original in bytes.
    pub(super) before: Option<u64>,
    /// The size of the best so far in bytes.
    pub(super) best: Option<u64>,
    /// The end of the run. `None` while it runs.
    pub(super) end: Option<End>,
}

/// The end of a job.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct End {
    /// The exit code, if the run has one.
    pub(super) exit: Option<i32>,
    /// The document that the run printed, or null.
    pub(super) answer: Value,
    /// The end of what the run printed to standard error: an error after an answer is there.
    pub(super) errors: String,
    pub(super) time: Duration,
}

impl Job {
    /// Starts a run.
    ///
    /// # Errors
    /// Returns the system's error if the process cannot be started.
    pub(super) fn start(number: u64, call: Call) -> io::Result<Self> {
        let started = Instant::now();
        let mut guard = Command::new(std::env::current_exe()?);
        guard
            .arg(PROCESS)
            .args(&call.words)
            .current_dir(&call.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // Ctrl-C at the client's terminal is for the server, which ends all runs.
        std::os::unix::process::CommandExt::process_group(&mut guard, 0);
        let mut guard = guard.spawn()?;
        let stdin = guard.stdin.take();
        let (tell, progress) = watch::channel(Progress::default());
        std::thread::Builder::new()
            .name(format!("job {number}"))
            .spawn(move || read(guard, &tell, started))?;
        Ok(Job {
            number,
            tool: call.tool,
            result: call.result,
            most: call.most,
            started,
            progress,
            guard: Mutex::new(stdin),
            asked: Mutex::default(),
            _scratch: call.scratch,
        })
    }

    pub(super) fn progress(&self) -> Progress {
        self.progress.borrow().clone()
    }

    pub(super) fn has_ended(&self) -> bool {
        self.progress.borrow().end.is_some()
    }

    /// The time since the start, or that from the start to the end.
    pub(super) fn time(&self) -> Duration {
        let end = self.progress.borrow().end.as_ref().map(|end| end.time);
        end.unwrap_or_else(|| self.started.elapsed())
    }

    /// Asks the run to end with the best so far. A call a minute later stops it at once, which may
    /// lose the answer.
    pub(super) fn stop(&self) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.is_some_and(|asked| asked.elapsed() < STOPPING) {
            return;
        }
        *asked = Some(Instant::now());
        let mut guard = self.guard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(guard) = &mut *guard {
            // A guard that has already ended needs no request.
            let _ = guard.write_all(&[STOP]).and_then(|()| guard.flush());
        }
    }

    /// Stops the run in any state.
    pub(super) fn abandon(&self) {
        let mut guard = self.guard.lock().unwrap_or_else(PoisonError::into_inner);
        *guard = None;
    }

    /// Waits for the end of the run.
    pub(super) async fn ended(&self) {
        let mut progress = self.progress.clone();
        // If the sender is dropped, the reading thread has panicked, and no more progress will
        // arrive.
        let _ = progress.wait_for(|progress| progress.end.is_some()).await;
    }
}

/// Reads what a run prints, tells its progress, and then its end.
fn read(mut guard: Child, tell: &watch::Sender<Progress>, started: Instant) {
    let (printed, complained) = (guard.stdout.take(), guard.stderr.take());
    let errors = std::thread::spawn(|| complained.map_or_else(String::new, tail));
    let document = printed.map_or_else(String::new, |printed| document(printed, tell));
    let exit = guard.wait().ok().and_then(|status| status.code());
    let time = started.elapsed();
    let answer = last_document(&document);
    let errors = errors.join().unwrap_or_default();
    let end = End {
        exit,
        answer,
        errors,
        time,
    };
    tell.send_modify(|progress| progress.end = Some(end));
}

/// Reads to the end, and returns the last part.
fn tail(mut from: impl Read) -> String {
    let (mut kept, mut buffer) = (vec![], [0; 1024]);
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        kept.extend_from_slice(&buffer[..length]);
        let excess = kept.len().saturating_sub(LONGEST_ERROR);
        kept.drain(..excess);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

/// Returns what is printed in addition to events.
fn document(printed: impl Read, tell: &watch::Sender<Progress>) -> String {
    let mut document = String::new();
    // Strings in events may contain any bytes, so a line need not be valid UTF-8.
    for line in BufReader::new(printed).split(b'\n') {
        let Ok(line) = line else { break };
        let line = String::from_utf8_lossy(&line);
        let event = serde_json::from_str(&line).ok();
        match event.filter(|value: &Value| value.get("event").is_some()) {
            Some(event) => tell.send_modify(|progress| progress.take(&event)),
            None => {
                document.push_str(&line);
                document.push('\n');
            }
        }
    }
    document
}

impl Progress {
    /// Updates the progress with the numbers of an event. Events of `isolate` have no size.
    fn take(&mut self, event: &Value) {
        self.tests = event["tests"].as_u64().unwrap_or(self.tests);
        self.best = event["best"].as_u64().or(self.best);
        if event["event"] == "started" {
            // The best so far may be from an earlier run.
            self.before = event["bytes"].as_u64();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn events_are_told_and_the_last_document_is_the_answer() {
        let printed = "{\"event\":\"started\",\"tests\":1,\"best\":40,\"bytes\":50}\n\
                       {\"event\":\"tested\",\"tests\":2,\"best\":40,\"bytes\":9}\n\
                       {\"event\":\"adopted\",\"tests\":3,\"best\":20}\n\
                       {\n  \"bytes_after\": 20\n}\n{\"error\":\"e\"}\n";
        let (tell, progress) = watch::channel(Progress::default());
        let text = document(printed.as_bytes(), &tell);
        assert_eq!(last_document(&text), json!({ "error": "e" }));
        let found = progress.borrow().clone();
        let expected = Progress {
            tests: 3,
            before: Some(50),
            best: Some(20),
            end: None,
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn the_end_of_a_long_error_is_kept() {
        assert_eq!(tail(&b"short"[..]), "short");
        let long = [&[b'a'; 9000][..], b"end"].concat();
        let kept = tail(&long[..]);
        assert_eq!(kept.len(), LONGEST_ERROR);
        assert!(kept.ends_with("aend"));
    }
}
