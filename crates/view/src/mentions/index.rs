//! The files of an input by their names.

use nubbin_edit::{File, Input};
use rustc_hash::FxHashMap;
use std::path::{Component, Path, PathBuf};

/// The files by their names.
pub(super) struct Index<'a> {
    pub(super) files: Vec<File<'a>>,
    /// The files by the last part of their names, without the extension.
    pub(super) by_stem: FxHashMap<&'a str, Vec<usize>>,
    /// The files that stand for their folder, by the last part of its name.
    pub(super) by_folder: FxHashMap<&'a str, Vec<usize>>,
    pub(super) by_path: FxHashMap<&'a Path, usize>,
    /// Descriptions of packages, by the last part of the folder that each is in.
    pub(super) by_package: FxHashMap<&'a str, Vec<usize>>,
}

/// Files that describe a package, and name the packages that it needs.
pub(super) const DESCRIPTIONS: [&str; 2] = ["package.json", "Cargo.toml"];

/// Files that stand for their own folder.
pub(super) const OF_FOLDERS: [&str; 5] = ["mod", "__init__", "index", "init", "lib"];

/// The endings of files that a build makes of others.
pub(super) const OBJECTS: [&str; 3] = ["o", "obj", "lo"];

impl<'a> Index<'a> {
    pub(super) fn of(input: &'a Input) -> Self {
        let mut index = Index {
            files: input.present().collect(),
            by_stem: FxHashMap::default(),
            by_folder: FxHashMap::default(),
            by_path: FxHashMap::default(),
            by_package: FxHashMap::default(),
        };
        let utf8 = |part: Option<&'a std::ffi::OsStr>| part.and_then(|part| part.to_str());
        for at in 0..index.files.len() {
            let name = index.files[at].name;
            index.by_path.insert(name, at);
            if let Some(stem) = utf8(name.file_stem()) {
                index.by_stem.entry(stem).or_default().push(at);
                let folder = name.parent().and_then(|folder| utf8(folder.file_name()));
                if let Some(folder) = folder.filter(|_| OF_FOLDERS.contains(&stem)) {
                    index.by_folder.entry(folder).or_default().push(at);
                }
                if let Some(folder) = folder.filter(|_| describes(name)) {
                    index.by_package.entry(folder).or_default().push(at);
                }
            }
        }
        index
    }

    /// Returns the file that a path with an extension names, as a file in `from` would.
    pub(super) fn path(&self, from: &File<'_>, word: &str) -> Option<usize> {
        let path = Path::new(word);
        let extension = path.extension()?.to_str()?;
        let stem = path.file_stem()?.to_str()?;
        let all = self.by_stem.get(stem)?;
        let is_object = OBJECTS.contains(&extension);
        let plain = without_dots(path);
        let fits = |at: &usize| {
            let name = self.files[*at].name;
            match is_object {
                true => {
                    let ending = name.extension().and_then(|ending| ending.to_str());
                    let is_header = ending.is_none_or(|ending| ending.starts_with('h'));
                    !is_header && name.with_extension("").ends_with(plain.with_extension(""))
                }
                false => name.ends_with(&plain),
            }
        };
        self.nearest(from, all.iter().copied().filter(fits))
    }

    /// Returns the file that describes a folder as `from` describes its own.
    pub(super) fn folder(&self, from: &File<'_>, word: &str) -> Option<usize> {
        let own = from.name.parent()?;
        let described = normal(&own.join(word).join(from.name.file_name()?))?;
        let at = *self.by_path.get(described.as_path())?;
        (self.files[at].number != from.number).then_some(at)
    }

    /// Returns the description of the package with the given name: the description in a folder of
    /// that name, for example in `node_modules` or `vendor`.
    pub(super) fn package(&self, from: &File<'_>, word: &str) -> Option<usize> {
        let last = word.rsplit('/').next()?;
        let all = self.by_package.get(last)?;
        let described = Path::new(word).join(from.name.file_name()?);
        let fits = |at: &usize| self.files[*at].name.ends_with(&described);
        self.nearest(from, all.iter().copied().filter(fits))
    }

    /// Returns the file of the module with this name, or of the module that defines the last parts
    /// of the name.
    pub(super) fn module(&self, from: &File<'_>, parts: &[&str], least: usize) -> Option<usize> {
        for len in (least.max(1)..=parts.len()).rev() {
            let parts = &parts[..len];
            let last = parts[len - 1];
            let path: PathBuf = parts.iter().collect();
            let fits = |at: &usize| self.files[*at].name.with_extension("").ends_with(&path);
            let of_folder = |at: &usize| {
                let folder = self.files[*at].name.parent();
                folder.is_some_and(|folder| folder.ends_with(&path))
            };
            let files = self.by_stem.get(last).into_iter().flatten().copied();
            let folders = self.by_folder.get(last).into_iter().flatten().copied();
            let found = files.filter(fits).chain(folders.filter(of_folder));
            if let Some(found) = self.nearest(from, found) {
                return Some(found);
            }
        }
        None
    }

    /// Returns the file next to `from`, or the file that has the most of its path in common with
    /// `from`, if it is the only such file.
    pub(super) fn nearest(
        &self,
        from: &File<'_>,
        found: impl Iterator<Item = usize>,
    ) -> Option<usize> {
        let common = |at: usize| {
            let theirs = self.files[at].name.components();
            let both = from.name.components().zip(theirs);
            both.take_while(|(own, other)| own == other).count()
        };
        let extension = |at: usize| self.files[at].name.extension() == from.name.extension();
        let others = found.filter(|&at| self.files[at].number != from.number);
        let mut ranked: Vec<_> = others
            .map(|at| {
                let beside = self.files[at].name.parent() == from.name.parent();
                ((extension(at), beside, common(at)), at)
            })
            .collect();
        ranked.sort_unstable_by(|one, other| other.cmp(one));
        match ranked[..] {
            [] => None,
            [(best, _), (next, _), ..] if best == next => None,
            [(_, at), ..] => Some(at),
        }
    }
}

/// Returns whether a file describes a package.
pub(super) fn describes(name: &Path) -> bool {
    let last = name.file_name().and_then(|last| last.to_str());
    last.is_some_and(|last| DESCRIPTIONS.contains(&last))
}

/// The path without its leading `.` and `..`.
pub(super) fn without_dots(path: &Path) -> PathBuf {
    let is_dots = |part: &Component<'_>| matches!(part, Component::CurDir | Component::ParentDir);
    path.components().skip_while(is_dots).collect()
}

/// The path without any `.` and `..`; `None` if it leaves the input.
pub(super) fn normal(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !normal.pop() {
                    return None;
                }
            }
            Component::Normal(part) => normal.push(part),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(normal)
}
