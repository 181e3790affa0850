//! The diagnosis of an original input that should fail but does not.

mod absent_programs;
mod compare;
mod finding;
mod missing;
mod named;
mod neighbors;
mod programs;
mod shell;
mod show;
mod unused;

use crate::extra::Extra;
use crate::oracle::CommandOracle;
use crate::output::Keep;
use crate::run::{Exit, Run};
use crate::run_error::RunError;
use crate::signature::{FailureKind, Message, Signature};
use nubbin_verdict::{Ask, Cancel, Candidate, File, Unresolved, Verdict};
use std::path::{Path, PathBuf};

pub use absent_programs::missing_programs;
pub use compare::{Comparison, Difference};
pub use finding::{FailureMessage, Finding};
pub use missing::missing_neighbors;
use named::neighbors_named;
pub use named::{called_of_input, path_of_original};
use neighbors::neighbors_of;
pub use programs::{programs_called, script_of};
use unused::Unused;
pub use unused::why_unused;

/// The runs of the test on the original input, and the likely reasons why it does not fail.
///
/// [`std::fmt::Display`] gives a text of several lines for the user.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// The command line that was run, with the path of the candidate in it.
    pub command: String,
    /// The command line of the build, if there is one.
    pub build: Option<String>,
    /// The conditions of the failure, in words.
    pub wanted: String,
    /// The run in a private folder, as for every candidate.
    pub private: Run,
    /// The run with copies of the input's neighbors next to the candidate. The value is `None` if
    /// the run in the private folder failed or was cut short, or if there are no neighbors or too
    /// many.
    pub own: Option<Run>,
    /// The reason why there was no run with neighbors although there are some.
    pub not_tried: Option<String>,
    /// The run of the command to compare with, if there is one and it was run.
    pub other: Option<Run>,
    /// The verdict of each run in a private folder.
    pub verdicts: Vec<Verdict>,
    /// The likely reasons, most likely first. Empty if the diagnosis was canceled.
    pub findings: Vec<Finding>,
}

/// The number of runs in a private folder: one to analyze, and some to see whether they agree.
const RUNS: usize = 4;
/// The maximum number of runs by which further missing files are found.
const STEPS: usize = 8;

/// Runs the test in several ways on the original input `candidate`, whose files are in `user_dir`,
/// and returns the likely reasons why it does not fail.
///
/// It takes up to six runs in private folders, one of them with copies of the files next to the
/// original, and some more if the test complains about files that it does not find. The test never
/// runs in the user's folder, since a test that writes to its input would destroy the original
/// there. A run that is cut short is not repeated.
///
/// # Errors
/// Returns [`RunError`] if the command cannot be run.
pub fn diagnose(
    oracle: &CommandOracle,
    candidate: &Candidate<'_>,
    user_dir: &Path,
) -> Result<Diagnosis, RunError> {
    diagnose_with(oracle, candidate, user_dir, &Cancel::new())
}

/// Diagnoses like [`diagnose`], and can be canceled. A canceled diagnosis has the runs so far,
/// without findings.
///
/// # Errors
/// Returns [`RunError`] if the command cannot be run.
pub fn diagnose_with(
    oracle: &CommandOracle,
    candidate: &Candidate<'_>,
    user_dir: &Path,
    cancel: &Cancel,
) -> Result<Diagnosis, RunError> {
    let ask = Ask {
        cancel: cancel.clone(),
        ..Ask::new(0)
    };
    let judge = |run: &Run| oracle.judge_wholly(run, candidate, &ask, Keep::BOTH);
    let private = oracle.observe_with(candidate, 0, cancel)?;
    let (verdict, other) = judge(&private)?;
    let first = oracle.first_path();
    let placed = |command| oracle.command_on(command, candidate);
    let mut diagnosis = Diagnosis {
        command: placed(oracle.command()).line_for(&first),
        build: (oracle.build()).map(|build| placed(build).script_for(&first)),
        wanted: oracle.predicate().describe(),
        private,
        own: None,
        not_tried: None,
        other,
        verdicts: vec![verdict],
        findings: Vec::new(),
    };
    if diagnosis.private.cut_short.is_none() {
        for _ in 1..RUNS {
            let run = oracle.observe_with(candidate, 0, cancel)?;
            let (verdict, _) = judge(&run)?;
            if cancel.is_cancelled() {
                return Ok(diagnosis);
            }
            diagnosis.verdicts.push(verdict);
        }
    }
    let fails = diagnosis.verdicts.iter().any(Verdict::is_fail);
    // If the other command was run, the conditions apply to that run.
    if !fails && diagnosis.private.cut_short.is_none() && diagnosis.other.is_none() {
        match neighbors_of(oracle, user_dir, &|_| false) {
            Ok(files) if files.is_empty() => {}
            Ok(files) => {
                let run = oracle.observe_beside(files, candidate, cancel);
                // A neighbor that cannot be copied does not end the diagnosis.
                match run {
                    Ok(run) => diagnosis.own = Some(run),
                    Err(error) => diagnosis.not_tried = Some(error.to_string()),
                }
            }
            Err(why) => diagnosis.not_tried = Some(why),
        }
    }
    if cancel.is_cancelled() {
        return Ok(diagnosis);
    }
    let findings = Look {
        oracle,
        candidate,
        user_dir,
        cancel,
        seen: &diagnosis,
    }
    .findings()?;
    // Findings from a canceled run may be wrong.
    if !cancel.is_cancelled() {
        diagnosis.findings = findings;
    }
    Ok(diagnosis)
}

/// Files that the test lacks.
struct Needed {
    finding: Finding,
    extras: Vec<Extra>,
    /// The run with these files.
    run: Option<Run>,
}

/// A run by which the exit and the outputs of the test are judged.
struct Shown {
    run: Run,
    /// The files that it had next to the input.
    extras: Vec<Extra>,
}

/// The data from which the findings are made.
struct Look<'a> {
    oracle: &'a CommandOracle,
    candidate: &'a Candidate<'a>,
    user_dir: &'a Path,
    cancel: &'a Cancel,
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
            return Ok(vec![Finding::Flaky { failed, runs }]);
        }
        match self.seen.private.cut_short {
            Some(Unresolved::TimedOut(limit)) => {
                return Ok(vec![timed_out(&self.seen.private, limit)]);
            }
            Some(Unresolved::NotBuilt { timed_out }) => {
                let limit = self.oracle.timeout_now().filter(|_| timed_out);
                let code = self.seen.private.exit.code();
                let line = complaint(&self.seen.private);
                return Ok(vec![Finding::NotBuilt { code, limit, line }]);
            }
            Some(Unresolved::OutputLimit) => return Ok(vec![Finding::OutputLimit]),
            Some(Unresolved::OverLimit(limit)) => return Ok(vec![Finding::OverLimit { limit }]),
            _ => {}
        }
        if let Some(other) = &self.seen.other {
            return Ok(vec![self.other_command(other)]);
        }
        if let Some(inside) = self.starts_inside() {
            return Ok(vec![inside]);
        }
        let mut findings = Vec::new();
        findings.extend(shell::wrong_quotes(
            &self
                .oracle
                .command_on(self.oracle.command(), self.candidate),
            &self.oracle.first_path(),
        ));
        let unused = self.unused();
        findings.extend(unused.typed_path());
        findings.extend(self.not_run().or_else(|| unused.no_program()));
        let needed = self.needs_folder();
        findings.extend(needed.as_ref().map(|needed| needed.finding.clone()));
        let not_used = unused.input_not_used();
        let reads_input = not_used.is_none();
        findings.extend(not_used);
        findings.extend(unused.fixed_path());
        let shown = self.shown(needed);
        findings.extend(match self.own_failure(&shown, reads_input) {
            Some(own) => Some(own),
            None => self.inverted(&shown)?,
        });
        if self.seen.private.exit == Exit::Code(crate::ABSTAIN) {
            findings.push(Finding::Abstained);
        }
        if findings.is_empty() {
            findings.push(self.unmet());
        }
        Ok(findings)
    }

    fn unused(&self) -> Unused<'_> {
        Unused {
            oracle: self.oracle,
            candidate: self.candidate,
            user_dir: self.user_dir,
        }
    }

    /// Returns the conditions that hold and the conditions that do not.
    fn unmet(&self) -> Finding {
        let conditions = self.oracle.predicate().conditions(&self.seen.private);
        let (held, unmet): (Vec<_>, Vec<_>) = conditions.into_iter().partition(|(_, holds)| *holds);
        let words = |of: Vec<(String, bool)>| of.into_iter().map(|(words, _)| words).collect();
        Finding::Unmet {
            held: words(held),
            unmet: words(unmet),
        }
    }

    /// Finds that a program in the script does not exist or cannot be run.
    fn not_run(&self) -> Option<Finding> {
        let run = &self.seen.private;
        let code = run.exit.code().filter(|code| [126, 127].contains(code))?;
        let line = complaint(run);
        Some(Finding::NotRun { code, line })
    }

    /// Returns the reason why the conditions on the command hold, but the comparison of both
    /// commands does not.
    fn other_command(&self, other: &Run) -> Finding {
        match other.cut_short {
            Some(Unresolved::TimedOut(limit)) => return timed_out(other, limit),
            Some(Unresolved::OutputLimit) => return Finding::OutputLimit,
            Some(Unresolved::OverLimit(limit)) => return Finding::OverLimit { limit },
            _ => {}
        }
        let predicate = self.oracle.predicate();
        if predicate.could_not_run(other) {
            let code = other.exit.code();
            let line = complaint(other);
            return Finding::OtherCommand { code, line };
        }
        if predicate.could_not_run(&self.seen.private) {
            return self.not_run().unwrap_or_else(|| self.unmet());
        }
        match self.seen.verdicts.first() {
            Some(Verdict::Unresolved(Unresolved::Abstained)) => Finding::Abstained,
            Some(Verdict::Unresolved(Unresolved::DiffersFromItself)) => Finding::DiffersFromItself,
            _ => Finding::OtherCommand {
                code: None,
                line: None,
            },
        }
    }

    /// Finds that the test fails only where the contents of the input folder are in its working
    /// folder. The run has copies of them there, since an oracle cannot move its candidates.
    fn starts_inside(&self) -> Option<Finding> {
        let place = self.oracle.place();
        let name = place.file_name()?.to_string_lossy().into_owned();
        // Only an input that is a whole folder can be the working folder.
        if !self
            .oracle
            .names()
            .iter()
            .all(|name| name.starts_with(place))
        {
            return None;
        }
        let folder = self.user_dir.join(place);
        if !folder.is_dir() {
            return None;
        }
        // If the folder contains an entry with its own name, the contents and the input would be at
        // the same path. The run is then in the user's folder.
        let run = match folder.join(place).exists() {
            true => self.oracle.observe_in(&folder, self.candidate, self.cancel),
            false => {
                let contents = neighbors_of(self.oracle, &folder, &|_| false).ok()?;
                let run = (self.oracle).observe_beside(contents, self.candidate, self.cancel);
                run.map(Some)
            }
        };
        // Contents that cannot be copied do not end the diagnosis.
        let run = run.ok().flatten();
        let fails = run.is_some_and(|run| self.oracle.judge_run(&run).is_fail());
        fails.then_some(Finding::StartsInside { name })
    }

    /// Finds that the test fails only with the neighbors of the input, or prints that one is
    /// missing.
    fn needs_folder(&self) -> Option<Needed> {
        let named = || self.neighbors(&self.script());
        let own = self.seen.own.as_ref();
        let needed = match own.filter(|run| self.oracle.judge_run(run).is_fail()) {
            Some(_) => match named() {
                files if files.is_empty() => self.missing(),
                files => (files, None),
            },
            None if self.seen.not_tried.is_some() && !named().is_empty() => (named(), None),
            None => match self.missing() {
                (files, _) if files.is_empty() => return None,
                missing => missing,
            },
        };
        let (files, run) = needed;
        Some(Needed {
            extras: files.iter().map(|file| self.extra(file)).collect(),
            finding: Finding::NeedsFolder { files },
            run,
        })
    }

    /// Returns the files that the test complains about, and those that it complains about once it
    /// has these, as the modules that a missing one imports. The run with all of them comes second.
    fn missing(&self) -> (Vec<PathBuf>, Option<Run>) {
        let mut files = missing_neighbors(self.oracle, &self.seen.private, self.user_dir);
        let mut last = None;
        for _ in 0..STEPS {
            if files.is_empty() {
                break;
            }
            let extras = files.iter().map(|file| self.extra(file));
            let run = (self.oracle).observe_beside(extras.collect(), self.candidate, self.cancel);
            // A file that cannot be copied does not end the diagnosis.
            let Ok(run) = run else { break };
            let found = missing_neighbors(self.oracle, &run, self.user_dir);
            last = Some(run);
            let is_new = |file: &PathBuf| {
                self.extra(file).from().exists() && !files.iter().any(|it| file.starts_with(it))
            };
            let new: Vec<PathBuf> = found.into_iter().filter(is_new).collect();
            if new.is_empty() {
                break;
            }
            files.extend(new);
        }
        (files, last)
    }

    fn extra(&self, file: &Path) -> Extra {
        missing::extra(self.user_dir, file)
    }

    /// Returns the run that shows most of the test: with the files that it lacks, with all
    /// neighbors, or alone.
    fn shown(&self, needed: Option<Needed>) -> Shown {
        let (extras, with_needed) = match needed {
            Some(needed) => (needed.extras, needed.run),
            None => (Vec::new(), None),
        };
        let run = with_needed.as_ref().or(self.seen.own.as_ref());
        Shown {
            run: run.unwrap_or(&self.seen.private).clone(),
            extras,
        }
    }

    fn neighbors(&self, text: &str) -> Vec<PathBuf> {
        neighbors_named(self.oracle, self.user_dir, text)
    }

    /// Detects an inverted exit code: not 0 on the failing input, and 0 on an empty input. It also
    /// detects a crash.
    fn inverted(&self, shown: &Shown) -> Result<Option<Finding>, RunError> {
        let free = [0, 126, 127, crate::ABSTAIN];
        if !self.oracle.predicate().is_default() {
            return Ok(None);
        }
        let code = match shown.run.exit {
            Exit::Code(code) if !free.contains(&code) => code,
            Exit::Signal(number) => {
                let name = crate::signal::name(number);
                return Ok(Some(Finding::Crashed { name }));
            }
            Exit::Code(_) => return Ok(None),
        };
        let empty = self.run_of_empty(shown)?;
        let message = message_of(&shown.run);
        Ok((empty.exit == Exit::Code(0)).then_some(Finding::Inverted { code, message }))
    }

    /// Runs the test on the same files without contents.
    fn run_of_empty(&self, shown: &Shown) -> Result<Run, RunError> {
        let files = self.candidate.files().iter();
        let files: Vec<File<'_>> = files
            .map(|file| File {
                bytes: b"",
                ..*file
            })
            .collect();
        let empty = Candidate::new(&files);
        match shown.extras.is_empty() {
            true => self.oracle.observe_with(&empty, 0, self.cancel),
            false => (self.oracle).observe_beside(shown.extras.clone(), &empty, self.cancel),
        }
    }

    /// Detects an exception, a panic, or another recognized failure of the command.
    fn own_failure(&self, shown: &Shown, reads_input: bool) -> Option<Finding> {
        let run = &shown.run;
        let is_default = self.oracle.predicate().is_default();
        if !is_default || run.exit.code().is_none_or(|code| code == 0) {
            return None;
        }
        // A bare exit code may also mean that a script did not find the failure.
        let signature = Signature::of(run).filter(|it| it.kind() != FailureKind::ExitCode)?;
        let found = Finding::OwnFailure {
            signature: signature.to_string(),
        };
        if !reads_input {
            return Some(found);
        }
        // A failure that any input shows is one of the test.
        let empty = self.run_of_empty(shown).ok();
        let empty = empty.and_then(|run| Signature::of(&run));
        (empty.as_ref() != Some(&signature)).then_some(found)
    }

    fn script(&self) -> String {
        self.unused().script()
    }
}

/// Returns the message of the failure that a run shows.
fn message_of(run: &Run) -> Option<FailureMessage> {
    let message = Message::of(run).filter(|message| !message.parts().is_empty())?;
    let line = message.line().trim().as_bytes();
    let is_stderr = run
        .stderr()
        .windows(line.len().max(1))
        .any(|part| part == line);
    Some(FailureMessage {
        parts: message.parts().to_vec(),
        is_stderr,
    })
}

/// Returns the reason why a run did not end within the limit.
fn timed_out(run: &Run, limit: std::time::Duration) -> Finding {
    match run.has_stopped {
        true => Finding::Stopped { limit },
        false => Finding::TimedOut { limit },
    }
}

/// Returns the last line of standard error that reports a missing file or permission.
fn complaint(run: &Run) -> Option<String> {
    let words = ["not found", "denied", "No such file"];
    last_line(run.stderr(), |line| {
        words.iter().any(|word| line.contains(word))
    })
}

/// Returns the last line of the outputs of a run with which a shell or the system says that a
/// program or a file does not exist. Standard error comes first.
pub fn missing_line(run: &Run) -> Option<String> {
    let outputs = [run.stderr(), run.stdout()].into_iter();
    outputs
        .filter_map(|output| last_line(output, reports_missing))
        .next()
}

/// Returns whether a line of a shell or of the system says that a program or a file does not exist.
/// Programs print other lines with *not found* about the contents of their inputs.
pub fn reports_missing(line: &str) -> bool {
    let line = line.trim_end();
    // `sh: 1: prog: not found`
    let is_of_shell = || {
        let is_number = |part: &str| part.parse::<u32>().is_ok();
        line.ends_with(": not found") && line.split(": ").any(is_number)
    };
    let words = [
        "command not found",
        "No such file or directory",
        "No module named ",
    ];
    words.iter().any(|word| line.contains(word)) || is_of_shell()
}

fn last_line(output: &[u8], is: impl Fn(&str) -> bool) -> Option<String> {
    let output = String::from_utf8_lossy(output);
    output
        .lines()
        .rev()
        .find(|line| is(line))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests;
