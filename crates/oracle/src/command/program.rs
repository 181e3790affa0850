//! The program of a command: a path, or a name that a folder of PATH has.

use super::error::CommandError;
use super::place::{escaped, quoted};
use nubbin_suggest::nearest;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Returns the line with its first word, after any assignments, made absolute; `None` if the word
/// is not the relative path of an existing file.
pub(super) fn program_made_absolute(line: &str, folder: &Path) -> Option<OsString> {
    let is_assignment = |word: &str| {
        word.split_once('=').is_some_and(|(name, _)| {
            let is_letter = |char: char| char.is_ascii_alphanumeric() || char == '_';
            !name.is_empty() && name.chars().all(is_letter)
        })
    };
    let mut at = 0;
    let word = loop {
        let rest = &line[at..];
        at += rest.len() - rest.trim_start().len();
        let rest = &line[at..];
        let ends = |char: char| char.is_whitespace() || ";|&<>()".contains(char);
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        if !is_assignment(word) {
            break word;
        }
        at += word.len();
    };
    // A word with quotes or expansions is left for the shell to resolve.
    let is_plain = !word.contains(['\'', '"', '\\', '$', '`', '*', '?', '[', '~', '{', '}']);
    let path = folder.join(Path::new(word).strip_prefix(".").unwrap_or(Path::new(word)));
    let is_ours = is_plain && has_separator(OsStr::new(word)) && Path::new(word).is_relative();
    if !is_ours || !path.exists() {
        return None;
    }
    let mut resolved = OsString::from(&line[..at]);
    // Braces in the name of the folder do not stand for the candidate.
    resolved.push(escaped(&quoted(&path))?);
    resolved.push(&line[at + word.len()..]);
    Some(resolved)
}

pub(super) fn resolve(
    program: &OsStr,
    is_alone: bool,
    folder: &Path,
) -> Result<PathBuf, CommandError> {
    if has_separator(program) {
        return resolve_path(program, is_alone, folder);
    }
    let path_variable = std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into());
    for dir in std::env::split_paths(&path_variable) {
        for name in names_of(program) {
            let path = folder.join(&dir).join(&*name);
            if path.is_file() && is_executable(&path) {
                return Ok(path);
            }
        }
    }
    let shown = program.to_string_lossy().into_owned();
    let hint = if folder.join(program).is_file() {
        format!(": to run the file of this folder, write `./{shown}`")
    } else {
        match shell_hint(&shown, is_alone) {
            hint if hint.is_empty() => near_program(&shown, &path_variable),
            hint => hint,
        }
    };
    Err(CommandError::NotInPath {
        program: shown,
        hint,
    })
}

pub(super) fn resolve_path(
    program: &OsStr,
    is_alone: bool,
    folder: &Path,
) -> Result<PathBuf, CommandError> {
    let plain = program.as_encoded_bytes().strip_prefix(b"./").is_some();
    let path = if plain {
        // `folder/./test.sh` would work, but would look odd in messages.
        folder.join(
            Path::new(program)
                .strip_prefix(".")
                .unwrap_or(Path::new(program)),
        )
    } else {
        folder.join(program)
    };
    let named = names_of(path.as_os_str()).map(|name| PathBuf::from(&*name));
    let found = named.into_iter().find(|path| path.exists());
    let path = found.unwrap_or_else(|| path.clone());
    if path.is_dir() {
        Err(CommandError::Folder { path })
    } else if !path.exists() {
        let hint = shell_hint(&program.to_string_lossy(), is_alone);
        Err(CommandError::NoSuchFile { path, hint })
    } else if !is_executable(&path) {
        Err(CommandError::NotExecutable { path })
    } else {
        Ok(path)
    }
}

pub(super) fn shell_hint(program: &str, is_alone: bool) -> String {
    if is_alone && program.contains([' ', '|', '>', '&', ';']) {
        let line = program.replace('\'', r"'\''");
        format!(": a line for the shell is written `sh -c '{line}'`")
    } else {
        String::new()
    }
}

/// The length of the shortest name for which a similar one is looked for, as nearly all short names
/// are similar.
const SIMILAR: usize = 4;

/// Returns a suggestion for a misspelled name, or an empty text.
pub(super) fn near_program(name: &str, path_variable: &OsStr) -> String {
    if name.chars().count() < SIMILAR {
        return String::new();
    }
    let folders = std::env::split_paths(path_variable);
    let entries = folders.filter_map(|folder| std::fs::read_dir(folder).ok());
    let entries = entries.flatten().flatten();
    let programs = entries.filter(|entry| is_executable(&entry.path()));
    let names: Vec<String> = programs
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    nearest(name, names.iter().map(String::as_str))
        .map_or_else(String::new, |near| format!(": did you mean `{near}`?"))
}

/// The file names that a program's name may stand for, most likely first.
pub(super) fn names_of(program: &OsStr) -> impl Iterator<Item = Cow<'_, OsStr>> {
    let extensions: &[&str] = if cfg!(windows) {
        &[".exe", ".bat", ".cmd"]
    } else {
        &[]
    };
    let with_extension = extensions.iter().map(|extension| {
        let mut name = program.to_owned();
        name.push(extension);
        Cow::Owned(name)
    });
    std::iter::once(Cow::Borrowed(program)).chain(with_extension)
}

pub(super) fn has_separator(word: &OsStr) -> bool {
    word.as_encoded_bytes()
        .iter()
        .any(|&byte| std::path::is_separator(byte.into()))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

#[cfg(not(unix))]
fn is_executable(_path: &Path) -> bool {
    true
}
