//! The first stage of an explanation: its input is read and divided into parts.

use super::parts;
use crate::choices::RecordedRun;
use crate::exit::Exit;
use crate::files::{self, Source};
use crate::problem::Problem;
use crate::remote;
use crate::settings::ExplainSettings;
use crate::signals;
use nubbin_generate::Choices;
use nubbin_reduce::engine::Stop;
use nubbin_reduce::explain::{ChoiceSubject, Subject};
use nubbin_reduce::input::Input;
use std::path::Path;
use std::sync::Arc;

/// An explanation with its input and the parts of the input.
pub(super) struct Prepared {
    pub(super) args: ExplainSettings,
    pub(super) stop: Stop,
    /// The run of a generator, if its choices are the parts.
    pub(super) generated: Option<RecordedRun>,
    pub(super) input: Input,
    pub(super) sources: Vec<Source>,
    pub(super) subject: Box<dyn Subject>,
    /// The number of tests that run on this machine at the same time.
    pub(super) jobs: usize,
}

impl Prepared {
    pub(super) fn of(args: ExplainSettings) -> Result<Self, Problem> {
        // The signal handlers come first, so that a signal ends everything that starts later.
        let stop = Stop::default();
        signals::stop_on_signals(stop.clone())?;
        let jobs = remote::jobs_here(&args.test);
        let generated = RecordedRun::open(
            &args.choices,
            &args.search.grammar,
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
        Ok(Prepared {
            args,
            stop,
            generated,
            input,
            sources,
            subject,
            jobs,
        })
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
    .map_err(|error| Problem::new(Exit::Input, "the input cannot be tested").because(&error))
}
