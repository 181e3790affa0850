use crate::identity::Identity;
use crate::persistent::Persistent;
use crate::rules::{Outcome, Rules};
use crate::severity::Severity;
use nubbin_oracle::{CommandOracle, Refusal, Run, RunError, RunRequest, Runner, TestCommand};
use nubbin_verdict::{Cancel, Candidate, File};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The error for a program under test that could not be run.
#[derive(Debug, thiserror::Error)]
#[error("the program `{program}` cannot be run")]
pub struct ProgramError {
    program: String,
    source: Box<dyn std::error::Error + Send + Sync>,
}

/// Another build or version of a program, whose results must be the same.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The name of the variant, which is part of the identities of differences.
    pub name: String,
    /// The command that runs the variant.
    pub command: TestCommand,
}

/// A program under test: the runner of its tests, and the rules by which runs are issues.
#[derive(Debug)]
pub struct Program {
    name: String,
    oracle: Arc<CommandOracle>,
    runner: OnceLock<Arc<dyn Runner>>,
    file: PathBuf,
    rules: Rules,
    variants: Vec<Variant>,
    persistent: Option<Persistent>,
    version: Mutex<String>,
    refused: Mutex<Refused>,
}

/// Runs of a program in whose outputs a sandbox has refused something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    /// The number of runs.
    pub runs: u64,
    /// Some of the refusals. No two have the same words.
    pub refusals: Vec<Refusal>,
}

/// The maximum number of refusals that are kept of a program.
const KEPT: usize = 3;

/// The run of a test, and its outcome.
#[derive(Clone, Debug)]
pub struct Observed {
    /// The outcome of the test.
    pub outcome: Outcome,
    /// The run of the program itself.
    pub run: Run,
}

/// The exit codes with which a shell reports that it could not start a program.
const UNSTARTED: [i32; 2] = [126, 127];
/// The maximum number of characters of a line of output.
const LONGEST: usize = 200;

impl Observed {
    /// Returns whether the run has no failure, and an exit code with which a shell reports that it
    /// could not start the program.
    pub fn is_unstarted(&self) -> bool {
        let code = self.run.exit.code();
        self.outcome == Outcome::Usual && code.is_some_and(|code| UNSTARTED.contains(&code))
    }

    /// Returns the last line that the program wrote, which is empty if it wrote nothing.
    pub fn last_line(&self) -> String {
        let output = match self.run.stderr().trim_ascii().is_empty() {
            true => self.run.stdout(),
            false => self.run.stderr(),
        };
        let output = String::from_utf8_lossy(output);
        let line = output.lines().rev().find(|line| !line.trim().is_empty());
        line.unwrap_or_default()
            .trim()
            .chars()
            .take(LONGEST)
            .collect()
    }
}

impl Program {
    /// Creates a program. The first file of the oracle is the test. The conditions of the oracle
    /// are not used.
    pub fn new(name: &str, oracle: CommandOracle, rules: Rules) -> Self {
        let file = oracle.names().first().cloned().unwrap_or_default();
        Program {
            name: name.to_owned(),
            oracle: Arc::new(oracle),
            runner: OnceLock::new(),
            file,
            rules,
            variants: vec![],
            persistent: None,
            version: Mutex::default(),
            refused: Mutex::default(),
        }
    }

    /// Sets the variants with which the program is compared. A different exit or a different
    /// standard output is an issue.
    #[must_use]
    pub fn variants(mut self, variants: Vec<Variant>) -> Self {
        self.variants = variants;
        self
    }

    /// Sets the persistent processes that run the tests. The oracle then runs everything else.
    #[must_use]
    pub fn persistent(mut self, persistent: Option<Persistent>) -> Self {
        self.persistent = persistent;
        self
    }

    /// Sets the runner of tests and variants, in place of the oracle, which then runs everything
    /// else. The call has no effect if a runner was already set, or if the program is persistent.
    pub fn set_runner(&self, runner: Arc<dyn Runner>) {
        // If a runner is already set, it is kept.
        let _ = self.runner.set(runner);
    }

    /// Returns the runner of tests.
    pub fn runner(&self) -> &dyn Runner {
        self.runner.get().map_or(&*self.oracle, |runner| &**runner)
    }

    /// Returns the name of the program.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of the test's file.
    pub fn file(&self) -> &std::path::Path {
        &self.file
    }

    /// Returns the program's oracle, which runs tests on this machine.
    pub fn oracle(&self) -> &Arc<CommandOracle> {
        &self.oracle
    }

    /// Returns the variants with which the program is compared.
    pub fn all_variants(&self) -> &[Variant] {
        &self.variants
    }

    /// Returns the rules by which a run is an issue.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the runs so far that report a refusal of the sandbox. A refusal may hide a failure.
    pub fn refused(&self) -> Refused {
        let refused = self.refused.lock();
        refused.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts a run that reports a refusal.
    fn look_for_refusals(&self, run: &Run) {
        if self.oracle.sandbox().is_none() {
            return;
        }
        let found = Refusal::of_run(run);
        if found.is_empty() {
            return;
        }
        let refused = self.refused.lock();
        let mut refused = refused.unwrap_or_else(PoisonError::into_inner);
        refused.runs += 1;
        for refusal in found {
            let is_known = |known: &Refusal| known.is_like(&refusal);
            if refused.refusals.len() < KEPT && !refused.refusals.iter().any(is_known) {
                refused.refusals.push(refusal);
            }
        }
    }

    /// Returns the version of the program.
    pub fn version(&self) -> String {
        let version = self.version.lock();
        version.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets the version of the program.
    pub fn set_version(&self, version: String) {
        let kept = self.version.lock();
        *kept.unwrap_or_else(PoisonError::into_inner) = version;
    }

    /// Returns the number of tests that each of `callers` callers should run at the same time.
    pub fn at_once(&self, callers: usize) -> usize {
        match &self.persistent {
            Some(_) => 1,
            None => self.runner().at_once(callers).max(1),
        }
    }

    /// Runs a test. The runner may return the result of an earlier run of the same test.
    ///
    /// # Errors
    /// Returns [`ProgramError`] if the program could not be run.
    pub fn run(&self, test: &[u8], slot: usize, stop: &Cancel) -> Result<Observed, ProgramError> {
        self.observe(test, slot, stop, false)
    }

    /// Runs a test like [`Program::run`], but never returns the result of an earlier run.
    ///
    /// # Errors
    /// Returns [`ProgramError`] if the program could not be run.
    pub fn run_uncached(
        &self,
        test: &[u8],
        slot: usize,
        stop: &Cancel,
    ) -> Result<Observed, ProgramError> {
        self.observe(test, slot, stop, true)
    }

    fn observe(
        &self,
        test: &[u8],
        slot: usize,
        stop: &Cancel,
        is_anew: bool,
    ) -> Result<Observed, ProgramError> {
        let file = [File {
            name: &self.file,
            bytes: test,
        }];
        let candidate = Candidate::new(&file);
        let observe = |command: &TestCommand| {
            let request = RunRequest {
                command,
                candidate: &candidate,
                slot,
                cancel: stop,
                is_anew,
            };
            let observed = self.runner().observe_request(&request);
            observed.map_err(|source| self.broken(source))
        };
        let mut run = match &self.persistent {
            Some(persistent) => {
                let ran = persistent.run(test, slot, stop);
                ran.map_err(|source| self.broken(source))?
            }
            None => observe(self.oracle.command())?,
        };
        self.look_for_refusals(&run);
        let mut outcome = self.rules.outcome(&run);
        for variant in &self.variants {
            if outcome != Outcome::Usual {
                break;
            }
            let other = observe(&variant.command)?;
            outcome = difference(&run, &other, &variant.name, &self.rules);
            let is_issue = matches!(outcome, Outcome::Issue(..));
            if is_issue && self.runner().place_counts().is_some() {
                // The program and its variant may have run on different machines, and their outputs
                // may contain paths of these machines.
                let observe = |command| {
                    let observed = self.oracle.observe_other(command, &candidate, slot, stop);
                    observed.map_err(|source| self.broken(source))
                };
                run = observe(self.oracle.command())?;
                let other = observe(&variant.command)?;
                outcome = difference(&run, &other, &variant.name, &self.rules);
            }
        }
        if self.wants_stack(&outcome) {
            let traced = self.oracle.trace(&candidate, slot, stop);
            let traced = traced.map_err(|source| self.broken(source))?;
            if traced.stack.is_some() {
                run.stack = traced.stack;
                outcome = self.rules.outcome(&run);
            }
        }
        Ok(Observed { outcome, run })
    }

    /// Returns whether an outcome is a crash that only its stack distinguishes from others. A run
    /// on a farm has no stack.
    fn wants_stack(&self, outcome: &Outcome) -> bool {
        let is_bare = |identity: &Identity| identity.kind == "signal" && identity.frames.is_empty();
        matches!(outcome, Outcome::Issue(identity, _) if is_bare(identity))
            && self.oracle.has_tracer()
            && self.persistent.is_none()
            && self.runner().place_counts().is_none()
    }

    fn broken(&self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ProgramError {
        ProgramError {
            program: self.name.clone(),
            source: source.into(),
        }
    }
}

/// Returns whether an error concerns the machine of a run and not the test.
pub(crate) fn is_elsewhere(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(RunError::Elsewhere(_)) = error.downcast_ref() {
            return true;
        }
        next = error.source();
    }
    false
}

/// Compares a run with the run of a variant.
fn difference(run: &Run, other: &Run, name: &str, rules: &Rules) -> Outcome {
    match rules.outcome(other) {
        Outcome::Stopped => return Outcome::Stopped,
        // The variant has hit a limit, so its output cannot be compared.
        Outcome::Limit => return Outcome::Limit,
        _ => {}
    }
    let what = if run.exit != other.exit {
        format!("{}, and {} by {name}", run.exit, other.exit)
    } else if run.stdout() != other.stdout() {
        format!("standard output is not that of {name}")
    } else {
        return Outcome::Usual;
    };
    Outcome::Issue(Identity::new("difference", &what, vec![]), Severity::Low)
}
