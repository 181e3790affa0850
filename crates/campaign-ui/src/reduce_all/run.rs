//! Runs `nubbin reduce-all`.

use super::ci::{self, is_harmless};
use super::data::{Counts, Failure};
use super::deadline::{Deadline, limit};
use super::each;
use super::missing;
use super::outputs::Outputs;
use super::prepared::{Prepared, check, folder, output_of_each};
use super::progress::Progress;
use super::recorder::{Recorded, Recorder};
use super::summary::{hint_of_codes, summary};
use super::table::program;
use crate::exit::Exit;
use crate::flags::ReduceAllFlags;
use crate::generator::Files;
use crate::probe::Probe;
use crate::problem::{Problem, say};
use crate::run::{Wanted, conduct_with};
use crate::sandbox::Wording;
use crate::setup::Setup;
use crate::signals;
use crate::{Hub, trial};
use nubbin_campaign::{Ended, IssueFilter, JobKind, Jobs, Reduction, Store, StoreError, Stream};
use nubbin_reduce::engine::Stop;
use std::sync::Arc;

pub fn run(flags: &ReduceAllFlags) -> Result<Exit, Problem> {
    let stop = Stop::default();
    signals::stop_on_signals(stop.clone())?;
    if flags.each {
        let (folder, name) = (folder(&flags.folder)?, program(&flags.command));
        check(&flags.command)?;
        let output = output_of_each(flags, &folder)?;
        return each::run(flags, (&folder, &output), &name, &stop);
    }
    // The output is claimed before the current folder changes.
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

fn reduce_all(flags: &ReduceAllFlags, outputs: &Outputs, stop: &Stop) -> Result<Exit, Problem> {
    let prepared = Prepared::of(flags)?;
    let end = conduct(flags, &prepared, stop)?;
    conclude(flags, &prepared, outputs, end, stop)
}

/// The end of the campaign.
struct End {
    ended: Ended,
    /// Whether the campaign was stopped at the time limit.
    is_late: bool,
    recorded: Recorded,
}

/// Runs the campaign.
fn conduct(flags: &ReduceAllFlags, prepared: &Prepared, stop: &Stop) -> Result<End, Problem> {
    let is_quiet = flags.quiet || flags.json;
    let hub = Hub::default();
    let wanted = Wanted {
        with_fuzz: true,
        is_quiet,
        has_own_lines: true,
        needs_command: true,
        own_folder: prepared.own_folder(flags),
        hub: hub.clone(),
        wording: Wording::Flags,
        ..Wanted::default()
    };
    let progress = Progress::start(prepared.there, is_quiet);
    let recorder = Recorder::start(prepared.recorded()?, &hub, progress);
    let deadline = Deadline::start(limit(flags), stop);
    let ended = conduct_with(&prepared.setup, &wanted, stop, |store, jobs| {
        observe_files(store, jobs, prepared)?;
        if flags.allow_empty {
            allow_empty(store, jobs)?;
        }
        reduce_other(store, jobs, flags.other_failures)
    });
    let is_late = deadline.finish();
    let recorded = recorder.finish();
    let ended = match ended {
        // Only the time limit has ended the run, before any program had run.
        Err(problem) if is_late && problem.exit() == Exit::Stopped => return Err(too_late()),
        ended => ended?,
    };
    Ok(End {
        ended,
        is_late,
        recorded: match recorded {
            Some(recorded) => recorded,
            None => prepared.recorded()?,
        },
    })
}

/// Writes and reports the results, and returns the exit code.
fn conclude(
    flags: &ReduceAllFlags,
    prepared: &Prepared,
    outputs: &Outputs,
    end: End,
    stop: &Stop,
) -> Result<Exit, Problem> {
    let End {
        ended,
        is_late,
        mut recorded,
    } = end;
    let failures = recorded.failures()?;
    let ran = prepared.outcomes.all();
    recorded.results.write(&failures, &ran)?;
    let counts = Counts::of(&ran, prepared.there);
    if !flags.quiet && !flags.json {
        if is_late {
            say("stopped at the time limit; the same command continues");
        }
        say(&summary(&recorded.results, &counts, &ran, &failures));
        if let Some(hint) = failures.hint_of_each() {
            say(&format!("hint: {hint}"));
        }
        if let Some(hint) = hint_of_codes(&ran).filter(|_| flags.exit.is_empty()) {
            say(&format!("hint: {hint}"));
        }
        if let Some(hint) = missing::hint(&ran).filter(|_| !failures.of_files.is_empty()) {
            say(&format!("hint: {hint}"));
        }
        if let Some(hint) = counts.hint().filter(|_| !failures.of_files.is_empty()) {
            say(&format!("hint: {hint}"));
        }
    }
    let (setup, name) = (&prepared.setup, &prepared.name);
    outputs.write(setup, name, (&counts, &ran, &failures))?;
    if flags.ci.is_some() {
        ci::announce(&counts, &failures)?;
    }
    if ended == Ended::Stopped && !is_late {
        return Ok(Exit::Stopped);
    }
    let failures = failures.of_files;
    if is_late && failures.is_empty() && counts.not_run > 0 {
        return Err(too_late());
    }
    match verdict(setup, name, (&counts, &failures), stop) {
        Err(problem) if is_harmless(problem.exit()) => {
            let built = setup.programs.first();
            let command = built.map(|built| built.program.oracle().command());
            let missing = missing::problem(name, command, &ran, &prepared.here);
            Err(missing.unwrap_or_else(|| match missing::hint(&ran) {
                Some(hint) => problem.hint(hint),
                None => problem,
            }))
        }
        ended => ended,
    }
}

/// Returns the problem of a run that reached its time limit before a file failed.
fn too_late() -> Problem {
    Problem::new(
        Exit::NoResult,
        "the time limit was reached before a file failed",
    )
    .hint("the same command continues; `--max-time` and `--ci` set the limit")
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
fn observe_files(store: &Store, jobs: &mut Jobs, prepared: &Prepared) -> Result<(), StoreError> {
    for job in &mut jobs.fuzz {
        job.expects_failures = true;
        // A limit on the time leaves reductions, and no file whose failure nobody has seen.
        job.comes_first = true;
        let program = &jobs.programs[job.program].program;
        let ran = store.members(program.name(), &job.generator)?;
        let outcomes = Arc::clone(&prepared.outcomes);
        let files = Files::of_members(&job.generator, prepared.folder.clone(), ran)
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

/// Has failures reduced that no file shows, also those of an earlier run, or not.
fn reduce_other(store: &mut Store, jobs: &mut Jobs, is_wanted: bool) -> Result<(), StoreError> {
    for program in &mut jobs.programs {
        program.reduces_met = is_wanted;
    }
    if !is_wanted {
        return Ok(());
    }
    for issue in store.issues(&IssueFilter::default())? {
        if issue.seen == issue.met && issue.reduction == Reduction::None {
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
            "`--exit N` takes an exit code for a failure, `--hang TIME` a run without an end",
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
        .hint(
            "does the command work, and does it read the file, for example through `{}` or \
             `--stdin`?",
        )
        .hint("`--allow-empty` reduces such failures anyway")
}
