//! Keeps the best so far on disk during a run.

use super::targets::{Targets, Written};
use super::write::{cannot_write, replace};
use crate::problem::Problem;
use nubbin_reduce::input::Input;
use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The time before a failed write is tried again, since a full disk may have space again.
const PAUSE: Duration = Duration::from_secs(1);

/// The time of a write after which the next one has to wait.
const SLOW: Duration = Duration::from_millis(200);

/// The wait after a slow write, as a multiple of its time, and at most.
const WAITS: u32 = 20;
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// The number of files whose first write waits as long, since it takes longer than a short run.
const LARGE_FOLDER_FILES: usize = 5000;

/// Writes the best so far on its own thread. So a killed run leaves its result, and no test waits
/// for the disk.
pub struct Saver {
    shared: Arc<Shared>,
    thread: JoinHandle<()>,
    /// Whether there were results of an earlier run.
    occupied: bool,
    /// The access rights of each file.
    modes: Vec<Option<u32>>,
    /// The largest input to write, in bytes.
    floor: Cell<Option<usize>>,
    /// Whether anything was to be written.
    has_saved: Cell<bool>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The input to write next.
    latest: Option<Input>,
    /// The input of the last write, which may have failed.
    best: Option<Input>,
    last: bool,
    failed: Option<(PathBuf, io::Error)>,
    /// Whether the user was warned.
    told: bool,
    /// The time before which nothing is written, since the last write was slow.
    not_before: Option<Instant>,
}

impl Saver {
    /// Starts the thread. `floor` is the size of an existing result that fails the same test. A
    /// resumed run adopts larger inputs again, which are not improvements.
    ///
    /// `written` is the result on disk from an earlier run.
    pub fn start(targets: Targets, floor: Option<usize>, mut written: Written) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let ours = Arc::clone(&shared);
        let occupied = targets.occupied(&written);
        let modes: Vec<Option<u32>> = targets.modes().collect();
        if modes.len() > LARGE_FOLDER_FILES {
            shared.lock().not_before = Instant::now().checked_add(LONGEST_WAIT);
        }
        let thread = std::thread::Builder::new()
            .name("saver".into())
            .spawn(move || {
                while let Some(input) = ours.next() {
                    let begun = Instant::now();
                    let failed = targets.write(&input, &mut written).err();
                    ours.rest(begun.elapsed());
                    ours.done(input, failed);
                }
                // The disk may have free space again.
                let unwritten = ours.unwritten();
                if let Some(input) = unwritten {
                    let failed = targets.write(&input, &mut written).err();
                    ours.done(input, failed);
                }
                targets.conclude(&mut written);
            })?;
        Ok(Saver {
            shared,
            thread,
            occupied,
            modes,
            floor: Cell::new(floor),
            has_saved: Cell::new(false),
        })
    }

    /// Saves the original after it has failed, so that a run that is killed early also leaves a
    /// result. An existing result of an earlier run is kept. An original with many files is not
    /// written, since that takes long, even at the end of a stopped run.
    pub fn begin(&self, input: &Input) {
        if !self.occupied && self.modes.len() <= LARGE_FOLDER_FILES {
            self.save(input);
        }
    }

    /// Queues a new best so far.
    pub fn save(&self, input: &Input) {
        if self.floor.get().is_none_or(|floor| input.size() <= floor) {
            self.conclude(input);
        }
    }

    /// Saves a larger input after a rollback. The saved input also replaces the result of an
    /// earlier run.
    pub fn go_back(&self, input: &Input) {
        self.floor.set(None);
        self.conclude(input);
    }

    /// Queues the result of a complete search, even if it is larger than the result on disk.
    pub fn conclude(&self, input: &Input) {
        self.has_saved.set(true);
        self.shared.lock().latest = Some(input.clone());
        self.shared.changed.notify_one();
    }

    /// Returns whether this run wrote the result on disk.
    pub fn has_saved(&self) -> bool {
        self.has_saved.get()
    }

    /// Returns a warning if the result cannot be written at this time. The warning is returned
    /// once, until a write succeeds.
    pub fn trouble(&self) -> Option<String> {
        let mut state = self.shared.lock();
        if state.told {
            return None;
        }
        let (path, error) = state.failed.as_ref()?;
        let text = format!(
            "cannot write `{}`: {error}; trying again until the end",
            path.display()
        );
        state.told = true;
        Some(text)
    }

    /// Waits until the result is written. If writing fails, the result is left in the temporary
    /// folder.
    pub fn finish(self) -> Result<(), Problem> {
        self.shared.lock().last = true;
        self.shared.changed.notify_one();
        // After a panic in the thread, `failed` and the file are as they were before the panic.
        let _ = self.thread.join();
        let mut state = self.shared.lock();
        let Some((path, error)) = state.failed.take() else {
            return Ok(());
        };
        let problem = cannot_write(&path, &error);
        let rescued = |best| rescue(best, &path, &self.modes);
        Err(match state.best.as_ref().and_then(rescued) {
            Some(place) => problem.hint(format!("the result is in `{}`", place.display())),
            None => problem,
        })
    }
}

/// Writes a result to the temporary folder, into a folder for this user alone.
fn rescue(input: &Input, target: &Path, modes: &[Option<u32>]) -> Option<PathBuf> {
    let name = target.file_name()?.to_string_lossy();
    let mut builder = tempfile::Builder::new();
    builder.prefix("result-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    let folder = builder.tempdir().ok()?.keep();
    for number in 0..input.file_count() {
        let Some(file) = input.file(number) else {
            continue;
        };
        let place = match input.file_count() {
            1 => folder.join(name.chars().take(60).collect::<String>()),
            _ => folder.join(file.name),
        };
        let mode = modes.get(number).copied().flatten();
        replace(&place, file.text, mode).ok()?;
    }
    Some(folder)
}

impl Shared {
    /// Waits for an input to write: the latest one, or a failed one again. Returns `None` at the
    /// end.
    fn next(&self) -> Option<Input> {
        let mut state = self.lock();
        loop {
            let now = Instant::now();
            let rest = state
                .not_before
                .map(|until| until.saturating_duration_since(now));
            if let Some(rest) = rest.filter(|rest| !rest.is_zero() && !state.last) {
                let woken = self.changed.wait_timeout(state, rest);
                (state, _) = woken.unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            if let Some(latest) = state.latest.take() {
                return Some(latest);
            }
            if state.last {
                return None;
            }
            if state.failed.is_none() {
                let woken = self.changed.wait(state);
                state = woken.unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let woken = self.changed.wait_timeout(state, PAUSE);
            let (woken, waited) = woken.unwrap_or_else(PoisonError::into_inner);
            state = woken;
            if waited.timed_out() && state.latest.is_none() {
                return state.best.clone();
            }
        }
    }

    /// Delays the next write if the last write took long.
    fn rest(&self, time: Duration) {
        let rest = (time * WAITS).min(LONGEST_WAIT);
        self.lock().not_before = (time > SLOW)
            .then(|| Instant::now().checked_add(rest))
            .flatten();
    }

    /// Returns the input that could not be written, if any.
    fn unwritten(&self) -> Option<Input> {
        let state = self.lock();
        state.failed.as_ref().and(state.best.clone())
    }

    /// Only the last attempt counts.
    fn done(&self, input: Input, failed: Option<(PathBuf, io::Error)>) {
        let mut state = self.lock();
        state.told &= failed.is_some();
        state.failed = failed;
        state.best = Some(input);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_slow_write_only_the_end_is_written_at_once() {
        let shared = Arc::new(Shared::default());
        shared.rest(SLOW * 10);
        shared.lock().latest = Some(Input::single("x", "new").unwrap());
        let (sender, next) = std::sync::mpsc::channel();
        let writer = std::thread::spawn({
            let shared = Arc::clone(&shared);
            move || {
                sender
                    .send(shared.next().map(|input| input.size()))
                    .unwrap()
            }
        });
        shared.changed.notify_all();
        assert!(next.recv_timeout(Duration::from_millis(100)).is_err());
        shared.lock().last = true;
        shared.changed.notify_all();
        assert_eq!(next.recv_timeout(Duration::from_secs(30)), Ok(Some(3)));
        writer.join().unwrap();
        shared.rest(SLOW / 2);
        assert_eq!(shared.lock().not_before, None);
    }
    use crate::output::targets::testing::{file as source, start};

    #[test]
    fn the_latest_is_on_disk_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("x.min");
        let targets = Targets::new(&[source(folder.path().join("x"))], Some(&out)).unwrap();
        let saver = start(targets, None);
        for text in ["one", "two", "three"] {
            saver.save(&Input::single("x", text).unwrap());
        }
        saver.finish().unwrap();
        assert_eq!(std::fs::read_to_string(&out).unwrap(), "three");
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            1,
            "temporary files left"
        );
    }

    #[test]
    fn a_folder_that_vanished_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("gone").join("x.min");
        let saver = start(Targets::new(&[source("x")], Some(&out)).unwrap(), None);
        saver.save(&Input::single("x", "text").unwrap());
        saver.finish().unwrap();
        assert_eq!(std::fs::read_to_string(&out).unwrap(), "text");
    }

    #[test]
    fn a_result_that_cannot_be_written_is_rescued() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let out = file.join("x.min");
        let saver = start(Targets::new(&[source("x")], Some(&out)).unwrap(), None);
        saver.save(&Input::single("x", "text").unwrap());
        assert!(saver.finish().is_err());
        let input = Input::single("x", "text").unwrap();
        let place = rescue(&input, &out, &[Some(0o640)]).unwrap();
        assert_eq!(
            std::fs::read_to_string(place.join("x.min")).unwrap(),
            "text"
        );
        std::fs::remove_dir_all(place).unwrap();
    }

    #[test]
    fn a_result_that_cannot_be_written_is_tried_again_and_told_of_once() {
        let folder = tempfile::tempdir().unwrap();
        let way = folder.path().join("way");
        std::fs::write(&way, "").unwrap();
        let out = way.join("x.min");
        let saver = start(Targets::new(&[source("x")], Some(&out)).unwrap(), None);
        saver.save(&Input::single("x", "text").unwrap());
        let told = loop {
            if let Some(told) = saver.trouble() {
                break told;
            }
            std::thread::yield_now();
        };
        assert!(told.contains("x.min"), "{told}");
        assert_eq!(saver.trouble(), None);
        std::fs::remove_file(&way).unwrap();
        // No other input follows.
        while !out.exists() {
            std::thread::sleep(Duration::from_millis(10));
        }
        saver.finish().unwrap();
        assert_eq!(std::fs::read_to_string(&out).unwrap(), "text");
    }

    #[test]
    fn a_result_of_an_earlier_run_stays_until_there_is_a_better_one() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("x.min");
        std::fs::write(&out, "earlier").unwrap();
        let saver = start(Targets::new(&[source("x")], Some(&out)).unwrap(), None);
        saver.begin(&Input::single("x", "the whole original").unwrap());
        saver.finish().unwrap();
        assert_eq!(std::fs::read_to_string(&out).unwrap(), "earlier");
    }

    #[test]
    fn going_on_never_puts_something_larger_in_the_place_of_a_result() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("x.min");
        let targets = Targets::new(&[source("x")], Some(&out)).unwrap();
        let written = targets.claim(false).unwrap();
        let saver = Saver::start(targets.clone(), None, written).unwrap();
        saver.save(&Input::single("x", "small").unwrap());
        saver.finish().unwrap();
        let written = targets.claim(false).unwrap();
        let floor = targets.size(&written);
        let saver = Saver::start(targets, floor, written).unwrap();
        saver.save(&Input::single("x", "on its way").unwrap());
        saver.finish().unwrap();
        assert_eq!(std::fs::read_to_string(&out).unwrap(), "small");
    }

    #[test]
    fn after_going_back_whatever_is_better_than_that_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("x.min");
        std::fs::write(&out, "by chance").unwrap();
        let targets = Targets::new(&[source("x")], Some(&out)).unwrap();
        let saver = start(targets, Some("by chance".len()));
        saver.go_back(&Input::single("x", "the last that fails often enough").unwrap());
        saver.save(&Input::single("x", "smaller than that").unwrap());
        saver.finish().unwrap();
        assert_eq!(std::fs::read_to_string(&out).unwrap(), "smaller than that");
    }
}
