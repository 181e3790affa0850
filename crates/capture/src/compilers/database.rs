//! Compilation databases (`compile_commands.json`).

use super::compile::Compile;
use serde::Deserialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// One entry. Its command is a list of words, or a line for a shell.
#[derive(Debug, Deserialize)]
struct Entry {
    directory: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// Reads the compile commands of a database. A relative directory is one below the folder of the
/// database.
pub(crate) fn read(text: &[u8], folder: &Path) -> serde_json::Result<Vec<Compile>> {
    let entries: Vec<Entry> = serde_json::from_slice(text)?;
    let compiles = entries.into_iter().filter_map(|entry| {
        let line = entry.command.as_deref();
        let words = entry.arguments.or_else(|| shlex::split(line?))?;
        let mut words = words.into_iter().map(OsString::from);
        let name = words.next()?;
        let directory = folder.join(&entry.directory);
        let directory = directory.canonicalize().unwrap_or(directory);
        Some(Compile {
            compiler: found(&name, &directory),
            folder: directory,
            name,
            args: words.collect(),
            // The command from the database has not been run.
            code: 0,
        })
    });
    Ok(compiles.collect())
}

/// Returns the path of a program: its own, or the first in `PATH`.
fn found(name: &OsString, folder: &Path) -> PathBuf {
    if Path::new(name).components().count() > 1 {
        return folder.join(name);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&path).map(|place| place.join(name));
    places
        .find(|place| place.is_file())
        .unwrap_or_else(|| name.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_an_entry_are_read() {
        let text = br#"[
            {"directory": "/p/b", "file": "a.c", "arguments": ["/usr/bin/cc", "-c", "a b.c"]},
            {"directory": ".", "file": "b.c", "command": "tools/cc -DX='1 2' -c b.c", "output": "b.o"},
            {"directory": "/p", "file": "c.c"}
        ]"#;
        let compiles = read(text, Path::new("/none")).unwrap();
        let shown = |compile: &Compile| (compile.folder.clone(), compile.compiler.clone());
        assert_eq!(compiles.len(), 2);
        assert_eq!(shown(&compiles[0]), ("/p/b".into(), "/usr/bin/cc".into()));
        assert_eq!(compiles[0].args, ["-c", "a b.c"]);
        assert_eq!(compiles[1].compiler, Path::new("/none/tools/cc"));
        assert_eq!(compiles[1].args, ["-DX=1 2", "-c", "b.c"]);
        assert!(read(b"{}", Path::new("/")).is_err());
    }
}
