use crate::exit::Exit;
use crate::output::Access;
use crate::problem::Problem;
use std::io;
use std::path::{Path, PathBuf};

/// An input of a folder.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The path in the folder.
    pub(super) name: PathBuf,
    pub(super) size: u64,
}

/// A folder of inputs, in the order of their names.
#[derive(Debug)]
pub(super) struct Corpus {
    folder: PathBuf,
    pub(super) entries: Vec<Entry>,
}

impl Corpus {
    /// Lists all files of a folder, and of those in it.
    pub(super) fn of(folder: &Path) -> Result<Self, Problem> {
        let mut entries = Vec::new();
        list(folder, Path::new(""), &mut entries).map_err(|error| {
            let what = format!("cannot read the folder `{}`", folder.display());
            Problem::new(Exit::Input, what).because(&error)
        })?;
        if entries.is_empty() {
            let what = format!("there is no input in `{}`", folder.display());
            return Err(Problem::new(Exit::Input, what));
        }
        entries.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(Corpus {
            folder: folder.to_owned(),
            entries,
        })
    }

    pub(super) fn path(&self, at: usize) -> PathBuf {
        self.folder.join(&self.entries[at].name)
    }

    pub(super) fn read(&self, at: usize) -> io::Result<Vec<u8>> {
        std::fs::read(self.path(at))
    }

    pub(super) fn largest(&self) -> u64 {
        let sizes = self.entries.iter().map(|entry| entry.size);
        sizes.max().unwrap_or(0)
    }

    /// Returns the name under which a program gets each input: with the extension that all share.
    pub(super) fn name_for_tests(&self) -> PathBuf {
        let mut extensions = self.entries.iter().map(|entry| entry.name.extension());
        let first = extensions.next().flatten();
        let name = PathBuf::from("input");
        match first.filter(|_| extensions.all(|other| other == first)) {
            Some(extension) => name.with_extension(extension),
            None => name,
        }
    }

    /// Copies some inputs to another folder.
    pub(super) fn copy(&self, chosen: &[usize], to: &Path) -> Result<(), Problem> {
        let paths = chosen.iter().map(|&at| &self.entries[at].name);
        let access = Access::of(paths.clone().map(|name| self.folder.join(name)));
        for name in paths {
            let target = to.join(name);
            let write = || {
                if let Some(folder) = target.parent() {
                    access.make_dirs(folder)?;
                }
                access.write_new(&target, &std::fs::read(self.folder.join(name))?)
            };
            write().map_err(|error| {
                let what = format!("cannot write `{}`", target.display());
                Problem::new(Exit::Output, what).because(&error)
            })?;
        }
        Ok(())
    }
}

fn list(folder: &Path, inside: &Path, found: &mut Vec<Entry>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder.join(inside))? {
        let entry = entry?;
        let name = inside.join(entry.file_name());
        let is_link = entry.file_type()?.is_symlink();
        let meta = std::fs::metadata(entry.path());
        let Ok(meta) = meta else {
            // The link has no target.
            continue;
        };
        // A link to a folder may lead back to the folder that is being listed.
        if meta.is_dir() && is_link {
            continue;
        }
        if meta.is_dir() {
            // Fuzzers keep their own state in hidden folders.
            if !entry.file_name().as_encoded_bytes().starts_with(b".") {
                list(folder, &name, found)?;
            }
        } else if meta.is_file() {
            let size = meta.len();
            found.push(Entry { name, size });
        }
    }
    Ok(())
}
