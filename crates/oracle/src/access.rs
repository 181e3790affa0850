//! The access rights of files and folders that nubbin makes for tests.
//!
//! None of them depends on the umask: with a wide one other users could read the input, or forge
//! the result of a test; with a narrow one the test itself could not work. The umask that a test
//! inherits is not changed.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// The access rights of a file without a model.
pub(crate) const PRIVATE: u32 = 0o600;

/// The access rights of a candidate whose original has the rights `mode`. The owner can always read
/// and write it, since it is written again for every test.
pub(crate) fn of_candidate(mode: u32) -> u32 {
    mode & 0o777 | PRIVATE
}

/// Creates a folder that only its owner can enter. A folder that is there is left as it is.
pub(crate) fn make_dir(path: &Path) -> io::Result<()> {
    #[cfg_attr(not(unix), allow(unused_mut, reason = "only Unix has access rights"))]
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(path) {
        Ok(()) => set_mode(path, 0o700),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(error) => Err(error),
    }
}

/// Creates a folder with a unique name that only its owner can enter.
pub(crate) fn temporary_dir(
    base: &Path,
    prefix: &str,
    random: usize,
) -> io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).rand_bytes(random);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    let dir = builder.tempdir_in(base)?;
    set_mode(dir.path(), 0o700)?;
    Ok(dir)
}

/// Returns whether a folder has the access rights, the owner, and the attributes that [`make_dir`]
/// gave it.
#[cfg(unix)]
pub(crate) fn is_as_made(path: &Path, meta: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    meta.mode() & 0o7777 == 0o700
        && meta.uid() == rustix::process::geteuid().as_raw()
        && attributes(path).is_empty()
}

/// Gives a folder the access rights and attributes that [`make_dir`] gave it.
pub(crate) fn restore_dir(path: &Path, meta: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    if !is_as_made(path, meta) {
        #[cfg(target_os = "linux")]
        for name in attributes(path) {
            rustix::fs::lremovexattr(path, name)?;
        }
        set_mode(path, 0o700)?;
    }
    #[cfg(not(unix))]
    let _ = (path, meta);
    Ok(())
}

/// The names of the extended attributes that a test has given to a file or folder. A link is not
/// followed.
#[cfg(unix)]
pub(crate) fn attributes(path: &Path) -> Vec<std::ffi::CString> {
    #[cfg(target_os = "linux")]
    {
        // The whole list has at most 64 KiB, and usually nothing.
        let mut names = [0_u8; 256];
        let listed = match rustix::fs::llistxattr(path, &mut names) {
            Ok(length) => names[..length].to_vec(),
            Err(rustix::io::Errno::RANGE) => {
                let mut all = vec![0; 64 << 10];
                let length = rustix::fs::llistxattr(path, &mut all).unwrap_or(0);
                all.truncate(length);
                all
            }
            // The file system does not support attributes.
            Err(_) => Vec::new(),
        };
        of_tests(&listed)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = path;
        Vec::new()
    }
}

/// The names in a list of attributes that are not the system's own. The others are labels of
/// security modules, which every file has.
#[cfg(target_os = "linux")]
fn of_tests(listed: &[u8]) -> Vec<std::ffi::CString> {
    const FROM_TESTS: [&[u8]; 3] = [b"user.", b"trusted.", b"system.posix_acl_"];
    let names = listed.split(|&byte| byte == 0);
    names
        .filter(|name| FROM_TESTS.iter().any(|start| name.starts_with(start)))
        .filter_map(|name| std::ffi::CString::new(name).ok())
        .collect()
}

/// Creates the folder `below` inside `root`, and the folders between them. `root` itself must
/// exist: a folder that was removed is not created again.
pub(crate) fn make_dirs(root: &Path, below: &Path) -> io::Result<()> {
    let mut dir = root.to_owned();
    for part in below {
        dir.push(part);
        make_dir(&dir)?;
    }
    Ok(())
}

/// Creates a new file with the given access rights.
pub(crate) fn make_file(path: &Path, mode: u32) -> io::Result<File> {
    #[expect(clippy::disallowed_methods, reason = "this is the one function")]
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, PRIVATE);
    let file = options.open(path)?;
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode))?;
    #[cfg(not(unix))]
    let _ = mode;
    Ok(file)
}

/// Copies a file with its access rights. At no time has the copy more of them.
pub(crate) fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    #[expect(clippy::disallowed_methods, reason = "this is the one function")]
    fs::copy(from, to).map(drop)
}

/// Returns options that open an existing file. These options never create a file.
pub(crate) fn to_open() -> fs::OpenOptions {
    #[expect(clippy::disallowed_methods, reason = "no file is made")]
    fs::OpenOptions::new()
}

/// Returns options that open a file that a test may have replaced: no link is followed, and no pipe
/// is waited for. These options never create a file.
pub(crate) fn to_open_left() -> fs::OpenOptions {
    #[cfg_attr(not(unix), allow(unused_mut, reason = "only Unix has these flags"))]
    let mut options = to_open();
    #[cfg(unix)]
    {
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags.bits().cast_signed());
    }
    options
}

pub(crate) fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    #[cfg(unix)]
    {
        fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))
    }
    #[cfg(not(unix))]
    {
        let _ = (path, mode);
        Ok(())
    }
}
