//! The first stage of a run: its folders are found, and its program is made.

use super::continued::Continued;
use super::outcomes::Outcomes;
use super::record;
use super::recorder::Recorded;
use super::results::Results;
use super::table::{program, settings};
use crate::config::NAME;
use crate::exit::Exit;
use crate::farm::Given;
use crate::flags::ReduceAllFlags;
use crate::generator::files;
use crate::output::Access;
use crate::own_folder::OwnFolder;
use crate::paths;
use crate::problem::Problem;
use crate::settings::RemoteSettings;
use crate::setup::Setup;
use crate::store;
use nubbin_oracle::TestCommand;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder of the campaign, in that of the results.
const CAMPAIGN: &str = ".state";

/// A run with its folders and its campaign.
pub(super) struct Prepared {
    /// The folder of the files.
    pub(super) folder: PathBuf,
    /// The folder of the results.
    output: PathBuf,
    /// The user's current folder.
    pub(super) here: PathBuf,
    /// The extension of all files, if they have the same.
    extension: Option<String>,
    /// The name of the program.
    pub(super) name: String,
    pub(super) setup: Setup,
    pub(super) outcomes: Arc<Outcomes>,
    /// The number of files.
    pub(super) there: u64,
}

impl Prepared {
    /// Creates the campaign, or continues the campaign of the same command. Afterwards, the current
    /// folder is the folder of the campaign.
    pub(super) fn of(flags: &ReduceAllFlags) -> Result<Self, Problem> {
        let folder = folder(&flags.folder)?;
        check(&flags.command)?;
        let found = found(&folder)?;
        let extension = extension(&found);
        let output = output(flags, &folder)?;
        let campaign = output.join(CAMPAIGN);
        // Files that were added after the first run do not change the names of earlier results.
        let earlier = record::earlier(&campaign);
        let extension = earlier.as_ref().map_or(extension, record::extension);
        let settings = settings(flags, &folder, extension.as_deref())?;
        let continued = earlier.as_ref().and_then(|earlier| {
            let continued = Continued::of(earlier, &settings.0)?;
            Some((earlier, continued))
        });
        match continued {
            Some((earlier, continued)) => {
                let (files, is_quiet) = ((&*folder, found.len()), flags.quiet || flags.json);
                continued.begin(&campaign, files, (earlier, &settings.0), is_quiet)?;
            }
            None => record::open(&campaign, earlier.as_ref(), &settings.0)?,
        }
        let (here, name) = (here()?, program(&flags.command));
        let given = Given {
            jobs: flags.jobs,
            remote: RemoteSettings::from(flags.remote.clone()).absolute(),
        };
        let setup = Setup::of(campaign.clone(), settings, &given, flags.quiet)?;
        let outcomes = Arc::new(Outcomes::open(&campaign, &folder)?);
        Ok(Prepared {
            folder,
            output,
            here,
            extension,
            name,
            setup,
            outcomes,
            there: found.len() as u64,
        })
    }

    /// Returns the folder of the user, in which the program is compared with that in its own.
    pub(super) fn own_folder(&self, flags: &ReduceAllFlags) -> Option<OwnFolder> {
        (!flags.private_failure).then(|| OwnFolder {
            path: self.here.clone(),
            apart: vec![self.folder.clone(), self.output.clone()],
        })
    }

    /// Opens the results.
    pub(super) fn recorded(&self) -> Result<Recorded, Problem> {
        Ok(Recorded {
            results: Results::new(&self.output, &self.here),
            store: store::open(&self.setup.folder)?,
            outcomes: Arc::clone(&self.outcomes),
            extension: self.extension.clone(),
        })
    }
}

/// Refuses a command whose program does not exist, before anything is written.
pub(super) fn check(command: &[OsString]) -> Result<(), Problem> {
    let made = TestCommand::new(command.to_vec(), &here()?);
    made.map(drop)
        .map_err(|error| Problem::new(Exit::Test, error.to_string()))
}

/// Returns the user's current folder.
fn here() -> Result<PathBuf, Problem> {
    std::env::current_dir()
        .map_err(|error| Problem::new(Exit::Test, "cannot tell the current folder").because(&error))
}

/// Returns the whole path of the folder of the files.
pub(super) fn folder(given: &Path) -> Result<PathBuf, Problem> {
    let cannot = |error: &io::Error| {
        let what = format!("cannot read the folder `{}`", given.display());
        Problem::new(Exit::Input, what).because(error)
    };
    let folder = given.canonicalize().map_err(|error| cannot(&error))?;
    std::fs::read_dir(&folder).map_err(|error| {
        cannot(&error).hint("for a single file, use `nubbin reduce FILE -- COMMAND`")
    })?;
    Ok(folder)
}

/// Returns the path of the folder of the results.
fn output_path(flags: &ReduceAllFlags, folder: &Path) -> PathBuf {
    flags.output.clone().unwrap_or_else(|| {
        let mut name = folder.file_name().unwrap_or(OsStr::new("files")).to_owned();
        name.push(".min");
        folder.with_file_name(name)
    })
}

/// Returns the folder of the results of `--each`. A reduction replaces no file in it that nubbin
/// did not write.
pub(super) fn output_of_each(flags: &ReduceAllFlags, folder: &Path) -> Result<PathBuf, Problem> {
    let output = output_path(flags, folder);
    paths::keep_outside(&output, folder, "-o DIR")?;
    Access::OWNER.make_dirs(&output).map_err(|error| {
        let what = format!("cannot write to `{}`", output.display());
        Problem::new(Exit::Output, what).because(&error)
    })?;
    Ok(output)
}

/// Returns the whole path of the folder of the results, which is made if it does not exist.
fn output(flags: &ReduceAllFlags, folder: &Path) -> Result<PathBuf, Problem> {
    let output = output_path(flags, folder);
    let cannot = |error: &io::Error| {
        let what = format!("cannot write to `{}`", output.display());
        Problem::new(Exit::Output, what)
            .because(error)
            .hint("give another folder with `-o DIR`")
    };
    paths::keep_outside(&output, folder, "-o DIR")?;
    let made = Access::OWNER.make_empty_dir(&output);
    let is_empty = made.map_err(|error| cannot(&error))?;
    let whole = output.canonicalize().map_err(|error| cannot(&error))?;
    if !is_empty && !whole.join(CAMPAIGN).join(NAME).exists() {
        let what = format!("the folder `{}` is not empty", output.display());
        return Err(Problem::new(Exit::Output, what).hint("give a new folder with `-o DIR`"));
    }
    Ok(whole)
}

/// Returns the files of the folder, of which there is at least one.
pub(super) fn found(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let found = files(folder).map_err(|error| {
        let what = format!("cannot read the folder `{}`", folder.display());
        Problem::new(Exit::Input, what).because(&error)
    })?;
    match found.is_empty() {
        true => {
            let what = format!("`{}` contains no file", folder.display());
            Err(Problem::new(Exit::Input, what))
        }
        false => Ok(found),
    }
}

/// Returns the extension of all files, if they have the same.
fn extension(found: &[PathBuf]) -> Option<String> {
    let mut extensions = found.iter().map(|path| path.extension());
    let first = extensions.next().flatten();
    let is_plain = |text: &&str| text.chars().all(|char| char.is_ascii_alphanumeric());
    let first = first.filter(|_| extensions.all(|other| other == first));
    let first = first.and_then(OsStr::to_str).filter(is_plain);
    first.map(str::to_owned)
}
