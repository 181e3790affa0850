//! The outcome of each file: a log next to the database, which a later run of the command reads.

use crate::exit::Exit;
use crate::output::Access;
use crate::problem::Problem;
use nubbin_campaign::{Identity, Observed, Outcome};
use nubbin_verdict::Unresolved;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The log, in the folder of the database.
const LOG: &str = "files.jsonl";

/// The outcome of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum End {
    /// The program fails.
    Failure,
    /// The program does not fail.
    NoFailure,
    /// The run hit the time limit.
    TimeLimit,
    /// The run hit a memory or output limit.
    OtherLimit,
}

/// A file that was run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Ran {
    /// The path in the folder of the files.
    pub(super) file: String,
    pub(super) outcome: End,
    /// The exit of the program, in words.
    pub(super) exit: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) identity: Option<Identity>,
}

/// The outcomes of all files. A line is written before the campaign records that the file was run,
/// so that a file is never recorded without its outcome.
pub(super) struct Outcomes {
    folder: PathBuf,
    all: Mutex<All>,
}

struct All {
    log: File,
    ran: BTreeMap<String, Ran>,
}

impl Outcomes {
    /// Opens the log of the campaign in `state`, for the files of `folder`.
    pub(super) fn open(state: &Path, folder: &Path) -> Result<Self, Problem> {
        let path = state.join(LOG);
        let cannot = |error: &io::Error| {
            let what = format!("cannot use `{}`", path.display());
            Problem::new(Exit::Output, what).because(error)
        };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(cannot(&error)),
        };
        // A killed run may have left an incomplete line. The file of this line is run again.
        let ran = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        let ran = ran.map(|ran: Ran| (ran.file.clone(), ran)).collect();
        let mut log = (Access::OWNER.append(&path)).map_err(|error| cannot(&error))?;
        if !text.is_empty() && !text.ends_with('\n') {
            log.write_all(b"\n").map_err(|error| cannot(&error))?;
        }
        Ok(Outcomes {
            folder: folder.to_owned(),
            all: Mutex::new(All { log, ran }),
        })
    }

    /// Records the run of a file.
    pub(super) fn add(&self, path: &Path, observed: &Observed) {
        let identity = match &observed.outcome {
            Outcome::Issue(identity, _) => Some(identity.clone()),
            _ => None,
        };
        let outcome = match (&observed.outcome, &observed.run.cut_short) {
            (Outcome::Issue(..), _) => End::Failure,
            (Outcome::Limit, Some(Unresolved::TimedOut(_))) => End::TimeLimit,
            (Outcome::Limit, _) => End::OtherLimit,
            _ => End::NoFailure,
        };
        let name = path.strip_prefix(&self.folder).unwrap_or(path);
        let ran = Ran {
            file: name.to_string_lossy().into_owned(),
            outcome,
            exit: match &observed.run.cut_short {
                Some(reason) => reason.to_string(),
                None => observed.run.exit.to_string(),
            },
            identity,
        };
        let mut all = self.lock();
        if let Ok(mut line) = serde_json::to_vec(&ran) {
            line.push(b'\n');
            // On a full disk the campaign waits; the summary of this run still has the outcome.
            let _ = all.log.write_all(&line);
        }
        all.ran.insert(ran.file.clone(), ran);
    }

    /// Returns the files that were run, by their names.
    pub(super) fn all(&self) -> Vec<Ran> {
        self.lock().ran.values().cloned().collect()
    }

    /// Returns the number of files that were run, and of those that fail.
    pub(super) fn counts(&self) -> (u64, u64) {
        let all = self.lock();
        let failing = all.ran.values().filter(|ran| ran.outcome == End::Failure);
        (all.ran.len() as u64, failing.count() as u64)
    }

    fn lock(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
