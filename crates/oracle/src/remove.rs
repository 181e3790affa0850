//! The removal of the files of a test, whatever their permissions.

use std::io;
use std::path::Path;

/// Removes a file, a symbolic link (not its target), or a whole folder, if there is one.
pub(crate) fn remove_any(path: &Path) -> io::Result<()> {
    let Some(meta) = gone_is_none(std::fs::symlink_metadata(path))? else {
        return Ok(());
    };
    let remove = || match meta.is_dir() {
        true => gone_is_none(std::fs::remove_dir_all(path)).map(drop),
        false => gone_is_none(std::fs::remove_file(path)).map(drop),
    };
    // The content of a folder without write or search permission cannot be removed, nor can a file
    // that root has made immutable. nubbin owns the folder, so it can restore the permissions.
    remove().or_else(|_| {
        open_up(path, &meta)?;
        remove()
    })
}

/// Removes everything inside a folder and keeps the folder.
pub(crate) fn empty(dir: &Path) -> io::Result<()> {
    let remove = || {
        for entry in std::fs::read_dir(dir)? {
            remove_any(&entry?.path())?;
        }
        Ok(())
    };
    remove().or_else(|_: io::Error| {
        allow_changes(dir);
        remove()
    })
}

/// Turns the error "no such file" into `None`, since a test may remove the file at the same time.
pub(crate) fn gone_is_none<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn open_up(dir: &Path, meta: &std::fs::Metadata) -> io::Result<()> {
    if meta.is_dir() || meta.is_file() {
        allow_changes(dir);
    }
    if !meta.is_dir() {
        return Ok(());
    }
    let mut permissions = meta.permissions();
    #[cfg(unix)]
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o700);
    #[cfg(not(unix))]
    permissions.set_readonly(false);
    std::fs::set_permissions(dir, permissions)?;
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        open_up(&entry.path(), &entry.metadata()?)?;
    }
    Ok(())
}

/// Takes the flags of a file or folder away that forbid its removal (`chattr +i`).
fn allow_changes(path: &Path) {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{IFlags, Mode, OFlags, ioctl_getflags, ioctl_setflags, open};
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let Ok(file) = open(path, flags, Mode::empty()) else {
            return;
        };
        let fixed = IFlags::IMMUTABLE | IFlags::APPEND;
        if let Ok(flags) = ioctl_getflags(&file)
            && flags.intersects(fixed)
        {
            // If this fails, the removal reports the error.
            let _ = ioctl_setflags(&file, flags - fixed);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = path;
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_tree_without_permissions_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("a/b");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::write(deep.join("c"), "").unwrap();
        for path in [&deep, &dir.path().join("a")] {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o000)).unwrap();
        }
        remove_any(&dir.path().join("a")).unwrap();
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_link_is_removed_and_its_target_stays() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("target");
        std::fs::create_dir(&target).unwrap();
        std::fs::write(target.join("precious"), "").unwrap();
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(&target, &link).unwrap();
        remove_any(&link).unwrap();
        assert!(target.join("precious").exists());
        assert!(!link.exists());
    }
}
