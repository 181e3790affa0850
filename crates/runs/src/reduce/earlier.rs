//! The complete result of an earlier run of the same command. A run starts with this result, so
//! that a limit or a signal never replaces it with a larger result.
//!
//! A stopped run has no complete result. The next run resumes the stopped run from its verdicts.

use super::journal::Key;
use crate::output::{Targets, Written};
use crate::problem::say;
use crate::settings::{ReduceSettings, SearchSettings};
use crate::state::{Lock, Receipt};
use indicatif::HumanCount;
use nubbin_reduce::edit::{Fingerprint, fingerprint};
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use nubbin_verdict::{Ask, Oracle, Verdict};
use std::path::Path;

/// The entry of a receipt that identifies the run of the result: the test, the input, and the
/// search. It has the name of no file.
const ENTRY: &str = "\0of";

/// The use that a run makes of the complete result of an earlier one.
#[derive(Debug)]
pub(super) enum EarlierResult {
    /// There is no earlier result, or it does not fail now.
    None,
    /// The run starts with the earlier result.
    Begun(Input),
    /// The run starts with the original, and only replaces the result of this size with a smaller
    /// result.
    Kept(usize),
}

impl EarlierResult {
    /// Returns the input with which the run starts, and the size of the largest result that
    /// replaces the result on disk.
    pub(super) fn begin(self, original: Input, floor: Option<usize>) -> (Input, Option<usize>) {
        match self {
            EarlierResult::None => (original, floor),
            EarlierResult::Begun(earlier) => {
                let size = earlier.size();
                (earlier, Some(size))
            }
            EarlierResult::Kept(size) => (original, Some(size)),
        }
    }
}

/// A result is of a test, an input, and a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResultOf {
    key: Key,
    search: Fingerprint,
}

impl ResultOf {
    pub(super) fn new(key: Key, args: &ReduceSettings, targets: &Targets) -> Self {
        // A result has the permissions of its input.
        let modes: Vec<Option<u32>> = targets.modes().collect();
        let search = format!("{} {modes:?}", search(args));
        let search = fingerprint(search.as_bytes());
        ResultOf { key, search }
    }

    /// Returns the fingerprint of a result, and of the run that it belongs to.
    fn print(self, result: &Input) -> Fingerprint {
        let prints = [self.search, result.fingerprint()];
        let prints = prints.map(|print| print.0.to_le_bytes());
        fingerprint(&[self.key.bytes(), prints.concat()].concat())
    }

    /// Records the run of a complete result, as soon as the result and its receipt are on disk.
    pub(super) fn note(self, lock: &Lock, result: &Input) {
        let mut receipt = Receipt::read(lock.state().clone());
        if !receipt.is_empty() {
            // Without this entry, the next run starts from the original.
            receipt.add([(ENTRY.into(), self.print(result))]);
        }
    }

    fn is_noted(self, lock: &Lock, result: &Input) -> bool {
        let receipt = Receipt::read(lock.state().clone());
        receipt.lists(Path::new(ENTRY), self.print(result))
    }

    /// Returns the result of a complete search of the same command, if it is smaller than the
    /// original and still fails.
    pub(super) fn earlier(
        self,
        args: &ReduceSettings,
        original: &Input,
        (targets, written, lock): (&Targets, &Written, &Lock),
        (judge, stop): (&dyn Oracle, &Stop),
    ) -> EarlierResult {
        let is_used = !args.search.fresh && targets.size(written).is_some();
        let there = is_used.then(|| targets.read(original)).flatten();
        let is_it = |there: &Input| there.size() < original.size() && self.is_noted(lock, there);
        let Some(there) = there.filter(is_it) else {
            return EarlierResult::None;
        };
        // The locations of protected regions in the result are unknown.
        let is_kept = !original.protected().spans().is_empty();
        let ask = Ask {
            cancel: stop.token().clone(),
            ..Ask::new(0)
        };
        let verdict = there.with_candidate(|candidate| judge.judge(candidate, &ask));
        let fails = matches!(verdict, Ok(Verdict::Fail));
        if !args.output_flags.quiet && !stop.is_requested() {
            let size = HumanCount(there.size() as u64);
            let path = targets
                .paths()
                .next()
                .map(|path| path.display().to_string());
            let path = path.unwrap_or_default();
            say(&match fails {
                true if is_kept => format!(
                    "the result of an earlier run, `{path}`, {size} bytes, is kept until this run \
                     has a smaller one or is complete (`--fresh` ignores it)"
                ),
                true => format!(
                    "starting from the result of an earlier run, `{path}`, {size} bytes \
                     (`--fresh` starts from the original)"
                ),
                false => format!(
                    "the result of an earlier run, `{path}`, does not fail now; starting from the \
                     original"
                ),
            });
        }
        match (fails, is_kept) {
            (true, true) => EarlierResult::Kept(there.size()),
            (true, false) => EarlierResult::Begun(there),
            (false, _) => EarlierResult::None,
        }
    }
}

/// Returns the flags that decide about the search, without those that stop it.
fn search(args: &ReduceSettings) -> String {
    let SearchSettings {
        algorithm,
        atom,
        passes,
        without,
        keep,
        no_keep_marks,
        order,
        seed,
        ..
    } = &args.search;
    format!(
        "{algorithm} {atom:?} {passes:?} {without:?} {keep:?} {no_keep_marks} {order:?} {seed} \
         {:?} {:?} {} {} {:?}",
        args.trees, args.proposers, args.reduce_args, args.reduce_env, args.format,
    )
}
