//! `--other-failures`: failures other than the original's, each with its smallest input.

use crate::advice::limit_flag;
use crate::anchor::{Anchor, Folder, HiddenFolder, Missing, folder_mode};
use crate::events::OtherFailure;
use crate::kept_failure::KeptFailure;
use crate::output::Access;
use crate::problem::Problem;
use nubbin_oracle::{FailureKind, Observer, Run, Signature, TestCommand};
use nubbin_verdict::{Candidate, Unresolved, Verdict};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// The largest number of other failures, so that a test that always fails in another way does not
/// fill the disk with witnesses.
const MAX_FAILURES: usize = 1000;
const REPORT: &str = "failure.txt";
/// The number of bytes of standard error in a report.
const TAIL: usize = 8 << 10;

/// The folder for inputs that show other failures, and the facts for their reports.
#[derive(Debug)]
pub struct FailureFolder {
    pub folder: PathBuf,
    pub anchor: Anchor,
    pub command: TestCommand,
    pub has_stdin: bool,
    /// The files given by `--with`.
    pub extras: Vec<PathBuf>,
    /// The access rights of the files that are kept.
    pub access: Access,
}

/// Observes every run of the test, and counts other failures and tests that hit a limit.
///
/// It observes prefetched tests as well, so the counts depend on the number of workers and on
/// timing. Verdicts do not depend on it.
#[derive(Debug)]
pub struct OtherFailures {
    keeping: Option<FailureFolder>,
    /// Whether the conditions hold for the wanted failure only.
    is_narrow: bool,
    /// The failure of the original, if others would meet the conditions.
    kept: OnceLock<KeptFailure>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The failure of the first run that fulfilled the conditions, which is that of the original.
    original: Option<Option<Signature>>,
    met: Vec<Met>,
    /// Whether failures beyond [`MAX_FAILURES`] were met.
    is_full: bool,
    limits: BTreeMap<&'static str, u64>,
    /// The number of tests that were stopped by a signal until their time was up.
    stopped: u64,
    /// The number of candidates on which a command that is compared differs from itself.
    unstable: u64,
    /// The number of failing candidates that the check of them refused.
    refused: u64,
    /// The least and the largest time limit at which a test was stopped.
    time_limits: Option<(Duration, Duration)>,
    cannot_write: Option<(PathBuf, io::Error)>,
}

/// A failure other than the original's.
#[derive(Debug)]
struct Met {
    signature: Signature,
    exit: String,
    runs: u64,
    bytes: usize,
    place: Option<PathBuf>,
}

impl OtherFailures {
    pub fn new(keeping: Option<FailureFolder>, is_narrow: bool) -> Self {
        OtherFailures {
            keeping,
            is_narrow,
            kept: OnceLock::new(),
            state: Mutex::default(),
        }
    }

    /// Notes the failure of the original, if others would meet the conditions.
    pub(crate) fn note_kept(&self, kept: Option<KeptFailure>) {
        if let Some(kept) = kept {
            // The original is recorded only once.
            let _ = self.kept.set(kept);
        }
    }

    /// Returns the failure of the original, if other failures would meet the conditions.
    pub fn kept(&self) -> Option<&KeptFailure> {
        self.kept.get()
    }

    /// Returns the number of tests that hit each limit, by the flags without the dashes.
    pub fn limits(&self) -> BTreeMap<&'static str, u64> {
        self.lock().limits.clone()
    }

    /// Returns the number of tests that were stopped by a signal until their time was up.
    pub fn stopped(&self) -> u64 {
        self.lock().stopped
    }

    /// Returns messages about candidates that seemed to fail and were not adopted.
    pub fn refusals(&self) -> Vec<String> {
        let state = self.lock();
        let candidates = |count: u64| match count {
            1 => "1 candidate was".to_owned(),
            many => format!("{many} candidates were"),
        };
        let unstable = (state.unstable > 0).then(|| {
            format!(
                "{} unresolved: a command gave another result when it was run again",
                candidates(state.unstable)
            )
        });
        let refused = (state.refused > 0).then(|| {
            let candidates = candidates(state.refused);
            format!("{candidates} refused by `--ub-free`")
        });
        unstable.into_iter().chain(refused).collect()
    }

    /// Returns the smallest and the largest time limit that a test has hit.
    pub fn time_limits(&self) -> Option<(Duration, Duration)> {
        self.lock().time_limits
    }

    /// Returns the failures in the order of their first tests.
    pub fn list(&self) -> Vec<OtherFailure> {
        let describe = |met: &Met| OtherFailure {
            signature: met.signature.to_string(),
            exit: met.exit.clone(),
            tests: met.runs,
            bytes: met.bytes as u64,
            folder: met.place.as_ref().map(|place| place.display().to_string()),
        };
        self.lock().met.iter().map(describe).collect()
    }

    /// Returns a message for the end of a run. `None` without other failures.
    pub fn summary(&self) -> Option<String> {
        let state = self.lock();
        let count = match (state.met.len(), state.is_full) {
            (0, _) => return None,
            (1, _) => "1 other failure turned up".to_owned(),
            (many, false) => format!("{many} other failures turned up"),
            (many, true) => format!("more than {many} other failures turned up"),
        };
        let each = match state.met.len() {
            1 => "that shows it",
            _ => "that shows each",
        };
        Some(match &self.keeping {
            Some(keeping) => format!(
                "{count}; the smallest input {each} is in `{}`",
                keeping.folder.display()
            ),
            None => format!("{count}; `--other-failures DIR` keeps an input {each}"),
        })
    }

    /// Returns an error if a witness could not be written.
    pub fn finish(&self) -> Result<(), Problem> {
        match self.lock().cannot_write.take() {
            Some((path, error)) => {
                let what = format!(
                    "not every other failure could be kept: cannot write `{}`",
                    path.display()
                );
                Err(Problem::new(crate::exit::Exit::Output, what)
                    .because(&error)
                    .hint("give another folder with `--other-failures DIR`"))
            }
            None => Ok(()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a failure, and keeps its candidate if it is the smallest so far.
    fn meet(&self, signature: Signature, run: &Run, candidate: &Candidate<'_>) {
        let mut state = self.lock();
        let is_wanted = |original: &Signature| original.may_match(&signature);
        if state.original.iter().flatten().any(is_wanted) {
            return;
        }
        let same = |met: &Met| met.signature.matches(&signature);
        let at = match state.met.iter().position(same) {
            Some(at) => at,
            None if state.met.len() >= MAX_FAILURES => {
                state.is_full = true;
                return;
            }
            None => {
                state.met.push(Met {
                    signature,
                    exit: String::new(),
                    runs: 0,
                    bytes: usize::MAX,
                    place: None,
                });
                state.met.len() - 1
            }
        };
        let Some(met) = state.met.get_mut(at) else {
            return;
        };
        met.runs += 1;
        if candidate.size() >= met.bytes {
            return;
        }
        (met.bytes, met.exit) = (candidate.size(), run.exit.to_string());
        let Some(keeping) = &self.keeping else {
            return;
        };
        match keeping.keep(&met.signature, run, candidate) {
            Ok(place) => met.place = Some(place),
            Err(error) => {
                let place = keeping.folder.join(name_of(&met.signature));
                state.cannot_write.get_or_insert((place, error));
            }
        }
    }
}

impl Observer for OtherFailures {
    fn judged(&self, candidate: &Candidate<'_>, run: &Run, verdict: &Verdict) {
        if matches!(verdict, Verdict::Unresolved(Unresolved::NotBuilt { .. })) {
            // The errors of a broken candidate's build are not another failure of the test.
            return;
        }
        self.lock().stopped += u64::from(run.has_stopped);
        match verdict {
            Verdict::Unresolved(Unresolved::DiffersFromItself) => self.lock().unstable += 1,
            Verdict::Unresolved(Unresolved::Refused) => self.lock().refused += 1,
            Verdict::Unresolved(Unresolved::TimedOut(limit)) => {
                let mut state = self.lock();
                let (least, most) = state.time_limits.unwrap_or((*limit, *limit));
                state.time_limits = Some((least.min(*limit), most.max(*limit)));
            }
            _ => {}
        }
        if let Some(limit) = limit_of(verdict) {
            *self.lock().limits.entry(limit).or_default() += 1;
        }
        if verdict.is_fail() {
            let mut state = self.lock();
            if state.original.is_none() {
                state.original = Some(Signature::of(run));
                return;
            }
            if self.is_narrow {
                return;
            }
        }
        // Programs refuse invalid input with an exit code and no message about it.
        let telling = |found: &Signature| found.kind() != FailureKind::ExitCode;
        if let Some(signature) = Signature::of(run).filter(telling) {
            self.meet(signature, run, candidate);
        }
    }
}

/// Returns the flag, without the dashes, of the limit that a test hit, except the time limit.
fn limit_of(verdict: &Verdict) -> Option<&'static str> {
    Some(match verdict {
        Verdict::Unresolved(Unresolved::OutputLimit) => "output-limit",
        Verdict::Unresolved(Unresolved::OverLimit(limit)) => limit_flag(*limit),
        _ => return None,
    })
}

impl FailureFolder {
    /// Writes a witness and its report in one step, so that a reader sees the old files or the new
    /// files.
    fn keep(
        &self,
        signature: &Signature,
        run: &Run,
        candidate: &Candidate<'_>,
    ) -> io::Result<PathBuf> {
        let missing = Missing::Make(Some(self.access.mode()));
        let folder = self.anchor.folder(missing)?;
        let name = name_of(signature);
        let shown = self.folder.join(&name);
        let report = report_name(candidate);
        let there = KeptEntry::of(&folder, OsStr::new(&name), report);
        if there.is_smaller(candidate) {
            return Ok(shown);
        }
        // The report shows commands that work from any folder.
        let place = self.folder.canonicalize()?.join(&name);
        let new = HiddenFolder::in_folder(&folder)?;
        let text = self.report(signature, run, candidate, &place);
        let report = (Path::new(report), text.as_bytes());
        let files = candidate.files().iter().map(|file| (file.name, file.bytes));
        for (path, bytes) in files.chain([report]) {
            let (into, name) = new.open()?.place(path, missing)?;
            into.create_new(name, self.access.mode())?
                .write_all(bytes)?;
        }
        // The folder gets the usual rights. Until now, no other user could enter it.
        let usual = folder.there(OsStr::new("."))?.mode | 0o700;
        new.set_mode(usual & folder_mode(self.access.mode()))?;
        match there {
            KeptEntry::None => {}
            KeptEntry::Foreign => {
                let why = "there is something of that name that is not a kept failure";
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
            }
            KeptEntry::Witness(_) => {
                let old = HiddenFolder::in_folder(&folder)?;
                folder.rename(OsStr::new(&name), &old.open()?, OsStr::new("old"))?;
            }
        }
        new.persist(OsStr::new(&name))?;
        Ok(shown)
    }

    fn report(
        &self,
        signature: &Signature,
        run: &Run,
        candidate: &Candidate<'_>,
        place: &Path,
    ) -> String {
        let first = candidate.files().first().map(|file| place.join(file.name));
        let first = first.unwrap_or_else(|| place.to_owned());
        let quoted =
            |path: &Path| format!("'{}'", path.display().to_string().replace('\'', r"'\''"));
        let command = self.command.line_for(&first);
        let (feed, flag) = match self.has_stdin {
            true => (format!(" < {}", quoted(&first)), " --stdin"),
            false => (String::new(), ""),
        };
        let inputs: Vec<String> = candidate
            .files()
            .iter()
            .map(|file| quoted(&place.join(file.name)))
            .collect();
        let extras: Vec<String> = self.extras.iter().map(|path| quoted(path)).collect();
        let with: String = extras
            .iter()
            .map(|path| format!(" --with {path}"))
            .collect();
        let mut text = format!(
            "{signature}\n\n\
             ended with: {}\n\
             size: {} bytes\n\n\
             To see it:\n  cd {} && {command}{feed}\n",
            run.exit,
            candidate.size(),
            quoted(place),
        );
        if !extras.is_empty() {
            let _ = writeln!(text, "with copies of {} next to it", extras.join(" and "));
        }
        let _ = writeln!(
            text,
            "To reduce it:\n  nubbin reduce {}{flag}{with} --same-failure -- {}",
            inputs.join(" "),
            self.command,
        );
        if !run.stderr().is_empty() {
            let stderr = run.stderr();
            let tail = &stderr[stderr.len().saturating_sub(TAIL)..];
            let tail = String::from_utf8_lossy(tail);
            let _ = write!(text, "\nThe end of standard error:\n{}\n", tail.trim_end());
        }
        text
    }
}

/// The entry in the place of a kept failure.
enum KeptEntry {
    None,
    /// A witness of an earlier run, or of this run.
    Witness(Folder),
    /// Something else.
    Foreign,
}

impl KeptEntry {
    fn of(folder: &Folder, name: &OsStr, report: &str) -> Self {
        if folder.there(name).is_err() {
            return KeptEntry::None;
        }
        let has_report = |kept: &Folder| {
            let there = kept.there(OsStr::new(report));
            there.is_ok_and(|there| there.is_file())
        };
        match folder.enter(name, Missing::Refuse) {
            Ok(kept) if has_report(&kept) => KeptEntry::Witness(kept),
            _ => KeptEntry::Foreign,
        }
    }

    /// Returns whether there is a witness that is not larger than a candidate.
    fn is_smaller(&self, candidate: &Candidate<'_>) -> bool {
        let KeptEntry::Witness(kept) = self else {
            return false;
        };
        let sizes = candidate.files().iter().map(|file| {
            let (folder, name) = kept.place(file.name, Missing::Refuse).ok()?;
            usize::try_from(folder.there(name).ok()?.len).ok()
        });
        sizes
            .sum::<Option<usize>>()
            .is_some_and(|size| size <= candidate.size())
    }
}

/// Returns the name of the report, which differs from the names of the inputs.
fn report_name(candidate: &Candidate<'_>) -> &'static str {
    let is_taken = |name: &OsStr| name.eq_ignore_ascii_case(REPORT);
    let mut names = candidate.files().iter().map(|file| file.name);
    if names.any(|name| name.iter().next().is_some_and(is_taken)) {
        "about-the-failure.txt"
    } else {
        REPORT
    }
}

/// Returns the name of a failure's folder. It is readable, valid in any file system, and the same
/// in every run.
fn name_of(signature: &Signature) -> String {
    let text = signature.to_string();
    let mut name = String::new();
    for char in text.chars() {
        match char {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => name.push(char),
            _ if name.ends_with('-') => {}
            _ => name.push('-'),
        }
        if name.len() >= 60 {
            break;
        }
    }
    let print = nubbin_reduce::edit::fingerprint(text.as_bytes()).0;
    let short = print as u32;
    format!("{}-{short:08x}", name.trim_matches('-'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_oracle::Exit;
    use nubbin_verdict::File;

    fn run(stderr: &str) -> Run {
        Run {
            exit: Exit::Code(1),
            cut_short: None,
            has_stopped: false,
            is_matched: false,
            stdout: None,
            stderr: Some(stderr.into()),
            written: Vec::new(),
            elapsed: std::time::Duration::ZERO,
            cpu: None,
            inputs: vec![],
            coverage: None,
            is_in_loop: false,
            stack: None,
            taken: None,
        }
    }

    fn assertion(what: &str) -> Run {
        run(&format!("t: a.c:1: f: Assertion `{what}' failed.\n"))
    }

    fn tell(others: &OtherFailures, bytes: &[u8], run: &Run, verdict: Verdict) {
        let name = Path::new("input.txt");
        others.judged(&Candidate::new(&[File { name, bytes }]), run, &verdict);
    }

    fn keeping(folder: &Path) -> OtherFailures {
        let command = TestCommand::shell("./test {}").unwrap();
        let keeping = FailureFolder {
            folder: folder.to_owned(),
            anchor: Anchor::at(folder),
            command,
            has_stdin: false,
            extras: vec![],
            access: Access::ALL,
        };
        OtherFailures::new(Some(keeping), false)
    }

    fn shown(others: &OtherFailures) -> Vec<(String, u64, u64)> {
        let list = others.list().into_iter();
        list.map(|met| (met.signature, met.bytes, met.tests))
            .collect()
    }

    #[test]
    fn each_other_failure_is_counted_once_with_its_smallest_input() {
        let others = OtherFailures::new(None, false);
        tell(&others, b"original", &assertion("x"), Verdict::Fail);
        tell(&others, b"longer", &assertion("y"), Verdict::Pass);
        tell(&others, b"short", &assertion("y"), Verdict::Pass);
        tell(&others, b"longest", &assertion("y"), Verdict::Pass);
        tell(&others, b"same", &assertion("x"), Verdict::Pass);
        tell(&others, b"refused", &run("bad input"), Verdict::Pass);
        tell(&others, b"interesting", &assertion("z"), Verdict::Fail);
        let expected = [
            ("assertion: `y` at a.c:1".to_owned(), 5, 3),
            ("assertion: `z` at a.c:1".to_owned(), 11, 1),
        ];
        assert_eq!(shown(&others), expected);
        let summary = others.summary().unwrap();
        assert!(summary.contains("2 other failures") && summary.contains("--other-failures"));
    }

    #[test]
    fn a_run_that_fulfils_narrow_conditions_is_never_another_failure() {
        let others = OtherFailures::new(None, true);
        tell(&others, b"original", &assertion("x"), Verdict::Fail);
        tell(&others, b"other", &assertion("y"), Verdict::Fail);
        assert_eq!(shown(&others), []);
        assert_eq!(others.summary(), None);
    }

    #[test]
    fn the_folder_is_made_for_the_first_and_holds_the_smallest_of_all_runs() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("a b");
        let others = keeping(&folder);
        tell(&others, b"original", &assertion("x"), Verdict::Fail);
        assert!(!folder.exists());
        tell(&others, b"longer", &assertion("y"), Verdict::Pass);
        tell(&others, b"short", &assertion("y"), Verdict::Pass);
        let later = keeping(&folder);
        tell(&later, b"original", &assertion("x"), Verdict::Fail);
        tell(&later, b"longest", &assertion("y"), Verdict::Pass);
        later.finish().unwrap();
        let kept = later.list().pop().unwrap().folder.unwrap();
        let read = |name: &str| std::fs::read_to_string(Path::new(&kept).join(name)).unwrap();
        assert_eq!(read("input.txt"), "short");
        let report = read("failure.txt");
        for words in [
            "assertion: `y` at a.c:1",
            "exit code 1",
            "5 bytes",
            "--same-failure",
            "Assertion `y' failed",
        ] {
            assert!(report.contains(words), "{words} in {report}");
        }
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_is_not_a_kept_failure_is_never_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let others = keeping(dir.path());
        tell(&others, b"original", &assertion("x"), Verdict::Fail);
        let name = name_of(&Signature::of(&assertion("y")).unwrap());
        std::fs::create_dir(dir.path().join(&name)).unwrap();
        std::fs::write(dir.path().join(&name).join("precious"), "").unwrap();
        tell(&others, b"other", &assertion("y"), Verdict::Pass);
        assert!(others.finish().is_err());
        assert!(dir.path().join(&name).join("precious").exists());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn names_are_fit_for_any_file_system() {
        let signature = Signature::of(&assertion("a/b && \"c\" || größe > 日本")).unwrap();
        let name = name_of(&signature);
        let is_fit = |char: char| char.is_ascii_alphanumeric() || "-_".contains(char);
        assert!(name.chars().all(is_fit), "{name}");
        assert!(name.starts_with("assertion-a-b"), "{name}");
        let other = Signature::of(&assertion("a/b && \"d\" || größe > 日本")).unwrap();
        assert_ne!(name, name_of(&other));
    }

    #[test]
    fn the_number_of_kept_failures_is_limited() {
        let others = OtherFailures::new(None, false);
        tell(&others, b"original", &assertion("x"), Verdict::Fail);
        for number in 0..=MAX_FAILURES {
            tell(
                &others,
                b"other",
                &assertion(&format!("y{number}")),
                Verdict::Pass,
            );
        }
        assert_eq!(others.list().len(), MAX_FAILURES);
        assert!(others.summary().unwrap().contains("more than 1000"));
    }
}
