//! `nubbin campaign bisect`: the first revision of a program that shows an issue.

use super::act::{existing, issue};
use super::config::{BisectTable, Words};
use super::farm::Given;
use super::program::{Built, command_of, seconds};
use super::setup::Setup;
use super::store;
use crate::exit::Exit;
use crate::flags::BisectFlags;
use crate::problem::{Problem, say, warn};
use crate::shown::count;
use crate::signals;
use nubbin_campaign::{Found, Issue, Revision, Test, first_bad, reasons};
use nubbin_oracle::{CommandOracle, Environment, Exit as End, Options, Run, TestCommand};
use nubbin_reduce::engine::Stop;
use nubbin_verdict::{Cancel, Candidate, File};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::Spanned;

/// The time of a command without a limit of its own: a build of a large program.
const USUAL_TIME: Duration = Duration::from_secs(60 * 60);
/// The exit code of a build that skips a revision, as that of `git bisect run`.
const SKIP: i32 = 125;
/// The number of runs that decide about a revision.
const RUNS: u64 = 3;
/// The maximum number of characters of the output of a build in a message.
const LONGEST: usize = 300;

pub(super) fn run(flags: &BisectFlags) -> Result<Exit, Problem> {
    let stop = Stop::default();
    signals::stop_on_signals(stop.clone())?;
    let mut opened = existing(&flags.folder.folder)?;
    let issue = issue(&opened, flags.issue)?;
    // The program must not change while tests of a running campaign use it.
    let lock = opened.lock().map_err(|error| store::problem(&error))?;
    let setup = Setup::new(&flags.folder.folder, &Given::one(), flags.quiet)?;
    let bisection = Bisection::new(&setup, &issue, stop.token(), flags.quiet)?;
    let revisions = bisection.revisions()?;
    let found = bisection.search(&revisions);
    if let Ok(found) = &found {
        let recorded = opened.record_first_bad(issue.id, found);
        recorded.map_err(|error| store::problem(&error))?;
        say(&format!(
            "the first revision that shows issue {} is {found}",
            issue.id
        ));
    }
    // The newest program is restored, whatever the result of the search.
    if let Some(newest) = revisions.last() {
        bisection.build_again(newest);
    }
    drop(lock);
    found.map(|_| Exit::Done)
}

struct Bisection<'a> {
    setup: &'a Setup,
    table: &'a BisectTable,
    issue: &'a Issue,
    timeout: Duration,
    stop: &'a Cancel,
    is_quiet: bool,
}

impl<'a> Bisection<'a> {
    fn new(
        setup: &'a Setup,
        issue: &'a Issue,
        stop: &'a Cancel,
        is_quiet: bool,
    ) -> Result<Self, Problem> {
        let program = setup.config.program.get(&issue.program);
        let table = program.and_then(|program| program.get_ref().bisect.as_ref());
        let Some(table) = table else {
            let what = format!("the program `{}` has no `bisect`", issue.program);
            return Err(Problem::new(Exit::Input, what).hint(
                "write `bisect = { revisions = \"COMMAND\", build = \"COMMAND\" }` in its table in \
                 `campaign.toml`",
            ));
        };
        let table = table.get_ref();
        Ok(Bisection {
            setup,
            table,
            issue,
            timeout: match &table.timeout {
                Some(timeout) => seconds(timeout, &setup.origin)?,
                None => USUAL_TIME,
            },
            stop,
            is_quiet,
        })
    }

    /// Returns the revisions, oldest first.
    fn revisions(&self) -> Result<Vec<String>, Problem> {
        let run = self.command(&self.table.revisions, "")?;
        if run.exit != End::Code(0) || run.cut_short.is_some() {
            return Err(failed("the list of revisions", &run));
        }
        let text = String::from_utf8_lossy(run.stdout());
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let revisions: Vec<String> = lines.map(str::to_owned).collect();
        match revisions.len() {
            0 | 1 => Err(
                Problem::new(Exit::Input, "there are fewer than two revisions")
                    .hint("`revisions` prints one per line, oldest first"),
            ),
            _ => Ok(revisions),
        }
    }

    /// Returns the first revision that shows the issue, and the skipped ones before it.
    fn search(&self, revisions: &[String]) -> Result<String, Problem> {
        let (oldest, newest) = (&revisions[0], &revisions[revisions.len() - 1]);
        if self.test(newest)? != Revision::Bad {
            let what = format!("the newest revision, {newest}, does not show the issue");
            return Err(Problem::new(Exit::NotFailing, what));
        }
        if self.test(oldest)? != Revision::Good {
            let what = format!("the oldest revision, {oldest}, is not one without the issue");
            return Err(Problem::new(Exit::NotFailing, what)
                .hint("let `revisions` start with an older revision that can be built"));
        }
        let found = first_bad(revisions.len(), |at| self.test(&revisions[at]))?;
        let bad = &revisions[found.bad];
        Ok(match found.skipped.len() {
            0 => bad.clone(),
            many => {
                let skipped = count(many as u64, "revision");
                format!("{bad}, or one of {skipped} before it that cannot be tested")
            }
        })
    }

    /// Builds a revision, and runs the smallest test of the issue.
    fn test(&self, revision: &str) -> Result<Revision, Problem> {
        let state = match self.build(revision)? {
            false => Revision::Skipped,
            true => self.shows()?,
        };
        if !self.is_quiet {
            let word = match state {
                Revision::Good => "does not show the issue",
                Revision::Bad => "shows the issue",
                Revision::Skipped => "cannot be tested",
            };
            say(&format!("revision {revision} {word}"));
        }
        Ok(state)
    }

    /// Builds the newest revision after the search, also after one that was stopped.
    fn build_again(&self, newest: &str) {
        let bisection = Bisection {
            stop: &Cancel::new(),
            ..*self
        };
        let why = match bisection.build(newest) {
            Ok(true) => return,
            Ok(false) => "its build skips it".to_owned(),
            Err(problem) => problem.what().to_owned(),
        };
        warn(&format!(
            "the program is not the newest revision, {newest}: {why}"
        ));
    }

    /// Builds a revision. Returns whether it can be tested.
    fn build(&self, revision: &str) -> Result<bool, Problem> {
        let run = self.command(&self.table.build, revision)?;
        match (&run.cut_short, run.exit) {
            (None, End::Code(0)) => Ok(true),
            (None, End::Code(SKIP)) => Ok(false),
            _ => Err(failed(&format!("the build of revision {revision}"), &run)
                .hint("a build that exits with code 125 skips its revision")),
        }
    }

    /// Returns whether the smallest test shows the issue. Lines have other numbers in other
    /// revisions.
    fn shows(&self) -> Result<Revision, Problem> {
        let text = self.issue.smallest();
        // The setup is read again, since files next to the test are copied when the program is set
        // up, and they must come from this revision.
        let setup = Setup::new(&self.setup.folder, &Given::one(), true)?;
        let mut built = setup.programs.iter();
        let built = built.find(|built| built.program.name() == self.issue.program);
        let Some(Built { program, .. }) = built else {
            let what = format!("unknown program `{}`", self.issue.program);
            return Err(Problem::new(Exit::Input, what));
        };
        for _ in 0..RUNS {
            let observed = program.run_uncached(text, 0, self.stop);
            let observed = observed.map_err(|error| {
                Problem::new(Exit::Test, "the test cannot be run").because(&error)
            })?;
            self.stopped()?;
            let found = Found::of(&Test::new(text), &observed);
            if found.is_some_and(|it| self.issue.identity.matches_other_build(&it.identity)) {
                return Ok(Revision::Bad);
            }
        }
        Ok(Revision::Good)
    }

    fn stopped(&self) -> Result<(), Problem> {
        match self.stop.is_cancelled() {
            true => Err(Problem::new(Exit::Stopped, "the bisection was stopped")),
            false => Ok(()),
        }
    }

    /// Runs a command of the user, in the folder of the campaign and without a sandbox.
    fn command(&self, words: &Spanned<Words>, revision: &str) -> Result<Run, Problem> {
        let command = command_of(words, &self.setup.surroundings())?;
        let wrong = |why: String| self.setup.origin.wrong(&words.span(), &why);
        let shell = ["sh", "-c", "cd \"$0\" && exec \"$@\""].map(OsString::from);
        let line = shell
            .into_iter()
            .chain([self.setup.folder.clone().into_os_string()])
            .chain([command.program().as_os_str().to_owned()])
            .chain(command.args().iter().cloned());
        let command = TestCommand::new(line.collect(), &self.setup.folder);
        let command = command.map_err(|error| wrong(reasons(&error)))?;
        let mut options = Options::new(command, vec![PathBuf::from("nothing")]);
        options.timeout = Some(self.timeout);
        options.process_limit = None;
        options.owns_children = true;
        let variable = format!("NUBBIN_REVISION={revision}");
        let environment = Environment::new().set(OsStr::new(&variable));
        options.environment = environment.map_err(|error| wrong(reasons(&error)))?;
        let oracle = CommandOracle::new(options).map_err(|error| wrong(reasons(&error)))?;
        let file = [File {
            name: Path::new("nothing"),
            bytes: b"",
        }];
        let run = oracle.observe_with(&Candidate::new(&file), 0, self.stop);
        let run = run.map_err(|error| wrong(reasons(&error)))?;
        self.stopped()?;
        Ok(run)
    }
}

/// Returns the problem of a command that failed, with the end of its output.
fn failed(what: &str, run: &Run) -> Problem {
    let end = match &run.cut_short {
        Some(reason) => reason.to_string(),
        None => run.exit.to_string(),
    };
    let said = String::from_utf8_lossy(run.stderr());
    let skipped = said.chars().count().saturating_sub(LONGEST);
    let said: String = said.chars().skip(skipped).collect();
    let text = format!("{what} ends with {end} {}", said.trim());
    Problem::new(Exit::Test, text.trim_end().to_owned())
}
