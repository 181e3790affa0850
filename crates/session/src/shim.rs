//! Programs that version managers put before the real ones (pyenv, rbenv, asdf, Volta, …). A shim
//! decides in each run which program it starts, by the current folder, which may take longer than
//! the test.

use crate::problem::say;
use crate::settings::RunSettings;
use nubbin_oracle::TestCommand;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The managers whose shims are scripts that end in `exec …/pyenv exec "$program" "$@"`.
const OF_SCRIPTS: [&str; 9] = [
    "asdf", "goenv", "jenv", "luaenv", "nodenv", "phpenv", "plenv", "pyenv", "rbenv",
];
/// The managers whose shims are links to a program of this name, and how the manager is called.
const OF_LINKS: [(&str, &str); 3] = [("volta-shim", "volta"), ("shim", "volta"), ("mise", "mise")];
/// The largest size of a shim that is a script.
const LONGEST: u64 = 4 << 10;
/// The largest number of words of a script that are looked up.
const MOST_WORDS: usize = 500;

/// A program that a manager has put before another one.
#[derive(Debug)]
struct Shim {
    /// The name of the program.
    name: OsString,
    /// The program of the manager.
    manager: PathBuf,
}

/// Returns the words of a command with a shim replaced with the program that it would start in the
/// current folder, and prints a note. The environment of the test is not changed, so programs that
/// the test itself starts are found as before.
pub fn resolved(
    words: Vec<OsString>,
    here: &Path,
    flags: &RunSettings,
    is_quiet: bool,
) -> Vec<OsString> {
    let Ok(command) = TestCommand::new(words.clone(), here) else {
        return words;
    };
    if command.runs_candidate() {
        return words;
    }
    let Some(shim) = shim_at(command.program()) else {
        if !is_quiet {
            hint_of_script(&command, here);
        }
        return words;
    };
    let shown = shim.name.to_string_lossy().into_owned();
    let manager = manager_name(&shim);
    // In another environment, the shim may start another program.
    let target = match changes_environment(flags, &manager) {
        true => None,
        false => shim.target(here),
    };
    let Some(target) = target else {
        return words;
    };
    if !is_quiet {
        say(&format!(
            "`{shown}` is a shim of {manager}: the tests run `{}` itself, which starts faster",
            target.display()
        ));
    }
    let rest = words.into_iter().skip(1);
    std::iter::once(target.into_os_string())
        .chain(rest)
        .collect()
}

/// Returns whether the flags give the test variables by which the manager decides.
fn changes_environment(flags: &RunSettings, manager: &str) -> bool {
    let prefix = format!("{}_", manager.to_uppercase());
    let names = flags.env.iter().chain(&flags.unset_env);
    let mut names = names.map(|name| name.to_string_lossy());
    flags.clean_env || names.any(|name| name.starts_with(&prefix) || name.starts_with("PATH"))
}

fn manager_name(shim: &Shim) -> String {
    let name = shim.manager.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Returns the shim at a path, if there is one.
fn shim_at(program: &Path) -> Option<Shim> {
    let name = program.file_name()?.to_owned();
    let folder = program.parent()?;
    if let Ok(target) = program.read_link() {
        let target = folder.join(target);
        let file = target.file_name()?.to_str()?;
        let (_, manager) = OF_LINKS.iter().find(|(link, _)| *link == file)?;
        let beside = target.with_file_name(manager);
        let manager = [beside, folder.join(manager)]
            .into_iter()
            .find(|path| path.is_file())?;
        return Some(Shim { name, manager });
    }
    if folder.file_name()? != "shims" {
        return None;
    }
    let mut text = String::new();
    let file = std::fs::File::open(program).ok()?;
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    let manager = text.lines().find_map(|line| {
        let mut words = line.trim().strip_prefix("exec ")?.split_whitespace();
        let manager = words.next()?.trim_matches('"');
        let is_known = |path: &Path| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| OF_SCRIPTS.contains(&name))
        };
        let manager = Path::new(manager);
        (words.next() == Some("exec") && manager.is_absolute() && is_known(manager))
            .then(|| manager.to_owned())
    })?;
    Some(Shim { name, manager })
}

impl Shim {
    /// Asks the manager for the program that the shim starts in the given folder.
    fn target(&self, here: &Path) -> Option<PathBuf> {
        let ran = Command::new(&self.manager)
            .arg("which")
            .arg(&self.name)
            .current_dir(here)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()?;
        let said = String::from_utf8(ran.stdout).ok()?;
        let target = PathBuf::from(said.lines().next()?.trim());
        let is_program = ran.status.success() && target.is_absolute() && target.is_file();
        (is_program && shim_at(&target).is_none()).then_some(target)
    }
}

/// Names the shims that the script of a test calls. They are left as they are: what a script calls
/// is decided in it.
fn hint_of_script(command: &TestCommand, here: &Path) {
    let Some(script) = command.script(here) else {
        return;
    };
    let is_of_word = |char: char| char.is_alphanumeric() || "._+-/".contains(char);
    let code = script.lines().filter(|line| {
        let line = line.trim_start();
        !line.starts_with('#') || line.starts_with("#!")
    });
    let words: BTreeSet<&str> = code
        .flat_map(|line| line.split(|char| !is_of_word(char)))
        .filter(|word| !word.is_empty() && !word.contains('/'))
        .take(MOST_WORDS)
        .collect();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let found = words.into_iter().find_map(|word| {
        let first = folders
            .iter()
            .map(|folder| folder.join(word))
            .find(|path| path.is_file())?;
        Some((word, shim_at(&first)?))
    });
    if let Some((word, shim)) = found {
        let manager = manager_name(&shim);
        say(&format!(
            "the test calls `{word}`, a shim of {manager}, which decides in each test what to \
             start: `{manager} which {word}` names the program, which starts faster"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_shim_is_known_by_its_folder_and_its_last_command() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        for folder in ["shims", "bin"] {
            std::fs::create_dir(path(folder)).unwrap();
        }
        let text =
            "#!/usr/bin/env bash\nset -e\nexec \"/x/libexec/pyenv\" exec \"$program\" \"$@\"\n";
        for (name, text, manager) in [
            ("shims/python3", text, Some("/x/libexec/pyenv")),
            (
                "shims/node",
                "#!/bin/sh\nexec /x/bin/asdf exec \"node\" \"$@\"\n",
                Some("/x/bin/asdf"),
            ),
            ("shims/own", "#!/bin/sh\nexec /x/other exec \"$@\"\n", None),
            ("shims/binary", "\u{0}ELF", None),
            ("bin/python3", text, None),
        ] {
            std::fs::write(path(name), text).unwrap();
            let found = shim_at(&path(name)).map(|shim| shim.manager);
            assert_eq!(found.as_deref(), manager.map(Path::new), "{name}");
        }
        std::fs::write(path("bin/volta-shim"), "x").unwrap();
        std::fs::write(path("bin/volta"), "x").unwrap();
        std::os::unix::fs::symlink("volta-shim", path("bin/node")).unwrap();
        assert_eq!(
            shim_at(&path("bin/node")).unwrap().manager,
            path("bin/volta")
        );
    }
}
