//! The journal of a run, and the verdicts of earlier runs with which it begins.

use super::key::{Key, is_journal};
use super::read::{Found, last, read};
use super::record::{Verdict, Verdicts, sorted};
use super::write::{Clock, add, begin, keep};
use crate::exit::Exit;
use crate::problem::Problem;
use crate::state::{Lock, StateFolder};
use nubbin_reduce::edit::Fingerprint;
use nubbin_verdict::VerdictKind;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The verdicts of earlier runs that are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::reduce) enum Resume {
    /// No verdicts of an earlier run.
    Never,
    /// The verdicts of a run with the same test and input.
    IfSame,
    /// The verdicts of the last run, even of another test or input.
    Always,
}

/// The verdicts of an earlier run.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::reduce) enum Earlier {
    /// There are no earlier verdicts, or they are not used.
    None,
    /// Verdicts of the same test. All verdicts are valid.
    Same {
        verdicts: Vec<Verdict>,
        /// Whether the verdicts are about the same input, so that the search takes the same path.
        same_input: bool,
    },
    /// Verdicts of another test. If the other test was less strict, a candidate that passed it also
    /// passes the new test. All other candidates are tested again.
    Other(Vec<Verdict>),
}

/// The journal of a run.
pub(in crate::reduce) struct Opened {
    pub(in crate::reduce) journal: Journal,
    pub(in crate::reduce) earlier: Earlier,
    /// The verdicts of the last run, if they are not used.
    pub(in crate::reduce) unused: Option<Unused>,
    /// The warnings about journals of earlier runs, for the user.
    pub(in crate::reduce) warnings: Vec<String>,
    /// The time of the runs whose verdicts on the same input are used.
    pub(in crate::reduce) time: Duration,
}

/// Verdicts of an earlier run that stay in its journal until this run has its first success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::reduce) struct Unused {
    pub(in crate::reduce) verdicts: usize,
    /// Whether they are of the same test.
    pub(in crate::reduce) same_test: bool,
    /// Whether they are of the same input.
    pub(in crate::reduce) same_input: bool,
}

/// The journal of a run, which writes verdicts on its own thread.
pub(in crate::reduce) struct Journal {
    state: StateFolder,
    suffix: String,
    /// The journals of other runs, until this run has its first success.
    superseded: Vec<String>,
    verdicts: Sender<Verdict>,
    thread: JoinHandle<io::Result<()>>,
}

impl Journal {
    /// Opens the journal of a run, which holds the lock of its result. The run has begun at
    /// `begun`.
    pub(in crate::reduce) fn open(
        lock: &Lock,
        key: Key,
        resume: Resume,
        begun: Instant,
    ) -> Result<Opened, Problem> {
        let state = lock.state();
        let own = key.suffix();
        let unusable = |error: &io::Error| unusable(state.path(&own), error);
        let mut warnings = vec![];
        let mut found = read(state, &own, &mut warnings);
        if resume == Resume::Never && found.take().is_some() {
            state
                .rename(&own, &key.suffix_before())
                .map_err(|error| unusable(&error))?;
        }
        let mut others = state.suffixes();
        others.retain(|suffix| is_journal(suffix) && *suffix != own);
        let found_verdicts = found.as_ref().filter(|found| !found.verdicts.is_empty());
        let (earlier, before, unused, time) = match found_verdicts {
            Some(found) => {
                let earlier = Earlier::Same {
                    verdicts: sorted(&found.verdicts),
                    same_input: true,
                };
                (earlier, Verdicts::new(), None, found.time)
            }
            None => {
                let last = last(state, &others, &mut warnings);
                let (earlier, before, unused) = of_another_run(last, key, resume);
                (earlier, before, unused, Duration::ZERO)
            }
        };
        let records = match found {
            Some(mut found) => {
                add(&mut found.records, &sorted(&before)).map_err(|error| unusable(&error))?;
                found.records
            }
            None => {
                let made = begin(state, &own, key, &before);
                made.map_err(|error| {
                    // Nothing is in it yet.
                    let _ = state.discard(&own);
                    unusable(&error)
                })?
            }
        };
        let clock = Clock {
            before: time,
            begun,
        };
        let (verdicts, thread) = keep(records, clock).map_err(|error| unusable(&error))?;
        let journal = Journal {
            state: state.clone(),
            suffix: own,
            superseded: others,
            verdicts,
            thread,
        };
        Ok(Opened {
            journal,
            earlier,
            unused,
            warnings,
            time,
        })
    }

    /// Queues a verdict to be written.
    pub(in crate::reduce) fn add(&self, print: Fingerprint, kind: VerdictKind) {
        // The thread ends early only if it panicked; `finish` reports that.
        let _ = self.verdicts.send((print, kind));
    }

    /// Removes the journals of other runs, since this run has a success.
    pub(in crate::reduce) fn supersede_others(&mut self) {
        for suffix in self.superseded.drain(..) {
            // One that remains does no harm, and the next run tries again.
            let _ = self.state.remove(&suffix);
        }
    }

    /// Waits until all verdicts are written. Removes the journal of a run that is `over`.
    pub(in crate::reduce) fn finish(self, over: bool) -> Result<(), Problem> {
        drop(self.verdicts);
        let kept = self.thread.join().unwrap_or_else(|_| {
            let what = "the journal's thread panicked";
            Err(io::Error::other(what))
        });
        let path = self.state.path(&self.suffix);
        if over {
            let removed = self.state.remove(&self.suffix);
            return removed.map_err(|error| not_removed(path, &error));
        }
        kept.map_err(|error| not_written(path, &error))
    }
}

/// Returns the use of the verdicts of another run, the verdicts that are used, and the reason why
/// others are not used.
fn of_another_run(
    last: Option<Found>,
    key: Key,
    resume: Resume,
) -> (Earlier, Verdicts, Option<Unused>) {
    let Some(last) = last else {
        return (Earlier::None, Verdicts::new(), None);
    };
    let same_test = last.key.test == key.test;
    let same_input = last.key.input == key.input;
    if resume != Resume::Always {
        let unused = Unused {
            verdicts: last.verdicts.len(),
            same_test,
            same_input,
        };
        return (Earlier::None, Verdicts::new(), Some(unused));
    }
    let mut used = last.verdicts;
    if !same_test {
        used.retain(|_, kind| *kind == VerdictKind::Pass);
    }
    let verdicts = sorted(&used);
    let earlier = match same_test {
        true => Earlier::Same {
            verdicts,
            same_input,
        },
        false => Earlier::Other(verdicts),
    };
    (earlier, used, None)
}

fn not_written(path: PathBuf, error: &io::Error) -> Problem {
    let what = format!(
        "the last verdicts could not be written to the journal `{}`",
        path.display()
    );
    Problem::new(Exit::Output, what)
        .because(error)
        .hint("the same command continues with the earlier ones, and tests all others again")
}

fn not_removed(path: PathBuf, error: &io::Error) -> Problem {
    let what = format!("the journal `{}` cannot be removed", path.display());
    Problem::new(Exit::Output, what)
        .because(error)
        .hint("the run is complete and the file is no longer needed; delete it")
}

fn unusable(path: PathBuf, error: &io::Error) -> Problem {
    let what = format!("the journal `{}` cannot be written", path.display());
    Problem::new(Exit::Output, what)
        .because(error)
        .hint(match error.kind() {
            ErrorKind::StorageFull => "make room there",
            _ => "give a result in another folder with `-o PATH`",
        })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{ALL, Place, key};
    use super::*;

    fn same(verdicts: &[Verdict], same_input: bool) -> Earlier {
        Earlier::Same {
            verdicts: verdicts.to_vec(),
            same_input,
        }
    }

    #[test]
    fn the_same_test_reuses_all_verdicts_and_another_only_passes() {
        let place = Place::new();
        place.leave(key(1, 1));
        let open = |key| place.open(key, Resume::Always);
        assert_eq!(open(key(1, 1)), (same(&ALL, true), vec![]));
        assert_eq!(open(key(1, 2)), (same(&ALL, false), vec![]));
        assert_eq!(
            open(key(2, 1)),
            (Earlier::Other(ALL[1..2].to_vec()), vec![])
        );
        // They are verdicts of the other test from now on.
        assert_eq!(open(key(2, 1)), (same(&ALL[1..2], true), vec![]));
        assert_eq!(open(key(1, 1)), (same(&ALL, true), vec![]));
    }

    #[test]
    fn a_run_that_begins_anew_leaves_other_journals_until_its_first_success() {
        let place = Place::new();
        place.leave(key(1, 1));
        place.leave(key(1, 2));
        assert_eq!(place.journals(), 2);
        let lock = place.lock();
        let opened = Journal::open(&lock, key(2, 2), Resume::Never, Instant::now()).unwrap();
        assert_eq!(opened.earlier, Earlier::None);
        let mut journal = opened.journal;
        assert_eq!(lock.state().suffixes().len(), 3 + 1);
        journal.supersede_others();
        journal.finish(true).unwrap();
        drop(lock);
        assert_eq!(place.journals(), 0);
        assert_eq!(std::fs::read_dir(place.folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_run_that_begins_anew_uses_no_old_verdicts() {
        let place = Place::new();
        place.leave(key(1, 1));
        place.open(key(1, 1), Resume::Never);
        let (earlier, _) = place.open(key(1, 1), Resume::IfSame);
        assert_eq!(earlier, Earlier::None);
        // Until the new run has a success, they can be demanded.
        let (earlier, _) = place.open(key(1, 1), Resume::Always);
        assert_eq!(earlier, same(&ALL, true));
    }

    #[test]
    fn a_run_resumes_by_itself_only_if_test_and_input_are_the_same() {
        let place = Place::new();
        place.leave(key(1, 1));
        let lock = place.lock();
        for (key, same_test, same_input) in [
            (key(1, 2), true, false),
            (key(2, 1), false, true),
            (key(2, 2), false, false),
        ] {
            let opened = Journal::open(&lock, key, Resume::IfSame, Instant::now()).unwrap();
            assert_eq!(opened.earlier, Earlier::None);
            let unused = Unused {
                verdicts: ALL.len(),
                same_test,
                same_input,
            };
            assert_eq!(opened.unused, Some(unused));
            opened.journal.finish(true).unwrap();
        }
        drop(lock);
        let (earlier, _) = place.open(key(1, 1), Resume::IfSame);
        assert_eq!(earlier, same(&ALL, true));
    }

    #[test]
    fn a_damaged_journal_is_kept_aside_and_a_torn_one_is_used() {
        let place = Place::new();
        let path = place.leave(key(1, 1));
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let (earlier, warnings) = place.open(key(1, 1), Resume::Always);
        assert_eq!(earlier, same(&ALL[..4], true));
        assert!(warnings[0].contains("4 verdicts"), "{warnings:?}");
        for damaged in [&b"mine"[..], &[0; 5000], &bytes[..20]] {
            std::fs::write(&path, damaged).unwrap();
            let (earlier, warnings) = place.open(key(1, 1), Resume::Always);
            assert_eq!(earlier, Earlier::None);
            let (_, aside) = warnings[0].split_once("it is now `").unwrap();
            assert_eq!(std::fs::read(aside.trim_end_matches('`')).unwrap(), damaged);
        }
        // Its writer was killed at once.
        std::fs::write(&path, "").unwrap();
        assert_eq!(
            place.open(key(1, 1), Resume::Always),
            (Earlier::None, vec![])
        );
    }

    #[test]
    fn the_target_of_a_link_is_not_a_journal() {
        let place = Place::new();
        let path = place.leave(key(1, 1));
        let elsewhere = place.folder.path().join("elsewhere");
        std::fs::rename(&path, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        let before = std::fs::read(&elsewhere).unwrap();
        let (earlier, warnings) = place.open(key(1, 1), Resume::Always);
        assert_eq!((earlier, warnings.len()), (Earlier::None, 1));
        assert_eq!(std::fs::read(&elsewhere).unwrap(), before);
    }
}
