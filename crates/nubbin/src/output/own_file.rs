//! A file that nubbin writes beside a result.

use super::write::replace;
use crate::problem::Problem;
use crate::state::{Receipt, StateFolder, print_of};
use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};

/// A file with a receipt of its own, so that it replaces nothing of the user's.
#[derive(Debug)]
pub(crate) struct OwnFile {
    path: PathBuf,
    /// The permissions of the input.
    mode: Option<u32>,
    receipt: RefCell<Receipt>,
}

impl OwnFile {
    /// Refuses a file that nubbin has not written, or that has changed since, unless `force` allows
    /// to replace it.
    pub(crate) fn claim(path: &Path, mode: Option<u32>, force: bool) -> Result<Self, Problem> {
        let receipt = Receipt::read(StateFolder::of(path));
        receipt.claim(path, force)?;
        Ok(OwnFile {
            path: path.to_path_buf(),
            mode,
            receipt: RefCell::new(receipt),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut receipt = self.receipt.borrow_mut();
        let entry = (PathBuf::new(), print_of(bytes));
        receipt.add([entry.clone()]);
        replace(&self.path, bytes, self.mode)?;
        receipt.conclude([entry]);
        Ok(())
    }
}
