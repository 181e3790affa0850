//! The first stage of a run: its inputs are read and its plan is created. Nothing is on disk yet.

use super::choices::{ChoicesSubject, recorded_run};
use super::in_place::InPlace;
use super::streams::Streams;
use super::subject::{Planned, Subject};
use super::tokens::TokenCounter;
use super::{progress, text};
use crate::awaited::Awaited;
use crate::files::Source;
use crate::parameters::ParameterFiles;
use crate::paths;
use crate::problem::Problem;
use crate::programs;
use crate::project;
use crate::proposer::Proposers;
use crate::remote;
use crate::settings::{ReduceSettings, SearchSettings};
use crate::signals::Beginning;
use crate::test::{self, TestSetup};
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use nubbin_reduce::plan::Plan;
use nubbin_reduce::tree_reducer;
use std::ffi::OsString;
use std::time::Instant;

/// A run with its inputs and its plan.
pub(super) struct Prepared {
    pub(super) args: ReduceSettings,
    /// The start of the command: reading, parsing, and opening count as time of the run.
    pub(super) started: Instant,
    pub(super) stop: Stop,
    pub(super) beginning: Beginning,
    pub(super) parameters: ParameterFiles,
    pub(super) in_place: Option<InPlace>,
    pub(super) subject: Box<dyn Subject>,
    /// The input of the test.
    pub(super) input: Input,
    pub(super) sources: Vec<Source>,
    pub(super) plan: Plan,
    pub(super) language: Option<String>,
    pub(super) counter: TokenCounter,
    pub(super) trees_of_positions: Option<tree_reducer::Trees>,
    pub(super) proposers: Proposers,
    /// The number of tests that run on this machine at the same time.
    pub(super) jobs: usize,
    /// The last field, so that all other parts of the run end before their folder is removed.
    pub(super) streams: Streams,
}

impl Prepared {
    /// Reads the inputs of a command line, and makes the plan.
    pub(super) fn of(mut args: ReduceSettings) -> Result<Self, Problem> {
        let started = Instant::now();
        // The signal handlers come first, so that a signal ends everything that starts later.
        let stop = Stop::default();
        let beginning = Beginning::of(stop.clone(), args.search.max_time)?;
        progress::check(&args.output_flags)?;
        require_programs(&args)?;
        let variables = match args.reduce_env {
            true => Some(test::environment(&args.test.run)?),
            false => None,
        };
        project::add_inputs(&mut args)?;
        let mut parameters = ParameterFiles::take(&mut args, variables.as_ref())?;
        let in_place = (args.in_place)
            .then(|| InPlace::new(&args.inputs))
            .transpose()?;
        let streams = Streams::of(&mut args)?;
        paths::no_twins(&args.inputs)?;
        let planned = read(&args, &mut parameters)?;
        let jobs = remote::jobs_here(&args.test);
        let proposers = match planned.subject.is_text() {
            true => {
                let language = args.trees.language.as_deref();
                let sandbox = &args.test.sandbox;
                Proposers::new(
                    &args.proposers,
                    &planned.input,
                    language,
                    sandbox,
                    jobs,
                    &stop,
                )?
            }
            false => Proposers::default(),
        };
        let plan = nubbin_reduce::auto::with_proposers(
            planned.plan,
            proposers.passes(),
            proposers.early(),
        );
        let plan = with_parameters(plan, &parameters, &planned.sources, &args.search);
        Ok(Prepared {
            args,
            started,
            stop,
            beginning,
            parameters,
            in_place,
            subject: planned.subject,
            input: planned.input,
            sources: planned.sources,
            plan,
            language: planned.language,
            counter: planned.counter,
            trees_of_positions: planned.trees_of_positions,
            proposers,
            jobs,
            streams,
        })
    }

    /// Returns the test of the command line.
    pub(super) fn test(&self) -> TestSetup<'_> {
        TestSetup::from(&self.args).reducing(&self.parameters)
    }

    /// Returns whether the result is printed or replaces the input, so that the run keeps no
    /// separate result file.
    pub(super) fn is_passing(&self) -> bool {
        self.streams.is_output || self.args.in_place
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.args.output_flags.quiet
    }
}

/// Reads the subject of the command line, and makes its plan.
fn read(args: &ReduceSettings, parameters: &mut ParameterFiles) -> Result<Planned, Problem> {
    let replaying = Awaited::begin("running the generator".into(), args.output_flags.quiet);
    let recorded = recorded_run(args)?;
    drop(replaying);
    match recorded {
        Some(recorded) => ChoicesSubject::planned(recorded, args),
        None => text::planned(args, parameters),
    }
}

/// Refuses programs of flags that would be missed at the end of the run only.
fn require_programs(args: &ReduceSettings) -> Result<(), Problem> {
    let sets_path = |value: &OsString| value.as_encoded_bytes().starts_with(b"PATH=");
    // The formatter has the environment of a test.
    if let Some(line) = &args.format
        && !args.test.run.env.iter().any(sets_path)
    {
        programs::require("--format", line)?;
    }
    if let Some(line) = args.notify.as_ref().filter(|line| !line.is_empty()) {
        programs::require("--notify", line)?;
    }
    Ok(())
}

/// Returns the plan with passes over the arguments and variables of the test.
fn with_parameters(
    plan: Plan,
    parameters: &ParameterFiles,
    sources: &[Source],
    search: &SearchSettings,
) -> Plan {
    let mut files = 0;
    let first_files = sources.iter().map(|source| {
        let first = files;
        files += source.files().len();
        first
    });
    let first_files: Vec<usize> = first_files.collect();
    let parameters = parameters.numbers(&first_files);
    let mut plan = nubbin_reduce::auto::with_parameters(plan, &parameters);
    let without: Vec<&str> = search.without.iter().map(String::as_str).collect();
    plan.without(&without);
    plan
}
