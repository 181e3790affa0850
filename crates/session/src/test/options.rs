//! The options of a test's oracle.

use super::command::command;
use super::problems::wrong_condition;
use super::setup::TestSetup;
use crate::anchor::Anchor;
use crate::endless;
use crate::exit::Exit;
use crate::files::Source;
use crate::near;
use crate::other_failures::{FailureFolder, OtherFailures};
use crate::output::{Access, mode_of};
use crate::persistent;
use crate::problem::{Problem, say};
use crate::sandbox;
use crate::settings::{FailureSettings, LimitSettings, RunSettings};
use crate::siblings;
use crate::stack;
use crate::undefined;
use crate::valid::ValidFor;
use nubbin_oracle::{
    Environment, EnvironmentError, Extra, Options, OracleError, Parameters, Predicate, TestCommand,
};
use nubbin_reduce::input::Input;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Returns the options of the oracle, and its observer.
pub(super) fn options(
    setup: TestSetup<'_>,
    input: &Input,
    sources: &[Source],
    jobs: usize,
) -> Result<(Options, Arc<OtherFailures>), Problem> {
    let (flags, parameters) = (setup.flags, setup.parameters);
    let here = std::env::current_dir().map_err(|error| {
        Problem::new(Exit::Test, "the current folder cannot be read").because(&error)
    })?;
    let persistence = persistent::of(flags)?;
    let command = command(setup, persistence.is_some(), &here)?;
    let is_own = |number| parameters.is_none_or(|parameters| !parameters.has(number));
    let names: Vec<PathBuf> = input
        .present()
        .filter(|file| is_own(file.number))
        .map(|file| file.name.to_path_buf())
        .collect();
    let has_stdin = flags.run.stdin || (persistence.is_some() && !command.has_place());
    let access = Access::of_sources(sources);
    let others = Arc::new(others(setup, &command, has_stdin, access));
    let mut options = Options::new(command, names);
    options.parameters = parameters.map_or_else(Parameters::default, |it| it.test.clone());
    options.keep_outputs = setup.other_failures.is_some();
    options.observer = Some(others.clone());
    conditions(&mut options, setup, input, &here)?;
    options.stdin = has_stdin;
    options.tracer = match flags.remote.address() {
        None => stack::tracer(),
        Some(_) => None,
    };
    options.build = (flags.run.build.as_deref())
        .map(|line| TestCommand::shell_in(line, &here))
        .transpose()
        .map_err(|error| {
            Problem::new(Exit::Usage, "the build cannot be run")
                .because(&error)
                .hint("`--build` takes a command of the shell, such as `--build 'make -C {}'`")
        })?;
    options.persistence = persistence;
    // If the user sets no limit, the usual limit of the options is only the maximum.
    match flags.run.timeout {
        Some(timeout) => options.timeout = Some(timeout),
        None => options.adaptive_timeout = true,
    }
    options.environment = environment(&flags.run)?;
    options.sandbox = sandbox::of(&flags.sandbox, setup.is_quiet)?;
    limit(&mut options, &flags.limits);
    options.input_size = input.size() as u64;
    options.owns_children = true;
    options.keep_temp = flags.run.keep_temp;
    options.jobs = jobs;
    options.modes = modes(&options.names, sources);
    if let Some(first) = sources.first().filter(|source| source.tree.is_some()) {
        options.place = Some(first.name.clone());
    }
    folders(&mut options, sources, &here)?;
    extras(&mut options, setup, sources, &here)?;
    Ok((options, others))
}

/// Sets the conditions of a failure.
fn conditions(
    options: &mut Options,
    setup: TestSetup<'_>,
    input: &Input,
    here: &Path,
) -> Result<(), Problem> {
    let failure = &setup.flags.failure;
    let predicate = predicate(failure, here).map_err(|error| wrong_condition(&error))?;
    options.predicate = undefined::guard(predicate, failure, &options.names)?;
    if !failure.valid_for.is_empty() {
        let parameters = setup.parameters;
        let own = parameters.map_or_else(|| input.clone(), |it| it.own(input));
        options.validity = Some(ValidFor::open(&failure.valid_for, &own)?);
    }
    Ok(())
}

/// Adds the folders of the inputs, and the files in them that are given to each test as they are.
fn folders(options: &mut Options, sources: &[Source], here: &Path) -> Result<(), Problem> {
    for source in sources {
        let Some(tree) = &source.tree else {
            continue;
        };
        // The folder itself exists, even if all files in it were removed.
        let kept = std::iter::once(Path::new("")).chain(tree.folders.iter().map(PathBuf::as_path));
        let kept = kept.map(|within| source.name_of(within));
        options
            .folders
            .extend(kept.filter(|name| !name.as_os_str().is_empty()));
        for within in &tree.fixed {
            let from = here.join(source.path_of(within));
            let extra = Extra::named(from, source.name_of(within));
            options.extras.push(extra.map_err(|error| {
                let what = format!("cannot use `{}`", source.path_of(within).display());
                Problem::new(Exit::Input, what).because(&error)
            })?);
        }
    }
    Ok(())
}

/// Adds the files given by `--with` and `--with-siblings`.
fn extras(
    options: &mut Options,
    setup: TestSetup<'_>,
    sources: &[Source],
    here: &Path,
) -> Result<(), Problem> {
    options
        .extras
        .extend(given_extras(&setup.flags.run.with, here)?);
    let beside = setup.siblings(&options.names, sources)?;
    for extra in siblings::extras(&beside, here)? {
        // A file that is also given explicitly is added only once.
        let is_same = |given: &Extra| given.name() == extra.name();
        if !options.extras.iter().any(is_same) {
            options.extras.push(extra);
        }
    }
    Ok(())
}

/// Returns the files and folders given by `--with`. Relative paths start in `here`.
pub fn given_extras(paths: &[PathBuf], here: &Path) -> Result<Vec<Extra>, Problem> {
    let extra = |path: &PathBuf| {
        endless::refuse(path)?;
        Extra::new(path, here).map_err(|error| {
            let what = format!("cannot use `--with {}`", path.display());
            let problem = Problem::new(Exit::Input, what).because(&error);
            match near::hint(path).filter(|_| !path.exists()) {
                Some(hint) => problem.hint(hint),
                None => problem,
            }
        })
    };
    paths.iter().map(extra).collect()
}

pub fn environment(args: &RunSettings) -> Result<Environment, Problem> {
    let wrong = |flag: &str, error: EnvironmentError| {
        Problem::new(Exit::Usage, format!("cannot use `{flag}`")).because(&error)
    };
    let mut environment = Environment::new();
    if args.clean_env {
        environment = environment.clean();
    }
    for name in &args.unset_env {
        environment = environment
            .unset(name)
            .map_err(|error| wrong("--unset-env", error))?;
    }
    for text in &args.env {
        environment = environment
            .set(text)
            .map_err(|error| wrong("--env", error))?;
    }
    Ok(environment)
}

pub fn limit(options: &mut Options, args: &LimitSettings) {
    options.memory_limit = args.memory;
    options.cpu_limit = args.cpu;
    options.process_limit = usize::try_from(args.processes).ok();
    options.file_size_limit = args.file_size;
    options.output_limit = args.output_limit;
    options.disk_limit = args.disk;
    if cfg!(not(target_os = "linux")) && (args.memory.is_some() || args.cpu.is_some()) {
        say("warning: `--memory` and `--cpu` are without effect on this system");
    }
}

fn others(
    setup: TestSetup<'_>,
    command: &TestCommand,
    has_stdin: bool,
    access: Access,
) -> OtherFailures {
    let keeping = setup.other_failures.map(|folder| {
        let anchor = Anchor::at(folder);
        anchor.open();
        FailureFolder {
            folder: folder.to_path_buf(),
            anchor,
            command: command.clone(),
            has_stdin,
            extras: setup.flags.run.with.clone(),
            access,
        }
    });
    OtherFailures::new(keeping, setup.flags.failure.same_failure)
}

fn predicate(args: &FailureSettings, here: &Path) -> Result<Predicate, OracleError> {
    let mut predicate = Predicate::new();
    for list in &args.exit {
        predicate = predicate.exit(list)?;
    }
    for name in &args.signal {
        predicate = predicate.signal(name)?;
    }
    for regex in &args.stdout {
        predicate = predicate.stdout(regex)?;
    }
    for regex in &args.stderr {
        predicate = predicate.stderr(regex)?;
    }
    for regex in &args.not_stdout {
        predicate = predicate.not_stdout(regex)?;
    }
    for regex in &args.not_stderr {
        predicate = predicate.not_stderr(regex)?;
    }
    if let Some(mode) = args.same_coverage {
        predicate = predicate.same_coverage(persistent::granularity(mode));
    }
    if args.timeout_fails {
        predicate = predicate.timeout_fails();
    }
    if let Some(line) = &args.differs_from {
        predicate = predicate.differs_from(TestCommand::shell_in(line, here)?);
    }
    Ok(predicate)
}

/// Returns the access rights of the user's own files, in the order of the given names. A file that
/// does not exist, since a generator makes it, is private.
fn modes(names: &[PathBuf], sources: &[Source]) -> Vec<u32> {
    let of_source = |source: &Source| {
        let files = source.files().into_iter();
        let modes = files.map(|within| {
            let mode = mode_of(&source.path_of(within)).unwrap_or(0);
            (source.name_of(within), mode)
        });
        modes.collect::<Vec<_>>()
    };
    let modes: HashMap<PathBuf, u32> = sources.iter().flat_map(of_source).collect();
    let mode = |name| modes.get(name).copied().unwrap_or(0);
    names.iter().map(mode).collect()
}
