//! The outcome of each file: a log next to the database, which a later run of the command reads.

use super::json_lines::lines;
use crate::exit::Exit;
use crate::output::Access;
use crate::output::write::replace;
use crate::problem::Problem;
use nubbin_campaign::{Identity, Observed, Outcome};
use nubbin_oracle::missing_line;
use nubbin_verdict::Unresolved;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The log, in the folder of the database.
const LOG: &str = "files.jsonl";

/// The maximum number of characters of a line of output in the log.
const LONGEST: usize = 200;

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
    /// The line of the output that says that a program or a file does not exist, of a run without
    /// a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) missing: Option<String>,
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
        let text = read(&path)?;
        let mut log = (Access::OWNER.append(&path)).map_err(|error| cannot_use(&path, &error))?;
        if !text.is_empty() && !text.ends_with('\n') {
            let ended = log.write_all(b"\n");
            ended.map_err(|error| cannot_use(&path, &error))?;
        }
        let ran = parsed(&text);
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
        let ran = Ran {
            file: name_of(path, &self.folder),
            outcome,
            exit: match &observed.run.cut_short {
                Some(reason) => reason.to_string(),
                None => observed.run.exit.to_string(),
            },
            identity,
            missing: (outcome == End::NoFailure)
                .then(|| missing_line(&observed.run))
                .flatten()
                .map(|line| line.trim().chars().take(LONGEST).collect()),
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

/// Returns the name of a file in the log and in the lists: its path in the folder of the files.
pub(super) fn name_of(path: &Path, folder: &Path) -> String {
    let name = path.strip_prefix(folder).unwrap_or(path);
    name.to_string_lossy().into_owned()
}

/// Removes the outcomes of files from the log of the campaign in `state`. `is_left` gets all
/// outcomes, and the one to decide about. Returns the names of the files.
pub(super) fn forget(
    state: &Path,
    is_left: impl Fn(&[Ran], &Ran) -> bool,
) -> Result<BTreeSet<String>, Problem> {
    let path = state.join(LOG);
    let all: Vec<Ran> = parsed(&read(&path)?).into_values().collect();
    let (left, kept): (Vec<&Ran>, Vec<&Ran>) = all.iter().partition(|ran| is_left(&all, ran));
    if !left.is_empty() {
        let replaced = replace(&path, lines(&kept).as_bytes(), Some(Access::OWNER.mode()));
        replaced.map_err(|error| cannot_use(&path, &error))?;
    }
    Ok(left.into_iter().map(|ran| ran.file.clone()).collect())
}

/// Removes the log of the campaign in `state`.
pub(super) fn remove(state: &Path) -> Result<(), Problem> {
    let path = state.join(LOG);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot_use(&path, &error)),
        _ => Ok(()),
    }
}

fn read(path: &Path) -> Result<String, Problem> {
    match std::fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|error| cannot_use(path, &error)),
    }
}

/// Returns the outcomes in a log, by the names of the files. A killed run may have left an
/// incomplete line. The file of this line is run again.
fn parsed(text: &str) -> BTreeMap<String, Ran> {
    let all = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    all.map(|ran: Ran| (ran.file.clone(), ran)).collect()
}

fn cannot_use(path: &Path, error: &io::Error) -> Problem {
    let what = format!("cannot use `{}`", path.display());
    Problem::new(Exit::Output, what).because(error)
}
