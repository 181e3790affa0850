//! Real failures. Each case is a folder with an input and its test.

use super::algorithms::{BenchmarkAlgorithm, InputView};
use super::benchmark::{MOST_TESTS, Score};
use super::test_time::test_time;
use crate::endless;
use crate::exit::Exit;
use crate::flags::NotationFlags;
use crate::flags::ShootoutFlags;
use crate::grammar::{complete, languages, wrong_grammar};
use crate::problem::{Problem, warn};
use crate::sandbox;
use crate::settings::SandboxSettings;
use nubbin_grammar::parse::Parser;
use nubbin_grammar::syntax::Syntax;
use nubbin_oracle::{CommandOracle, Options, Sandbox, TestCommand, Wanted};
use nubbin_reduce::edit::{Fingerprint, fingerprint};
use nubbin_reduce::engine::{Flaky, Reduction, Stop};
use nubbin_reduce::input::Input;
use nubbin_verdict::{Ask, Candidate, Fault, Oracle, Unresolved, Verdict};
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The name of a case's test.
const TEST: &str = "interesting.sh";

/// The default time limit of a test. A test that takes longer is unresolved.
const TIMEOUT: Duration = Duration::from_secs(60);

/// An input that makes a program fail, and the test that detects the failure.
pub(super) struct Case {
    /// The name of the case's folder, or of its input.
    pub(super) name: String,
    /// The name of the language or grammar; `text` if neither is known.
    pub(super) language: String,
    input: Input,
    command: TestCommand,
    view: InputView,
    /// The sandbox of the test, if it has one.
    sandbox: Option<Sandbox>,
    /// The test's verdicts and run times, by content. The algorithms propose many equal candidates.
    verdicts: Mutex<HashMap<u128, (Verdict, Duration)>>,
}

/// The outcome of a simulated reduction.
pub(super) struct Timed {
    pub(super) elapsed: Duration,
    pub(super) tests: u64,
    pub(super) started: u64,
    pub(super) after: usize,
}

/// Reads the cases of a command line: the cases in a folder, or a failing input with its test.
pub(super) fn of(args: &ShootoutFlags, stop: &Stop) -> Result<Vec<Case>, Problem> {
    let flags = args.sandbox.clone().into();
    match (&args.cases, &args.file) {
        (Some(folder), _) => read(folder, args.timeout, &flags, stop),
        (None, Some(file)) => one(file, &args.command, args.timeout, &flags, stop),
        (None, None) => Ok(vec![]),
    }
}

/// Reads a failing input with its test.
fn one(
    path: &Path,
    test: &[OsString],
    timeout: Option<Duration>,
    flags: &SandboxSettings,
    stop: &Stop,
) -> Result<Vec<Case>, Problem> {
    let here = std::env::current_dir().map_err(|error| cannot_read(Path::new("."), &error))?;
    let command = TestCommand::new(test.to_vec(), &here).map_err(|error| unusable(path, &error))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut case = Case::of(name.into_owned(), path, None, command)?;
    case.sandbox = sandbox::of(flags, false)?;
    let verdict = case.judge_original(timeout, flags, stop)?;
    if stop.is_requested() {
        return Err(stopped());
    }
    if verdict.is_fail() {
        return Ok(vec![case]);
    }
    let what = format!(
        "`{}` does not fail: the verdict of its test is `{}`",
        path.display(),
        verdict.word()
    );
    Err(Problem::new(Exit::NotFailing, what).hint(
        "the test has to exit with 0 if the failure is present; `nubbin reduce` with the same \
         test reports why it does not",
    ))
}

/// Reads the cases of a folder in the order of their names. Leaves out cases that do not fail on
/// this machine.
fn read(
    folder: &Path,
    timeout: Option<Duration>,
    flags: &SandboxSettings,
    stop: &Stop,
) -> Result<Vec<Case>, Problem> {
    let sandbox = sandbox::of(flags, false)?;
    let mut folders = vec![];
    let entries = std::fs::read_dir(folder).map_err(|error| cannot_read(folder, &error))?;
    for entry in entries {
        let path = entry.map_err(|error| cannot_read(folder, &error))?.path();
        if path.join(TEST).is_file() {
            folders.push(path);
        }
    }
    folders.sort();
    if folders.is_empty() {
        let what = format!("there is no case in `{}`", folder.display());
        return Err(Problem::new(Exit::Input, what).hint(format!(
            "a case is a folder in it with the failing input, `input.EXT`, and a test, `{TEST}`"
        )));
    }
    let mut cases = vec![];
    for folder in folders {
        let mut case = open(&folder)?;
        case.sandbox = sandbox.clone();
        let verdict = case.judge_original(timeout, flags, stop)?;
        if stop.is_requested() {
            return Err(stopped());
        }
        if verdict.is_fail() {
            cases.push(case);
        } else {
            let says = verdict.word();
            warn(&format!(
                "`{}` does not fail on this machine and is left out: the verdict of its test is \
                 `{says}`",
                folder.display()
            ));
        }
    }
    if cases.is_empty() {
        let what = format!("no case in `{}` fails on this machine", folder.display());
        return Err(Problem::new(Exit::NotFailing, what)
            .hint("the programs that the cases test may not be installed"));
    }
    Ok(cases)
}

pub(super) fn stopped() -> Problem {
    Problem::new(Exit::Stopped, "stopped before any case was complete")
}

fn cannot_read(path: &Path, error: &std::io::Error) -> Problem {
    Problem::new(Exit::Input, format!("cannot read `{}`", path.display())).because(error)
}

fn open(folder: &Path) -> Result<Case, Problem> {
    let path = input_in(folder)?;
    let here = std::env::current_dir().map_err(|error| cannot_read(Path::new("."), &error))?;
    let test = folder.join(TEST);
    let command = TestCommand::new(vec![here.join(test).into()], &here)
        .map_err(|error| unusable(folder, &error))?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    Case::of(name.into_owned(), &path, Some(folder), command)
}

/// Returns the only file with the name `input` and any extension.
fn input_in(folder: &Path) -> Result<PathBuf, Problem> {
    let entries = std::fs::read_dir(folder).map_err(|error| cannot_read(folder, &error))?;
    let mut inputs: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file() && path.file_stem().is_some_and(|stem| stem == "input"))
        .collect();
    match (inputs.pop(), inputs.is_empty()) {
        (Some(input), true) => Ok(input),
        (found, _) => {
            let what = match found {
                Some(_) => "there are several inputs",
                None => "there is no input",
            };
            let what = format!("{what} in the case `{}`", folder.display());
            Err(Problem::new(Exit::Input, what)
                .hint("the input is the only file with the name `input.EXT`"))
        }
    }
}

/// Returns the syntax of a case's input: the grammar in the folder of the case, or its language.
fn syntax(
    folder: Option<&Path>,
    name: Option<&str>,
    text: &[u8],
) -> Result<Option<Arc<dyn Syntax>>, Problem> {
    let endings = ["bnf", "ebnf", "json", "g4"].iter();
    let grammar = folder.map(|folder| folder.join("grammar"));
    let mut grammars = endings.filter_map(|ending| Some(grammar.as_ref()?.with_extension(ending)));
    if let Some(path) = grammars.find(|path| path.is_file()) {
        let paths = [path];
        let grammar = Arc::new(complete(&paths, &NotationFlags::default())?);
        let parser = Parser::new(grammar).map_err(|error| wrong_grammar(&paths, &error))?;
        return Ok(Some(Arc::new(parser)));
    }
    let entry = nubbin_languages::detect::detect(name, text);
    entry.map(languages::load).transpose()
}

fn unusable(folder: &Path, error: &(dyn std::error::Error + 'static)) -> Problem {
    let what = format!("the test of `{}` cannot be run", folder.display());
    Problem::new(Exit::Test, what).because(error)
}

impl Case {
    /// Reads an input. `folder` may contain a grammar for the input.
    fn of(
        name: String,
        path: &Path,
        folder: Option<&Path>,
        command: TestCommand,
    ) -> Result<Self, Problem> {
        endless::refuse(path)?;
        let text = std::fs::read(path).map_err(|error| cannot_read(path, &error))?;
        let file = path.file_name().unwrap_or_default();
        let syntax = syntax(folder, file.to_str(), &text)?;
        let input = Input::single(file, text).map_err(|error| {
            Problem::new(Exit::Input, format!("cannot use `{}`", path.display())).because(&error)
        })?;
        let language = syntax.as_ref().map_or("text", |syntax| syntax.name());
        Ok(Case {
            name,
            language: language.to_owned(),
            input,
            command,
            view: InputView::of_lines(syntax),
            sandbox: None,
            verdicts: Mutex::default(),
        })
    }

    /// Returns the size of the input, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.input.size()
    }

    /// Returns whether the input has a syntax tree.
    pub(super) fn has_trees(&self) -> bool {
        self.view.syntax.is_some()
    }

    /// Returns a test that runs in its own folders.
    fn oracle(
        &self,
        timeout: Option<Duration>,
    ) -> Result<Remembering<'_>, nubbin_oracle::OracleError> {
        let names = self.input.present().map(|file| file.name.to_path_buf());
        let mut options = Options::new(self.command.clone(), names.collect());
        options.timeout = Some(timeout.unwrap_or(TIMEOUT));
        options.input_size = self.input.size() as u64;
        options.sandbox = self.sandbox.clone();
        Ok(Remembering {
            test: CommandOracle::new(options)?,
            case: self,
        })
    }

    /// Tests the original, and decides whether the sandbox is used for the test.
    fn judge_original(
        &mut self,
        timeout: Option<Duration>,
        flags: &SandboxSettings,
        stop: &Stop,
    ) -> Result<Verdict, Problem> {
        let name = PathBuf::from(&self.name);
        let unusable = |error: &(dyn std::error::Error + 'static)| unusable(&name, error);
        let oracle = self.oracle(timeout).map_err(|error| unusable(&error))?;
        if self.sandbox.is_some() {
            let test = &oracle.test;
            let folder = self.command.program().parent().map(Path::to_path_buf);
            let (kept, wanted) = (folder.as_slice(), Wanted::Conditions);
            sandbox::settle(flags, test, &self.input, wanted, kept, false, stop)
                .map_err(|error| unusable(&error))?;
        }
        let ask = Ask {
            slot: 0,
            cancel: stop.token().clone(),
        };
        let judged = self
            .input
            .with_candidate(|candidate| oracle.judge(candidate, &ask));
        let sandbox = oracle.test.sandbox().map(|sandbox| (*sandbox).clone());
        let judged = judged.map_err(|error| unusable(&error))?;
        self.sandbox = sandbox;
        Ok(judged)
    }

    /// Runs one algorithm on this case.
    pub(super) fn reduce(
        &self,
        algorithm: &BenchmarkAlgorithm,
        args: &ShootoutFlags,
        stop: &Stop,
    ) -> Score {
        let untouched = Score {
            before: self.bytes(),
            after: self.bytes(),
            ..Score::default()
        };
        let Some(plan) = algorithm.plan(&self.view, &self.input) else {
            return Score {
                complete: true,
                ..untouched
            };
        };
        let Ok(oracle) = self.oracle(args.timeout) else {
            return untouched;
        };
        let started = Instant::now();
        let clock = || started.elapsed();
        let mut reduction = Reduction::new(self.input.clone(), &oracle, plan)
            .seed(args.seed)
            .max_tests(args.max_tests.unwrap_or(MOST_TESTS))
            .clock(&clock)
            .verify(false)
            .flaky(Flaky::Off)
            .stop(stop.clone());
        if let Some(time) = args.max_time {
            reduction = reduction.max_time(time);
        }
        reduction
            .run()
            .map_or(untouched, |outcome| Score::from(&outcome))
    }
}

impl Case {
    /// Simulates one algorithm on this case with a number of workers. Returns `None` if the
    /// algorithm cannot be run.
    pub(super) fn simulate(
        &self,
        algorithm: &BenchmarkAlgorithm,
        args: &ShootoutFlags,
        stop: &Stop,
        workers: usize,
    ) -> Option<Timed> {
        let plan = algorithm.plan(&self.view, &self.input)?;
        let oracle = self.oracle(args.timeout).ok()?;
        let time = |input: &Input, print: Fingerprint| match args.measured {
            true => oracle.time(input, stop),
            false => test_time(print, args.uneven),
        };
        let outcome = Reduction::new(self.input.clone(), &oracle, plan)
            .seed(args.seed)
            .max_tests(args.max_tests.unwrap_or(MOST_TESTS))
            .jobs(workers)
            .simulate(&time)
            .flaky(Flaky::Off)
            .stop(stop.clone())
            .run()
            .ok()?;
        Some(Timed {
            elapsed: outcome.statistics.elapsed,
            tests: outcome.statistics.tests,
            started: outcome.statistics.started,
            after: outcome.statistics.bytes_now,
        })
    }
}

/// The test of a case. It runs once for each text.
struct Remembering<'a> {
    test: CommandOracle,
    case: &'a Case,
}

impl Remembering<'_> {
    /// Returns the verdict of the test and its run time.
    fn judge_timed(
        &self,
        candidate: &Candidate<'_>,
        ask: &Ask,
    ) -> Result<(Verdict, Duration), Fault> {
        let verdicts = || {
            self.case
                .verdicts
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let print = fingerprint(candidate.bytes()).0;
        let known = verdicts().get(&print).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let (started, before) = (Instant::now(), self.test.time_before());
        let verdict = self.test.judge(candidate, ask)?;
        // The original was already run, to find out whether it fails in the sandbox.
        let earlier = self.test.time_before().saturating_sub(before);
        let judged = (verdict, started.elapsed() + earlier);
        if judged.0 != Verdict::Unresolved(Unresolved::Cancelled) {
            verdicts().insert(print, judged.clone());
        }
        Ok(judged)
    }

    /// Returns the run time of the test. It is zero if the test cannot be run; the caller that asks
    /// for the verdict gets the error.
    fn time(&self, input: &Input, stop: &Stop) -> Duration {
        let ask = Ask {
            slot: 0,
            cancel: stop.token().clone(),
        };
        let judged = input.with_candidate(|candidate| self.judge_timed(candidate, &ask));
        judged.map_or(Duration::ZERO, |(_, time)| time)
    }
}

impl Oracle for Remembering<'_> {
    fn judge(&self, candidate: &Candidate<'_>, ask: &Ask) -> Result<Verdict, Fault> {
        Ok(self.judge_timed(candidate, ask)?.0)
    }
}
