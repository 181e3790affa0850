//! A file that nubbin writes without replacing a file of the user.

use super::access::{Access, Rights};
use crate::anchor::Anchor;
use crate::problem::Problem;
use crate::state::{Receipt, RunningPrint, StateFolder, print_of};
use nubbin_reduce::edit::Fingerprint;
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};

/// The name of the beginning of a log in its receipt. The whole file has the empty name.
const BEGINNING: &str = "/beginning";

/// The maximum number of bytes in the beginning of a log: its first line, or less.
const LONGEST_BEGINNING: usize = 4096;

/// A file with its own receipt, so that it does not replace a file of the user.
#[derive(Debug)]
pub struct OwnFile {
    path: PathBuf,
    /// The folder of the file, as it was when the file was claimed.
    anchor: Anchor,
    rights: Rights,
    receipt: RefCell<Receipt>,
}

impl OwnFile {
    /// Claims a file. It is an error if nubbin did not write the existing file, or if the file
    /// was modified afterwards, unless `force` permits replacing it.
    pub fn claim(path: &Path, rights: impl Into<Rights>, force: bool) -> Result<Self, Problem> {
        let receipt = Receipt::read(StateFolder::of(path));
        receipt.claim(path, force)?;
        Ok(OwnFile::of(path, rights.into(), receipt))
    }

    /// Claims a log like [`OwnFile::claim`], and accepts the log of a killed run, which has grown
    /// since its beginning was recorded.
    pub(super) fn claim_log(path: &Path, access: Access, force: bool) -> Result<Self, Problem> {
        let receipt = Receipt::read(StateFolder::of(path));
        let begins = beginning_of(path).ok();
        let is_begun = begins.is_some_and(|print| receipt.lists(Path::new(BEGINNING), print));
        receipt.claim(path, force || is_begun && !path.is_symlink())?;
        Ok(OwnFile::of(path, access.into(), receipt))
    }

    fn of(path: &Path, rights: Rights, receipt: Receipt) -> Self {
        let anchor = Anchor::of(path);
        anchor.open();
        OwnFile {
            path: path.to_path_buf(),
            anchor,
            rights,
            receipt: RefCell::new(receipt),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut receipt = self.receipt.borrow_mut();
        let entry = (PathBuf::new(), print_of(bytes));
        receipt.add([entry.clone()]);
        self.anchor.replace(&self.path, bytes, self.rights)?;
        receipt.conclude([entry]);
        Ok(())
    }

    /// Empties the file, to be written bit by bit.
    pub(super) fn begin(self, access: Access) -> io::Result<OwnLog> {
        Ok(OwnLog {
            file: BufWriter::new(access.narrowed(self.anchor.create(&self.path, access.mode())?)?),
            receipt: self.receipt.into_inner(),
            print: RunningPrint::default(),
            beginning: Some(vec![]),
        })
    }
}

/// A file with its own receipt that other programs read while it is written.
#[derive(Debug)]
pub(super) struct OwnLog {
    file: BufWriter<File>,
    receipt: Receipt,
    print: RunningPrint,
    /// The beginning, until it is noted.
    beginning: Option<Vec<u8>>,
}

impl OwnLog {
    /// Writes the remaining content, and replaces the receipt with a receipt of the whole file.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.receipt
            .conclude([(PathBuf::new(), self.print.finish())]);
        Ok(())
    }

    /// Notes the beginning before it is on the disk, so that a killed run leaves no log without a
    /// receipt.
    fn note(&mut self, bytes: &[u8]) {
        let Some(begun) = &mut self.beginning else {
            return;
        };
        begun.extend(bytes);
        if let Some(print) = beginning(begun) {
            self.receipt.add([(PathBuf::from(BEGINNING), print)]);
            self.beginning = None;
        }
    }
}

impl Write for OwnLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.note(bytes);
        let written = self.file.write(bytes)?;
        self.print.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Returns the fingerprint of the first line, or of its start, or `None` if there are too few
/// bytes.
fn beginning(bytes: &[u8]) -> Option<Fingerprint> {
    let some = &bytes[..bytes.len().min(LONGEST_BEGINNING)];
    match some.iter().position(|byte| *byte == b'\n') {
        Some(end) => Some(print_of(&some[..=end])),
        None => (some.len() == LONGEST_BEGINNING).then(|| print_of(some)),
    }
}

fn beginning_of(path: &Path) -> io::Result<Fingerprint> {
    let mut bytes = vec![];
    File::open(path)?
        .take(LONGEST_BEGINNING as u64)
        .read_to_end(&mut bytes)?;
    beginning(&bytes).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_of_a_killed_run_is_taken_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let take = || OwnFile::claim_log(&path, Access::OWNER, false);
        let mut log = take().unwrap().begin(Access::OWNER).unwrap();
        writeln!(log, "begin").unwrap();
        writeln!(log, "more").unwrap();
        // A killed run leaves its log like this.
        drop(log);
        assert!(OwnFile::claim(&path, Access::OWNER, false).is_err());
        let mut log = take().unwrap().begin(Access::OWNER).unwrap();
        writeln!(log, "{}", "x".repeat(2 * LONGEST_BEGINNING)).unwrap();
        log.flush().unwrap();
        take().unwrap();
        log.finish().unwrap();
        assert!(OwnFile::claim(&path, Access::OWNER, false).is_ok());
        // After the end of a run, a log is identified by its whole content, and not by its start.
        std::fs::write(&path, "begin\nmine").unwrap();
        assert!(take().is_err());
    }
}
