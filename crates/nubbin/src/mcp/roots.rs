//! The folders from which a client may name paths.

use super::error::ToolError;
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Component, Path, PathBuf};

/// Folders, as paths without links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Roots(Vec<PathBuf>);

impl Roots {
    /// Creates roots from folders whose paths have no links.
    pub(super) fn of(folders: &[PathBuf]) -> Self {
        Roots(folders.to_vec())
    }

    /// Creates roots from `file:` addresses. Leaves out other addresses, folders that do not exist,
    /// and the root of the file system.
    pub(super) fn named(addresses: impl Iterator<Item = String>) -> Self {
        let folders = addresses.filter_map(|address| path_of(&address)?.canonicalize().ok());
        Roots(folders.filter(|path| path.parent().is_some()).collect())
    }

    /// Creates a root from the current folder.
    ///
    /// The root of the file system is not used as a root: desktop programs start servers with this
    /// current folder.
    pub(super) fn here() -> Self {
        let here = std::env::current_dir().and_then(|here| here.canonicalize());
        let here = here.ok().filter(|here| here.parent().is_some());
        Roots(here.into_iter().collect())
    }

    /// Returns the folder at an absolute path, without links.
    ///
    /// # Errors
    /// Returns [`ToolError::Relative`] if the path is relative, and the errors of [`Roots::path`].
    pub(super) fn folder(&self, path: &Path) -> Result<PathBuf, ToolError> {
        match path.is_absolute() {
            true => self.path(Path::new("/"), path),
            false => Err(ToolError::Relative {
                path: path.to_owned(),
            }),
        }
    }

    /// Returns a path without links. The last part need not exist, as for the path of a result.
    ///
    /// # Errors
    /// Returns [`ToolError::Outside`] if the path is neither a root nor below one, and
    /// [`ToolError::Unreadable`] if its links cannot be resolved.
    pub(super) fn path(&self, folder: &Path, path: &Path) -> Result<PathBuf, ToolError> {
        let whole = folder.join(path);
        let real = without_links(&whole).map_err(|source| ToolError::Unreadable {
            path: whole,
            source,
        })?;
        match self.0.iter().any(|root| real.starts_with(root)) {
            true => Ok(real),
            false => Err(ToolError::Outside { path: real }),
        }
    }
}

/// Resolves the links of a path whose last part may be absent.
fn without_links(path: &Path) -> io::Result<PathBuf> {
    path.canonicalize().or_else(|error| {
        let name = path.components().next_back();
        match (name, path.parent()) {
            // A write would follow a dangling link.
            (Some(Component::Normal(name)), Some(parent)) if !path.is_symlink() => {
                Ok(parent.canonicalize()?.join(name))
            }
            _ => Err(error),
        }
    })
}

/// Returns the path of a `file:` address on this machine.
fn path_of(address: &str) -> Option<PathBuf> {
    let rest = address.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let mut bytes = rest.bytes();
    let mut path = vec![];
    while let Some(byte) = bytes.next() {
        path.push(match byte {
            b'%' => {
                let digits = [bytes.next()?, bytes.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    let path = PathBuf::from(OsString::from_vec(path));
    path.is_absolute().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_files_are_paths() {
        for (address, path) in [
            ("file:///a/b%20c", Some("/a/b c")),
            ("file://localhost/a", Some("/a")),
            ("file://other/a", None),
            ("https://a/b", None),
            ("file:///a%2", None),
            ("file:///a%zz", None),
        ] {
            assert_eq!(path_of(address), path.map(PathBuf::from), "{address}");
        }
    }

    #[test]
    fn neither_links_nor_parents_lead_out_of_a_root() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let (inside, outside) = (base.join("inside"), base.join("outside"));
        for folder in [&inside, &outside] {
            std::fs::create_dir(folder).unwrap();
        }
        let link = |to: PathBuf, name: &str| {
            std::os::unix::fs::symlink(to, inside.join(name)).unwrap();
        };
        link(outside.clone(), "link");
        link(outside.join("new"), "dangling");
        link(inside.join("file"), "inner");
        std::fs::write(inside.join("file"), "").unwrap();
        let roots = Roots::of(std::slice::from_ref(&inside));
        for (path, real) in [
            ("new.txt", "new.txt"),
            ("inner", "file"),
            ("./file", "file"),
        ] {
            let found = roots.path(&inside, Path::new(path)).unwrap();
            assert_eq!(found, inside.join(real), "{path}");
        }
        let refused = |path: &str| roots.path(&inside, Path::new(path)).unwrap_err();
        for path in [
            "..",
            "../outside",
            "../outside/a",
            "link",
            "link/a",
            "/etc/passwd",
        ] {
            let error = refused(path);
            assert!(
                matches!(error, ToolError::Outside { .. }),
                "{path}: {error}"
            );
        }
        for path in ["dangling", "absent/a", "absent/../.."] {
            let error = refused(path);
            assert!(
                matches!(error, ToolError::Unreadable { .. }),
                "{path}: {error}"
            );
        }
    }

    #[test]
    fn a_folder_is_absolute() {
        let error = Roots::here().folder(Path::new("src")).unwrap_err();
        assert!(matches!(error, ToolError::Relative { .. }), "{error}");
    }
}
