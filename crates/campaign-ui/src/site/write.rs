use super::snapshot::Snapshot;
use super::{feed, file, index, issue};
use crate::anchor::{Anchor, Missing};
use crate::exit::Exit;
use crate::output::Access;
use crate::problem::Problem;
use crate::store;
use nubbin_campaign::{Store, StoreError};
use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::Path;

/// Tests may be private, so the files are for this user only.
const PRIVATE: Access = Access::OWNER;

/// Writes the pages of a campaign to a folder that is empty or new. Returns the number of issues.
pub(crate) fn write(store: &Store, folder: &Path) -> Result<usize, Problem> {
    let cannot = |path: &Path, error: &io::Error| {
        let what = format!("cannot write `{}`", path.display());
        Problem::new(Exit::Output, what)
            .because(error)
            .hint("give another folder with `--html DIR`")
    };
    let unreadable = |error: StoreError| store::problem(&error);
    if !(PRIVATE.make_empty_dir(folder)).map_err(|error| cannot(folder, &error))? {
        let what = format!("the folder `{}` is not empty", folder.display());
        return Err(Problem::new(Exit::Output, what).hint("give a new folder with `--html DIR`"));
    }
    let opened = Anchor::at(folder).folder(Missing::Refuse);
    let opened = opened.map_err(|error| cannot(folder, &error))?;
    let put = |name: &str, bytes: &[u8]| {
        let made = opened.create_new(OsStr::new(name), PRIVATE.mode());
        let written = made.and_then(|mut file| file.write_all(bytes));
        written.map_err(|error| cannot(&folder.join(name), &error))
    };
    let snapshot = Snapshot::of(store).map_err(unreadable)?;
    for row in &snapshot.issues {
        // A process that runs the campaign may have deleted it.
        let Some(found) = store.issue(row.id).map_err(unreadable)? else {
            continue;
        };
        let sightings = store.sightings(row.id).map_err(unreadable)?;
        let page = issue::page(&found, &sightings, &snapshot);
        put(&file::of_issue(row.id, "html"), page.as_bytes())?;
        put(&file::of_issue(row.id, "test"), &found.test)?;
        if let Some(reduced) = &found.reduced {
            put(&file::of_issue(row.id, "reduced"), reduced)?;
        }
    }
    put(file::FEED, feed::feed(&snapshot).as_bytes())?;
    // The page with the links comes last, when they lead somewhere.
    put(file::INDEX, index::page(&snapshot).as_bytes())?;
    Ok(snapshot.issues.len())
}
