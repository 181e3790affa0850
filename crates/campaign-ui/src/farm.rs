//! The farm of a campaign: which programs run their tests on it, and in how many slots.

use super::Live;
use super::config::RemoteTable;
use super::flag_keys::set;
use super::origin::Origin;
use super::program::Built;
use crate::cores::cores;
use crate::exit::Exit;
use crate::flags::Jobs;
use crate::problem::{Problem, say, warn};
use crate::remote::{self, Connection};
use crate::settings::RemoteSettings;
use nubbin_campaign::{IssueFilter, IssueState, Store};
use nubbin_oracle::PlaceCounts;
use nubbin_verdict::Cancel;
use std::sync::{Arc, OnceLock};
use toml::{Spanned, Value};

/// The settings of the command line about the machines that run tests.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    pub(super) jobs: Option<Jobs>,
    pub(super) remote: RemoteSettings,
}

impl Given {
    /// Settings for one job at a time.
    pub(super) fn one() -> Self {
        Given {
            jobs: Some(Jobs::Number(1)),
            ..Given::default()
        }
    }
}

/// The slots of a campaign, and its farm.
#[derive(Debug)]
pub(super) struct Farm {
    flags: RemoteSettings,
    here: usize,
    there: usize,
}

impl Farm {
    /// Returns the slots that the command line and the file ask for. `usual` is the number of those
    /// on this machine, if the command line does not say.
    pub(super) fn of(
        given: &Given,
        table: &RemoteTable,
        usual: Option<u16>,
        origin: &Origin,
    ) -> Result<Self, Problem> {
        let flags = match given.remote.address() {
            Some(_) => given.remote.clone(),
            None => flags(table, origin)?,
        };
        let usual = usual.map_or_else(cores, usize::from);
        let slots = table.slots.as_ref().map(|slots| *slots.get_ref());
        let (here, there) = remote::slots(given.jobs, &flags, usual, slots.map(usize::from))?;
        Ok(Farm { flags, here, there })
    }

    /// The number of jobs that run at the same time.
    pub(super) fn jobs(&self) -> usize {
        self.here + self.there
    }

    /// The number of tests that run on this machine at the same time.
    pub(super) fn jobs_here(&self) -> usize {
        // Commands that are not tests, and tests that cannot run on a farm, always run on this
        // machine.
        self.here.max(1)
    }

    /// Returns whether tests run on a farm.
    pub(super) fn is_used(&self) -> bool {
        self.there > 0
    }

    /// Connects the programs to the farm, after a check of each.
    pub(super) fn connect(
        &self,
        programs: &[Built],
        store: &Store,
        news: &News,
        is_quiet: bool,
        stop: &Cancel,
    ) -> Result<(), Problem> {
        if !self.is_used() {
            return Ok(());
        }
        let mut is_connected = false;
        for built in programs {
            let program = &built.program;
            if let Some(why) = built.stays_here() {
                if !is_quiet {
                    say(&format!(
                        "tests of {} run on this machine: {why}",
                        program.name()
                    ));
                }
                continue;
            }
            let filter = IssueFilter {
                states: vec![IssueState::Open],
                program: Some(program.name().to_owned()),
                ..IssueFilter::default()
            };
            let rows = store.issue_list(&filter);
            let rows = rows.map_err(|error| super::store::problem(&error))?;
            let known = match rows.first() {
                None => None,
                Some(row) => (store.issue(row.id))
                    .map_err(|error| super::store::problem(&error))?
                    .map(|issue| issue.smallest().to_vec()),
            };
            let connection = Connection {
                flags: &self.flags,
                slots: (self.here, self.there),
                known: known.as_deref(),
                is_quiet,
                stop,
            };
            let news = news.clone();
            connection.open(program, Box::new(move |text| news.tell(text)))?;
            is_connected = true;
        }
        match is_connected {
            true => Ok(()),
            false => Err(Problem::new(
                Exit::Usage,
                "no program of this campaign can run its tests on a farm",
            )),
        }
    }
}

/// The messages about the farm for the user, from any thread.
#[derive(Clone, Default)]
pub(super) struct News {
    live: Arc<OnceLock<Live>>,
}

impl News {
    /// Makes events of the messages from now on.
    pub(super) fn attach(&self, live: Live) {
        // There is one campaign in a process.
        let _ = self.live.set(live);
    }

    fn tell(&self, text: &str) {
        let Some(live) = self.live.get().cloned() else {
            warn(text);
            return;
        };
        let text = text.to_owned();
        // The reporting thread must not wait for the database. If the thread cannot be started,
        // nothing is reported.
        let _ = std::thread::Builder::new()
            .name("news".into())
            .spawn(move || live.announce(&text));
    }
}

/// Returns the line of a report about the machines that ran tests, or `None` without a farm.
pub(super) fn summary(programs: &[Built]) -> Option<String> {
    let counts = programs
        .iter()
        .filter_map(|built| built.program.runner().place_counts());
    let all = counts.reduce(|one, other| PlaceCounts {
        here: one.here + other.here,
        there: one.there + other.there,
        known: one.known + other.known,
        actions: one.actions + other.actions,
    });
    Some(remote::places_line(&all?))
}

/// Returns the settings of the table `[remote]`.
fn flags(table: &RemoteTable, origin: &Origin) -> Result<RemoteSettings, Problem> {
    let others = table.others();
    let Some(address) = &table.address else {
        return match others.first() {
            Some((_, value)) => Err(origin.wrong(&value.span(), "`[remote]` needs an `address`")),
            None => Ok(RemoteSettings::default()),
        };
    };
    let wrong = |value: &Spanned<Value>, what| origin.wrong(&value.span(), what);
    match (&table.cert, &table.key) {
        (Some(cert), None) => {
            return Err(wrong(cert, "in `[remote]`, `cert` requires `key`"));
        }
        (None, Some(key)) => {
            return Err(wrong(key, "in `[remote]`, `key` requires `cert`"));
        }
        _ => {}
    }
    if let (Some(_), Some(command)) = (&table.token_file, &table.token_command) {
        return Err(wrong(
            command,
            "in `[remote]`, `token-file` and `token-command` exclude each other",
        ));
    }
    let mut remote = RemoteSettings::default();
    for (key, value) in std::iter::once(("remote", address)).chain(others) {
        set(&mut remote, key, value, origin)?;
    }
    Ok(remote)
}
