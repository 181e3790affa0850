//! A capture from its flags to its exit code.

use super::captured::Running;
use super::check::check;
use super::copies::copy;
use super::draft::Draft;
use super::place::Place;
use super::programs;
use super::record::write;
use super::seen::Seen;
use super::sight::{Sight, TRACE, no_place};
use super::tell::{next, tell_failure, tell_files, tell_programs};
use crate::exit::Exit;
use crate::flags::CaptureFlags;
use crate::print::print_json;
use crate::problem::{Problem, say, warn};
use crate::signals;
use nubbin_oracle::{Message, PrivateFolder, TestCommand};
use nubbin_reduce::engine::Stop;
use nubbin_terminal::fixed_flags::fixed_flags;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A capture as `--json` prints it.
#[derive(Debug, Serialize)]
struct Answer {
    /// The folder or file to reduce.
    input: String,
    test: String,
    /// The output of the command.
    output: String,
    /// The list of all files that the command read.
    files: String,
    /// The files that look like the program under test, which the command keeps as they are.
    fixed: Vec<String>,
    /// The command that reduces the capture.
    command: String,
}

pub fn run(flags: &CaptureFlags) -> Result<Exit, Problem> {
    let stop = Stop::default();
    signals::stop_on_signals(stop.clone())?;
    let here = std::env::current_dir()
        .and_then(|here| here.canonicalize())
        .map_err(|error| {
            Problem::new(Exit::Input, "the current folder cannot be read").because(&error)
        })?;
    let root = root(flags, &here)?;
    TestCommand::new(flags.command.clone(), &here)
        .map_err(|error| Problem::new(Exit::Test, "the command cannot be run").because(&error))?;
    let place = Place::claim(&flags.output)?;
    let private = PrivateFolder::new(TRACE).map_err(|error| no_place(&error))?;
    let sight = Sight::choose(flags, private.path())?;
    let run = Running {
        flags,
        here: &here,
        root: &root,
        private: private.path(),
        stop: &stop,
    };
    let (captured, compile) = match &sight {
        Sight::Strace(trace) => (run.traced(trace)?, None),
        Sight::Depfiles(watch, why) => {
            let (captured, compile) = run.compiled(watch, why)?;
            (captured, Some(compile))
        }
        Sight::Database => (run.listed()?, None),
    };
    let message = Message::of(&captured.failure());
    if flags.preprocess
        && let Some(compile) = &compile
        && let Some(file) = run.preprocess(&captured, compile, message.as_ref(), &place)?
    {
        return answered(flags, &file, &Programs::default());
    }
    let unfinished = place.begin()?;
    let copied = copy(
        &unfinished,
        &root,
        &captured.seen,
        flags.follow_links,
        &stop,
    )?;
    let draft = Draft {
        databases: &copied.databases,
        ..captured.draft(&run, message.as_ref())
    };
    write(&unfinished, &draft, &captured, &copied.leading_out)?;
    let programs = Programs::of(&draft, &captured.seen);
    let (folder, test) = (place.path().join("src"), place.path().join("test.sh"));
    place.conclude(unfinished)?;

    tell_files(&captured, &copied, flags);
    tell_failure(&captured.ran, message.as_ref(), flags);
    for path in draft.leading_out() {
        warn(&format!(
            "the command names `{}`, which is not in the project: the test reads it at this path",
            path.display()
        ));
    }
    let left_out = match flags.follow_links {
        true => None,
        false => copied.leading_out.iter().next(),
    };
    tell_programs(&programs.paths);
    verify(
        &next(&folder, &test, &programs.flags),
        (&folder, &test),
        left_out,
        &stop,
    )?;
    answered(flags, &folder, &programs)
}

/// The files that look like the program under test.
#[derive(Debug, Default)]
struct Programs {
    paths: Vec<PathBuf>,
    /// The flags that keep them as they are.
    flags: String,
}

impl Programs {
    fn of(draft: &Draft<'_>, seen: &Seen) -> Self {
        let paths = programs::of(draft, seen);
        let all: Vec<PathBuf> = seen.files.iter().cloned().collect();
        let flags = fixed_flags(&paths, &all);
        Programs { paths, flags }
    }
}

/// Ends a successful capture, and prints its paths as JSON if requested.
fn answered(flags: &CaptureFlags, input: &Path, programs: &Programs) -> Result<Exit, Problem> {
    if !flags.json {
        return Ok(Exit::Done);
    }
    let shown = |path: &Path| path.display().to_string();
    let test = flags.output.join("test.sh");
    print_json(&Answer {
        input: shown(input),
        output: shown(&flags.output.join("output.txt")),
        files: shown(&flags.output.join("files.txt")),
        fixed: programs.paths.iter().map(|path| shown(path)).collect(),
        command: next(input, &test, &programs.flags),
        test: shown(&test),
    })
}

/// Returns the folder of the project without links, in which the command runs.
fn root(flags: &CaptureFlags, here: &Path) -> Result<PathBuf, Problem> {
    let Some(root) = &flags.root else {
        return Ok(here.to_owned());
    };
    let real = root.canonicalize().map_err(|error| {
        Problem::new(Exit::Input, format!("cannot read `{}`", root.display())).because(&error)
    })?;
    if !here.starts_with(&real) {
        let what = format!("the command does not run below `{}`", root.display());
        return Err(Problem::new(Exit::Usage, what)
            .hint("change to a folder of the project, and give a root above that folder"));
    }
    Ok(real)
}

/// Runs the draft, and prints whether it fails and the next step.
fn verify(
    next: &str,
    (folder, test): (&Path, &Path),
    left_out: Option<&PathBuf>,
    stop: &Stop,
) -> Result<Exit, Problem> {
    match check(folder, test, stop) {
        Ok(()) => {
            say("the test holds on a fresh copy of the captured files");
            say(&format!("next: {next}"));
            Ok(Exit::Done)
        }
        Err(problem) if problem.exit() == Exit::NotFailing => {
            let problem = problem.saying(format!(
                "the test `{}` does not hold on a fresh copy of the captured files",
                test.display()
            ));
            let problem = match left_out {
                None => problem,
                Some(link) => problem.hint(format!(
                    "`{}` leads out of the project and was left out: `nubbin capture --follow-links` \
                     copies what the command reads there",
                    link.display()
                )),
            };
            Err(problem.hint(format!(
                "change the test or add what is missing to `{}`, then: {next}",
                folder.display()
            )))
        }
        Err(problem) => Err(problem),
    }
}
