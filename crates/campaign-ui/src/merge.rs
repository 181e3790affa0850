//! `nubbin campaign merge`: adds the issues and counts of other campaigns to one.

use super::act::existing;
use super::store;
use crate::exit::Exit;
use crate::flags::MergeCampaignFlags;
use crate::problem::{Problem, say};
use indicatif::HumanCount;
use nubbin_campaign::MergeError;

pub(super) fn run(flags: &MergeCampaignFlags) -> Result<Exit, Problem> {
    let mut ours = existing(&flags.folder.folder)?;
    let _lock = ours.lock().map_err(|error| store::problem(&error))?;
    for folder in &flags.others {
        let theirs = existing(folder)?;
        let merged = ours.merge(&theirs).map_err(|error| match error {
            MergeError::Store(error) => store::problem(&error),
            other => Problem::new(Exit::Usage, other.to_string()).hint(
                "start a separate campaign in another folder, with a copy of \
                       `campaign.toml` only",
            ),
        })?;
        say(&format!(
            "`{}`: {} new issues, {} known, {} tests",
            folder.display(),
            merged.added,
            merged.known,
            HumanCount(merged.tests)
        ));
    }
    Ok(Exit::Done)
}
