//! `nubbin campaign import`: runs files as tests of a campaign.

use super::farm::Given;
use super::run::{Wanted, conduct_with};
use super::setup::Setup;
use crate::exit::Exit;
use crate::flags::ImportFlags;
use crate::grammar::bytes;
use crate::problem::Problem;
use crate::signals;
use nubbin_campaign::{Ended, FuzzError, FuzzJob, Made, Source, Stream, Test};
use nubbin_reduce::engine::Stop;
use nubbin_verdict::Cancel;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of the generator of files that were imported.
const NAME: &str = "import";

/// Files in their order. The positions of a campaign go on from one import to the next.
struct Texts {
    texts: Arc<Vec<Vec<u8>>>,
    first: u64,
}

impl Source for Texts {
    fn make(&self, position: u64, _stop: &Cancel) -> Result<Made, FuzzError> {
        let at = position.checked_sub(self.first);
        let at = at.and_then(|at| usize::try_from(at).ok());
        let text = at.and_then(|at| self.texts.get(at));
        Ok(text.map_or(Made::Exhausted, |text| Made::Test(Test::new(&**text))))
    }
}

pub(super) fn run(flags: &ImportFlags) -> Result<Exit, Problem> {
    let stop = Stop::default();
    signals::stop_on_signals(stop.clone())?;
    let mut texts = vec![];
    for path in files(&flags.files)? {
        texts.push(bytes(&path)?);
    }
    let texts = Arc::new(texts);
    let setup = Setup::new(&flags.folder.folder, &Given::default(), flags.quiet)?;
    let wanted = Wanted {
        is_quiet: flags.quiet,
        ..Wanted::default()
    };
    let ended = conduct_with(&setup, &wanted, &stop, |store, jobs| {
        for (at, built) in setup.programs.iter().enumerate() {
            let lane = store.lane(built.program.name(), NAME)?;
            let source = Texts {
                texts: Arc::clone(&texts),
                first: lane.pending.first().map_or(lane.next, |range| range.start),
            };
            jobs.fuzz.push(FuzzJob {
                program: at,
                generator: NAME.to_owned(),
                fuzz: Box::new(Stream::new(Box::new(source), Arc::clone(&built.program))),
                weight: 1.0,
                instances: 1,
                batch: None,
                expects_failures: true,
                comes_first: false,
            });
        }
        Ok(())
    })?;
    Ok(match ended {
        Ended::Stopped => Exit::Stopped,
        _ => Exit::Done,
    })
}

/// Returns files, and the files in folders, in the order of their names.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Problem> {
    let mut files = vec![];
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut found = in_folder(path).map_err(|error| {
            let what = format!("cannot read the folder `{}`", path.display());
            Problem::new(Exit::Input, what).because(&error)
        })?;
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

fn in_folder(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = vec![];
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        // The index of an export is not a test.
        let is_index = path.file_name().is_some_and(|name| name == "issues.jsonl");
        if path.is_file() && !is_index {
            files.push(path);
        }
    }
    Ok(files)
}
