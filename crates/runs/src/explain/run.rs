//! An explanation from its flags to its exit code.

use super::{parts, report};
use crate::choices::RecordedRun;
use crate::exit::Exit;
use crate::files::{self, Source};
use crate::problem::{Problem, say};
use crate::remote::{self, Places};
use crate::settings::ExplainSettings;
use crate::shown::ProgressLine;
use crate::test::TestSetup;
use crate::{signals, test};
use indicatif::HumanCount;
use nubbin_generate::Choices;
use nubbin_oracle::CommandOracle;
use nubbin_reduce::engine::{Ended, Stop};
use nubbin_reduce::explain::{
    ChoiceSubject, ExplainError, ExplainEvent, ExplainStatistics, Explained, Explanation, Subject,
};
use nubbin_reduce::input::Input;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

pub fn run(args: ExplainSettings) -> Result<Exit, Problem> {
    // The signal handlers come first, so that a signal ends everything that starts later.
    let stop = Stop::default();
    signals::stop_on_signals(stop.clone())?;
    let jobs = remote::jobs_here(&args.test);
    let grammar = &args.search.grammar;
    let generated = RecordedRun::open(
        &args.choices,
        grammar,
        &args.search.options,
        &args.test.sandbox,
        jobs,
    )?;
    let (input, sources) = match (&generated, &args.input) {
        (Some(generated), _) => generated.text()?,
        (None, Some(path)) => read(path)?,
        // The command line requires one of them.
        (None, None) => return Err(Problem::new(Exit::Usage, "there is nothing to explain")),
    };
    let subject: Box<dyn Subject> = match &generated {
        Some(generated) => Box::new(choices(generated, args.search.seed)?),
        None => Box::new(parts::subject(&args, &input)?),
    };
    if subject.parts().is_empty() {
        let what = "no part of the input has a replacement of its kind";
        return Err(Problem::new(Exit::Input, what)
            .hint("give a grammar that defines its parts (`--grammar FILE`)"));
    }
    let (oracle, ..) = test::prepare(TestSetup::from(&args), &input, &sources, jobs, &stop)?;
    if args.test.run.keep_temp {
        say(&format!(
            "the tests run in `{}`, which is kept",
            oracle.folder().display()
        ));
    }
    let oracle = Arc::new(oracle);
    let places = Places::open(&args.test, &oracle, &input, args.quiet, &stop)?;
    let explained = explain(&args, subject.as_ref(), (&oracle, &places), stop)?;
    if !args.quiet {
        places.summary().iter().for_each(|line| say(line));
    }
    match &generated {
        _ if args.json => report::json(&args, subject.as_ref(), &explained)?,
        Some(generated) => report::choices(&args, subject.as_ref(), generated, &explained)?,
        None => report::text(&args, subject.as_ref(), &explained)?,
    }
    match explained.ended {
        Ended::Fault(fault) => {
            Err(Problem::new(Exit::Test, "the test broke in the middle of the run").because(&fault))
        }
        Ended::Stopped => Ok(Exit::Stopped),
        _ => Ok(Exit::Done),
    }
}

fn read(path: &Path) -> Result<(Input, Vec<Source>), Problem> {
    let text = files::read_one(path)?;
    let name = files::name_for_test(path, false)?;
    let input = Input::single(name.clone(), text).map_err(|error| {
        let what = format!("`{}` cannot be explained", path.display());
        Problem::new(Exit::Input, what).because(&error)
    })?;
    let source = Source {
        path: path.to_path_buf(),
        name,
        tree: None,
    };
    Ok((input, vec![source]))
}

fn choices(generated: &RecordedRun, seed: u64) -> Result<ChoiceSubject, Problem> {
    ChoiceSubject::new(
        Arc::clone(&generated.replay),
        &generated.run,
        generated.name.clone(),
        Box::new(|kind, seed| Choices::seeded(seed).value(kind.clone())),
        seed,
    )
    .map_err(|error| Problem::new(Exit::Input, "the text cannot be tested").because(&error))
}

fn explain(
    args: &ExplainSettings,
    subject: &dyn Subject,
    (oracle, places): (&CommandOracle, &Places),
    stop: Stop,
) -> Result<Explained, Problem> {
    let bar = (!args.quiet).then(|| ProgressLine::start("running the input"));
    let bar = bar.flatten();
    let mut found = 0;
    let started = Instant::now();
    let mut first_line = (!args.quiet).then(|| test::failure(&args.test.failure, oracle));
    let mut observer = |event: &ExplainEvent, statistics: &ExplainStatistics| {
        if let ExplainEvent::Tested { verdict } = event
            && verdict.is_fail()
            && let Some(failure) = first_line.take()
        {
            let line = test::first_line(
                &failure,
                None,
                Some(started.elapsed() + oracle.time_before()),
            );
            match &bar {
                Some(bar) => bar.say(&line),
                None => say(&line),
            }
        }
        match event {
            ExplainEvent::Settled { is_abstract, .. } => found += u64::from(*is_abstract),
            ExplainEvent::TookBack { .. } => found -= 1,
            _ => {}
        }
        if let Some(bar) = &bar {
            bar.set(&format!(
                "{} of {} parts tested, {found} can be anything · {} tests",
                statistics.settled,
                statistics.parts,
                HumanCount(statistics.tests),
            ));
        }
    };
    let clock = || started.elapsed();
    let mut explanation = Explanation::new(subject, places)
        .samples(usize::from(args.search.samples))
        .jobs(places.jobs())
        .clock(&clock)
        .stop(stop.clone())
        .observer(&mut observer);
    if let Some(tests) = args.search.max_tests {
        explanation = explanation.max_tests(tests);
    }
    if let Some(time) = args.search.max_time {
        explanation = explanation.max_time(time);
    }
    let explained = explanation.run();
    if let Some(bar) = &bar {
        bar.finish();
    }
    explained.map_err(|error| match error {
        ExplainError::NotFailing { verdict } => test::not_failing(
            TestSetup::from(args),
            oracle,
            subject.input(),
            &verdict,
            &stop,
        ),
        ExplainError::Fault(fault) => {
            Problem::new(Exit::Test, "the test cannot be run").because(&fault)
        }
        error => Problem::new(Exit::Stopped, error.to_string()),
    })
}
