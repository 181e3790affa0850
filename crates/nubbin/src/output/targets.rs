//! The destinations of results, and their writing.

use super::write::{
    RANDOM, cannot_write, finishing, folder_of, make_dirs, mode, replace, unfinished,
    unfinished_prefix,
};
use crate::exit::Exit;
use crate::files::{Source, default_output, join};
use crate::folder::Tree;
use crate::problem::Problem;
use nubbin_reduce::edit::{Fingerprint, fingerprint};
use nubbin_reduce::input::{File, Input};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

/// The destination of each file of the input.
#[derive(Clone, Debug)]
pub(crate) struct Targets {
    files: Vec<Target>,
    /// The results, one for each input of the command line.
    places: Vec<Place>,
}

#[derive(Clone, Debug)]
struct Target {
    path: PathBuf,
    /// The permissions of the input: a private file stays private, and a script stays executable.
    mode: Option<u32>,
    /// The number of the file's result.
    place: usize,
}

/// The result of one input of the command line.
#[derive(Clone, Debug)]
struct Place {
    path: PathBuf,
    folder: Option<Folder>,
}

/// The contents of a result folder beside the reduced files.
#[derive(Clone, Debug, Default)]
struct Folder {
    /// The files and links, each with its original.
    copies: Vec<(PathBuf, PathBuf)>,
    folders: Vec<PathBuf>,
    /// The access rights of the input's folder.
    mode: Option<u32>,
}

/// The results on disk that this run or the resumed run has written. Only these may be overwritten
/// without a look, or removed.
#[derive(Debug, Default)]
pub(crate) struct Written {
    files: HashMap<PathBuf, Option<Fingerprint>>,
    /// Whether the files that are not reduced were copied.
    copied: bool,
}

impl Targets {
    /// Decides the destinations of the results.
    pub(crate) fn new(sources: &[Source], output: Option<&Path>) -> Result<Self, Problem> {
        let paths: Vec<PathBuf> = match (sources, output) {
            (_, Some(output)) if output == Path::new("-") => {
                return Err(Problem::new(Exit::Usage, "`-o -` is not a file")
                    .hint("the result is written during the search: give a path"));
            }
            ([source], Some(output)) if source.tree.is_some() || !is_folder(output) => {
                vec![output.to_path_buf()]
            }
            (_, Some(folder)) => {
                if folder.exists() && !folder.is_dir() {
                    let what = format!("`{}` is not a folder", folder.display());
                    return Err(Problem::new(Exit::Usage, what)
                        .hint("several inputs are written to a folder: give `-o FOLDER`"));
                }
                let name = |source: &Source| {
                    folder.join(
                        source
                            .path
                            .file_name()
                            .or(source.name.file_name())
                            .unwrap_or_default(),
                    )
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
            // The target of a link is written, and the link stays.
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
            targets.places.push(Place { path, folder });
        }
        Ok(targets)
    }

    /// The results, one for each input of the command line.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.places.iter().map(|place| place.path.as_path())
    }

    /// Returns the access rights of each file.
    pub(crate) fn modes(&self) -> impl Iterator<Item = Option<u32>> {
        self.files.iter().map(|file| file.mode)
    }

    /// Returns the folders among the results.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &Path> {
        let folders = self.places.iter().filter(|place| place.folder.is_some());
        folders.map(|place| place.path.as_path())
    }

    /// Returns each result with the numbers of its files in the input, and whether it is a folder.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = (&Path, Vec<usize>, bool)> {
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

    /// Checks before the first test whether a result can be written. A folder with contents is only
    /// accepted if a resumed run has written them.
    pub(crate) fn probe(&self, goes_on: bool) -> Result<(), Problem> {
        for (number, place) in self.places.iter().enumerate() {
            let path = place.path.as_path();
            let folder = folder_of(path);
            // The file has no name if the system supports that, so that a killed run leaves no
            // file.
            let own = self.files.iter().find(|file| file.place == number);
            let made = make_dirs(folder, own.and_then(|file| file.mode))
                .and_then(|()| tempfile::tempfile_in(folder).map(drop));
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
                Some(_) if there.is_dir() => self.probe_folder(path, goes_on)?,
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
    fn probe_folder(&self, root: &Path, goes_on: bool) -> Result<(), Problem> {
        let mut entries = std::fs::read_dir(root).map_err(|error| cannot_write(root, &error))?;
        if !goes_on && entries.next().is_some() {
            let what = format!("`{}` exists and is not empty", root.display());
            return Err(Problem::new(Exit::Output, what).hint(
                "remove it, or give another folder with `-o PATH`; \
                 `--resume` goes on with a run that was stopped",
            ));
        }
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

    /// Removes the incomplete files that a killed run has left beside the results. Only the run
    /// that holds the journal may call it.
    pub(crate) fn sweep(&self) {
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

    /// Returns the size of the existing results.
    pub(crate) fn size(&self) -> Option<usize> {
        let sizes = self
            .files
            .iter()
            .filter_map(|file| std::fs::metadata(&file.path).ok());
        sizes
            .map(|there| there.len() as usize)
            .reduce(|sum, len| sum + len)
    }

    /// Returns whether any result exists.
    pub(crate) fn occupied(&self) -> bool {
        self.files.iter().any(|file| file.path.exists())
    }

    /// Returns the results of a run that is resumed: all files of the result folders, which were
    /// empty when that run began.
    pub(crate) fn earlier(&self) -> Written {
        let in_folder = |file: &&Target| self.places[file.place].folder.is_some();
        let there = self
            .files
            .iter()
            .filter(in_folder)
            .filter(|file| file.path.is_file());
        Written {
            files: there.map(|file| (file.path.clone(), None)).collect(),
            copied: false,
        }
    }

    /// Writes each file in one step, so that a reader sees the old or the new one. Leaves files
    /// that are up to date.
    ///
    /// Growing files come first and removals last, so that a run that is killed in between never
    /// leaves less than the result.
    pub(crate) fn write(
        &self,
        input: &Input,
        written: &mut Written,
    ) -> Result<(), (PathBuf, io::Error)> {
        for place in self.places.iter().filter(|_| !written.copied) {
            place.copy_along()?;
        }
        written.copied = true;
        let mut stale: Vec<(i64, &Target, Fingerprint, File<'_>)> = Vec::new();
        for (number, target) in self.files.iter().enumerate() {
            let Some(file) = input.file(number) else {
                continue;
            };
            let print = fingerprint(file.text);
            let there = std::fs::symlink_metadata(&target.path);
            let len = there
                .ok()
                .filter(|there| there.is_file())
                .map(|there| there.len());
            let known = written.files.get(&target.path) == Some(&Some(print));
            if !known || len != Some(file.text.len() as u64) {
                let growth = file.text.len() as i64 - len.unwrap_or(0) as i64;
                stale.push((-growth, target, print, file));
            }
        }
        stale.sort_by_key(|(less, ..)| *less);
        for (_, target, print, file) in stale {
            replace(&target.path, file.text, target.mode)
                .map_err(|error| (target.path.clone(), error))?;
            written.files.insert(target.path.clone(), Some(print));
        }
        for (number, target) in self.files.iter().enumerate() {
            if input.file(number).is_none() && written.files.remove(&target.path).is_some() {
                self.remove(target)
                    .map_err(|error| (target.path.clone(), error))?;
            }
        }
        Ok(())
    }

    /// Removes a file that this run has written, and the folders that become empty.
    fn remove(&self, target: &Target) -> io::Result<()> {
        match std::fs::remove_file(&target.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let place = &self.places[target.place];
        if let Some(folder) = &place.folder {
            for dir in target.path.ancestors().skip(1) {
                let stays = dir == place.path || folder.folders.iter().any(|kept| kept == dir);
                // Removing a folder with contents fails.
                if stays || std::fs::remove_dir(dir).is_err() {
                    break;
                }
            }
        }
        Ok(())
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
    /// Copies the files that are not reduced.
    fn copy_along(&self) -> Result<(), (PathBuf, io::Error)> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        for path in std::iter::once(&self.path).chain(&folder.folders) {
            make_dirs(path, folder.mode).map_err(|error| (path.clone(), error))?;
        }
        for (from, to) in &folder.copies {
            // The resumed run has written this file.
            if to.symlink_metadata().is_err() {
                copy(from, to, folder.mode).map_err(|error| (to.clone(), error))?;
            }
        }
        Ok(())
    }
}

fn copy(from: &Path, to: &Path, mode: Option<u32>) -> io::Result<()> {
    make_dirs(folder_of(to), mode)?;
    #[cfg(unix)]
    if from.is_symlink() {
        return std::os::unix::fs::symlink(std::fs::read_link(from)?, to);
    }
    let _finishing = finishing();
    let file = unfinished(to)?;
    std::fs::copy(from, file.path())?;
    file.persist(to)?;
    Ok(())
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
    use nubbin_reduce::edit::Edit;
    use std::collections::BTreeMap;

    #[test]
    fn what_a_killed_run_had_not_written_to_the_end_is_removed_and_nothing_else() {
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

    /// Makes a folder of files on disk. Returns it as a source and as an input.
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
    fn a_folder_holds_what_is_left_and_what_others_put_there() {
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
    fn a_folder_that_is_not_empty_is_refused_but_for_the_run_that_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let (source, input) = folder_of_files(&folder.path().join("p"), &["a", "d/b", "d/c"]);
        let out = folder.path().join("out");
        let targets = Targets::new(&[source], Some(&out)).unwrap();
        targets.probe(false).unwrap();
        targets.write(&input, &mut Written::default()).unwrap();
        assert_eq!(targets.probe(false).unwrap_err().exit(), Exit::Output);
        targets.probe(true).unwrap();
        // The resumed run removes files that the earlier run has written.
        let less = input.apply(&Edit::delete(input.file(0).unwrap().extent));
        targets.write(&less, &mut targets.earlier()).unwrap();
        assert!(!out.join("a").exists() && out.join("d/b").exists());
        std::fs::rename(out.join("d"), folder.path().join("moved")).unwrap();
        std::os::unix::fs::symlink(folder.path().join("moved"), out.join("d")).unwrap();
        assert_eq!(targets.probe(true).unwrap_err().exit(), Exit::Output);
    }
}
