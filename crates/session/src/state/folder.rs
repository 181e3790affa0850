//! The location of nubbin's own files: the hidden folder `.nubbin` next to a result.
//!
//! Only this module knows the location. The module follows no link, and removes only files that
//! begin with nubbin's own first line.

use super::records::Format;
use crate::anchor::{Anchor, Folder, Missing, There};
use crate::exit::Exit;
use crate::problem::Problem;
use nubbin_reduce::edit::fingerprint;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The name of the hidden folder.
pub const FOLDER: &str = ".nubbin";

/// Keeps the folder out of version control. It begins like every file of nubbin.
const IGNORE: (&str, &str) = (
    ".gitignore",
    "# The files of nubbin about the results next to this folder. It is safe to remove them.\n*\n",
);

/// A longer name of a result is replaced with its fingerprint, so that a suffix fits.
const LONGEST_NAME: usize = 180;

/// The files of one result in its hidden folder.
#[derive(Clone, Debug)]
pub struct StateFolder {
    folder: PathBuf,
    /// The folder of the result, in which the hidden folder is.
    anchor: Anchor,
    /// The start of the name of each file: the name of the result.
    name: OsString,
    result: PathBuf,
}

impl StateFolder {
    /// Returns the location of the files of a result. Accesses no file.
    pub fn of(result: &Path) -> Self {
        StateFolder::within(Anchor::of(result), result)
    }

    /// Returns the location of the files of a result below an anchor. Accesses no file.
    pub fn within(anchor: Anchor, result: &Path) -> Self {
        let name = result.file_name().unwrap_or_default();
        let bytes = name.as_encoded_bytes();
        let name = match bytes.len() {
            0..=LONGEST_NAME => name.to_os_string(),
            _ => format!("{:032x}", fingerprint(bytes).0).into(),
        };
        let beside = result.parent().unwrap_or(Path::new(""));
        StateFolder {
            folder: beside.join(FOLDER),
            anchor,
            name,
            result: result.to_path_buf(),
        }
    }

    /// Returns the path of the result.
    pub fn result(&self) -> &Path {
        &self.result
    }

    /// Returns the path of the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the path of a file of this result, for messages.
    pub fn path(&self, suffix: &str) -> PathBuf {
        self.folder.join(self.name_of(suffix))
    }

    fn name_of(&self, suffix: &str) -> OsString {
        let mut name = self.name.clone();
        name.push(".");
        name.push(suffix);
        name
    }

    /// Creates the folder, which only this user can access. It is an error if the folder belongs to
    /// another user, or if its path is a file.
    pub fn make(&self) -> Result<(), Problem> {
        let made = self.beside().and_then(|beside| {
            beside.make_dir(OsStr::new(FOLDER), 0o700)?;
            beside.enter(OsStr::new(FOLDER), Missing::Refuse)
        });
        match made {
            Ok(folder) => {
                // The folder works even without this file.
                let _ = create(&folder, OsStr::new(IGNORE.0))
                    .and_then(|mut file| file.write_all(IGNORE.1.as_bytes()));
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.check(),
            Err(error) => Err(self.unusable(&error)),
        }
    }

    fn check(&self) -> Result<(), Problem> {
        let there = self.beside();
        let there = there.and_then(|beside| beside.there(OsStr::new(FOLDER)));
        let there = there.map_err(|error| self.unusable(&error))?;
        let Some(wrong) = wrong(&there) else {
            return Ok(());
        };
        let what = format!("`{}` {wrong}", self.folder.display());
        Err(Problem::new(Exit::Output, what).hint(
            "nubbin keeps the verdicts of the run there: remove it, or give a result in another \
             folder with `-o PATH`",
        ))
    }

    /// Returns the folder of the result.
    fn beside(&self) -> io::Result<Folder> {
        let beside = self.folder.parent().unwrap_or(Path::new(""));
        self.anchor.within(beside, Missing::Refuse)
    }

    /// Returns the hidden folder. An error of the kind `NotFound` means that there is none that may
    /// be used.
    fn open_folder(&self) -> io::Result<Folder> {
        let beside = self.beside()?;
        let name = OsStr::new(FOLDER);
        match wrong(&beside.there(name)?) {
            Some(_) => Err(io::ErrorKind::NotFound.into()),
            None => beside.enter(name, Missing::Refuse),
        }
    }

    /// Returns facts about a file of this result.
    pub fn there(&self, suffix: &str) -> io::Result<There> {
        self.open_folder()?.there(&self.name_of(suffix))
    }

    /// Opens a file of this result, without following a link. Returns `None` if there is no file,
    /// or if other users may have written it. An entry that is not a plain file is an error of the
    /// kind `InvalidInput`.
    pub fn open(&self, suffix: &str) -> io::Result<Option<File>> {
        match self.open_folder() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            folder => open_plain(&folder?, &self.name_of(suffix)),
        }
    }

    /// Creates a file of this result. It is an error if the file exists.
    pub fn create(&self, suffix: &str) -> io::Result<File> {
        create(&self.open_folder()?, &self.name_of(suffix))
    }

    /// Opens a file of this result, or creates it.
    pub fn open_or_create(&self, suffix: &str) -> io::Result<File> {
        loop {
            if let Some(file) = self.open(suffix)? {
                return Ok(file);
            }
            match self.create(suffix) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made,
            }
        }
    }

    /// Returns the suffixes of the files of this result.
    pub fn suffixes(&self) -> Vec<String> {
        let names = self.open_folder().and_then(|folder| folder.entries());
        let mut start = self.name.clone();
        start.push(".");
        let suffix = |name: &OsString| {
            let rest = name
                .as_encoded_bytes()
                .strip_prefix(start.as_encoded_bytes())?;
            std::str::from_utf8(rest).ok().map(str::to_owned)
        };
        let mut found: Vec<String> = (names.unwrap_or_default().iter())
            .filter_map(suffix)
            .collect();
        found.sort();
        found
    }

    /// Removes a file of this result if nubbin wrote it.
    pub fn remove(&self, suffix: &str) -> io::Result<()> {
        let Some(file) = self.open(suffix)? else {
            return Ok(());
        };
        match is_of_nubbin(file)? {
            true => self.discard(suffix),
            false => Ok(()),
        }
    }

    /// Removes a file of this result without a check of its content.
    pub fn discard(&self, suffix: &str) -> io::Result<()> {
        remove(&self.open_folder()?, &self.name_of(suffix))
    }

    /// Changes the suffix of a file of this result, and replaces the file with that suffix.
    pub fn rename(&self, suffix: &str, new: &str) -> io::Result<()> {
        let folder = self.open_folder()?;
        folder.rename(&self.name_of(suffix), &folder, &self.name_of(new))
    }

    /// Gives a file of this result another name, which is `suffix` with a number that is free.
    /// Returns its path.
    pub fn set_aside(&self, suffix: &str, name: &str) -> io::Result<PathBuf> {
        let free = (1_u32..)
            .map(|number| format!("{name}-{number}"))
            .find(|aside| self.there(aside).is_err());
        let aside = free.unwrap_or_else(|| name.to_owned());
        self.rename(suffix, &aside)?;
        Ok(self.path(&aside))
    }

    /// Removes the folder if it is empty.
    pub fn leave(&self) {
        let ignore = OsStr::new(IGNORE.0);
        let Ok(folder) = self.open_folder() else {
            return;
        };
        let names = folder.entries().unwrap_or_default();
        if names.iter().any(|name| name != ignore) {
            return;
        }
        let is_own = |file: File| {
            let mut text = String::new();
            let read = file.take(1000).read_to_string(&mut text);
            // A full disk leaves the file empty.
            read.is_ok() && (text == IGNORE.1 || text.is_empty())
        };
        if let Ok(Some(file)) = open_plain(&folder, ignore)
            && is_own(file)
        {
            // A folder that remains is harmless.
            let _ = remove(&folder, ignore);
        }
        let beside = self.beside();
        let _ = beside.and_then(|beside| beside.remove_dir(OsStr::new(FOLDER)));
    }

    fn unusable(&self, error: &io::Error) -> Problem {
        let what = format!("cannot make the folder `{}`", self.folder.display());
        Problem::new(Exit::Output, what)
            .because(error)
            .hint(match error.kind() {
                io::ErrorKind::StorageFull => "make room there",
                _ => {
                    "nubbin keeps the verdicts of the run there: give a result in another folder \
                      with `-o PATH`"
                }
            })
    }
}

/// Returns why a folder is not used: another user may have written the verdicts in it.
fn wrong(there: &There) -> Option<&'static str> {
    if there.is_link() {
        Some("is a link")
    } else if !there.is_folder() {
        Some("is not a folder")
    } else if there.is_foreign {
        Some("belongs to another user")
    } else if there.is_open_to_others() {
        Some("may be written by other users")
    } else {
        None
    }
}

fn is_of_nubbin(file: File) -> io::Result<bool> {
    let mut start = vec![];
    file.take(Format::MAGIC.len() as u64)
        .read_to_end(&mut start)?;
    Ok(start == Format::MAGIC)
}

fn remove(folder: &Folder, name: &OsStr) -> io::Result<()> {
    match folder.remove_file(name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

fn open_plain(folder: &Folder, name: &OsStr) -> io::Result<Option<File>> {
    let file = match folder.open(name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
        Ok(file) => file,
    };
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a plain file",
        ));
    }
    Ok(Some(file))
}

/// Creates a file that only this user can read.
fn create(folder: &Folder, name: &OsStr) -> io::Result<File> {
    folder.create_new(name, 0o600)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_nubbin_are_removed_and_the_folder_when_it_is_empty() {
        let folder = tempfile::tempdir().unwrap();
        let state = StateFolder::of(&folder.path().join("x"));
        state.make().unwrap();
        let mut file = state.create("ours").unwrap();
        file.write_all(b"nubbin test 1\n").unwrap();
        state.create("mine").unwrap().write_all(b"mine").unwrap();
        assert_eq!(state.suffixes(), ["mine", "ours"]);
        state.remove("ours").unwrap();
        state.remove("mine").unwrap();
        state.remove("none").unwrap();
        assert_eq!(state.suffixes(), ["mine"]);
        state.leave();
        assert!(folder.path().join(".nubbin/.gitignore").exists());
        std::fs::remove_file(state.path("mine")).unwrap();
        state.leave();
        assert!(!folder.path().join(".nubbin").exists());
    }

    #[test]
    fn a_file_is_set_aside_under_a_free_name() {
        let folder = tempfile::tempdir().unwrap();
        let state = StateFolder::of(&folder.path().join("x"));
        state.make().unwrap();
        for number in 1..3 {
            state.create("a").unwrap();
            let aside = state.set_aside("a", "damaged").unwrap();
            assert_eq!(aside, state.path(&format!("damaged-{number}")));
        }
        assert_eq!(state.suffixes(), ["damaged-1", "damaged-2"]);
    }

    #[test]
    #[cfg(unix)]
    fn links_and_pipes_are_refused() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        std::fs::write(&target, "nubbin test").unwrap();
        let state = StateFolder::of(&folder.path().join("x"));
        state.make().unwrap();
        symlink(&target, state.path("link")).unwrap();
        assert!(state.open("link").is_err() && state.remove("link").is_err());
        assert!(state.open_or_create("link").is_err() && target.exists());
        let pipe = state.path("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        assert!(state.open("pipe").is_err());
        let elsewhere = folder.path().join("d");
        std::fs::create_dir(&elsewhere).unwrap();
        symlink(&elsewhere, elsewhere.join(FOLDER)).unwrap();
        let linked = StateFolder::of(&elsewhere.join("x"));
        assert_eq!(linked.make().unwrap_err().exit(), Exit::Output);
    }

    #[test]
    fn a_long_name_leaves_room_for_suffixes() {
        let long = "x".repeat(250);
        let path = StateFolder::of(Path::new(&long)).path("journal");
        assert!(path.file_name().unwrap().len() < 100);
    }
}
