//! An isolation from its settings to its exit code, in stages.

use super::progress::IsolationProgress;
use super::results::Results;
use super::{apart, diff, log, progress, report, results, stats};
use crate::events::TestPlaces;
use crate::exit::Exit;
use crate::files::Source;
use crate::output::Access;
use crate::output::json::{EventsFile, JsonLines, StatsFile};
use crate::paths::{self, Use};
use crate::problem::{Problem, say};
use crate::remote::{self, Places};
use crate::settings::IsolateSettings;
use crate::test::TestSetup;
use crate::{files, signals, test};
use nubbin_oracle::CommandOracle;
use nubbin_reduce::engine::{Ended, Stop};
use nubbin_reduce::input::Input;
use nubbin_reduce::isolate::{
    DdOrder, IsolateError, IsolateEvent, IsolateStatistics, Isolated, Isolation, UnknownDd,
};
use nubbin_verdict::{Unresolved, Verdict};
use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

pub fn run(args: IsolateSettings) -> Result<Exit, Problem> {
    let prepared = Prepared::of(args)?;
    let claimed = Claimed::of(prepared)?;
    let running = Running::begin(claimed)?;
    let (isolated, logged) = running.search()?;
    running.conclude(isolated, logged)
}

/// An isolation with its two texts. Nothing is on disk yet.
struct Prepared {
    args: IsolateSettings,
    started: Instant,
    stop: Stop,
    order: DdOrder,
    passing: Vec<u8>,
    failing: Input,
}

impl Prepared {
    fn of(args: IsolateSettings) -> Result<Self, Problem> {
        let started = Instant::now();
        // The signal handlers come first, so that a signal ends everything that starts later.
        let stop = Stop::default();
        signals::stop_on_signals(stop.clone())?;
        let order: Result<DdOrder, UnknownDd> = args.search.algorithm.parse();
        let order = order.map_err(|error| Problem::new(Exit::Usage, error.to_string()))?;
        paths::no_twins(&[args.passing.clone(), args.failing.clone()])?;
        let (passing, failing) = read(&args)?;
        progress::check(&args.output_flags)?;
        if args.output.as_deref() == Some(Path::new("-")) {
            return Err(Problem::new(Exit::Usage, "`-o -` is not a folder")
                .hint("the difference is printed in any case; `-o` is for the two files"));
        }
        Ok(Prepared {
            args,
            started,
            stop,
            order,
            passing,
            failing,
        })
    }
}

/// An isolation that owns the files that it writes.
struct Claimed {
    prepared: Prepared,
    results: Results,
    written: results::Claimed,
    stats: Option<StatsFile>,
    events: Cell<Option<EventsFile>>,
}

impl Claimed {
    fn of(prepared: Prepared) -> Result<Self, Problem> {
        let args = &prepared.args;
        let results = Results::new(args);
        keep_apart(args, &results)?;
        results.probe()?;
        let written = results.claim(args.force)?;
        let access = Access::of([&args.passing, &args.failing]);
        let stats = args.output_flags.stats.as_deref();
        let stats = stats.map(|path| StatsFile::claim(path, access, args.force));
        let stats = stats.transpose()?;
        let events = args.output_flags.json_events.as_deref();
        let events = events.map(|path| EventsFile::claim(path, access, args.force));
        let events = Cell::new(events.transpose()?);
        Ok(Claimed {
            prepared,
            results,
            written,
            stats,
            events,
        })
    }
}

/// An isolation with its test.
struct Running {
    oracle: Arc<CommandOracle>,
    places: Places,
    /// The last field, so that the locks are held until the test has ended.
    claimed: Claimed,
}

impl Running {
    fn begin(claimed: Claimed) -> Result<Self, Problem> {
        let Prepared {
            args,
            stop,
            failing,
            ..
        } = &claimed.prepared;
        let jobs = remote::jobs_here(&args.test);
        let source = Source {
            path: args.failing.clone(),
            name: files::name_for_test(&args.failing, false)?,
            tree: None,
        };
        let (oracle, ..) = test::prepare(TestSetup::from(args), failing, &[source], jobs, stop)?;
        if args.test.run.keep_temp {
            say(&format!(
                "the tests run in `{}`, which is kept",
                oracle.folder().display()
            ));
        }
        let quiet = args.output_flags.quiet;
        let oracle = Arc::new(oracle);
        let places = Places::open(&args.test, &oracle, failing, quiet, stop)?;
        Ok(Running {
            oracle,
            places,
            claimed,
        })
    }

    /// Runs the search with its observers. Also returns whether the log was written.
    fn search(&self) -> Result<(Isolated, Result<(), Problem>), Problem> {
        let prepared = &self.claimed.prepared;
        let (args, stop) = (&prepared.args, &prepared.stop);
        let events = self.claimed.events.take();
        let mut lines = events.map(JsonLines::open).transpose()?;
        let failure = test::failure(&args.test.failure, &self.oracle);
        let mut progress = IsolationProgress::new(&args.output_flags, &failure);
        let clock = Instant::now();
        let clock = || clock.elapsed();
        let mut observer = |event: &IsolateEvent<'_>, statistics: &IsolateStatistics| {
            progress.observe(event, statistics);
            if let Some(lines) = &mut lines {
                log::write(lines, event, statistics);
            }
        };
        let (passing, failing) = (prepared.passing.clone(), prepared.failing.clone());
        let mut isolation = Isolation::new(passing, failing, &self.places)
            .order(prepared.order)
            .jobs(self.places.jobs())
            .clock(&clock)
            .spent(prepared.started.elapsed())
            .stop(stop.clone())
            .observer(&mut observer);
        if !args.search.atom.is_empty() {
            let atoms = args.search.atom.iter().map(|atom| atom.compared());
            isolation = isolation.atoms(atoms.collect());
        }
        if let Some(tests) = args.search.max_tests {
            isolation = isolation.max_tests(tests);
        }
        if let Some(time) = args.search.max_time {
            isolation = isolation.max_time(time);
        }
        let isolated = isolation.run();
        progress.finish();
        let logged = lines.map_or(Ok(()), JsonLines::finish);
        let isolated = isolated.map_err(|error| self.problem(error))?;
        Ok((isolated, logged))
    }

    /// Returns the reason why a search has no result.
    fn problem(&self, error: IsolateError) -> Problem {
        let prepared = &self.claimed.prepared;
        let (args, original) = (&prepared.args, &prepared.failing);
        match error {
            IsolateError::Identical => apart::identical(args),
            IsolateError::NotApart { passing, failing } => {
                let (oracle, stop) = (&self.oracle, &prepared.stop);
                apart::not_apart(args, oracle, original, &passing, &failing, stop)
            }
            IsolateError::Fault(fault) => {
                Problem::new(Exit::Test, "the test cannot be run").because(&fault)
            }
            IsolateError::Stopped => Problem::new(Exit::Stopped, error.to_string()),
            error => Problem::new(Exit::Input, error.to_string()),
        }
    }

    /// Writes and reports the result, and returns the exit code.
    fn conclude(self, isolated: Isolated, logged: Result<(), Problem>) -> Result<Exit, Problem> {
        let claimed = &self.claimed;
        let (args, results) = (&claimed.prepared.args, &claimed.results);
        claimed.written.write(&isolated)?;
        if !args.output_flags.quiet {
            if !prints_json(args) {
                crate::print::print_bytes(&diff::minimal(&isolated, results, args.context))?;
            }
            report::print(&isolated, results);
            self.places.summary().iter().for_each(|line| say(line));
        }
        if let Some(file) = &claimed.stats {
            let mut stats = stats::Stats::new(&isolated, claimed.prepared.order, results);
            stats.places = self.places.counts().map(TestPlaces::from);
            let in_lines = args.output_flags.json_events.as_deref() == Some(Path::new("-"));
            file.write(&stats, in_lines)?;
        }
        logged?;
        exit(isolated, results)
    }
}

/// Reads the two texts. The failing one gets the name of candidates in the test's folder.
fn read(args: &IsolateSettings) -> Result<(Vec<u8>, Input), Problem> {
    let passing = files::read_one(&args.passing)?;
    let failing = files::read_one(&args.failing)?;
    if passing == failing {
        return Err(apart::identical(args));
    }
    let name = files::name_for_test(&args.failing, false)?;
    let failing = Input::single(name, failing).map_err(|error| {
        let what = format!("`{}` cannot be compared", args.failing.display());
        Problem::new(Exit::Input, what).because(&error)
    })?;
    Ok((passing, failing))
}

/// Refuses outputs that are also inputs or other outputs.
fn keep_apart(args: &IsolateSettings, results: &Results) -> Result<(), Problem> {
    let of = |path, what| Use { path, what };
    let read: Vec<Use<'_>> = [
        of(&args.passing, "the passing input"),
        of(&args.failing, "the failing input"),
    ]
    .into_iter()
    .chain(TestSetup::from(args).read())
    .collect();
    let to_file = |path: &&Path| *path != Path::new("-");
    let events = args.output_flags.json_events.as_deref().filter(to_file);
    let stats = args.output_flags.stats.as_deref().filter(to_file);
    let written: Vec<Use<'_>> = [
        of(&results.passing, "the passing result"),
        of(&results.failing, "the failing result"),
    ]
    .into_iter()
    .chain(events.map(|path| of(path, "the log of events")))
    .chain(stats.map(|path| of(path, "the statistics")))
    .collect();
    paths::keep_apart(&read, &written)
}

/// Returns whether standard output is for a script.
fn prints_json(args: &IsolateSettings) -> bool {
    let output = &args.output_flags;
    [&output.stats, &output.json_events]
        .into_iter()
        .any(|path| path.as_deref() == Some(Path::new("-")))
}

/// Returns the exit code.
fn exit(isolated: Isolated, results: &Results) -> Result<Exit, Problem> {
    match isolated.ended {
        Ended::Fault(fault) => {
            return Err(
                Problem::new(Exit::Test, "the test broke in the middle of the run")
                    .because(&fault)
                    .hint(format!(
                        "the closest two so far are in `{}` and `{}`",
                        results.passing.display(),
                        results.failing.display()
                    )),
            );
        }
        Ended::Stopped => return Ok(Exit::Stopped),
        _ => {}
    }
    let (which, verdict) = match isolated.verified {
        None | Some([Verdict::Pass, Verdict::Fail]) => return Ok(Exit::Done),
        Some([Verdict::Pass, failing]) => (&results.failing, failing),
        Some([passing, _]) => (&results.passing, passing),
    };
    let hint = match verdict {
        Verdict::Unresolved(Unresolved::TimedOut(limit)) => {
            format!("it is close to its time limit of {limit:?}: give more with `--timeout`")
        }
        _ => "the test is flaky: run the program several times in it, and demand one \
              outcome"
            .into(),
    };
    let what = format!(
        "`{}` was tested once more, and the test now says `{}`",
        which.display(),
        verdict.word()
    );
    Err(Problem::new(Exit::Flaky, what).hint(hint))
}
