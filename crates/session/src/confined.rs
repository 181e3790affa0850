//! Programs of which every end is of interest, as a campaign and a fuzzer run them: what has to be
//! permitted so that they end in the sandbox as they do outside.

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
    /// Whether nothing was permitted.
    pub fn is_nothing(&self) -> bool {
        !self.is_outside && self.permitted.is_plain()
    }

    pub fn is_outside(&self) -> bool {
        self.is_outside
    }

    /// Adds what a later trial has permitted.
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

    /// Returns what the user has to know.
    pub fn line(&self, program: &str, wording: Wording) -> String {
        let refused = match self.refusals.first() {
            Some(refusal) => format!(" ({})", refusal.line()),
            None => String::new(),
        };
        match self.is_outside {
            true => format!(
                "the tests of {program} run without a sandbox, since {program} ends otherwise in \
                 it{refused}"
            ),
            false => format!(
                "{program} behaves differently in the sandbox{refused}: all its tests have more \
                 permissions now, as by {}",
                permissions(&self.permitted, wording)
            ),
        }
    }
}

/// The input with which a program is tried.
pub struct Sample<'a> {
    /// The name of the test's file.
    pub name: &'a Path,
    pub bytes: &'a [u8],
    /// Whether a run inside that tells of no refusal is believed without a run outside. An input
    /// that was generated is not for a run outside: it may do harm.
    pub believes: &'a dyn Fn(&Run) -> bool,
}

/// Runs a sample inside, and outside if that leaves a doubt. Permits what makes the difference, if
/// the user has not said otherwise. The files of `kept` are never permitted.
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

/// Whether two runs end in the same way.
pub fn ends_alike(inside: &Run, outside: &Run) -> bool {
    inside.exit == outside.exit && Signature::of(inside) == Signature::of(outside)
}

/// Tells once that a program says that the sandbox has refused something.
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
    /// Looks at a run in the sandbox.
    pub fn look(&self, oracle: &CommandOracle, run: &Run) {
        if self.said.is_completed() || oracle.sandbox().is_none() {
            return;
        }
        let refusals = Refusal::of_run(run);
        if let Some(refusal) = refusals.first() {
            self.said.call_once(|| {
                warn(&format!(
                    "the program tells that the sandbox has refused something: {}; if that hides \
                     failures, {}",
                    refusal.line(),
                    permission(&refusals, Wording::Flags)
                ));
            });
        }
    }
}
