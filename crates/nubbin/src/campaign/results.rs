//! The results of `nubbin reduce-all`: the smallest test of each failure, and the list of them.

use super::lines::count;
use super::reports::words;
use super::{Hub, store};
use crate::anchor::Anchor;
use crate::exit::Exit;
use crate::output::OwnFile;
use crate::problem::Problem;
use indicatif::HumanCount;
use nubbin_campaign::{Identity, Issue, IssueFilter, IssueState, Reduction, Store};
use serde_json::json;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::RecvTimeoutError;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The list of the results.
const INDEX: &str = "issues.jsonl";
/// The access rights of results, which are made of private files.
const MODE: u32 = 0o600;
/// How often smaller tests are written during a run.
const LOOK: Duration = Duration::from_secs(1);

/// The folder of the results.
pub(super) struct Results {
    folder: PathBuf,
    /// The folder as it is when the run begins.
    _anchor: Anchor,
    /// The extension of all files, if they have the same.
    extension: Option<String>,
    /// The state in which each issue was written: its reduction, and the bytes of its test.
    written: HashMap<i64, (Reduction, usize)>,
    /// The list as it was written.
    listed: String,
}

/// Writes results on a thread while a campaign runs, so that a run that is ended in any way leaves
/// what it has found.
pub(super) struct Recorder {
    hub: Hub,
    thread: JoinHandle<(Results, Store)>,
}

impl Results {
    pub(super) fn new(folder: &Path, extension: Option<&str>) -> Self {
        let anchor = Anchor::at(folder);
        anchor.open();
        Results {
            folder: folder.to_owned(),
            _anchor: anchor,
            extension: extension.map(str::to_owned),
            written: HashMap::new(),
            listed: String::new(),
        }
    }

    /// Returns the open issues of a campaign, the oldest first.
    pub(super) fn issues(store: &Store) -> Result<Vec<Issue>, Problem> {
        let filter = IssueFilter {
            states: vec![IssueState::Open],
            ..IssueFilter::default()
        };
        let issues = store.issues(&filter);
        let mut issues = issues.map_err(|error| store::problem(&error))?;
        issues.sort_by_key(|issue| issue.id);
        Ok(issues)
    }

    /// Writes the smallest test of each failure, and the list of them, where something has changed.
    pub(super) fn write(&mut self, issues: &[Issue]) -> Result<(), Problem> {
        let mut lines = String::new();
        for issue in issues {
            let state = (issue.reduction, issue.smallest().len());
            if self.written.get(&issue.id) != Some(&state) {
                put(&self.path(issue), issue.smallest())?;
                self.written.insert(issue.id, state);
            }
            let _ = writeln!(lines, "{}", self.line(issue));
        }
        if lines != self.listed || issues.is_empty() {
            put(&self.folder.join(INDEX), lines.as_bytes())?;
            self.listed = lines;
        }
        Ok(())
    }

    /// Returns the line of an issue in the list.
    fn line(&self, issue: &Issue) -> serde_json::Value {
        json!({
            "file": self.name(issue),
            "identity": issue.identity,
            "exit": issue.exit,
            "seen": files(issue),
            "met": issue.met,
            "bytes_before": issue.test.len(),
            "bytes": issue.smallest().len(),
            "done": issue.reduction == Reduction::Done,
        })
    }

    fn name(&self, issue: &Issue) -> String {
        let mut name = format!("{:04}-{}", issue.id, words(&title(&issue.identity)));
        if let Some(extension) = &self.extension {
            let _ = write!(name, ".{extension}");
        }
        name
    }

    fn path(&self, issue: &Issue) -> PathBuf {
        self.folder.join(self.name(issue))
    }

    /// Returns what was found, and the result for each failure.
    pub(super) fn summary(&self, counts: &Counts, issues: &[Issue]) -> String {
        let mut text = counts.to_string();
        let only_met = issues.iter().filter(|issue| files(issue) == 0).count() as u64;
        let _ = write!(text, "\n{}", count(issues.len() as u64, "failure"));
        if only_met > 0 {
            let _ = write!(
                text,
                ", {} of them only in tests of reductions",
                HumanCount(only_met)
            );
        }
        for issue in issues {
            let _ = write!(
                text,
                "\n  {}\n    in {}",
                title(&issue.identity),
                count(files(issue), "file")
            );
            if issue.met > 0 {
                let _ = write!(text, " and {} of reductions", count(issue.met, "test"));
            }
            let _ = write!(
                text,
                ", {} → {}: {}",
                HumanCount(issue.test.len() as u64),
                count(issue.smallest().len() as u64, "byte"),
                self.path(issue).display()
            );
            text += match issue.reduction {
                Reduction::Done => "",
                Reduction::None => "\n    not reduced",
                Reduction::Partial => "\n    not reduced to the end",
                Reduction::Empty => "\n    not reduced, since an empty file shows it as well",
            };
        }
        text
    }
}

/// The files of a folder by what became of them.
pub(super) struct Counts {
    files: u64,
    failing: u64,
    timeouts: u64,
    /// Files that hit another limit.
    limits: u64,
    /// Files that were not run.
    left: u64,
}

impl Counts {
    /// Counts the files of a folder of `there` files.
    pub(super) fn of(store: &Store, there: u64) -> Result<Self, Problem> {
        let rows = store.statistics().map_err(|error| store::problem(&error))?;
        let sum = |count: fn(&nubbin_campaign::Statistic) -> u64| rows.iter().map(count).sum();
        let files: u64 = sum(|row| row.tests);
        let timeouts: u64 = sum(|row| row.timeouts);
        let limits: u64 = sum(|row| row.limits);
        Ok(Counts {
            files,
            failing: sum(|row| row.failures),
            timeouts,
            limits: limits.saturating_sub(timeouts),
            left: there.saturating_sub(files),
        })
    }

    /// Returns the flags that change what becomes of files at a limit.
    pub(super) fn hint(&self) -> Option<&'static str> {
        match (self.timeouts, self.limits) {
            (0, 0) => None,
            (0, _) => Some("`--memory SIZE` sets the limit on memory"),
            _ => Some(
                "`--hang SECS` takes a run of this time for a failure, and `--timeout SECS` gives \
                 the files more time",
            ),
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let fail = if self.failing == 1 { "fails" } else { "fail" };
        write!(
            f,
            "{}: {} {fail}",
            count(self.files, "file"),
            HumanCount(self.failing)
        )?;
        if self.timeouts > 0 {
            write!(f, ", {} hit the limit on time", HumanCount(self.timeouts))?;
        }
        if self.limits > 0 {
            write!(
                f,
                ", {} hit a limit on memory or output",
                HumanCount(self.limits)
            )?;
        }
        if self.left > 0 {
            let verb = if self.left == 1 { "was" } else { "were" };
            write!(f, "; {} {verb} not run", count(self.left, "file"))?;
        }
        Ok(())
    }
}

impl Recorder {
    /// Begins to write the results of a campaign whose events are those of `hub`.
    pub(super) fn start(mut results: Results, store: Store, hub: &Hub) -> Self {
        let events = hub.subscribe();
        let thread = std::thread::spawn(move || {
            let mut looked = Instant::now();
            loop {
                let is_early = match events.recv_timeout(LOOK) {
                    Ok(told) if told.event.issue.is_none() => looked.elapsed() < LOOK,
                    Ok(_) | Err(RecvTimeoutError::Timeout) => false,
                    Err(RecvTimeoutError::Disconnected) => return (results, store),
                };
                if is_early {
                    continue;
                }
                looked = Instant::now();
                // A result that cannot be written now is written at the end, which reports why.
                let _ = Results::issues(&store).and_then(|mut issues| {
                    // A test that was not shown to fail again may be no result.
                    issues.retain(|issue| issue.reduction != Reduction::None);
                    match issues.is_empty() {
                        true => Ok(()),
                        false => results.write(&issues),
                    }
                });
            }
        });
        Recorder {
            hub: hub.clone(),
            thread,
        }
    }

    /// Ends the thread, and returns what it has written, with the database.
    pub(super) fn finish(self) -> Option<(Results, Store)> {
        // A campaign that could not begin has not closed it.
        self.hub.close();
        // A panic has been reported.
        self.thread.join().ok()
    }
}

/// Returns the number of files that show a failure.
fn files(issue: &Issue) -> u64 {
    issue.seen.saturating_sub(issue.met)
}

/// Returns a short name of a failure, without its stack.
fn title(identity: &Identity) -> String {
    format!("{}: {}", identity.kind, identity.what)
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
    let written = OwnFile::claim(path, Some(MODE), false)?.write(bytes);
    written.map_err(|error| {
        let what = format!("cannot write `{}`", path.display());
        Problem::new(Exit::Output, what).because(&error)
    })
}
