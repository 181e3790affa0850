//! Names of files in the texts of a test: its command, its script, and its output.

use super::programs::programs_called;
use crate::oracle::CommandOracle;
use std::path::{Path, PathBuf};

/// Returns the absolute path of the original, which is in `user_dir`, if the script or the command
/// line of the test names it. Such a test may read the original in place of the candidate.
pub fn path_of_original(oracle: &CommandOracle, user_dir: &Path) -> Option<PathBuf> {
    let place = oracle.place();
    // If the path is the folder of the test itself, the user's folder may also contain files that
    // are not part of the input.
    place.file_name()?;
    let script = oracle.command().script(user_dir).unwrap_or_default();
    let line = oracle.command().to_string();
    let absolute = std::path::absolute(user_dir).ok();
    let real = user_dir.canonicalize().ok();
    [absolute, real].into_iter().flatten().find_map(|folder| {
        let path = folder.join(place);
        let is_named = forms(&path)
            .iter()
            .any(|text| names_word(&script, text) || names_word(&line, text));
        is_named.then_some(path)
    })
}

/// The length in bytes of the longest script that is searched for calls.
const SCRIPT: usize = 64 << 10;

/// Returns the programs and scripts of an input folder that the test calls, relative to the folder.
/// nubbin reduces these files like all others.
pub fn called_of_input(oracle: &CommandOracle, user_dir: &Path) -> Vec<PathBuf> {
    let command = oracle.command();
    let script = command.script(user_dir).unwrap_or_default();
    let script = Some(script).filter(|script| script.len() <= SCRIPT);
    let text = format!("{command}\n{}", script.unwrap_or_default());
    let within = (oracle.names().iter())
        .filter_map(|name| name.strip_prefix(oracle.place()).ok())
        .filter(|within| !within.as_os_str().is_empty());
    let within: Vec<PathBuf> = within.map(Path::to_owned).collect();
    let scripts = programs_called(&text, &within);
    let is_called = |name: &&PathBuf| {
        let is_program = oracle.is_executable(&oracle.place().join(name));
        is_program && names_word(&text, &name.to_string_lossy()) || scripts.contains(name)
    };
    within.iter().filter(is_called).cloned().collect()
}

/// Returns the texts by which a script may name a path: absolute, and from the home folder.
fn forms(path: &Path) -> Vec<String> {
    let mut forms = vec![path.to_string_lossy().into_owned()];
    let home = std::env::var_os("HOME").map(PathBuf::from);
    if let Some(inner) = home.and_then(|home| path.strip_prefix(home).ok().map(Path::to_owned)) {
        let inner = inner.to_string_lossy();
        forms.extend(["~", "$HOME", "${HOME}"].map(|home| format!("{home}/{inner}")));
    }
    forms
}

/// Returns the files of the user's folder that the text names, without the input.
pub(super) fn neighbors_named(oracle: &CommandOracle, user_dir: &Path, text: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(user_dir) else {
        return Vec::new();
    };
    let program = oracle.command().program().file_name();
    let is_input = |name: &PathBuf| oracle.names().iter().any(|input| input.starts_with(name));
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.file_name())
        .filter(|name| Some(name.as_os_str()) != program)
        .map(PathBuf::from)
        .filter(|name| !is_input(name) && names_word(text, &name.to_string_lossy()))
        .collect();
    files.sort();
    files
}

/// Returns whether the text contains the name, and not only as a part of a longer name.
pub(super) fn names_word(text: &str, name: &str) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || "_-.".contains(char);
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut after = text[at + name.len()..].chars();
        // A period after the name may end a sentence.
        let next = after.next();
        let is_longer = match next {
            Some('.') => after.next().is_some_and(char::is_alphanumeric),
            other => other.is_some_and(is_part),
        };
        !before.is_some_and(is_part) && !is_longer
    })
}
