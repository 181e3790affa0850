//! `nubbin campaign check`: looks for mistakes, and runs one test of each part.

use super::config::ConfigFile;
use super::farm::{Given, News};
use super::setup::Setup;
use super::{store, trial};
use crate::exit::Exit;
use crate::flags::FolderFlags;
use crate::problem::{Problem, say, warn};
use crate::sandbox::Wording;
use crate::shown::count;
use crate::signals;
use nubbin_campaign::{Outcome, Slice, Store};
use nubbin_oracle::PrivateFolder;
use nubbin_verdict::Cancel;
use std::time::{Duration, Instant};

/// The time that a generator has for its first test.
const TIME: Duration = Duration::from_secs(60);

pub(super) fn run(flags: &FolderFlags) -> Result<Exit, Problem> {
    signals::end_on_signals()?;
    // Mistakes in the file are reported before mistakes in the folder.
    ConfigFile::read(&flags.folder)?.parse()?;
    let setup = Setup::new(&flags.folder, &Given::one(), false)?;
    match Store::open_to_read(&setup.folder) {
        Ok(opened) => opened.check().map_err(|error| store::problem(&error))?,
        Err(nubbin_campaign::StoreError::Missing { .. }) => {}
        Err(error) => return Err(store::problem(&error)),
    }
    let stop = Cancel::new();
    // The database of the campaign is not changed.
    let scratch = PrivateFolder::new(1 << 20).map_err(|error| {
        Problem::new(Exit::Test, "cannot make a folder for the check").because(&error)
    })?;
    let mut scratch = Store::create(scratch.path()).map_err(|error| store::problem(&error))?;
    trial::settle(&setup, &mut scratch, Wording::Keys, &stop)?;
    for built in &setup.programs {
        let program = &built.program;
        let observed = program.run(b"", 0, &stop).map_err(|error| {
            let what = format!("the program `{}` cannot be run", program.name());
            Problem::new(Exit::Test, what).because(&error)
        })?;
        let (run, name) = (&observed.run, program.name());
        let how = match (&observed.outcome, &run.cut_short) {
            (Outcome::Issue(identity, _), _) => format!(
                "is an issue: {} (does the program always fail?)",
                &identity.to_string()
            ),
            (_, Some(reason)) => reason.to_string(),
            (_, None) => run.exit.to_string(),
        };
        let version = program.version();
        let version = &version;
        let millis = run.elapsed.as_secs_f64() * 1000.0;
        say(&format!(
            "program {name}, version {version}: an empty test ends with {how}, after {millis:.0} ms"
        ));
    }
    (setup.farm).connect(&setup.programs, &scratch, &News::default(), false, &stop)?;
    let jobs = setup.jobs(&scratch, true)?;
    for job in &jobs.fuzz {
        let program = &jobs.programs[job.program].program;
        let slice = Slice {
            positions: 0..1,
            slot: 0,
            callers: 1,
            until: Instant::now() + TIME,
            stop: &stop,
            is_known: &|_| false,
        };
        let pair = format!("generator {} on {}", &job.generator, program.name());
        let end = job.fuzz.slice(&slice).map_err(|error| {
            Problem::new(Exit::Test, format!("{pair} does not work")).because(&error)
        })?;
        let how = match (end.tests, end.found.first(), end.exhausted, end.wait) {
            (_, Some(found), ..) => format!("an issue: {}", &found.identity.to_string()),
            (0, _, true, _) => "there is no test".to_owned(),
            (0, _, _, Some(_)) => "there is no test yet".to_owned(),
            (0, ..) => "no test at the first position".to_owned(),
            (tests, ..) => format!(
                "{}, {}, no issue",
                count(tests, "test"),
                count(end.bytes, "byte")
            ),
        };
        say(&format!("{pair}: {how}"));
    }
    trial::summary(&setup, Wording::Keys)
        .iter()
        .for_each(|line| warn(line));
    if jobs.fuzz.is_empty() {
        say("there is no generator: write a table `[generator.NAME]`");
    }
    Ok(Exit::Done)
}
