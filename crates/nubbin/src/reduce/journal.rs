//! Verdicts on disk, so that a killed run can resume.
//!
//! The engine is deterministic: the same verdicts lead to the same path. So the journal keeps no
//! state of the search, only verdicts by content. A resumed run starts at the original and reaches
//! its old state as fast as it can make candidates.

use crate::exit::Exit;
use crate::problem::Problem;
use nubbin_reduce::edit::Fingerprint;
use nubbin_reduce::engine::Kind;
use redb::{Database, DatabaseError, ReadableDatabase, ReadableTable, TableDefinition};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const VERDICTS: TableDefinition<'_, u128, u8> = TableDefinition::new("verdicts");
const ABOUT: TableDefinition<'_, &str, &str> = TableDefinition::new("about");

/// Raised when the tables change their meaning; a journal of another version is not read.
const VERSION: &str = "1";

/// How long verdicts are gathered before they are written. Writing waits for the disk, and a killed
/// run loses verdicts that were not written.
const GATHER: Duration = Duration::from_millis(50);

/// How long to wait before verdicts that could not be written are tried again: a disk that was full
/// may have room again.
const PAUSE: Duration = Duration::from_secs(1);

type Verdict = (Fingerprint, Kind);
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Writes verdicts from a thread of its own.
pub(super) struct Journal {
    path: PathBuf,
    verdicts: Sender<Verdict>,
    thread: JoinHandle<Result<(), Failure>>,
}

/// The verdicts of an earlier run.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Earlier {
    /// There are none.
    None,
    /// Verdicts of the same test; all hold.
    Same(Vec<Verdict>),
    /// Verdicts of another test. If that was less strict, a candidate that passed it passes now;
    /// all other candidates are tested again.
    Other(Vec<Verdict>),
}

impl Journal {
    /// Returns the path of the journal of a result.
    pub(super) fn path_for(result: &Path) -> PathBuf {
        let mut name = result.file_name().unwrap_or_default().to_os_string();
        name.push(".journal");
        result.with_file_name(name)
    }

    /// Opens the journal of a run, and locks it against other runs. `test` is everything that the
    /// verdicts depend on. With `resume` it reads the verdicts of an earlier run, otherwise it
    /// drops them.
    pub(super) fn open(path: &Path, test: &str, resume: bool) -> Result<(Self, Earlier), Problem> {
        let mut earlier = Earlier::None;
        let database = match Database::create(path) {
            Ok(database) => database,
            Err(DatabaseError::DatabaseAlreadyOpen) => return Err(busy(path)),
            // Not a journal, or of an unknown format: nothing in it can be used.
            Err(error) if path.exists() && (!resume || is_half_made(path)) => {
                std::fs::remove_file(path).map_err(|_| unusable(path, error.into()))?;
                Database::create(path).map_err(|error| {
                    let _ = std::fs::remove_file(path);
                    unusable(path, error.into())
                })?
            }
            Err(error) => return Err(unusable(path, error.into())),
        };
        if resume {
            earlier = read(&database, test).map_err(|error| unusable(path, error))?;
        }
        begin(&database, test, &earlier).map_err(|error| unusable(path, error))?;
        let (verdicts, inbox) = channel();
        let keeper = Keeper {
            path: path.to_path_buf(),
            test: test.to_owned(),
            database: Some(database),
            unwritten: vec![],
        };
        let thread = std::thread::Builder::new()
            .name("journal".into())
            .spawn(move || keeper.keep(&inbox))
            .map_err(|error| unusable(path, error.into()))?;
        Ok((
            Journal {
                path: path.to_path_buf(),
                verdicts,
                thread,
            },
            earlier,
        ))
    }

    /// Queues a verdict to be written.
    pub(super) fn add(&self, print: Fingerprint, kind: Kind) {
        // The thread ends early only if it panicked; `finish` reports that.
        let _ = self.verdicts.send((print, kind));
    }

    /// Waits until all verdicts are written. Removes the journal of a run that is `over`.
    pub(super) fn finish(self, complete: bool) -> Result<(), Problem> {
        drop(self.verdicts);
        let kept = self
            .thread
            .join()
            .unwrap_or_else(|_| Err("the journal's thread panicked".into()));
        if complete {
            return match std::fs::remove_file(&self.path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    Err(not_removed(&self.path, &error))
                }
                _ => Ok(()),
            };
        }
        kept.map_err(|error| not_written(&self.path, error.as_ref()))
    }
}

/// Writes verdicts as they arrive.
struct Keeper {
    path: PathBuf,
    test: String,
    /// None after a write failed: redb must then open it anew.
    database: Option<Database>,
    unwritten: Vec<Verdict>,
}

impl Keeper {
    /// Writes until the run is over. Keeps verdicts that cannot be written and tries again.
    fn keep(mut self, inbox: &Receiver<Verdict>) -> Result<(), Failure> {
        let mut refused: Option<Instant> = None;
        loop {
            let next = match refused {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(_) => inbox.recv_timeout(PAUSE),
            };
            match next {
                Ok(verdict) => self.unwritten.push(verdict),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return self.write(),
            }
            std::thread::sleep(GATHER);
            self.unwritten.extend(inbox.try_iter());
            if refused.is_none_or(|refused| refused.elapsed() >= PAUSE) {
                refused = self.write().err().map(|_| Instant::now());
            }
        }
    }

    fn write(&mut self) -> Result<(), Failure> {
        if self.unwritten.is_empty() {
            return Ok(());
        }
        let database = match self.database.take() {
            Some(database) => database,
            None => self.open_again()?,
        };
        add(&database, &self.unwritten)?;
        self.database = Some(database);
        self.unwritten.clear();
        Ok(())
    }

    /// While it was closed, another run may have taken it.
    fn open_again(&self) -> Result<Database, Failure> {
        let database = Database::open(&self.path)?;
        if !matches!(read(&database, &self.test)?, Earlier::Same(_)) {
            return Err("another run has begun to use it".into());
        }
        Ok(database)
    }
}

/// Reads the verdicts of an earlier run.
fn read(database: &Database, test: &str) -> Result<Earlier, redb::Error> {
    let transaction = database.begin_read()?;
    let (about, verdicts) = match (
        transaction.open_table(ABOUT),
        transaction.open_table(VERDICTS),
    ) {
        (Ok(about), Ok(verdicts)) => (about, verdicts),
        // The journal is new.
        (Err(redb::TableError::TableDoesNotExist(_)), _) => return Ok(Earlier::None),
        (Err(error), _) | (_, Err(error)) => return Err(error.into()),
    };
    if about
        .get("version")?
        .is_none_or(|version| version.value() != VERSION)
    {
        return Ok(Earlier::None);
    }
    let same = about
        .get("test")?
        .is_some_and(|earlier| earlier.value() == test);
    let mut known = Vec::new();
    for entry in verdicts.iter()? {
        let (print, code) = entry?;
        match kind(code.value()) {
            Some(kind) if same || kind == Kind::Pass => {
                known.push((Fingerprint(print.value()), kind));
            }
            _ => {}
        }
    }
    Ok(if same {
        Earlier::Same(known)
    } else {
        Earlier::Other(known)
    })
}

/// Makes the tables hold exactly the verdicts that hold for this run.
fn begin(database: &Database, test: &str, earlier: &Earlier) -> Result<(), redb::Error> {
    let transaction = database.begin_write()?;
    {
        let mut about = transaction.open_table(ABOUT)?;
        about.insert("version", VERSION)?;
        about.insert("test", test)?;
        if !matches!(earlier, Earlier::Same(_)) {
            transaction.delete_table(VERDICTS)?;
        }
        let mut verdicts = transaction.open_table(VERDICTS)?;
        if let Earlier::Other(known) = earlier {
            for (print, kind) in known {
                verdicts.insert(print.0, code(*kind))?;
            }
        }
    }
    transaction.commit()?;
    Ok(())
}

fn add(database: &Database, verdicts: &[Verdict]) -> Result<(), redb::Error> {
    let transaction = database.begin_write()?;
    {
        let mut table = transaction.open_table(VERDICTS)?;
        for (print, kind) in verdicts {
            table.insert(print.0, code(*kind))?;
        }
    }
    transaction.commit()?;
    Ok(())
}

/// Returns whether a run was killed, or found no room, while it made this journal. redb writes its
/// magic number last, so a file that begins with zeros holds nothing.
fn is_half_made(path: &Path) -> bool {
    use std::io::Read as _;
    let mut head = [1; 9];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head == [0; 9]
}

fn code(kind: Kind) -> u8 {
    match kind {
        Kind::Fail => 0,
        Kind::Pass => 1,
        Kind::Unresolved => 2,
        Kind::TimedOut => 3,
    }
}

fn kind(code: u8) -> Option<Kind> {
    [Kind::Fail, Kind::Pass, Kind::Unresolved, Kind::TimedOut]
        .get(usize::from(code))
        .copied()
}

fn busy(path: &Path) -> Problem {
    let what = format!("another run is writing to `{}`", path.display());
    Problem::new(Exit::Output, what).hint("wait for it, or give another result with `-o PATH`")
}

fn not_written(path: &Path, error: &(dyn std::error::Error + 'static)) -> Problem {
    let what = format!(
        "the last verdicts could not be written to the journal `{}`",
        path.display()
    );
    Problem::new(Exit::Output, what)
        .because(error)
        .hint("`--resume` goes on with the earlier ones, and tests again what is not among them")
}

fn not_removed(path: &Path, error: &(dyn std::error::Error + 'static)) -> Problem {
    let what = format!("the journal `{}` cannot be removed", path.display());
    Problem::new(Exit::Output, what)
        .because(error)
        .hint("the run is through and needs it no more: remove it yourself")
}

fn unusable(path: &Path, error: redb::Error) -> Problem {
    let hint = match &error {
        redb::Error::Io(error) if error.kind() == ErrorKind::StorageFull => "make room there",
        _ => "remove it to begin anew",
    };
    let what = format!("the journal `{}` cannot be used", path.display());
    Problem::new(Exit::Output, what).because(&error).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Verdict; 4] = [
        (Fingerprint(1), Kind::Fail),
        (Fingerprint(2), Kind::Pass),
        (Fingerprint(u128::MAX), Kind::Unresolved),
        (Fingerprint(4), Kind::TimedOut),
    ];

    fn leave(path: &Path, test: &str) {
        let (journal, _) = Journal::open(path, test, false).unwrap();
        ALL.iter()
            .for_each(|&(print, kind)| journal.add(print, kind));
        journal.finish(false).unwrap();
    }

    fn sorted(mut verdicts: Vec<Verdict>) -> Vec<Verdict> {
        verdicts.sort_by_key(|verdict| verdict.0);
        verdicts
    }

    #[test]
    fn the_same_test_believes_everything_and_another_only_what_passed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.journal");
        leave(&path, "a");
        let (journal, earlier) = Journal::open(&path, "a", true).unwrap();
        let Earlier::Same(known) = earlier else {
            panic!("{earlier:?}")
        };
        assert_eq!(sorted(known), sorted(ALL.to_vec()));
        journal.finish(false).unwrap();
        let (journal, earlier) = Journal::open(&path, "b", true).unwrap();
        assert_eq!(earlier, Earlier::Other(vec![(Fingerprint(2), Kind::Pass)]));
        journal.finish(false).unwrap();
        // It is the journal of the other test from now on.
        let (_journal, earlier) = Journal::open(&path, "b", true).unwrap();
        assert_eq!(earlier, Earlier::Same(vec![(Fingerprint(2), Kind::Pass)]));
    }

    #[test]
    fn without_resume_it_begins_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.journal");
        leave(&path, "a");
        let (journal, _) = Journal::open(&path, "a", false).unwrap();
        journal.finish(false).unwrap();
        let (_journal, earlier) = Journal::open(&path, "a", true).unwrap();
        assert_eq!(earlier, Earlier::Same(vec![]));
    }

    #[test]
    fn a_run_that_is_through_leaves_no_journal_and_two_at_once_refuse_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.journal");
        let (journal, _) = Journal::open(&path, "a", false).unwrap();
        assert_eq!(
            Journal::open(&path, "a", true).err().unwrap().exit(),
            Exit::Output
        );
        journal.finish(true).unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn a_journal_that_was_never_finished_is_nothing_to_go_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.journal");
        for left in [vec![], vec![0; 5000]] {
            std::fs::write(&path, left).unwrap();
            let (journal, earlier) = Journal::open(&path, "a", true).unwrap();
            assert_eq!(earlier, Earlier::None);
            journal.finish(true).unwrap();
        }
    }

    #[test]
    fn what_could_not_be_written_is_written_when_it_can_be() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.journal");
        leave(&path, "a");
        let mut keeper = Keeper {
            path: path.clone(),
            test: "a".into(),
            // As after a failure.
            database: None,
            unwritten: vec![(Fingerprint(9), Kind::Fail)],
        };
        std::fs::rename(&path, folder.path().join("away")).unwrap();
        assert!(keeper.write().is_err());
        std::fs::rename(folder.path().join("away"), &path).unwrap();
        keeper.write().unwrap();
        drop(keeper);
        let (_journal, earlier) = Journal::open(&path, "a", true).unwrap();
        let Earlier::Same(known) = earlier else {
            panic!("{earlier:?}")
        };
        assert_eq!(known.len(), ALL.len() + 1);
    }

    #[test]
    fn a_journal_that_another_run_has_taken_is_left_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.journal");
        leave(&path, "b");
        let mut keeper = Keeper {
            path,
            test: "a".into(),
            database: None,
            unwritten: vec![(Fingerprint(9), Kind::Fail)],
        };
        assert!(keeper.write().is_err());
    }

    #[test]
    fn what_is_no_journal_is_replaced_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.journal");
        std::fs::write(
            &path,
            "something else entirely, long enough to be looked at",
        )
        .unwrap();
        assert!(Journal::open(&path, "a", true).is_err());
        assert!(Journal::open(&path, "a", false).is_ok());
    }
}
