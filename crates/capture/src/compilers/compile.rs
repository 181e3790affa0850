//! One call of a compiler.

use super::depfile;
use crate::access::{Access, Act};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A call of a compiler, as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Compile {
    /// The folder in which it ran.
    pub(crate) folder: PathBuf,
    /// The name by which the compiler was called.
    pub(crate) name: OsString,
    pub(crate) compiler: PathBuf,
    pub(crate) args: Vec<OsString>,
    /// The exit code, as a shell reports it.
    pub(crate) code: i32,
}

/// Flags that say which rules for make are written, and their values. They would write over the
/// files of the build.
const RULES: [&str; 6] = ["-M", "-MM", "-MD", "-MMD", "-MP", "-MG"];
const RULES_WITH_VALUE: [&str; 3] = ["-MF", "-MT", "-MQ"];

/// Other flags whose value is the next word.
const WITH_VALUE: [&str; 12] = [
    "-I",
    "-L",
    "-l",
    "-D",
    "-U",
    "-x",
    "-include",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-Xclang",
    "-T",
];

/// Endings of sources that are preprocessed, each with the ending of the preprocessed form.
const SOURCES: [(&str, &str); 9] = [
    ("c", "i"),
    ("cc", "ii"),
    ("cpp", "ii"),
    ("cxx", "ii"),
    ("c++", "ii"),
    ("cp", "ii"),
    ("C", "ii"),
    ("m", "mi"),
    ("mm", "mii"),
];

impl Compile {
    /// Returns the words of the call as a user types them.
    pub(crate) fn words(&self) -> Vec<OsString> {
        let name = std::iter::once(self.name.clone());
        name.chain(self.args.iter().cloned()).collect()
    }

    /// Returns the sources among the arguments, by their positions.
    pub(crate) fn sources(&self) -> Vec<usize> {
        let mut found = Vec::new();
        let mut is_value = false;
        for (at, arg) in self.args.iter().enumerate() {
            let text = arg.to_string_lossy();
            if !is_value && !text.starts_with('-') && preprocessed_ending(arg).is_some() {
                found.push(at);
            }
            is_value = !is_value
                && (text == "-o"
                    || RULES_WITH_VALUE.contains(&&*text)
                    || WITH_VALUE.contains(&&*text));
        }
        found
    }

    /// Returns the arguments that do not name files to write.
    fn args_without_outputs(&self) -> Vec<OsString> {
        let mut kept = Vec::new();
        let mut args = self.args.iter();
        while let Some(arg) = args.next() {
            let text = arg.to_string_lossy();
            if text == "-o" || RULES_WITH_VALUE.contains(&&*text) {
                args.next();
                continue;
            }
            let is_output = text.starts_with("-o")
                || RULES.contains(&&*text)
                || RULES_WITH_VALUE.iter().any(|flag| text.starts_with(flag))
                || text.starts_with("-Wp,-M");
            if !is_output {
                kept.push(arg.clone());
            }
        }
        kept
    }

    /// Returns the call of the compiler that preprocesses its source to `output`.
    pub(crate) fn preprocessing(&self, has_places: bool, output: &Path) -> Vec<OsString> {
        let mut words = self.again(output);
        let flags = if has_places {
            &["-E"][..]
        } else {
            &["-E", "-P"]
        };
        words.splice(1..1, flags.iter().map(OsString::from));
        words
    }

    /// Returns the call with a preprocessed file instead of its source, as a user types it. Files
    /// that it writes have the names that the compiler gives them.
    pub(crate) fn of_preprocessed(&self, file: &OsStr) -> Vec<OsString> {
        let source = self.sources().first().map(|&at| self.args[at].clone());
        let args = self.args_without_outputs().into_iter();
        let args = args.map(|arg| {
            if Some(&arg) == source.as_ref() {
                file.to_owned()
            } else {
                arg
            }
        });
        std::iter::once(self.name.clone()).chain(args).collect()
    }

    /// Returns the call as a command that writes its result to `output`, and nothing else.
    pub(crate) fn again(&self, output: &Path) -> Vec<OsString> {
        let mut words = vec![self.compiler.clone().into_os_string()];
        words.extend(self.args_without_outputs());
        words.extend(["-o".into(), output.into()]);
        words
    }

    /// Returns the uses of files of the call, by the rule for make that the compiler writes for
    /// it. Files that the build generated for it count as read: the call alone does not make them.
    pub(crate) fn accesses(&self, private: &Path) -> io::Result<Vec<Access>> {
        let rule = private.join("rule");
        // A missing header is not an error here: it may be the failure to reproduce.
        let args = ["-M", "-MG", "-MT", "x", "-MF"];
        let ran = Command::new(&self.compiler)
            .args(self.args_without_outputs())
            .args(args)
            .arg(&rule)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .output()?;
        let mut paths = match std::fs::read(&rule) {
            Ok(text) => depfile::read(&text),
            // The call has no source file, or its command line is wrong.
            Err(_) if !ran.status.success() => vec![],
            Err(error) => return Err(error),
        };
        // Other arguments may name objects, libraries, and response files.
        paths.extend(self.args_without_outputs().iter().map(|arg| {
            let file = arg.as_bytes().strip_prefix(b"@").unwrap_or(arg.as_bytes());
            PathBuf::from(OsStr::from_bytes(file))
        }));
        let paths = paths.into_iter().map(|path| self.folder.join(path));
        let read = paths.filter(|path| path.is_file()).map(|path| Access {
            path,
            act: Act::Read,
        });
        let mut accesses: Vec<Access> = read.collect();
        accesses.push(Access {
            path: self.compiler.clone(),
            act: Act::Run,
        });
        Ok(accesses)
    }
}

/// Returns the ending of the preprocessed form of a source; `None` for another file.
pub(crate) fn preprocessed_ending(source: &OsStr) -> Option<&'static str> {
    let ending = Path::new(source).extension()?.to_str()?;
    let known = SOURCES.iter().find(|(known, _)| *known == ending);
    known.map(|(_, preprocessed)| *preprocessed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compile(line: &str) -> Compile {
        Compile {
            folder: "/p".into(),
            name: "gcc".into(),
            compiler: "/usr/bin/gcc".into(),
            args: line.split(' ').map(OsString::from).collect(),
            code: 1,
        }
    }

    #[test]
    fn arguments_that_name_files_to_write_are_left_out() {
        let compile = compile(
            "-c -O2 -MMD -MP -MF d/a.d -MTa.o -Wp,-MD,b.d -I inc.c -o a.o -oa.o a.c -MQ x b.c",
        );
        let args = compile.args_without_outputs();
        assert_eq!(args, ["-c", "-O2", "-I", "inc.c", "a.c", "b.c"]);
        let sources: Vec<_> = compile
            .sources()
            .iter()
            .map(|&at| &compile.args[at])
            .collect();
        assert_eq!(sources, ["a.c", "b.c"]);
        let again = compile.again(Path::new("/t/o"));
        assert_eq!(
            again.first().map(OsString::as_os_str),
            Some(OsStr::new("/usr/bin/gcc"))
        );
        let words = compile.of_preprocessed(OsStr::new("a.i"));
        assert_eq!(words, ["gcc", "-c", "-O2", "-I", "inc.c", "a.i", "b.c"]);
        let words = compile.preprocessing(false, Path::new("/t/o"));
        assert_eq!(words[1..3], ["-E", "-P"]);
        assert!(again.ends_with(&["-o".into(), "/t/o".into()]));
    }
}
