use super::snapshot::Snapshot;
use super::{feed, file, index, issue};
use crate::new_folder::NewFolder;
use crate::problem::Problem;
use crate::store;
use nubbin_campaign::{Store, StoreError};
use std::ffi::OsStr;
use std::path::Path;

/// Writes the pages of a campaign to a folder that is empty or new. Returns the number of issues.
pub(crate) fn write(store: &Store, folder: &Path) -> Result<usize, Problem> {
    let unreadable = |error: StoreError| store::problem(&error);
    let folder = NewFolder::make(folder, "--html")?;
    let snapshot = Snapshot::of(store).map_err(unreadable)?;
    for row in &snapshot.issues {
        // A process that runs the campaign may have deleted it.
        let Some(found) = store.issue(row.id).map_err(unreadable)? else {
            continue;
        };
        let shown = issue::ShownBy {
            sightings: store.sightings(row.id).map_err(unreadable)?,
            inputs: store.inputs(row.id).map_err(unreadable)?,
            script: script(store, row.id),
        };
        let page = issue::page(&found, &shown, &snapshot);
        folder.put(&file::of_issue(row.id, "html"), page.as_bytes())?;
        folder.put(&file::of_issue(row.id, "test"), &found.test)?;
        if let Some(reduced) = &found.reduced {
            folder.put(&file::of_issue(row.id, "reduced"), reduced)?;
        }
    }
    folder.put(file::FEED, feed::feed(&snapshot).as_bytes())?;
    // The page with the links comes last, when they lead somewhere.
    folder.put(file::INDEX, index::page(&snapshot).as_bytes())?;
    Ok(snapshot.issues.len())
}

/// Returns the script in the report of an issue.
fn script(store: &Store, issue: i64) -> Option<String> {
    let prefix = format!("{issue:04}-");
    let reports = std::fs::read_dir(store.folder().join("issues")).ok()?;
    let mut reports = reports.filter_map(Result::ok);
    let is_own = |name: &OsStr| name.as_encoded_bytes().starts_with(prefix.as_bytes());
    let report = reports.find(|it| is_own(&it.file_name()))?;
    std::fs::read_to_string(report.path().join("reproduce.sh")).ok()
}
