//! `nubbin reduce-all`: a campaign whose tests are the files of a folder, and that makes no others.

use super::config::NAME;
use super::farm::Given;
use super::lines::count;
use super::new::{absolute, quoted};
use super::reports::words;
use super::run::{Wanted, conduct};
use super::setup::Setup;
use super::store;
use crate::exit::Exit;
use crate::flags::ReduceAllFlags;
use crate::output::{Access, OwnFile};
use crate::problem::{Problem, say};
use crate::signals;
use indicatif::HumanCount;
use nubbin_campaign::{Ended, Identity, Issue, IssueFilter, IssueState, Reduction, Store};
use nubbin_reduce::engine::Stop;
use serde_json::json;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of the campaign, in that of the results.
const CAMPAIGN: &str = "campaign";
/// The list of the results.
const INDEX: &str = "issues.jsonl";
/// The access rights of results, which are made of private files.
const MODE: u32 = 0o600;

pub(crate) fn run(flags: &ReduceAllFlags) -> Result<Exit, Problem> {
    let stop = Stop::default();
    signals::stop_on_signals(stop.clone())?;
    let folder = folder(&flags.folder)?;
    let extension = extension(&folder)?;
    let output = output(flags, &folder)?;
    let campaign = output.join(CAMPAIGN);
    open(&campaign, &text(flags, &folder, extension.as_deref())?)?;

    let given = Given {
        jobs: flags.jobs,
        remote: flags.remote.absolute(),
    };
    let setup = Setup::new(&campaign, &given, true, flags.quiet)?;
    let wanted = Wanted {
        with_fuzz: true,
        is_quiet: flags.quiet,
        ..Wanted::default()
    };
    let ended = conduct(&setup, &wanted, &stop)?;
    drop(setup);
    let store = store::open(&campaign)?;
    let unusable = |error| store::problem(&error);
    let filter = IssueFilter {
        states: vec![IssueState::Open],
        ..IssueFilter::default()
    };
    let mut issues = store.issues(&filter).map_err(unusable)?;
    issues.sort_by_key(|issue| issue.id);
    let paths = write(&issues, &output, extension.as_deref())?;
    if !flags.quiet {
        say(&summary(&store, &issues, &paths)?);
    }
    match ended {
        Ended::Stopped => Ok(Exit::Stopped),
        _ if issues.is_empty() => Err(Problem::new(
            Exit::NotFailing,
            "no file makes the program fail",
        )
        .hint("`--exit N` takes an exit code for a failure, `--hang SECS` a run without an end")),
        _ => Ok(Exit::Done),
    }
}

/// Returns the whole path of the folder of the files.
fn folder(given: &Path) -> Result<PathBuf, Problem> {
    let cannot = |error: &io::Error| {
        let what = format!("cannot read the folder `{}`", given.display());
        Problem::new(Exit::Input, what).because(error)
    };
    let folder = given.canonicalize().map_err(|error| cannot(&error))?;
    std::fs::read_dir(&folder).map_err(|error| {
        cannot(&error).hint("for a single file there is `nubbin reduce FILE -- COMMAND`")
    })?;
    Ok(folder)
}

/// Returns the whole path of the folder of the results, which is made if it does not exist.
fn output(flags: &ReduceAllFlags, folder: &Path) -> Result<PathBuf, Problem> {
    let output = match &flags.output {
        Some(output) => output.clone(),
        None => {
            let mut name = folder.file_name().unwrap_or(OsStr::new("files")).to_owned();
            name.push(".min");
            folder.with_file_name(name)
        }
    };
    let cannot = |error: &io::Error| {
        let what = format!("cannot write to `{}`", output.display());
        Problem::new(Exit::Output, what)
            .because(error)
            .hint("give another folder with `-o DIR`")
    };
    let made = Access::OWNER.make_empty_dir(&output);
    let is_empty = made.map_err(|error| cannot(&error))?;
    let whole = output.canonicalize().map_err(|error| cannot(&error))?;
    if whole.starts_with(folder) {
        let what = format!("`{}` is in the folder of the files", output.display());
        return Err(
            Problem::new(Exit::Usage, what).hint("give a folder outside of it with `-o DIR`")
        );
    }
    if !is_empty && !whole.join(CAMPAIGN).join(NAME).exists() {
        let what = format!("the folder `{}` is not empty", output.display());
        return Err(Problem::new(Exit::Output, what).hint("give a new folder with `-o DIR`"));
    }
    Ok(whole)
}

/// Returns the extension of all files, if they have the same.
fn extension(folder: &Path) -> Result<Option<String>, Problem> {
    let found = super::generator::files(folder).map_err(|error| {
        let what = format!("cannot read the folder `{}`", folder.display());
        Problem::new(Exit::Input, what).because(&error)
    })?;
    if found.is_empty() {
        let what = format!("there is no file in `{}`", folder.display());
        return Err(Problem::new(Exit::Input, what));
    }
    let mut extensions = found.iter().map(|path| path.extension());
    let first = extensions.next().flatten();
    let is_plain = |text: &&str| text.chars().all(|char| char.is_ascii_alphanumeric());
    let first = first.filter(|_| extensions.all(|other| other == first));
    Ok(first
        .and_then(OsStr::to_str)
        .filter(is_plain)
        .map(str::to_owned))
}

/// Returns the tables of the campaign.
fn text(flags: &ReduceAllFlags, folder: &Path, extension: Option<&str>) -> Result<String, Problem> {
    let words: Vec<String> = (flags.command.iter().enumerate())
        .map(|(at, word)| Ok(quoted(&absolute(word, at > 0)?)))
        .collect::<Result<_, Problem>>()?;
    let folder = folder.to_str().ok_or_else(|| {
        let what = format!("`{}` is not UTF-8", folder.display());
        Problem::new(Exit::Usage, what)
    })?;
    let mut text = format!("[program.program]\ncommand = [{}]\n", words.join(", "));
    if flags.stdin {
        text += "input = \"stdin\"\n";
    }
    if let Some(extension) = extension {
        let _ = writeln!(text, "name = \"test.{extension}\"");
    }
    if !flags.exit.is_empty() {
        let _ = writeln!(text, "exit = {:?}", flags.exit);
    }
    if !flags.identity.is_empty() {
        let all: Vec<_> = flags.identity.iter().map(|text| quoted(text)).collect();
        let _ = writeln!(text, "identity = [{}]", all.join(", "));
    }
    if let Some(time) = flags.hang.or(flags.timeout) {
        let _ = writeln!(text, "timeout = {:?}", time.as_secs_f64());
    }
    if flags.hang.is_some() {
        text += "hang = true\n";
    }
    if let Some(memory) = &flags.memory {
        let _ = writeln!(text, "memory = {}", quoted(memory));
    }
    let _ = writeln!(text, "reduce.max-tests = {}", flags.max_tests);
    if let Some(language) = &flags.language {
        let _ = writeln!(text, "reduce.language = {}", quoted(language));
    }
    let _ = writeln!(text, "\n[generator.files]\nfolder = {}", quoted(folder));
    Ok(text)
}

/// Makes the campaign, or finds that of an earlier run with the same command.
fn open(campaign: &Path, text: &str) -> Result<(), Problem> {
    let cannot = |error: &io::Error| {
        let what = format!("cannot write `{}`", campaign.display());
        Problem::new(Exit::Output, what).because(error)
    };
    let path = campaign.join(NAME);
    match std::fs::read_to_string(&path) {
        Ok(there) if there == text => return Ok(()),
        Ok(_) => {
            let what = format!("`{}` has results of another command", campaign.display());
            return Err(Problem::new(Exit::Output, what).hint(
                "give another folder with `-o DIR`, or the same command and flags as before",
            ));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(cannot(&error)),
    }
    let access = Access::OWNER;
    let made = access.make_empty_dir(campaign);
    made.map_err(|error| cannot(&error))?;
    let written = access.write_new(&path, text.as_bytes());
    written.map_err(|error| cannot(&error))
}

/// Writes the smallest test of each failure, and the list of them.
fn write(
    issues: &[Issue],
    output: &Path,
    extension: Option<&str>,
) -> Result<Vec<PathBuf>, Problem> {
    let put = |path: &Path, bytes: &[u8]| {
        let written = OwnFile::claim(path, Some(MODE), false)?.write(bytes);
        written.map_err(|error| {
            let what = format!("cannot write `{}`", path.display());
            Problem::new(Exit::Output, what).because(&error)
        })
    };
    let (mut paths, mut lines) = (vec![], String::new());
    for issue in issues {
        let mut name = format!("{:04}-{}", issue.id, words(&title(&issue.identity)));
        if let Some(extension) = extension {
            let _ = write!(name, ".{extension}");
        }
        let path = output.join(&name);
        put(&path, issue.smallest())?;
        let line = json!({
            "file": name,
            "identity": issue.identity,
            "exit": issue.exit,
            "seen": issue.seen,
            "bytes_before": issue.test.len(),
            "bytes": issue.smallest().len(),
            "done": issue.reduction == Reduction::Done,
        });
        let _ = writeln!(lines, "{line}");
        paths.push(path);
    }
    put(&output.join(INDEX), lines.as_bytes())?;
    Ok(paths)
}

/// Returns a short name of a failure, without its stack.
fn title(identity: &Identity) -> String {
    format!("{}: {}", identity.kind, identity.what)
}

/// Returns what was found, and the result for each failure.
fn summary(store: &Store, issues: &[Issue], paths: &[PathBuf]) -> Result<String, Problem> {
    let rows = store.statistics().map_err(|error| store::problem(&error))?;
    let files: u64 = rows.iter().map(|row| row.tests).sum();
    let failing: u64 = rows.iter().map(|row| row.failures).sum();
    let mut text = format!(
        "{}: {}\n{}, with those that reductions met",
        count(files, "file"),
        match failing {
            1 => "1 fails".to_owned(),
            _ => format!("{} fail", HumanCount(failing)),
        },
        count(issues.len() as u64, "failure")
    );
    for (issue, path) in issues.iter().zip(paths) {
        let _ = write!(
            text,
            "\n  {}\n    seen {}, {} → {}: {}",
            title(&issue.identity),
            count(issue.seen, "time"),
            HumanCount(issue.test.len() as u64),
            count(issue.smallest().len() as u64, "byte"),
            path.display()
        );
        if issue.reduction != Reduction::Done {
            text += "\n    not reduced to the end";
        }
    }
    Ok(text)
}
