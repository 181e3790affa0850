//! The files that a test does not find in its private folder.

use super::named::{names_word, neighbors_named};
use crate::extra::Extra;
use crate::oracle::CommandOracle;
use crate::run::Run;
use std::path::{Component, Path, PathBuf};

/// Messages of programs about a file that they do not find, in lower case.
const WORDS: [&str; 22] = [
    "no such file",
    "not found",
    "annot open",
    "annot find",
    "an't find",
    "an't open",
    "an't locate",
    "annot access",
    "annot stat",
    "annot read",
    "annot load",
    "annot import name",
    "annot resolve",
    "ould not open",
    "ould not find",
    "ould not read",
    "nable to open",
    "nable to find",
    "ailed to open",
    "ailed opening",
    "does not exist",
    "no module named",
];

/// The endings that languages leave out where a file names another one.
const ENDINGS: [&str; 16] = [
    "py", "js", "mjs", "cjs", "ts", "json", "rb", "pl", "pm", "lua", "php", "rs", "sh", "tex",
    "sty", "h",
];

/// The folders, other than the current folder, in which languages search for files.
const FOLDERS: [&str; 4] = ["node_modules", "src", "lib", "include"];

/// The bounds of a search in folders.
const DEPTH: usize = 4;
const ENTRIES: usize = 2000;

/// The number of characters of a line that are read.
const WIDTH: usize = 1000;

/// Returns the files and folders that a run reports as missing, although they exist in `user_dir`,
/// or in the current folder if the command names them by a path from the current folder. These
/// files are missing in the private folder of the run.
pub fn missing_neighbors(oracle: &CommandOracle, run: &Run, user_dir: &Path) -> Vec<PathBuf> {
    let said = [run.stderr(), run.stdout()].map(String::from_utf8_lossy);
    let is_complaint = |line: &&str| {
        let line = line.to_ascii_lowercase();
        WORDS.iter().any(|word| line.contains(word))
    };
    let lines = said.iter().flat_map(|text| text.lines());
    let complaints: Vec<String> = lines
        .filter(is_complaint)
        .map(|line| line.chars().take(WIDTH).collect())
        .collect();
    let text = complaints.join("\n");
    let look = Look { oracle, user_dir };
    let meant = complaints.iter().flat_map(|line| look.meant_by(line));
    let mut found = named_from_here(oracle, &text);
    found.extend(meant);
    // A path may start with such a name.
    found.extend(neighbors_named(oracle, user_dir, &text));
    let mut files: Vec<PathBuf> = Vec::new();
    for file in found {
        let is_known = |known: &PathBuf| file.starts_with(known) || known.starts_with(&file);
        // A path from the current folder may lead into that of the input.
        let place = |file: &PathBuf| extra(user_dir, file).from().canonicalize().ok();
        let is_same = |known: &PathBuf| place(known).is_some() && place(known) == place(&file);
        if !files.iter().any(|known| is_known(known) || is_same(known)) {
            files.push(file);
        }
    }
    files
}

/// Returns the copy of a file that is missing: that of the user's folder, or else that of the
/// current folder.
pub(super) fn extra(user_dir: &Path, file: &Path) -> Extra {
    let here = std::env::current_dir().unwrap_or_default();
    let folder = match user_dir.join(file).exists() {
        true => user_dir,
        false => &here,
    };
    Extra::neighbor(folder, file.to_owned())
}

/// Returns the files that the command names by a path from the current folder and that the text
/// names as well, without the input.
fn named_from_here(oracle: &CommandOracle, text: &str) -> Vec<PathBuf> {
    let here = std::env::current_dir().unwrap_or_default();
    let is_input = |path: &Path| {
        let mut names = oracle.names().iter();
        names.any(|input| input.file_name() == path.file_name())
    };
    let words = oracle.command().words().into_iter();
    let named = words.filter(|word| !word.is_empty() && names_word(text, word));
    named
        .map(|word| Path::new(&word).components().collect::<PathBuf>())
        .map(|path| path.strip_prefix(".").unwrap_or(&path).to_owned())
        .filter(|path| path.is_relative() && here.join(path).exists() && !is_input(path))
        .collect()
}

/// A search for the files to which the output of a program refers.
struct Look<'a> {
    oracle: &'a CommandOracle,
    user_dir: &'a Path,
}

impl Look<'_> {
    /// Returns the files and folders that a line reports as missing.
    fn meant_by(&self, line: &str) -> Vec<PathBuf> {
        let found = words(line).into_iter().filter_map(|word| {
            let path = self.relative(&word)?;
            self.existing(&path)
        });
        found.collect()
    }

    /// Returns a path relative to the folder of the test, or `None` if the path leads out of the
    /// folder.
    fn relative(&self, word: &str) -> Option<PathBuf> {
        let path = Path::new(word);
        let path = match path.strip_prefix(self.oracle.folder()) {
            // The first two parts are the number of a slot and the name of its folder.
            Ok(inner) => inner.components().skip(2).collect(),
            Err(_) => path.to_path_buf(),
        };
        let path: PathBuf = path
            .components()
            .filter(|part| *part != Component::CurDir)
            .collect();
        let is_inner = path
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        (is_inner && !path.as_os_str().is_empty()).then_some(path)
    }

    /// Returns the file of the user's folder that a program means by a path: the path itself, with
    /// an ending, as a module with dots, or in a folder where languages look.
    fn existing(&self, path: &Path) -> Option<PathBuf> {
        let mut meant = vec![path.to_path_buf()];
        let text = path.to_str()?;
        meant.extend(ENDINGS.map(|ending| PathBuf::from(format!("{text}.{ending}"))));
        if let Some((package, _)) = text.split_once('.')
            && !text.contains('/')
        {
            meant.push(package.into());
            meant.push(format!("{package}.py").into());
        }
        let folders = [Path::new("")]
            .into_iter()
            .chain(FOLDERS.iter().map(Path::new));
        let all = folders.flat_map(|folder| meant.iter().map(move |path| folder.join(path)));
        let found = all
            .filter(|path| !self.is_input(path))
            .find(|path| self.user_dir.join(path).exists());
        found.or_else(|| {
            let has_ending = path.extension().is_some() || text.contains('/');
            has_ending.then(|| self.search(path)).flatten()
        })
    }

    /// Searches the user's folder for a file whose path ends with the given one.
    fn search(&self, tail: &Path) -> Option<PathBuf> {
        let mut left = ENTRIES;
        let mut folders = vec![(PathBuf::new(), 0)];
        while let Some((folder, depth)) = folders.pop() {
            let entries = std::fs::read_dir(self.user_dir.join(&folder)).ok()?;
            for entry in entries.flatten() {
                left = left.checked_sub(1)?;
                let path = folder.join(entry.file_name());
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                if path.ends_with(tail) && !self.is_input(&path) {
                    return Some(path);
                }
                let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
                if is_folder && !is_hidden && depth + 1 < DEPTH {
                    folders.push((path, depth + 1));
                }
            }
        }
        None
    }

    /// Returns whether the path is a file of the input, or a folder with such a file.
    fn is_input(&self, path: &Path) -> bool {
        let mut names = self.oracle.names().iter();
        names.any(|name| name.starts_with(path)) || path.starts_with(self.oracle.place())
    }
}

/// Returns the words of a line that may be names of files: those in quotes, those with a dot or a
/// slash, and the last one.
fn words(line: &str) -> Vec<String> {
    const QUOTES: [char; 5] = ['\'', '"', '`', '‘', '’'];
    let mut found = Vec::new();
    for (number, part) in line.split(QUOTES).enumerate() {
        if number % 2 == 1 && !part.is_empty() {
            found.push(part.to_owned());
        }
    }
    let is_apart =
        |char: char| char.is_whitespace() || QUOTES.contains(&char) || "()[]<>,;=".contains(char);
    let bare = line.split(is_apart).map(|word| word.trim_matches(':'));
    let bare = bare.map(|word| word.strip_suffix('.').unwrap_or(word));
    let bare: Vec<&str> = bare.filter(|word| !word.is_empty()).collect();
    let last = bare.last().copied();
    let is_name = |word: &str| word.contains(['.', '/']) || Some(word) == last;
    found.extend(
        bare.iter()
            .filter(|word| is_name(word))
            .map(|&word| word.to_owned()),
    );
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::TestCommand;
    use crate::options::Options;

    #[test]
    fn outputs_of_programs_lead_to_the_files_beside_the_input() {
        let dir = tempfile::tempdir().unwrap();
        for name in [
            "helper.py",
            "pkg/__init__.py",
            "a.js",
            "node_modules/left/index.js",
            "x.h",
            "inc/y.h",
            "data/in.csv",
            "tool.rb",
            "lib/Foo/Bar.pm",
            "conf",
            "m.lua",
            "in.c",
        ] {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let command = TestCommand::new(vec!["true".into()], dir.path()).unwrap();
        let oracle = CommandOracle::new(Options::new(command, vec!["in.c".into()])).unwrap();
        let work = oracle.folder().join("0/work");
        let inner = format!("cannot load such file -- {}/tool", work.display());
        for (line, file) in [
            ("ModuleNotFoundError: No module named 'helper'", "helper.py"),
            ("ModuleNotFoundError: No module named 'pkg.sub'", "pkg"),
            ("Error: Cannot find module './a'", "a.js"),
            ("Error: Cannot find module 'left'", "node_modules/left"),
            (
                "in.c:1:10: fatal error: x.h: No such file or directory",
                "x.h",
            ),
            ("in.c:1:10: fatal error: 'y.h' file not found", "inc/y.h"),
            (
                "FileNotFoundError: [Errno 2] No such file or directory: 'data/in.csv'",
                "data/in.csv",
            ),
            (&inner, "tool.rb"),
            (
                "Can't locate Foo/Bar.pm in @INC (you may need to install it)",
                "lib/Foo/Bar.pm",
            ),
            ("awk: cannot open conf (No such file or directory)", "conf"),
            ("lua: module 'm' not found:", "m.lua"),
        ] {
            let run = Run {
                stderr: Some(line.into()),
                ..Run::refused(1)
            };
            let found = missing_neighbors(&oracle, &run, dir.path());
            assert_eq!(found, [PathBuf::from(file)], "{line}");
        }
        for line in ["in.c: No such file or directory", "done"] {
            let run = Run {
                stderr: Some(line.into()),
                ..Run::refused(1)
            };
            let found = missing_neighbors(&oracle, &run, dir.path());
            assert!(found.is_empty(), "{line}: {found:?}");
        }
    }
}
