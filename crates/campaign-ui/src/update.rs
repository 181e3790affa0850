//! Updates of programs by commands.

use nubbin_campaign::Update;
use nubbin_oracle::{CommandOracle, Exit, Options, TestCommand};
use nubbin_verdict::{Cancel, Candidate, File};
use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time of an update without a limit of its own: a build of a large program.
const USUAL_TIME: Duration = Duration::from_secs(4 * 60 * 60);
/// The maximum number of characters of the output of a command.
const LONGEST: usize = 300;

/// Runs a command that updates a program, in the folder of the campaign and without a sandbox.
pub(super) struct Updater {
    pub(super) folder: PathBuf,
    pub(super) command: TestCommand,
    pub(super) condition: Option<TestCommand>,
    pub(super) every: Duration,
    pub(super) timeout: Option<Duration>,
    pub(super) validates: bool,
    pub(super) version: Box<dyn Fn() -> String + Send + Sync>,
}

/// An update command has failed.
#[derive(Debug, thiserror::Error)]
#[error("`{command}` ended with {end}{}", prefixed(said))]
struct Failed {
    command: String,
    end: String,
    said: String,
}

fn prefixed(said: &str) -> String {
    match said.is_empty() {
        true => String::new(),
        false => format!(": {said}"),
    }
}

impl Update for Updater {
    fn next(&self) -> Duration {
        self.every
    }

    fn update(&self, stop: &Cancel) -> Result<Option<String>, Box<dyn Error + Send + Sync>> {
        if let Some(condition) = &self.condition
            && self.run(condition, stop)?.is_err()
        {
            return Ok(None);
        }
        match self.run(&self.command, stop)? {
            Ok(()) => Ok(Some((self.version)())),
            Err(failed) => Err(Box::new(failed)),
        }
    }

    fn validates(&self) -> bool {
        self.validates
    }
}

impl Updater {
    fn run(
        &self,
        command: &TestCommand,
        stop: &Cancel,
    ) -> Result<Result<(), Failed>, Box<dyn Error + Send + Sync>> {
        let shown = command.to_string();
        // A test runs in a private folder, but an update runs in the folder of the campaign.
        let words = ["sh", "-c", "cd \"$0\" && exec \"$@\""].map(OsString::from);
        let program = std::iter::once(command.program().as_os_str().to_owned());
        let words = words
            .into_iter()
            .chain([self.folder.clone().into_os_string()])
            .chain(program)
            .chain(command.args().iter().cloned());
        let mut options = Options::new(
            TestCommand::new(words.collect(), &self.folder)?,
            vec![PathBuf::from("nothing")],
        );
        options.timeout = Some(self.timeout.unwrap_or(USUAL_TIME));
        options.process_limit = None;
        options.owns_children = true;
        let oracle = CommandOracle::new(options)?;
        let file = [File {
            name: Path::new("nothing"),
            bytes: b"",
        }];
        let run = oracle.observe_with(&Candidate::new(&file), 0, stop)?;
        if run.cut_short.is_none() && run.exit == Exit::Code(0) {
            return Ok(Ok(()));
        }
        let said = match run.stderr().trim_ascii().is_empty() {
            true => run.stdout(),
            false => run.stderr(),
        };
        let said = String::from_utf8_lossy(said);
        let skipped = said.chars().count().saturating_sub(LONGEST);
        Ok(Err(Failed {
            command: shown,
            end: match &run.cut_short {
                Some(reason) => reason.to_string(),
                None => run.exit.to_string(),
            },
            said: said
                .chars()
                .skip(skipped)
                .collect::<String>()
                .trim()
                .to_owned(),
        }))
    }
}
