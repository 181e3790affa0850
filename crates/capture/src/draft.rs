//! The draft of a test: a script that runs the command and checks for its failure.

use nubbin_oracle::{Exit, Message};
use shlex::bytes::try_quote;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// The command of a test, and its failure.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    /// The command line as the user typed it.
    pub(super) typed: &'a [OsString],
    /// The words of the command to run; paths of the project are absolute or relative to `folder`.
    pub(super) words: &'a [OsString],
    /// The root of the project.
    pub(super) root: &'a Path,
    /// The folder in which the command ran, relative to the root.
    pub(super) folder: &'a Path,
    /// The name of the root in the folder of the test. `None` if the command runs in that folder
    /// itself.
    pub(super) place: Option<&'static str>,
    /// The compilation databases that name the root, relative to it.
    pub(super) databases: &'a [PathBuf],
    pub(super) end: Exit,
    pub(super) message: Option<&'a Message>,
}

impl Draft<'_> {
    /// Returns the script, or `None` if a word has a NUL, which no command line can have.
    pub(super) fn script(&self) -> Option<Vec<u8>> {
        let mut script = Vec::new();
        let mut line = |text: &[u8]| {
            script.extend_from_slice(text);
            script.push(b'\n');
        };
        line(b"#!/bin/sh");
        line(b"# A draft by `nubbin capture`: exit code 0 means that the failure is there.");
        let typed = quoted_line(self.typed)?;
        // A line break in a word would end the comment.
        if !typed.contains(&b'\n') {
            line(&[b"# The captured command: ", &typed[..]].concat());
        }
        if let Some(place) = self.place {
            line(
                format!("# It runs in the folder `{place}` below the current one, or in its")
                    .as_bytes(),
            );
            line(b"# argument, and writes there what the command writes.");
            let start = format!("cd \"${{1:-{place}}}\"");
            let folder = self.folder.as_os_str().as_bytes();
            let folder = (!folder.is_empty()).then(|| try_quote(folder).ok());
            let folder = folder.map_or(Some(None), |folder| folder.map(Some))?;
            match folder {
                Some(folder) if self.databases.is_empty() => {
                    line(&[start.as_bytes(), b"/", &folder[..], b" || exit 125"].concat());
                }
                folder => {
                    line(&[start.as_bytes(), b" || exit 125"].concat());
                    for database in self.databases {
                        line(&self.line_for(database)?);
                    }
                    if let Some(folder) = folder {
                        line(&[b"cd ", &folder[..], b" || exit 125"].concat());
                    }
                }
            }
        }
        line(
            &[
                b"output=$(",
                &quoted_line(&self.relative_words())?[..],
                b" 2>&1)",
            ]
            .concat(),
        );
        let code = match self.end {
            Exit::Code(code) => code,
            // A shell returns this exit code for a signal.
            Exit::Signal(number) => 128 + number,
        };
        let parts = self.message.map(Message::parts).unwrap_or_default();
        if parts.is_empty() {
            line(format!("test $? -eq {code}").as_bytes());
        } else {
            line(format!("test $? -eq {code} || exit 1").as_bytes());
            line(b"# The line of the failure, without numbers, quoted names, and positions.");
            let pattern = pattern(parts);
            let pattern = try_quote(pattern.as_bytes()).ok()?;
            line(&[b"printf '%s\\n' \"$output\" | grep -q -e ", &pattern[..]].concat());
        }
        Some(script)
    }

    /// Returns the command that the script runs.
    pub(super) fn line(&self) -> String {
        let line = quoted_line(&self.relative_words()).unwrap_or_default();
        String::from_utf8_lossy(&line).into_owned()
    }

    fn relative_words(&self) -> Vec<OsString> {
        self.words.iter().map(|word| self.relative(word)).collect()
    }

    /// Returns a line that replaces the root with the folder of the test in a compilation database,
    /// whose paths must be absolute.
    fn line_for(&self, database: &Path) -> Option<Vec<u8>> {
        let mut replacing = b"s|".to_vec();
        for &byte in self.root.as_os_str().as_bytes() {
            if br"\[]*^$.|".contains(&byte) {
                replacing.push(b'\\');
            }
            replacing.push(byte);
        }
        replacing.push(b'|');
        let replacing = try_quote(&replacing).ok()?;
        let mut new = database.as_os_str().to_owned();
        new.push(".new");
        let database = try_quote(database.as_os_str().as_bytes()).ok()?;
        let new = try_quote(new.as_bytes()).ok()?;
        let parts = [
            b"sed ",
            &replacing[..],
            b"\"$PWD\"'|g' ",
            &database,
            b" > ",
            &new,
        ];
        Some([&parts.concat()[..], b" && mv ", &new, b" ", &database].concat())
    }

    /// Returns a word with the paths of the project in it made relative to the folder of the
    /// command.
    fn relative(&self, word: &OsStr) -> OsString {
        let root = self.root.as_os_str().as_bytes();
        let up = way_up(self.folder);
        let text = word.as_bytes();
        let mut out = Vec::with_capacity(text.len());
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let after = rest.get(root.len());
            let is_root = rest.starts_with(root)
                && matches!(after, None | Some(b'/' | b':' | b',' | b';'))
                && (at == 0 || !is_of_name(text[at - 1]) || is_flag(&text[..at]));
            if !is_root {
                out.push(text[at]);
                at += 1;
                continue;
            }
            at += root.len();
            // The root is removed from the start of a path below it. The root alone becomes `.`.
            match (up.is_empty(), text.get(at)) {
                (true, Some(b'/')) if text.get(at + 1).is_some() => at += 1,
                (true, _) => out.push(b'.'),
                (false, _) => out.extend_from_slice(up.as_bytes()),
            }
        }
        OsStr::from_bytes(&out).to_owned()
    }

    /// Returns the existing absolute paths in the words that lead out of the project, except
    /// programs and folders of the system.
    pub(super) fn leading_out(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for word in self.words.iter().skip(1) {
            let text = word.as_bytes();
            let starts = (0..text.len()).filter(|&at| {
                text[at] == b'/' && (at == 0 || !is_of_name(text[at - 1]) || is_flag(&text[..at]))
            });
            for at in starts {
                let end = text[at..].iter().position(|byte| b":,;".contains(byte));
                let end = end.map_or(text.len(), |length| at + length);
                let path = Path::new(OsStr::from_bytes(&text[at..end]));
                let is_system = [
                    "/usr", "/lib", "/bin", "/dev", "/etc", "/proc", "/sys", "/opt",
                ]
                .iter()
                .any(|system| path.starts_with(system));
                let is_far = !path.starts_with(self.root) && !is_system;
                if is_far && path.components().count() > 1 && path.exists() {
                    found.push(path.to_owned());
                }
            }
        }
        found
    }
}

/// Returns whether a byte before a path makes it the end of a longer one.
fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/._-~+@".contains(&byte) || !byte.is_ascii()
}

/// Returns whether a text is a flag that its value follows at once: `-I`, `-L`, `-isystem`.
fn is_flag(text: &[u8]) -> bool {
    text.first() == Some(&b'-') && text[1..].iter().all(u8::is_ascii_alphabetic)
}

/// Returns `..` for each folder of a relative path, joined by slashes.
fn way_up(folder: &Path) -> String {
    let depth = folder
        .components()
        .filter(|part| matches!(part, Component::Normal(_)));
    vec![".."; depth.count()].join("/")
}

fn quoted_line(words: &[OsString]) -> Option<Vec<u8>> {
    let words = words.iter().map(|word| try_quote(word.as_bytes()).ok());
    let words: Option<Vec<_>> = words.collect();
    Some(words?.join(&b' '))
}

/// Returns a basic regular expression for lines with the given parts in the given order.
fn pattern(parts: &[String]) -> String {
    let parts = parts.iter().map(|part| {
        let mut out = String::new();
        for char in part.trim().chars() {
            if r"\[]*^$.".contains(char) {
                out.push('\\');
            }
            out.push(char);
        }
        out
    });
    parts.collect::<Vec<_>>().join(".*")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft<'a>(words: &'a [OsString], folder: &'a str) -> Draft<'a> {
        Draft {
            typed: words,
            words,
            root: Path::new("/p/q"),
            folder: Path::new(folder),
            place: Some("src"),
            databases: &[],
            end: Exit::Signal(11),
            message: None,
        }
    }

    #[test]
    fn the_script_runs_the_command_in_its_folder() {
        let words = ["cc".into(), "-DX=a b".into(), "/p/q/x.c".into()];
        let script = draft(&words, "sub dir").script().unwrap();
        let script = String::from_utf8(script).unwrap();
        assert!(
            script.contains("\n# The captured command: cc '-DX=a b' /p/q/x.c\n"),
            "{script}"
        );
        assert!(
            script.contains("\ncd \"${1:-src}\"/'sub dir' || exit 125\n"),
            "{script}"
        );
        assert!(
            script.ends_with("\noutput=$(cc '-DX=a b' ../x.c 2>&1)\ntest $? -eq 139\n"),
            "{script}"
        );
        let databases = ["d/compile_commands.json".into()];
        let with_database = Draft {
            databases: &databases,
            ..draft(&words, "sub dir")
        };
        let script = String::from_utf8(with_database.script().unwrap()).unwrap();
        let expected = "cd \"${1:-src}\" || exit 125\n\
                        sed 's|/p/q|'\"$PWD\"'|g' d/compile_commands.json > d/compile_commands.json.new \
                        && mv d/compile_commands.json.new d/compile_commands.json\n\
                        cd 'sub dir' || exit 125\n";
        assert!(script.contains(expected), "{script}");
        let broken = ["echo".into(), "a\nb".into()];
        let script = draft(&broken, "").script().unwrap();
        assert!(
            !String::from_utf8(script)
                .unwrap()
                .contains("captured command")
        );
    }

    #[test]
    fn paths_of_the_project_are_made_relative() {
        let relative = |word: &str, folder: &str| {
            let word = draft(&[], folder).relative(OsStr::new(word));
            word.into_string().unwrap()
        };
        for (word, here, below) in [
            ("/p/q/a.c", "a.c", "../a.c"),
            ("/p/q", ".", ".."),
            ("-I/p/q/inc", "-Iinc", "-I../inc"),
            ("--x=/p/q/a:/p/q/b", "--x=a:b", "--x=../a:../b"),
            ("/p/qq/a", "/p/qq/a", "/p/qq/a"),
            ("/x/p/q/a", "/x/p/q/a", "/x/p/q/a"),
            ("a.c", "a.c", "a.c"),
        ] {
            let found = (relative(word, ""), relative(word, "d"));
            assert_eq!(found, (here.into(), below.into()), "{word}");
        }
    }

    #[test]
    fn a_pattern_finds_the_parts_as_they_are() {
        let parts = ["error: [x] ".into(), "a.b*c".into()];
        assert_eq!(pattern(&parts), r"error: \[x\].*a\.b\*c");
    }
}
