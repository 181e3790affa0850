//! Actions of the user on issues.

use super::farm::Given;
use super::reports::Writer;
use super::run::{Wanted, conduct};
use super::setup::Setup;
use super::store;
use crate::exit::Exit;
use crate::flags::{ActFlags, IssueListFlags, JoinFlags, NoteFlags};
use crate::problem::{Problem, say};
use crate::signals;
use nubbin_campaign::{
    Ended, Issue, IssueFilter, IssueState, JobKind, JoinError, Store, StoreError,
};
use nubbin_reduce::engine::Stop;
use std::path::Path;

/// Validates or reduces issues: by the process that runs the campaign, or by this one.
pub(super) fn jobs(flags: &ActFlags, kind: JobKind) -> Result<Exit, Problem> {
    let stop = Stop::default();
    signals::stop_on_signals(stop.clone())?;
    let mut opened = existing(&flags.folder.folder)?;
    let filter = IssueFilter {
        states: vec![IssueState::Open],
        ..IssueFilter::default()
    };
    let issues: Vec<Issue> = match flags.all {
        true => opened
            .issues(&filter)
            .map_err(|error| store::problem(&error))?,
        false => {
            let each = flags.issues.iter().map(|&id| issue(&opened, id));
            each.collect::<Result<_, _>>()?
        }
    };
    for issue in &issues {
        let add = |opened: &mut Store| -> Result<(), StoreError> {
            if kind == JobKind::Reduce {
                opened.forget_reduction(issue.id)?;
            }
            opened
                .add_job(kind, &issue.program, Some(issue.id), true)
                .map(drop)
        };
        add(&mut opened).map_err(|error| store::problem(&error))?;
    }
    match opened.lock() {
        Err(StoreError::Running { .. }) => {
            if !flags.quiet {
                say("the process that runs the campaign will do this next");
            }
            return Ok(Exit::Done);
        }
        Err(error) => return Err(store::problem(&error)),
        Ok(lock) => drop(lock),
    }
    drop(opened);
    let setup = Setup::new(&flags.folder.folder, &Given::default(), flags.quiet)?;
    let wanted = Wanted {
        is_quiet: flags.quiet,
        ..Wanted::default()
    };
    Ok(match conduct(&setup, &wanted, &stop)? {
        Ended::Stopped => Exit::Stopped,
        _ => Exit::Done,
    })
}

/// Sets the state of issues.
pub(super) fn set(flags: &IssueListFlags, state: IssueState) -> Result<Exit, Problem> {
    let mut opened = existing(&flags.folder.folder)?;
    for &id in &flags.issues {
        issue(&opened, id)?;
        let set = opened.set_state(id, state);
        set.map_err(|error| store::problem(&error))?;
        say(&format!("issue {id} is {state}"));
    }
    report(opened, &flags.folder.folder)
}

/// Counts issues as one.
pub(super) fn join(flags: &JoinFlags) -> Result<Exit, Problem> {
    let mut opened = existing(&flags.folder.folder)?;
    for &other in &flags.others {
        let joined = opened.join_issues(flags.issue, other);
        say(&joined.map_err(|error| refused(&error))?.event.text);
    }
    report(opened, &flags.folder.folder)
}

/// Undoes joins.
pub(super) fn split(flags: &IssueListFlags) -> Result<Exit, Problem> {
    let mut opened = existing(&flags.folder.folder)?;
    for &id in &flags.issues {
        let split = opened.split_issue(id);
        say(&split.map_err(|error| refused(&error))?.event.text);
    }
    report(opened, &flags.folder.folder)
}

/// Returns the problem of issues that cannot be joined or split.
fn refused(error: &JoinError) -> Problem {
    match error {
        JoinError::Store(error) => store::problem(error),
        JoinError::Missing(_) => Problem::new(Exit::Usage, error.to_string())
            .hint("`nubbin campaign issues DIR --all` lists all issues"),
        JoinError::Joined { issue, .. } => Problem::new(Exit::Usage, error.to_string()).hint(
            format!("`nubbin campaign split DIR {issue}` undoes the join"),
        ),
        _ => Problem::new(Exit::Usage, error.to_string()),
    }
}

pub(super) fn delete(flags: &IssueListFlags) -> Result<Exit, Problem> {
    let mut opened = existing(&flags.folder.folder)?;
    for &id in &flags.issues {
        issue(&opened, id)?;
        let deleted = opened.delete_issue(id);
        deleted.map_err(|error| store::problem(&error))?;
        say(&format!("issue {id} is deleted"));
    }
    report(opened, &flags.folder.folder)
}

pub(super) fn note(flags: &NoteFlags) -> Result<Exit, Problem> {
    let mut opened = existing(&flags.folder.folder)?;
    issue(&opened, flags.issue)?;
    let set = opened.set_note(flags.issue, &flags.text);
    set.map_err(|error| store::problem(&error))?;
    report(opened, &flags.folder.folder)
}

/// Writes the reports of what has changed. The process that runs the campaign does it for itself.
fn report(opened: Store, folder: &Path) -> Result<Exit, Problem> {
    let lock = match opened.lock() {
        Ok(lock) => lock,
        Err(_) => return Ok(Exit::Done),
    };
    drop(opened);
    // The change itself is made even if the programs are missing, as on another machine.
    if let Ok(setup) = Setup::new(folder, &Given::one(), true) {
        Writer::new(&setup)?.write_all(false)?;
    }
    drop(lock);
    Ok(Exit::Done)
}

/// Opens the database of a campaign that has run.
pub(super) fn existing(folder: &Path) -> Result<Store, Problem> {
    Store::open_to_read(folder).map_err(|error| store::problem(&error))
}

/// Returns an issue by its number.
pub(super) fn issue(opened: &Store, id: i64) -> Result<Issue, Problem> {
    let found = opened.issue(id).map_err(|error| store::problem(&error))?;
    found.ok_or_else(|| {
        Problem::new(Exit::Usage, format!("there is no issue {id}"))
            .hint("`nubbin campaign issues DIR --all` lists all issues")
    })
}
