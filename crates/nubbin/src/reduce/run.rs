//! A reduction from its flags to its exit code.

use super::apart::{grammar_files, keep_apart};
use super::choices::Told;
use super::earlier::{EarlierResult, ResultOf};
use super::empty::{self, EmptyInput};
#[cfg(feature = "clang")]
use super::front_end;
use super::in_place::InPlace;
use super::journal::{Earlier, Key};
use super::log::{Log, LogFacts};
use super::outputs::Outputs;
use super::parsing::{LastParsing, Parsing};
use super::progress::ReductionProgress;
use super::report::{self, Origin, ReducedLines};
use super::resumed::open_journal;
use super::stats::statistics;
use super::streams::Streams;
use super::tokens::TokenCounter;
use super::{ci, format, keep, notify, parsing, plan, positions, progress, syntax, view};
use crate::awaited::Awaited;
use crate::choices::RecordedRun;
use crate::events::TestPlaces;
use crate::exit::Exit;
use crate::files::Source;
use crate::flags::{FlakyMode, ReduceFlags, SandboxMode, SearchFlags};
use crate::output::{Access, OwnFile, Saver, Targets, Written, json, write};
use crate::parameters::ParameterFiles;
use crate::paths;
use crate::problem::{Problem, say};
use crate::proposer::Proposers;
use crate::remote::{self, Places};
use crate::signals::Beginning;
use crate::stamp::{stamp, stamp_line};
use crate::state::{Lock, StateFolder};
use crate::test::TestSetup;
use crate::{files, persistent, programs, test};
use indicatif::HumanCount;
use nubbin_oracle::CommandOracle;
use nubbin_reduce::Algorithm;
use nubbin_reduce::edit::{Fingerprint, fingerprint};
use nubbin_reduce::engine::{
    Control, Ended, Event, Flaky, Outcome, ReduceError, Reduction, Statistics, Stop,
};
use nubbin_reduce::input::Input;
use nubbin_reduce::pass::choices::Judge;
use nubbin_reduce::plan::Plan;
use nubbin_verdict::{Oracle, Unresolved, Verdict};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(super) fn run(mut args: ReduceFlags) -> Result<Exit, Problem> {
    let started = Instant::now();
    // Before all else, so that a signal ends everything that starts later.
    let stop = Stop::default();
    let beginning = Beginning::of(stop.clone(), args.search.max_time)?;
    progress::check(&args.output_flags)?;
    require_programs(&args)?;
    let variables = match args.reduce_env {
        true => Some(test::environment(&args.test.run)?),
        false => None,
    };
    let mut parameters = ParameterFiles::take(&mut args, variables.as_ref())?;
    let in_place = (args.in_place)
        .then(|| InPlace::new(&args.inputs))
        .transpose()?;
    let streams = Streams::of(&mut args)?;
    paths::no_twins(&args.inputs)?;
    let replaying = Awaited::begin("running the generator".into(), args.output_flags.quiet);
    let generated = RecordedRun::of(&args)?;
    drop(replaying);
    let (input, sources) = match &generated {
        Some(generated) => generated.text()?,
        None => files::read(&args)?,
    };
    let input = match &generated {
        Some(_) => input,
        None => parameters.add_to(input)?,
    };
    let (input, plan, parsing, language, counter, used) = match &generated {
        Some(generated) => {
            let counter = TokenCounter::new(None, &input);
            (
                input,
                generated.plan(&args.search)?,
                None,
                None,
                counter,
                None,
            )
        }
        None => {
            let input = keep::protect(input, &args.search, args.output_flags.quiet)?;
            let named = plan::named(&args.search.algorithm)?;
            let trees = syntax::trees(&args, &named, &input, &parameters)?;
            let may_learn = matches!(named, Algorithm::Auto);
            let language = match &trees {
                None => may_learn.then(|| "none".to_owned()),
                Some(trees) => Some(trees.names()).filter(|names| !names.is_empty()),
            };
            let plan = plan::plan(&named, &args.search, &input, trees.as_ref())?;
            let counter = TokenCounter::new(trees.as_ref().map(|trees| &trees.syntaxes), &input);
            let used = positions::trees_for(&named, &args, trees.as_ref());
            let parsing = trees.map(|trees| Parsing::new(&trees, args.trees.must_parse, may_learn));
            (input, plan, parsing, language, counter, used)
        }
    };
    let jobs = remote::jobs_here(&args.test);
    let proposers = match &generated {
        Some(_) => Proposers::default(),
        None => {
            let language = args.trees.language.as_deref();
            let sandbox = &args.test.sandbox;
            Proposers::new(&args.proposers, &input, language, sandbox, jobs, &stop)?
        }
    };
    let plan = nubbin_reduce::auto::with_proposers(plan, proposers.passes());
    let plan = with_parameters(plan, &parameters, &sources, &args.search);
    let targets =
        Targets::new(&sources, args.output.as_deref())?.with_parameters(parameters.endings());
    let state = StateFolder::of(targets.paths().next().unwrap_or(Path::new("nubbin")));
    let choices_target = generated
        .as_ref()
        .zip(targets.paths().next())
        .map(|(generated, text)| generated.target(text));
    let last_parsing = parsing.as_ref().and_then(|_| parsing::path(&targets));
    let beside = choices_target.as_deref().or(last_parsing.as_deref());
    keep_apart(&args, &targets, &state, beside)?;
    targets.probe()?;
    // The first lock is of the result that the journal belongs to.
    let locks: Vec<Lock> = (targets.paths())
        .map(|path| Lock::take(StateFolder::of(path)))
        .collect::<Result<_, _>>()?;
    let access = match &generated {
        Some(generated) => Access::of([&generated.path]),
        None => Access::of_sources(&sources),
    };
    let mode =
        (generated.as_ref()).map_or(targets.modes().next().flatten(), |it| write::mode(&it.path));
    let claim = |path: &PathBuf| OwnFile::claim(path, mode, args.force);
    let choices_file = choices_target.as_ref().map(claim).transpose()?;
    let last_parsing = last_parsing.as_ref().map(claim).transpose()?;
    let written = targets.claim(args.force)?;
    let input = match &generated {
        Some(_) => input,
        None => files::renamable(input, &sources, &args.test.run.with, written.others())?,
    };
    let outputs = Outputs::claim(&args, access)?;
    if let Some(path) = &args.output_flags.other_failures {
        paths::folder_or_nothing(path, "--other-failures")?;
    }
    let (oracle, others, sandbox) = test::prepare(
        TestSetup::from(&args).reducing(&parameters),
        &input,
        &sources,
        jobs,
        &stop,
    )?;

    let test = (&args, &oracle);
    let (plan, found) = positions::with_positions(plan, used.as_ref(), test, &input, &stop);
    #[cfg(feature = "clang")]
    let plan = front_end::with_front_end(plan, language.as_deref(), &found, test, &input, &stop);
    // On a thread beside the first tests: counting a large file takes a second.
    let tokens_before = std::thread::spawn({
        let (input, counter) = (input.clone(), counter.clone());
        move || counter.count(&input)
    });
    if args.test.run.keep_temp {
        say(&format!(
            "the tests run in `{}`, which stays",
            oracle.folder().display()
        ));
    }
    let oracle = Arc::new(oracle);
    let places = Places::open(&args.test, &oracle, &input, args.output_flags.quiet, &stop)?;
    let mut identity = test::identity(
        TestSetup::from(&args).reducing(&parameters),
        &oracle,
        &sources,
    );
    identity += &remote::identity(&args.test);
    if generated.is_some() {
        identity += &generator(&args);
    }
    let kept = Kept {
        targets: &targets,
        lock: &locks[0],
        test: fingerprint(identity.as_bytes()),
        is_passing: streams.is_output || args.in_place,
    };
    let facts = LogFacts {
        test: oracle.command().to_string(),
        failure: test::failure(&args.test.failure, &oracle),
        language,
        algorithm: plan.name.clone(),
        seed: args.search.seed,
        jobs: places.jobs(),
        sandbox: sandbox.clone(),
        counts_configurations: counts_configurations(&args.search),
    };
    let mut log = Log::open(&args, outputs.events, facts.clone())?;
    let ready = Ready {
        args: &args,
        parameters: &parameters,
        beginning: &beginning,
        plan: &plan,
        oracle: &oracle,
        places: &places,
        facts: &facts,
        kept: &kept,
        parsing: parsing.as_ref(),
        last_parsing: last_parsing.as_ref(),
        proposers: &proposers,
        started,
    };
    let mut told = Told::default();
    let original = input.clone();
    let at_the_end = stop.clone();
    empty::warn_of_called(&args, &oracle);
    let End {
        mut outcome,
        saved,
        origin,
        empty,
        is_begun,
        time_before,
    } = match &generated {
        None => reduce(&ready, &places, input, None, written, stop, &mut log)?,
        Some(generated) => {
            let judge = Judge::new(
                Arc::clone(&generated.replay),
                &places,
                generated.name.clone(),
            );
            let input = generated.choices()?;
            let generated = Some((generated, &mut told));
            reduce(&ready, &judge, input, generated, written, stop, &mut log)?
        }
    };
    let mut choices = None;
    if let Some(generated) = &generated {
        let target = choices_file.as_ref().filter(|_| origin == Origin::ThisRun);
        choices = target.map(|target| (outcome.input.clone(), target.path()));
        outcome = generated.conclude(outcome, &told, target)?;
    }
    if let (Origin::Resumed, Some(there)) = (origin, targets.read(&original)) {
        outcome.statistics.bytes_now = there.size();
        outcome.input = there;
    }
    let is_stopped = matches!(outcome.ended, Ended::Stopped | Ended::MaxTime);
    let may_count = !is_stopped || outcome.statistics.bytes_before <= COUNTED;
    let tokens = may_count.then(|| {
        let before = tokens_before.join().unwrap_or(0);
        counter.compare(before, &original, &outcome.input)
    });
    let result = targets.paths().next().map(Path::to_path_buf);
    let replaced = match &in_place {
        Some(in_place) if saved.is_ok() && is_settled(&outcome, origin) => {
            in_place.replace(&targets, &original)?
        }
        _ => vec![],
    };
    let own = parameters.own(&outcome.input);
    let place = result
        .as_deref()
        .filter(|path| !streams.is_output && path.exists());
    let line = |command| parameters.line(command, &outcome.input, place);
    let lines = ReducedLines {
        build: oracle.build().and_then(line),
        command: line(oracle.command()),
    };
    let variables = parameters.variables(&outcome.input);
    if !args.output_flags.quiet && empty.is_none() {
        let place = (!streams.is_output).then_some(&targets);
        let found = report::Found {
            origin,
            is_begun,
            time_before,
            counts_original: plan::counts_original(&args.search),
            is_one_line: plan::is_one_line(&args.search, &original),
        };
        report::print(&outcome, tokens, (place, found), &others);
        if origin != Origin::Earlier {
            report::print_parameters(&lines, variables.as_ref());
            if !streams.is_output {
                report::show(&own);
            }
        }
        persistent::warn_of_unserved(&oracle);
        replaced.iter().for_each(|line| say(line));
        places.summary().iter().for_each(|line| say(line));
        if let (Some(generated), Some((choices, target))) = (&generated, &choices) {
            generated.report(choices, target);
        }
    }
    let mut stats = statistics(&outcome, tokens, &facts, log.first_test);
    // A file that was not needed has no result.
    stats.result = targets
        .paths()
        .filter(|path| origin != Origin::Earlier && path.exists())
        .map(|path| path.display().to_string())
        .collect();
    if origin != Origin::Earlier {
        (stats.build_command, stats.test_command) = (lines.build, lines.command);
        stats.variables = variables.map(|(names, _)| names);
    }
    if !time_before.is_zero() {
        stats.wall_s_resumed = Some(json::round(time_before.as_secs_f64()));
    }
    if empty.is_some() {
        stats.ended = EMPTY.to_owned();
    }
    stats.sandbox = sandbox.word().to_owned();
    stats.sandbox_reason = sandbox.reason;
    stats.sandbox_permitted = sandbox.permitted;
    stats.other_failures = others.list();
    stats.positions = found.positions.len() as u64;
    stats.places = places.counts().map(TestPlaces::from);
    stats.tests_over_limit = (others.limits().into_iter())
        .map(|(limit, tests)| (limit.to_owned(), tests))
        .collect();
    log.conclude(&stats, &outcome.statistics);
    let logged = log.finish(outputs.page.as_ref());
    if let Some(file) = &outputs.stats {
        let in_lines = args.output_flags.json_events.as_deref() == Some(Path::new("-"));
        file.write(&stats, in_lines)?;
    }
    if streams.is_output {
        streams.print(&outcome.input, &parameters)?;
        stats.result = vec!["-".into()];
    }
    if args.ci.is_some() && origin != Origin::Earlier && empty.is_none() {
        ci::announce(&outcome.statistics, &stats.result, &own)?;
    }
    if args.copy {
        notify::copy(&own);
    }
    if let Some(command) = &args.notify {
        let message = report::message(&outcome);
        notify::notify(command, &message, result.as_deref(), &at_the_end);
    }
    saved.and(logged).and(others.finish())?;
    if let Some(empty) = empty {
        return Err(empty);
    }
    conclude(outcome, &targets, origin)
}

/// Refuses programs of flags that would be missed at the end of the run only.
fn require_programs(args: &ReduceFlags) -> Result<(), Problem> {
    let sets_path = |value: &OsString| value.as_encoded_bytes().starts_with(b"PATH=");
    // The formatter has the environment of a test.
    if let Some(line) = &args.format
        && !args.test.run.env.iter().any(sets_path)
    {
        programs::require("--format", line)?;
    }
    if let Some(line) = args.notify.as_ref().filter(|line| !line.is_empty()) {
        programs::require("--notify", line)?;
    }
    Ok(())
}

/// Returns the plan with passes over the arguments and variables of the test.
fn with_parameters(
    plan: Plan,
    parameters: &ParameterFiles,
    sources: &[Source],
    search: &SearchFlags,
) -> Plan {
    let mut files = 0;
    let first_files = sources.iter().map(|source| {
        let first = files;
        files += source.files().len();
        first
    });
    let first_files: Vec<usize> = first_files.collect();
    let parameters = parameters.numbers(&first_files);
    let mut plan = nubbin_reduce::auto::with_parameters(plan, &parameters);
    let without: Vec<&str> = search.without.iter().map(String::as_str).collect();
    plan.without(&without);
    plan
}

/// The end of a run whose test does not depend on the input, for statistics.
const EMPTY: &str = "empty";

/// The size in bytes of the largest original whose tokens are counted when a run has to end.
const COUNTED: usize = 4 << 20;

/// The files that keep results and verdicts.
struct Kept<'a> {
    targets: &'a Targets,
    lock: &'a Lock,
    /// Everything that the verdicts in the journal depend on.
    test: Fingerprint,
    /// Whether the result is printed or replaces the input, so that no file of it stays.
    is_passing: bool,
}

/// The parts of a run that are made before its first test.
struct Ready<'a> {
    args: &'a ReduceFlags,
    parameters: &'a ParameterFiles,
    beginning: &'a Beginning,
    plan: &'a Plan,
    oracle: &'a CommandOracle,
    places: &'a Places,
    facts: &'a LogFacts,
    kept: &'a Kept<'a>,
    parsing: Option<&'a Parsing>,
    /// The file for the last input that parsed.
    last_parsing: Option<&'a OwnFile>,
    proposers: &'a Proposers,
    /// The start of the command: reading, parsing, and opening count as time of the run.
    started: Instant,
}

/// The end of a search.
struct End {
    outcome: Outcome,
    /// Whether the result is on disk.
    saved: Result<(), Problem>,
    origin: Origin,
    /// The reason why the result says nothing.
    empty: Option<Problem>,
    /// Whether the search began with the result of an earlier run.
    is_begun: bool,
    /// The time of the runs that this one resumed.
    time_before: Duration,
}

/// Runs the engine with its observers. `judge` decides about candidates: the test, or an oracle
/// that makes a text of choices first.
fn reduce(
    ready: &Ready<'_>,
    judge: &dyn Oracle,
    input: Input,
    generated: Option<(&RecordedRun, &mut Told)>,
    written: Written,
    stop: Stop,
    log: &mut Log,
) -> Result<End, Problem> {
    let Ready {
        args,
        parameters,
        beginning,
        plan,
        oracle,
        places,
        facts,
        kept,
        parsing,
        last_parsing: beside,
        proposers,
        started,
    } = *ready;
    let targets = kept.targets;
    let key = Key {
        test: kept.test,
        input: with_names(&input),
    };
    if !kept.lock.state().folder().exists() {
        // A test without a sandbox has removed it.
        targets.probe()?;
        kept.lock.state().make()?;
    }
    let opened = open_journal(args, kept.lock, key, started)?;
    let (mut journal, earlier, time_before) = (opened.journal, opened.earlier, opened.time);
    targets.sweep();
    let (known, floor) = match earlier {
        Earlier::None => (vec![], None),
        Earlier::Same {
            verdicts,
            same_input,
        } => (verdicts, targets.size(&written).filter(|_| same_input)),
        Earlier::Other(known) => (known, None),
    };
    let result_of = ResultOf::new(key, args, targets);
    let original_size = input.size();
    // The file of a result has no choices, and standard output has no result of an earlier run.
    let is_kept = generated.is_none() && !kept.is_passing;
    let original = input.clone();
    let before = match is_kept {
        false => EarlierResult::None,
        true => {
            let place = (targets, &written, kept.lock);
            result_of.earlier(args, &input, place, (judge, &stop))
        }
    };
    let is_begun = matches!(before, EarlierResult::Begun(_));
    let has_earlier = !matches!(before, EarlierResult::None);
    let (input, floor) = before.begin(input, floor);
    let saver = Saver::start(targets.clone(), floor, written).map_err(|error| {
        Problem::new(
            Exit::Output,
            "cannot start the thread that writes the result",
        )
        .because(&error)
    })?;
    let control = Control::default();
    let handles = view::Handles {
        stop: stop.clone(),
        control: control.clone(),
    };
    // From here on only `progress` prints.
    let mut progress =
        ReductionProgress::new(&args.output_flags, view_facts(args, plan, facts), handles);
    // The original was run before, to find out whether it fails in the sandbox.
    let spent = started.elapsed().saturating_sub(oracle.time_kept());
    let clock = Instant::now();
    let clock = || clock.elapsed() + oracle.time_before();
    let mut last_parsing = LastParsing::default();
    let empty = EmptyInput::new(args, oracle, &stop);
    let stop = stop.clone();
    let mut observe = |event: &Event<'_>, statistics: &Statistics, choices: Option<usize>| {
        match event {
            Event::Started { input, .. } => {
                beginning.conclude();
                saver.begin(input);
            }
            Event::Adopted { input, .. } => {
                saver.save(input);
                journal.supersede_others();
                empty.look(input);
            }
            Event::RolledBack { input, .. } => saver.go_back(input),
            // The original is a result as well.
            Event::Ended {
                ended: Ended::Complete,
                input,
            } => saver.conclude(input),
            _ => {}
        }
        if let Some(parsing) = parsing {
            last_parsing.observe(parsing, event);
        }
        if let Event::Judged { print, verdict } = event {
            journal.add(*print, *verdict);
        }
        if let Some(text) = saver.trouble() {
            progress.warn(&text);
        }
        places.news().iter().for_each(|text| progress.warn(text));
        for (id, why) in proposers.parked() {
            progress.warn(&format!("the proposer `{id}` broke and is left out: {why}"));
            log.proposer_failed(id, &why, statistics);
        }
        progress.observe(event, statistics, choices);
        log.observe(event, statistics);
    };
    let mut generated = generated;
    let mut observer = |event: &Event<'_>, statistics: &Statistics| match &mut generated {
        Some((generated, told)) => generated.tell(event, statistics, told, &mut observe),
        None => observe(event, statistics, None),
    };
    let asked_to_stop = stop.clone();
    let size = original_size;
    let mut reduction = Reduction::new(input, judge, plan.clone())
        .jobs(places.jobs())
        .seed(args.search.seed)
        .flaky(match args.search.flaky {
            FlakyMode::Auto => Flaky::Auto,
            FlakyMode::On => Flaky::On,
            FlakyMode::Off => Flaky::Off,
        })
        .clock(&clock)
        .spent(spent)
        .count_configurations(counts_configurations(&args.search))
        .known(known)
        .stop(stop)
        .control(control)
        .syntax_filter(parsing.map(Parsing::filter).unwrap_or_default())
        .observer(&mut observer);
    if let Some(tests) = args.search.max_tests {
        reduction = reduction.max_tests(tests);
    }
    if let Some(time) = args.search.max_time {
        reduction = reduction.max_time(time);
    }
    if let Some(enough) = args.search.stop_at {
        reduction = reduction.stop_at(enough.bytes(size));
    }
    if let Some(tests) = args.search.stop_when_stalled {
        reduction = reduction.max_stalled(tests);
    }
    let result = reduction.run();
    progress.finish();
    let empty = empty.take();
    // There is nothing to resume: the plan is complete, or never began.
    let is_complete = |outcome: &Outcome| matches!(outcome.ended, Ended::Complete);
    let over = empty.is_some() || result.as_ref().map_or(true, is_complete);
    let mut result = result;
    let is_off = args.test.sandbox.sandbox == SandboxMode::Off;
    let says_outside = !is_off && !args.output_flags.quiet;
    if let (Some(line), Ok(outcome), None) = (&args.format, &mut result, &empty)
        && let Some(formatted) = format::formatted(
            line,
            oracle,
            &outcome.input,
            parameters,
            &asked_to_stop,
            says_outside,
        )
    {
        saver.go_back(&formatted);
        outcome.statistics.bytes_now = formatted.size();
        outcome.input = formatted;
    }
    let origin = match (saver.has_saved(), floor) {
        (true, _) => Origin::ThisRun,
        (false, Some(_)) => Origin::Resumed,
        (false, None) => Origin::Earlier,
    };
    let files = HumanCount(targets.modes().count() as u64);
    let writing = match targets.modes().count() {
        1 => "writing the result".to_owned(),
        _ => format!("writing the {files} files of the result"),
    };
    let writing = Awaited::begin(writing, args.output_flags.quiet);
    let saved = saver.finish();
    drop(writing);
    // A result that could not be written can be made again from the journal.
    let journalled = journal.finish(over && saved.is_ok());
    let mut outcome = result.map_err(|error| match error {
        ReduceError::NotFailing { verdict, input } => {
            let input = match &generated {
                None => input.clone(),
                Some((generated, _)) => generated.text_of(&input),
            };
            test::not_failing(
                TestSetup::from(args).reducing(parameters),
                oracle,
                &input,
                &verdict,
                &asked_to_stop,
            )
        }
        ReduceError::Fault(fault) => {
            Problem::new(Exit::Test, "the test cannot be run").because(&fault)
        }
        error => Problem::new(Exit::Stopped, error.to_string()),
    })?;
    if generated.is_none() {
        outcome.statistics.bytes_before = original_size;
    }
    let is_whole = is_complete(&outcome) && matches!(outcome.verified, None | Some(Verdict::Fail));
    if is_kept
        && (is_whole || has_earlier)
        && saved.is_ok()
        && let Some(there) = targets.read(&original)
    {
        result_of.note(kept.lock, &there);
    }
    let told = parsing.map_or(Ok(()), |parsing| {
        last_parsing.conclude(parsing, &outcome.input, beside, args.output_flags.quiet)
    });
    Ok(End {
        outcome,
        saved: saved.and(journalled).and(told),
        origin,
        empty,
        is_begun,
        time_before,
    })
}

/// Whether the configurations of a run are counted, which takes memory.
fn counts_configurations(search: &SearchFlags) -> bool {
    search.algorithm != "auto"
}

/// Returns the facts in the head of the view.
fn view_facts(args: &ReduceFlags, plan: &Plan, facts: &LogFacts) -> view::Facts {
    let names: Vec<String> = (args.inputs.iter())
        .chain(&args.choices.choices)
        .map(|path| path.display().to_string())
        .collect();
    view::Facts {
        input: names.join(" "),
        test: facts.test.clone(),
        failure: facts.failure.clone(),
        language: facts.language.clone(),
        algorithm: facts.algorithm.clone(),
        seed: facts.seed,
        jobs: facts.jobs,
        counts_original: plan::counts_original(&args.search),
        max_tests: args.search.max_tests,
        passes: plan.passes().map(|pass| pass.id()).collect(),
    }
}

/// Returns everything that turns choices into a text: verdicts are about choices.
fn generator(args: &ReduceFlags) -> String {
    let line = args.choices.generator.as_deref().unwrap_or_default();
    let grammars = grammar_files(&args.trees);
    let grammars: Vec<String> = grammars.iter().map(|path| stamp(path)).collect();
    format!(
        "\ngenerator {line} {} {:?} {:?} {:?} {}",
        stamp_line(line),
        args.choices.external,
        args.choices.name,
        args.trees.options,
        grammars.join(" "),
    )
}

/// Returns the fingerprint of the names and the content of an input.
fn with_names(input: &Input) -> Fingerprint {
    let mut all = input.fingerprint().0.to_le_bytes().to_vec();
    for file in input.present() {
        all.extend(file.name.as_os_str().as_encoded_bytes());
        all.push(0);
    }
    fingerprint(&all)
}

/// Returns whether a run has a result of its own that failed at the end, and was not stopped.
fn is_settled(outcome: &Outcome, origin: Origin) -> bool {
    origin != Origin::Earlier
        && !matches!(outcome.ended, Ended::Stopped | Ended::Fault(_))
        && matches!(outcome.verified, None | Some(Verdict::Fail))
}

/// Returns the exit code.
fn conclude(outcome: Outcome, targets: &Targets, origin: Origin) -> Result<Exit, Problem> {
    let result: Vec<String> = targets
        .paths()
        .map(|path| format!("`{}`", path.display()))
        .collect();
    let result = result.join(", ");
    match outcome.ended {
        Ended::Fault(fault) => {
            return Err(
                Problem::new(Exit::Test, "the test broke in the middle of the run")
                    .because(&fault)
                    .hint(match origin {
                        Origin::Earlier => report::stays(targets),
                        _ => format!("the best so far is in {result}"),
                    }),
            );
        }
        Ended::Stopped => return Ok(Exit::Stopped),
        _ if origin == Origin::Earlier => return Ok(Exit::NoResult),
        _ => {}
    }
    let hint = match outcome.verified {
        None | Some(Verdict::Fail) => return Ok(Exit::Done),
        Some(Verdict::Unresolved(Unresolved::TimedOut(limit))) => {
            format!("it is close to its time limit of {limit:?}: give more with `--timeout`")
        }
        Some(_) => {
            "the test is flaky: `--flaky on` runs it several times for each candidate".into()
        }
    };
    let what = "the result failed before, but not when it was tested once more";
    Err(Problem::new(Exit::Flaky, what)
        .hint(hint)
        .hint(format!("try it yourself on {result}")))
}
