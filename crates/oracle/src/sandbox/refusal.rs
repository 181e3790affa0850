use crate::run::Run;
use regex::bytes::Regex;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// A line in which a test in the sandbox reports that something was not permitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    line: String,
    path: Option<PathBuf>,
    place: Option<PathBuf>,
    name: Option<PathBuf>,
}

/// The messages of programs for the errors with which the sandbox refuses something, in lower case.
const WORDS: [&str; 6] = [
    "permission denied",
    "operation not permitted",
    "read-only file system",
    "cross-device link",
    "eacces",
    "eperm",
];

/// The largest number of lines that are looked for.
const LINES: usize = 8;
/// The number of characters of a line that are kept.
const WIDTH: usize = 200;
/// The number of characters of a line that are looked at. A path that is cut would be that of
/// another file, so the line is longer than any path.
const LONGEST: usize = 16 << 10;

impl Refusal {
    /// Returns the refusals in the outputs of a run in the sandbox that has just ended.
    pub fn of_run(inside: &Run) -> Vec<Self> {
        let mut found: Vec<Refusal> = Vec::new();
        // This search examines every run of a campaign, and outputs are long.
        if ![inside.stderr(), inside.stdout()]
            .into_iter()
            .any(is_refusal)
        {
            return found;
        }
        for refusal in lines(inside).filter_map(|line| Refusal::of_line(&line)) {
            if found.iter().all(|other| other.line != refusal.line) {
                found.push(refusal);
            }
            if found.len() == LINES {
                break;
            }
        }
        found
    }

    /// Returns the refusal that a program in the sandbox has just reported in the given line, if
    /// there is one.
    pub fn of_line(line: &str) -> Option<Self> {
        is_refusal(line.as_bytes()).then(|| {
            let path = path_in(line);
            Refusal {
                line: line.trim().chars().take(WIDTH).collect(),
                place: path.as_deref().and_then(place_of),
                name: match path {
                    Some(_) => None,
                    None => name_in(line),
                },
                path,
            }
        })
    }

    /// Removes the refusals that `outside`, a run without a sandbox, reports as well.
    pub(super) fn retain_new(refusals: &mut Vec<Self>, outside: &Run) {
        let shown = |line: String| line.trim().chars().take(WIDTH).collect::<String>();
        let elsewhere: Vec<String> = lines(outside)
            .map(|line| without_digits(&shown(line)))
            .collect();
        refusals.retain(|refusal| !elsewhere.contains(&without_digits(&refusal.line)));
    }

    /// Returns the line of the output that reports the refusal.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// Returns whether another refusal has the same words, apart from numbers.
    pub fn is_like(&self, other: &Refusal) -> bool {
        without_digits(&self.line) == without_digits(&other.line)
    }

    /// The absolute path in the line, if there is one.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The file or folder that must be writable for the path in the line: the path, or the first
    /// folder above it that existed then. Returns `None` if the line names no absolute path, or if
    /// the folder is the root.
    pub fn place(&self) -> Option<&Path> {
        self.place.as_deref()
    }

    /// The relative path in the line, if the line names no absolute path. The folder in which it
    /// starts is unknown, since the test may have changed its folder.
    pub fn name(&self) -> Option<&Path> {
        self.name.as_deref()
    }
}

fn place_of(path: &Path) -> Option<PathBuf> {
    let place = path.ancestors().find(|path| path.exists())?;
    place.parent().is_some().then(|| place.to_owned())
}

/// Returns the lines of both outputs that report a refusal.
fn lines(run: &Run) -> impl Iterator<Item = String> {
    let outputs = [run.stderr(), run.stdout()];
    outputs.into_iter().flat_map(|output| {
        output
            .split(|&byte| byte == b'\n')
            .filter(|line| is_refusal(line))
            .map(|line| {
                let line = String::from_utf8_lossy(line);
                line.chars().take(LONGEST).collect()
            })
    })
}

/// The words as a pattern; `None` never, since the words have no special characters.
static PATTERN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!("(?i-u){}", WORDS.join("|"))).ok());

fn is_refusal(text: &[u8]) -> bool {
    PATTERN.as_ref().is_some_and(|words| words.is_match(text))
}

/// Process numbers and names of temporary files differ from run to run.
fn without_digits(line: &str) -> String {
    line.chars().filter(|char| !char.is_ascii_digit()).collect()
}

fn is_quote(char: char) -> bool {
    matches!(char, '\'' | '"' | '`' | '‘' | '’')
}

/// Returns the last absolute path in a line. The first one is often that of the program that
/// speaks.
fn path_in(line: &str) -> Option<PathBuf> {
    let mut last = None;
    for (at, _) in line.match_indices('/') {
        let before = line[..at].chars().next_back();
        let is_start = before
            .is_none_or(|char| char.is_whitespace() || is_quote(char) || "=([<:".contains(char));
        if !is_start {
            continue;
        }
        let rest = &line[at..];
        let end = match before.is_some_and(is_quote) {
            true => rest.find(is_quote),
            false => rest.find(char::is_whitespace),
        };
        let path = rest[..end.unwrap_or(rest.len())].trim_end_matches([':', ',', ';', '.', ')']);
        // `//` begins comments and addresses.
        if path.len() > 1 && !path.starts_with("//") && !is_speaker(line, (at, path)) {
            last = Some(PathBuf::from(path));
        }
    }
    last
}

/// Returns whether a path at a position of a line is the program that speaks: the line begins with
/// it, and says more than that it was refused.
fn is_speaker(line: &str, (at, path): (usize, &str)) -> bool {
    let rest = &line[at + path.len()..];
    let Some(said) = rest
        .strip_prefix(':')
        .filter(|_| line[..at].trim().is_empty())
    else {
        return false;
    };
    let said = said.trim_start().to_lowercase();
    !WORDS.iter().any(|word| said.starts_with(word))
}

/// Returns the relative path in a line: the word in front of the refusal, or the quoted word behind
/// it. A word without quotes counts only if it has a dot or a slash, as few other words have.
fn name_in(line: &str) -> Option<PathBuf> {
    let found = PATTERN.as_ref()?.find(line.as_bytes())?;
    let (before, after) = (line.get(..found.start())?, line.get(found.end()..)?);
    let before = before.trim_end_matches([' ', ':', ',', '(']);
    let quoted = |text: &str| {
        let (_, text) = text.split_once(is_quote)?;
        text.split_once(is_quote).map(|(name, _)| name.to_owned())
    };
    let name = match before.strip_suffix(is_quote) {
        Some(inner) => inner.rsplit_once(is_quote).map(|(_, name)| name.to_owned()),
        None => before
            .split_whitespace()
            .next_back()
            .filter(|word| word.contains(['.', '/']) && !word.contains(['(', ':', '[', '{']))
            .map(str::to_owned),
    };
    let name = name
        .filter(|name| name.len() < before.len())
        .or_else(|| quoted(after))?;
    let is_name = name.chars().any(char::is_alphanumeric) && !name.starts_with('/');
    is_name.then(|| PathBuf::from(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(stderr: &str) -> Run {
        Run {
            stderr: Some(stderr.into()),
            ..Run::refused(1)
        }
    }

    #[test]
    fn the_path_that_was_refused_is_found_in_the_words_of_usual_programs() {
        for (line, path) in [
            ("sh: 1: cannot create /tmp/a: Permission denied", "/tmp/a"),
            ("bash: line 1: /tmp/a: Permission denied", "/tmp/a"),
            ("rm: cannot remove '/a b/c': Permission denied", "/a b/c"),
            (
                "PermissionError: [Errno 13] Permission denied: '/srv/x'",
                "/srv/x",
            ),
            (
                "/usr/bin/ld: cannot open output file /tmp/a.out: Permission denied",
                "/tmp/a.out",
            ),
            ("Error: EACCES: permission denied, open '/x/y'", "/x/y"),
        ] {
            assert_eq!(Refusal::of_run(&run(line)).len(), 1, "{line}");
            assert_eq!(path_in(line).as_deref(), Some(Path::new(path)), "{line}");
        }
        let found = Refusal::of_run(&run("OSError: [Errno 1] Operation not permitted"));
        assert_eq!(found[0].place(), None);
    }

    #[test]
    fn the_program_that_speaks_is_not_the_path_that_was_refused() {
        for line in [
            "/t/test.sh: 3: cannot create cache.txt: Permission denied",
            "/t/test.sh: line 3: cache.txt: Permission denied",
            "/usr/bin/ld: cannot open output file cache.txt: Permission denied",
            "PermissionError: [Errno 13] Permission denied: 'cache.txt'",
            "Error: EACCES: permission denied, open 'cache.txt'",
            "rm: cannot remove 'cache.txt': Permission denied",
            "java.io.FileNotFoundException: cache.txt (Permission denied)",
        ] {
            let found = Refusal::of_run(&run(line));
            assert_eq!(found[0].path(), None, "{line}");
            assert_eq!(found[0].name(), Some(Path::new("cache.txt")), "{line}");
        }
        for line in [
            "OSError: [Errno 1] Operation not permitted",
            "socket: Operation not permitted",
            "Os { code: 13, kind: PermissionDenied, message: \"Permission denied\" }",
        ] {
            assert_eq!(Refusal::of_run(&run(line))[0].name(), None, "{line}");
        }
        let found = Refusal::of_run(&run("/tmp/a: Permission denied"));
        assert_eq!(found[0].path(), Some(Path::new("/tmp/a")));
    }

    #[test]
    fn a_path_is_never_cut() {
        let long = format!("/tmp/{}/x", "a".repeat(2 * WIDTH));
        let found = Refusal::of_run(&run(&format!("open {long}: Permission denied")));
        assert_eq!(found[0].path(), Some(Path::new(&long)));
        assert_eq!(found[0].line().len(), WIDTH);
    }

    #[test]
    fn a_refusal_that_is_also_met_outside_is_left_out() {
        let inside = run("job 17: permission denied\nopen /x: Permission denied\nall well\n");
        let outside = run("job 18: permission denied\n");
        let mut found = Refusal::of_run(&inside);
        Refusal::retain_new(&mut found, &outside);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].line(), "open /x: Permission denied");
        assert_eq!(found[0].place(), None, "nobody wants to permit everything");
    }
}
