//! `nubbin campaign run`, from its flags to its exit code.

use super::dashboard::Dashboard;
use super::farm::{self, Given, News};
use super::hooks::Hooks;
use super::lines::Lines;
use super::own_folder::OwnFolder;
use super::page::{PageServer, Token};
use super::probe::Probe;
use super::reports::Reporter;
use super::setup::Setup;
use super::sources::Sources;
use super::{Hub, Live, store, trial};
use crate::exit::Exit;
use crate::flags::RunCampaignFlags;
use crate::problem::{Problem, say, warn};
use crate::sandbox::Wording;
use crate::settings::RemoteSettings;
use crate::signals;
use nubbin_campaign::{Campaign, Ended, Jobs, Limits, Listener, Store, StoreError};
use nubbin_oracle::missing_programs;
use nubbin_reduce::engine::Stop;
use std::net::SocketAddr;
use std::sync::Arc;

pub(super) fn run(flags: &RunCampaignFlags) -> Result<Exit, Problem> {
    let stop = Stop::default();
    signals::stop_on_signals(stop.clone())?;
    // The page is set up before the current folder changes.
    let page = match flags.serve {
        Some(address) => {
            let token = Token::of(flags.token.as_deref(), flags.token_file.as_deref())?;
            Some((address, token))
        }
        None => None,
    };
    let given = Given {
        jobs: flags.jobs,
        remote: RemoteSettings::from(flags.remote.clone()).absolute(),
    };
    let setup = Setup::new(&flags.folder.folder, &given, flags.quiet)?;
    let limits = Limits {
        time: flags.time,
        tests: flags.max_tests,
        issues: flags.max_issues,
        stays: flags.tui || flags.serve.is_some(),
    };
    let wanted = Wanted {
        limits,
        with_fuzz: !flags.no_fuzz,
        is_quiet: flags.quiet,
        with_dashboard: flags.tui,
        page,
        wording: Wording::Keys,
        ..Wanted::default()
    };
    let ended = conduct(&setup, &wanted, &stop)?;
    Ok(match ended {
        Ended::Stopped => Exit::Stopped,
        _ => Exit::Done,
    })
}

/// The tasks of a run.
#[derive(Default)]
pub(super) struct Wanted {
    pub(super) limits: Limits,
    pub(super) with_fuzz: bool,
    pub(super) is_quiet: bool,
    pub(super) with_dashboard: bool,
    /// Whether the caller tells of events in its own words.
    pub(super) has_own_lines: bool,
    /// Whether a command that cannot be started is an error before the first test.
    pub(super) needs_command: bool,
    /// The folder in which the program is compared with one in a folder of its own.
    pub(super) own_folder: Option<OwnFolder>,
    /// Sends the events to the interfaces.
    pub(super) hub: Hub,
    /// The names of permissions in messages.
    pub(super) wording: Wording,
    /// The address of the page, and its token.
    pub(super) page: Option<(SocketAddr, Token)>,
}

/// Runs a campaign with its hooks, reports, and interfaces.
pub(super) fn conduct(setup: &Setup, wanted: &Wanted, stop: &Stop) -> Result<Ended, Problem> {
    conduct_with(setup, wanted, stop, |_, _| Ok(()))
}

/// Runs a campaign with more jobs.
pub(super) fn conduct_with(
    setup: &Setup,
    wanted: &Wanted,
    stop: &Stop,
    add: impl FnOnce(&mut Store, &mut Jobs) -> Result<(), StoreError>,
) -> Result<Ended, Problem> {
    let unusable = |error| store::problem(&error);
    let mut opened = store::open(&setup.folder)?;
    let _lock = opened.lock().map_err(unusable)?;
    opened.check().map_err(unusable)?;
    let news = News::default();
    (setup.farm).connect(
        &setup.programs,
        &opened,
        &news,
        wanted.is_quiet,
        stop.token(),
    )?;
    trial::settle(setup, &mut opened, wanted.wording, stop.token())?;
    let mut jobs = setup.jobs(&opened, wanted.with_fuzz)?;
    add(&mut opened, &mut jobs).map_err(unusable)?;
    if wanted.with_fuzz && jobs.fuzz.is_empty() && !wanted.is_quiet {
        say("no generator is configured: only waiting issues are validated and reduced");
    }
    refuse(setup, wanted, stop)?;
    let hub = wanted.hub.clone();
    let reporter = Reporter::start(setup)?;
    let hooks = Hooks::start(setup, hub.clone())?;
    let sources = match wanted.with_fuzz {
        true => Sources::start(setup, &hub)?,
        false => Sources::default(),
    };
    let is_told = !wanted.is_quiet && !wanted.with_dashboard;
    let lines = (is_told && !wanted.has_own_lines)
        .then(|| Lines::start(&setup.folder, &hub, wanted.with_fuzz));
    let listeners: Vec<Box<dyn Listener>> = vec![
        Box::new(hub.clone()),
        Box::new(reporter.listener()),
        Box::new(hooks.listener()),
    ];
    let campaign = Campaign::new(opened, jobs, setup.budget, wanted.limits, listeners);
    let campaign = Arc::new(campaign.map_err(unusable)?);
    let live = Live::of(Arc::downgrade(&campaign));
    news.attach(live.clone());
    if let Some(lines) = &lines {
        lines.attach(live.clone());
    }
    let page = page(setup, wanted, &live)?;
    let dashboard = dashboard(setup, wanted, live, stop)?;
    let ended = {
        let ending = Arc::clone(&campaign);
        let _linked = stop.token().on_cancel(move || ending.stop());
        campaign.run()
    };
    sources.finish();
    // Reports come last, since they describe the final state of all jobs.
    let reported = reporter.finish();
    hooks.finish(stop.is_requested());
    hub.close();
    if let Some(dashboard) = dashboard {
        dashboard.close();
    }
    drop(page);
    if let Some(lines) = lines {
        lines.finish(&campaign);
    }
    if is_told {
        farm::summary(&setup.programs)
            .iter()
            .for_each(|line| say(line));
    }
    // Even a quiet run reports that some failures may be hidden.
    trial::summary(setup, wanted.wording)
        .iter()
        .for_each(|line| warn(line));
    let ended = ended.map_err(unusable)?;
    reported?;
    Ok(ended)
}

/// Starts the page, if it is wanted, and says where it is.
fn page(setup: &Setup, wanted: &Wanted, live: &Live) -> Result<Option<PageServer>, Problem> {
    let Some((address, token)) = &wanted.page else {
        return Ok(None);
    };
    let (hub, live) = (wanted.hub.clone(), live.clone());
    let page = PageServer::start(&setup.folder, hub, live, *address, token.clone())?;
    say(&format!("the page is at {}", page.url()));
    Ok(Some(page))
}

/// Starts the dashboard, if it is wanted.
fn dashboard(
    setup: &Setup,
    wanted: &Wanted,
    live: Live,
    stop: &Stop,
) -> Result<Option<Dashboard>, Problem> {
    if !wanted.with_dashboard {
        return Ok(None);
    }
    let stop = stop.clone();
    let quit = move || signals::interrupt(&stop);
    let started = Dashboard::start(&setup.folder, wanted.hub.clone(), live, quit)?;
    started.map(Some).ok_or_else(|| {
        Problem::new(Exit::Usage, "the dashboard needs a terminal")
            .hint("leave out `--tui`; `--serve` shows a page instead")
    })
}

/// Refuses programs with which a run says nothing.
fn refuse(setup: &Setup, wanted: &Wanted, stop: &Stop) -> Result<(), Problem> {
    match wanted.needs_command {
        true => refuse_unstarted(setup, stop)?,
        false => warn_of_missing(setup),
    }
    match &wanted.own_folder {
        Some(folder) => folder.refuse_other(setup, stop),
        None => Ok(()),
    }
}

/// Warns of a script that runs a program which does not exist, and may hide the message about it.
fn warn_of_missing(setup: &Setup) {
    for built in &setup.programs {
        let program = &built.program;
        for missing in missing_programs(program.oracle().command(), &setup.folder) {
            warn(&format!(
                "the command of {} runs `{missing}`, which does not exist: correct its name, or \
                 install it",
                program.name()
            ));
        }
    }
}

/// Refuses a program whose command a shell cannot start. No test of such a program says anything.
fn refuse_unstarted(setup: &Setup, stop: &Stop) -> Result<(), Problem> {
    for built in &setup.programs {
        let probe = Probe::of(&built.program, stop.token())?;
        if let Some(end) = probe.end.filter(|_| probe.is_unstarted) {
            let what = format!("the command cannot be started: it ends with {end}");
            return Err(Problem::new(Exit::Test, what).hint(
                "the command was run with an empty file; tests run in folders of their own",
            ));
        }
    }
    Ok(())
}
