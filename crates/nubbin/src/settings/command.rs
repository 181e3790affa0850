//! The settings of a command: those of its groups, and its own.

use super::output::OutputSettings;
use super::search::{IsolateSearchSettings, ProposerSettings, ReplacementSettings, SearchSettings};
use super::test::TestSettings;
use super::trees::{ChoicesSettings, TreeSettings};
use crate::flags::{ExplainFlags, IsolateFlags, ReduceFlags};
use std::path::PathBuf;

/// The settings of a reduction.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug)]
pub(crate) struct ReduceSettings {
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) output: Option<PathBuf>,
    pub(crate) force: bool,
    pub(crate) in_place: bool,
    pub(crate) test: TestSettings,
    pub(crate) allow_empty: bool,
    pub(crate) reduce_args: bool,
    pub(crate) reduce_env: bool,
    pub(crate) search: SearchSettings,
    pub(crate) trees: TreeSettings,
    pub(crate) proposers: ProposerSettings,
    pub(crate) choices: ChoicesSettings,
    pub(crate) output_flags: OutputSettings,
    pub(crate) log_texts: bool,
    pub(crate) report: Option<PathBuf>,
    pub(crate) format: Option<String>,
    pub(crate) notify: Option<String>,
    pub(crate) ci: Option<f64>,
    pub(crate) copy: bool,
}

impl From<ReduceFlags> for ReduceSettings {
    fn from(flags: ReduceFlags) -> Self {
        ReduceSettings {
            inputs: flags.inputs,
            output: flags.output,
            force: flags.force,
            in_place: flags.in_place,
            test: flags.test.into(),
            allow_empty: flags.allow_empty,
            reduce_args: flags.reduce_args,
            reduce_env: flags.reduce_env,
            search: flags.search.into(),
            trees: flags.trees.into(),
            proposers: flags.proposers.into(),
            choices: flags.choices.into(),
            output_flags: flags.output_flags.into(),
            log_texts: flags.log_texts,
            report: flags.report,
            format: flags.format,
            notify: flags.notify,
            ci: flags.ci,
            copy: flags.copy,
        }
    }
}

/// The settings of an isolation.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug)]
pub(crate) struct IsolateSettings {
    pub(crate) passing: PathBuf,
    pub(crate) failing: PathBuf,
    pub(crate) output: Option<PathBuf>,
    pub(crate) force: bool,
    pub(crate) test: TestSettings,
    pub(crate) search: IsolateSearchSettings,
    pub(crate) output_flags: OutputSettings,
    pub(crate) context: usize,
}

impl From<IsolateFlags> for IsolateSettings {
    fn from(flags: IsolateFlags) -> Self {
        IsolateSettings {
            passing: flags.passing,
            failing: flags.failing,
            output: flags.output,
            force: flags.force,
            test: flags.test.into(),
            search: flags.search.into(),
            output_flags: flags.output_flags.into(),
            context: flags.context,
        }
    }
}

/// The settings of an explanation.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug)]
pub(crate) struct ExplainSettings {
    pub(crate) input: Option<PathBuf>,
    pub(crate) test: TestSettings,
    pub(crate) search: ReplacementSettings,
    pub(crate) choices: ChoicesSettings,
    pub(crate) json: bool,
    pub(crate) quiet: bool,
}

impl From<ExplainFlags> for ExplainSettings {
    fn from(flags: ExplainFlags) -> Self {
        ExplainSettings {
            input: flags.input,
            test: flags.test.into(),
            search: flags.search.into(),
            choices: flags.choices.into(),
            json: flags.json,
            quiet: flags.quiet,
        }
    }
}
