//! The best so far, on disk, all the time.

use super::targets::{Targets, Written};
use crate::place::cannot_write;
use crate::problem::Problem;
use nubbin_reduce::input::Input;
use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// Writes the best so far from a thread of its own, always the latest, so that a run that is
/// killed has left its result and no test has waited for the disk.
pub(super) struct Saver {
    shared: Arc<Shared>,
    thread: JoinHandle<()>,
    /// There were results of an earlier run.
    occupied: bool,
    /// What is larger is not written.
    floor: Cell<Option<usize>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Still to be written.
    latest: Option<Input>,
    /// Written last, or not, as `failed` says.
    best: Option<Input>,
    last: bool,
    failed: Option<(PathBuf, io::Error)>,
}

impl Saver {
    /// `floor` is the size of a result that is there already and fails the same test: a run that
    /// goes on passes through everything larger again, and none of that is an improvement.
    ///
    /// `written` is what is on disk of the run that this one goes on with.
    pub(super) fn start(
        targets: Targets,
        floor: Option<usize>,
        mut written: Written,
    ) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let ours = Arc::clone(&shared);
        let occupied = targets.occupied();
        let thread = std::thread::Builder::new()
            .name("saver".into())
            .spawn(move || {
                loop {
                    let mut state = ours.lock();
                    while state.latest.is_none() && !state.last {
                        state = ours
                            .changed
                            .wait(state)
                            .unwrap_or_else(PoisonError::into_inner);
                    }
                    let Some(input) = state.latest.take() else {
                        break;
                    };
                    drop(state);
                    let failed = targets.write(&input, &mut written).err();
                    let mut state = ours.lock();
                    // A disk that was full may have room again; the last attempt counts.
                    state.failed = failed;
                    state.best = Some(input);
                }
            })?;
        Ok(Saver {
            shared,
            thread,
            occupied,
            floor: Cell::new(floor),
        })
    }

    /// The original has failed. It is the best there is until something smaller fails, so a run
    /// that is killed early has left a result too; but what an earlier run has left is better.
    pub(super) fn begin(&self, input: &Input) {
        if !self.occupied {
            self.save(input);
        }
    }

    /// Leaves a new best to be written.
    pub(super) fn save(&self, input: &Input) {
        if self.floor.get().is_none_or(|floor| input.size() <= floor) {
            self.conclude(input);
        }
    }

    /// The run went back to a larger one. The result of an earlier run is not what counts any more.
    pub(super) fn go_back(&self, input: &Input) {
        self.floor.set(None);
        self.conclude(input);
    }

    /// Leaves the result of a whole search to be written, whatever is there.
    pub(super) fn conclude(&self, input: &Input) {
        self.shared.lock().latest = Some(input.clone());
        self.shared.changed.notify_one();
    }

    /// Waits until all is written. What cannot be written where it belongs is left in the
    /// temporary folder.
    pub(super) fn finish(self) -> Result<(), Problem> {
        self.shared.lock().last = true;
        self.shared.changed.notify_one();
        // A panic in the thread would have left `failed` or the file as they were before it.
        let _ = self.thread.join();
        let mut state = self.shared.lock();
        let Some((path, error)) = state.failed.take() else {
            return Ok(());
        };
        let problem = cannot_write(&path, &error);
        Err(
            match state.best.as_ref().and_then(|best| rescue(best, &path)) {
                Some(place) => problem.hint(format!("the result is in `{}`", place.display())),
                None => problem,
            },
        )
    }
}

/// Writes a result to the temporary folder.
fn rescue(input: &Input, target: &Path) -> Option<PathBuf> {
    let name = target.file_name()?.to_string_lossy();
    let folder = tempfile::Builder::new()
        .prefix("result-")
        .tempdir()
        .ok()?
        .keep();
    for file in input.present() {
        let place = match input.file_count() {
            1 => folder.join(name.chars().take(60).collect::<String>()),
            _ => folder.join(file.name),
        };
        std::fs::create_dir_all(place.parent()?).ok()?;
        std::fs::write(place, file.text).ok()?;
    }
    Some(folder)
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::targets::testing::{file as source, start};

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
        let place = rescue(&Input::single("x", "text").unwrap(), &out).unwrap();
        assert_eq!(
            std::fs::read_to_string(place.join("x.min")).unwrap(),
            "text"
        );
        std::fs::remove_dir_all(place).unwrap();
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
        std::fs::write(&out, "small").unwrap();
        let targets = Targets::new(&[source("x")], Some(&out)).unwrap();
        let floor = targets.size();
        let saver = start(targets, floor);
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
        let floor = targets.size();
        let saver = start(targets, floor);
        saver.go_back(&Input::single("x", "the last that fails often enough").unwrap());
        saver.save(&Input::single("x", "smaller than that").unwrap());
        saver.finish().unwrap();
        assert_eq!(std::fs::read_to_string(&out).unwrap(), "smaller than that");
    }
}
