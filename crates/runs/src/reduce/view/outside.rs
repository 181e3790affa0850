//! Programs of the user that show the best so far: a pager and an editor.

use crate::programs;
use crate::screen::Screen;
use nubbin_oracle::PrivateFolder;
use nubbin_reduce::input::Input;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The largest number of files that a program opens at once.
const MAX_FILES: usize = 100;

/// A program that opens files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Opener {
    /// The program and its arguments; never empty.
    words: Vec<String>,
}

impl Opener {
    /// Returns the pager of the environment; `None` if the program is not found.
    pub(super) fn pager() -> Option<Self> {
        Opener::of(&["PAGER"], &["less", "more"])
    }

    /// Returns the editor of the environment; `None` if the program is not found.
    pub(super) fn editor() -> Option<Self> {
        Opener::of(&["VISUAL", "EDITOR"], &["vi", "nano"])
    }

    /// Returns the program of the first variable that is set, or the first usual program.
    fn of(variables: &[&str], usual: &[&str]) -> Option<Self> {
        let set = |name: &&str| {
            std::env::var(name)
                .ok()
                .filter(|line| !line.trim().is_empty())
        };
        match variables.iter().find_map(set) {
            Some(line) => Opener::from_line(&line),
            None => usual.iter().find_map(|line| Opener::from_line(line)),
        }
    }

    fn from_line(line: &str) -> Option<Self> {
        let mut words = shlex::split(line)?;
        let program = words.first()?;
        if !programs::exists(program) {
            return None;
        }
        // With `-F`, which may be set in `LESS`, a short text would be shown only for an instant.
        if Path::new(program)
            .file_name()
            .is_some_and(|name| name == "less")
        {
            words.push("-+F".into());
        }
        Some(Opener { words })
    }

    /// Opens copies of the files of an input, in a folder that has to outlive a program which
    /// returns before it has read them.
    pub(super) fn open(
        &self,
        input: &Input,
        screen: &Screen,
        is_over: impl Fn() -> bool,
    ) -> Result<PrivateFolder, String> {
        let (folder, names) = copies(input)?;
        let mut words = self.words.iter();
        let program = words.next().map_or("", |program| program);
        let mut command = Command::new(program);
        command.args(words).args(names).current_dir(folder.path());
        screen
            .lend(&mut command, is_over)
            .map_err(|error| format!("cannot run `{program}`: {error}"))?;
        Ok(folder)
    }
}

/// Writes the files of an input into a new folder. Returns their paths in it.
fn copies(input: &Input) -> Result<(PrivateFolder, Vec<PathBuf>), String> {
    let files: Vec<_> = input.present().collect();
    if files.len() > MAX_FILES {
        return Err(format!("it has {} files", files.len()));
    }
    let size: usize = files.iter().map(|file| file.text.len()).sum();
    let folder = PrivateFolder::new(size as u64).map_err(|error| error.to_string())?;
    let mut names = vec![];
    for (number, file) in files.iter().enumerate() {
        // A name that leads out of the folder is replaced. `.` comes before each name, since a dash
        // would start a flag.
        let name = match file.name.is_relative() && !file.name.starts_with("..") {
            true => file.name.to_path_buf(),
            false => PathBuf::from(format!("{number}")),
        };
        folder
            .write(&name, file.text)
            .map_err(|error| error.to_string())?;
        names.push(Path::new(".").join(name));
    }
    Ok((folder, names))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_exist_opens_nothing() {
        assert_eq!(Opener::from_line("no-such-program-at-all -w"), None);
        assert_eq!(Opener::from_line(""), None);
        assert_eq!(Opener::from_line("'unbalanced"), None);
        let shell = Opener::from_line("sh -c 'a b'").unwrap();
        assert_eq!(shell.words, ["sh", "-c", "a b"]);
    }

    #[test]
    fn all_files_are_copied_under_their_names() {
        let files = [("a.txt", b"one".to_vec()), ("in/b.txt", b"two".to_vec())];
        let (folder, names) = copies(&Input::files(files).unwrap()).unwrap();
        assert_eq!(names, [Path::new("./a.txt"), Path::new("./in/b.txt")]);
        let text = std::fs::read(folder.path().join("in/b.txt")).unwrap();
        assert_eq!(text, b"two");
    }
}
