//! The settings of a command: the groups of settings that it shares with other commands, and its
//! own.

use super::output::OutputSettings;
use super::search::{IsolateSearchSettings, ProposerSettings, ReplacementSettings, SearchSettings};
use super::test::TestSettings;
use super::trees::{ChoicesSettings, TreeSettings};
use crate::flags::{ExplainFlags, IsolateFlags, ReduceFlags};
use std::path::{Path, PathBuf};

/// The settings of a reduction.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug)]
pub struct ReduceSettings {
    pub inputs: Vec<PathBuf>,
    pub project: Option<PathBuf>,
    pub inside: bool,
    pub output: Option<PathBuf>,
    pub force: bool,
    pub in_place: bool,
    pub test: TestSettings,
    pub allow_empty: bool,
    pub reduce_args: bool,
    pub reduce_env: bool,
    pub search: SearchSettings,
    pub trees: TreeSettings,
    pub proposers: ProposerSettings,
    pub choices: ChoicesSettings,
    pub output_flags: OutputSettings,
    pub log_texts: bool,
    pub report: Option<PathBuf>,
    pub format: Option<String>,
    pub notify: Option<String>,
    pub ci: Option<f64>,
    pub copy: bool,
}

impl From<ReduceFlags> for ReduceSettings {
    fn from(flags: ReduceFlags) -> Self {
        ReduceSettings {
            inputs: flags.inputs,
            project: flags.project,
            inside: flags.inside,
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

impl ReduceSettings {
    /// Returns the folder whose copy is the working folder of the test, if there is one: the
    /// project given by `--in`, or the input given by `--inside`.
    pub fn start(&self) -> Option<&Path> {
        let inside = self.inputs.first().filter(|_| self.inside);
        (self.project.as_ref().or(inside)).map(PathBuf::as_path)
    }
}

/// The settings of an isolation.
///
/// Each field has the name of a flag, whose help is its documentation.
#[derive(Debug)]
pub struct IsolateSettings {
    pub passing: PathBuf,
    pub failing: PathBuf,
    pub output: Option<PathBuf>,
    pub force: bool,
    pub test: TestSettings,
    pub search: IsolateSearchSettings,
    pub output_flags: OutputSettings,
    pub context: usize,
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
pub struct ExplainSettings {
    pub input: Option<PathBuf>,
    pub test: TestSettings,
    pub search: ReplacementSettings,
    pub choices: ChoicesSettings,
    pub report: Option<PathBuf>,
    pub force: bool,
    pub json: bool,
    pub quiet: bool,
}

impl From<ExplainFlags> for ExplainSettings {
    fn from(flags: ExplainFlags) -> Self {
        ExplainSettings {
            input: flags.input,
            test: flags.test.into(),
            search: flags.search.into(),
            choices: flags.choices.into(),
            report: flags.report,
            force: flags.force,
            json: flags.json,
            quiet: flags.quiet,
        }
    }
}
