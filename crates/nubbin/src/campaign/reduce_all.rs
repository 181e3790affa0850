//! `nubbin reduce-all`: a campaign whose tests are the files of a folder, and that makes no others.

use super::config::NAME;
use super::farm::Given;
use super::new::{absolute, quoted};
use super::own_folder::OwnFolder;
use super::probe::Probe;
use super::results::{Counts, Recorder, Results};
use super::run::{Wanted, conduct_with};
use super::setup::Setup;
use super::{Hub, store, trial};
use crate::exit::Exit;
use crate::flags::ReduceAllFlags;
use crate::output::Access;
use crate::problem::{Problem, say};
use crate::sandbox::{self, Wording};
use crate::settings::RemoteSettings;
use crate::signals;
use nubbin_campaign::{Ended, IssueFilter, JobKind, Jobs, Reduction, Store, StoreError};
use nubbin_oracle::TestCommand;
use nubbin_reduce::engine::Stop;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The folder of the campaign, in that of the results.
const CAMPAIGN: &str = "campaign";

pub(crate) fn run(flags: &ReduceAllFlags) -> Result<Exit, Problem> {
    let stop = Stop::default();
    signals::stop_on_signals(stop.clone())?;
    let folder = folder(&flags.folder)?;
    check(&flags.command)?;
    let extension = extension(&folder)?;
    let output = output(flags, &folder)?;
    let campaign = output.join(CAMPAIGN);
    open(&campaign, &text(flags, &folder, extension.as_deref())?)?;

    let own_folder = match flags.private_failure {
        true => None,
        false => Some(OwnFolder {
            path: here()?,
            apart: vec![folder.clone(), output.clone()],
        }),
    };
    let given = Given {
        jobs: flags.jobs,
        remote: RemoteSettings::from(flags.remote.clone()).absolute(),
    };
    let setup = Setup::new(&campaign, &given, flags.quiet)?;
    let hub = Hub::default();
    let wanted = Wanted {
        with_fuzz: true,
        is_quiet: flags.quiet,
        needs_command: true,
        own_folder,
        hub: hub.clone(),
        wording: Wording::Flags,
        ..Wanted::default()
    };
    let results = Results::new(&output, extension.as_deref());
    // The database is opened once: later, another folder may be in the place of this one.
    let recorder = Recorder::start(results, store::open(&campaign)?, &hub);
    let ended = conduct_with(&setup, &wanted, &stop, |store, jobs| {
        for job in &mut jobs.fuzz {
            job.expects_failures = true;
        }
        match flags.allow_empty {
            true => allow_empty(store, jobs),
            false => Ok(()),
        }
    });
    let results = recorder.finish();
    let ended = ended?;
    let (mut results, store) = match results {
        Some(kept) => kept,
        None => (
            Results::new(&output, extension.as_deref()),
            store::open(&campaign)?,
        ),
    };
    let issues = Results::issues(&store)?;
    results.write(&issues)?;
    let there = super::generator::files(&folder).map_or(0, |files| files.len() as u64);
    let counts = Counts::of(&store, there)?;
    if !flags.quiet {
        say(&results.summary(&counts, &issues));
        if let Some(hint) = counts.hint().filter(|_| !issues.is_empty()) {
            say(&format!("hint: {hint}"));
        }
    }
    if ended == Ended::Stopped {
        return Ok(Exit::Stopped);
    }
    if issues.is_empty() {
        return Err(none(&setup, &counts, &stop));
    }
    let empty = issues
        .iter()
        .filter(|issue| issue.reduction == Reduction::Empty)
        .count() as u64;
    match empty {
        0 => Ok(Exit::Done),
        _ => Err(of_nothing(empty)),
    }
}

/// Lets failures be reduced that an empty file shows as well, also those of an earlier run.
fn allow_empty(store: &mut Store, jobs: &mut Jobs) -> Result<(), StoreError> {
    for program in &mut jobs.programs {
        program.allows_empty = true;
    }
    for issue in store.issue_list(&IssueFilter::default())? {
        if issue.reduction == Reduction::Empty {
            store.forget_reduction(issue.id)?;
            store.add_job(JobKind::Reduce, &issue.program, Some(issue.id), false)?;
        }
    }
    Ok(())
}

/// Returns the problem of a folder without a failure.
fn none(setup: &Setup, counts: &Counts, stop: &Stop) -> Problem {
    let mut problem = Problem::new(
        Exit::NotFailing,
        format!("no file makes the program fail ({counts})"),
    );
    let mut programs = setup.programs.iter();
    let probe = programs
        .next()
        .map(|built| Probe::of(&built.program, stop.token()));
    if let Some(Ok(Probe { end: Some(end), .. })) = probe {
        problem = problem.hint(format!("with an empty file, the program ends with {end}"));
    }
    if !trial::summary(setup, Wording::Flags).is_empty() {
        return problem.hint(
            "the sandbox has refused something: permit that with the flags named above, and give a \
             new folder with `-o DIR`",
        );
    }
    match counts.hint() {
        Some(hint) => problem.hint(hint),
        None => problem.hint(
            "`--exit N` takes an exit code for a failure, `--hang SECS` a run without an end",
        ),
    }
}

/// Returns the problem of failures that do not depend on the files.
fn of_nothing(failures: u64) -> Problem {
    let what = match failures {
        1 => "an empty file shows a failure as well, so the failure is not reduced".to_owned(),
        many => format!("an empty file shows {many} failures as well, so they are not reduced"),
    };
    Problem::new(Exit::EmptyFails, what)
        .hint("does the command work, and does it read the file, as by `{}` or `--stdin`?")
        .hint("`--allow-empty` reduces such failures all the same")
}

/// Refuses a command whose program does not exist, before anything is written.
fn check(command: &[OsString]) -> Result<(), Problem> {
    let made = TestCommand::new(command.to_vec(), &here()?);
    made.map(drop)
        .map_err(|error| Problem::new(Exit::Test, error.to_string()))
}

/// Returns the folder where the user stands.
fn here() -> Result<PathBuf, Problem> {
    std::env::current_dir()
        .map_err(|error| Problem::new(Exit::Test, "cannot tell the current folder").because(&error))
}

/// Returns the files and folders that are beside each file that is tested, as in the tables.
fn with(flags: &ReduceAllFlags) -> Result<String, Problem> {
    let each = flags.with.iter().map(|path| {
        // The test has a folder under its own name.
        let first = path.components().next();
        let shared = match first {
            Some(Component::Normal(name)) => Path::new(name),
            _ => path,
        };
        let whole = shared.canonicalize().map_err(|error| {
            let what = format!("cannot use `--with {}`", path.display());
            Problem::new(Exit::Input, what).because(&error)
        })?;
        let text = whole.to_str().ok_or_else(|| {
            let what = format!("`{}` is not UTF-8", whole.display());
            Problem::new(Exit::Usage, what)
        })?;
        Ok(quoted(text))
    });
    Ok(each.collect::<Result<Vec<_>, Problem>>()?.join(", "))
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
    if !flags.with.is_empty() {
        let _ = writeln!(text, "with = [{}]", with(flags)?);
    }
    text += &sandbox::table(&flags.sandbox.clone().into())?;
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
        // A run that was refused has no results.
        Ok(_) if Store::discard_unused(campaign).map_err(|error| store::problem(&error))? => {
            std::fs::remove_file(&path).map_err(|error| cannot(&error))?;
        }
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
    let made = access.make_dirs(campaign);
    made.map_err(|error| cannot(&error))?;
    let written = access.write_new(&path, text.as_bytes());
    written.map_err(|error| cannot(&error))
}
