//! Paths without links, and the links on the way.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// The file to which a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Resolved {
    /// The path without links and without `..`. The file need not exist.
    pub(super) path: PathBuf,
    /// The links on the way, in their order, by paths that lead over no other link.
    pub(super) links: Vec<PathBuf>,
}

/// The number of links after which a path is taken for a loop, as Linux does.
const MOST_LINKS: usize = 40;

/// Follows all links of an absolute path. Returns `None` for a loop.
pub(super) fn resolve(path: &Path) -> Option<Resolved> {
    let mut rest = parts(path);
    let mut now = PathBuf::from("/");
    let mut links = Vec::new();
    while let Some(part) = rest.pop() {
        if part == ".." {
            now.pop();
            continue;
        }
        now.push(part);
        if let Ok(target) = std::fs::read_link(&now) {
            if links.len() == MOST_LINKS {
                return None;
            }
            links.push(now.clone());
            now.pop();
            if target.is_absolute() {
                now = PathBuf::from("/");
            }
            rest.extend(parts(&target));
        }
    }
    Some(Resolved { path: now, links })
}

/// Returns the names of a path, last first.
fn parts(path: &Path) -> Vec<OsString> {
    let parts = path.components().rev().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_followed_wherever_they_stand() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        std::fs::write(root.join("a/b/x"), "").unwrap();
        symlink("a/b", root.join("l")).unwrap();
        symlink("../l/x", root.join("a/y")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        let found = resolve(&root.join("./a/../a/y")).unwrap();
        assert_eq!(found.path, root.join("a/b/x"));
        assert_eq!(found.links, [root.join("a/y"), root.join("l")]);
        // `..` is the parent of the folder to which the link leads.
        assert_eq!(
            resolve(&root.join("l/../z")).unwrap().path,
            root.join("a/z")
        );
        assert_eq!(resolve(&root.join("loop/x")), None);
    }
}
