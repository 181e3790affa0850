//! The files at the destinations before a run writes, and those of them that it may replace.

use super::layout::Targets;
use super::written::Written;
use crate::anchor::Missing;
use crate::exit::Exit;
use crate::output::write::{RANDOM, cannot_write, folder_of, unfinished_prefix};
use crate::problem::Problem;
use crate::state::{FOLDER, Receipt, StateFolder, foreign, print_of_file};
use nubbin_reduce::edit::{Edit, Splice};
use nubbin_reduce::input::Input;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io;
use std::path::{Path, PathBuf};

impl Targets {
    /// Checks before the first test whether a result can be written.
    pub fn probe(&self) -> Result<(), Problem> {
        for (number, place) in self.places.iter().enumerate() {
            let path = place.path.as_path();
            let folder = folder_of(path);
            // The file has no name if the system supports that, so that a killed run leaves no
            // file.
            let own = self.files.iter().find(|file| file.place == number);
            let missing = Missing::Make(own.and_then(|file| file.mode));
            let made = (place.anchor.folder(missing))
                .and_then(|_| tempfile::tempfile_in(folder).map(drop));
            if let Err(error) = made {
                return Err(cannot_write(path, &error));
            }
            let there = match std::fs::symlink_metadata(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                // One cause is a name that is too long.
                Err(error) => return Err(cannot_write(path, &error)),
                Ok(there) => there,
            };
            match &place.folder {
                Some(_) if there.is_dir() => self.probe_folder(path)?,
                None if there.is_file() => {}
                wanted => {
                    let kind = match wanted {
                        Some(_) => "exists and is not a folder",
                        None if there.is_dir() => "is a folder",
                        None => "is not a plain file",
                    };
                    let what = format!("`{}` {kind}", path.display());
                    let wanted = if wanted.is_some() { "folder" } else { "file" };
                    return Err(Problem::new(Exit::Output, what)
                        .hint(format!("give the path of a {wanted} with `-o PATH`")));
                }
            }
        }
        Ok(())
    }

    /// Checks an existing folder.
    fn probe_folder(&self, root: &Path) -> Result<(), Problem> {
        tempfile::tempfile_in(root).map_err(|error| cannot_write(root, &error))?;
        // A link in the place of a folder would redirect the written files.
        let inner = self.files.iter().filter(|file| file.path.starts_with(root));
        let dirs: BTreeSet<&Path> = inner
            .flat_map(|file| file.path.ancestors().skip(1))
            .filter(|dir| *dir != root && dir.starts_with(root))
            .collect();
        match dirs.into_iter().find(|dir| dir.is_symlink()) {
            Some(link) => {
                let what = format!("`{}` is a link instead of a folder", link.display());
                Err(Problem::new(Exit::Output, what)
                    .hint("remove it, or give another folder with `-o PATH`"))
            }
            None => Ok(()),
        }
    }

    /// Returns the files of results on disk that may be replaced. It is an error if nubbin did not
    /// write a file or create a folder, or if a file was modified afterwards, unless `force`
    /// permits replacing them. Only the run that holds the locks may call it.
    pub fn claim(&self, force: bool) -> Result<Written, Problem> {
        let mut written = Written::default();
        for (number, place) in self.places.iter().enumerate() {
            let receipt = Receipt::read(StateFolder::of(&place.path));
            if place.folder.is_some() {
                self.claim_folder(number, &receipt, force, &mut written)?;
            } else if let Some(print) = receipt.claim(&place.path, force)? {
                written.files.insert(place.path.clone(), print);
            }
            written.receipts.push(receipt);
        }
        Ok(written)
    }

    fn claim_folder(
        &self,
        number: usize,
        receipt: &Receipt,
        force: bool,
        written: &mut Written,
    ) -> Result<(), Problem> {
        let place = &self.places[number];
        let root = place.path.as_path();
        let Ok(mut entries) = std::fs::read_dir(root) else {
            return Ok(());
        };
        if entries.next().is_some() && receipt.is_empty() && !force {
            let what = format!("`{}` exists and is not empty", root.display());
            return Err(Problem::new(Exit::Output, what)
                .hint("remove it, or give another folder with `-o PATH`; `--force` writes to it"));
        }
        let files = self.files.iter().filter(|file| file.place == number);
        let copies = place.folder.iter().flat_map(|folder| &folder.copies);
        let parts: HashSet<&Path> = files
            .map(|file| file.path.as_path())
            .chain(copies.map(|(_, to)| to.as_path()))
            .collect();
        for path in files_in(root).map_err(|error| cannot_write(root, &error))? {
            let print = print_of_file(&path).ok();
            let own = print.filter(|print| receipt.lists(&place.name_of(&path), *print));
            match own {
                Some(print) => {
                    if !parts.contains(path.as_path()) {
                        written.stale.push(path.clone());
                    }
                    written.files.insert(path, print);
                }
                None if parts.contains(path.as_path()) && !force => return Err(foreign(&path)),
                // Another file in the folder of the result is left alone.
                None => written.others.push((number, place.name_of(&path))),
            }
        }
        Ok(())
    }

    /// Removes the incomplete files that a killed run left next to the results. Only the run
    /// that holds the journal may call it.
    pub fn sweep(&self) {
        let copies = self.places.iter().filter_map(|place| place.folder.as_ref());
        let copies = copies.flat_map(|folder| folder.copies.iter().map(|(_, to)| to.as_path()));
        let paths = self.files.iter().map(|file| file.path.as_path());
        let mut unfinished: BTreeMap<&Path, HashSet<String>> = BTreeMap::new();
        for path in paths.chain(copies) {
            let prefixes = unfinished.entry(folder_of(path)).or_default();
            prefixes.insert(unfinished_prefix(path));
        }
        for (folder, prefixes) in unfinished {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                let is_ours = name.rsplit_once('-').is_some_and(|(prefix, random)| {
                    random.len() == RANDOM && prefixes.contains(&format!("{prefix}-"))
                });
                if is_ours {
                    // A remaining file is harmless.
                    let _ = std::fs::remove_file(entry.path());
                }
            }
        }
    }

    /// Returns the size of the results on disk, if there are any and nubbin wrote them.
    ///
    /// A result in which files have other names is written again, since they cannot be matched with
    /// the files of the input.
    pub fn size(&self, written: &Written) -> Option<usize> {
        if !written.stale.is_empty() {
            return None;
        }
        let mut size = None;
        for file in &self.files {
            if let Ok(there) = std::fs::symlink_metadata(&file.path) {
                written.files.get(&file.path)?;
                size = Some(size.unwrap_or(0) + there.len() as usize);
            }
        }
        size
    }

    /// Returns the original with its files replaced with the results on disk.
    pub fn read(&self, original: &Input) -> Option<Input> {
        let mut splices = vec![];
        for file in original.present() {
            splices.push(match std::fs::read(&self.files.get(file.number)?.path) {
                Ok(text) => Splice::replace(file.span, &text),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    Splice::delete(file.extent)
                }
                Err(_) => return None,
            });
        }
        Some(original.apply(&Edit::new(splices).ok()?))
    }

    /// Returns whether any result exists.
    pub fn occupied(&self, written: &Written) -> bool {
        !written.stale.is_empty() || self.files.iter().any(|file| file.path.exists())
    }
}

/// Returns all files and links below a folder, except in nubbin's own folders.
pub fn files_in(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = vec![];
    let mut stack = vec![root.to_path_buf()];
    while let Some(folder) = stack.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            match entry.file_type()?.is_dir() {
                true if entry.file_name() == FOLDER => {}
                true => stack.push(entry.path()),
                false => found.push(entry.path()),
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::targets::testing::folder_of_files;
    use crate::output::write::unfinished;

    #[test]
    fn only_unfinished_files_of_a_killed_run_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let (source, _) = folder_of_files(&folder.path().join("p"), &["a", "d/b"]);
        let out = folder.path().join("out");
        std::fs::create_dir_all(out.join("d")).unwrap();
        let left = unfinished(&out.join("d/b")).unwrap().keep().unwrap().1;
        let prefix = unfinished_prefix(&out.join("d/b"));
        let others = [
            // Another file, another folder, and another length.
            out.join("d")
                .join(format!("{}abcdef", unfinished_prefix(Path::new("c")))),
            out.join(format!("{prefix}abcdef")),
            out.join("d").join(format!("{prefix}abcdefg")),
            out.join("d/.nubbin-abcdef"),
        ];
        others
            .iter()
            .for_each(|path| std::fs::write(path, "").unwrap());
        Targets::new(&[source], Some(&out)).unwrap().sweep();
        assert!(!left.exists());
        assert!(others.iter().all(|path| path.exists()));
    }

    #[test]
    fn a_folder_that_nubbin_did_not_make_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (source, input) = folder_of_files(&folder.path().join("p"), &["a", "d/b", "d/c"]);
        let out = folder.path().join("out");
        let targets = Targets::new(std::slice::from_ref(&source), Some(&out)).unwrap();
        std::fs::create_dir(&out).unwrap();
        let mut written = targets.claim(false).unwrap();
        targets.write(&input, &mut written).unwrap();
        // As a run that was killed leaves it, and in the end.
        targets.claim(false).unwrap();
        targets.conclude(&mut written);
        let mut written = targets.claim(false).unwrap();
        // A later run removes files that an earlier run has written and nobody has changed.
        std::fs::write(out.join("mine"), "mine").unwrap();
        std::fs::write(out.join("d/c"), "changed").unwrap();
        let gone = [0, 2].map(|number| input.file(number).unwrap().extent);
        let less = input.apply(&Edit::delete_all(gone));
        targets.write(&less, &mut written).unwrap();
        let left = |name: &str| out.join(name).exists();
        assert!(!left("a") && left("d/b") && left("d/c") && left("mine"));
        targets.conclude(&mut written);
        assert_eq!(targets.claim(false).unwrap_err().exit(), Exit::Output);
        targets.claim(true).unwrap();
        std::fs::rename(&out, folder.path().join("other")).unwrap();
        let other = Targets::new(&[source], Some(&folder.path().join("other"))).unwrap();
        assert_eq!(other.claim(false).unwrap_err().exit(), Exit::Output);
    }

    #[test]
    fn a_link_in_the_place_of_a_folder_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (source, input) = folder_of_files(&folder.path().join("p"), &["a", "d/b"]);
        let out = folder.path().join("out");
        let targets = Targets::new(&[source], Some(&out)).unwrap();
        targets.write(&input, &mut Written::default()).unwrap();
        targets.probe().unwrap();
        std::fs::rename(out.join("d"), folder.path().join("moved")).unwrap();
        std::os::unix::fs::symlink(folder.path().join("moved"), out.join("d")).unwrap();
        assert_eq!(targets.probe().unwrap_err().exit(), Exit::Output);
    }
}
