//! The point from which a search begins: the original, or the result of an earlier run.

use super::earlier::{EarlierResult, ResultOf};
use super::journal::{Earlier, Journal, Key};
use super::resumed::open_journal;
use super::running::Running;
use crate::output::Written;
use crate::problem::Problem;
use nubbin_reduce::edit::{Fingerprint, fingerprint};
use nubbin_reduce::input::Input;
use nubbin_verdict::{Oracle, VerdictKind};
use std::time::Duration;

/// The beginning of a search.
pub(super) struct Start {
    /// Verdicts of earlier runs.
    pub(super) known: Vec<(Fingerprint, VerdictKind)>,
    /// The input with which the engine begins.
    pub(super) input: Input,
    /// The original, as the engine has it.
    pub(super) original: Input,
    /// The size of the largest result that replaces the result on disk.
    pub(super) floor: Option<usize>,
    /// The result of an earlier run of the same command, if there is one.
    pub(super) earlier: Option<Begun>,
    /// The time of the runs that this one resumes.
    pub(super) time_before: Duration,
    pub(super) result_of: ResultOf,
    /// Whether the result is kept on disk, and a later run may begin with it.
    pub(super) is_kept: bool,
}

/// The use of an earlier result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begun {
    /// The search starts with the earlier result.
    WithResult,
    /// The search starts with the original.
    WithOriginal,
}

impl Start {
    /// Opens the journal, and reports the state of an earlier run. `judge` decides about an earlier
    /// result.
    pub(super) fn of(
        running: &Running,
        judge: &dyn Oracle,
        written: &Written,
    ) -> Result<(Self, Journal), Problem> {
        let claimed = &running.claimed;
        let (prepared, targets, lock) = (&claimed.prepared, &claimed.targets, claimed.lock());
        let args = &prepared.args;
        let original = prepared.subject.searched(&prepared.input)?;
        let key = Key {
            test: running.test,
            input: with_names(&original),
        };
        if !lock.state().folder().exists() {
            // A test without a sandbox has removed the folder.
            targets.probe()?;
            lock.state().make()?;
        }
        let opened = open_journal(args, lock, key, prepared.started)?;
        targets.sweep();
        let (known, floor) = match opened.earlier {
            Earlier::None => (vec![], None),
            Earlier::Same {
                verdicts,
                same_input,
            } => (verdicts, targets.size(written).filter(|_| same_input)),
            Earlier::Other(known) => (known, None),
        };
        let result_of = ResultOf::new(key, args, targets);
        // The file of a result contains no choices, and standard output does not contain the result
        // of an earlier run.
        let is_kept = prepared.subject.is_text() && !prepared.is_passing();
        let result = match is_kept {
            false => EarlierResult::None,
            true => {
                let place = (targets, written, lock);
                result_of.earlier(args, &original, place, (judge, &prepared.stop))
            }
        };
        let earlier = match &result {
            EarlierResult::None => None,
            EarlierResult::Begun(_) => Some(Begun::WithResult),
            EarlierResult::Kept(_) => Some(Begun::WithOriginal),
        };
        let (input, floor) = result.begin(original.clone(), floor);
        let start = Start {
            known,
            input,
            original,
            floor,
            earlier,
            time_before: opened.time,
            result_of,
            is_kept,
        };
        Ok((start, opened.journal))
    }
}

/// Returns the fingerprint of the names and the content of an input.
fn with_names(input: &Input) -> Fingerprint {
    let mut all = input.fingerprint().0.to_le_bytes().to_vec();
    for file in input.present() {
        all.extend(file.name.as_os_str().as_encoded_bytes());
        all.push(0);
    }
    fingerprint(&all)
}
