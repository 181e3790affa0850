//! The journal of a run, and the way in which the run continues an earlier run.

use super::journal::{Earlier, Journal, Key, Opened, Resume, Unused};
use crate::problem::{Problem, say, warn};
use crate::settings::ReduceSettings;
use crate::state::Lock;
use indicatif::HumanCount;
use std::time::Instant;

/// Opens the journal of the run, and reports the state of an earlier one.
pub(super) fn open_journal(
    args: &ReduceSettings,
    lock: &Lock,
    key: Key,
    begun: Instant,
) -> Result<Opened, Problem> {
    let resume = match (args.search.resume, args.search.fresh) {
        (true, _) => Resume::Always,
        (_, true) => Resume::Never,
        _ => Resume::IfSame,
    };
    let opened = Journal::open(lock, key, resume, begun)?;
    if !args.output_flags.quiet {
        opened.warnings.iter().for_each(|text| warn(text));
        if let Some(note) = resumed(&opened, resume) {
            say(&note);
        }
    }
    Ok(opened)
}

/// Returns how a run continues an earlier one.
fn resumed(opened: &Opened, resume: Resume) -> Option<String> {
    let count = |verdicts: usize| HumanCount(verdicts as u64).to_string();
    Some(match (&opened.earlier, opened.unused) {
        (Earlier::None, None) if resume == Resume::Always => {
            "there is nothing to resume; starting over".to_owned()
        }
        (Earlier::None, None) => return None,
        (Earlier::None, Some(unused)) => {
            let why = match unused {
                Unused {
                    same_test: true,
                    same_input: true,
                    ..
                } => "",
                Unused {
                    same_test: true, ..
                } => "the input changed, so ",
                _ => "the test changed, so ",
            };
            format!(
                "{why}starting over ({} earlier verdicts are kept until this run makes progress)",
                count(unused.verdicts)
            )
        }
        (
            Earlier::Same {
                verdicts,
                same_input,
            },
            _,
        ) => {
            let verdicts = count(verdicts.len());
            let of = match same_input {
                true => "",
                false => ", with another input",
            };
            let hint = match resume {
                Resume::Always => "",
                _ => " (`--fresh` starts over)",
            };
            format!("resuming: {verdicts} verdicts of a run that was stopped{of}{hint}")
        }
        (Earlier::Other(known), _) => format!(
            "the test is not the same as before; only the {} candidates that did not fail are \
             reused, which is right if the test was made stricter",
            count(known.len())
        ),
    })
}
