//! `population = "…"`: mutants that show something new are kept.

use super::seed;
use super::setting::{Bound, Setting, broken};
use crate::flags::MutateLine;
use crate::generate::{COVERAGE, Engine, fitting, fuzzer, mutation, read_coverage};
use crate::problem::Problem;
use crate::program::Built;
use crate::reducer::ReductionMethod;
use nubbin_campaign::{
    Found, Fuzz, FuzzError, Outcome, Program, ProgramError, Slice, SliceEnd, Store, Test,
};
use nubbin_generate::{Choices, Feedback, Mutator, PopulationFuzzer, TreeMutator};
use nubbin_grammar::parse::Parser;
use nubbin_grammar::syntax::Syntax;
use nubbin_oracle::PrivateFolder;
use nubbin_reduce::engine::Stop;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use toml::Spanned;

/// The maximum number of tests that reduce one member.
const REDUCTION_TESTS: u64 = 100;

pub(super) struct PopulationJob {
    name: String,
    /// A program of its own, that reports coverage to a file.
    program: Arc<Program>,
    coverage: PathBuf,
    _folder: PrivateFolder,
    syntax: Option<Arc<dyn Syntax>>,
    fuzzer: Mutex<PopulationFuzzer<Box<dyn Mutator + Send>>>,
    /// The texts of files and of earlier runs, which are kept already.
    seeds: u64,
    seed: u64,
}

pub(super) fn bind(
    setting: &Setting<'_>,
    words: &Spanned<String>,
    built: &Built,
    store: &Store,
) -> Result<Bound, Problem> {
    let MutateLine { flags } = setting.parse(words)?;
    let located = |problem| setting.located(words, problem);
    let members = store.members(built.program.name(), setting.name);
    let members = members.map_err(|error| crate::store::problem(&error))?;
    let (mutator, syntax): (Box<dyn Mutator + Send>, Option<Arc<dyn Syntax>>) =
        match flags.mutation.grammar.is_empty() {
            true => {
                let mutation = mutation(&flags.seeds, &flags.mutation).map_err(located)?;
                (Box::new(mutation.more_seeds(members)), None)
            }
            false => {
                let fuzzer = fuzzer(&flags.mutation).map_err(located)?;
                let parser = Arc::clone(fuzzer.parser());
                let fits = |text: &[u8]| parser.parse(text).map(drop);
                let mut seeds = fitting(&flags.seeds, fits).map_err(located)?;
                seeds.extend(members);
                let syntax = Arc::<Parser>::clone(&parser) as Arc<dyn Syntax>;
                (Box::new(TreeMutator::new(fuzzer, seeds)), Some(syntax))
            }
        };
    let (program, folder) = built.reporting(COVERAGE, setting.around)?;
    let way = match &syntax {
        Some(syntax) => ReductionMethod::Tree(Arc::clone(syntax)),
        None => ReductionMethod::Text,
    };
    let job = PopulationJob {
        name: setting.name.to_owned(),
        coverage: folder.path().join("coverage"),
        program: Arc::new(program),
        _folder: folder,
        syntax,
        seeds: (0..).take_while(|&at| mutator.seed(at).is_some()).count() as u64,
        fuzzer: Mutex::new(PopulationFuzzer::new(mutator)),
        seed: setting.own_seed(flags.texts.seed),
    };
    Ok(Bound {
        fuzz: Box::new(job),
        way,
        is_single: true,
    })
}

/// The reason for missing feedback.
enum NoFeedback {
    Stopped,
    Program(ProgramError),
    Coverage(String),
}

impl Fuzz for PopulationJob {
    fn slice(&self, slice: &Slice<'_>) -> Result<SliceEnd, FuzzError> {
        let begin = Instant::now();
        let end = Mutex::new(SliceEnd::default());
        let target = |text: &[u8]| {
            let ran = self.program.run(text, 0, slice.stop);
            let observed = ran.map_err(NoFeedback::Program)?;
            if observed.outcome == Outcome::Stopped {
                return Err(NoFeedback::Stopped);
            }
            let mut end = end.lock().unwrap_or_else(PoisonError::into_inner);
            end.tests += 1;
            end.bytes += text.len() as u64;
            end.limits += u64::from(observed.outcome == Outcome::Limit);
            if let Some(found) = Found::of(&Test::new(text), &observed) {
                end.add(found);
            }
            drop(end);
            let reached = read_coverage(&self.coverage)
                .map_err(|problem| NoFeedback::Coverage(problem.what().to_owned()))?;
            let outcome = match &observed.outcome {
                Outcome::Issue(identity, _) => identity.to_string(),
                _ => match &observed.run.cut_short {
                    Some(reason) => reason.to_string(),
                    None => observed.run.exit.to_string(),
                },
            };
            Ok(Feedback::new(outcome, reached))
        };
        let mut fuzzer = self.fuzzer.lock().unwrap_or_else(PoisonError::into_inner);
        let stop = Stop::default();
        let mut members = vec![];
        let mut at = slice.positions.start;
        let most = slice.positions.end;
        while at < most && !slice.stop.is_cancelled() && Instant::now() < slice.until {
            let engine = Engine {
                plan: None,
                syntax: self.syntax.as_ref(),
                max_tests: REDUCTION_TESTS,
                max_time: None,
                stop: stop.clone(),
            };
            let is_seed = fuzzer.counts().inputs < self.seeds;
            let mut choices: Choices = seed::choices(self.seed, at);
            match fuzzer.step(&mut choices, &target, Some(&engine)) {
                Ok(member) => {
                    at += 1;
                    if let Some(member) = member.filter(|_| !is_seed) {
                        members.push(member.text.clone());
                    }
                }
                Err(NoFeedback::Stopped) => break,
                Err(NoFeedback::Program(error)) => return Err(error.into()),
                Err(NoFeedback::Coverage(what)) => return Err(broken(&self.name, what)),
            }
            let end = end.lock().unwrap_or_else(PoisonError::into_inner);
            let mut found = end.found.iter();
            if found.any(|found| !(slice.is_known)(&found.identity)) {
                break;
            }
        }
        let mut end = end.into_inner().unwrap_or_else(PoisonError::into_inner);
        if at < most {
            end.unfinished.push(at..most);
        }
        end.members = members;
        end.time = begin.elapsed();
        Ok(end)
    }
}
