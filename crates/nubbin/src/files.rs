//! The user's files: read once, never written.

use crate::exit::Exit;
use crate::problem::Problem;
use nubbin_reduce::input::Input;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// Reads the inputs. Each gets the name it will have in the test's folder.
pub(super) fn read(paths: &[PathBuf]) -> Result<Input, Problem> {
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        let bytes = read_one(path)?;
        files.push((name_for_test(path, paths.len() > 1)?, bytes));
    }
    if files
        .iter()
        .all(|(_, bytes): &(PathBuf, Vec<u8>)| bytes.is_empty())
    {
        let names: Vec<String> = paths.iter().map(|p| format!("`{}`", p.display())).collect();
        let what = format!(
            "{} is empty: there is nothing to reduce",
            names.join(" and ")
        );
        return Err(Problem::new(Exit::Input, what));
    }
    Input::files(files).map_err(|error| {
        Problem::new(Exit::Input, "these inputs cannot be reduced together").because(&error)
    })
}

/// Reads one file, or says why it cannot be read.
pub(super) fn read_one(path: &Path) -> Result<Vec<u8>, Problem> {
    let cannot = || Problem::new(Exit::Input, format!("cannot read `{}`", path.display()));
    if path.is_dir() {
        let what = format!("`{}` is a folder", path.display());
        return Err(Problem::new(Exit::Input, what)
            .hint("name the files in it that are to be reduced; `--with` copies others along"));
    }
    std::fs::read(path).map_err(|error| {
        let problem = cannot().because(&error);
        match error.kind() {
            std::io::ErrorKind::NotFound => problem.hint(match neighbour(path) {
                Some(near) => format!("did you mean `{}`?", near.display()),
                None => "paths are relative to the folder you are in".into(),
            }),
            std::io::ErrorKind::PermissionDenied => problem.hint(format!(
                "you may not read it: try `ls -l {}`",
                path.display()
            )),
            _ => problem,
        }
    })
}

/// A file beside a missing one whose name differs in little.
fn neighbour(path: &Path) -> Option<PathBuf> {
    let wanted = path.file_name()?.to_str()?.to_lowercase();
    let folder = path
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let near = std::fs::read_dir(folder).ok()?.flatten().find(|entry| {
        let name = entry.file_name().to_string_lossy().to_lowercase();
        name == wanted
            || Path::new(&name).file_stem() == Path::new(&wanted).file_stem()
            || Path::new(&name)
                .file_stem()
                .is_some_and(|stem| stem == wanted.as_str())
    })?;
    Some(path.with_file_name(near.file_name()))
}

/// A single input goes by its own name. Several keep their folders, so that they find each other,
/// as far as these lie below the user's.
pub(super) fn name_for_test(path: &Path, several: bool) -> Result<PathBuf, Problem> {
    let below = path
        .components()
        .all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    if several && below {
        return Ok(path
            .components()
            .filter(|c| *c != Component::CurDir)
            .collect());
    }
    path.file_name().map(PathBuf::from).ok_or_else(|| {
        Problem::new(
            Exit::Input,
            format!("`{}` does not name a file", path.display()),
        )
    })
}

/// `NAME.min.EXT` beside the input.
pub(super) fn default_output(path: &Path) -> PathBuf {
    beside(path, ".min")
}

/// `NAME.mark.EXT` beside the input.
pub(super) fn beside(path: &Path, mark: &str) -> PathBuf {
    let mut name = path.file_stem().unwrap_or(path.as_os_str()).to_os_string();
    name.push(mark);
    if let Some(extension) = path.extension() {
        name.push(OsString::from("."));
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_goes_beside_the_input_under_its_own_extension() {
        let out = |path: &str| default_output(Path::new(path)).display().to_string();
        assert_eq!(out("a/bug.rs"), "a/bug.min.rs");
        assert_eq!(out("bug"), "bug.min");
        assert_eq!(out("archive.tar.gz"), "archive.tar.min.gz");
        assert_eq!(out(".profile"), ".profile.min");
    }

    #[test]
    fn several_inputs_keep_their_folders_and_one_does_not() {
        let name = |path: &str, several| name_for_test(Path::new(path), several).unwrap();
        assert_eq!(name("src/a.c", true), Path::new("src/a.c"));
        assert_eq!(name("./src/a.c", true), Path::new("src/a.c"));
        assert_eq!(name("src/a.c", false), Path::new("a.c"));
        assert_eq!(name("../a.c", true), Path::new("a.c"));
        assert!(name_for_test(Path::new("/"), false).is_err());
    }
}
