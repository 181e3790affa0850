//! The file that a misspelled path most likely means.

use std::path::{Path, PathBuf};

/// The number of files of a folder up to which they are compared.
const FILES: usize = 10_000;

/// Returns the file or folder with the most similar name in the folder of a missing path: one with
/// another ending, or one with a few other letters.
pub fn neighbor(path: &Path) -> Option<PathBuf> {
    let wanted = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let names = entries.flatten().take(FILES);
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name != wanted).collect();
    names.sort();
    let name = nearest_name(wanted, &names)?;
    Some(path.with_file_name(name))
}

fn nearest_name<'a>(wanted: &str, names: &'a [String]) -> Option<&'a str> {
    let lower = wanted.to_lowercase();
    let stem = Path::new(&lower).file_stem();
    let has_stem = |name: &&String| {
        let name = name.to_lowercase();
        let own = Path::new(&name).file_stem();
        name == lower || own == stem || own.is_some_and(|own| *own == *lower)
    };
    // A name with the same letters is the most similar one.
    let exact = names.iter().find(|name| name.to_lowercase() == lower);
    if let Some(name) = exact.or_else(|| names.iter().find(has_stem)) {
        return Some(name);
    }
    // Letters of the ending that two names share say nothing.
    let stem = |name: &'a str| Path::new(name).file_stem().and_then(|stem| stem.to_str());
    let ending = Path::new(wanted).extension();
    let known = || names.iter().map(String::as_str);
    let alike = known().filter(|name| Path::new(name).extension() == ending);
    let near = nubbin_grammar::suggest::nearest(
        Path::new(wanted).file_stem()?.to_str()?,
        alike.clone().filter_map(stem),
    )?;
    let mut alike = alike;
    alike.find(|name| stem(name) == Some(near))
}

/// Returns the text of a hint for a missing path.
pub fn hint(path: &Path) -> Option<String> {
    neighbor(path).map(|near| format!("did you mean `{}`?", near.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_ending_or_a_few_other_letters_are_similar() {
        let names = ["calc.py", "e.txt", "input.txt", "Main.java", "notes"].map(String::from);
        for (wanted, near) in [
            ("clac.py", Some("calc.py")),
            ("input.tx", Some("input.txt")),
            ("main.java", Some("Main.java")),
            ("notes.md", Some("notes")),
            ("calc", Some("calc.py")),
            ("parser.rs", None),
            ("none.txt", None),
        ] {
            assert_eq!(nearest_name(wanted, &names), near, "{wanted}");
        }
    }
}
