use super::snapshot::Snapshot;
use super::{feed, file, index, issue};
use crate::new_folder::NewFolder;
use crate::problem::Problem;
use crate::reports;
use crate::store;
use nubbin_campaign::{Store, StoreError};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// The size in bytes of the largest script that a page shows.
const MAX_SCRIPT: u64 = 1 << 16;

/// Writes the pages of a campaign to a folder that is empty or new. Returns the number of issues.
pub(crate) fn write(store: &Store, folder: &Path) -> Result<usize, Problem> {
    let unreadable = |error: StoreError| store::problem(&error);
    let folder = NewFolder::make(folder, "--html")?;
    let snapshot = Snapshot::of(store).map_err(unreadable)?;
    let reports = std::fs::read_dir(store.folder().join(reports::FOLDER));
    let reports = reports.into_iter().flatten().filter_map(Result::ok);
    let reports = reports.map(|report| report.file_name()).collect();
    for row in &snapshot.issues {
        // The process that runs the campaign may have deleted the issue.
        let Some(found) = store.issue(row.id).map_err(unreadable)? else {
            continue;
        };
        let shown = issue::ShownBy {
            sightings: store.sightings(row.id).map_err(unreadable)?,
            inputs: store.inputs(row.id).map_err(unreadable)?,
            script: script(store, &reports, row.id),
        };
        let page = issue::page(&found, &shown, &snapshot);
        folder.put(&file::of_issue(row.id, "html"), page.as_bytes())?;
        folder.put(&file::of_issue(row.id, "test"), &found.test)?;
        if let Some(reduced) = &found.reduced {
            folder.put(&file::of_issue(row.id, "reduced"), reduced)?;
        }
    }
    folder.put(file::FEED, feed::feed(&snapshot).as_bytes())?;
    // The index is written last, when all its links have targets.
    folder.put(file::INDEX, index::page(&snapshot).as_bytes())?;
    Ok(snapshot.issues.len())
}

/// Returns the script in the report of an issue. `reports` has the names of all reports.
fn script(store: &Store, reports: &BTreeSet<OsString>, issue: i64) -> Option<String> {
    let report = reports::known_name(reports, issue)?;
    let folder = store.folder().join(reports::FOLDER);
    let path = folder.join(report).join("reproduce.sh");
    // Opening a pipe would wait.
    let facts = std::fs::metadata(&path).ok()?;
    if !facts.is_file() || facts.len() > MAX_SCRIPT {
        return None;
    }
    let mut text = String::new();
    let file = File::open(&path).ok()?;
    file.take(MAX_SCRIPT).read_to_string(&mut text).ok()?;
    Some(text)
}
