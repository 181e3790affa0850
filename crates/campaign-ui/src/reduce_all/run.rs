//! Runs `nubbin reduce-all`.

use super::ci;
use super::data::{Counts, Failure};
use super::deadline::Deadline;
use super::each;
use super::outcomes::Outcomes;
use super::outputs::Outputs;
use super::progress::Progress;
use super::record;
use super::recorder::{Recorded, Recorder};
use super::results::Results;
use super::summary::summary;
use super::table::{program, settings};
use crate::config::NAME;
use crate::exit::Exit;
use crate::farm::Given;
use crate::flags::ReduceAllFlags;
use crate::generator::{Files, files};
use crate::output::Access;
use crate::own_folder::OwnFolder;
use crate::paths;
use crate::probe::Probe;
use crate::problem::{Problem, say};
use crate::run::{Wanted, conduct_with};
use crate::sandbox::Wording;
use crate::settings::RemoteSettings;
use crate::setup::Setup;
use crate::signals;
use crate::{Hub, store, trial};
use nubbin_campaign::{Ended, IssueFilter, JobKind, Jobs, Reduction, Store, StoreError, Stream};
use nubbin_oracle::TestCommand;
use nubbin_reduce::engine::Stop;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The folder of the campaign, in that of the results.
const CAMPAIGN: &str = ".state";

pub fn run(flags: &ReduceAllFlags) -> Result<Exit, Problem> {
    let stop = Stop::default();
    signals::stop_on_signals(stop.clone())?;
    if flags.each {
        let (folder, name) = (folder(&flags.folder)?, program(&flags.command));
        check(&flags.command)?;
        let output = output_of_each(flags, &folder)?;
        return each::run(flags, (&folder, &output), &name, &stop);
    }
    // Before the current folder is another one.
    let outputs = Outputs::claim(flags)?;
    let ended = reduce_all(flags, &outputs, &stop);
    match (ended, flags.ci) {
        (Err(problem), Some(_)) if is_harmless(problem.exit()) => {
            problem.print();
            Ok(Exit::Done)
        }
        (ended, _) => ended,
    }
}

/// Whether a job of continuous integration does not fail for it.
fn is_harmless(exit: Exit) -> bool {
    matches!(exit, Exit::NotFailing | Exit::EmptyFails | Exit::NoResult)
}

fn reduce_all(flags: &ReduceAllFlags, outputs: &Outputs, stop: &Stop) -> Result<Exit, Problem> {
    let folder = folder(&flags.folder)?;
    check(&flags.command)?;
    let extension = extension(&folder)?;
    let output = output(flags, &folder)?;
    let campaign = output.join(CAMPAIGN);
    // Files that have come since the first run change no name of an earlier result.
    let earlier = record::earlier(&campaign);
    let extension = earlier.as_ref().map_or(extension, record::extension);
    let (config, origin) = settings(flags, &folder, extension.as_deref())?;
    record::open(&campaign, earlier.as_ref(), &config)?;

    // Before the current folder is another one.
    let (here, name) = (here()?, program(&flags.command));
    let own_folder = match flags.private_failure {
        true => None,
        false => Some(OwnFolder {
            path: here.clone(),
            apart: vec![folder.clone(), output.clone()],
        }),
    };
    let given = Given {
        jobs: flags.jobs,
        remote: RemoteSettings::from(flags.remote.clone()).absolute(),
    };
    let setup = Setup::of(campaign.clone(), (config, origin), &given, flags.quiet)?;
    let outcomes = Arc::new(Outcomes::open(&campaign, &folder)?);
    let there = files(&folder).map_or(0, |files| files.len() as u64);
    let recorded = |store| Recorded {
        results: Results::new(&output, &here),
        store,
        outcomes: Arc::clone(&outcomes),
        extension: extension.clone(),
    };
    let hub = Hub::default();
    let wanted = Wanted {
        with_fuzz: true,
        is_quiet: flags.quiet || flags.json,
        has_own_lines: true,
        needs_command: true,
        own_folder,
        hub: hub.clone(),
        wording: Wording::Flags,
        ..Wanted::default()
    };
    let is_quiet = flags.quiet || flags.json;
    let progress = Progress::start(there, is_quiet);
    let recorder = Recorder::start(recorded(store::open(&campaign)?), &hub, progress);
    let deadline = Deadline::start(limit(flags), stop);
    let ended = conduct_with(&setup, &wanted, stop, |store, jobs| {
        observe_files(store, jobs, &folder, &outcomes)?;
        match flags.allow_empty {
            true => allow_empty(store, jobs),
            false => Ok(()),
        }
    });
    let is_late = deadline.finish();
    let kept = recorder.finish();
    let ended = match ended {
        // Only the limit on time has ended it, before a program had run.
        Err(problem) if is_late && problem.exit() == Exit::Stopped => return Err(too_late()),
        ended => ended?,
    };
    let mut kept = match kept {
        Some(kept) => kept,
        None => recorded(store::open(&campaign)?),
    };
    let failures = kept.failures()?;
    let ran = outcomes.all();
    kept.results.write(&failures, &ran)?;
    let counts = Counts::of(&ran, there);
    if !is_quiet {
        if is_late {
            say("stopped at the limit on time; the same command continues");
        }
        say(&summary(&kept.results, &counts, &ran, &failures));
        if let Some(hint) = counts.hint().filter(|_| !failures.is_empty()) {
            say(&format!("hint: {hint}"));
        }
    }
    outputs.write(&setup, &name, (&counts, &ran, &failures))?;
    if flags.ci.is_some() {
        ci::announce(&counts, &failures)?;
    }
    if ended == Ended::Stopped && !is_late {
        return Ok(Exit::Stopped);
    }
    if is_late && failures.is_empty() && counts.not_run > 0 {
        return Err(too_late());
    }
    verdict(&setup, &name, (&counts, &failures), stop)
}

/// Returns the problem of a run that time has ended before a file had failed.
fn too_late() -> Problem {
    Problem::new(
        Exit::NoResult,
        "the limit on time was reached before a file had failed",
    )
    .hint("the same command continues; `--max-time` and `--ci` set the limit")
}

/// Returns the limit on the time of the whole run.
fn limit(flags: &ReduceAllFlags) -> Option<Duration> {
    let minutes = |minutes: f64| Duration::try_from_secs_f64(60.0 * minutes).ok();
    flags.max_time.or(flags.ci.and_then(minutes))
}

/// Returns the exit code, or the problem of a run without a result.
fn verdict(
    setup: &Setup,
    name: &str,
    (counts, failures): (&Counts, &[Failure]),
    stop: &Stop,
) -> Result<Exit, Problem> {
    if failures.is_empty() {
        return Err(none(setup, name, counts, stop));
    }
    let empty = failures
        .iter()
        .filter(|failure| failure.issue.reduction == Reduction::Empty)
        .count() as u64;
    match empty {
        0 => Ok(Exit::Done),
        _ => Err(of_nothing(empty)),
    }
}

/// Has the outcome of each file recorded.
fn observe_files(
    store: &Store,
    jobs: &mut Jobs,
    folder: &Path,
    outcomes: &Arc<Outcomes>,
) -> Result<(), StoreError> {
    for job in &mut jobs.fuzz {
        job.expects_failures = true;
        let program = &jobs.programs[job.program].program;
        let ran = store.members(program.name(), &job.generator)?;
        let outcomes = Arc::clone(outcomes);
        let files = Files::of_members(&job.generator, folder.to_owned(), ran)
            .observed(move |path, observed| outcomes.add(path, observed));
        job.fuzz = Box::new(Stream::new(Box::new(files), Arc::clone(program)));
    }
    Ok(())
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
fn none(setup: &Setup, name: &str, counts: &Counts, stop: &Stop) -> Problem {
    let mut problem = Problem::new(
        Exit::NotFailing,
        format!("no file makes `{name}` fail ({counts})"),
    );
    let mut programs = setup.programs.iter();
    let probe = programs
        .next()
        .map(|built| Probe::of(&built.program, stop.token()));
    if let Some(Ok(Probe { end: Some(end), .. })) = probe {
        problem = problem.hint(format!("with an empty file, `{name}` ends with {end}"));
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

/// Returns the path of the folder of the results.
fn output_path(flags: &ReduceAllFlags, folder: &Path) -> PathBuf {
    flags.output.clone().unwrap_or_else(|| {
        let mut name = folder.file_name().unwrap_or(OsStr::new("files")).to_owned();
        name.push(".min");
        folder.with_file_name(name)
    })
}

/// Returns the folder of the results of `--each`. A reduction replaces no file in it that nubbin
/// has not written.
fn output_of_each(flags: &ReduceAllFlags, folder: &Path) -> Result<PathBuf, Problem> {
    let output = output_path(flags, folder);
    paths::keep_outside(&output, folder, "-o DIR")?;
    Access::OWNER.make_dirs(&output).map_err(|error| {
        let what = format!("cannot write to `{}`", output.display());
        Problem::new(Exit::Output, what).because(&error)
    })?;
    Ok(output)
}

/// Returns the whole path of the folder of the results, which is made if it does not exist.
fn output(flags: &ReduceAllFlags, folder: &Path) -> Result<PathBuf, Problem> {
    let output = output_path(flags, folder);
    let cannot = |error: &io::Error| {
        let what = format!("cannot write to `{}`", output.display());
        Problem::new(Exit::Output, what)
            .because(error)
            .hint("give another folder with `-o DIR`")
    };
    paths::keep_outside(&output, folder, "-o DIR")?;
    let made = Access::OWNER.make_empty_dir(&output);
    let is_empty = made.map_err(|error| cannot(&error))?;
    let whole = output.canonicalize().map_err(|error| cannot(&error))?;
    if !is_empty && !whole.join(CAMPAIGN).join(NAME).exists() {
        let what = format!("the folder `{}` is not empty", output.display());
        return Err(Problem::new(Exit::Output, what).hint("give a new folder with `-o DIR`"));
    }
    Ok(whole)
}

/// Returns the extension of all files, if they have the same.
fn extension(folder: &Path) -> Result<Option<String>, Problem> {
    let found = files(folder).map_err(|error| {
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
