//! An input that is a folder, with its files and their roles.

use crate::exit::Exit;
use crate::problem::Problem;
use crate::settings::TestSettings;
use crate::state::FOLDER;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use std::collections::{HashMap, HashSet};
use std::fs::FileType;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The contents of a folder. The paths are relative to the folder and sorted, so that the files of
/// one folder are adjacent.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The files to reduce.
    pub files: Vec<PathBuf>,
    /// The files that the test gets unchanged: files that match `--fixed`, files that do not match
    /// `--only`, links, and the test itself.
    pub fixed: Vec<PathBuf>,
    /// The empty folders, which are kept.
    pub folders: Vec<PathBuf>,
    /// The folders of version control, which are left out.
    pub version_control: Vec<PathBuf>,
    /// The sockets, pipes, and devices, which are left out.
    pub special: Vec<PathBuf>,
    /// The links that lead out of the folder by a relative path. The test does not find their
    /// targets.
    pub leading_out: Vec<PathBuf>,
    /// The links that lead out of the folder by an absolute path. The test reads their targets.
    pub absolute: Vec<PathBuf>,
    /// The links that lead into this folder by its absolute path. The test reads the original
    /// through them.
    pub to_original: Vec<PathBuf>,
    /// The links without a target, and the links in a loop.
    pub broken: Vec<PathBuf>,
    /// The number of links in `fixed`.
    pub links: usize,
    /// The test itself, if it is in the folder.
    pub tests: Vec<PathBuf>,
    /// Whether this is the project around the inputs, which has no result.
    pub is_around: bool,
}

/// The largest number of files. A larger number is probably a mistake of the user.
const MAX_FILES: usize = 200_000;

/// The largest total size in bytes that spans can address.
const MAX_BYTES: u64 = u32::MAX as u64;

pub const VERSION_CONTROL: [&str; 9] = [
    ".git", ".hg", ".svn", ".bzr", ".jj", ".pijul", ".sl", "_darcs", "CVS",
];

/// The selection of files that are not reduced.
#[derive(Debug, Default)]
pub struct Rules {
    pub fixed: Globs,
    /// The patterns given by `--only`: the files that are reduced, if there is a pattern.
    pub only: Globs,
    pub exclude: Globs,
    /// The files of the test, by their real paths.
    pub tests: HashSet<PathBuf>,
    /// Whether no file is reduced.
    pub are_fixed: bool,
}

/// The patterns given by `--fixed`, `--only`, or `--exclude`, each with whether it has matched.
#[derive(Debug, Default)]
pub struct Globs {
    texts: Vec<String>,
    set: GlobSet,
    met: HashSet<usize>,
}

impl Globs {
    /// Compiles the patterns. A pattern without a slash matches names at any depth. A pattern with
    /// a slash begins at the folder to reduce. A folder that matches includes its contents.
    pub fn new(flag: &str, texts: &[String]) -> Result<Self, Problem> {
        let wrong = |text: &str, error: &globset::Error| {
            Problem::new(Exit::Usage, format!("`{flag} {text}` is not a pattern")).because(error)
        };
        let mut set = GlobSetBuilder::new();
        for text in texts {
            let plain = text.strip_prefix("./").unwrap_or(text);
            let plain = plain.trim_end_matches('/');
            let pattern = match plain.strip_prefix('/') {
                Some(rooted) => rooted.to_owned(),
                None if plain.contains('/') => plain.to_owned(),
                None => format!("**/{plain}"),
            };
            let glob = GlobBuilder::new(&pattern).literal_separator(true).build();
            set.add(glob.map_err(|error| wrong(text, &error))?);
        }
        Ok(Globs {
            texts: texts.to_vec(),
            set: set.build().map_err(|error| wrong("...", &error))?,
            met: HashSet::new(),
        })
    }

    fn matches(&mut self, path: &Path) -> bool {
        let met = self.set.matches(path);
        let any = !met.is_empty();
        self.met.extend(met);
        any
    }

    /// Returns whether there is no pattern.
    fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Returns the patterns without a match so far.
    pub fn unmet(&self) -> impl Iterator<Item = &str> {
        let texts = self.texts.iter().enumerate();
        texts
            .filter(|(at, _)| !self.met.contains(at))
            .map(|(_, text)| text.as_str())
    }
}

/// An entry of a folder that is still to be visited.
struct Met {
    path: PathBuf,
    kind: FileType,
    /// Whether the entry is in a folder that `--fixed` names.
    fixed: bool,
    /// Whether the entry is in a folder that `--only` names, or there is no such pattern.
    is_chosen: bool,
    /// The number of the entry's folder.
    parent: usize,
}

/// Lists the contents of a folder without reading any file.
pub fn walk(root: &Path, rules: &mut Rules) -> Result<Tree, Problem> {
    let mut tree = Tree::default();
    let real = root
        .canonicalize()
        .map_err(|error| cannot_read(root, &error))?;
    let mut bytes = 0_u64;
    // All folders that are not excluded, each with whether it has contents.
    let mut folders = vec![(PathBuf::new(), false)];
    let mut stack = entries(root, Path::new(""), (false, rules.only.is_empty()), 0)?;
    while let Some(Met {
        path,
        kind,
        fixed,
        is_chosen,
        parent,
    }) = stack.pop()
    {
        let asked_for = rules.fixed.matches(&path);
        let fixed = fixed || asked_for;
        let is_chosen = rules.only.matches(&path) || is_chosen;
        if rules.exclude.matches(&path) {
            continue;
        }
        let name = path.file_name().unwrap_or_default();
        // The folder has nubbin's own files about results in this folder.
        if name == FOLDER && kind.is_dir() {
            continue;
        }
        if !fixed && VERSION_CONTROL.iter().any(|known| name == *known) {
            tree.version_control.push(path);
            continue;
        }
        let full = root.join(&path);
        if kind.is_dir() {
            folders[parent].1 = true;
            stack.extend(entries(root, &path, (fixed, is_chosen), folders.len())?);
            folders.push((path, false));
        } else if kind.is_symlink() {
            folders[parent].1 = true;
            tree.judge_link(&path, &full, &real);
            tree.links += 1;
            tree.fixed.push(path);
        } else if kind.is_file() {
            folders[parent].1 = true;
            let is_test = !rules.tests.is_empty()
                && full
                    .canonicalize()
                    .is_ok_and(|real| rules.tests.contains(&real));
            if is_test {
                tree.tests.push(path.clone());
            }
            if fixed || is_test || !is_chosen || rules.are_fixed {
                tree.fixed.push(path);
            } else {
                bytes += full
                    .metadata()
                    .map_err(|error| cannot_read(&full, &error))?
                    .len()
                    + 1;
                tree.files.push(path);
            }
        } else {
            tree.special.push(path);
        }
        if bytes >= MAX_BYTES || tree.files.len() + tree.fixed.len() > MAX_FILES {
            return Err(too_much(root, bytes));
        }
    }
    let empty = folders.into_iter().skip(1).filter(|(_, holds)| !holds);
    tree.folders = empty.map(|(path, _)| path).collect();
    Ok(tree)
}

/// Returns the entries of a folder by name, in reverse order.
fn entries(
    root: &Path,
    path: &Path,
    (fixed, is_chosen): (bool, bool),
    parent: usize,
) -> Result<Vec<Met>, Problem> {
    let full = root.join(path);
    let read = || -> io::Result<Vec<Met>> {
        let mut all = Vec::new();
        for entry in std::fs::read_dir(&full)? {
            let entry = entry?;
            all.push(Met {
                path: path.join(entry.file_name()),
                kind: entry.file_type()?,
                fixed,
                is_chosen,
                parent,
            });
        }
        all.sort_by(|one, other| other.path.cmp(&one.path));
        Ok(all)
    };
    read().map_err(|error| cannot_read(&full, &error))
}

impl Tree {
    /// Records the target of a link, unless it is a file of the folder by a relative path. `real`
    /// is the folder without links.
    fn judge_link(&mut self, path: &Path, full: &Path, real: &Path) {
        let Ok(target) = std::fs::read_link(full) else {
            return;
        };
        let list = match full.canonicalize() {
            _ if leads_out(path, &target) => &mut self.leading_out,
            Err(_) => &mut self.broken,
            Ok(_) if target.is_relative() => return,
            Ok(there) if there.starts_with(real) => &mut self.to_original,
            Ok(_) => &mut self.absolute,
        };
        list.push(path.to_owned());
    }

    /// Returns two files whose names differ only in upper and lower case.
    pub fn alike(&self) -> Option<[&Path; 2]> {
        let mut known: HashMap<String, &Path> = HashMap::new();
        let all = self.files.iter().chain(&self.fixed);
        all.into_iter().find_map(|path| {
            let name = path.to_string_lossy().to_lowercase();
            known
                .insert(name, path)
                .map(|other| [other, path.as_path()])
        })
    }
}

/// Returns whether a link with the given target leads out of the folder to reduce by a relative
/// path.
fn leads_out(path: &Path, target: &Path) -> bool {
    let mut depth = path.components().count() - 1;
    for part in target.components() {
        match part {
            Component::RootDir | Component::Prefix(_) => return false,
            Component::CurDir => {}
            Component::Normal(_) => depth += 1,
            Component::ParentDir if depth == 0 => return true,
            Component::ParentDir => depth -= 1,
        }
    }
    false
}

/// Returns the user's files that are part of the test: the program, and the script that a shell
/// runs. Such files are not reduced, since a reduced test would soon accept every candidate.
pub fn test_files(test: &TestSettings, project: Option<&Path>) -> HashSet<PathBuf> {
    const SHELLS: [&str; 5] = ["sh", "bash", "dash", "ksh", "zsh"];
    let program = test
        .program
        .clone()
        .or(test.command.first().map(PathBuf::from));
    let is_shell = program
        .as_deref()
        .and_then(Path::file_name)
        .is_some_and(|name| SHELLS.iter().any(|shell| name == *shell));
    let mut words = test.command.iter().skip(1);
    let script = words.find(|word| !word.to_string_lossy().starts_with('-'));
    let script = script.filter(|_| is_shell).map(PathBuf::from);
    let in_place = |path: &PathBuf| path.components().count() > 1 || Some(path) == script.as_ref();
    let files = [program.clone(), script.clone()].into_iter().flatten();
    // With `--in`, the test runs in the project.
    let places = [Some(Path::new("")), project].into_iter().flatten();
    files
        .filter(in_place)
        .flat_map(|path| places.clone().map(move |place| place.join(&path)))
        .filter_map(|path| path.canonicalize().ok())
        .collect()
}

pub fn cannot_read(path: &Path, error: &io::Error) -> Problem {
    let what = format!("cannot read `{}`", path.display());
    Problem::new(Exit::Input, what)
        .because(error)
        .hint("`--exclude PATTERN` leaves files of a folder out; the test does not see them")
}

fn too_much(root: &Path, bytes: u64) -> Problem {
    let root = root.display();
    let what = if bytes >= MAX_BYTES {
        format!("`{root}` is larger than 4 GiB, the most that nubbin can reduce")
    } else {
        format!("`{root}` has more than {MAX_FILES} files, the most that nubbin can reduce")
    };
    Problem::new(Exit::Input, what)
        .hint("`--exclude PATTERN` leaves files out; `--fixed PATTERN` gives them to the test as they are")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(texts: &[&str]) -> Globs {
        let texts: Vec<String> = texts.iter().map(|&text| text.into()).collect();
        Globs::new("--fixed", &texts).unwrap()
    }

    fn shown(paths: &[PathBuf]) -> Vec<&str> {
        paths.iter().map(|path| path.to_str().unwrap()).collect()
    }

    #[test]
    fn everything_in_a_folder_has_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for dir in ["src/deep", "empty/inner", ".git/refs", "docs", "gone"] {
            std::fs::create_dir_all(root.join(dir)).unwrap();
        }
        for file in [
            "a.c",
            "src/b.c",
            "src/deep/c.h",
            ".git/HEAD",
            "docs/x.md",
            "gone/o",
            "z",
        ] {
            std::fs::write(root.join(file), file).unwrap();
        }
        let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, root.join(name)).unwrap();
        link("../a.c", "src/in");
        link("../../other", "src/out");
        link("/etc/hosts", "far");
        link(root.join("a.c").to_str().unwrap(), "back");
        link("nowhere", "nil");
        link("loop", "loop");
        std::fs::write(root.join("A.c"), "").unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
        let mut rules = Rules {
            fixed: globs(&["docs/", "none"]),
            only: Globs::default(),
            exclude: globs(&["gone/*"]),
            tests: HashSet::from([root.join("z").canonicalize().unwrap()]),
            ..Rules::default()
        };
        let tree = walk(root, &mut rules).unwrap();
        assert_eq!(
            shown(&tree.files),
            ["A.c", "a.c", "src/b.c", "src/deep/c.h"]
        );
        assert_eq!(
            shown(&tree.fixed),
            [
                "back",
                "docs/x.md",
                "far",
                "loop",
                "nil",
                "src/in",
                "src/out",
                "z"
            ]
        );
        assert_eq!(shown(&tree.folders), ["empty/inner", "gone"]);
        assert_eq!(shown(&tree.version_control), [".git"]);
        assert_eq!(shown(&tree.special), ["socket"]);
        assert_eq!(shown(&tree.leading_out), ["src/out"]);
        assert_eq!(shown(&tree.absolute), ["far"]);
        assert_eq!(shown(&tree.to_original), ["back"]);
        assert_eq!(shown(&tree.broken), ["loop", "nil"]);
        assert_eq!(tree.alike(), Some([Path::new("A.c"), Path::new("a.c")]));
        assert_eq!(shown(&tree.tests), ["z"]);
        assert_eq!(tree.links, 6);
        assert_eq!(rules.fixed.unmet().collect::<Vec<_>>(), ["none"]);
        assert_eq!(rules.exclude.unmet().count(), 0);
        rules.fixed = globs(&[".git"]);
        let tree = walk(root, &mut rules).unwrap();
        assert!(tree.fixed.contains(&".git/HEAD".into()) && tree.version_control.is_empty());
    }

    #[test]
    fn a_pattern_is_of_names_or_of_paths_from_the_folder() {
        let matches = |pattern: &str, path: &str| globs(&[pattern]).matches(Path::new(path));
        for (pattern, path) in [
            ("*.c", "src/a.c"),
            ("*.c", "a.c"),
            ("src/*.c", "src/a.c"),
            ("/a.c", "a.c"),
            ("./src/", "src"),
            ("src/**/*.c", "src/x/y/a.c"),
            ("{a,b}.c", "b.c"),
        ] {
            assert!(matches(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("/a.c", "src/a.c"),
            ("src/*.c", "src/x/a.c"),
            ("b/a.c", "src/b/a.c"),
            ("a", "ab"),
        ] {
            assert!(!matches(pattern, path), "{pattern} {path}");
        }
        assert!(Globs::new("--fixed", &["[".into()]).is_err());
    }
}
