use crate::identity::Identity;
use crate::persistent::Persistent;
use crate::rules::{Outcome, Rules};
use crate::severity::Severity;
use nubbin_oracle::{CommandOracle, Run, TestCommand};
use nubbin_verdict::{Cancel, Candidate, File};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// A program under test could not be run.
#[derive(Debug, thiserror::Error)]
#[error("the program `{program}` cannot be run")]
pub struct ProgramError {
    program: String,
    source: Box<dyn std::error::Error + Send + Sync>,
}

/// Another build or version of a program, whose answers have to be the same.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The name of the variant, which identities have.
    pub name: String,
    /// The command that runs it.
    pub command: TestCommand,
}

/// A program under test: how a test is run, and which runs are issues.
#[derive(Debug)]
pub struct Program {
    name: String,
    oracle: CommandOracle,
    file: PathBuf,
    rules: Rules,
    variants: Vec<Variant>,
    persistent: Option<Persistent>,
    version: Mutex<String>,
}

/// The run of a test, and its outcome.
#[derive(Clone, Debug)]
pub struct Observed {
    /// The outcome.
    pub outcome: Outcome,
    /// The run of the program itself.
    pub run: Run,
}

impl Program {
    /// Makes a program. The first file of the oracle is the test, and its conditions are not used.
    pub fn new(name: &str, oracle: CommandOracle, rules: Rules) -> Self {
        let file = oracle.names().first().cloned().unwrap_or_default();
        Program {
            name: name.to_owned(),
            oracle,
            file,
            rules,
            variants: vec![],
            persistent: None,
            version: Mutex::default(),
        }
    }

    /// Compares the program with its variants: an exit or a standard output that differs is an
    /// issue.
    #[must_use]
    pub fn variants(mut self, variants: Vec<Variant>) -> Self {
        self.variants = variants;
        self
    }

    /// Runs tests in processes that run many. The oracle then runs what is not a test.
    #[must_use]
    pub fn persistent(mut self, persistent: Option<Persistent>) -> Self {
        self.persistent = persistent;
        self
    }

    /// Returns the name of the program.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of the test's file.
    pub fn file(&self) -> &std::path::Path {
        &self.file
    }

    /// Returns what runs its tests.
    pub fn oracle(&self) -> &CommandOracle {
        &self.oracle
    }

    /// Returns the variants that the program is compared with.
    pub fn all_variants(&self) -> &[Variant] {
        &self.variants
    }

    /// Returns the rules by which a run is an issue.
    pub fn rules(&self) -> &Rules {
        &self.rules
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

    /// Runs a test.
    ///
    /// # Errors
    /// [`ProgramError`] if the program could not be run.
    pub fn run(&self, test: &[u8], slot: usize, stop: &Cancel) -> Result<Observed, ProgramError> {
        let file = [File {
            name: &self.file,
            bytes: test,
        }];
        let candidate = Candidate::new(&file);
        let run = match &self.persistent {
            Some(persistent) => {
                let ran = persistent.run(test, slot, stop);
                ran.map_err(|source| self.broken(source))?
            }
            None => {
                let observed = self.oracle.observe_with(&candidate, slot, stop);
                observed.map_err(|source| self.broken(source))?
            }
        };
        let mut outcome = self.rules.outcome(&run);
        for variant in &self.variants {
            if outcome != Outcome::Usual {
                break;
            }
            let other = self
                .oracle
                .observe_other(&variant.command, &candidate, slot, stop)
                .map_err(|source| self.broken(source))?;
            outcome = difference(&run, &other, &variant.name, &self.rules);
        }
        Ok(Observed { outcome, run })
    }

    fn broken(&self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ProgramError {
        ProgramError {
            program: self.name.clone(),
            source: source.into(),
        }
    }
}

/// Compares a run with that of a variant.
fn difference(run: &Run, other: &Run, name: &str, rules: &Rules) -> Outcome {
    match rules.outcome(other) {
        Outcome::Stopped => return Outcome::Stopped,
        // The variant has hit a limit, so there is nothing to compare with.
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
