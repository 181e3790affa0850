//! The program to be fuzzed: its runs, their outcomes, and their coverage.

use crate::confined::{self, Notice, Sample, ends_alike};
use crate::exit::Exit;
use crate::flags::GeneratePopulationFlags;
use crate::generate::samples::seeds;
use crate::problem::{Problem, warn};
use crate::sandbox::Wording;
use crate::settings::{RunSettings, TestSettings};
use crate::test::{self, TestSetup};
use nubbin_generate::{Feedback, Target};
use nubbin_oracle::{CommandOracle, PrivateFolder, Run, Signature};
use nubbin_reduce::edit::fingerprint;
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use nubbin_verdict::{Candidate, File};
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The environment variable with the path of the file for the program's coverage.
pub const COVERAGE: &str = "NUBBIN_COVERAGE";
/// The largest part of the coverage file that is read, in bytes.
const MOST_COVERAGE: u64 = 64 << 20;

/// The reason for missing feedback.
pub(super) enum TargetError {
    /// The run was stopped.
    Stopped,
    /// The program cannot be run, or its coverage cannot be read.
    Broken(Problem),
}

pub(super) struct Program {
    oracle: CommandOracle,
    name: PathBuf,
    stop: Stop,
    coverage: PathBuf,
    /// The folder of the coverage file. The test's own folder is emptied after each run.
    _folder: PrivateFolder,
    notice: Notice,
}

impl Program {
    pub(super) fn new(
        options: &GeneratePopulationFlags,
        name: PathBuf,
        stop: &Stop,
    ) -> Result<Self, Problem> {
        let folder = PrivateFolder::new(MOST_COVERAGE).map_err(|error| {
            Problem::new(
                Exit::Test,
                "cannot make a folder for the program's coverage",
            )
            .because(&error)
        })?;
        let coverage = folder.path().join("coverage");
        let mut variable = OsString::from(format!("{COVERAGE}="));
        variable.push(&coverage);
        let target = &options.target;
        let run = RunSettings {
            timeout: Some(target.timeout),
            stdin: target.stdin,
            with: target.with.clone(),
            private_failure: true,
            env: [vec![variable], target.env.clone()].concat(),
            ..RunSettings::default()
        };
        let mut sandbox = options.sandbox.clone();
        sandbox.writable.push(folder.path().to_owned());
        let test = TestSettings {
            command: options.command.clone(),
            run,
            limits: options.limits.clone().into(),
            sandbox: sandbox.into(),
            ..TestSettings::default()
        };
        let input = Input::single(name.clone(), vec![]).map_err(|error| {
            let what = format!("the inputs cannot have the name `{}`", name.display());
            Problem::new(Exit::Usage, what).because(&error)
        })?;
        let (oracle, ..) = test::prepare(
            TestSetup::of(&test).quiet(options.quiet),
            &input,
            &[],
            1,
            stop,
        )?;
        let program = Program {
            oracle,
            name,
            stop: stop.clone(),
            coverage,
            _folder: folder,
            notice: Notice::default(),
        };
        program.settle(options)?;
        Ok(program)
    }

    /// Runs the first seed to find the permissions that the program needs, and prints them.
    fn settle(&self, options: &GeneratePopulationFlags) -> Result<(), Problem> {
        let Some((_, seed)) = seeds(&options.seeds)?.into_iter().next() else {
            return Ok(());
        };
        let sample = Sample {
            name: &self.name,
            bytes: &seed,
            believes: &|run| Signature::of(run).is_some(),
        };
        let (oracle, stop) = (&self.oracle, self.stop.token());
        let seeds = options.seeds.iter().chain(&options.target.with).cloned();
        let kept: Vec<PathBuf> = seeds.chain([options.output.clone()]).collect();
        let settled = confined::settle(
            &options.sandbox.clone().into(),
            oracle,
            &sample,
            &ends_alike,
            &kept,
            stop,
        );
        let loosened = settled.map_err(|error| {
            Problem::new(Exit::Test, "the program cannot be run").because(&error)
        })?;
        // Neither the run of the seed nor its coverage counts as a test.
        read_coverage(&self.coverage)?;
        if !loosened.is_nothing() {
            warn(&loosened.line("the program", Wording::Flags));
        }
        Ok(())
    }
}

/// Returns the coverage that a program reported to a file, and removes it for the next run.
pub fn read_coverage(path: &Path) -> Result<Vec<u64>, Problem> {
    let mut text = vec![];
    let read = std::fs::File::open(path)
        .and_then(|file| file.take(MOST_COVERAGE).read_to_end(&mut text))
        .and_then(|_| std::fs::remove_file(path));
    match read {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            let what = format!("cannot read the program's coverage from `${COVERAGE}`");
            Err(Problem::new(Exit::Test, what).because(&error))
        }
        _ => {
            let lines = text.split(|&byte| byte == b'\n');
            let lines = lines.filter(|line| !line.is_empty());
            Ok(lines.map(|line| fingerprint(line).0 as u64).collect())
        }
    }
}

impl Target for Program {
    type Error = TargetError;

    fn run(&self, text: &[u8]) -> Result<Feedback, TargetError> {
        let file = [File {
            name: Path::new(&self.name),
            bytes: text,
        }];
        let candidate = Candidate::new(&file);
        let run = self
            .oracle
            .observe_with(&candidate, 0, self.stop.token())
            .map_err(|error| {
                let problem = Problem::new(Exit::Test, "the program cannot be run");
                TargetError::Broken(problem.because(&error))
            })?;
        if self.stop.is_requested() {
            return Err(TargetError::Stopped);
        }
        self.notice.look(&self.oracle, &run);
        let reached = read_coverage(&self.coverage).map_err(TargetError::Broken)?;
        Ok(Feedback::new(outcome(&run), reached))
    }
}

/// Describes the outcome of a run. Equal outcomes have equal descriptions.
fn outcome(run: &Run) -> String {
    match (&run.cut_short, Signature::of(run)) {
        (Some(reason), _) => reason.to_string(),
        (None, Some(signature)) => signature.to_string(),
        (None, None) => run.exit.to_string(),
    }
}
