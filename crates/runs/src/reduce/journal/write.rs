//! The writing of verdicts, on a thread of its own.

use super::key::{JOURNAL, Key};
use super::record::{FORMAT, Verdict, Verdicts, record, sorted};
use crate::state::{Records, StateFolder};
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The time for which verdicts are gathered before they are written. Writing waits for the disk,
/// and a killed run loses verdicts that were not written.
const GATHER: Duration = Duration::from_millis(50);

/// The time after which verdicts that could not be written are tried again: a disk that was full
/// may have room again.
const PAUSE: Duration = Duration::from_secs(1);

/// Starts the thread that writes verdicts.
pub(super) fn keep(
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

/// Begins a journal with verdicts that hold.
pub(super) fn begin(
    state: &StateFolder,
    suffix: &str,
    key: Key,
    verdicts: &Verdicts,
) -> io::Result<Records> {
    let file = state.create(suffix)?;
    let mut records = Records::create(file, FORMAT, &key.bytes())?;
    add(&mut records, &sorted(verdicts))?;
    Ok(records)
}

pub(super) fn add(records: &mut Records, verdicts: &[Verdict]) -> io::Result<()> {
    if verdicts.is_empty() {
        return Ok(());
    }
    let verdicts: Vec<[u8; 17]> = verdicts.iter().map(|&verdict| record(verdict)).collect();
    records.append(verdicts.iter().map(<[u8; 17]>::as_slice))?;
    records.sync()
}

/// The time of a run and of those that it resumes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    pub(super) before: Duration,
    pub(super) begun: Instant,
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

#[cfg(test)]
mod tests {
    use super::super::read::read_file;
    use super::super::testing::{ALL, Place, key};
    use super::*;
    use crate::state::Read;
    use std::fs::File;

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
}
