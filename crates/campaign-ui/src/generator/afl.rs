//! `afl = "DIR"`: the output folder of AFL++, as a source and as a sink.
//!
//! AFL++ keeps a folder for each of its instances, with `queue`, `crashes`, and `hangs`, whose
//! files are named `id:NUMBER,…`, and with `fuzzer_stats`. An instance takes over new tests from
//! the queues of the others.

use super::filled::{GivenUp, Look};
use super::folder::KnownFiles;
use super::setting::broken;
use crate::anchor::{Anchor, Folder, Missing};
use crate::output::Access;
use nubbin_campaign::{FuzzError, Made, Source};
use nubbin_verdict::Cancel;
use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// The interval at which the folders are read again.
const POLL_INTERVAL: Duration = Duration::from_secs(10);
/// The folders with tests of an instance, what is found first.
const KINDS: [&str; 3] = ["crashes", "hangs", "queue"];
/// The folder of our own tests.
const OWN: &str = "nubbin";

/// The tests of all instances, in the order in which they were found.
pub(super) struct AflFiles {
    name: String,
    folder: PathBuf,
    known: Mutex<KnownFiles>,
    given_up: GivenUp,
}

impl AflFiles {
    /// Opens a folder, of which the campaign ran the given files.
    pub(super) fn new(name: &str, folder: PathBuf, ran: Vec<PathBuf>, given_up: &GivenUp) -> Self {
        AflFiles {
            name: name.to_owned(),
            folder,
            known: Mutex::new(KnownFiles::new(ran)),
            given_up: given_up.clone(),
        }
    }
}

impl Source for AflFiles {
    fn make(&self, position: u64, _stop: &Cancel) -> Result<Made, FuzzError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        // AFL++ may not have started yet, or may still be running.
        let mut look = Look::of(&self.name, &self.given_up);
        let made = known.make(position, &self.folder, || {
            look.complete(tests(&self.folder))
        });
        let made = made.map_err(|error| broken(&self.name, error))?;
        Ok(made.unwrap_or_else(|| look.nothing(POLL_INTERVAL)))
    }
}

/// Returns the folders of all instances: that itself, or those in it. Our own is left out.
fn instances(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let is_instance = |path: &Path| path.join("queue").is_dir() || path.join("crashes").is_dir();
    if is_instance(folder) {
        return Ok(vec![folder.to_owned()]);
    }
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(vec![]),
        Err(error) => return Err(error),
    };
    let mut found = vec![];
    for entry in entries {
        let path = entry?.path();
        if is_instance(&path) && path.file_name().is_some_and(|name| name != OWN) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Returns the tests of all instances in any order, with the times of their last changes.
fn tests(folder: &Path) -> io::Result<Vec<(SystemTime, PathBuf)>> {
    let mut found: Vec<(SystemTime, PathBuf)> = vec![];
    for instance in instances(folder)? {
        for kind in KINDS {
            let entries = match std::fs::read_dir(instance.join(kind)) {
                Ok(entries) => entries,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            for entry in entries {
                let entry = entry?;
                let name = entry.file_name();
                let is_test = name.as_encoded_bytes().starts_with(b"id:")
                    // AFL++ writes `id_` on file systems that do not allow colons.
                    || name.as_encoded_bytes().starts_with(b"id_");
                if is_test && entry.file_type()?.is_file() {
                    found.push((entry.metadata()?.modified()?, entry.path()));
                }
            }
        }
    }
    Ok(found)
}

/// The statistics that an instance of AFL++ writes.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct AflStats {
    /// The name of the instance.
    pub instance: String,
    /// The number of its runs.
    pub execs: u64,
    /// The number of its tests.
    pub corpus: u64,
    /// The number of crashes that the instance kept.
    pub crashes: u64,
    /// The number of hangs that the instance kept.
    pub hangs: u64,
    /// The number of edges that the tests of the instance took, as AFL++ writes it.
    pub edges: Option<u64>,
}

/// Reads `fuzzer_stats` of all instances.
pub(crate) fn afl_stats(folder: &Path) -> Vec<AflStats> {
    let instances = instances(folder).unwrap_or_default();
    let one = |path: PathBuf| {
        let text = std::fs::read_to_string(path.join("fuzzer_stats")).ok()?;
        let number = |names: &[&str]| {
            let mut lines = text.lines().filter_map(|line| line.split_once(':'));
            let found = lines.find(|(name, _)| names.contains(&name.trim()))?;
            found.1.trim().parse().ok()
        };
        Some(AflStats {
            instance: path.file_name()?.to_string_lossy().into_owned(),
            execs: number(&["execs_done"])?,
            corpus: number(&["corpus_count", "paths_total"]).unwrap_or(0),
            crashes: number(&["saved_crashes", "unique_crashes"]).unwrap_or(0),
            hangs: number(&["saved_hangs", "unique_hangs"]).unwrap_or(0),
            edges: number(&["edges_found"]),
        })
    };
    instances.into_iter().filter_map(one).collect()
}

/// The tests of a campaign as the queue of one more instance, which the instances of AFL++ take
/// over.
#[derive(Debug)]
pub(crate) struct AflSync {
    /// The folder that the instances share.
    shared: Anchor,
    next: u64,
}

impl AflSync {
    /// Opens the queue in the folder that the instances share.
    pub(crate) fn new(folder: &Path) -> io::Result<Self> {
        let shared = Anchor::at(folder);
        let mut sync = AflSync { shared, next: 0 };
        sync.next = sync.queue()?.entries()?.len() as u64;
        Ok(sync)
    }

    fn queue(&self) -> io::Result<Folder> {
        let path = Path::new(OWN).join("queue");
        self.shared.within(&path, Missing::Make(None))
    }

    /// Adds a test.
    pub(crate) fn put(&mut self, text: &[u8], name: &str) -> io::Result<()> {
        let queue = self.queue()?;
        let name = format!("id:{:06},src:{name}", self.next);
        // Another instance must not read a file that is half written.
        let hidden = OsStr::new(".new");
        queue.create(hidden, Access::ALL.mode())?.write_all(text)?;
        queue.rename(hidden, &queue, OsStr::new(&name))?;
        self.next += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_of_all_instances_are_found_and_new_ones_come_last() {
        let folder = tempfile::tempdir().unwrap();
        let put = |place: &str| {
            let path = folder.path().join(place);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, place).unwrap();
            // The file looks old, so its writing counts as finished.
            let file = std::fs::File::options().write(true).open(path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        };
        put("main/queue/id:000000,orig:a");
        put("main/crashes/README.txt");
        put("second/crashes/id:000000,sig:11");
        put("nubbin/queue/id:000000,src:1");
        let files = AflFiles::new("afl", folder.path().to_owned(), vec![], &GivenUp::default());
        let text = |position| match files.make(position, &Cancel::new()).unwrap() {
            Made::Test(test) => String::from_utf8(test.text).unwrap(),
            other => format!("{other:?}"),
        };
        let both = [text(0), text(1)];
        assert!(both.contains(&"main/queue/id:000000,orig:a".to_owned()));
        assert!(both.contains(&"second/crashes/id:000000,sig:11".to_owned()));
        assert_eq!(text(2), "Wait(10s)");
        put("main/hangs/id:000000,src:000000");
        assert_eq!(text(2), "main/hangs/id:000000,src:000000");
    }

    #[test]
    fn the_statistics_of_instances_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let main = folder.path().join("default");
        std::fs::create_dir_all(main.join("queue")).unwrap();
        let text = "start_time        : 1\nexecs_done        : 5120\ncorpus_count      : 12\n\
                    saved_crashes     : 3\nsaved_hangs       : 1\nedges_found       : 41\n";
        std::fs::write(main.join("fuzzer_stats"), text).unwrap();
        let stats = afl_stats(folder.path());
        assert_eq!(stats.len(), 1);
        let first = &stats[0];
        assert_eq!(
            (first.execs, first.corpus, first.crashes, first.hangs),
            (5120, 12, 3, 1)
        );
        assert_eq!(first.edges, Some(41));
    }

    #[test]
    fn our_tests_are_a_queue() {
        let folder = tempfile::tempdir().unwrap();
        let mut sync = AflSync::new(folder.path()).unwrap();
        sync.put(b"((", "issue-1").unwrap();
        let mut again = AflSync::new(folder.path()).unwrap();
        again.put(b"))", "issue-2").unwrap();
        let read = |name: &str| std::fs::read(folder.path().join("nubbin/queue").join(name));
        assert_eq!(read("id:000000,src:issue-1").unwrap(), b"((");
        assert_eq!(read("id:000001,src:issue-2").unwrap(), b"))");
    }
}
