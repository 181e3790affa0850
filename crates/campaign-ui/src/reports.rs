//! The reports of issues: a folder for each, with its tests, a script, and a page of Markdown.

use super::generator::AflSync;
use super::setup::Setup;
use super::store;
use super::template::{Facts, Templates};
use crate::anchor::{Anchor, Folder, Missing};
use crate::exit::Exit;
use crate::output::Access;
use crate::problem::Problem;
use nubbin_campaign::{EventKind, Issue, Listener, NumberedEvent, Store, Variant};
use nubbin_oracle::{CommandOracle, TestCommand};
use std::collections::{BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use toml::Spanned;

/// The interval at which changes are looked for without an event.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// The folder of all reports, inside the folder of the campaign.
pub(super) const FOLDER: &str = "issues";

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
    fn receive(&self, told: &NumberedEvent) {
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
        // The panic hook has already reported a panic.
        self.thread.join().unwrap_or(Ok(()))
    }
}

/// The command line of a program, for scripts that reproduce an issue.
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
    /// The folder of all reports as it is when the run begins.
    anchor: Anchor,
    store: Store,
    templates: Templates,
    programs: HashMap<String, Recipe>,
    sync: Option<AflSync>,
}

impl Writer {
    pub(super) fn new(setup: &Setup) -> Result<Self, Problem> {
        let sync = setup.config.report.afl_sync.as_ref();
        let sync = sync.map(|path| {
            AflSync::new(&setup.folder.join(path.get_ref()))
                .map_err(|error| setup.origin.wrong(&path.span(), &error.to_string()))
        });
        let folder = setup.folder.join(FOLDER);
        let anchor = Anchor::at(&folder);
        anchor.open();
        Ok(Writer {
            folder,
            anchor,
            store: store::open(&setup.folder)?,
            templates: templates(setup)?,
            programs: recipes(setup),
            sync: sync.transpose()?,
        })
    }

    fn work(&mut self, messages: &Receiver<Message>) -> Result<(), Problem> {
        // The page and the dashboard change issues without an event of the campaign. If the disk is
        // full, the next change or the end of the campaign tries again.
        while let Ok(Message::Changed) | Err(RecvTimeoutError::Timeout) =
            messages.recv_timeout(POLL_INTERVAL)
        {
            let _ = self.write_all(false);
        }
        self.write_all(true).map(drop)
    }

    /// Writes the reports of all issues that have changed, with `counts` also the reports of issues
    /// that were only seen again, and removes the reports of deleted issues. Returns the number
    /// written.
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
        let Some(reports) = self.reports()? else {
            return Ok(());
        };
        for name in reports.entries().unwrap_or_default() {
            let number = name.to_str().and_then(|name| name.split_once('-'));
            let Some(id) = number.and_then(|(id, _)| id.parse::<i64>().ok()) else {
                continue;
            };
            let has = self.store.has_issue(id);
            if !has.map_err(|error| store::problem(&error))? {
                remove(&reports, &name).map_err(|error| {
                    let place = self.folder.join(&name);
                    let what = format!("cannot remove the report in `{}`", place.display());
                    Problem::new(Exit::Output, what).because(&error)
                })?;
            }
        }
        Ok(())
    }

    /// Returns the folder of all reports, if it is there.
    fn reports(&self) -> Result<Option<Folder>, Problem> {
        match self.anchor.folder(Missing::Refuse) {
            Ok(reports) => Ok(Some(reports)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(cannot_write(&self.folder, &error)),
        }
    }

    /// Returns the name of the folder of an issue's report, and whether it is there.
    fn name_of(&self, issue: &Issue) -> Result<(OsString, bool), Problem> {
        let reports = self.reports()?;
        let names = reports.and_then(|reports| reports.entries().ok());
        let names = names.into_iter().flatten().collect();
        Ok(match known_name(&names, issue.id) {
            Some(known) => (known.to_owned(), true),
            None => (new_name(issue).into(), false),
        })
    }

    fn write(&mut self, issue: &Issue) -> Result<(), Problem> {
        let (name, is_there) = self.name_of(issue)?;
        let place = self.folder.join(name);
        let cannot = |error: io::Error| cannot_write(&place, &error);
        let recipe = self.programs.get(&issue.program);
        let (test, original) = names_of_tests(recipe);
        let put = |name: &str, bytes: &[u8]| {
            let path = place.join(name);
            (self.anchor.replace(&path, bytes, PRIVATE)).map_err(cannot)
        };
        put(&test, issue.smallest())?;
        put(&original, &issue.test)?;
        put("output.txt", &issue.output)?;
        if let Some(recipe) = &issue.recipe {
            put("choices.jsonl", format!("{recipe}\n").as_bytes())?;
        }
        let facts = facts(&self.store, issue, recipe, (&test, &original))?;
        put("report.json", facts.json().as_bytes())?;
        put("report.md", self.templates.report(&facts).as_bytes())?;
        put("reproduce.sh", facts.script().as_bytes())?;
        if let Some(sync) = self.sync.as_mut().filter(|_| !is_there) {
            let name = format!("issue-{}", issue.id);
            sync.put(&issue.test, &name).map_err(cannot)?;
        }
        Ok(())
    }
}

/// Prints an issue as the GitHub API accepts it.
pub(super) fn github(setup: &Setup, store: &Store, issue: &Issue) -> Result<String, Problem> {
    let programs = recipes(setup);
    let recipe = programs.get(&issue.program);
    let (test, original) = names_of_tests(recipe);
    let facts = facts(store, issue, recipe, (&test, &original))?;
    Ok(format!("{}\n", templates(setup)?.github(&facts)))
}

/// Reads the templates of the user.
fn templates(setup: &Setup) -> Result<Templates, Problem> {
    let report = &setup.config.report;
    let read = |path: &Spanned<PathBuf>| {
        let wrong = |why: &str| setup.origin.wrong(&path.span(), why);
        let text = std::fs::read_to_string(setup.folder.join(path.get_ref()));
        let text = text.map_err(|error| wrong(&error.to_string()))?;
        // Each template is read by itself, so that an error names the location of its key.
        Templates::new(Some(&text), None).map_err(|why| wrong(&why))?;
        Ok(text)
    };
    let text = |path: &Option<Spanned<PathBuf>>| path.as_ref().map(read).transpose();
    let (report, github) = (text(&report.template)?, text(&report.github)?);
    let made = Templates::new(report.as_deref(), github.as_deref());
    made.map_err(|why| Problem::new(Exit::Input, why))
}

/// Returns the command lines of all programs.
fn recipes(setup: &Setup) -> HashMap<String, Recipe> {
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
    programs.collect()
}

/// Returns the names of the files with the smallest test and the original.
fn names_of_tests(recipe: Option<&Recipe>) -> (String, String) {
    let ending = recipe.and_then(|recipe| recipe.file.extension()?.to_str().map(str::to_owned));
    let ending = ending.map_or_else(String::new, |ending| format!(".{ending}"));
    (format!("test{ending}"), format!("original{ending}"))
}

fn facts<'a>(
    store: &Store,
    issue: &'a Issue,
    recipe: Option<&Recipe>,
    (test, original): (&'a str, &'a str),
) -> Result<Facts<'a>, Problem> {
    let sightings = store.sightings(issue.id);
    Ok(Facts {
        issue,
        sightings: sightings.map_err(|error| store::problem(&error))?,
        command: recipe.map_or_else(String::new, |it| it.command.line_for(Path::new(test))),
        variants: match (recipe, &*issue.identity.kind) {
            (Some(recipe), "difference") => recipe.lines_of_variants(Path::new(test)),
            _ => vec![],
        },
        has_stdin: recipe.is_some_and(|recipe| recipe.has_stdin),
        test,
        original,
    })
}

/// Removes the report of an issue that was deleted: the files that nubbin wrote, and the
/// folder if there is nothing else in it.
fn remove(reports: &Folder, name: &OsStr) -> io::Result<()> {
    let report = reports.enter(name, Missing::Refuse)?;
    for file in report.entries()? {
        let text = file.to_string_lossy();
        let stem = text.split('.').next().unwrap_or_default();
        let is_ours = matches!(
            stem,
            "test" | "original" | "output" | "choices" | "report" | "reproduce"
        );
        if is_ours {
            report.remove_file(&file)?;
        }
    }
    // A folder with a file of the user is not empty, so it is kept with that file.
    let _ = reports.remove_dir(name);
    Ok(())
}

fn cannot_write(place: &Path, error: &io::Error) -> Problem {
    let what = format!("cannot write the report in `{}`", place.display());
    Problem::new(Exit::Output, what).because(error)
}

/// Tests may be private, so reports are for this user only.
const PRIVATE: Access = Access::OWNER;

/// Returns the name of an issue's folder among the names of all.
pub(super) fn known_name(names: &BTreeSet<OsString>, issue: i64) -> Option<&OsStr> {
    // The text of an identity changes with the line numbers of the program, but the folder does
    // not.
    let prefix = prefix_of(issue);
    let first = names.range(OsString::from(&prefix)..).next()?;
    let is_own = first.as_encoded_bytes().starts_with(prefix.as_bytes());
    is_own.then_some(first)
}

/// Returns the name of the folder of an issue that has none.
fn new_name(issue: &Issue) -> String {
    prefix_of(issue.id) + &words(&issue.identity.to_string())
}

fn prefix_of(issue: i64) -> String {
    format!("{issue:04}-")
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
