//! A test that does not read its candidate, or reads the original in its place.

use super::Finding;
use super::absent_programs::missing_programs;
use super::named::{names_word, path_of_original};
use crate::oracle::CommandOracle;
use nubbin_verdict::Candidate;
use std::path::Path;

/// Returns the reason why the test may not read its candidate, if its command or its script shows
/// one. The original is in `user_dir`.
pub fn why_unused(
    oracle: &CommandOracle,
    candidate: &Candidate<'_>,
    user_dir: &Path,
) -> Option<Finding> {
    let unused = Unused {
        oracle,
        candidate,
        user_dir,
    };
    let found = unused.typed_path().or_else(|| unused.fixed_path());
    let found = found.or_else(|| unused.input_not_used());
    found.or_else(|| unused.no_program())
}

/// A test, and the original that it may read.
pub(super) struct Unused<'a> {
    pub(super) oracle: &'a CommandOracle,
    pub(super) candidate: &'a Candidate<'a>,
    pub(super) user_dir: &'a Path,
}

impl Unused<'_> {
    /// Finds that the command names the original by a path that the test does not have, and does
    /// not name the candidate in another way.
    pub(super) fn typed_path(&self) -> Option<Finding> {
        let command = self.oracle.command();
        if command.has_place() || self.oracle.has_stdin() {
            return None;
        }
        let here = std::env::current_dir().unwrap_or_default();
        let words = command.words();
        self.oracle.names().iter().find_map(|name| {
            let original = self.user_dir.join(name);
            let real = original.canonicalize().ok()?;
            let is_original = |word: &&String| {
                let path = Path::new(word);
                let is_same = |folder: &Path| {
                    let path = folder.join(path).canonicalize();
                    path.is_ok_and(|path| path == real)
                };
                let plain = path.strip_prefix(".").unwrap_or(path);
                path.file_name() == name.file_name()
                    && plain != name
                    && (is_same(&here) || is_same(self.user_dir))
            };
            let typed = words.iter().find(is_original)?.clone();
            let name = name.clone();
            Some(Finding::TypedPath { typed, name })
        })
    }

    /// Finds that neither the command line nor the script names the input.
    pub(super) fn input_not_used(&self) -> Option<Finding> {
        let command = self.oracle.command();
        if command.has_place() || self.oracle.has_stdin() {
            return None;
        }
        let script = self.script();
        let place = self.oracle.place();
        let name = place.file_name()?.to_string_lossy().into_owned();
        let line = self.oracle.command_on(command, self.candidate).to_string();
        if names_word(&script, &name) || names_word(&line, &name) {
            return None;
        }
        let wants_argument = ["$1", "${1", "$@", "$*", "sys.argv", "process.argv", "ARGV"];
        let wants_argument = wants_argument.iter().any(|mark| script.contains(mark));
        let is_folder = self.user_dir.join(place).is_dir();
        Some(Finding::InputNotUsed {
            name,
            wants_argument,
            is_folder,
        })
    }

    /// Finds that the script or the command line names the original by its absolute path.
    pub(super) fn fixed_path(&self) -> Option<Finding> {
        let path = path_of_original(self.oracle, self.user_dir)?;
        // `typed_path` reports this case with more detail.
        let is_typed = self.typed_path().is_some();
        (!is_typed).then_some(Finding::FixedPath { path })
    }

    /// Finds that the script runs a program that does not exist, and hides the message about it.
    pub(super) fn no_program(&self) -> Option<Finding> {
        let missing = |folder: &Path| missing_programs(self.oracle.command(), folder).pop();
        let name = missing(self.user_dir).or_else(|| missing(&std::env::current_dir().ok()?))?;
        Some(Finding::NoProgram { name })
    }

    pub(super) fn script(&self) -> String {
        let command = self.oracle.command();
        let here = || std::env::current_dir().ok();
        let script = command.script(self.user_dir);
        let script = script.or_else(|| command.script(&here()?));
        script.unwrap_or_default()
    }
}
