//! The destination of each file of the input.

use crate::anchor::Anchor;
use crate::exit::Exit;
use crate::files::{Source, default_output, join};
use crate::folder::Tree;
use crate::output::write::mode;
use crate::problem::Problem;
use nubbin_reduce::input::Input;
use std::path::{Path, PathBuf};

/// The destination of each file of the input.
#[derive(Clone, Debug)]
pub struct Targets {
    pub(super) files: Vec<Target>,
    /// Returns the paths of the results, one per input of the command line.
    pub(super) places: Vec<Place>,
}

#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) path: PathBuf,
    /// The permissions of the input, so that a private file remains private, and a script
    /// executable.
    pub(super) mode: Option<u32>,
    /// The number of the file's result.
    pub(super) place: usize,
}

/// The result of one input of the command line.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) path: PathBuf,
    /// The folder in which it is, as it was when the run began.
    pub(super) anchor: Anchor,
    pub(super) folder: Option<Folder>,
}

/// The contents of a result folder other than the reduced files.
#[derive(Clone, Debug, Default)]
pub(super) struct Folder {
    /// The files and links, each with its original.
    pub(super) copies: Vec<(PathBuf, PathBuf)>,
    pub(super) folders: Vec<PathBuf>,
    /// The access rights of the input's folder.
    pub(super) mode: Option<u32>,
}

/// The results on disk that this run or an earlier one wrote. Only these may be overwritten
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
    pub(super) fn path_in(&self, target: &Target, number: usize, result: &Input) -> PathBuf {
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
    pub(super) fn name_of(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.path).unwrap_or(path).to_path_buf()
    }
}

/// Returns whether a path is the folder of the results.
fn is_folder(path: &Path) -> bool {
    path.is_dir()
        || path
            .as_os_str()
            .to_string_lossy()
            .ends_with(std::path::MAIN_SEPARATOR)
}
