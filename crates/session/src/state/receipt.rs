//! The receipt of a result: the names and fingerprints of the files that nubbin wrote.
//!
//! A file that is in no receipt, or has another content, belongs to the user. Such a file is
//! neither replaced nor removed.

use super::folder::StateFolder;
use super::records::{Format, Read, Records};
use crate::exit::Exit;
use crate::problem::Problem;
use nubbin_reduce::edit::{Fingerprint, fingerprint};
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

const FORMAT: Format = Format("result 1");
const SUFFIX: &str = "written";

/// The name of the new receipt until it replaces the old one.
const NEW: &str = "written.new";

/// The number of bytes of a file that are read and hashed at a time.
const CHUNK: usize = 1 << 20;

/// The receipt of one result.
#[derive(Debug)]
pub struct Receipt {
    state: StateFolder,
    /// All contents that were written under each name. The name within a folder is relative to it;
    /// the name of a file is empty.
    known: HashMap<PathBuf, HashSet<Fingerprint>>,
    /// The entries that are not on disk yet.
    unwritten: Vec<(PathBuf, Fingerprint)>,
    records: Option<Records>,
}

impl Receipt {
    /// Reads the receipt of a result. A receipt that cannot be read counts as empty.
    pub fn read(state: StateFolder) -> Self {
        let mut known: HashMap<PathBuf, HashSet<Fingerprint>> = HashMap::new();
        let read = state.open(SUFFIX).and_then(|file| {
            file.map(|file| {
                Records::read(file, FORMAT, |record| {
                    if let Some((name, print)) = from_record(record) {
                        known.entry(name).or_default().insert(print);
                    }
                })
            })
            .transpose()
        });
        let records = match read {
            Ok(Some(Read::Whole { records, .. })) => Some(records),
            Ok(Some(Read::Empty) | None) => None,
            Ok(Some(Read::Foreign)) | Err(_) => {
                // The file belongs to the user, or is damaged.
                let _ = state.set_aside(SUFFIX, "damaged");
                None
            }
        };
        Receipt {
            state,
            known,
            unwritten: vec![],
            records,
        }
    }

    /// Returns whether nubbin wrote the given content under the given name.
    pub fn lists(&self, name: &Path, print: Fingerprint) -> bool {
        let known = self.known.get(name);
        known.is_some_and(|prints| prints.contains(&print))
    }

    /// Returns the content of the file at the path of the result if nubbin wrote it, or `None` if
    /// there is no file. It is an error if nubbin did not write the file, or if the file was
    /// modified afterwards, unless `force` permits replacing it.
    pub fn claim(&self, path: &Path, force: bool) -> Result<Option<Fingerprint>, Problem> {
        match std::fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            // One possible cause is a name that is too long.
            Err(error) => {
                let what = format!("cannot write `{}`", path.display());
                return Err(Problem::new(Exit::Output, what)
                    .because(&error)
                    .hint("give another path with `-o PATH`"));
            }
            // An empty file has no content to lose.
            Ok(there) if there.len() == 0 && there.is_file() => return Ok(None),
            Ok(_) => {}
        }
        let print = print_of_file(path).ok();
        match print.filter(|print| self.lists(Path::new(""), *print)) {
            Some(print) => Ok(Some(print)),
            None if force => Ok(None),
            None => Err(foreign(path)),
        }
    }

    /// Returns whether nubbin wrote no file of this result.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Adds files before they are written, so that a run that is killed leaves no file without a
    /// receipt. Entries that cannot be written now are written with later ones.
    pub fn add(&mut self, files: impl IntoIterator<Item = (PathBuf, Fingerprint)>) {
        for (name, print) in files {
            if self.known.entry(name.clone()).or_default().insert(print) {
                self.unwritten.push((name, print));
            }
        }
        // The result is more important than its receipt.
        let _ = self.write();
    }

    fn write(&mut self) -> io::Result<()> {
        let is_there = self.state.there(SUFFIX).is_ok();
        if let Some(records) = self.records.as_mut().filter(|_| is_there) {
            if !self.unwritten.is_empty() {
                let bytes: Vec<Vec<u8>> = self.unwritten.iter().map(record).collect();
                records.append(bytes.iter().map(Vec::as_slice))?;
                self.unwritten.clear();
            }
            return Ok(());
        }
        // A test may have removed the receipt with the folder of the result.
        self.replace()
    }

    /// Writes all entries to a new file, and replaces the old file with it.
    fn replace(&mut self) -> io::Result<()> {
        self.state
            .make()
            .map_err(|_| io::ErrorKind::NotADirectory)?;
        let new = self.state.open_or_create(NEW)?;
        let mut records = Records::create(new, FORMAT, b"result")?;
        let entries = self.known.iter();
        let entries = entries.flat_map(|(name, prints)| {
            let each = prints.iter();
            each.map(|print| record(&(name.clone(), *print)))
        });
        let entries: Vec<Vec<u8>> = entries.collect();
        records.append(entries.iter().map(Vec::as_slice))?;
        self.state.rename(NEW, SUFFIX)?;
        self.records = Some(records);
        self.unwritten.clear();
        Ok(())
    }

    /// Reduces the receipt to the files that exist at the end of a run.
    pub fn conclude(&mut self, files: impl IntoIterator<Item = (PathBuf, Fingerprint)>) {
        self.known.clear();
        for (name, print) in files {
            self.known.entry(name).or_default().insert(print);
        }
        // If the receipt cannot be written, the file on disk has more entries than needed.
        if self.known.is_empty() {
            self.records = None;
            let _ = self.state.remove(SUFFIX);
        } else {
            let _ = self.replace();
        }
        let _ = self.state.remove(NEW);
    }
}

/// Describes a file that nubbin must not replace.
pub fn foreign(path: &Path) -> Problem {
    let what = format!(
        "`{}` was not written by nubbin, or was modified afterwards",
        path.display()
    );
    Problem::new(Exit::Output, what)
        .hint("give another path, move the file away, or replace it with `--force`")
}

fn record((name, print): &(PathBuf, Fingerprint)) -> Vec<u8> {
    let mut record = print.0.to_le_bytes().to_vec();
    record.extend(name.as_os_str().as_encoded_bytes());
    record
}

fn from_record(record: &[u8]) -> Option<(PathBuf, Fingerprint)> {
    let (print, name) = record.split_first_chunk::<16>()?;
    let print = Fingerprint(u128::from_le_bytes(*print));
    Some((PathBuf::from(from_bytes(name)?), print))
}

#[cfg(unix)]
fn from_bytes(name: &[u8]) -> Option<&OsStr> {
    use std::os::unix::ffi::OsStrExt;
    Some(OsStr::from_bytes(name))
}

#[cfg(not(unix))]
fn from_bytes(name: &[u8]) -> Option<&OsStr> {
    // A name that is not valid Unicode is not recognized later.
    std::str::from_utf8(name).ok().map(OsStr::new)
}

/// Returns the fingerprint of a content, for receipts.
pub fn print_of(bytes: &[u8]) -> Fingerprint {
    let chunks = bytes.chunks(CHUNK);
    chunks.fold(fingerprint(b""), chained)
}

/// A fingerprint that is computed incrementally from parts of a content.
#[derive(Debug)]
pub struct RunningPrint {
    print: Fingerprint,
    /// The last bytes, fewer than a chunk.
    rest: Vec<u8>,
}

impl Default for RunningPrint {
    fn default() -> Self {
        RunningPrint {
            print: fingerprint(b""),
            rest: vec![],
        }
    }
}

impl RunningPrint {
    pub fn add(&mut self, bytes: &[u8]) {
        self.rest.extend(bytes);
        let whole = self.rest.len() / CHUNK * CHUNK;
        for chunk in self.rest[..whole].chunks(CHUNK) {
            self.print = chained(self.print, chunk);
        }
        self.rest.drain(..whole);
    }

    /// Returns the fingerprint of the whole content.
    pub fn finish(self) -> Fingerprint {
        match self.rest.is_empty() {
            true => self.print,
            false => chained(self.print, &self.rest),
        }
    }
}

/// Returns the fingerprint of a file, or of the target of a link.
pub fn print_of_file(path: &Path) -> io::Result<Fingerprint> {
    if path.is_symlink() {
        return Ok(print_of_link(std::fs::read_link(path)?.as_os_str()));
    }
    print_of_open(File::open(path)?)
}

/// Returns the fingerprint of a link with the given target.
pub fn print_of_link(target: &OsStr) -> Fingerprint {
    let text = [b"link ", target.as_encoded_bytes()].concat();
    chained(fingerprint(b"link"), &text)
}

/// Returns the fingerprint of an open file.
pub fn print_of_open(mut file: File) -> io::Result<Fingerprint> {
    let mut print = fingerprint(b"");
    let mut chunk = Vec::with_capacity(CHUNK);
    loop {
        chunk.clear();
        let read = (&mut file).take(CHUNK as u64).read_to_end(&mut chunk)?;
        if read == 0 {
            return Ok(print);
        }
        print = chained(print, &chunk);
    }
}

fn chained(before: Fingerprint, chunk: &[u8]) -> Fingerprint {
    let mut all = before.0.to_le_bytes().to_vec();
    all.extend(fingerprint(chunk).0.to_le_bytes());
    fingerprint(&all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(folder: &Path) -> Receipt {
        Receipt::read(StateFolder::of(&folder.join("x")))
    }

    #[test]
    fn a_receipt_lists_all_written_files_and_in_the_end_existing_ones() {
        let folder = tempfile::tempdir().unwrap();
        let (name, print) = (Path::new("d/a"), print_of(b"one"));
        let mut receipt = read(folder.path());
        assert!(receipt.is_empty() && !receipt.lists(name, print));
        receipt.add([(name.to_owned(), print)]);
        receipt.add([(name.to_owned(), print_of(b"two")), (PathBuf::new(), print)]);
        let mut later = read(folder.path());
        assert!(later.lists(name, print) && later.lists(name, print_of(b"two")));
        assert!(later.lists(Path::new(""), print) && !later.lists(Path::new("d"), print));
        later.conclude([(name.to_owned(), print)]);
        let last = read(folder.path());
        assert!(last.lists(name, print) && !last.lists(name, print_of(b"two")));
        later.conclude([]);
        assert_eq!(later.state.suffixes().len(), 0);
    }

    #[test]
    fn a_receipt_that_was_removed_is_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        let mut receipt = read(folder.path());
        receipt.add([(PathBuf::from("a"), print_of(b"one"))]);
        std::fs::remove_dir_all(folder.path().join(".nubbin")).unwrap();
        receipt.add([(PathBuf::from("b"), print_of(b"two"))]);
        let later = read(folder.path());
        assert!(later.lists(Path::new("a"), print_of(b"one")));
        assert!(later.lists(Path::new("b"), print_of(b"two")));
    }

    #[test]
    fn a_damaged_receipt_lists_nothing_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let state = StateFolder::of(&folder.path().join("x"));
        state.make().unwrap();
        std::fs::write(state.path(SUFFIX), "mine").unwrap();
        read(folder.path()).add([(PathBuf::from("a"), print_of(b"one"))]);
        let aside = std::fs::read(state.path("damaged-1")).unwrap();
        assert_eq!(aside, b"mine");
        assert!(read(folder.path()).lists(Path::new("a"), print_of(b"one")));
    }

    #[test]
    fn a_file_has_the_fingerprint_of_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK] {
            let bytes = vec![7; length];
            std::fs::write(&path, &bytes).unwrap();
            assert_eq!(print_of_file(&path).unwrap(), print_of(&bytes), "{length}");
            let mut running = RunningPrint::default();
            bytes.chunks(1000).for_each(|some| running.add(some));
            assert_eq!(running.finish(), print_of(&bytes), "{length}");
        }
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert_ne!(print_of_file(&link).unwrap(), print_of_file(&path).unwrap());
    }
}
