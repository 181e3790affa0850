//! The reading of journals of earlier runs.

use super::key::Key;
use super::record::{FORMAT, Verdicts, from_record};
use crate::state::{Read, Records, StateFolder};
use std::fs::File;
use std::io;
use std::time::{Duration, SystemTime};

/// A journal that was read.
pub(super) struct Found {
    pub(super) records: Records,
    pub(super) key: Key,
    pub(super) verdicts: Verdicts,
    /// The time of all runs that wrote to it.
    pub(super) time: Duration,
}

/// Reads a journal. One that cannot be read gets another name, so that nothing is lost.
pub(super) fn read(state: &StateFolder, suffix: &str, warnings: &mut Vec<String>) -> Option<Found> {
    let path = state.path(suffix);
    let found = state.open(suffix).and_then(|file| match file {
        None => Ok(None),
        Some(file) => read_file(file).map(Some),
    });
    let why = match found {
        Ok(None) => return None,
        Ok(Some((Some(found), torn))) => {
            if torn {
                warnings.push(format!(
                    "the end of the journal `{}` is damaged; the {} verdicts before it hold",
                    path.display(),
                    found.verdicts.len()
                ));
            }
            return Some(found);
        }
        // Nothing can be lost with it.
        Ok(Some((None, false))) => {
            let _ = state.discard(suffix);
            return None;
        }
        Ok(Some((None, true))) => "it is damaged, or from another version of nubbin".to_owned(),
        Err(error) => error.to_string(),
    };
    let aside = state.set_aside(suffix, "damaged");
    let aside = match aside {
        Ok(aside) => format!("it is now `{}`", aside.display()),
        Err(error) => format!("and it cannot be renamed: {error}"),
    };
    warnings.push(format!(
        "the journal `{}` cannot be used: {why}; {aside}",
        path.display()
    ));
    None
}

/// Returns the content of a journal with whether its end is damaged, or, without content, whether
/// there is anything in the file.
pub(super) fn read_file(file: File) -> io::Result<(Option<Found>, bool)> {
    let mut verdicts = Verdicts::new();
    let mut time = Duration::ZERO;
    let read = Records::read(file, FORMAT, |record| {
        if let Some((print, kind)) = from_record(record) {
            verdicts.insert(print, kind);
        } else if let Ok(millis) = record.try_into() {
            time = Duration::from_millis(u64::from_le_bytes(millis));
        }
    })?;
    Ok(match read {
        Read::Empty => (None, false),
        Read::Foreign => (None, true),
        Read::Whole {
            records,
            head,
            torn,
        } => match Key::from_bytes(&head) {
            None => (None, true),
            Some(key) => {
                let found = Found {
                    records,
                    key,
                    verdicts,
                    time,
                };
                (Some(found), torn)
            }
        },
    })
}

/// Returns the most recently written of the given journals.
pub(super) fn last(
    state: &StateFolder,
    journals: &[String],
    warnings: &mut Vec<String>,
) -> Option<Found> {
    let age = |suffix: &&String| {
        let there = state.there(suffix);
        there.map_or(SystemTime::UNIX_EPOCH, |there| there.modified)
    };
    let mut journals: Vec<&String> = journals.iter().collect();
    journals.sort_by_key(age);
    journals
        .iter()
        .rev()
        .find_map(|suffix| read(state, suffix, warnings))
}
