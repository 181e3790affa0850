//! The results on disk that nubbin wrote, and their receipts.

use super::layout::{Place, Targets};
use crate::anchor::Anchor;
use crate::state::Receipt;
use nubbin_reduce::edit::Fingerprint;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};

/// or removed.
#[derive(Debug, Default)]
pub struct Written {
    pub(super) files: HashMap<PathBuf, Fingerprint>,
    /// The receipt of each place.
    pub(super) receipts: Vec<Receipt>,
    /// Files of an earlier run that are no part of the result.
    pub(super) stale: Vec<PathBuf>,
    /// The places of files under other names than those of the originals, each with its result.
    pub(super) renamed: Vec<(usize, PathBuf)>,
    /// The files in folders of results that are not nubbin's, each with its result.
    pub(super) others: Vec<(usize, PathBuf)>,
    /// Whether the files that are not reduced were copied.
    pub(super) copied: bool,
    /// Whether this run has written anything.
    changed: bool,
}

impl Written {
    /// Returns the files in folders of results that nubbin did not write: the number of the
    /// result, and the path in it.
    pub fn others(&self) -> &[(usize, PathBuf)] {
        &self.others
    }

    /// Notes files before they are written.
    pub(super) fn note(&mut self, targets: &Targets, files: &[(usize, &Path, Fingerprint)]) {
        let mut of_place: BTreeMap<usize, Vec<(PathBuf, Fingerprint)>> = BTreeMap::new();
        for &(place, path, print) in files {
            let name = targets.places[place].name_of(path);
            of_place.entry(place).or_default().push((name, print));
        }
        for (place, files) in of_place {
            if let Some(receipt) = self.receipts.get_mut(place) {
                receipt.add(files);
            }
        }
        self.changed |= !files.is_empty();
    }

    /// Returns whether a file on disk is unchanged since it was written.
    pub(super) fn is_own(&self, anchor: &Anchor, path: &Path) -> bool {
        let print = self.files.get(path);
        print.is_some_and(|print| anchor.print(path).is_ok_and(|there| there == *print))
    }

    /// Removes a file if it is unchanged since it was written. Returns whether the file no longer
    /// exists.
    pub(super) fn remove(&mut self, anchor: &Anchor, path: &Path) -> io::Result<bool> {
        match anchor.there(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            _ if !self.is_own(anchor, path) => return Ok(false),
            _ => anchor.remove_file(path)?,
        }
        self.files.remove(path);
        Ok(true)
    }
}

impl Targets {
    /// Reduces the receipts to the files that exist at the end of a run.
    pub fn conclude(&self, written: &mut Written) {
        if !written.changed {
            return;
        }
        let mut of_place: Vec<Vec<(PathBuf, Fingerprint)>> = vec![vec![]; self.places.len()];
        for (path, print) in &written.files {
            let of = |place: &Place| match place.folder {
                Some(_) => path.starts_with(&place.path),
                None => *path == place.path,
            };
            if let Some(number) = self.places.iter().position(of) {
                of_place[number].push((self.places[number].name_of(path), *print));
            }
        }
        for (receipt, files) in written.receipts.iter_mut().zip(of_place) {
            receipt.conclude(files);
        }
    }
}
