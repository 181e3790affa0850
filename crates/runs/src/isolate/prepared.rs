//! The first stage of an isolation: its two texts are read. Nothing is on disk yet.

use super::{apart, progress};
use crate::exit::Exit;
use crate::files::{self, Source};
use crate::paths;
use crate::problem::Problem;
use crate::settings::IsolateSettings;
use crate::signals;
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use nubbin_reduce::isolate::{DdOrder, UnknownDd};
use std::path::Path;
use std::time::Instant;

/// An isolation with its two texts.
pub(super) struct Prepared {
    pub(super) args: IsolateSettings,
    pub(super) started: Instant,
    pub(super) stop: Stop,
    pub(super) order: DdOrder,
    pub(super) passing: Vec<u8>,
    /// The failing text, with the name of candidates in the test's folder.
    pub(super) failing: Input,
    /// The file of the failing text.
    pub(super) source: Source,
}

impl Prepared {
    pub(super) fn of(args: IsolateSettings) -> Result<Self, Problem> {
        let started = Instant::now();
        // The signal handlers come first, so that a signal ends everything that starts later.
        let stop = Stop::default();
        signals::stop_on_signals(stop.clone())?;
        let order: Result<DdOrder, UnknownDd> = args.search.algorithm.parse();
        let order = order.map_err(|error| Problem::new(Exit::Usage, error.to_string()))?;
        paths::no_twins(&[args.passing.clone(), args.failing.clone()])?;
        let passing = files::read_one(&args.passing)?;
        let failing = files::read_one(&args.failing)?;
        if passing == failing {
            return Err(apart::identical(&args));
        }
        let name = files::name_for_test(&args.failing, false)?;
        let failing = Input::single(name.clone(), failing).map_err(|error| {
            let what = format!("`{}` cannot be compared", args.failing.display());
            Problem::new(Exit::Input, what).because(&error)
        })?;
        let source = Source {
            path: args.failing.clone(),
            name,
            tree: None,
        };
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
            source,
        })
    }
}
