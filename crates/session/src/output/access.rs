//! The access rights of files that hold parts of an input.

use crate::anchor::make_dirs;
use crate::files::Source;
#[cfg(unix)]
use std::fs::Permissions;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// The access rights of files and folders that contain parts of inputs or facts about them. These
/// rights are the rights that all inputs grant, reduced by the umask as for every new file. The
/// owner can always read and write the files.
///
/// A result is not such a file: it has exactly the rights of its input, see
/// [`super::write::mode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    mode: u32,
}

const PRIVATE: u32 = 0o600;

/// The access rights of a file.
#[derive(Clone, Copy, Debug)]
pub enum Rights {
    /// The exact rights of an input; `None` on systems other than Unix.
    OfInput(Option<u32>),
    /// These rights, reduced by the umask.
    OfNew(Access),
}

impl Rights {
    /// Returns the rights of the files from which the rights of the folders above them are derived.
    pub(super) fn of_folders(self) -> Option<u32> {
        match self {
            Rights::OfInput(mode) => mode,
            Rights::OfNew(access) => Some(access.mode),
        }
    }

    /// Returns the mode with which the file is made, from which the umask takes some away.
    pub(super) fn at_first(self) -> u32 {
        match self {
            Rights::OfInput(_) => PRIVATE,
            Rights::OfNew(access) => access.mode,
        }
    }

    /// Returns the mode that the file has in the end, if the umask has no say in it.
    pub(super) fn exact(self) -> Option<u32> {
        match self {
            Rights::OfInput(mode) => mode,
            Rights::OfNew(_) => None,
        }
    }
}

impl From<Option<u32>> for Rights {
    fn from(mode: Option<u32>) -> Self {
        Rights::OfInput(mode)
    }
}

impl From<Access> for Rights {
    fn from(access: Access) -> Self {
        Rights::OfNew(access)
    }
}

impl Access {
    /// All rights, reduced by the umask.
    pub const ALL: Access = Access { mode: 0o666 };

    /// The rights of the owner only.
    pub const OWNER: Access = Access { mode: PRIVATE };

    /// Returns the rights of the given mode, reduced by the umask.
    #[cfg(unix)]
    pub fn with_mode(mode: u32) -> Self {
        Access { mode }
    }

    /// Returns the rights that all of the given files grant. Paths of missing files are ignored.
    /// Without any file, only the owner has rights.
    pub fn of<P: AsRef<Path>>(inputs: impl IntoIterator<Item = P>) -> Self {
        let modes = inputs.into_iter().filter_map(|path| mode_of(path.as_ref()));
        let common = modes.reduce(|one, other| one & other);
        Access {
            mode: common.unwrap_or(PRIVATE) & 0o666 | PRIVATE,
        }
    }

    /// Returns the rights that all files of the given sources grant.
    pub fn of_sources(sources: &[Source]) -> Self {
        Access::of(sources.iter().flat_map(|source| {
            let files = source.files().into_iter();
            files.map(|within| source.path_of(within))
        }))
    }

    /// Creates a file, or empties the existing file. Follows no link.
    #[cfg(unix)]
    pub fn create(self, path: &Path) -> io::Result<File> {
        #[expect(clippy::disallowed_methods, reason = "this is the one function")]
        let mut options = OpenOptions::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits() as i32);
        }
        self.open(path, options.write(true).truncate(true))
    }

    /// Opens a file to add to its end, and creates it if needed.
    pub fn append(self, path: &Path) -> io::Result<File> {
        #[expect(clippy::disallowed_methods, reason = "this is the one function")]
        let mut options = OpenOptions::new();
        self.open(path, options.append(true))
    }

    /// Creates a file that does not exist.
    pub fn create_new(self, path: &Path) -> io::Result<File> {
        #[expect(clippy::disallowed_methods, reason = "this is the one function")]
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        set_mode(&mut options, self.mode);
        options.open(path)
    }

    /// Writes a new file.
    pub fn write_new(self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.create_new(path)?.write_all(bytes)
    }

    /// Creates a folder, and the folders above it. Users who can read the files can enter the
    /// folder.
    pub fn make_dirs(self, path: &Path) -> io::Result<()> {
        make_dirs(path, Some(self.mode))
    }

    /// Creates a folder, or uses the existing folder. Returns whether it is empty.
    pub fn make_empty_dir(self, path: &Path) -> io::Result<bool> {
        self.make_dirs(path)?;
        Ok(std::fs::read_dir(path)?.next().is_none())
    }

    fn open(self, path: &Path, options: &mut OpenOptions) -> io::Result<File> {
        set_mode(options, self.mode);
        let file = options.create(true).open(path)?;
        self.narrow(&file)?;
        Ok(file)
    }

    /// Returns the mode with which files are created.
    pub fn mode(self) -> u32 {
        self.mode
    }

    /// Removes additional rights of a file that was just opened, like `narrow`.
    pub(super) fn narrowed(self, file: File) -> io::Result<File> {
        self.narrow(&file)?;
        Ok(file)
    }

    /// Removes additional rights of an existing file. A pipe or a device is not changed.
    #[cfg(unix)]
    fn narrow(self, file: &File) -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        let meta = file.metadata()?;
        let mode = meta.permissions().mode() & 0o777;
        if !meta.is_file() || mode & !self.mode & 0o066 == 0 {
            return Ok(());
        }
        file.set_permissions(Permissions::from_mode(mode & (self.mode | 0o700)))
    }

    #[cfg(not(unix))]
    fn narrow(self, _file: &File) -> io::Result<()> {
        Ok(())
    }
}

fn set_mode(options: &mut OpenOptions, mode: u32) {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, mode);
    #[cfg(not(unix))]
    let _ = (options, mode);
}

/// Returns the access rights of a file; 0 on systems other than Unix.
pub fn mode_of(path: &Path) -> Option<u32> {
    let permissions = std::fs::metadata(path).ok()?.permissions();
    #[cfg(unix)]
    let mode = std::os::unix::fs::PermissionsExt::mode(&permissions) & 0o777;
    #[cfg(not(unix))]
    let mode = {
        let _ = permissions;
        0
    };
    Some(mode)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_file_about_several_inputs_is_as_private_as_all_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let input = |name: &str, mode| {
            let path = folder.path().join(name);
            std::fs::write(&path, "").unwrap();
            std::fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            path
        };
        let open = input("open", 0o755);
        let group = input("group", 0o640);
        let read_only = input("read-only", 0o404);
        assert_eq!(Access::of([&open]).mode, 0o644);
        assert_eq!(Access::of([&open, &group]).mode, 0o640);
        assert_eq!(Access::of([&group, &read_only]).mode, 0o600);
        assert_eq!(Access::of([&open, &folder.path().join("none")]).mode, 0o644);
        assert_eq!(Access::of(Vec::<&Path>::new()).mode, 0o600);
    }

    #[test]
    fn an_existing_file_loses_rights_that_it_grants_beyond() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        for (before, after) in [(0o666, 0o640), (0o600, 0o600), (0o755, 0o740)] {
            std::fs::write(&path, "old").unwrap();
            std::fs::set_permissions(&path, Permissions::from_mode(before)).unwrap();
            drop(Access { mode: 0o640 }.append(&path).unwrap());
            let mode = mode_of(&path).unwrap();
            assert_eq!(mode, after, "{before:o} became {mode:o}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        }
    }
}
