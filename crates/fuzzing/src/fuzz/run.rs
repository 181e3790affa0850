//! Runs `nubbin fuzz`, from its flags to its exit code.

use super::batch::{Expression, expressions};
use super::engine_test::{Ending, EngineTest};
use super::finding::Finding;
use super::folder::{Context, FuzzFolder};
use super::hunt::{Catch, hunt};
use super::progress::{self, FuzzProgress};
use super::reduce::Reducer;
use super::stats::{Ended, Stats, seconds};
use crate::cores::cores;
use crate::engine::{Profile, Shell, ShellFault, identity, warn_of_other};
use crate::exit::Exit;
use crate::flags::FuzzFlags;
use crate::graph;
use crate::output::Access;
use crate::output::json::StatsFile;
use crate::paths::{self, Use};
use crate::problem::Problem;
use crate::signals;
use nubbin_graph::{Engine, Walker};
use nubbin_reduce::engine::Stop;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Instant;

/// The number of repeated runs of the script of a finding.
const AGAIN: usize = 3;

/// A batch that has ended, with its expressions if they have to be looked at.
struct Done {
    batch: u64,
    count: u64,
    ending: Result<Ending, ShellFault>,
    expressions: Vec<Expression>,
}

pub fn run(options: &FuzzFlags) -> Result<Exit, Problem> {
    let stop = Stop::default();
    signals::stop_on_signals(stop.clone())?;
    let graph = graph::read(&options.graph)?;
    let of_graph = graph.engine.as_ref();
    let profile = Profile::of(&options.engine, of_graph.map(|engine| engine.name.as_str()))?;
    let jobs = options.jobs.map_or_else(cores, usize::from);
    // The last slot isolates and reduces crashes while the other slots run tests.
    let shell = Shell::of_expressions(&profile, &options.engine.shell, jobs + 1)?;
    let engine = identity(&profile, &shell)?;
    if !options.quiet {
        warn_of_other(of_graph, &engine);
    }
    let access = Access::of([&options.graph]);
    let walker = Arc::new(graph::walker(&graph, &options.walk)?);
    if options.stats.is_some() {
        keep_apart(options)?;
    }
    let folder = FuzzFolder::new(&options.output, access)?;
    let stats_file = options.stats.as_deref();
    let stats_file = stats_file.map(|path| StatsFile::claim(path, access, options.force));
    let stats_file = stats_file.transpose()?;
    let setup = Setup {
        options,
        test: EngineTest::new(profile, shell, stop, jobs + 1),
        walker,
        engine,
        folder,
        jobs,
        started: Instant::now(),
    };
    let mut ledger = Ledger::new(FuzzProgress::new(options.quiet));
    let ran = setup.run(&mut ledger);
    ledger.progress.finish();
    let stats = Stats {
        ended: ran?,
        seed: options.seed,
        expressions: ledger.expressions,
        runs: setup.test.runs(),
        left_out: ledger.left_out,
        unstable: ledger.unstable,
        wall_s: seconds(setup.started.elapsed()),
        findings: ledger.findings.iter().map(Into::into).collect(),
        engine: setup.engine,
    };
    if !options.quiet {
        progress::report(&stats, &options.output);
    }
    if let Some(file) = &stats_file {
        file.write(&stats, false)?;
    }
    Ok(match stats.ended {
        Ended::Stopped => Exit::Stopped,
        _ => Exit::Done,
    })
}

/// The findings so far.
struct Ledger {
    progress: FuzzProgress,
    findings: Vec<Finding>,
    expressions: u64,
    left_out: u64,
    unstable: u64,
}

impl Ledger {
    fn new(progress: FuzzProgress) -> Self {
        Ledger {
            progress,
            findings: vec![],
            expressions: 0,
            left_out: 0,
            unstable: 0,
        }
    }
}

/// A run of the command.
struct Setup<'a> {
    options: &'a FuzzFlags,
    test: EngineTest,
    walker: Arc<Walker>,
    engine: Engine,
    folder: FuzzFolder,
    jobs: usize,
    started: Instant,
}

impl Setup<'_> {
    /// Runs all batches. Their results are examined in the order of the batches, so that a seed has
    /// the same findings with any number of jobs.
    fn run(&self, ledger: &mut Ledger) -> Result<Ended, Problem> {
        let next = AtomicU64::new(0);
        // A worker waits if many batches have not been checked yet.
        let (sender, done) = mpsc::sync_channel(4 * self.jobs);
        std::thread::scope(|scope| {
            for slot in 0..self.jobs {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || self.work(slot, next, &sender));
            }
            drop(sender);
            // The workers end when the receiver is dropped.
            self.look(done, ledger)
        })
    }

    /// Runs batches until no batch is left, or until nothing receives the results any more.
    fn work(&self, slot: usize, next: &AtomicU64, done: &mpsc::SyncSender<Done>) {
        while !self.is_over() {
            let batch = next.fetch_add(1, Ordering::Relaxed);
            let expressions = self.expressions(batch);
            if expressions.is_empty() {
                return;
            }
            let ending = self.test.run_batch(&expressions, slot);
            let is_usual = matches!(ending, Ok(Ending::Usual));
            let ended = Done {
                batch,
                count: expressions.len() as u64,
                ending,
                expressions: if is_usual { vec![] } else { expressions },
            };
            if done.send(ended).is_err() {
                return;
            }
        }
    }

    fn expressions(&self, batch: u64) -> Vec<Expression> {
        let (seed, size) = (self.options.seed, u64::from(self.options.batch));
        expressions(&self.walker, seed, batch, size, self.options.count)
    }

    fn is_over(&self) -> bool {
        let most = self.options.max_time;
        self.test.stop.is_requested() || most.is_some_and(|most| self.started.elapsed() >= most)
    }

    fn look(&self, done: mpsc::Receiver<Done>, ledger: &mut Ledger) -> Result<Ended, Problem> {
        let mut waiting = BTreeMap::new();
        let mut batch = 0;
        for ended in done {
            waiting.insert(ended.batch, ended);
            while let Some(ended) = waiting.remove(&batch) {
                batch += 1;
                match ended.ending.map_err(|error| broken(&error))? {
                    // Other batches that ended with a bug may still follow.
                    Ending::Stopped => continue,
                    Ending::Usual => {}
                    Ending::Limit | Ending::Early if self.is_over() => {
                        ledger.left_out += ended.count;
                    }
                    ending => self.hunt(&ended.expressions, ending, ledger)?,
                }
                ledger.expressions += ended.count;
                let bugs = ledger.findings.len();
                let (all, elapsed) = (ledger.expressions, self.started.elapsed());
                ledger.progress.observe(all, bugs, elapsed);
            }
        }
        Ok(if self.test.stop.is_requested() {
            Ended::Stopped
        } else if ledger.expressions < self.options.count {
            Ended::MaxTime
        } else {
            Ended::Complete
        })
    }

    fn hunt(
        &self,
        batch: &[Expression],
        ending: Ending,
        ledger: &mut Ledger,
    ) -> Result<(), Problem> {
        let before = self.test.runs_in(self.jobs);
        let hunted = hunt(&self.test, batch, ending, self.jobs).map_err(|error| broken(&error))?;
        let isolated = self.test.runs_in(self.jobs) - before;
        ledger.left_out += hunted.left_out;
        ledger.unstable += hunted.unstable;
        for catch in hunted.catches {
            let mut known = ledger.findings.iter_mut();
            match known.find(|known| known.signature.matches(&catch.bug)) {
                Some(known) => known.met += 1,
                None => {
                    let number = ledger.findings.len() + 1;
                    ledger.progress.line(&format!("new bug: {}", catch.bug));
                    match self.reduce(&catch, number, isolated)? {
                        Some(finding) => ledger.findings.push(finding),
                        None => ledger.unstable += 1,
                    }
                }
            }
        }
        Ok(())
    }

    /// Reduces the expressions that show a new bug, and writes its report. Returns `None` if the
    /// expressions no longer show the bug.
    fn reduce(
        &self,
        catch: &Catch,
        number: usize,
        isolated: u64,
    ) -> Result<Option<Finding>, Problem> {
        let reducer = Reducer {
            test: &self.test,
            walker: Arc::clone(&self.walker),
            most: self.options.reduction_tests,
            until: self.options.max_time.map(|most| self.started + most),
            slot: self.jobs,
        };
        let reduced = reducer.reduce(catch)?;
        let last = catch.expressions.last();
        let finding = Finding {
            signature: catch.bug.clone(),
            met: 1,
            first: last.map_or(0, |last| last.number),
            bytes_before: catch.expressions.iter().map(|one| one.text.len()).sum(),
            runs: isolated + reduced.tests,
            folder: FuzzFolder::name(number, &catch.bug),
            expressions: reduced.expressions,
        };
        let script = reducer.script(catch.form, &finding.expressions);
        let mut shown = vec![];
        for _ in 0..AGAIN {
            let again = self.test.confirm(&script, self.jobs);
            let again = again.map_err(|error| broken(&error))?;
            let bug = self.test.profile.bug(again.clone());
            if bug.is_some_and(|bug| bug.matches(&catch.bug)) {
                shown.push(again);
            }
        }
        let Some(run) = shown.first() else {
            return Ok(None);
        };
        let profile = &self.test.profile;
        let name = profile.script_name("script");
        let place = self.options.output.join(&finding.folder).join(name);
        self.folder.put(
            &finding,
            &Context {
                engine: &self.engine,
                language: profile.language(),
                walk: self.walker.options(),
                script: &script,
                original: &reducer.script(catch.form, &catch.expressions),
                run,
                shown: (shown.len(), AGAIN),
                line: &self.test.shell.line_for(&place),
            },
        )?;
        Ok(Some(finding))
    }
}

fn broken(error: &ShellFault) -> Problem {
    Problem::new(Exit::Test, "the engine cannot be run").because(error)
}

fn keep_apart(options: &FuzzFlags) -> Result<(), Problem> {
    let read = [Use {
        path: &options.graph,
        what: "the graph",
    }];
    let stats = options.stats.iter().filter(|path| path.as_os_str() != "-");
    let written: Vec<Use<'_>> = stats
        .map(|path| Use {
            path,
            what: "the statistics",
        })
        .collect();
    paths::keep_apart(&read, &written)
}
