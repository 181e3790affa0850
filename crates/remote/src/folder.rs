//! Folders in the form that a worker gets: trees of messages, each identified by the digest of its
//! content.

use crate::blob::Blob;
use bazel_remote_apis::build::bazel::remote::execution::v2::{
    Digest, Directory, DirectoryNode, FileNode, SymlinkNode,
};
use std::collections::BTreeMap;
use std::path::{Component, Path};
use std::{fs, io};

/// A folder that is to be made on a worker.
///
/// The names in it are sorted, as the protocol demands, so that one content has one digest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folder {
    files: BTreeMap<String, File>,
    folders: BTreeMap<String, Sub>,
    links: BTreeMap<String, String>,
}

#[derive(Clone, Debug)]
struct File {
    digest: Digest,
    is_executable: bool,
}

#[derive(Clone, Debug)]
enum Sub {
    Open(Folder),
    /// A folder whose digest is known and whose content does not change any more.
    Sealed(Digest),
}

impl Folder {
    /// Adds a file and returns whether there was room: no folder has its name.
    pub(crate) fn file(&mut self, path: &Path, digest: Digest, is_executable: bool) -> bool {
        self.place(path, |folder, name| {
            folder.links.remove(&name);
            let file = File {
                digest,
                is_executable,
            };
            folder.files.insert(name, file);
        })
    }

    pub(crate) fn link(&mut self, path: &Path, target: &Path) -> bool {
        let Some(target) = target.to_str() else {
            return false;
        };
        self.place(path, |folder, name| {
            folder.links.insert(name, target.to_owned());
        })
    }

    /// Adds an empty folder, unless there is one.
    pub(crate) fn folder(&mut self, path: &Path) -> bool {
        path.as_os_str().is_empty()
            || self.place(path, |folder, name| {
                let empty = || Sub::Open(Folder::default());
                folder.folders.entry(name).or_insert_with(empty);
            })
    }

    /// Adds a folder whose digest is known.
    pub(crate) fn sealed(&mut self, name: String, digest: Digest) {
        self.folders.insert(name, Sub::Sealed(digest));
    }

    /// Adds a file or folder of this machine, except for files that were added already, and the
    /// blobs of its files.
    pub(crate) fn copy(&mut self, from: &Path, to: &Path, blobs: &mut Vec<Blob>) -> io::Result<()> {
        let meta = fs::symlink_metadata(from)?;
        let lost = || {
            let what = format!("`{}` cannot be placed on a worker", from.display());
            io::Error::new(io::ErrorKind::InvalidInput, what)
        };
        let added = if meta.is_dir() {
            let mut added = self.folder(to);
            for entry in fs::read_dir(from)? {
                let entry = entry?;
                self.copy(&entry.path(), &to.join(entry.file_name()), blobs)?;
                added &= true;
            }
            added
        } else if self.has(to) {
            true
        } else if meta.is_symlink() {
            self.link(to, &fs::read_link(from)?)
        } else if meta.is_file() {
            let blob = Blob::of_file(from)?;
            let digest = blob.digest.clone();
            blobs.push(blob);
            self.file(to, digest, is_executable(&meta))
        } else {
            // A socket or a pipe has no use on another machine.
            true
        };
        added.then_some(()).ok_or_else(lost)
    }

    /// Computes the digests of all inner folders that contain none of the given files, so that
    /// these digests are not computed again for each candidate.
    pub(crate) fn seal_except<'p>(
        &mut self,
        files: impl Iterator<Item = &'p Path> + Clone,
        blobs: &mut Vec<Blob>,
    ) {
        for (name, sub) in &mut self.folders {
            let inside = files
                .clone()
                .filter_map(|file| file.strip_prefix(name).ok());
            if let Sub::Open(folder) = sub {
                if inside.clone().next().is_none() {
                    *sub = Sub::Sealed(folder.seal(blobs));
                } else {
                    let inside: Vec<&Path> = inside.collect();
                    folder.seal_except(inside.iter().copied(), blobs);
                }
            }
        }
    }

    /// Returns the digest of the folder, and adds the messages of the folder and of all in it.
    pub(crate) fn seal(&self, blobs: &mut Vec<Blob>) -> Digest {
        let files = self.files.iter().map(|(name, file)| FileNode {
            name: name.clone(),
            digest: Some(file.digest.clone()),
            is_executable: file.is_executable,
            node_properties: None,
        });
        let folders = self.folders.iter().map(|(name, sub)| DirectoryNode {
            name: name.clone(),
            digest: Some(match sub {
                Sub::Open(folder) => folder.seal(blobs),
                Sub::Sealed(digest) => digest.clone(),
            }),
        });
        let links = self.links.iter().map(|(name, target)| SymlinkNode {
            name: name.clone(),
            target: target.clone(),
            node_properties: None,
        });
        let blob = Blob::of_message(&Directory {
            files: files.collect(),
            directories: folders.collect(),
            symlinks: links.collect(),
            node_properties: None,
        });
        let digest = blob.digest.clone();
        blobs.push(blob);
        digest
    }

    fn has(&self, path: &Path) -> bool {
        let mut folder = self;
        let mut names = names(path).into_iter().flatten().peekable();
        while let Some(name) = names.next() {
            if names.peek().is_none() {
                return folder.files.contains_key(&name) || folder.links.contains_key(&name);
            }
            match folder.folders.get(&name) {
                Some(Sub::Open(inner)) => folder = inner,
                _ => return false,
            }
        }
        false
    }

    fn place(&mut self, path: &Path, add: impl FnOnce(&mut Folder, String)) -> bool {
        let Some(mut names) = names(path) else {
            return false;
        };
        let Some(last) = names.pop() else {
            return false;
        };
        let mut folder = self;
        for name in names {
            let empty = || Sub::Open(Folder::default());
            match folder.folders.entry(name).or_insert_with(empty) {
                Sub::Open(inner) => folder = inner,
                Sub::Sealed(_) => return false,
            }
        }
        add(folder, last);
        true
    }
}

/// The names of a path without its root; `None` if one of them leads elsewhere or is not UTF-8,
/// which the protocol demands.
fn names(path: &Path) -> Option<Vec<String>> {
    let parts = path
        .components()
        .filter(|part| !matches!(part, Component::RootDir | Component::CurDir));
    let names = parts.map(|part| match part {
        Component::Normal(name) => name.to_str().map(str::to_owned),
        _ => None,
    });
    names.collect()
}

fn is_executable(meta: &fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        meta.permissions().mode() & 0o111 != 0
    }
    #[cfg(not(unix))]
    {
        let _ = meta;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blob::digest;
    use proptest::prelude::*;

    #[test]
    fn an_empty_folder_has_the_digest_of_nothing() {
        let mut blobs = vec![];
        assert_eq!(Folder::default().seal(&mut blobs), digest(b""));
    }

    #[test]
    fn a_name_that_leads_elsewhere_has_no_place() {
        let mut folder = Folder::default();
        assert!(!folder.file(Path::new("../x"), digest(b""), false));
        assert!(!folder.file(Path::new(""), digest(b""), false));
        assert!(folder.file(Path::new("/a/./b"), digest(b""), false));
        assert!(folder.has(Path::new("a/b")));
    }

    #[test]
    fn a_copy_keeps_links_and_permissions_and_does_not_replace() {
        let dir = tempfile::tempdir().unwrap();
        let from = dir.path();
        fs::create_dir(from.join("inner")).unwrap();
        fs::write(from.join("inner/t.sh"), "new").unwrap();
        fs::write(from.join("own"), "new").unwrap();
        let mut folder = Folder::default();
        folder.file(Path::new("at/own"), digest(b"candidate"), false);
        let mut blobs = vec![];
        folder.copy(from, Path::new("at"), &mut blobs).unwrap();
        assert_eq!(blobs.len(), 1);
        let Some(Sub::Open(at)) = folder.folders.get("at") else {
            panic!("no folder");
        };
        assert_eq!(at.files["own"].digest, digest(b"candidate"));
        assert!(folder.has(Path::new("at/inner/t.sh")));
    }

    proptest! {
        #[test]
        fn sealing_inner_folders_first_changes_no_digest(
            paths in prop::collection::btree_set("[abc](/[abc]){0,3}", 1..12),
            kept in 0usize..12,
        ) {
            let mut folder = Folder::default();
            for path in &paths {
                folder.file(Path::new(path), digest(path.as_bytes()), false);
            }
            let kept = paths.iter().nth(kept % paths.len()).unwrap();
            let (mut one, mut other) = (vec![], vec![]);
            let whole = folder.seal(&mut one);
            folder.seal_except(std::iter::once(Path::new(kept)), &mut other);
            prop_assert_eq!(folder.seal(&mut other), whole);
            let hashes = |blobs: &[Blob]| {
                let mut all: Vec<_> = blobs.iter().map(|blob| blob.digest.hash.clone()).collect();
                all.sort();
                all.dedup();
                all
            };
            prop_assert_eq!(hashes(&one), hashes(&other));
        }
    }
}
