//! The best so far, on disk, all the time.

use crate::exit::Exit;
use crate::problem::Problem;
use nubbin_reduce::input::Input;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// Where each file of the input goes.
#[derive(Clone, Debug)]
pub(super) struct Targets {
    paths: Vec<PathBuf>,
}

impl Targets {
    /// Decides, and refuses what would overwrite an input.
    pub(super) fn new(inputs: &[PathBuf], output: Option<&Path>) -> Result<Self, Problem> {
        let paths: Vec<PathBuf> = match (inputs, output) {
            ([_], Some(output)) if !output.is_dir() => vec![output.to_path_buf()],
            (_, Some(folder)) => {
                if folder.exists() && !folder.is_dir() {
                    let what = format!("`{}` is not a folder", folder.display());
                    return Err(Problem::new(Exit::Usage, what)
                        .hint("several inputs are written to a folder: give `-o FOLDER`"));
                }
                let name = |path: &PathBuf| folder.join(path.file_name().unwrap_or_default());
                inputs.iter().map(name).collect()
            }
            (_, None) => inputs
                .iter()
                .map(|path| super::files::default_output(path))
                .collect(),
        };
        for (at, path) in paths.iter().enumerate() {
            if let Some(input) = inputs.iter().find(|input| same_file(input, path)) {
                let what = format!("the result would overwrite the input `{}`", input.display());
                return Err(Problem::new(Exit::Usage, what)
                    .hint("nubbin never writes to an input: give another path with `-o`"));
            }
            if paths[..at].contains(path) {
                let what = format!("two results would be written to `{}`", path.display());
                return Err(Problem::new(Exit::Usage, what).hint("reduce them one by one"));
            }
        }
        Ok(Targets { paths })
    }

    pub(super) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Finds out before the first test whether a result can be written at all.
    pub(super) fn probe(&self) -> Result<(), Problem> {
        for path in &self.paths {
            let folder = folder_of(path);
            let made = std::fs::create_dir_all(folder).and_then(|()| {
                tempfile::Builder::new()
                    .prefix(".nubbin-")
                    .tempfile_in(folder)
            });
            if let Err(error) = made {
                return Err(cannot_write(path, &error));
            }
            if path.is_dir() {
                let what = format!("`{}` is a folder", path.display());
                return Err(Problem::new(Exit::Output, what));
            }
        }
        Ok(())
    }

    /// Writes each file in one step: whoever looks sees the old result or the new one.
    fn write(&self, input: &Input) -> Result<(), (PathBuf, io::Error)> {
        for (number, path) in self.paths.iter().enumerate() {
            let written = match input.file(number) {
                Some(file) => replace(path, file.text),
                None => match std::fs::remove_file(path) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                    _ => Ok(()),
                },
            };
            written.map_err(|error| (path.clone(), error))?;
        }
        Ok(())
    }
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = tempfile::Builder::new()
        .prefix(".nubbin-")
        .tempfile_in(folder_of(path))?;
    file.write_all(bytes)?;
    #[cfg(unix)]
    {
        // A temporary file is private; a result is as readable as any file the user makes.
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(path).map_or(0o644, |old| old.permissions().mode() & 0o777);
        file.as_file()
            .set_permissions(std::fs::Permissions::from_mode(mode))?;
    }
    file.persist(path)?;
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

fn same_file(left: &Path, right: &Path) -> bool {
    match (left.canonicalize(), right.canonicalize()) {
        (Ok(left), Ok(right)) => left == right,
        _ => left == right,
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Problem {
    Problem::new(
        Exit::Output,
        format!("cannot write the result `{}`", path.display()),
    )
    .because(error)
    .hint("give a path you may write to with `-o PATH`")
}

/// Writes the best so far from a thread of its own, always the latest, so that a run that is
/// killed has left its result and no test has waited for the disk.
pub(super) struct Saver {
    shared: Arc<Shared>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    latest: Option<Input>,
    last: bool,
    failed: HashMap<PathBuf, io::Error>,
}

impl Saver {
    pub(super) fn start(targets: Targets) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let ours = Arc::clone(&shared);
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
                    let written = targets.write(&input);
                    let mut state = ours.lock();
                    match written {
                        // A disk that was full may have room again; the last attempt counts.
                        Ok(()) => state.failed.clear(),
                        Err((path, error)) => {
                            state.failed.insert(path, error);
                        }
                    }
                }
            })?;
        Ok(Saver { shared, thread })
    }

    /// Leaves a new best to be written.
    pub(super) fn save(&self, input: &Input) {
        self.shared.lock().latest = Some(input.clone());
        self.shared.changed.notify_one();
    }

    /// Waits until all is written.
    pub(super) fn finish(self) -> Result<(), Problem> {
        self.shared.lock().last = true;
        self.shared.changed.notify_one();
        // A panic in the thread would have left `failed` or the file as they were before it.
        let _ = self.thread.join();
        let failed = std::mem::take(&mut self.shared.lock().failed);
        match failed.iter().next() {
            Some((path, error)) => Err(cannot_write(path, error)),
            None => Ok(()),
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_is_on_disk_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("x.min");
        let targets = Targets::new(&[folder.path().join("x")], Some(&out)).unwrap();
        let saver = Saver::start(targets).unwrap();
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
    fn a_result_never_overwrites_an_input() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("x");
        std::fs::write(&input, "x").unwrap();
        let round_about = folder.path().join(".").join("x");
        assert!(Targets::new(&[input], Some(&round_about)).is_err());
    }

    #[test]
    fn a_folder_that_vanished_is_reported_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("gone").join("x.min");
        let saver = Saver::start(Targets::new(&["x".into()], Some(&out)).unwrap()).unwrap();
        saver.save(&Input::single("x", "text").unwrap());
        assert!(saver.finish().is_err());
    }
}
