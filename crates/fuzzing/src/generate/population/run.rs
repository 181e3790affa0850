//! Runs `nubbin generate population`, from its flags to its exit code.

use super::progress::{self, PopulationProgress};
use super::stats::{Ended, Stats};
use super::store::Store;
use super::target::{Program, TargetError};
use crate::exit::Exit;
use crate::flags::GeneratePopulationFlags;
use crate::generate::{classical, trees};
use crate::output::Access;
use crate::output::json::StatsFile;
use crate::paths::{self, Use};
use crate::problem::Problem;
use crate::reduce::{over_list, over_text};
use crate::{files, signals};
use nubbin_generate::{Choices, Mutator, PopulationFuzzer, Reducer, TreeMutator};
use nubbin_grammar::parse::Parser;
use nubbin_grammar::syntax::Syntax;
use nubbin_reduce::engine::{Reduction, Stop};
use nubbin_reduce::input::Input;
use nubbin_reduce::plan::Plan;
use nubbin_verdict::Closure;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A reducer of texts that runs the engine on the caller's thread.
pub struct Engine<'a> {
    /// The plan of a reduction; `None` for the default plan, which depends on the text.
    pub plan: Option<&'a Plan>,
    /// The syntax of the texts.
    pub syntax: Option<&'a Arc<dyn Syntax>>,
    pub max_tests: u64,
    pub max_time: Option<Duration>,
    pub stop: Stop,
}

impl Reducer for Engine<'_> {
    fn reduce(&self, text: &[u8], shows: &(dyn Fn(&[u8]) -> bool + Sync)) -> Vec<u8> {
        // An empty text and a text that is too large cannot be reduced.
        let Ok(input) = Input::single("text", text.to_vec()) else {
            return text.to_vec();
        };
        let oracle = Closure::new(shows);
        let started = Instant::now();
        let clock = || started.elapsed();
        let plan = match self.plan {
            Some(plan) => plan.clone(),
            None => over_text(&input, self.syntax),
        };
        let mut reduction = Reduction::new(input, &oracle, plan)
            .verify(false)
            .clock(&clock)
            .stop(self.stop.clone())
            .max_tests(self.max_tests);
        if let Some(time) = self.max_time {
            reduction = reduction.max_time(time);
        }
        match reduction.run() {
            Ok(outcome) => outcome.input.bytes().to_vec(),
            Err(_) => text.to_vec(),
        }
    }
}

pub(crate) fn run(options: &GeneratePopulationFlags) -> Result<Exit, Problem> {
    // The signal handlers come first, so that a signal ends everything that starts later.
    let stop = Stop::default();
    signals::stop_on_signals(stop.clone())?;
    let algorithm = options.reduction_algorithm.as_deref();
    let plan = algorithm.map(|id| over_list(id, options.reduction_atom));
    let plan = plan.transpose()?;
    let Mutants { mutator, syntax } = mutants(options)?;
    let name = match &options.name {
        Some(name) => name.clone(),
        None => name_of_seeds(options)?,
    };
    let access = access_of(&options.seeds);
    let mut store = Store::new(&options.output, &name, access)?;
    if options.stats.is_some() {
        keep_apart(options)?;
    }
    let stats_file = options.stats.as_deref();
    let stats_file = stats_file.map(|path| StatsFile::claim(path, access, options.force));
    let stats_file = stats_file.transpose()?;
    let target = Program::new(options, name, &stop)?;
    let mut progress = PopulationProgress::new(options.quiet);
    let mut fuzzer = PopulationFuzzer::new(mutator);
    let mut choices = Choices::seeded(options.seed);
    let started = Instant::now();
    let ended = loop {
        let tests_left = options
            .max_tests
            .map(|tests| tests.saturating_sub(fuzzer.counts().tests()));
        let time_left = options
            .max_time
            .map(|time| time.saturating_sub(started.elapsed()));
        if stop.is_requested() {
            break Ended::Stopped;
        }
        if tests_left == Some(0) {
            break Ended::MaxTests;
        }
        if time_left == Some(Duration::ZERO) {
            break Ended::MaxTime;
        }
        let engine = Engine {
            plan: plan.as_ref(),
            syntax: syntax.as_ref(),
            max_tests: options.reduction_tests.min(tests_left.unwrap_or(u64::MAX)),
            max_time: time_left,
            stop: stop.clone(),
        };
        let reducer = (options.reduction_tests > 0).then_some(&engine as &dyn Reducer);
        choices.forget();
        let stepped = fuzzer.step(&mut choices, &target, reducer);
        let joined = match stepped {
            Ok(member) => match member {
                Some(member) => Some(store.put(member)?),
                None => None,
            },
            Err(TargetError::Stopped) => break Ended::Stopped,
            Err(TargetError::Broken(problem)) => {
                progress.finish();
                return Err(problem);
            }
        };
        progress.observe(&fuzzer, joined.as_deref(), started.elapsed());
    };
    progress.finish();
    let stats = Stats::new(&fuzzer, &store, ended, started.elapsed());
    if !options.quiet {
        progress::report(&stats, &options.output);
    }
    if let Some(file) = &stats_file {
        file.write(&stats, false)?;
    }
    Ok(match ended {
        Ended::Stopped => Exit::Stopped,
        _ => Exit::Done,
    })
}

/// The source of mutants, and the syntax that they have.
struct Mutants {
    mutator: Box<dyn Mutator>,
    syntax: Option<Arc<dyn Syntax>>,
}

fn mutants(options: &GeneratePopulationFlags) -> Result<Mutants, Problem> {
    if options.mutation.grammar.is_empty() {
        let mutation = classical::mutation(&options.seeds, &options.mutation)?;
        return Ok(Mutants {
            mutator: Box::new(mutation),
            syntax: None,
        });
    }
    let fuzzer = trees::fuzzer(&options.mutation)?;
    let parser = fuzzer.parser();
    let seeds = trees::fitting(&options.seeds, |text| parser.parse(text).map(drop))?;
    let syntax: Arc<dyn Syntax> = Arc::<Parser>::clone(parser);
    Ok(Mutants {
        mutator: Box::new(TreeMutator::new(fuzzer, seeds)),
        syntax: Some(syntax),
    })
}

/// Returns the access rights of the texts, which have parts of the seeds.
fn access_of(seeds: &[PathBuf]) -> Access {
    if seeds.is_empty() {
        return Access::ALL;
    }
    let within = |path: &PathBuf| match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(_) => vec![path.clone()],
    };
    Access::of(seeds.iter().flat_map(within))
}

/// Returns the name of the texts, which is the name of the first seed.
fn name_of_seeds(options: &GeneratePopulationFlags) -> Result<PathBuf, Problem> {
    let first = options.seeds.iter().find_map(|path| match path.is_dir() {
        true => crate::generate::samples::samples(path, "mutate")
            .ok()?
            .into_iter()
            .next(),
        false => Some(path.clone()),
    });
    files::name_for_test(first.as_deref().unwrap_or("text".as_ref()), false)
}

fn keep_apart(options: &GeneratePopulationFlags) -> Result<(), Problem> {
    let seeds = options.seeds.iter().map(|path| Use {
        path,
        what: "the seed",
    });
    let grammars = options.mutation.grammar.iter().map(|path| Use {
        path,
        what: "the grammar",
    });
    let words = options.mutation.dictionary.iter().map(|path| Use {
        path,
        what: "the dictionary",
    });
    let extras = options.target.with.iter().map(|path| Use {
        path,
        what: "the extra file",
    });
    let read: Vec<Use<'_>> = seeds.chain(grammars).chain(words).chain(extras).collect();
    let stats = options.stats.iter().filter(|path| path.as_os_str() != "-");
    let written: Vec<Use<'_>> = stats
        .map(|path| Use {
            path,
            what: "the statistics",
        })
        .collect();
    paths::keep_apart(&read, &written)
}
