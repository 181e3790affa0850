//! The scripts that run a test on a worker, and the format of their output.

use nubbin_oracle::{Exit, Keep, Run, TestCommand};
use nubbin_verdict::Unresolved;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The script that runs the test on each candidate of an action.
pub(crate) const HARNESS: &str = include_str!("harness.sh");
/// The name of the folder in which it runs, below the root of the input.
pub(crate) const FOLDER: &str = "nubbin";
/// The name of the file to which the script writes the end of a test.
pub(crate) const RESULT: &str = "result";

/// Stands for the folder of the candidate in a command, until it is known.
const WORK: &str = "/nubbin-folder-of-the-candidate";

/// The settings of a test that its script has.
#[derive(Clone, Debug)]
pub(crate) struct Settings<'a> {
    pub(crate) command: &'a TestCommand,
    /// The path that `{}` stands for, relative to the folder of the test.
    pub(crate) place: &'a Path,
    /// The file of the candidate that is standard input.
    pub(crate) stdin: Option<&'a Path>,
    pub(crate) keep: Keep,
    /// The limit on each output in bytes.
    pub(crate) output_limit: u64,
    pub(crate) time_limit: Duration,
    /// Files and folders of this machine that are sent, at the same path below the root.
    pub(crate) sent: &'a [PathBuf],
}

/// Returns the script with the settings and the words of a test, which the harness reads.
pub(crate) fn test_script(settings: &Settings<'_>) -> Vec<u8> {
    let seconds = settings.time_limit.as_secs_f64();
    let hundredths = (seconds * 100.0).ceil();
    // After this time in one action, the remaining candidates are left to the next action.
    let budget = seconds.ceil().max(2.0);
    let mut text = format!(
        "limit={seconds} hundredths={hundredths} budget={budget} most={}\n",
        settings.output_limit
    )
    .into_bytes();
    if settings.keep.stdout {
        text.extend(b"out=$at/out\n");
    }
    if settings.keep.stderr {
        text.extend(b"err=$at/err\n");
    }
    if let Some(stdin) = settings.stdin {
        text.extend(b"input=");
        text.extend(word(Path::new(WORK).join(stdin).as_os_str(), settings.sent));
        text.push(b'\n');
    }
    text.extend(b"set --");
    let placed = settings
        .command
        .placed(&Path::new(WORK).join(settings.place));
    let program = match is_in_path(settings.command) {
        true => placed.program().file_name().unwrap_or_default(),
        false => placed.program().as_os_str(),
    };
    for one in std::iter::once(program).chain(placed.args().iter().map(|arg| arg.as_os_str())) {
        text.push(b' ');
        text.extend(word(one, settings.sent));
    }
    text.push(b'\n');
    text
}

/// Returns whether a program is found in PATH. A worker may have such a program at another path.
pub(crate) fn is_in_path(command: &TestCommand) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let parent = command.program().parent();
    !command.runs_candidate() && std::env::split_paths(&path).any(|dir| Some(&*dir) == parent)
}

/// Returns a word for the shell, with paths of this machine replaced with paths of the worker.
fn word(word: &OsStr, sent: &[PathBuf]) -> Vec<u8> {
    let mut rest = word.as_encoded_bytes();
    let mut out = vec![b'\''];
    let mut last = None;
    while let Some((&first, after)) = rest.split_first() {
        let begins = |path: &Path| {
            let path = path.as_os_str().as_encoded_bytes();
            let after = rest.strip_prefix(path)?;
            // `/a/bc` is not inside `/a/b`.
            let ends = after.first().is_none_or(|&next| !is_of_name(next));
            (ends && !path.is_empty()).then_some(path.len())
        };
        if let Some(after) = rest.strip_prefix(WORK.as_bytes()) {
            out.extend(b"'\"$at/work\"'");
            rest = after;
            continue;
        }
        // `-I/a/b` is a flag with an attached value.
        let is_value =
            word.as_encoded_bytes().first() == Some(&b'-') && rest.len() + 2 == word.len();
        let is_start = is_value || last.is_none_or(|last| !is_of_name(last) && last != b'/');
        if let Some(length) = sent
            .iter()
            .filter_map(|path| begins(path))
            .max()
            .filter(|_| is_start)
        {
            out.extend(b"'\"$root\"'");
            // A quote in the path is escaped like any other quote.
            for &byte in &rest[..length] {
                push(&mut out, byte);
            }
            rest = &rest[length..];
            last = None;
            continue;
        }
        push(&mut out, first);
        last = Some(first);
        rest = after;
    }
    out.push(b'\'');
    out
}

fn push(out: &mut Vec<u8>, byte: u8) {
    match byte {
        b'\'' => out.extend(b"'\\''"),
        byte => out.push(byte),
    }
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._-+".contains(&byte)
}

/// The end of a test on a worker, as the harness wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Report {
    how: How,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Ended(Exit),
    OutOfTime,
    TooMuchOutput,
}

impl Report {
    /// Reads a report, or returns `None` if the bytes are not a report.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let end = bytes.iter().position(|&byte| byte == b'\n')?;
        let line = std::str::from_utf8(&bytes[..end]).ok()?;
        let outputs = &bytes[end + 1..];
        let mut words = line.strip_prefix("nubbin ")?.split(' ');
        let (how, code, length) = (words.next()?, words.next()?, words.next()?);
        let code: i32 = code.parse().ok()?;
        let (stdout, stderr) = outputs.split_at_checked(length.parse().ok()?)?;
        let how = match how {
            "code" => How::Ended(Exit::Code(code)),
            "signal" => How::Ended(Exit::Signal(code)),
            "time" => How::OutOfTime,
            "output" => How::TooMuchOutput,
            _ => return None,
        };
        words.next().is_none().then(|| Report {
            how,
            stdout: stdout.to_vec(),
            stderr: stderr.to_vec(),
        })
    }

    /// Returns whether the test hit the time limit, which may be caused by the worker.
    pub(crate) fn is_out_of_time(&self) -> bool {
        self.how == How::OutOfTime
    }

    /// Returns the run that this machine would have had.
    pub(crate) fn run(
        self,
        keep: Keep,
        limit: Duration,
        elapsed: Duration,
        inputs: Vec<PathBuf>,
    ) -> Run {
        const KILL: i32 = 9;
        let (exit, cut_short) = match self.how {
            How::Ended(exit) => (exit, None),
            How::OutOfTime => (Exit::Signal(KILL), Some(Unresolved::TimedOut(limit))),
            How::TooMuchOutput => (Exit::Signal(KILL), Some(Unresolved::OutputLimit)),
        };
        Run {
            exit,
            cut_short,
            has_stopped: false,
            is_matched: false,
            stdout: keep.stdout.then_some(self.stdout),
            stderr: keep.stderr.then_some(self.stderr),
            written: Vec::new(),
            elapsed,
            cpu: None,
            coverage: None,
            is_in_loop: false,
            stack: None,
            taken: None,
            inputs: if keep == Keep::default() {
                vec![]
            } else {
                inputs
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reports_are_read_to_the_byte() {
        let report = Report::read(b"nubbin code 3 2\na\nerr\n").unwrap();
        assert_eq!(report.how, How::Ended(Exit::Code(3)));
        assert_eq!(
            (&report.stdout[..], &report.stderr[..]),
            (&b"a\n"[..], &b"err\n"[..])
        );
        let signal = Report::read(b"nubbin signal 11 0\n").unwrap();
        assert_eq!(signal.how, How::Ended(Exit::Signal(11)));
    }

    #[test]
    fn a_text_that_is_not_a_report_has_no_verdict() {
        for text in [
            "",
            "nubbin",
            "nubbin code 0 0",
            "nubbin code x 0\n",
            "nubbin code 0 4\nabc",
            "nubbin well 0 0\n",
            "nubbin code 0 0 0\n",
            "code 0 0\n",
        ] {
            assert_eq!(Report::read(text.as_bytes()), None, "{text:?}");
        }
    }

    #[test]
    fn places_of_this_machine_become_those_of_the_worker() {
        let sent = [PathBuf::from("/home/u/t")];
        let word = |text: &str| String::from_utf8(super::word(OsStr::new(text), &sent)).unwrap();
        assert_eq!(word("/home/u/t/x.sh"), "''\"$root\"'/home/u/t/x.sh'");
        assert_eq!(word("-I/home/u/t"), "'-I'\"$root\"'/home/u/t'");
        assert_eq!(word("/opt/home/u/t"), "'/opt/home/u/t'");
        assert_eq!(word("--x=/home/u/t"), "'--x='\"$root\"'/home/u/t'");
        assert_eq!(word("/home/u/tools"), "'/home/u/tools'");
        assert_eq!(word("it's"), r"'it'\''s'");
        assert_eq!(word(&format!("{WORK}/a.c")), "''\"$at/work\"'/a.c'");
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_odd_for_a_report(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = Report::read(&bytes);
        }

        #[cfg(unix)]
        #[test]
        fn a_shell_reads_the_word_that_was_meant(text in "[ -~\n]{1,24}") {
            use std::os::unix::ffi::OsStrExt as _;
            let mut line = b"printf %s ".to_vec();
            line.extend(word(OsStr::new(&text), &[]));
            let output = std::process::Command::new("sh")
                .arg("-c")
                .arg(OsStr::from_bytes(&line))
                .output()
                .unwrap();
            prop_assert_eq!(output.stdout, text.into_bytes());
        }
    }
}
