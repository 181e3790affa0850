//! `command = "…"`: a program that writes files.

use super::folder;
use super::setting::{Setting, broken};
use crate::config::Words;
use crate::flag_keys::{sandbox_of, test_flags};
use crate::problem::Problem;
use crate::sandbox::{Wording, permission};
use nubbin_campaign::{FuzzError, Made, Source, Test, reasons};
use nubbin_oracle::{
    CommandOracle, Environment, Exit, Options, PrivateFolder, Refusal, Sandbox, TestCommand,
};
use nubbin_verdict::{Cancel, Candidate, File, Unresolved};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use toml::Spanned;

/// The number of files that the command is asked for at a time.
const COUNT: u64 = 100;
/// The time that it has for them.
const TIME: Duration = Duration::from_secs(300);

/// A command that writes files to the folder `{}`. The variables NUBBIN_SEED and NUBBIN_COUNT tell
/// it which files, and how many.
pub(super) struct Commanded {
    name: String,
    words: Words,
    folder: PathBuf,
    count: u64,
    seed: u64,
    /// The sandbox without the folder of the files.
    sandbox: Option<Sandbox>,
    made: Mutex<Option<(u64, Vec<Vec<u8>>)>>,
}

impl Commanded {
    pub(super) fn new(setting: &Setting<'_>, words: &Spanned<Words>) -> Result<Self, Problem> {
        // The words are checked here. Each call makes them a command with its own folder.
        let command = crate::program::command_of(words, setting.around)?;
        if !command.has_place() {
            let what = "the command does not name the folder that it writes to: write `{}` in its \
                        place";
            return Err(setting.origin().wrong(&words.span(), what));
        }
        let table = setting.table;
        let flags = test_flags(table.flags(), setting.origin())?;
        Ok(Commanded {
            name: setting.name.to_owned(),
            words: words.get_ref().clone(),
            folder: setting.around.folder.to_owned(),
            count: setting.table.batch.unwrap_or(COUNT).max(1),
            seed: setting.own_seed(0),
            sandbox: sandbox_of(
                &flags.sandbox,
                table.writable.as_ref(),
                (setting.origin(), setting.around.is_quiet),
            )?,
            made: Mutex::default(),
        })
    }

    /// Runs the command for a batch of files.
    fn run(&self, batch: u64, stop: &Cancel) -> Result<Option<Vec<Vec<u8>>>, FuzzError> {
        let failed = |text: String| broken(&self.name, text);
        let private = PrivateFolder::new(0).map_err(|error| failed(reasons(&error)))?;
        let target = private.path().join("files");
        std::fs::create_dir(&target).map_err(|error| failed(error.to_string()))?;
        let command = match &self.words {
            Words::Line(line) => TestCommand::shell_in(line, &self.folder),
            Words::List(words) => {
                let words = words.iter().map(OsString::from).collect();
                TestCommand::new(words, &self.folder)
            }
        };
        let command = command.map_err(|error| failed(reasons(&error)))?;
        let mut options = Options::new(command, vec![PathBuf::from("seed")]);
        let seed = super::seed::of(self.seed, batch);
        let variables = [
            format!("NUBBIN_SEED={seed}"),
            format!("NUBBIN_COUNT={}", self.count),
        ];
        options.environment = variables
            .iter()
            .try_fold(Environment::new(), |environment, text| {
                environment.set(std::ffi::OsStr::new(text))
            })
            .map_err(|error| failed(reasons(&error)))?;
        options.timeout = Some(TIME);
        let confined = self.sandbox.clone();
        options.sandbox = confined.map(|sandbox| sandbox.writable(target.clone()));
        options.command = options.command.placed(&target);
        let oracle = CommandOracle::new(options).map_err(|error| failed(reasons(&error)))?;
        let file = [File {
            name: Path::new("seed"),
            bytes: b"",
        }];
        let run = oracle
            .observe_with(&Candidate::new(&file), 0, stop)
            .map_err(|error| failed(reasons(&error)))?;
        if run.cut_short == Some(Unresolved::Cancelled) {
            return Ok(None);
        }
        let files = folder::files(&target).map_err(|error| failed(error.to_string()))?;
        let has_failed = run.cut_short.is_some() || run.exit != Exit::Code(0);
        if files.is_empty() || has_failed {
            let said = String::from_utf8_lossy(run.stderr());
            let said: String = said.trim().chars().take(300).collect();
            let end = match &run.cut_short {
                Some(reason) => reason.to_string(),
                None => run.exit.to_string(),
            };
            let many = files.len();
            let refusals = Refusal::of_run(&run);
            let hint = match refusals.is_empty() || self.sandbox.is_none() {
                true => String::new(),
                false => format!(
                    "; it runs in a sandbox: {}",
                    permission(&refusals, Wording::Keys)
                ),
            };
            return Err(failed(format!(
                "it wrote {many} files and ended with {end} {said}{hint}"
            )));
        }
        let mut files = files;
        files.sort();
        let read = files.iter().map(std::fs::read);
        read.collect::<Result<_, _>>()
            .map(Some)
            .map_err(|error| failed(error.to_string()))
    }
}

impl Source for Commanded {
    fn make(&self, position: u64, stop: &Cancel) -> Result<Made, FuzzError> {
        let (batch, at) = (position / self.count, position % self.count);
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if made.as_ref().is_none_or(|(known, _)| *known != batch) {
            let Some(texts) = self.run(batch, stop)? else {
                return Ok(Made::Wait(Duration::ZERO));
            };
            *made = Some((batch, texts));
        }
        let texts = made.as_ref().map(|(_, texts)| texts);
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        let text = texts.and_then(|texts| texts.get(at));
        Ok(text.map_or(Made::Nothing, |text| Made::Test(Test::new(&**text))))
    }
}
