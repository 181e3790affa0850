//! The writing of results: each file in one step, with removals last.

use super::layout::{Place, Target, Targets};
use super::written::Written;
use crate::anchor::There;
use crate::output::access::Rights;
use crate::state::{print_of, print_of_file};
use nubbin_reduce::edit::Fingerprint;
use nubbin_reduce::input::{File, Input};
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

impl Targets {
    /// Writes each file in one step, so that a reader sees the old or the new one. Leaves files
    /// that are up to date.
    ///
    /// Growing files are written first, and files are removed last, so that a run that is killed in
    /// between never leaves less than the result.
    pub fn write(&self, input: &Input, written: &mut Written) -> Result<(), (PathBuf, io::Error)> {
        if !written.copied {
            self.copy_along(written)?;
            written.copied = true;
        }
        let mut stale: Vec<(i64, PathBuf, &Target, Fingerprint, File<'_>)> = Vec::new();
        let mut present: HashSet<PathBuf> = HashSet::new();
        let mut renamed = vec![];
        for (number, target) in self.files.iter().enumerate() {
            let Some(file) = input.file(number) else {
                continue;
            };
            let path = self.path_in(target, number, input);
            let print = print_of(file.text);
            let there = self.places[target.place].anchor.there(&path);
            if path != target.path {
                if there.is_ok() && !written.files.contains_key(&path) {
                    let why = "a file that nubbin did not write is in its place";
                    return Err((path, io::Error::new(io::ErrorKind::AlreadyExists, why)));
                }
                renamed.push((target.place, path.clone()));
            }
            present.insert(path.clone());
            let there = there.ok().filter(There::is_file);
            let len = there.as_ref().map(|there| there.len);
            let known = written.files.get(&path) == Some(&print)
                && there.is_some_and(|there| has_mode(there, target.mode));
            if !known || len != Some(file.text.len() as u64) {
                let growth = file.text.len() as i64 - len.unwrap_or(0) as i64;
                stale.push((-growth, path, target, print, file));
            }
        }
        stale.sort_by_key(|(less, ..)| *less);
        let news: Vec<(usize, &Path, Fingerprint)> = stale
            .iter()
            .map(|(_, path, target, print, _)| (target.place, path.as_path(), *print))
            .collect();
        written.note(self, &news);
        for (_, path, target, print, file) in stale {
            let anchor = &self.places[target.place].anchor;
            let rights = Rights::OfInput(target.mode);
            let replaced = anchor.replace(&path, file.text, rights);
            replaced.map_err(|error| (path.clone(), error))?;
            written.files.insert(path, print);
        }
        let before = std::mem::replace(&mut written.renamed, renamed);
        let before = before.iter().map(|(place, path)| (*place, path));
        let targets = self.files.iter().map(|file| (file.place, &file.path));
        for (place, path) in targets.chain(before) {
            if !present.contains(path) && written.files.contains_key(path) {
                self.remove(path, place, written)
                    .map_err(|error| (path.clone(), error))?;
            }
        }
        for path in std::mem::take(&mut written.stale) {
            let of_place = |place: &Place| path.starts_with(&place.path);
            let place = self.places.iter().position(of_place);
            if let Some(place) = place.filter(|_| !present.contains(&path)) {
                // One that remains does not belong to the result.
                let _ = self.remove(&path, place, written);
            }
        }
        Ok(())
    }

    /// Removes a file that nubbin wrote and that is unchanged, and the folders that become
    /// empty.
    fn remove(&self, path: &Path, place: usize, written: &mut Written) -> io::Result<()> {
        let place = &self.places[place];
        if !written.remove(&place.anchor, path)? {
            // It is the user's from now on.
            written.files.remove(path);
            return Ok(());
        }
        if let Some(folder) = &place.folder {
            for dir in path.ancestors().skip(1) {
                let stays = dir == place.path || folder.folders.iter().any(|kept| kept == dir);
                // Removing a folder with contents fails.
                if stays || place.anchor.remove_dir(dir).is_err() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Copies the files that are not reduced.
    fn copy_along(&self, written: &mut Written) -> Result<(), (PathBuf, io::Error)> {
        for (number, place) in self.places.iter().enumerate() {
            let Some(folder) = &place.folder else {
                continue;
            };
            for path in std::iter::once(&place.path).chain(&folder.folders) {
                let made = place.anchor.make_dirs(path, folder.mode);
                made.map_err(|error| (path.clone(), error))?;
            }
            for (from, to) in &folder.copies {
                let wrong = |error| (to.clone(), error);
                let print = print_of_file(from).map_err(wrong)?;
                if written.files.get(to) == Some(&print) && written.is_own(&place.anchor, to) {
                    continue;
                }
                written.note(self, &[(number, to, print)]);
                (place.anchor.copy(from, to, folder.mode)).map_err(wrong)?;
                written.files.insert(to.clone(), print);
            }
        }
        Ok(())
    }
}

/// Returns whether a file has the permissions of its input.
fn has_mode(there: There, mode: Option<u32>) -> bool {
    cfg!(not(unix)) || mode.is_none_or(|mode| there.mode == mode)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::targets::testing::{file, folder_of_files};
    use nubbin_reduce::edit::Edit;
    use std::collections::BTreeMap;

    #[test]
    fn only_files_of_this_run_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let input = Input::files([("a", b"one".to_vec()), ("b", b"two".to_vec())]).unwrap();
        let less = input.apply(&Edit::delete(input.file(1).unwrap().extent));
        std::fs::write(folder.path().join("b"), "not of this run").unwrap();
        let targets = Targets::new(&[file("a"), file("b")], Some(folder.path())).unwrap();
        let mut written = Written::default();
        targets.write(&less, &mut written).unwrap();
        assert!(folder.path().join("b").exists());
        targets.write(&input, &mut written).unwrap();
        targets.write(&less, &mut written).unwrap();
        assert!(!folder.path().join("b").exists());
    }

    /// Returns all files below a folder with their content, and its empty folders.
    fn on_disk(root: &Path) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        let mut stack = vec![root.to_path_buf()];
        while let Some(dir) = stack.pop() {
            let entries: Vec<_> = std::fs::read_dir(&dir).unwrap().flatten().collect();
            let name = |path: &Path| path.strip_prefix(root).unwrap().display().to_string();
            if entries.is_empty() {
                found.insert(name(&dir), "/".into());
            }
            for entry in entries {
                match entry.path() {
                    path if path.is_dir() => stack.push(path),
                    path => {
                        found.insert(name(&path), std::fs::read_to_string(&path).unwrap());
                    }
                }
            }
        }
        found
    }

    #[test]
    fn a_folder_holds_the_result_and_files_of_others() {
        let folder = tempfile::tempdir().unwrap();
        let (source, input) = folder_of_files(&folder.path().join("p"), &["a", "d/e/b", "d/c"]);
        let out = folder.path().join("out");
        let targets = Targets::new(&[source], Some(&out)).unwrap();
        let mut written = Written::default();
        targets.write(&input, &mut written).unwrap();
        std::fs::write(out.join("d/mine"), "mine").unwrap();
        let gone = [0, 1, 2].map(|number| input.file(number).unwrap().extent);
        let less = input.apply(&Edit::delete_all(gone[1..].iter().copied()));
        targets.write(&less, &mut written).unwrap();
        let expected = [("a", "a"), ("d/mine", "mine"), ("empty", "/")];
        let expected: BTreeMap<String, String> = expected
            .map(|(name, text)| (name.into(), text.into()))
            .into();
        assert_eq!(on_disk(&out), expected);
        // A file that a test has removed is written again. Other files are left alone.
        std::fs::remove_file(out.join("a")).unwrap();
        targets.write(&less, &mut written).unwrap();
        assert_eq!(on_disk(&out), expected);
        let none = input.apply(&Edit::delete_all(gone));
        targets.write(&none, &mut written).unwrap();
        assert!(out.join("d/mine").exists() && !out.join("a").exists());
    }

    #[test]
    fn files_of_an_earlier_run_that_are_no_part_of_the_result_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let (source, input) = folder_of_files(&folder.path().join("p"), &["a", "d/b"]);
        let out = folder.path().join("out");
        let targets = Targets::new(&[source], Some(&out)).unwrap();
        let mut written = targets.claim(false).unwrap();
        targets.write(&input, &mut written).unwrap();
        targets.conclude(&mut written);
        let (source, input) = folder_of_files(&folder.path().join("q"), &["a"]);
        let targets = Targets::new(&[source], Some(&out)).unwrap();
        let mut written = targets.claim(false).unwrap();
        assert!(out.join("d/b").exists(), "removed before the first success");
        targets.write(&input, &mut written).unwrap();
        assert!(out.join("a").exists() && !out.join("d").exists());
    }
}
