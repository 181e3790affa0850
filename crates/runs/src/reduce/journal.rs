//! Verdicts on disk, so that a stopped run can resume.
//!
//! The engine is deterministic: the same verdicts lead to the same path. So the journal keeps no
//! state of the search, only verdicts by content. A resumed run starts at the original and reaches
//! its old state as fast as it can create candidates.
//!
//! A result has one journal per test and input, so the verdicts of a stopped run are kept
//! while the user tries another test. The first success of a run removes the other journals.

use crate::exit::Exit;
use crate::problem::Problem;
use crate::state::{Format, Lock, Read, Records, StateFolder};
use nubbin_reduce::edit::{Fingerprint, fingerprint};
use nubbin_verdict::VerdictKind;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

/// The format of a journal. The number is raised when the records change their meaning; a journal
/// of another version is not read.
const FORMAT: Format = Format("journal 1");

/// The time for which verdicts are gathered before they are written. Writing waits for the disk,
/// and a killed run loses verdicts that were not written.
const GATHER: Duration = Duration::from_millis(50);

/// The time after which verdicts that could not be written are tried again: a disk that was full
/// may have room again.
const PAUSE: Duration = Duration::from_secs(1);

type Verdict = (Fingerprint, VerdictKind);
type Verdicts = BTreeMap<Fingerprint, VerdictKind>;

/// Everything that a search and its verdicts depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// Everything that the verdict about a candidate depends on.
    pub(super) test: Fingerprint,
    /// The names and the content of the input.
    pub(super) input: Fingerprint,
}

/// The verdicts of earlier runs that are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resume {
    /// No verdicts of an earlier run.
    Never,
    /// The verdicts of a run with the same test and input.
    IfSame,
    /// The verdicts of the last run, even of another test or input.
    Always,
}

/// The verdicts of an earlier run.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Earlier {
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
pub(super) struct Opened {
    pub(super) journal: Journal,
    pub(super) earlier: Earlier,
    /// The verdicts of the last run, if they are not used.
    pub(super) unused: Option<Unused>,
    /// The warnings about journals of earlier runs, for the user.
    pub(super) warnings: Vec<String>,
    /// The time of the runs whose verdicts on the same input are used.
    pub(super) time: Duration,
}

/// Verdicts of an earlier run that stay in its journal until this run has its first success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unused {
    pub(super) verdicts: usize,
    /// Whether they are of the same test.
    pub(super) same_test: bool,
    /// Whether they are of the same input.
    pub(super) same_input: bool,
}

/// The journal of a run, which writes verdicts on its own thread.
pub(super) struct Journal {
    state: StateFolder,
    suffix: String,
    /// The journals of other runs, until this run has its first success.
    superseded: Vec<String>,
    verdicts: Sender<Verdict>,
    thread: JoinHandle<io::Result<()>>,
}

impl Key {
    pub(super) fn bytes(self) -> Vec<u8> {
        [self.test.0.to_le_bytes(), self.input.0.to_le_bytes()].concat()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (test, input) = bytes.split_first_chunk::<16>()?;
        Some(Key {
            test: Fingerprint(u128::from_le_bytes(*test)),
            input: Fingerprint(u128::from_le_bytes(input.try_into().ok()?)),
        })
    }

    /// Returns the end of the journal's name.
    fn suffix(self) -> String {
        format!("{:016x}.{JOURNAL}", fingerprint(&self.bytes()).0 as u64)
    }

    /// Returns the end of the name that the journal has while a run with the same key starts over.
    fn suffix_before(self) -> String {
        let bytes = [self.bytes(), b"before".to_vec()].concat();
        format!("{:016x}.{JOURNAL}", fingerprint(&bytes).0 as u64)
    }
}

/// The extension of journals.
const JOURNAL: &str = "journal";

/// Returns whether the end of a name belongs to a journal.
fn is_journal(suffix: &str) -> bool {
    suffix.split_once('.').is_some_and(|(key, rest)| {
        rest == JOURNAL && key.len() == 16 && key.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// A journal that was read.
struct Found {
    records: Records,
    key: Key,
    verdicts: Verdicts,
    /// The time of all runs that wrote to it.
    time: Duration,
}

impl Journal {
    /// Opens the journal of a run, which holds the lock of its result. The run has begun at
    /// `begun`.
    pub(super) fn open(
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
    pub(super) fn add(&self, print: Fingerprint, kind: VerdictKind) {
        // The thread ends early only if it panicked; `finish` reports that.
        let _ = self.verdicts.send((print, kind));
    }

    /// Removes the journals of other runs, since this run has a success.
    pub(super) fn supersede_others(&mut self) {
        for suffix in self.superseded.drain(..) {
            // One that remains does no harm, and the next run tries again.
            let _ = self.state.remove(&suffix);
        }
    }

    /// Waits until all verdicts are written. Removes the journal of a run that is `over`.
    pub(super) fn finish(self, over: bool) -> Result<(), Problem> {
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

/// Starts the thread that writes verdicts.
fn keep(
    records: Records,
    clock: Clock,
) -> io::Result<(Sender<Verdict>, JoinHandle<io::Result<()>>)> {
    let (verdicts, inbox) = channel();
    let keeper = Keeper {
        records,
        unwritten: vec![],
        clock,
    };
    let thread = std::thread::Builder::new()
        .name(JOURNAL.into())
        .spawn(move || keeper.keep(&inbox))?;
    Ok((verdicts, thread))
}

/// Returns the verdicts in the order of their candidates.
fn sorted(verdicts: &Verdicts) -> Vec<Verdict> {
    verdicts
        .iter()
        .map(|(&print, &kind)| (print, kind))
        .collect()
}

/// Reads a journal. One that cannot be read gets another name, so that nothing is lost.
fn read(state: &StateFolder, suffix: &str, warnings: &mut Vec<String>) -> Option<Found> {
    let path = state.path(suffix);
    let found = state.open(suffix).and_then(|file| match file {
        None => Ok(None),
        Some(file) => read_file(file).map(Some),
    });
    let why = match found {
        Ok(None) => return None,
        Ok(Some((Some(found), torn))) => {
            if torn {
                warnings.push(format!(
                    "the end of the journal `{}` is damaged; the {} verdicts before it hold",
                    path.display(),
                    found.verdicts.len()
                ));
            }
            return Some(found);
        }
        // Nothing can be lost with it.
        Ok(Some((None, false))) => {
            let _ = state.discard(suffix);
            return None;
        }
        Ok(Some((None, true))) => "it is damaged, or from another version of nubbin".to_owned(),
        Err(error) => error.to_string(),
    };
    let aside = state.set_aside(suffix, "damaged");
    let aside = match aside {
        Ok(aside) => format!("it is now `{}`", aside.display()),
        Err(error) => format!("and it cannot be renamed: {error}"),
    };
    warnings.push(format!(
        "the journal `{}` cannot be used: {why}; {aside}",
        path.display()
    ));
    None
}

/// Returns the content of a journal with whether its end is damaged, or, without content, whether
/// there is anything in the file.
fn read_file(file: File) -> io::Result<(Option<Found>, bool)> {
    let mut verdicts = Verdicts::new();
    let mut time = Duration::ZERO;
    let read = Records::read(file, FORMAT, |record| {
        if let Some((print, kind)) = from_record(record) {
            verdicts.insert(print, kind);
        } else if let Ok(millis) = record.try_into() {
            time = Duration::from_millis(u64::from_le_bytes(millis));
        }
    })?;
    Ok(match read {
        Read::Empty => (None, false),
        Read::Foreign => (None, true),
        Read::Whole {
            records,
            head,
            torn,
        } => match Key::from_bytes(&head) {
            None => (None, true),
            Some(key) => {
                let found = Found {
                    records,
                    key,
                    verdicts,
                    time,
                };
                (Some(found), torn)
            }
        },
    })
}

/// Returns the most recently written of the given journals.
fn last(state: &StateFolder, journals: &[String], warnings: &mut Vec<String>) -> Option<Found> {
    let age = |suffix: &&String| {
        let there = state.there(suffix);
        there.map_or(SystemTime::UNIX_EPOCH, |there| there.modified)
    };
    let mut journals: Vec<&String> = journals.iter().collect();
    journals.sort_by_key(age);
    journals
        .iter()
        .rev()
        .find_map(|suffix| read(state, suffix, warnings))
}

/// Begins a journal with verdicts that hold.
fn begin(state: &StateFolder, suffix: &str, key: Key, verdicts: &Verdicts) -> io::Result<Records> {
    let file = state.create(suffix)?;
    let mut records = Records::create(file, FORMAT, &key.bytes())?;
    add(&mut records, &sorted(verdicts))?;
    Ok(records)
}

fn add(records: &mut Records, verdicts: &[Verdict]) -> io::Result<()> {
    if verdicts.is_empty() {
        return Ok(());
    }
    let verdicts: Vec<[u8; 17]> = verdicts.iter().map(|&verdict| record(verdict)).collect();
    records.append(verdicts.iter().map(<[u8; 17]>::as_slice))?;
    records.sync()
}

/// The time of a run and of those that it resumes.
#[derive(Clone, Copy, Debug)]
struct Clock {
    before: Duration,
    begun: Instant,
}

impl Clock {
    /// Returns the record of the run's time so far, which other versions skip.
    fn record(self) -> [u8; 8] {
        let time = self.before + self.begun.elapsed();
        u64::try_from(time.as_millis())
            .unwrap_or(u64::MAX)
            .to_le_bytes()
    }
}

/// Writes verdicts as they arrive.
struct Keeper {
    records: Records,
    unwritten: Vec<Verdict>,
    clock: Clock,
}

impl Keeper {
    /// Writes verdicts until the run is over. If verdicts cannot be written, it keeps them and
    /// tries again.
    fn keep(mut self, inbox: &Receiver<Verdict>) -> io::Result<()> {
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

    fn write(&mut self) -> io::Result<()> {
        if self.unwritten.is_empty() {
            return Ok(());
        }
        self.records.append([&self.clock.record()[..]])?;
        add(&mut self.records, &self.unwritten)?;
        self.unwritten.clear();
        Ok(())
    }
}

fn record((print, kind): Verdict) -> [u8; 17] {
    let mut record = [0; 17];
    record[..16].copy_from_slice(&print.0.to_le_bytes());
    record[16] = code(kind);
    record
}

fn from_record(record: &[u8]) -> Option<Verdict> {
    let (print, code) = record.split_first_chunk::<16>()?;
    let kind = match code {
        [code] => kind(*code)?,
        _ => return None,
    };
    Some((Fingerprint(u128::from_le_bytes(*print)), kind))
}

fn code(kind: VerdictKind) -> u8 {
    match kind {
        VerdictKind::Fail => 0,
        VerdictKind::Pass => 1,
        VerdictKind::Unresolved => 2,
        VerdictKind::TimedOut => 3,
        VerdictKind::NotBuilt => 4,
    }
}

fn kind(code: u8) -> Option<VerdictKind> {
    [
        VerdictKind::Fail,
        VerdictKind::Pass,
        VerdictKind::Unresolved,
        VerdictKind::TimedOut,
        VerdictKind::NotBuilt,
    ]
    .get(usize::from(code))
    .copied()
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
    use super::*;

    const ALL: [Verdict; 5] = [
        (Fingerprint(1), VerdictKind::Fail),
        (Fingerprint(2), VerdictKind::Pass),
        (Fingerprint(4), VerdictKind::TimedOut),
        (Fingerprint(5), VerdictKind::NotBuilt),
        (Fingerprint(u128::MAX), VerdictKind::Unresolved),
    ];

    /// A folder with one result in it.
    struct Place {
        folder: tempfile::TempDir,
    }

    impl Place {
        fn new() -> Self {
            Place {
                folder: tempfile::tempdir().unwrap(),
            }
        }

        fn lock(&self) -> Lock {
            Lock::take(StateFolder::of(&self.folder.path().join("x"))).unwrap()
        }

        /// Opens a journal, reads it, and closes it.
        fn open(&self, key: Key, resume: Resume) -> (Earlier, Vec<String>) {
            let lock = self.lock();
            let opened = Journal::open(&lock, key, resume, Instant::now()).unwrap();
            opened.journal.finish(false).unwrap();
            (opened.earlier, opened.warnings)
        }

        fn leave(&self, key: Key) -> PathBuf {
            let lock = self.lock();
            let opened = Journal::open(&lock, key, Resume::Never, Instant::now()).unwrap();
            for (print, kind) in ALL {
                opened.journal.add(print, kind);
            }
            opened.journal.finish(false).unwrap();
            lock.state().path(&key.suffix())
        }

        fn journals(&self) -> usize {
            let lock = self.lock();
            let suffixes = lock.state().suffixes();
            suffixes.iter().filter(|suffix| is_journal(suffix)).count()
        }
    }

    fn key(test: u128, input: u128) -> Key {
        Key {
            test: Fingerprint(test),
            input: Fingerprint(input),
        }
    }

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
    fn a_verdict_that_could_not_be_written_is_written_when_it_can_be() {
        let place = Place::new();
        let lock = place.lock();
        let file = lock.state().create("test").unwrap();
        drop(Records::create(file, FORMAT, &key(1, 1).bytes()).unwrap());
        // A file that is open for reading only refuses to be written.
        let read_only = File::open(lock.state().path("test")).unwrap();
        let Read::Whole { records, .. } = Records::read(read_only, FORMAT, |_| {}).unwrap() else {
            panic!("not whole");
        };
        let mut keeper = Keeper {
            records,
            unwritten: ALL.to_vec(),
            clock: Clock {
                before: Duration::ZERO,
                begun: Instant::now(),
            },
        };
        assert!(keeper.write().is_err());
        assert_eq!(keeper.unwritten, ALL);
        let file = lock.state().open("test").unwrap().unwrap();
        let Read::Whole { records, .. } = Records::read(file, FORMAT, |_| {}).unwrap() else {
            panic!("not whole");
        };
        keeper.records = records;
        keeper.write().unwrap();
        let file = lock.state().open("test").unwrap().unwrap();
        let (found, torn) = read_file(file).unwrap();
        assert_eq!(
            (sorted(&found.unwrap().verdicts), torn),
            (ALL.to_vec(), false)
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
