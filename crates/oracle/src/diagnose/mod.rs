//! Why the original input does not fail, when it should.

mod finding;
mod show;

use crate::oracle::CommandOracle;
use crate::run::{Exit, Run};
use crate::start::RunError;
use nubbin_verdict::{Candidate, File, Unresolved, Verdict};
use std::path::{Path, PathBuf};

pub use finding::Finding;

/// What was seen when the test was run on the original input again, and what may be wrong.
///
/// Its [`std::fmt::Display`] is a text of several lines for the user.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// The command line.
    pub command: String,
    /// The conditions, in words.
    pub wanted: String,
    /// The run in a private folder, as for every candidate.
    pub private: Run,
    /// The run in the user's own folder with the original path. None where the private one
    /// failed, was cut short, or there is no original there.
    pub own: Option<Run>,
    /// What the conditions say of each run in a private folder.
    pub verdicts: Vec<Verdict>,
    /// What may be wrong, the likeliest first.
    pub findings: Vec<Finding>,
}

/// Runs in a private folder: one to look at, and some to see whether they agree.
const RUNS: usize = 4;

/// Runs the test on the original input `candidate` (whose files are in `user_dir` as well) in
/// several ways and says why it may not fail.
///
/// Takes up to six runs; one of them is in the user's own folder, where the test can write as it
/// can when the user runs it by hand. A run that is cut short is not repeated.
///
/// # Errors
/// [`RunError`] where the command cannot be run at all.
pub fn diagnose(
    oracle: &CommandOracle,
    candidate: &Candidate<'_>,
    user_dir: &Path,
) -> Result<Diagnosis, RunError> {
    let private = oracle.observe(candidate, 0)?;
    let mut verdicts = vec![oracle.judge_run(&private)];
    if private.cut_short.is_none() {
        for _ in 1..RUNS {
            let run = oracle.observe(candidate, 0)?;
            verdicts.push(oracle.judge_run(&run));
        }
    }
    let fails = verdicts.iter().any(Verdict::is_fail);
    let original = oracle.names().first().map(|name| user_dir.join(name));
    let own = match original.filter(|path| path.exists()) {
        Some(path) if !fails && private.cut_short.is_none() => {
            let stdin = oracle.has_stdin().then_some(path.as_path());
            Some(oracle.run_elsewhere(oracle.command(), stdin, user_dir, &path)?)
        }
        _ => None,
    };
    let mut diagnosis = Diagnosis {
        command: oracle.command().to_string(),
        wanted: oracle.predicate().describe(),
        private,
        own,
        verdicts,
        findings: Vec::new(),
    };
    diagnosis.findings = Look {
        oracle,
        candidate,
        user_dir,
        seen: &diagnosis,
    }
    .findings()?;
    Ok(diagnosis)
}

/// What the findings are drawn from.
struct Look<'a> {
    oracle: &'a CommandOracle,
    candidate: &'a Candidate<'a>,
    user_dir: &'a Path,
    seen: &'a Diagnosis,
}

impl Look<'_> {
    fn findings(&self) -> Result<Vec<Finding>, RunError> {
        let failed = self
            .seen
            .verdicts
            .iter()
            .filter(|verdict| verdict.is_fail())
            .count();
        if failed > 0 {
            let runs = self.seen.verdicts.len();
            return Ok(vec![Finding::Unsteady { failed, runs }]);
        }
        match self.seen.private.cut_short {
            Some(Unresolved::TimedOut(limit)) => return Ok(vec![Finding::TimedOut { limit }]),
            Some(Unresolved::OutputLimit) => return Ok(vec![Finding::OutputLimit]),
            _ => {}
        }
        let mut findings = Vec::new();
        findings.extend(self.not_run());
        findings.extend(self.needs_folder());
        findings.extend(self.input_not_used());
        findings.extend(self.fixed_path());
        findings.extend(self.inverted()?);
        if self.seen.private.exit == Exit::Code(crate::ABSTAIN) {
            findings.push(Finding::Abstained);
        }
        if findings.is_empty() {
            findings.push(Finding::Unmet);
        }
        Ok(findings)
    }

    /// A program that the script wants is not there or may not be run.
    fn not_run(&self) -> Option<Finding> {
        let code = self
            .seen
            .private
            .exit
            .code()
            .filter(|code| [126, 127].contains(code))?;
        let stderr = String::from_utf8_lossy(self.seen.private.stderr());
        let words = ["not found", "denied", "No such file"];
        let says = |line: &&str| words.iter().any(|word| line.contains(word));
        let line = stderr.lines().rev().find(says).map(str::to_owned);
        Some(Finding::NotRun { code, line })
    }

    /// The test fails beside its neighbours only, or says itself that it misses one.
    fn needs_folder(&self) -> Option<Finding> {
        let fails_there = self
            .seen
            .own
            .as_ref()
            .is_some_and(|run| self.oracle.judge_run(run).is_fail());
        if fails_there {
            let script = self.script();
            return Some(Finding::NeedsFolder {
                files: self.neighbours(&script),
            });
        }
        let stderr = String::from_utf8_lossy(self.seen.private.stderr()).into_owned();
        let words = [
            "No such file",
            "not found",
            "annot open",
            "annot find",
            "does not exist",
        ];
        let complaints: Vec<&str> = stderr
            .lines()
            .filter(|line| words.iter().any(|word| line.contains(word)))
            .collect();
        let files = self.neighbours(&complaints.join("\n"));
        (!files.is_empty()).then_some(Finding::NeedsFolder { files })
    }

    /// The files of the user's folder that are named in the text, the input left out.
    fn neighbours(&self, text: &str) -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir(self.user_dir) else {
            return Vec::new();
        };
        let program = self.oracle.command().program().file_name();
        let mut files: Vec<PathBuf> = entries
            .flatten()
            .map(|entry| entry.file_name())
            .filter(|name| Some(name.as_os_str()) != program)
            .map(PathBuf::from)
            .filter(|name| {
                !self
                    .oracle
                    .names()
                    .iter()
                    .any(|input| input.starts_with(name))
            })
            .filter(|name| names_word(text, &name.to_string_lossy()))
            .collect();
        files.sort();
        files
    }

    /// Neither the command line nor the script says where the input goes.
    fn input_not_used(&self) -> Option<Finding> {
        let command = self.oracle.command();
        let has_place = command.runs_candidate()
            || command
                .args()
                .iter()
                .any(|arg| arg.to_string_lossy().contains("{}"));
        if has_place || self.oracle.has_stdin() {
            return None;
        }
        let script = self.script();
        let name = self
            .oracle
            .names()
            .first()?
            .file_name()?
            .to_string_lossy()
            .into_owned();
        let line = command.to_string();
        if names_word(&script, &name) || names_word(&line, &name) {
            return None;
        }
        let wants_argument = ["$1", "${1", "$@", "$*", "sys.argv", "process.argv", "ARGV"];
        let wants_argument = wants_argument.iter().any(|mark| script.contains(mark));
        Some(Finding::InputNotUsed {
            name,
            wants_argument,
        })
    }

    /// The script or the command line names the original by its absolute path.
    fn fixed_path(&self) -> Option<Finding> {
        let path = self.user_dir.join(self.oracle.names().first()?);
        let text = path.to_string_lossy();
        let is_named =
            self.script().contains(&*text) || self.oracle.command().to_string().contains(&*text);
        is_named.then_some(Finding::FixedPath { path })
    }

    /// The test answers the other way round: not 0 on the failing input, 0 on an empty one.
    fn inverted(&self) -> Result<Option<Finding>, RunError> {
        let free = [0, 126, 127, crate::ABSTAIN];
        let code = match self.seen.private.exit {
            Exit::Code(code) if !free.contains(&code) => code,
            Exit::Signal(number) => {
                let name = crate::signal::name(number);
                return Ok(self
                    .oracle
                    .predicate()
                    .is_default()
                    .then_some(Finding::Crashed { name }));
            }
            Exit::Code(_) => return Ok(None),
        };
        if !self.oracle.predicate().is_default() {
            return Ok(None);
        }
        let files: Vec<File<'_>> = self
            .candidate
            .files()
            .iter()
            .map(|file| File {
                bytes: b"",
                ..*file
            })
            .collect();
        let empty = self.oracle.observe(&Candidate::new(&files), 0)?;
        Ok((empty.exit == Exit::Code(0)).then_some(Finding::Inverted { code }))
    }

    fn script(&self) -> String {
        self.oracle
            .command()
            .script(self.user_dir)
            .unwrap_or_default()
    }
}

/// Whether the text has the name not just as a part of a longer one.
fn names_word(text: &str, name: &str) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || "_-.".contains(char);
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut after = text[at + name.len()..].chars();
        // A full stop after the name may end a sentence.
        let next = after.next();
        let is_longer = match next {
            Some('.') => after.next().is_some_and(char::is_alphanumeric),
            other => other.is_some_and(is_part),
        };
        !before.is_some_and(is_part) && !is_longer
    })
}

#[cfg(test)]
mod tests;
