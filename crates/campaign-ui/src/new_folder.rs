use crate::anchor::{Anchor, Folder, Missing};
use crate::exit::Exit;
use crate::output::Access;
use crate::problem::Problem;
use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::Path;

/// Tests may be private, so the files are for this user only.
const PRIVATE: Access = Access::OWNER;

/// An empty folder for new files.
pub(super) struct NewFolder<'a> {
    path: &'a Path,
    /// The flag that names it.
    flag: &'static str,
    held: Folder,
}

impl<'a> NewFolder<'a> {
    /// Makes the folder. An existing folder must be empty.
    pub(super) fn make(path: &'a Path, flag: &'static str) -> Result<Self, Problem> {
        let made = PRIVATE.make_empty_dir(path);
        if !made.map_err(|error| cannot(path, flag, &error))? {
            let what = format!("the folder `{}` is not empty", path.display());
            let hint = format!("give a new folder with `{flag} DIR`");
            return Err(Problem::new(Exit::Output, what).hint(hint));
        }
        let held = Anchor::at(path).folder(Missing::Refuse);
        let held = held.map_err(|error| cannot(path, flag, &error))?;
        Ok(NewFolder { path, flag, held })
    }

    /// Writes a new file in the folder.
    pub(super) fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Problem> {
        let made = self.held.create_new(OsStr::new(name), PRIVATE.mode());
        let written = made.and_then(|mut file| file.write_all(bytes));
        written.map_err(|error| cannot(&self.path.join(name), self.flag, &error))
    }
}

fn cannot(path: &Path, flag: &str, error: &io::Error) -> Problem {
    let what = format!("cannot write `{}`", path.display());
    Problem::new(Exit::Output, what)
        .because(error)
        .hint(format!("give another folder with `{flag} DIR`"))
}
