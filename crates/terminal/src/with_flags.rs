//! The flags `--with` for files next to the input.

use std::path::{Path, PathBuf};

/// Returns the flags that give files of a folder to the test.
///
/// A path from the current folder is the same for the test. So a file of another folder is given by
/// its absolute path, of which the last part is kept.
pub fn with_flags(files: &[PathBuf], folder: &Path) -> String {
    let here = Path::new(".").canonicalize().ok();
    let other = folder
        .canonicalize()
        .ok()
        .filter(|it| Some(it) != here.as_ref());
    let mut flags: Vec<String> = Vec::new();
    for file in files {
        let first = file.components().next();
        let path = match (&other, first) {
            (Some(folder), Some(first)) if folder.join(file).exists() => folder.join(first),
            _ => file.clone(),
        };
        let path = path.to_string_lossy();
        let path = shlex::try_quote(&path).unwrap_or(path.clone());
        let flag = format!("--with {path}");
        if !flags.contains(&flag) {
            flags.push(flag);
        }
    }
    flags.join(" ")
}
