//! The files and texts that a test has written in its folder.

use crate::access;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The size in bytes of the largest text that is read.
const MAX_BYTES: u64 = 1 << 20;

/// The largest number of texts that are read.
const MAX_TEXTS: usize = 8;

/// The largest number of files that are looked at.
const MAX_FILES: usize = 256;

/// The maximum number of files that [`files`] returns. A program may write a file for each of its
/// processes.
const MAX_LEFT_FILES: usize = 4096;

/// The maximum number of bytes that [`files`] reads from all files together.
const MAX_BYTES_OF_FILES: u64 = 1 << 30;

/// A file in the folder of a test at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftFile {
    /// The name in the folder.
    pub name: OsString,
    /// The content, up to 1 GiB of all files together.
    pub bytes: Vec<u8>,
}

/// Returns the files directly in a folder of tests whose names are wanted, in the order of their
/// names. A file that cannot be read is left out, and so are files after the first 4096.
pub(crate) fn files(work: &Path, wanted: &dyn Fn(&OsStr) -> bool) -> Vec<LeftFile> {
    let entries = std::fs::read_dir(work).into_iter().flatten();
    let names = entries.filter_map(Result::ok).map(|it| it.file_name());
    // Folders are not listed in the order of names, so the first names are known only at the end.
    let mut first: BTreeSet<OsString> = BTreeSet::new();
    for name in names.filter(|name| wanted(name)) {
        first.insert(name);
        if first.len() > MAX_LEFT_FILES {
            first.pop_last();
        }
    }
    let mut room = MAX_BYTES_OF_FILES;
    let read = |name: OsString| {
        let file = access::to_open_left().read(true).open(work.join(&name));
        let file = file.ok()?;
        if !file.metadata().ok()?.is_file() {
            return None;
        }
        let mut bytes = vec![];
        file.take(room).read_to_end(&mut bytes).ok()?;
        room -= bytes.len() as u64;
        Some(LeftFile { name, bytes })
    };
    first.into_iter().filter_map(read).collect()
}

/// Returns the small texts in a folder of tests, and in the folders of some files in it, that were
/// not given to the test, in the order of their names. A file that cannot be read is left out.
pub(crate) fn written(
    work: &Path,
    beside: &[PathBuf],
    is_given: impl Fn(&Path) -> bool,
) -> Vec<Vec<u8>> {
    let mut folders: BTreeSet<&Path> = beside.iter().filter_map(|name| name.parent()).collect();
    folders.insert(Path::new(""));
    let mut names: Vec<PathBuf> = vec![];
    for folder in folders {
        let path = work.join(folder);
        // A test may have replaced a folder with a link.
        let is_folder = std::fs::symlink_metadata(&path).is_ok_and(|it| it.is_dir());
        let Some(entries) = std::fs::read_dir(path).ok().filter(|_| is_folder) else {
            continue;
        };
        let entries = entries.filter_map(Result::ok);
        let files = entries.filter(|entry| entry.file_type().is_ok_and(|it| it.is_file()));
        let files = files.map(|entry| folder.join(entry.file_name()));
        names.extend(files.filter(|name| !is_given(name)));
    }
    names.sort_unstable();
    let texts = names.iter().take(MAX_FILES);
    let texts = texts.filter_map(|name| text(&work.join(name)).ok().flatten());
    texts.take(MAX_TEXTS).collect()
}

/// Returns the bytes of a file, if it is a small text.
fn text(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = access::to_open_left().read(true).open(path)?;
    let meta = file.metadata()?;
    if !meta.is_file() || meta.len() > MAX_BYTES {
        return Ok(None);
    }
    let mut bytes = vec![];
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    let is_text = !bytes.is_empty() && !bytes.contains(&0);
    Ok(is_text.then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_any_kind_are_read_and_no_link_is_followed() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("b"), b"\0\xff").unwrap();
        std::fs::write(dir.path().join("a"), b"").unwrap();
        std::fs::create_dir(dir.path().join("deep")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("b", dir.path().join("link")).unwrap();
        let found = files(dir.path(), &|_| true);
        let found: Vec<_> = found
            .iter()
            .map(|file| (file.name.to_str().unwrap(), &file.bytes[..]))
            .collect();
        assert_eq!(found, [("a", &b""[..]), ("b", b"\0\xff")]);
        assert_eq!(files(&dir.path().join("missing"), &|_| true), []);
    }

    #[test]
    fn only_wanted_files_are_read_and_not_more_than_the_maximum() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("other"), b"x").unwrap();
        for number in 0..MAX_LEFT_FILES + 3 {
            std::fs::write(dir.path().join(format!("{number:05}.mine")), b"").unwrap();
        }
        let is_mine = |name: &OsStr| name.as_encoded_bytes().ends_with(b".mine");
        let found = files(dir.path(), &is_mine);
        assert_eq!(found.len(), MAX_LEFT_FILES);
        assert_eq!(found[0].name, "00000.mine");
        assert_eq!(found[MAX_LEFT_FILES - 1].name, "04095.mine");
    }

    #[test]
    fn small_texts_of_the_test_are_read_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::create_dir_all(at("src/deep")).unwrap();
        std::fs::create_dir(at("other")).unwrap();
        for (name, bytes) in [
            ("src/a.c", &b"int a;"[..]),
            ("src/log", b"src/a.c:1:5: error"),
            ("src/deep/log", b"deep"),
            ("other/log", b"other"),
            ("given.txt", b"given"),
            ("err.txt", b"a.c:1:1: warning"),
            ("empty", b""),
            ("a.o", b"\x7fELF\0"),
        ] {
            std::fs::write(at(name), bytes).unwrap();
        }
        std::fs::write(at("large"), vec![b'x'; MAX_BYTES as usize + 1]).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(at("given.txt"), at("link")).unwrap();
        let is_given = |name: &Path| name == Path::new("given.txt") || name.ends_with("a.c");
        let texts = written(dir.path(), &[PathBuf::from("src/a.c")], is_given);
        assert_eq!(texts, [&b"a.c:1:1: warning"[..], b"src/a.c:1:5: error"]);
    }
}
