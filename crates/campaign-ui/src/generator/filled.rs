//! Folders that a fuzzer fills while the campaign runs.

use nubbin_campaign::Made;
use std::collections::HashSet;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// A file that has not changed for that long is taken to be complete.
const QUIET: Duration = Duration::from_secs(2);

/// The generators whose fuzzers have exited and are not started again, by their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenUp(Arc<Mutex<HashSet<String>>>);

impl GivenUp {
    /// Records that the fuzzer of a generator makes no more files.
    pub(crate) fn add(&self, generator: &str) {
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.insert(generator.to_owned());
    }

    fn has(&self, generator: &str) -> bool {
        let names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.contains(generator)
    }
}

/// A look at the files of a folder that a fuzzer fills.
#[derive(Debug)]
pub(super) struct Look {
    /// Whether the fuzzer was given up before the folder was read.
    is_over: bool,
    now: SystemTime,
    /// Whether there is a file that may still be written.
    has_unfinished: bool,
}

impl Look {
    /// Begins a look at the folder of a generator. The folder must be read after that.
    pub(super) fn of(generator: &str, given_up: &GivenUp) -> Self {
        Look {
            is_over: given_up.has(generator),
            now: SystemTime::now(),
            has_unfinished: false,
        }
    }

    /// Returns the files that are complete, oldest first, of all with the times of their last
    /// changes.
    pub(super) fn complete(
        &mut self,
        found: io::Result<Vec<(SystemTime, PathBuf)>>,
    ) -> io::Result<Vec<PathBuf>> {
        let mut found = match found {
            // The fuzzer has not created the folder yet, or has removed a file in the meantime.
            Err(error) if error.kind() == io::ErrorKind::NotFound => vec![],
            found => found?,
        };
        found.sort();
        let all = found.len();
        // A time in the future comes from the clock of another machine, and is ignored.
        let is_complete = |changed: &SystemTime| {
            let age = self.now.duration_since(*changed);
            self.is_over || age.is_ok_and(|age| age >= QUIET) || *changed > self.now + QUIET
        };
        found.retain(|(changed, _)| is_complete(changed));
        self.has_unfinished = found.len() < all;
        Ok(found.into_iter().map(|(_, path)| path).collect())
    }

    /// Returns the answer of a source that found no more files.
    pub(super) fn nothing(&self, poll: Duration) -> Made {
        match (self.is_over, self.has_unfinished) {
            (true, _) => Made::Exhausted,
            (false, true) => Made::Wait(QUIET),
            (false, false) => Made::Wait(poll),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_complete_when_it_does_not_change_any_more() {
        let given_up = GivenUp::default();
        let look = |given_up: &GivenUp, age: Duration| {
            let mut look = Look::of("g", given_up);
            let changed = look.now - age;
            let found = look.complete(Ok(vec![(changed, "new".into())])).unwrap();
            (found.len(), look.nothing(Duration::from_secs(9)))
        };
        let poll = Made::Wait(Duration::from_secs(9));
        let told = |(files, made): (usize, Made)| format!("{files} {made:?}");
        assert_eq!(told(look(&given_up, QUIET)), told((1, poll)));
        let fresh = look(&given_up, Duration::ZERO);
        assert_eq!(told(fresh), told((0, Made::Wait(QUIET))));
        given_up.add("g");
        let last = look(&given_up, Duration::ZERO);
        assert_eq!(told(last), told((1, Made::Exhausted)));
    }
}
