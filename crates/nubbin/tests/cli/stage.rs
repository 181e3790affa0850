use crate::running::{Running, heed_signals};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A temporary folder in which nubbin runs.
pub(crate) struct Stage {
    folder: tempfile::TempDir,
    /// The folder of the tests' private folders, so that leftovers can be detected.
    temp: tempfile::TempDir,
    /// Whether scripts may write to the folder from the sandbox, to note what they have seen.
    is_writable: bool,
}

/// The output of a run and its exit code.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Stage {
    pub(crate) fn new() -> Self {
        Stage {
            folder: tempfile::tempdir().unwrap(),
            temp: tempfile::tempdir().unwrap(),
            is_writable: true,
        }
    }

    /// Makes a stage whose scripts may not write to its folder from the sandbox.
    pub(crate) fn confined() -> Self {
        Stage {
            is_writable: false,
            ..Stage::new()
        }
    }

    /// Makes a stage with one input, and a script that finds `crash` in it.
    pub(crate) fn with_crash(text: &str) -> Self {
        let stage = Stage::new();
        stage.file("input.txt", text);
        stage.script("test.sh", "grep -q crash input.txt");
        stage
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn script(&self, name: &str, body: &str) {
        use std::os::unix::fs::PermissionsExt;
        self.file(name, format!("#!/bin/sh\n{body}\n"));
        std::fs::set_permissions(self.path(name), PermissionsExt::from_mode(0o755)).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Returns the journals of a result: the verdicts of runs that were stopped.
    pub(crate) fn journals(&self, result: &str) -> Vec<PathBuf> {
        let result = self.path(result);
        let folder = result.with_file_name(".nubbin");
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        let start = format!("{}.", result.file_name().unwrap().to_str().unwrap());
        found.retain(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            name.starts_with(&start) && name.ends_with(".journal")
        });
        found.sort();
        found
    }

    /// Returns the command, ready to run in the folder.
    pub(crate) fn nubbin<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Command {
        heed_signals();
        let mut command = Command::new(env!("CARGO_BIN_EXE_nubbin"));
        let mut args: Vec<OsString> = args
            .into_iter()
            .map(|arg| arg.as_ref().to_owned())
            .collect();
        let runs_tests = ["reduce", "isolate", "explain"];
        let runs_tests = args.first().is_some_and(|first| {
            runs_tests.iter().any(|name| first == name)
                || first == "generate" && ["choices", "population"].iter().any(|it| args[1] == *it)
        });
        // Without a sandbox, everything is writable.
        let is_off = args.iter().any(|arg| arg == "--sandbox=off")
            || args
                .windows(2)
                .any(|pair| pair[0] == "--sandbox" && pair[1] == "off");
        if self.is_writable && runs_tests && !is_off {
            let at = if args[0] == "generate" { 2 } else { 1 };
            args.splice(at..at, ["--writable".into(), self.folder.path().into()]);
        }
        command
            .args(args)
            .current_dir(self.folder.path())
            .env("TMPDIR", self.temp.path())
            .stdin(Stdio::null());
        command
    }

    /// Runs to the end, and checks that no temporary files remain.
    pub(crate) fn run<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Ran {
        let ran = self.start(args).wait();
        self.assert_clean();
        ran
    }

    /// Starts nubbin, and collects its output.
    pub(crate) fn start<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Running {
        let mut command = self.nubbin(args);
        Running::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()))
    }

    /// Returns a shell command with this nubbin in `PATH`, and with another folder before it.
    pub(crate) fn shell(&self, line: &str, first: Option<&Path>) -> Ran {
        let program = Path::new(env!("CARGO_BIN_EXE_nubbin"));
        let own = program.parent().map(Path::to_owned);
        let rest = std::env::var_os("PATH").unwrap_or_default();
        let folders = own.into_iter().chain(first.map(Path::to_owned));
        let path = std::env::join_paths(folders.chain(std::env::split_paths(&rest))).unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(self.folder.path());
        shell.env("PATH", path).env("TMPDIR", self.temp.path());
        let ran = Running::start(
            shell
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped()),
        )
        .wait();
        self.assert_clean();
        ran
    }

    pub(crate) fn assert_clean(&self) {
        let left: Vec<_> = std::fs::read_dir(self.temp.path())
            .unwrap()
            .flatten()
            .collect();
        assert!(left.is_empty(), "left in the temporary folder: {left:?}");
    }

    pub(crate) fn temp(&self) -> &Path {
        self.temp.path()
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Ran {
    #[track_caller]
    pub(crate) fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}{}", self.stdout, self.stderr);
        self
    }

    #[track_caller]
    pub(crate) fn said(self, words: &[&str]) -> Self {
        for word in words {
            assert!(
                self.stderr.contains(word),
                "no {word:?} in:\n{}",
                self.stderr
            );
        }
        self
    }
}

/// Makes a text of `lines` lines with the word in the middle one.
pub(crate) fn haystack(lines: usize, word: &str) -> String {
    let line = |i: usize| {
        if i == lines / 2 {
            format!("the {word}!\n")
        } else {
            format!("line {i}\n")
        }
    };
    (0..lines).map(line).collect()
}
