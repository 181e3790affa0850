//! The reports of issues: a folder for each, with its tests, a script, and a page of Markdown.

use super::generator::AflSync;
use super::setup::Setup;
use super::store;
use super::template::{Facts, Templates};
use crate::exit::Exit;
use crate::output::Access;
use crate::problem::Problem;
use nubbin_campaign::{EventKind, Issue, Listener, Store, Told, Variant};
use nubbin_oracle::{CommandOracle, TestCommand};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often changes are looked for without an event.
const LOOK: Duration = Duration::from_secs(2);

/// The folder of all reports, in that of the campaign.
const FOLDER: &str = "issues";

/// Writes reports on a thread, whenever an issue has changed.
pub(super) struct Reporter {
    sender: Sender<Message>,
    thread: JoinHandle<Result<(), Problem>>,
}

enum Message {
    /// An issue has changed.
    Changed,
    /// The campaign is over.
    Over,
}

struct Passing(Mutex<Sender<Message>>);

impl Listener for Passing {
    fn receive(&self, told: &Told) {
        let is_about_issue = matches!(
            told.event.kind,
            EventKind::IssueAdded
                | EventKind::IssueInvalidated
                | EventKind::IssueUpdated
                | EventKind::IssueReduced
                | EventKind::IssueRegressed
        );
        if is_about_issue {
            let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = sender.send(Message::Changed);
        }
    }
}

impl Reporter {
    pub(super) fn start(setup: &Setup) -> Result<Self, Problem> {
        let mut writer = Writer::new(setup)?;
        let (sender, receiver) = channel();
        let thread = std::thread::spawn(move || writer.work(&receiver));
        Ok(Reporter { sender, thread })
    }

    pub(super) fn listener(&self) -> impl Listener + use<> {
        Passing(Mutex::new(self.sender.clone()))
    }

    /// Writes the last reports.
    pub(super) fn finish(self) -> Result<(), Problem> {
        let _ = self.sender.send(Message::Over);
        // A panic has been reported.
        self.thread.join().unwrap_or(Ok(()))
    }
}

/// How a program is run, for scripts that reproduce an issue.
struct Recipe {
    command: TestCommand,
    variants: Vec<Variant>,
    has_stdin: bool,
    file: PathBuf,
}

impl Recipe {
    /// Returns the commands of the variants, with their names.
    fn lines_of_variants(&self, test: &Path) -> Vec<(String, String)> {
        let variants = self.variants.iter();
        variants
            .map(|it| (it.name.clone(), it.command.line_for(test)))
            .collect()
    }
}

/// Writes the reports of a campaign.
pub(super) struct Writer {
    folder: PathBuf,
    store: Store,
    templates: Templates,
    programs: HashMap<String, Recipe>,
    sync: Option<AflSync>,
}

impl Writer {
    pub(super) fn new(setup: &Setup) -> Result<Self, Problem> {
        let template = setup.config.report.template.as_ref();
        let template = template.map(|path| {
            let read = std::fs::read_to_string(setup.folder.join(path.get_ref()));
            read.map_err(|error| setup.file.wrong(&path.span(), &error.to_string()))
                .and_then(|text| {
                    Templates::of_user(&text).map_err(|why| setup.file.wrong(&path.span(), &why))
                })
        });
        let sync = setup.config.report.afl_sync.as_ref();
        let sync = sync.map(|path| {
            AflSync::new(&setup.folder.join(path.get_ref()))
                .map_err(|error| setup.file.wrong(&path.span(), &error.to_string()))
        });
        let programs = setup.programs.iter().map(|built| {
            let oracle: &CommandOracle = built.program.oracle();
            let recipe = Recipe {
                command: oracle.command().clone(),
                variants: built.program.all_variants().to_vec(),
                has_stdin: oracle.has_stdin(),
                file: built.program.file().to_owned(),
            };
            (built.program.name().to_owned(), recipe)
        });
        Ok(Writer {
            folder: setup.folder.join(FOLDER),
            store: store::open(&setup.folder)?,
            templates: template.transpose()?.unwrap_or_default(),
            programs: programs.collect(),
            sync: sync.transpose()?,
        })
    }

    fn work(&mut self, messages: &Receiver<Message>) -> Result<(), Problem> {
        // The page and the dashboard change issues without an event of the campaign. On a full
        // disk, the next change or the end tries again.
        while let Ok(Message::Changed) | Err(RecvTimeoutError::Timeout) =
            messages.recv_timeout(LOOK)
        {
            let _ = self.write_all(false);
        }
        self.write_all(true).map(drop)
    }

    /// Writes the reports of all issues that have changed, with `counts` also of those that were
    /// only seen again, and removes those of issues that were deleted. Returns the number written.
    pub(super) fn write_all(&mut self, counts: bool) -> Result<usize, Problem> {
        self.sweep()?;
        let unreported = self.store.unreported(counts);
        let issues = unreported.map_err(|error| store::problem(&error))?;
        for issue in &issues {
            self.write(issue)?;
            let recorded = self.store.record_report(issue);
            recorded.map_err(|error| store::problem(&error))?;
        }
        Ok(issues.len())
    }

    /// Removes the reports of issues that are not there any more.
    fn sweep(&self) -> Result<(), Problem> {
        let entries = std::fs::read_dir(&self.folder)
            .into_iter()
            .flatten()
            .flatten();
        for entry in entries {
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.split_once('-'));
            let Some(id) = number.and_then(|(id, _)| id.parse::<i64>().ok()) else {
                continue;
            };
            let has = self.store.has_issue(id);
            if !has.map_err(|error| store::problem(&error))? {
                remove(&entry.path())?;
            }
        }
        Ok(())
    }

    fn write(&mut self, issue: &Issue) -> Result<(), Problem> {
        let place = folder_of(&self.folder, issue);
        let cannot = |error: io::Error| {
            let what = format!("cannot write the report in `{}`", place.display());
            Problem::new(Exit::Output, what).because(&error)
        };
        let is_new = !place.exists();
        PRIVATE.make_dirs(&place).map_err(cannot)?;
        let recipe = self.programs.get(&issue.program);
        let ending = recipe.and_then(|recipe| recipe.file.extension()?.to_str().map(str::to_owned));
        let ending = ending.map_or_else(String::new, |ending| format!(".{ending}"));
        let (test, original) = (format!("test{ending}"), format!("original{ending}"));
        let put = |name: &str, bytes: &[u8]| {
            let path = place.join(name);
            PRIVATE.replace(&path, bytes).map_err(cannot)
        };
        put(&test, issue.smallest())?;
        put(&original, &issue.test)?;
        put("output.txt", &issue.output)?;
        if let Some(recipe) = &issue.recipe {
            put("choices.jsonl", format!("{recipe}\n").as_bytes())?;
        }
        let sightings = self.store.sightings(issue.id);
        let facts = Facts {
            issue,
            sightings: sightings.map_err(|error| store::problem(&error))?,
            command: recipe.map_or_else(String::new, |it| it.command.line_for(Path::new(&test))),
            variants: match (recipe, &*issue.identity.kind) {
                (Some(recipe), "difference") => recipe.lines_of_variants(Path::new(&test)),
                _ => vec![],
            },
            has_stdin: recipe.is_some_and(|recipe| recipe.has_stdin),
            test: &test,
            original: &original,
        };
        put("report.json", facts.json().as_bytes())?;
        put("report.md", self.templates.report(&facts).as_bytes())?;
        put("reproduce.sh", facts.script().as_bytes())?;
        if let Some(sync) = self.sync.as_mut().filter(|_| is_new) {
            let name = format!("issue-{}", issue.id);
            sync.put(&issue.test, &name).map_err(cannot)?;
        }
        Ok(())
    }
}

/// Removes the report of an issue that was deleted: the files that nubbin has written, and the
/// folder if there is nothing else in it.
fn remove(place: &Path) -> Result<(), Problem> {
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let stem = name.split('.').next().unwrap_or_default();
        let is_ours = matches!(
            stem,
            "test" | "original" | "output" | "choices" | "report" | "reproduce"
        );
        if is_ours {
            std::fs::remove_file(entry.path()).map_err(|error| {
                let what = format!("cannot remove `{}`", entry.path().display());
                Problem::new(Exit::Output, what).because(&error)
            })?;
        }
    }
    // A file of the user stays, and so does its folder.
    let _ = std::fs::remove_dir(place);
    Ok(())
}

/// Tests may be private, so reports are for this user only.
const PRIVATE: Access = Access::OWNER;

/// Returns the folder of the report of an issue.
pub(super) fn folder_of(reports: &Path, issue: &Issue) -> PathBuf {
    // The text of an identity changes with the lines of the program, the folder does not.
    let prefix = format!("{:04}-", issue.id);
    let entries = std::fs::read_dir(reports).into_iter().flatten().flatten();
    let mut names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let name = names.find(|name| name.starts_with(&prefix));
    reports.join(name.unwrap_or_else(|| prefix + &words(&issue.identity.to_string())))
}

/// Returns the letters and digits of a text, as the name of a file.
pub(super) fn words(text: &str) -> String {
    let mut name = String::new();
    for char in text.chars() {
        match char {
            'a'..='z' | 'A'..='Z' | '0'..='9' => name.push(char.to_ascii_lowercase()),
            _ if name.is_empty() || name.ends_with('-') => {}
            _ => name.push('-'),
        }
        if name.len() >= 50 {
            break;
        }
    }
    name.trim_end_matches('-').to_owned()
}
