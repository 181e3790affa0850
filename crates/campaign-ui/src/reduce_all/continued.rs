//! Runs with other limits than an earlier one, or with more of what counts as a failure. They
//! continue the earlier run: only what it left because of these flags is done again.

use super::outcomes::{self, End, Ran};
use super::record;
use crate::config::{Config, ProgramTable};
use crate::generator::paths;
use crate::problem::{Problem, say};
use crate::shown::count;
use crate::store;
use nubbin_campaign::{IssueFilter, IssueState, JobKind, Reduction, Store, StoreError};
use std::path::Path;

/// The work that an earlier run left, and that this one does.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Continued {
    /// The exit codes that are failures now, and were none before.
    codes: Vec<i32>,
    /// Whether a run of this time is a failure now, or has another limit.
    has_other_time: bool,
    has_other_memory: bool,
    /// Whether a reduction may take more tests than before.
    has_more_tests: bool,
}

impl Continued {
    /// Returns what a run does that the earlier one has left; `None` if the earlier one is a run of
    /// another command, or has failures that are none now.
    pub(super) fn of(earlier: &Config, config: &Config) -> Option<Self> {
        if without_limits(earlier) != without_limits(config) {
            return None;
        }
        let mut continued = Continued::default();
        for (before, now) in earlier.program.values().zip(config.program.values()) {
            let (before, now) = (before.get_ref(), now.get_ref());
            let has_code = |codes: &[i32], code: &i32| codes.contains(code);
            let keeps_codes = before.exit.iter().all(|code| has_code(&now.exit, code));
            let keeps_hangs = !before.hang || now.hang && before.timeout == now.timeout;
            if !keeps_codes || !keeps_hangs {
                return None;
            }
            let new = now.exit.iter().filter(|code| !has_code(&before.exit, code));
            continued.codes.extend(new);
            continued.has_other_time |= (before.hang, &before.timeout) != (now.hang, &now.timeout);
            continued.has_other_memory |= before.memory != now.memory;
            continued.has_more_tests |= before.reduce.max_tests < now.reduce.max_tests;
        }
        Some(continued)
    }

    /// Prepares the campaign of the earlier run, and records the settings of this one, if they
    /// differ. A run that is killed meanwhile is repeated, since the settings are written last.
    /// `files` is the folder with the given number of files.
    pub(super) fn begin(
        &self,
        campaign: &Path,
        (folder, files): (&Path, usize),
        (earlier, config): (&Config, &Config),
        is_quiet: bool,
    ) -> Result<(), Problem> {
        let store = match Store::open(campaign) {
            Err(StoreError::Missing { .. }) => None,
            opened => Some(opened.map_err(|error| store::problem(&error))?),
        };
        if let Some(mut store) = store {
            let left = self.forget(&mut store, campaign, (folder, files), config)?;
            let reductions = match self.has_more_tests {
                true => continue_reductions(&mut store).map_err(|error| store::problem(&error))?,
                false => 0,
            };
            if !is_quiet && (left, reductions) != (0, 0) {
                let (left, reductions) = (count(left, "file"), count(reductions, "reduction"));
                say(&format!(
                    "continuing the earlier run: {left} to run again, {reductions} to go on with"
                ));
            }
        }
        match earlier == config {
            true => Ok(()),
            false => record::replace(campaign, config),
        }
    }

    /// Forgets the runs of files that may have another outcome now. Returns their number.
    fn forget(
        &self,
        store: &mut Store,
        campaign: &Path,
        (folder, files): (&Path, usize),
        config: &Config,
    ) -> Result<u64, Problem> {
        let broken = |error: StoreError| store::problem(&error);
        let _lock = store.lock().map_err(broken)?;
        let issues = store.issue_list(&IssueFilter::default()).map_err(broken)?;
        // The same command may fail now: the user may have mended what it runs.
        let is_fruitless = |ran: &[Ran]| issues.is_empty() && ran.len() >= files;
        let left = outcomes::forget(campaign, |all, ran| is_fruitless(all) || self.is_left(ran))?;
        let is_left = |name: &str| left.contains(name);
        run_again(store, (config, folder), is_left).map_err(broken)?;
        Ok(left.len() as u64)
    }

    /// Returns whether a file may have another outcome now.
    fn is_left(&self, ran: &Ran) -> bool {
        let has_code = |code: &i32| ran.exit == format!("exit code {code}");
        match ran.outcome {
            End::Failure => false,
            End::NoFailure => self.codes.iter().any(has_code),
            End::TimeLimit => self.has_other_time,
            End::OtherLimit => self.has_other_memory,
        }
    }
}

/// Returns the settings without those that a later run may change.
fn without_limits(config: &Config) -> Config {
    let mut config = config.clone();
    for program in config.program.values_mut() {
        let table: &mut ProgramTable = program.get_mut();
        table.exit.clear();
        table.hang = false;
        table.timeout = None;
        table.memory = None;
        table.reduce.max_tests = 0;
    }
    config
}

/// Has the files run again for whose names `is_left` returns `true`.
fn run_again(
    store: &mut Store,
    (config, folder): (&Config, &Path),
    is_left: impl Fn(&str) -> bool,
) -> Result<(), StoreError> {
    for program in config.program.keys() {
        for generator in config.generator.keys() {
            let ran = store.members(program, generator)?;
            let is_kept = |member: &&Vec<u8>| {
                let path = paths(vec![member.to_vec()]);
                let mut names = path.iter().map(|path| outcomes::name_of(path, folder));
                !names.any(|name| is_left(&name))
            };
            let kept: Vec<Vec<u8>> = ran.iter().filter(is_kept).cloned().collect();
            if kept.len() < ran.len() {
                store.replace_members(program, generator, &kept)?;
            }
        }
    }
    Ok(())
}

/// Adds a job for each reduction that a limit has stopped. Returns their number.
fn continue_reductions(store: &mut Store) -> Result<u64, StoreError> {
    let mut continued = 0;
    for issue in store.issues(&IssueFilter::default())? {
        let is_stopped = match issue.reduction {
            Reduction::Limited => true,
            // Without any test, a failure was not reduced at all.
            Reduction::None => issue.seen > issue.met,
            _ => false,
        };
        if !is_stopped || issue.state != IssueState::Open {
            continue;
        }
        if issue.reduction == Reduction::Limited {
            store.record_reduced(issue.id, None, None, 0, Reduction::Partial)?;
        }
        store.add_job(JobKind::Reduce, &issue.program, Some(issue.id), false)?;
        continued += 1;
    }
    Ok(continued)
}
