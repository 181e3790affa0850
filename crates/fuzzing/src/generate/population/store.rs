//! The folder of a population. Each text is written to a file when it joins.

use crate::exit::Exit;
use crate::output::Access;
use crate::problem::Problem;
use nubbin_generate::population::Member;
use std::io;
use std::path::{Path, PathBuf};

pub(super) struct Store {
    folder: PathBuf,
    access: Access,
    /// The file extension, with its dot.
    ending: String,
    names: Vec<String>,
}

impl Store {
    /// Creates the folder, or takes an empty one.
    pub(super) fn new(folder: &Path, name: &Path, access: Access) -> Result<Self, Problem> {
        match access.make_empty_dir(folder) {
            Err(error) => Err(cannot(folder, &error)),
            Ok(false) => {
                let what = format!("the folder `{}` is not empty", folder.display());
                Err(Problem::new(Exit::Output, what).hint(
                    "give a new folder; to continue with the inputs in this one, give it as a seed",
                ))
            }
            Ok(true) => {
                let ending = name.extension().and_then(|ending| ending.to_str());
                Ok(Store {
                    folder: folder.to_path_buf(),
                    access,
                    ending: ending.map_or_else(String::new, |ending| format!(".{ending}")),
                    names: vec![],
                })
            }
        }
    }

    /// Writes a text to a file. Returns the name of the file.
    pub(super) fn put(&mut self, member: &Member) -> Result<String, Problem> {
        let name = format!("{:04}{}", self.names.len() + 1, self.ending);
        let path = self.folder.join(&name);
        // An existing file belongs to another program.
        let written = self.access.write_new(&path, &member.text);
        written.map_err(|error| cannot(&path, &error))?;
        self.names.push(name.clone());
        Ok(name)
    }

    /// Returns the names of the files, in the order of the members.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }
}

fn cannot(path: &Path, error: &io::Error) -> Problem {
    let what = format!("cannot write `{}`", path.display());
    Problem::new(Exit::Output, what)
        .because(error)
        .hint("give another folder with `-o DIR`")
}
