//! The destinations of results, and their writing.

use super::access::Rights;
use super::write::{RANDOM, cannot_write, folder_of, mode, unfinished_prefix};
use crate::anchor::{Anchor, Missing, There};
use crate::exit::Exit;
use crate::files::{Source, default_output, join};
use crate::folder::Tree;
use crate::problem::Problem;
use crate::state::{FOLDER, Receipt, StateFolder, foreign, print_of, print_of_file};
use nubbin_reduce::edit::{Edit, Fingerprint, Splice};
use nubbin_reduce::input::{File, Input};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

/// The destination of each file of the input.
#[derive(Clone, Debug)]
pub struct Targets {
    files: Vec<Target>,
    /// Returns the paths of the results, one per input of the command line.
    places: Vec<Place>,
}

#[derive(Clone, Debug)]
struct Target {
    path: PathBuf,
    /// The permissions of the input, so that a private file remains private, and a script
    /// executable.
    mode: Option<u32>,
    /// The number of the file's result.
    place: usize,
}

/// The result of one input of the command line.
#[derive(Clone, Debug)]
struct Place {
    path: PathBuf,
    /// The folder in which it is, as it was when the run began.
    anchor: Anchor,
    folder: Option<Folder>,
}

/// The contents of a result folder other than the reduced files.
#[derive(Clone, Debug, Default)]
struct Folder {
    /// The files and links, each with its original.
    copies: Vec<(PathBuf, PathBuf)>,
    folders: Vec<PathBuf>,
    /// The access rights of the input's folder.
    mode: Option<u32>,
}

/// The results on disk that this run or an earlier one wrote. Only these may be overwritten
/// or removed.
#[derive(Debug, Default)]
pub struct Written {
    files: HashMap<PathBuf, Fingerprint>,
    /// The receipt of each place.
    receipts: Vec<Receipt>,
    /// Files of an earlier run that are no part of the result.
    stale: Vec<PathBuf>,
    /// The places of files under other names than those of the originals, each with its result.
    renamed: Vec<(usize, PathBuf)>,
    /// The files in folders of results that are not nubbin's, each with its result.
    others: Vec<(usize, PathBuf)>,
    /// Whether the files that are not reduced were copied.
    copied: bool,
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
    fn note(&mut self, targets: &Targets, files: &[(usize, &Path, Fingerprint)]) {
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
    fn is_own(&self, anchor: &Anchor, path: &Path) -> bool {
        let print = self.files.get(path);
        print.is_some_and(|print| anchor.print(path).is_ok_and(|there| there == *print))
    }

    /// Removes a file if it is unchanged since it was written. Returns whether the file no longer
    /// exists.
    fn remove(&mut self, anchor: &Anchor, path: &Path) -> io::Result<bool> {
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
    /// Decides the destinations of the results.
    pub fn new(sources: &[Source], output: Option<&Path>) -> Result<Self, Problem> {
        // The project around the inputs is the last source.
        let with_result = sources.iter().take_while(|source| source.has_result());
        let inputs = with_result.count();
        let (sources, project) = sources.split_at(inputs);
        let paths: Vec<PathBuf> = match (sources, output) {
            ([source], Some(output)) if source.tree.is_some() || !is_folder(output) => {
                vec![output.to_path_buf()]
            }
            (_, Some(folder)) => {
                if folder.exists() && !folder.is_dir() {
                    let what = format!("`{}` is not a folder", folder.display());
                    return Err(Problem::new(Exit::Usage, what)
                        .hint("several inputs are written to a folder: give `-o FOLDER`"));
                }
                let name = |source: &Source| match project {
                    // Files of a project keep their folders.
                    [_, ..] => folder.join(&source.name),
                    [] => folder.join(
                        source
                            .path
                            .file_name()
                            .or(source.name.file_name())
                            .unwrap_or_default(),
                    ),
                };
                sources.iter().map(name).collect()
            }
            (_, None) => sources
                .iter()
                .map(|source| default_output(&source.path, source.tree.is_some()))
                .collect(),
        };
        let mut targets = Targets {
            files: vec![],
            places: vec![],
        };
        for (number, (source, path)) in sources.iter().zip(paths).enumerate() {
            // The target of a link is written, and the link is kept.
            let real = path.canonicalize().ok().filter(|_| path.is_symlink());
            let path = real.unwrap_or(path);
            for within in source.files() {
                targets.files.push(Target {
                    path: join(&path, within),
                    mode: mode(&source.path_of(within)),
                    place: number,
                });
            }
            let folder = source
                .tree
                .as_ref()
                .map(|tree| Folder::of(&source.path, &path, tree));
            let anchor = Anchor::of(&path);
            targets.places.push(Place {
                path,
                anchor,
                folder,
            });
        }
        Ok(targets)
    }

    /// Adds files next to the first result, with its name and the given endings. They hold the
    /// parameters of the test, which are the last files of the input.
    #[must_use]
    pub fn with_parameters<'a>(mut self, endings: impl Iterator<Item = &'a str>) -> Self {
        let first = self.paths().next().map(Path::to_path_buf);
        let mode = self.files.first().and_then(|file| file.mode);
        for (ending, first) in endings.zip(std::iter::repeat(first.unwrap_or_default())) {
            let mut path = first.into_os_string();
            path.push(".");
            path.push(ending);
            self.files.push(Target {
                path: PathBuf::from(&path),
                // It is as private as the input, and no program.
                mode: mode.map(|mode| mode & !0o111),
                place: self.places.len(),
            });
            let path = PathBuf::from(path);
            self.places.push(Place {
                anchor: Anchor::of(&path),
                path,
                folder: None,
            });
        }
        self
    }

    /// Returns the paths of the results, one per input of the command line.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.places.iter().map(|place| place.path.as_path())
    }

    /// Returns the access rights of each file.
    pub fn modes(&self) -> impl Iterator<Item = Option<u32>> {
        self.files.iter().map(|file| file.mode)
    }

    /// Returns whether a file of a result has another name than its original.
    pub fn is_renamed(&self, number: usize, result: &Input) -> bool {
        let target = self.files.get(number);
        target.is_some_and(|target| self.path_in(target, number, result) != target.path)
    }

    /// Returns the path of a file of a result.
    fn path_in(&self, target: &Target, number: usize, result: &Input) -> PathBuf {
        match result.name_within(number) {
            Some(within) => self.places[target.place].path.join(within),
            None => target.path.clone(),
        }
    }

    /// Returns the folders among the results.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        let folders = self.places.iter().filter(|place| place.folder.is_some());
        folders.map(|place| place.path.as_path())
    }

    /// Returns each result with the numbers of its files in the input, and whether it is a folder.
    pub fn numbers(&self) -> impl Iterator<Item = (&Path, Vec<usize>, bool)> {
        self.places.iter().enumerate().map(|(number, place)| {
            let files = self.files.iter().enumerate();
            let of_place = files
                .filter(|(_, file)| file.place == number)
                .map(|(at, _)| at);
            (
                place.path.as_path(),
                of_place.collect(),
                place.folder.is_some(),
            )
        })
    }

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

impl Folder {
    fn of(from: &Path, to: &Path, tree: &Tree) -> Self {
        let copies = tree.fixed.iter();
        Folder {
            copies: copies
                .map(|within| (from.join(within), to.join(within)))
                .collect(),
            folders: tree.folders.iter().map(|within| to.join(within)).collect(),
            mode: mode(from),
        }
    }
}

impl Place {
    /// Returns the name of a file of the result in its receipt.
    fn name_of(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.path).unwrap_or(path).to_path_buf()
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

/// Returns whether a file has the permissions of its input.
fn has_mode(there: There, mode: Option<u32>) -> bool {
    cfg!(not(unix)) || mode.is_none_or(|mode| there.mode == mode)
}

/// Returns whether a path is the folder of the results.
fn is_folder(path: &Path) -> bool {
    path.is_dir()
        || path
            .as_os_str()
            .to_string_lossy()
            .ends_with(std::path::MAIN_SEPARATOR)
}

#[cfg(test)]
pub(in crate::output) mod testing {
    use super::*;
    use crate::output::saver::Saver;

    /// Returns a source with a single file.
    pub(in crate::output) fn file(path: impl AsRef<Path>) -> Source {
        let path = path.as_ref().to_path_buf();
        Source {
            name: path.file_name().unwrap().into(),
            path,
            tree: None,
        }
    }

    pub(in crate::output) fn start(targets: Targets, floor: Option<usize>) -> Saver {
        Saver::start(targets, floor, Written::default()).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::testing::file;
    use super::*;
    use crate::output::write::unfinished;
    use nubbin_reduce::edit::Edit;
    use std::collections::BTreeMap;

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

    /// Creates a folder of files on disk. Returns it as a source and as an input.
    fn folder_of_files(root: &Path, names: &[&str]) -> (Source, Input) {
        for name in names {
            std::fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            std::fs::write(root.join(name), name).unwrap();
        }
        let files = names.iter().map(|name| (name, name.as_bytes().to_vec()));
        let source = Source {
            path: root.to_path_buf(),
            name: "p".into(),
            tree: Some(Tree {
                files: names.iter().map(PathBuf::from).collect(),
                folders: vec!["empty".into()],
                ..Tree::default()
            }),
        };
        (source, Input::files(files).unwrap())
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
