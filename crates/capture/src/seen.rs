//! The parts of a project that a command has used, by their roles.

use super::access::{Access, Act};
use super::resolve::resolve;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The files and folders that a command has used. Paths of the project are relative to its root,
/// all others are absolute.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// The files of the project that the command needs: those that it read or looked at before it
    /// wrote them.
    pub(super) files: BTreeSet<PathBuf>,
    /// The files of the project that the command ran as programs.
    pub(super) programs: BTreeSet<PathBuf>,
    /// The links of the project on the ways to all these.
    pub(super) links: BTreeSet<PathBuf>,
    /// The folders of the project that the command used, and those that it wrote into, if they
    /// existed before.
    pub(super) folders: BTreeSet<PathBuf>,
    /// The existing files that the command itself wrote.
    pub(super) generated: BTreeSet<PathBuf>,
    /// The files that the command read and then changed. The content that it read is lost.
    pub(super) changed: BTreeSet<PathBuf>,
    /// The files that the command read and then removed.
    pub(super) removed: BTreeSet<PathBuf>,
    /// The parts of folders of version control.
    pub(super) version_control: BTreeSet<PathBuf>,
    /// Files of the system and of the tools that were run.
    pub(super) system: BTreeSet<PathBuf>,
    /// Other files outside of the project.
    pub(super) elsewhere: BTreeSet<PathBuf>,
    /// The folders of the project that the command made.
    made: BTreeSet<PathBuf>,
}

/// The facts about a path from the first use to the last.
#[derive(Clone, Copy, Debug)]
struct Use {
    /// Whether the path was there before the command began.
    was_there: bool,
    /// Whether it was read before it was changed.
    is_read: bool,
    is_changed: bool,
    is_run: bool,
}

/// The folder of the project, and its files that are not part of the project.
#[derive(Debug)]
pub(super) struct Project<'a> {
    /// The root, without links.
    pub(super) root: &'a Path,
    /// Folders whose contents are no part of the project, such as an earlier capture.
    pub(super) without: &'a [PathBuf],
    /// The names of folders of version control, and of nubbin's own.
    pub(super) version_control: &'a [&'a str],
}

/// Folders of the system.
const SYSTEM: [&str; 15] = [
    "/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/etc", "/opt", "/proc", "/sys", "/dev",
    "/nix", "/var", "/run", "/snap",
];

impl Seen {
    /// Sorts the uses of a command, in the order in which they happened.
    pub(super) fn of(accesses: &[Access], project: &Project<'_>) -> Self {
        let mut seen = Seen::default();
        let mut places: HashMap<&Path, Option<PathBuf>> = HashMap::new();
        let mut uses: BTreeMap<PathBuf, Use> = BTreeMap::new();
        let mut made_links: BTreeSet<PathBuf> = BTreeSet::new();
        for Access { path, act } in accesses {
            if *act == Act::Link {
                let folder = path.parent().and_then(resolve);
                let link = folder.zip(path.file_name());
                made_links.extend(link.map(|(folder, name)| folder.path.join(name)));
                continue;
            }
            let place = places.entry(path).or_insert_with(|| {
                let resolved = resolve(path)?;
                let links = resolved.links.iter();
                let links = links.filter_map(|link| link.strip_prefix(project.root).ok());
                seen.links.extend(links.map(Path::to_owned));
                Some(resolved.path)
            });
            let Some(place) = place else {
                continue;
            };
            let was_there = !matches!(act, Act::Write);
            let first = Use {
                was_there,
                is_read: false,
                is_changed: false,
                is_run: false,
            };
            let it = uses.entry(place.clone()).or_insert(first);
            it.is_read |= !it.is_changed && matches!(act, Act::Read | Act::Run | Act::Change);
            it.is_run |= matches!(act, Act::Run);
            it.is_changed |= matches!(act, Act::Write | Act::Change | Act::Remove);
        }
        seen.links
            .retain(|link| !made_links.contains(&project.root.join(link)));
        let tools = tools(accesses, project);
        for (path, it) in uses {
            if project
                .without
                .iter()
                .any(|folder| path.starts_with(folder))
            {
                continue;
            }
            match path.strip_prefix(project.root) {
                Ok(within) => seen.add(within, &path, it, project),
                Err(_) if it.was_there && it.is_read && path.is_file() => {
                    let folders = SYSTEM.iter().map(Path::new);
                    let mut folders = folders.chain(tools.iter().map(PathBuf::as_path));
                    match folders.any(|folder| path.starts_with(folder)) {
                        true => seen.system.insert(path),
                        false => seen.elsewhere.insert(path),
                    };
                }
                Err(_) => {}
            }
        }
        seen
    }

    /// Adds a path of the project. Paths must be added in sorted order, each folder before its
    /// contents.
    fn add(&mut self, within: &Path, path: &Path, it: Use, project: &Project<'_>) {
        let is_control = |part: &&Path| {
            let name = part.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| project.version_control.contains(&name))
        };
        if let Some(control) = within.ancestors().filter(is_control).last() {
            self.version_control.insert(control.to_owned());
            return;
        }
        let within = within.to_owned();
        // A file that the command checked and then wrote is a target of the build.
        let is_own = it.is_changed && !(it.was_there && it.is_read);
        match (path.is_dir(), is_own) {
            (true, true) => {
                self.made.insert(within);
            }
            (true, false) => {
                self.folders.insert(within);
            }
            (false, true) => {
                // The command needs the folder into which it writes, unless it creates the folder.
                if let Some(folder) = within.parent()
                    && !folder.ancestors().any(|above| self.made.contains(above))
                {
                    self.folders.insert(folder.to_owned());
                }
                if path.is_file() {
                    self.generated.insert(within);
                }
            }
            (false, false) if path.is_file() => {
                if it.is_changed {
                    self.changed.insert(within.clone());
                }
                if it.is_run {
                    self.programs.insert(within.clone());
                }
                self.files.insert(within);
            }
            (false, false) if it.is_read && it.is_changed => {
                self.removed.insert(within);
            }
            (false, false) => {}
        }
    }
}

/// Returns the folders of the programs that were run: with `/a/bin/tool`, the folder `/a`.
fn tools(accesses: &[Access], project: &Project<'_>) -> BTreeSet<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let programs = accesses.iter().filter(|access| access.act == Act::Run);
    let folders = programs.filter_map(|access| {
        let program = resolve(&access.path)?.path;
        let folder = program.parent()?;
        let above = folder.parent().filter(|_| folder.ends_with("bin"));
        let above = above.filter(|above| Some(*above) != home.as_deref());
        let folder = above.unwrap_or(folder);
        // A folder that contains the project, or lies in it, is not a part of the system.
        let is_wide = project.root.starts_with(folder) || folder.starts_with(project.root);
        (!is_wide).then(|| folder.to_owned())
    });
    folders.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn names(paths: &BTreeSet<PathBuf>) -> Vec<&str> {
        paths.iter().map(|path| path.to_str().unwrap()).collect()
    }

    #[test]
    fn each_file_has_the_role_of_its_first_use() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let root = base.join("p");
        for file in [
            "a.c",
            "old.o",
            "lib.a",
            "made/x.h",
            "out/a.o",
            ".git/HEAD",
            "cap/a.c",
            "../far",
        ] {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        symlink("a.c", root.join("l.c")).unwrap();
        symlink("../far", root.join("far")).unwrap();
        symlink("a.c", root.join("new.c")).unwrap();
        let accesses: Vec<Access> = [
            ("a.c", Act::Read),
            ("l.c", Act::Look),
            ("none.c", Act::Look),
            ("old.o", Act::Look),
            ("old.o", Act::Write),
            ("old.o", Act::Read),
            ("lib.a", Act::Read),
            ("lib.a", Act::Write),
            ("gone.c", Act::Read),
            ("gone.c", Act::Remove),
            ("gone.o", Act::Remove),
            ("made", Act::Write),
            ("made/x.h", Act::Write),
            ("made/x.h", Act::Read),
            ("out/a.o", Act::Write),
            (".git/HEAD", Act::Read),
            ("cap/a.c", Act::Read),
            ("far", Act::Read),
            ("new.c", Act::Link),
            ("new.c", Act::Look),
            ("/bin/sh", Act::Run),
            ("l.c", Act::Run),
        ]
        .map(|(name, act)| Access {
            path: root.join(name),
            act,
        })
        .into();
        let without = [root.join("cap")];
        let project = Project {
            root: &root,
            without: &without,
            version_control: &[".git"],
        };
        let seen = Seen::of(&accesses, &project);
        assert_eq!(names(&seen.files), ["a.c", "lib.a"]);
        assert_eq!(names(&seen.programs), ["a.c"]);
        assert_eq!(names(&seen.links), ["far", "l.c"]);
        assert_eq!(names(&seen.folders), ["", "out"]);
        assert_eq!(names(&seen.generated), ["made/x.h", "old.o", "out/a.o"]);
        assert_eq!(names(&seen.changed), ["lib.a"]);
        assert_eq!(names(&seen.removed), ["gone.c"]);
        assert_eq!(names(&seen.version_control), [".git"]);
        assert_eq!(seen.elsewhere, [base.join("far")].into());
        assert_eq!(seen.system.len(), 1);
    }
}
