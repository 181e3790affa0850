//! Scripts that run in the shell of an engine.

use super::Profile;
use crate::confined::{self, Notice, Sample, ends_alike};
use crate::endless;
use crate::exit::Exit;
use crate::flags::ShellFlags;
use crate::problem::{Problem, warn};
use crate::sandbox::{self, Wording};
use nubbin_graph::Language;
use nubbin_oracle::{
    CommandOracle, Extra, Options, OracleError, Run, RunError, Signature, TestCommand,
};
use nubbin_verdict::{Cancel, Candidate, File};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;

/// The time limit of a batch of expressions, and of everything else. A batch takes a hundredth to a
/// tenth of a second. One that hangs costs its limit twice, which is most of the time of a run.
const EXPRESSIONS_TIME: Duration = Duration::from_secs(1);
const USUAL_TIME: Duration = Duration::from_secs(10);
/// The time limit of an exploration that calls every function with samples.
const TRIALS_TIME: Duration = Duration::from_secs(60);

/// The maximum number of bytes of a version.
const LONGEST_VERSION: usize = 100;

/// The error for a script that could not be run.
#[derive(Debug, thiserror::Error)]
#[error("the engine cannot be run")]
pub struct ShellFault(#[from] RunError);

/// The shell of an engine. Every script runs in its own process, in the sandbox, without standard
/// input.
pub struct Shell {
    oracle: CommandOracle,
    name: PathBuf,
    version: Option<TestCommand>,
    notice: Notice,
}

impl Shell {
    /// Returns the shell of a profile for scripts that explore an engine.
    pub fn of_probe(profile: &Profile, flags: &ShellFlags) -> Result<Self, Problem> {
        let flags = ShellFlags {
            timeout: flags
                .timeout
                .or_else(|| (profile.language() == Language::Python).then_some(TRIALS_TIME)),
            ..flags.clone()
        };
        let name = profile.script_name("script");
        Shell::new(profile, &profile.command, &name, &flags, &[], 1)
    }

    /// Returns the shell of a profile for scripts with expressions.
    pub fn of_expressions(
        profile: &Profile,
        flags: &ShellFlags,
        jobs: usize,
    ) -> Result<Self, Problem> {
        let flags = ShellFlags {
            timeout: flags.timeout.or(Some(EXPRESSIONS_TIME)),
            ..flags.clone()
        };
        let name = profile.script_name("script");
        Shell::new(profile, &profile.command, &name, &flags, &[], jobs)
    }

    /// Returns the shell of a profile for tests that need these files next to them.
    pub fn of_tests(
        profile: &Profile,
        is_module: bool,
        flags: &ShellFlags,
        with: &[PathBuf],
    ) -> Result<Self, Problem> {
        let (command, name) = match (&profile.module, is_module) {
            (Some(module), true) => (module, "test.mjs"),
            _ => (&profile.command, "test.js"),
        };
        Shell::new(profile, command, name, flags, with, 1)
    }

    fn new(
        profile: &Profile,
        command: &[String],
        name: &str,
        flags: &ShellFlags,
        with: &[PathBuf],
        jobs: usize,
    ) -> Result<Self, Problem> {
        let here = std::env::current_dir().map_err(|error| {
            Problem::new(Exit::Test, "the current folder cannot be read").because(&error)
        })?;
        let program = find(profile, command, &here)?;
        let version = profile.version.as_ref().and_then(|words| {
            let rest = words.iter().skip(1).map(OsString::from);
            // The version is taken from the program that was found, even if it has another name.
            let first = match words.first() == profile.command.first() {
                true => program.program().as_os_str().to_os_string(),
                false => OsString::from(words.first()?),
            };
            let words = std::iter::once(first);
            TestCommand::new(words.chain(rest).collect(), &here).ok()
        });
        let mut options = Options::new(program, vec![PathBuf::from(name)]);
        options.timeout = Some(flags.timeout.unwrap_or(USUAL_TIME));
        options.memory_limit = Some(flags.memory);
        options.sandbox = sandbox::of(&flags.sandbox.clone().into(), false)?;
        options.jobs = jobs;
        options.owns_children = true;
        for path in with {
            endless::refuse(path)?;
            options
                .extras
                .push(Extra::new(path, &here).map_err(|error| {
                    let what = format!("cannot use `--with {}`", path.display());
                    Problem::new(Exit::Input, what).because(&error)
                })?);
        }
        let oracle = CommandOracle::new(options).map_err(|error| unusable(profile, &error))?;
        let shell = Shell {
            oracle,
            name: PathBuf::from(name),
            version,
            notice: Notice::default(),
        };
        shell.settle(profile, flags, with)?;
        Ok(shell)
    }

    /// Runs an empty script to find the permissions that the engine needs, and prints them.
    fn settle(
        &self,
        profile: &Profile,
        flags: &ShellFlags,
        with: &[PathBuf],
    ) -> Result<(), Problem> {
        static SAID: Once = Once::new();
        let sample = Sample {
            name: &self.name,
            bytes: b"",
            believes: &|_| true,
        };
        let (flags, never) = (flags.sandbox.clone().into(), Cancel::new());
        let settled = confined::settle(&flags, &self.oracle, &sample, &ends_alike, with, &never);
        let loosened = settled.map_err(|error| {
            Problem::new(Exit::Test, "the engine cannot be run").because(&error)
        })?;
        if !loosened.is_nothing() {
            SAID.call_once(|| warn(&loosened.line(&profile.name, Wording::Flags)));
        }
        Ok(())
    }

    /// Runs a script.
    pub fn run(&self, script: &[u8], slot: usize, cancel: &Cancel) -> Result<Run, ShellFault> {
        let file = [File {
            name: &self.name,
            bytes: script,
        }];
        let run = self
            .oracle
            .observe_with(&Candidate::new(&file), slot, cancel)?;
        self.notice.look(&self.oracle, &run);
        Ok(run)
    }

    /// Returns the path of the program.
    pub fn program(&self) -> &Path {
        self.oracle.command().program()
    }

    /// Returns the command line that runs a script at the given path.
    pub fn line_for(&self, path: &Path) -> String {
        self.oracle.command().line_for(path)
    }

    /// Returns the version that the engine prints.
    pub(super) fn version(&self) -> Result<Option<String>, Problem> {
        let Some(command) = &self.version else {
            return Ok(None);
        };
        let file = [File {
            name: &self.name,
            bytes: b"",
        }];
        let run = self
            .oracle
            .observe_other(command, &Candidate::new(&file), 0, &Cancel::new())
            .map_err(|error| {
                Problem::new(Exit::Test, "the engine cannot be run").because(&error)
            })?;
        let text = match run.stdout().trim_ascii().is_empty() {
            true => run.stderr(),
            false => run.stdout(),
        };
        let line = text.trim_ascii().split(|&byte| byte == b'\n').next();
        let line = String::from_utf8_lossy(line.unwrap_or_default());
        let line: String = line.trim().chars().take(LONGEST_VERSION).collect();
        Ok(Some(line).filter(|line| !line.is_empty()))
    }
}

impl Profile {
    /// Returns the failure that a run shows, if it is a bug of the engine.
    ///
    /// Standard output is ignored, since scripts write it.
    pub fn bug(&self, mut run: Run) -> Option<Signature> {
        use nubbin_oracle::FailureKind::{Exception, ExitCode};
        run.stdout = None;
        if self.is_harmless(run.stderr()) {
            return None;
        }
        let signature = Signature::of(&run)?;
        let is_usual = run
            .exit
            .code()
            .is_some_and(|code| self.exit.contains(&code));
        match signature.kind() {
            // An uncaught exception or a rejected promise is an error of the script.
            Exception | ExitCode if is_usual => None,
            _ => Some(signature),
        }
    }
}

/// Returns the command with the first program of the profile that is there.
fn find(profile: &Profile, command: &[String], here: &Path) -> Result<TestCommand, Problem> {
    let words = |program: &str| {
        let rest = command.iter().skip(1).map(OsString::from);
        std::iter::once(OsString::from(program))
            .chain(rest)
            .collect()
    };
    let first = command.first().map_or("", String::as_str);
    let others = profile.others.iter().map(String::as_str);
    let mut missing = None;
    for program in std::iter::once(first).chain(others) {
        match TestCommand::new(words(program), here) {
            Ok(command) => return Ok(command),
            Err(error) => missing = missing.or(Some(error)),
        }
    }
    let what = format!("the engine `{}` cannot be run", profile.name);
    let problem = Problem::new(Exit::Test, what);
    Err(match &missing {
        Some(error) => problem.because(error),
        None => problem,
    }
    .hint("install it, or name its program with `--program PATH`"))
}

fn unusable(profile: &Profile, error: &OracleError) -> Problem {
    let what = format!("the engine `{}` cannot be run", profile.name);
    Problem::new(Exit::Test, what).because(error)
}
