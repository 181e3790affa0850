//! The test of a command line, and its files.

use super::words::Words;
use crate::files::Source;
use crate::flags::FlakyMode;
use crate::own_folder::Own;
use crate::parameters::ParameterFiles;
use crate::paths::Use;
use crate::problem::Problem;
use crate::settings::{ExplainSettings, IsolateSettings, ReduceSettings, TestSettings};
use crate::siblings;
use std::path::{Path, PathBuf};

/// The test of a command line, and the inputs that should fail.
#[derive(Clone, Copy, Debug)]
pub struct TestSetup<'a> {
    pub(super) flags: &'a TestSettings,
    /// Whether there is an input that should fail.
    pub(super) has_original: bool,
    pub(super) is_quiet: bool,
    pub(super) other_failures: Option<&'a Path>,
    pub(super) inputs: &'a [PathBuf],
    /// The folder in whose copy the test starts: the project of the inputs, or the input given by
    /// `--inside`.
    start: Option<&'a Path>,
    /// More files that the run reads or writes, which may not exist yet.
    others: [Option<&'a Path>; 6],
    pub(super) parameters: Option<&'a ParameterFiles>,
    /// Whether `--flaky on` would run the original more often.
    pub(super) may_repeat: bool,
}

impl<'a> From<&'a ReduceSettings> for TestSetup<'a> {
    fn from(flags: &'a ReduceSettings) -> Self {
        TestSetup {
            flags: &flags.test,
            has_original: true,
            is_quiet: flags.output_flags.quiet,
            other_failures: flags.output_flags.other_failures.as_deref(),
            inputs: &flags.inputs,
            start: flags.start(),
            others: [
                flags.output.as_deref(),
                flags.report.as_deref(),
                flags.output_flags.json_events.as_deref(),
                flags.output_flags.stats.as_deref(),
                flags.output_flags.other_failures.as_deref(),
                flags.choices.choices.as_deref(),
            ],
            parameters: None,
            may_repeat: flags.search.flaky != FlakyMode::On,
        }
    }
}

impl<'a> From<&'a IsolateSettings> for TestSetup<'a> {
    fn from(flags: &'a IsolateSettings) -> Self {
        TestSetup {
            has_original: true,
            is_quiet: flags.output_flags.quiet,
            inputs: std::slice::from_ref(&flags.failing),
            others: [
                flags.output.as_deref(),
                flags.output_flags.json_events.as_deref(),
                flags.output_flags.stats.as_deref(),
                Some(&flags.passing),
                None,
                None,
            ],
            ..TestSetup::of(&flags.test)
        }
    }
}

impl<'a> From<&'a ExplainSettings> for TestSetup<'a> {
    fn from(flags: &'a ExplainSettings) -> Self {
        TestSetup {
            has_original: true,
            is_quiet: flags.quiet,
            inputs: flags.input.as_slice(),
            others: [
                flags.choices.choices.as_deref(),
                flags.report.as_deref(),
                None,
                None,
                None,
                None,
            ],
            ..TestSetup::of(&flags.test)
        }
    }
}

impl<'a> TestSetup<'a> {
    /// Creates the setup of a test without inputs.
    pub fn of(flags: &'a TestSettings) -> Self {
        TestSetup {
            flags,
            has_original: false,
            is_quiet: false,
            other_failures: None,
            inputs: &[],
            start: None,
            others: [None; 6],
            parameters: None,
            may_repeat: false,
        }
    }

    /// Sets the parameters of the test that are reduced with its input.
    pub fn reducing(self, parameters: &'a ParameterFiles) -> Self {
        TestSetup {
            parameters: Some(parameters),
            ..self
        }
    }

    /// Sets the inputs that should fail.
    pub fn of_original(self, inputs: &'a [PathBuf]) -> Self {
        TestSetup {
            has_original: true,
            may_repeat: true,
            inputs,
            ..self
        }
    }

    /// Sets whether only errors are printed.
    pub fn quiet(self, is_quiet: bool) -> Self {
        TestSetup { is_quiet, ..self }
    }

    /// Returns the files of the run, to which no test may be permitted to write: inputs, results,
    /// and files of the test.
    pub(super) fn kept(self) -> Vec<PathBuf> {
        let words = self.flags.command.iter().filter_map(|word| word.to_str());
        // A shell command names files as well.
        let words = words.flat_map(str::split_whitespace);
        let words = words.map(|word| Path::new(word.trim_matches(['\'', '"', ';', '(', ')'])));
        let words = words.filter(|path| path.is_file());
        let own = self.read().map(|used| used.path);
        let inputs = self.inputs.iter().map(PathBuf::as_path);
        let others = self.others.into_iter().flatten();
        let kept = own
            .chain(words)
            .chain(inputs)
            .chain(self.start)
            .filter(|path| path.exists());
        kept.chain(others).map(Path::to_path_buf).collect()
    }

    /// Returns the command of the test as the user wrote it. A farm, a build, and a generator may
    /// have files that are not here.
    pub(super) fn words(self) -> Option<Words<'a>> {
        let run = &self.flags.run;
        let is_here = self.flags.remote.address().is_none() && run.build.is_none();
        (is_here && !self.inputs.is_empty()).then_some(Words {
            command: &self.flags.command,
            has_stdin: run.stdin,
            inputs: self.inputs,
            with: &run.with,
            start: self.start,
        })
    }

    /// Returns the folder where the user would try the test by hand.
    pub(super) fn folder(self) -> &'a Path {
        folder_of(self.inputs, self.start)
    }

    /// Returns the original in the user's current folder.
    pub(super) fn own(self) -> Own<'a> {
        Own {
            flags: self.flags,
            folder: self.folder(),
            has_files: !self.inputs.is_empty(),
            is_quiet: self.is_quiet,
        }
    }

    /// Returns everything next to the input, if the test needs it.
    pub(super) fn siblings(
        self,
        names: &[PathBuf],
        sources: &[Source],
    ) -> Result<Vec<PathBuf>, Problem> {
        if !self.flags.run.with_siblings {
            return Ok(vec![]);
        }
        let folders = sources.iter().filter(|source| source.tree.is_some());
        let folders = folders.map(|source| source.name.clone());
        let inputs: Vec<PathBuf> = names.iter().cloned().chain(folders).collect();
        siblings::paths(self.folder(), &inputs)
    }

    /// Returns the files of the test, which must not be overwritten.
    pub fn read(self) -> impl Iterator<Item = Use<'a>> {
        let program = &self.flags.program;
        let program = program
            .as_deref()
            .or(self.flags.command.first().map(Path::new));
        let program = program.map(|path| Use {
            path,
            what: "the test",
        });
        let extras = self.flags.run.with.iter().map(|path| Use {
            path,
            what: "the extra file",
        });
        let grammar = self.flags.failure.valid_for.iter().map(|path| Use {
            path,
            what: "the grammar",
        });
        program.into_iter().chain(extras).chain(grammar)
    }
}

/// Returns the folder where the user would try the test by hand: the folder in whose copy the test
/// starts, or the folder of the input. For several inputs it is the current folder.
pub fn folder_of<'a>(inputs: &'a [PathBuf], start: Option<&'a Path>) -> &'a Path {
    if let Some(start) = start {
        return start;
    }
    match inputs {
        [input] => input
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty()),
        _ => None,
    }
    .unwrap_or(Path::new("."))
}
