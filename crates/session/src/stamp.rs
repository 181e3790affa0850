//! Stamps of files on which a verdict depends. A change of a file changes its stamp.

use nubbin_reduce::edit::fingerprint;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The size of the largest file whose content is read. The stamp of a larger file has its length
/// and the time of its last change instead.
const LARGEST: u64 = 64 << 20;

/// Returns the stamp of a file, or of a folder with everything in it. A missing file has a stamp as
/// well.
pub fn stamp(path: &Path) -> String {
    let mut all = String::new();
    let mut stack = vec![path.to_path_buf()];
    while let Some(path) = stack.pop() {
        let text = match std::fs::metadata(&path) {
            Err(error) => error.kind().to_string(),
            // A link to a folder may lead to the folder itself.
            Ok(there) if there.is_dir() && path.is_symlink() => link(&path),
            Ok(there) if there.is_dir() => {
                let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
                let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
                entries.sort();
                stack.extend(entries);
                "folder".to_owned()
            }
            Ok(there) => of_file(&path, &there),
        };
        all += &format!("{} {text}\n", path.display());
    }
    format!("{:032x}", fingerprint(all.as_bytes()).0)
}

/// Returns the stamps of the programs in a line for the shell, as far as they are named by a path.
pub fn stamp_line(line: &str) -> String {
    let words = shlex::split(line).unwrap_or_default();
    words
        .iter()
        .map(Path::new)
        .filter(|path| path.components().count() > 1 && is_program(path))
        .map(stamp)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns whether a path leads to a file that can be run. Other files that a command names may be
/// its outputs.
#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let is_program = |there: Metadata| there.is_file() && there.permissions().mode() & 0o100 != 0;
    std::fs::metadata(path).is_ok_and(is_program)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "exe") && path.is_file()
}

fn link(path: &Path) -> String {
    let target = std::fs::read_link(path);
    format!("link {:?}", target.unwrap_or_default())
}

fn of_file(path: &Path, there: &Metadata) -> String {
    let content = (there.is_file() && there.len() <= LARGEST)
        .then(|| std::fs::read(path).ok())
        .flatten();
    match content {
        Some(bytes) => format!("{:032x}", fingerprint(&bytes).0),
        None => {
            let changed = there.modified().unwrap_or(UNIX_EPOCH);
            let since = changed.duration_since(UNIX_EPOCH).unwrap_or_default();
            format!("{} {}", there.len(), since.as_nanos())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_changes_with_any_content_and_any_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mut seen = vec![stamp(folder.path())];
        std::fs::create_dir(path("d")).unwrap();
        seen.push(stamp(folder.path()));
        std::fs::write(path("d/a"), "one").unwrap();
        seen.push(stamp(folder.path()));
        std::fs::write(path("d/a"), "two").unwrap();
        seen.push(stamp(folder.path()));
        std::fs::rename(path("d/a"), path("d/b")).unwrap();
        seen.push(stamp(folder.path()));
        std::os::unix::fs::symlink(".", path("d/loop")).unwrap();
        seen.push(stamp(folder.path()));
        assert_eq!(stamp(folder.path()), seen[5]);
        let mut unique = seen.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), seen.len());
        assert_ne!(stamp(&path("none")), stamp(&path("d/b")));
    }

    #[test]
    fn programs_in_a_line_are_stamped_and_outputs_are_not() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("cc"), "one").unwrap();
        std::fs::write(path("log"), "one").unwrap();
        std::fs::set_permissions(path("cc"), PermissionsExt::from_mode(0o755)).unwrap();
        let line = format!(
            "{} {{}} >>'{}'",
            path("cc").display(),
            path("log").display()
        );
        let before = stamp_line(&line);
        std::fs::write(path("log"), "two").unwrap();
        assert_eq!(stamp_line(&line), before);
        std::fs::write(path("cc"), "two").unwrap();
        assert_ne!(stamp_line(&line), before);
    }
}
