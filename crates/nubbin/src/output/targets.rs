//! Where results go, and how they get there.

use super::write::{RANDOM, cannot_write, folder_of, mode, replace, unfinished, unfinished_prefix};
use crate::exit::Exit;
use crate::files::{Source, default_output, join};
use crate::folder::Tree;
use crate::problem::Problem;
use nubbin_reduce::edit::{Fingerprint, fingerprint};
use nubbin_reduce::input::{File, Input};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

/// Where each file of the input goes.
#[derive(Clone, Debug)]
pub(crate) struct Targets {
    files: Vec<Target>,
    /// One for each input of the command line.
    places: Vec<Place>,
}

#[derive(Clone, Debug)]
struct Target {
    path: PathBuf,
    /// Permissions of the input: a private file stays private, a script can be run.
    mode: Option<u32>,
    /// Number of the place it is in.
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
    /// Files and links, each with its original.
    copies: Vec<(PathBuf, PathBuf)>,
    folders: Vec<PathBuf>,
}

/// The results on disk that this run, or the run it resumes, has written. Only these may be
/// overwritten unread, or removed.
#[derive(Debug, Default)]
pub(crate) struct Written {
    files: HashMap<PathBuf, Option<Fingerprint>>,
    /// Whether the files that are not reduced are in place.
    copied: bool,
}

impl Targets {
    /// Decides where results go.
    pub(crate) fn new(sources: &[Source], output: Option<&Path>) -> Result<Self, Problem> {
        let paths: Vec<PathBuf> = match (sources, output) {
            (_, Some(output)) if output == Path::new("-") => {
                return Err(Problem::new(Exit::Usage, "`-o -` is not a file")
                    .hint("the result is written while the search goes on: give a path"));
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
            // What a link leads to is written, and the link stays.
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

    /// The folders among the results.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &Path> {
        let folders = self.places.iter().filter(|place| place.folder.is_some());
        folders.map(|place| place.path.as_path())
    }

    /// Each result with the numbers of its files in the input, and whether it is a folder.
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

    /// Finds out before the first test whether a result can be written at all. A folder that holds
    /// something is no place for a result, but where a run goes on with what it has left there.
    pub(crate) fn probe(&self, goes_on: bool) -> Result<(), Problem> {
        for place in &self.places {
            let path = place.path.as_path();
            let folder = folder_of(path);
            // Without a name, where the system can: a run that is killed here leaves nothing.
            let made = std::fs::create_dir_all(folder)
                .and_then(|()| tempfile::tempfile_in(folder).map(drop));
            if let Err(error) = made {
                return Err(cannot_write(path, &error));
            }
            let there = match std::fs::symlink_metadata(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                // A name that is too long, for example.
                Err(error) => return Err(cannot_write(path, &error)),
                Ok(there) => there,
            };
            match &place.folder {
                Some(_) if there.is_dir() => self.probe_folder(path, goes_on)?,
                None if there.is_file() => {}
                wanted => {
                    let kind = match wanted {
                        Some(_) => "is there, and is not a folder",
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

    /// Looks at a folder that is there already.
    fn probe_folder(&self, root: &Path, goes_on: bool) -> Result<(), Problem> {
        let mut entries = std::fs::read_dir(root).map_err(|error| cannot_write(root, &error))?;
        if !goes_on && entries.next().is_some() {
            let what = format!("`{}` is there already, and is not empty", root.display());
            return Err(Problem::new(Exit::Output, what).hint(
                "nothing in it is touched: remove it, or give another folder with `-o PATH`; \
                 `--resume` goes on with a run that was stopped",
            ));
        }
        tempfile::tempfile_in(root).map_err(|error| cannot_write(root, &error))?;
        // A link in the place of a folder would lead what is written somewhere else.
        let inner = self.files.iter().filter(|file| file.path.starts_with(root));
        let dirs: BTreeSet<&Path> = inner
            .flat_map(|file| file.path.ancestors().skip(1))
            .filter(|dir| *dir != root && dir.starts_with(root))
            .collect();
        match dirs.into_iter().find(|dir| dir.is_symlink()) {
            Some(link) => {
                let what = format!("`{}` is a link, where a folder should be", link.display());
                Err(Problem::new(Exit::Output, what)
                    .hint("remove it, or give another folder with `-o PATH`"))
            }
            None => Ok(()),
        }
    }

    /// Removes what a run that was killed has left beside the results: files that it had not
    /// written to the end. Only for the run that holds the journal.
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
                    // What stays disturbs nobody.
                    let _ = std::fs::remove_file(entry.path());
                }
            }
        }
    }

    /// The size of the results that are there.
    pub(crate) fn size(&self) -> Option<usize> {
        let sizes = self
            .files
            .iter()
            .filter_map(|file| std::fs::metadata(&file.path).ok());
        sizes
            .map(|there| there.len() as usize)
            .reduce(|sum, len| sum + len)
    }

    /// Whether there are results at any of the places already.
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
    /// Growing files come first and removals last, so that a run that is killed in between leaves
    /// no less than there would have been.
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

    /// Removes a file of ours, and of a folder the folders in it that are empty then.
    fn remove(&self, target: &Target) -> io::Result<()> {
        match std::fs::remove_file(&target.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let place = &self.places[target.place];
        if let Some(folder) = &place.folder {
            for dir in target.path.ancestors().skip(1) {
                let stays = dir == place.path || folder.folders.iter().any(|kept| kept == dir);
                // One that holds something refuses.
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
            std::fs::create_dir_all(path).map_err(|error| (path.clone(), error))?;
        }
        for (from, to) in &folder.copies {
            // Of the run that this one goes on with.
            if to.symlink_metadata().is_err() {
                copy(from, to).map_err(|error| (to.clone(), error))?;
            }
        }
        Ok(())
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder_of(to))?;
    #[cfg(unix)]
    if from.is_symlink() {
        return std::os::unix::fs::symlink(std::fs::read_link(from)?, to);
    }
    let file = unfinished(to)?;
    std::fs::copy(from, file.path())?;
    file.persist(to)?;
    Ok(())
}

/// Whether results go into a path rather than to it.
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

    /// A single file of the command line.
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
            // Of another file, in another folder, of another length.
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
        let (less, _) = input.apply(&Edit::delete(input.file(1).unwrap().extent));
        std::fs::write(folder.path().join("b"), "not of this run").unwrap();
        let targets = Targets::new(&[file("a"), file("b")], Some(folder.path())).unwrap();
        let mut written = Written::default();
        targets.write(&less, &mut written).unwrap();
        assert!(folder.path().join("b").exists());
        targets.write(&input, &mut written).unwrap();
        targets.write(&less, &mut written).unwrap();
        assert!(!folder.path().join("b").exists());
    }

    /// A folder of files on disk, as a source and as an input.
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

    /// All files below a folder with their content, and its empty folders.
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
        let (less, _) = input.apply(&Edit::delete_all(gone[1..].iter().copied()));
        targets.write(&less, &mut written).unwrap();
        let expected = [("a", "a"), ("d/mine", "mine"), ("empty", "/")];
        let expected: BTreeMap<String, String> = expected
            .map(|(name, text)| (name.into(), text.into()))
            .into();
        assert_eq!(on_disk(&out), expected);
        // What a test has removed is written again, and what is there is left alone.
        std::fs::remove_file(out.join("a")).unwrap();
        targets.write(&less, &mut written).unwrap();
        assert_eq!(on_disk(&out), expected);
        let none = input.apply(&Edit::delete_all(gone)).0;
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
        // The run that goes on removes what the earlier one has written.
        let (less, _) = input.apply(&Edit::delete(input.file(0).unwrap().extent));
        targets.write(&less, &mut targets.earlier()).unwrap();
        assert!(!out.join("a").exists() && out.join("d/b").exists());
        std::fs::rename(out.join("d"), folder.path().join("moved")).unwrap();
        std::os::unix::fs::symlink(folder.path().join("moved"), out.join("d")).unwrap();
        assert_eq!(targets.probe(true).unwrap_err().exit(), Exit::Output);
    }
}
