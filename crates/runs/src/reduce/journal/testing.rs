//! Journals of tests.

use super::key::{Key, is_journal};
use super::open::{Earlier, Journal, Resume};
use super::record::Verdict;
use crate::state::{Lock, StateFolder};
use nubbin_reduce::edit::Fingerprint;
use nubbin_verdict::VerdictKind;
use std::path::PathBuf;
use std::time::Instant;

pub(super) const ALL: [Verdict; 5] = [
    (Fingerprint(1), VerdictKind::Fail),
    (Fingerprint(2), VerdictKind::Pass),
    (Fingerprint(4), VerdictKind::TimedOut),
    (Fingerprint(5), VerdictKind::NotBuilt),
    (Fingerprint(u128::MAX), VerdictKind::Unresolved),
];

/// A folder with one result in it.
pub(super) struct Place {
    pub(super) folder: tempfile::TempDir,
}

impl Place {
    pub(super) fn new() -> Self {
        Place {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(super) fn lock(&self) -> Lock {
        Lock::take(StateFolder::of(&self.folder.path().join("x"))).unwrap()
    }

    /// Opens a journal, reads it, and closes it.
    pub(super) fn open(&self, key: Key, resume: Resume) -> (Earlier, Vec<String>) {
        let lock = self.lock();
        let opened = Journal::open(&lock, key, resume, Instant::now()).unwrap();
        opened.journal.finish(false).unwrap();
        (opened.earlier, opened.warnings)
    }

    pub(super) fn leave(&self, key: Key) -> PathBuf {
        let lock = self.lock();
        let opened = Journal::open(&lock, key, Resume::Never, Instant::now()).unwrap();
        for (print, kind) in ALL {
            opened.journal.add(print, kind);
        }
        opened.journal.finish(false).unwrap();
        lock.state().path(&key.suffix())
    }

    pub(super) fn journals(&self) -> usize {
        let lock = self.lock();
        let suffixes = lock.state().suffixes();
        suffixes.iter().filter(|suffix| is_journal(suffix)).count()
    }
}

pub(super) fn key(test: u128, input: u128) -> Key {
    Key {
        test: Fingerprint(test),
        input: Fingerprint(input),
    }
}
