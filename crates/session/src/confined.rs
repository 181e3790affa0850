//! The permissions that a program needs to exit in the sandbox as it does outside. These
//! permissions are for campaigns and fuzzers, where every exit of a program is of interest.

use crate::flags::SandboxMode;
use crate::problem::warn;
use crate::sandbox::{Wording, permission, permissions};
use crate::settings::SandboxSettings;
use nubbin_oracle::{CommandOracle, Loosening, Refusal, Run, RunError, Sandbox, Signature, Trial};
use nubbin_verdict::{Cancel, Candidate, File};
use std::path::{Path, PathBuf};
use std::sync::Once;

/// The permissions that a trial has given to a program.
#[derive(Clone, Debug, Default)]
pub struct Loosened {
    permitted: Sandbox,
    is_outside: bool,
    refusals: Vec<Refusal>,
}

impl Loosened {
    /// Returns whether the trial gave no permissions.
    pub fn is_nothing(&self) -> bool {
        !self.is_outside && self.permitted.is_plain()
    }

    pub fn is_outside(&self) -> bool {
        self.is_outside
    }

    /// Adds the permissions of a later trial.
    pub fn and(self, other: Loosened) -> Self {
        Loosened {
            permitted: self.permitted.and(&other.permitted),
            is_outside: self.is_outside || other.is_outside,
            refusals: [self.refusals, other.refusals].concat(),
        }
    }

    /// Gives the same permissions to the tests of another oracle.
    pub fn apply(&self, oracle: &CommandOracle) {
        let Some(sandbox) = oracle.sandbox() else {
            return;
        };
        oracle.set_sandbox(match self.is_outside {
            true => None,
            false => Some((*sandbox).clone().and(&self.permitted)),
        });
    }

    /// Returns the message about these permissions for the user.
    pub fn line(&self, program: &str, wording: Wording) -> String {
        let refused = match self.refusals.first() {
            Some(refusal) => format!(" ({})", refusal.line()),
            None => String::new(),
        };
        match self.is_outside {
            true => format!(
                "the tests of {program} run without a sandbox, since {program} ends differently \
                 in one{refused}"
            ),
            false => format!(
                "{program} behaves differently in the sandbox{refused}: all its tests now have \
                 more permissions, as if with {}",
                permissions(&self.permitted, wording)
            ),
        }
    }
}

/// The input for a trial of a program.
pub struct Sample<'a> {
    /// The name of the test's file.
    pub name: &'a Path,
    pub bytes: &'a [u8],
    /// Whether a run inside that reports no refusal is accepted without a run outside. A generated
    /// input should not be run outside, since it may do harm.
    pub believes: &'a dyn Fn(&Run) -> bool,
}

/// Runs a sample in the sandbox, and outside if the run in the sandbox is inconclusive. Permits the
/// refused paths that make the runs differ, unless the user's settings forbid it. The files in
/// `kept` are never permitted.
pub fn settle(
    flags: &SandboxSettings,
    oracle: &CommandOracle,
    sample: &Sample<'_>,
    same: &dyn Fn(&Run, &Run) -> bool,
    kept: &[PathBuf],
    stop: &Cancel,
) -> Result<Loosened, RunError> {
    let nothing = Loosened::default();
    if flags.sandbox != SandboxMode::Auto || oracle.sandbox().is_none() {
        return Ok(nothing);
    }
    let file = [File {
        name: sample.name,
        bytes: sample.bytes,
    }];
    let candidate = Candidate::new(&file);
    let loosening = Loosening::Told(kept);
    let trial = oracle.compare_with_outside(&candidate, same, sample.believes, loosening, stop)?;
    Ok(match trial {
        Trial::Inside {
            permitted,
            refusals,
            ..
        } => Loosened {
            permitted,
            refusals,
            ..nothing
        },
        Trial::Outside { refusals, .. } => Loosened {
            is_outside: true,
            refusals,
            ..nothing
        },
        Trial::Flaky { .. } | Trial::Nowhere { .. } => nothing,
    })
}

/// Returns whether two runs have the same exit.
pub fn ends_alike(inside: &Run, outside: &Run) -> bool {
    inside.exit == outside.exit && Signature::of(inside) == Signature::of(outside)
}

/// Reports once that the sandbox has refused something to a program.
#[derive(Debug)]
pub struct Notice {
    said: Once,
}

impl Default for Notice {
    fn default() -> Self {
        Notice { said: Once::new() }
    }
}

impl Notice {
    /// Checks a run in the sandbox for a refusal.
    pub fn look(&self, oracle: &CommandOracle, run: &Run) {
        if self.said.is_completed() || oracle.sandbox().is_none() {
            return;
        }
        let refusals = Refusal::of_run(run);
        if let Some(refusal) = refusals.first() {
            self.said.call_once(|| {
                warn(&format!(
                    "the program reports that the sandbox refused something: {}; if that hides \
                     failures, {}",
                    refusal.line(),
                    permission(&refusals, Wording::Flags)
                ));
            });
        }
    }
}
