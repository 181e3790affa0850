//! A folder of programs with the names of compilers, which record their calls.

use super::compile::Compile;
use crate::output::Access;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Names of compilers with gcc's command line.
const NAMES: [&str; 8] = ["cc", "c89", "c99", "gcc", "clang", "c++", "g++", "clang++"];

/// Programs that record the calls of the compilers in `PATH` and then run these.
#[derive(Debug)]
pub(crate) struct Watch {
    programs: PathBuf,
    records: PathBuf,
}

impl Watch {
    /// Writes the programs to a new folder in `folder`. Returns `None` if there is no compiler in
    /// `PATH`.
    pub(crate) fn new(folder: &Path) -> io::Result<Option<Self>> {
        let compilers = compilers();
        if compilers.is_empty() {
            return Ok(None);
        }
        let watch = Watch {
            programs: folder.join("compilers"),
            records: folder.join("compiles"),
        };
        std::fs::create_dir(&watch.programs)?;
        std::fs::create_dir(&watch.records)?;
        for (name, compiler) in compilers {
            let path = watch.programs.join(&name);
            Access::OWNER.write_new(&path, &watch.program(&name, &compiler))?;
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o700))?;
        }
        Ok(Some(watch))
    }

    /// Returns the program that records the calls of a compiler.
    fn program(&self, name: &OsStr, compiler: &Path) -> Vec<u8> {
        let (records, compiler) = (
            quoted(self.records.as_os_str()),
            quoted(compiler.as_os_str()),
        );
        [
            b"#!/bin/sh\nrecord=".as_slice(),
            &records,
            b"/$$\nprintf '%s\\0' \"$(pwd -P)\" ",
            &quoted(name),
            b" ",
            &compiler,
            b" \"$@\" > \"$record.words\"\n",
            &compiler,
            b" \"$@\"\ncode=$?\necho $code > \"$record.code\"\nexit $code\n",
        ]
        .concat()
    }

    /// Returns `PATH` with the programs before all others.
    pub(crate) fn path(&self) -> OsString {
        let old = std::env::var_os("PATH").unwrap_or_default();
        let mut path = self.programs.clone().into_os_string();
        path.push(":");
        path.push(old);
        path
    }

    /// Returns the calls so far, in the order in which they began.
    pub(crate) fn compiles(&self) -> io::Result<Vec<Compile>> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(&self.records)? {
            let path = entry?.path();
            if path.extension() != Some(OsStr::new("words")) {
                continue;
            }
            // The record of a killed call has no exit code.
            let Ok(code) = std::fs::read_to_string(path.with_extension("code")) else {
                continue;
            };
            let began = path.metadata()?.modified()?;
            let words = std::fs::read(&path)?;
            let mut words = words
                .strip_suffix(b"\0")
                .unwrap_or(&words)
                .split(|&byte| byte == 0)
                .map(|word| OsString::from_vec(word.to_vec()));
            let (Some(folder), Some(name), Some(compiler)) =
                (words.next(), words.next(), words.next())
            else {
                continue;
            };
            let compile = Compile {
                folder: folder.into(),
                name,
                compiler: compiler.into(),
                args: words.collect(),
                code: code.trim().parse().unwrap_or(-1),
            };
            found.push((began, compile));
        }
        found.sort_by_key(|(began, _)| *began);
        Ok(found.into_iter().map(|(_, compile)| compile).collect())
    }
}

/// Returns the compilers in `PATH` with their names: those without and with a version or a target,
/// such as `gcc-12` and `arm-none-eabi-gcc`.
fn compilers() -> BTreeMap<OsString, PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut found = BTreeMap::new();
    for folder in std::env::split_paths(&path).filter(|folder| folder.is_absolute()) {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let path = entry.path();
            let is_program = || {
                path.metadata()
                    .is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
            };
            // Only the first compiler of a name on the path is used.
            if name.to_str().is_some_and(is_compiler) && !found.contains_key(&name) && is_program()
            {
                found.insert(name, path);
            }
        }
    }
    found
}

fn is_compiler(name: &str) -> bool {
    let is_version = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|char| char.is_ascii_digit() || char == '.')
    };
    let plain = match name.rsplit_once('-') {
        Some((plain, version)) if is_version(version) => plain,
        _ => name,
    };
    NAMES.iter().any(|known| {
        plain == *known
            || plain
                .strip_suffix(known)
                .is_some_and(|target| target.ends_with('-'))
    })
}

/// Returns a text in quotes for a shell.
fn quoted(text: &OsStr) -> Vec<u8> {
    let parts: Vec<&[u8]> = text.as_bytes().split(|&byte| byte == b'\'').collect();
    [b"'", &parts.join(&b"'\\''"[..])[..], b"'"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_are_recognized_by_their_names() {
        for name in [
            "gcc",
            "gcc-12",
            "clang++-15.0",
            "arm-none-eabi-gcc",
            "x86_64-linux-gnu-g++-12",
        ] {
            assert!(is_compiler(name), "{name}");
        }
        for name in [
            "gcc-ar",
            "clang-tidy",
            "gcov",
            "xgcc",
            "gcc-ranlib-12",
            "clang-format-15",
        ] {
            assert!(!is_compiler(name), "{name}");
        }
    }
}
