//! The flags `--fixed` for files of a folder.

use std::path::PathBuf;

/// The largest number of files that are named one by one, if a pattern names them as well.
const NAMED: usize = 3;

/// Returns the flags that give some files of a folder to the test as they are. `all` has the names
/// of all files in the folder.
pub fn fixed_flags(files: &[PathBuf], all: &[PathBuf]) -> String {
    let mut flags: Vec<String> = Vec::new();
    for file in files {
        let same = |one: &&PathBuf| one.extension() == file.extension();
        let is_all = all.iter().filter(same).all(|one| files.contains(one));
        let pattern = match file.extension() {
            Some(ending) if is_all && files.iter().filter(same).count() > NAMED => {
                format!("*.{}", ending.to_string_lossy())
            }
            _ => file.to_string_lossy().into_owned(),
        };
        let pattern = shlex::try_quote(&pattern).map_or(pattern.clone(), Into::into);
        let flag = format!("--fixed {pattern}");
        if !flags.contains(&flag) {
            flags.push(flag);
        }
    }
    flags.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_files_of_one_ending_are_a_pattern() {
        let paths = |names: &str| names.split(' ').map(PathBuf::from).collect::<Vec<_>>();
        let of = |files: &str, all: &str| fixed_flags(&paths(files), &paths(all));
        assert_eq!(of("a.py", "a.py in"), "--fixed a.py");
        assert_eq!(
            of("a.py b/c.py d", "a.py b/c.py d in"),
            "--fixed a.py --fixed b/c.py --fixed d"
        );
        assert_eq!(
            of("a.py b.py c.py d/e.py", "a.py b.py c.py d/e.py in"),
            "--fixed '*.py'"
        );
        let some = of("a.py b.py c.py d.py", "a.py b.py c.py d.py in.py");
        assert_eq!(some, "--fixed a.py --fixed b.py --fixed c.py --fixed d.py");
    }
}
