//! The third stage of a run: the test is ready, and was run on the original.

use super::claimed::Claimed;
#[cfg(feature = "clang")]
use super::front_end;
use super::log::{Log, LogFacts};
use super::tokens::Before;
use super::{empty, positions};
use crate::other_failures::OtherFailures;
use crate::problem::{Problem, say};
use crate::remote::{self, Places};
use crate::sandbox::SandboxState;
use crate::settings::SearchSettings;
use crate::test;
use crate::tested::Tested;
use nubbin_oracle::CommandOracle;
use nubbin_reduce::edit::{Fingerprint, fingerprint};
use nubbin_reduce::engine::{Form, SyntaxFilter};
use nubbin_reduce::plan::Plan;
use std::sync::Arc;
use std::thread::JoinHandle;

/// A run with its test.
pub(super) struct Running {
    pub(super) oracle: Arc<CommandOracle>,
    pub(super) others: Arc<OtherFailures>,
    pub(super) sandbox: SandboxState,
    pub(super) places: Places,
    pub(super) positions: positions::Found,
    pub(super) plan: Plan,
    /// The errors that the front end of a compiler reports for candidates.
    errors: Option<Box<dyn Form>>,
    /// Everything that the verdicts in the journal depend on.
    pub(super) test: Fingerprint,
    pub(super) facts: LogFacts,
    /// Counts the tokens of the original during the first tests, as a large file takes a second.
    /// `None` as soon as the number was asked for.
    before: Option<JoinHandle<Before>>,
    /// The last field, so that the locks are held until all other parts of the run have ended.
    pub(super) claimed: Claimed,
}

impl Running {
    /// Builds the test, which runs the original where that is needed.
    pub(super) fn begin(claimed: Claimed) -> Result<Self, Problem> {
        let prepared = &claimed.prepared;
        let (args, input, stop) = (&prepared.args, &prepared.input, &prepared.stop);
        let (setup, sources) = (prepared.test(), &prepared.sources);
        let Tested {
            oracle,
            others,
            sandbox,
            places,
        } = Tested::of(
            &args.test,
            setup,
            (input, sources),
            (prepared.jobs, prepared.is_quiet()),
            stop,
        )?;
        let test = (args, &*oracle);
        let trees = prepared.trees_of_positions.as_ref();
        let plan = prepared.plan.clone();
        let (plan, positions) = positions::with_positions(plan, trees, test, input, stop);
        let language = prepared.language.clone();
        #[cfg(feature = "clang")]
        let (plan, errors) =
            front_end::with_front_end(plan, language.as_deref(), &positions, test, input, stop);
        #[cfg(not(feature = "clang"))]
        let errors = None;
        let before = std::thread::spawn({
            let (input, counter) = (input.clone(), prepared.counter.clone());
            move || counter.before(&input)
        });
        let mut identity = test::identity(setup, &oracle, sources);
        identity += &remote::identity(&args.test);
        identity += &prepared.subject.identity(args);
        let facts = LogFacts {
            test: oracle.command().to_string(),
            failure: test::failure(&args.test.failure, &oracle),
            language,
            algorithm: plan.name.clone(),
            seed: args.search.seed,
            jobs: places.jobs(),
            sandbox: sandbox.clone(),
            counts_configurations: counts_configurations(&args.search),
        };
        empty::warn_of_called(args, &oracle);
        if let Some(kept) = others.kept().filter(|_| !prepared.is_quiet()) {
            let lines = [kept.told_at_start(), kept.told_of_function()];
            lines.into_iter().flatten().for_each(|line| say(&line));
        }
        Ok(Running {
            oracle,
            others,
            sandbox,
            places,
            positions,
            plan,
            errors,
            test: fingerprint(identity.as_bytes()),
            facts,
            before: Some(before),
            claimed,
        })
    }

    /// Returns the filter for candidates with more errors than the base.
    pub(super) fn filter(&self) -> SyntaxFilter<'_> {
        let filter = self.claimed.prepared.subject.filter();
        let errors = self.errors.as_deref();
        match (filter, errors) {
            (SyntaxFilter::Off, Some(errors)) => SyntaxFilter::Learn(vec![errors]),
            (SyntaxFilter::Learn(forms), Some(errors)) => {
                SyntaxFilter::Learn(forms.into_iter().chain([errors]).collect())
            }
            (filter, _) => filter,
        }
    }

    /// Opens the log of the run.
    pub(super) fn open_log(&mut self) -> Result<Log, Problem> {
        let events = self.claimed.outputs.events.take();
        Log::open(&self.claimed.prepared.args, events, self.facts.clone())
    }

    /// Returns the size of the original.
    pub(super) fn size_before(&mut self) -> Before {
        let counted = self.before.take().map(JoinHandle::join);
        counted.and_then(Result::ok).unwrap_or_default()
    }
}

/// Returns whether the configurations of a run are counted, which takes memory.
fn counts_configurations(search: &SearchSettings) -> bool {
    search.algorithm != "auto"
}
