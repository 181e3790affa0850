//! `nubbin reduce`, on its own and in a job of continuous integration.

use super::ci::annotate;
use super::run::run as reduce;
use crate::exit::Exit;
use crate::flags::ProgressMode;
use crate::problem::Problem;
use crate::settings::ReduceSettings;
use std::time::Duration;

pub fn run(args: ReduceSettings) -> Result<Exit, Problem> {
    match args.ci {
        Some(minutes) => in_job(args, minutes),
        None => reduce(args),
    }
}

/// Runs a reduction with a budget in minutes. Its end is told, but is not a failure of the job.
fn in_job(mut args: ReduceSettings, minutes: f64) -> Result<Exit, Problem> {
    if args.search.max_time.is_none() {
        let budget = Duration::try_from_secs_f64(minutes * 60.0);
        args.search.max_time = Some(budget.unwrap_or(Duration::MAX));
    }
    args.output_flags.progress = ProgressMode::Plain;
    match reduce(args) {
        Ok(Exit::Stopped) => Ok(Exit::Stopped),
        Ok(Exit::NoResult) => {
            annotate(
                "warning",
                "nothing smaller was found within the time limit of `--ci`",
            )?;
            Ok(Exit::Done)
        }
        Ok(_) => Ok(Exit::Done),
        // No test was run: the command line of the job is wrong.
        Err(problem) if problem.exit() == Exit::Usage => Err(problem),
        Err(problem) => {
            problem.print();
            annotate("warning", &format!("no reduction: {}", problem.what()))?;
            Ok(Exit::Done)
        }
    }
}
