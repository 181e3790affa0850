//! Whether the command of a program works at all.

use crate::exit::Exit;
use crate::problem::Problem;
use nubbin_campaign::{Outcome, Program};
use nubbin_verdict::Cancel;

/// The end of a program that was given an empty test.
pub(super) struct Probe {
    /// Whether a shell could not start the program with any test.
    pub(super) is_unstarted: bool,
    /// The exit of the program, unless it has exit code 0, and its last line of output.
    pub(super) end: Option<String>,
}

impl Probe {
    /// Runs a program with an empty test, and if a shell could not start it, with one more.
    pub(super) fn of(program: &Program, stop: &Cancel) -> Result<Self, Problem> {
        let run = |text: &[u8]| {
            let observed = program.run(text, 0, stop);
            observed.map_err(|error| {
                let what = format!("the program `{}` cannot be run", program.name());
                Problem::new(Exit::Test, what).because(&error)
            })
        };
        let observed = run(b"")?;
        let exit = &observed.run.exit;
        let end = match (&observed.outcome, exit.code(), observed.last_line()) {
            (Outcome::Usual, Some(0), _) | (Outcome::Stopped | Outcome::Limit, ..) => None,
            (.., line) if line.is_empty() => Some(exit.to_string()),
            (.., line) => Some(format!("{exit}: {line}")),
        };
        let is_unstarted = observed.is_unstarted() && run(b"0\n")?.is_unstarted();
        Ok(Probe { is_unstarted, end })
    }
}
