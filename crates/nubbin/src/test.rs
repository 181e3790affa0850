//! The user's test: from flags to an oracle, and the diagnosis of an original that does not fail.

use crate::advice;
use crate::anchor::Anchor;
use crate::awaited::Awaited;
use crate::endless;
use crate::exit::Exit;
use crate::files::Source;
use crate::flags::{
    ExplainFlags, FailureFlags, FlakyMode, IsolateFlags, LimitFlags, NotationFlags, PersistentMode,
    ReduceFlags, SandboxMode, TestFlags, TestRunFlags,
};
use crate::grammar;
use crate::habits::is_executable;
use crate::other_failures::{Keeping, Others};
use crate::output::{Access, mode_of};
use crate::own_folder::{self, Own};
use crate::parameters::ParameterFiles;
use crate::paths::Use;
use crate::persistent;
use crate::problem::{Problem, say, warn};
use crate::sandbox::{self, SandboxState};
use crate::shim;
use crate::shown::test_time;
use crate::siblings;
use crate::signals::stopped;
use crate::stamp::{stamp, stamp_line};
use crate::undefined;
use crate::valid::ValidFor;
use nubbin_oracle::{
    CommandOracle, Environment, EnvironmentError, Extra, FailureKind, Finding, Options,
    OracleError, Parameters, Predicate, Refusal, Run, Signature, TestCommand, Wanted,
    path_of_original,
};
use nubbin_reduce::edit::fingerprint;
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use nubbin_verdict::{Unresolved, Verdict};
use std::collections::HashMap;
use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The test of a command line, and the inputs that are to fail.
#[derive(Clone, Copy, Debug)]
pub(super) struct TestSetup<'a> {
    flags: &'a TestFlags,
    /// Whether there is an input that should fail.
    has_original: bool,
    is_quiet: bool,
    other_failures: Option<&'a Path>,
    inputs: &'a [PathBuf],
    /// More files that the run reads or writes, which may not exist yet.
    others: [Option<&'a Path>; 6],
    parameters: Option<&'a ParameterFiles>,
    /// Whether `--flaky on` would run the original more often.
    may_repeat: bool,
}

impl<'a> From<&'a ReduceFlags> for TestSetup<'a> {
    fn from(flags: &'a ReduceFlags) -> Self {
        TestSetup {
            flags: &flags.test,
            has_original: true,
            is_quiet: flags.output_flags.quiet,
            other_failures: flags.output_flags.other_failures.as_deref(),
            inputs: &flags.inputs,
            others: [
                flags.output.as_deref(),
                flags.report.as_deref(),
                flags.output_flags.json_events.as_deref(),
                flags.output_flags.stats.as_deref(),
                flags.output_flags.other_failures.as_deref(),
                flags.choices.choices.as_deref(),
            ],
            parameters: None,
            may_repeat: flags.search.flaky != FlakyMode::On,
        }
    }
}

impl<'a> From<&'a IsolateFlags> for TestSetup<'a> {
    fn from(flags: &'a IsolateFlags) -> Self {
        TestSetup {
            has_original: true,
            is_quiet: flags.output_flags.quiet,
            inputs: std::slice::from_ref(&flags.failing),
            others: [
                flags.output.as_deref(),
                flags.output_flags.json_events.as_deref(),
                flags.output_flags.stats.as_deref(),
                Some(&flags.passing),
                None,
                None,
            ],
            ..TestSetup::of(&flags.test)
        }
    }
}

impl<'a> From<&'a ExplainFlags> for TestSetup<'a> {
    fn from(flags: &'a ExplainFlags) -> Self {
        TestSetup {
            has_original: true,
            is_quiet: flags.quiet,
            inputs: flags.input.as_slice(),
            others: [
                flags.choices.choices.as_deref(),
                None,
                None,
                None,
                None,
                None,
            ],
            ..TestSetup::of(&flags.test)
        }
    }
}

impl<'a> TestSetup<'a> {
    /// Sets up a test without inputs and without conditions.
    pub(super) fn of(flags: &'a TestFlags) -> Self {
        TestSetup {
            flags,
            has_original: false,
            is_quiet: false,
            other_failures: None,
            inputs: &[],
            others: [None; 6],
            parameters: None,
            may_repeat: false,
        }
    }

    /// Reduces parameters of the test with its input.
    pub(super) fn reducing(self, parameters: &'a ParameterFiles) -> Self {
        TestSetup {
            parameters: Some(parameters),
            ..self
        }
    }

    /// Prints nothing but errors.
    pub(super) fn quiet(self, is_quiet: bool) -> Self {
        TestSetup { is_quiet, ..self }
    }

    /// Returns the files of the run, to which no test may be permitted to write: inputs, results,
    /// and files of the test.
    fn kept(self) -> Vec<PathBuf> {
        let words = self.flags.command.iter().filter_map(|word| word.to_str());
        // A line for a shell names files as well.
        let words = words.flat_map(str::split_whitespace);
        let words = words.map(|word| Path::new(word.trim_matches(['\'', '"', ';', '(', ')'])));
        let words = words.filter(|path| path.is_file());
        let own = self.read().map(|used| used.path);
        let inputs = self.inputs.iter().map(PathBuf::as_path);
        let others = self.others.into_iter().flatten();
        let kept = own.chain(words).chain(inputs).filter(|path| path.exists());
        kept.chain(others).map(Path::to_path_buf).collect()
    }

    /// Returns the original where the user stands.
    fn own(self) -> Own<'a> {
        Own {
            flags: self.flags,
            folder: folder_of(self.inputs),
            has_files: !self.inputs.is_empty(),
            is_quiet: self.is_quiet,
        }
    }

    /// Returns everything beside the input, if the test is to have it.
    fn siblings(self, names: &[PathBuf], sources: &[Source]) -> Result<Vec<PathBuf>, Problem> {
        if !self.flags.run.with_siblings {
            return Ok(vec![]);
        }
        let folders = sources.iter().filter(|source| source.tree.is_some());
        let folders = folders.map(|source| source.name.clone());
        let inputs: Vec<PathBuf> = names.iter().cloned().chain(folders).collect();
        siblings::paths(folder_of(self.inputs), &inputs)
    }

    /// Returns the files that the test is made of, which must not be written to.
    pub(super) fn read(self) -> impl Iterator<Item = Use<'a>> {
        let program = &self.flags.program;
        let program = program
            .as_deref()
            .or(self.flags.command.first().map(Path::new));
        let program = program.map(|path| Use {
            path,
            what: "the test",
        });
        let extras = self.flags.run.with.iter().map(|path| Use {
            path,
            what: "the extra file",
        });
        let grammar = self.flags.failure.valid_for.iter().map(|path| Use {
            path,
            what: "the grammar",
        });
        program.into_iter().chain(extras).chain(grammar)
    }
}

/// Builds the oracle and its observer, and decides whether the tests run in a sandbox, with runs of
/// the original. With `--same-failure`, they also show its failure.
pub(super) fn prepare(
    setup: TestSetup<'_>,
    input: &Input,
    sources: &[Source],
    jobs: usize,
    stop: &Stop,
) -> Result<(CommandOracle, Arc<Others>, SandboxState), Problem> {
    let flags = setup.flags;
    let here = std::env::current_dir().map_err(|error| {
        Problem::new(Exit::Test, "the current folder cannot be read").because(&error)
    })?;
    let words = match &flags.program {
        Some(program) => vec![in_this_folder(program)],
        None => with_placeholder(flags.command.clone(), setup.inputs),
    };
    let persistence = persistent::of(flags)?;
    let words = match persistence {
        Some(_) => persistent::with_places(words),
        None => words,
    };
    // A worker of a farm has a program of its own by this name.
    let words = match setup.has_original && flags.remote.address().is_none() {
        true => shim::resolved(words, &here, &flags.run, setup.is_quiet),
        false => words,
    };
    let command = TestCommand::new(words, &here).map_err(|error| unusable(&error))?;
    let parameters = setup.parameters;
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
    options.predicate =
        predicate(&flags.failure, &here).map_err(|error| wrong_condition(&error))?;
    options.predicate = undefined::guard(options.predicate, &flags.failure, &options.names)?;
    if !flags.failure.valid_for.is_empty() {
        let own = parameters.map_or_else(|| input.clone(), |it| it.own(input));
        options.validity = Some(ValidFor::open(&flags.failure.valid_for, &own)?);
    }
    options.stdin = has_stdin;
    options.build = (flags.run.build.as_deref())
        .map(|line| TestCommand::shell_in(line, &here))
        .transpose()
        .map_err(|error| {
            Problem::new(Exit::Usage, "the build cannot be run")
                .because(&error)
                .hint("`--build` takes a command of the shell, as in `--build 'make -C {}'`")
        })?;
    options.persistence = persistence;
    // Without a word of the user's, the usual limit of the options is only the highest.
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
    for path in &flags.run.with {
        endless::refuse(path)?;
        options
            .extras
            .push(Extra::new(path, &here).map_err(|error| {
                Problem::new(
                    Exit::Input,
                    format!("cannot use `--with {}`", path.display()),
                )
                .because(&error)
            })?);
    }
    let beside = setup.siblings(&options.names, sources)?;
    for extra in siblings::extras(&beside, &here)? {
        // One that is also given by itself is given once.
        if options
            .extras
            .iter()
            .all(|given| given.name() != extra.name())
        {
            options.extras.push(extra);
        }
    }
    let mut oracle = CommandOracle::new(options).map_err(|error| match error {
        error @ OracleError::Predicate(_) => wrong_condition(&error),
        error => unusable(&error),
    })?;
    refuse_original(setup, &oracle)?;
    let (mut state, mut trial) = (sandbox::state(&flags.sandbox, &oracle), None);
    if setup.has_original && oracle.sandbox().is_some() {
        let wanted = match flags.failure.same_failure {
            true => Wanted::SameFailure,
            false => Wanted::Conditions,
        };
        let running = Awaited::begin("running the original".into(), setup.is_quiet);
        let (kept, is_quiet) = (setup.kept(), setup.is_quiet);
        let settled = sandbox::settle(
            &flags.sandbox,
            &oracle,
            input,
            wanted,
            &kept,
            is_quiet,
            stop,
        );
        drop(running);
        let settled = settled.map_err(|error| unusable(&error))?;
        (state, trial) = (settled.1, Some(settled.0));
        if stop.is_requested() {
            return Err(stopped());
        }
    }
    if setup.has_original && !flags.failure.same_failure && own_folder::is_asked(flags) {
        let run = match &trial {
            Some(trial) => trial.run().clone(),
            None => observe(&oracle, input, stop)?,
        };
        if oracle.judge_run(&run).is_fail() && !stop.is_requested() {
            own_folder::refuse_other(setup.own(), &oracle, input, &run, Wanted::Conditions, stop)?;
        }
    }
    if flags.failure.same_failure {
        let run = match trial {
            Some(trial) => trial.into_run(),
            None => observe(&oracle, input, stop)?,
        };
        if stop.is_requested() {
            return Err(stopped());
        }
        if let Some(reason @ Unresolved::NotBuilt { .. }) = &run.cut_short {
            let verdict = Verdict::Unresolved(reason.clone());
            return Err(not_failing(setup, &oracle, input, &verdict, stop));
        }
        own_folder::refuse_other(setup.own(), &oracle, input, &run, Wanted::SameFailure, stop)?;
        if is_of_shell(&oracle, &run) {
            return Err(not_failing(setup, &oracle, input, &Verdict::Pass, stop));
        }
        oracle = oracle.with_same_failure(&run).map_err(|error| {
            Problem::new(
                Exit::NotFailing,
                "the original shows no failure that can be recognized",
            )
            .because(&error)
            .hint("say what the failure is: `--exit`, `--signal`, `--stdout`, `--stderr`")
        })?;
        warn_of_general_failure(setup, &oracle);
    }
    if setup.has_original {
        undefined::settle(&oracle, input, setup.is_quiet, stop)?;
    }
    warn_of_built_files(setup, &oracle, input, stop)?;
    if setup.has_original {
        persistent::settle(flags, &mut oracle, input, setup.is_quiet, stop)?;
    }
    Ok((oracle, others, state))
}

/// Runs the original once.
fn observe(oracle: &CommandOracle, input: &Input, stop: &Stop) -> Result<Run, Problem> {
    input
        .with_candidate(|candidate| oracle.observe_with(candidate, 0, stop.token()))
        .map_err(|error| unusable(&error))
}

/// Whether the only failure of a run is that a shell found nothing to run, which every candidate
/// would share. Conditions of the user say that it is wanted.
fn is_of_shell(oracle: &CommandOracle, run: &Run) -> bool {
    let predicate = oracle.predicate();
    let is_exit = |signature: Signature| signature.kind() == FailureKind::ExitCode;
    predicate.is_default()
        && predicate.could_not_run(run)
        && Signature::of(run).is_some_and(is_exit)
}

/// Returns the path of the program of `--test`: `test.sh` is the file of this folder if there is
/// one, and otherwise a program of `PATH`.
fn in_this_folder(program: &Path) -> OsString {
    let is_name = program.components().count() == 1 && program.file_name().is_some();
    match is_name && program.is_file() && is_executable(program) {
        true => Path::new(".").join(program).into_os_string(),
        false => program.as_os_str().to_os_string(),
    }
}

/// Returns the words of a command with `{}` for `@@`, as fuzzers write it, unless the command has
/// `{}` or names an input.
fn with_placeholder(words: Vec<OsString>, inputs: &[PathBuf]) -> Vec<OsString> {
    let is_place = |word: &str| word == "@@" || word.ends_with("=@@");
    let names_input = |word: &OsString| {
        let is_named = |input: &PathBuf| Path::new(word).file_name() == input.file_name();
        word.to_str().is_some_and(|word| word.contains("{}")) || inputs.iter().any(is_named)
    };
    if words.iter().any(names_input) {
        return words;
    }
    let placed = |word: OsString| match word.to_str() {
        Some(text) if is_place(text) => text.replace("@@", "{}").into(),
        _ => word,
    };
    words.into_iter().map(placed).collect()
}

/// Warns of a failure that other failures of the program look like.
fn warn_of_general_failure(setup: TestSetup<'_>, oracle: &CommandOracle) {
    let given = &setup.flags.failure;
    let is_narrowed = !given.stdout.is_empty() || !given.stderr.is_empty();
    let general = oracle.predicate().signature();
    let Some(signature) = general.filter(|it| it.is_general() && !is_narrowed) else {
        return;
    };
    if !setup.is_quiet {
        warn(&format!(
            "the test prints nothing that tells this failure from others: each that is `{signature}` \
             counts as the same; `--stderr RE` and `--stdout RE` narrow it"
        ));
    }
}

/// Warns of files of the input that the build writes. A candidate of such a file means nothing.
fn warn_of_built_files(
    setup: TestSetup<'_>,
    oracle: &CommandOracle,
    input: &Input,
    stop: &Stop,
) -> Result<(), Problem> {
    let is_asked = setup.has_original && !setup.is_quiet && oracle.build().is_some();
    if !is_asked || stop.is_requested() {
        return Ok(());
    }
    let changed = input
        .with_candidate(|candidate| oracle.changed_by_build(candidate, stop.token()))
        .map_err(|error| unusable(&error))?;
    let Some(first) = changed.first() else {
        return Ok(());
    };
    let others = match changed.len() {
        1 => String::new(),
        all => format!(" and {} other files", all - 1),
    };
    let name = Path::new(first.file_name().unwrap_or_default()).display();
    warn(&format!(
        "the build writes `{}`{others} of the input: leave out what a build makes, as by \
         `--exclude '{name}'`",
        first.display()
    ));
    Ok(())
}

/// Refuses a command line that names the original where the candidate belongs, since every
/// candidate would fail with it, and warns of a script that names it.
fn refuse_original(setup: TestSetup<'_>, oracle: &CommandOracle) -> Result<(), Problem> {
    let Some(path) = path_of_original(oracle, folder_of(setup.inputs)) else {
        return Ok(());
    };
    let command = oracle.command();
    let is_whole_word = |word: &OsString| Path::new(word) == path;
    let name = path.file_name().unwrap_or(path.as_os_str());
    let (path, name) = (path.display(), Path::new(name).display());
    if !oracle.has_stdin() && !command.has_place() && command.args().iter().any(is_whole_word) {
        let what = format!("the test reads `{path}`, which is the original, for every candidate");
        return Err(
            Problem::new(Exit::Usage, what).hint(format!("write `{{}}` in the place of `{path}`"))
        );
    }
    if setup.is_quiet {
        return Ok(());
    }
    warn(&format!(
        "the test names `{path}`, which is the original; the candidate is `{name}` in the folder \
         where the test runs"
    ));
    Ok(())
}

pub(crate) fn environment(args: &TestRunFlags) -> Result<Environment, Problem> {
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

pub(crate) fn limit(options: &mut Options, args: &LimitFlags) {
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

fn others(setup: TestSetup<'_>, command: &TestCommand, has_stdin: bool, access: Access) -> Others {
    let keeping = setup.other_failures.map(|folder| {
        let anchor = Anchor::at(folder);
        anchor.open();
        Keeping {
            folder: folder.to_path_buf(),
            anchor,
            command: command.clone(),
            has_stdin,
            extras: setup.flags.run.with.clone(),
            access,
        }
    });
    Others::new(keeping, setup.flags.failure.same_failure)
}

fn predicate(args: &FailureFlags, here: &Path) -> Result<Predicate, OracleError> {
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

/// Returns the failure that is kept, in words.
pub(super) fn failure(flags: &FailureFlags, oracle: &CommandOracle) -> String {
    let mut failure = oracle.predicate().describe();
    if !flags.valid_for.is_empty() {
        failure += &format!(", fits {}", grammar::named(&flags.valid_for));
    }
    failure
}

/// Returns the first line of a run: the failure that is kept, the language of the input, and the
/// time of the original's test, as far as they are known.
pub(super) fn first_line(
    failure: &str,
    language: Option<&str>,
    first_test: Option<Duration>,
) -> String {
    let mut line = format!("keeping: {failure}");
    if let Some(language) = language {
        line += &format!(" · language: {language}");
    }
    if let Some(time) = first_test {
        line += &format!(" · the original's test took {}", test_time(time));
    }
    line
}

/// Returns the identity of a test: all facts beside the candidate that verdicts depend on.
pub(super) fn identity(setup: TestSetup<'_>, oracle: &CommandOracle, sources: &[Source]) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let script = oracle.command().script(&here).unwrap_or_default();
    let fixed = sources.iter().flat_map(|source| {
        let fixed = source.tree.iter().flat_map(|tree| &tree.fixed);
        fixed.map(|within| source.path_of(within))
    });
    let beside = setup.siblings(oracle.names(), sources).unwrap_or_default();
    let extras: Vec<String> = setup
        .flags
        .run
        .with
        .iter()
        .cloned()
        .chain(fixed)
        .chain(beside)
        .map(|path| format!("{} {}", path.display(), stamp(&path)))
        .collect();
    let command = oracle.command();
    let mut programs: Vec<String> = match command.runs_candidate() {
        true => vec![],
        false => vec![stamp(command.program())],
    };
    let words = command.args().iter().filter_map(|word| word.to_str());
    programs.extend(words.map(stamp_line));
    programs.extend(setup.flags.failure.differs_from.as_deref().map(stamp_line));
    let build = match &setup.flags.run.build {
        None => String::new(),
        Some(line) => format!("build {line} {}\n", stamp_line(line)),
    };
    let valid_for = valid_files(&setup.flags.failure);
    let valid_for: String = valid_for
        .iter()
        .map(|path| format!("valid {}\n", stamp(path)))
        .collect();
    let sandbox = oracle
        .sandbox()
        .map_or_else(|| "off".to_owned(), |sandbox| sandbox.to_string());
    let values = setup.flags.run.env.iter();
    let values: Vec<&[u8]> = values.map(|value| value.as_encoded_bytes()).collect();
    let values = values.join(&0);
    let persistence = match setup.flags.run.persistent {
        // A process of its own for each test gives the verdicts of started programs.
        None | Some(PersistentMode::Fork) => "",
        Some(PersistentMode::Loop) => "loop\n",
    };
    format!(
        "{}\n{}\n{valid_for}{persistence}{build}stdin {}\ntimeout {:?}\nenvironment {} {:x}\nlimits {:?}\n\
         sandbox {sandbox}\nwith {extras:?}\n\
         programs {programs:?}\n{script}",
        oracle.command(),
        oracle.predicate().describe(),
        oracle.has_stdin(),
        setup.flags.run.timeout,
        oracle.environment(),
        // The text of an environment has no values.
        fingerprint(&values).0,
        setup.flags.limits,
    )
}

/// Returns the files of the grammar that every candidate has to fit.
fn valid_files(flags: &FailureFlags) -> Vec<PathBuf> {
    match &flags.valid_for[..] {
        [] => vec![],
        paths => grammar::all_files(paths, &NotationFlags::default()),
    }
}

fn unusable(error: &(dyn Error + 'static)) -> Problem {
    Problem::new(Exit::Test, "the test cannot be run").because(error)
}

fn wrong_condition(error: &OracleError) -> Problem {
    Problem::new(Exit::Usage, advice::wrong_condition(error))
}

/// The advice for a failure that no run has shown.
const RARE: &str = "if it fails in some runs only, `--flaky on` runs it more often, and decides about each \
                    candidate by several runs";

/// Returns the problem of an original that does not fail, with a diagnosis.
pub(super) fn not_failing(
    setup: TestSetup<'_>,
    oracle: &CommandOracle,
    input: &Input,
    verdict: &Verdict,
    stop: &Stop,
) -> Problem {
    let what = match verdict {
        Verdict::Unresolved(Unresolved::NotBuilt { .. }) => {
            "the original does not build".to_owned()
        }
        Verdict::Unresolved(reason) => {
            format!("the test could not say whether the original input fails: {reason}")
        }
        _ => "the original input does not fail".to_owned(),
    };
    let mut problem = Problem::new(Exit::NotFailing, what);
    let here = std::env::current_dir().unwrap_or_default();
    let script = oracle.command().script(&here).unwrap_or_default();
    if script.starts_with("#!") && script.contains("\r\n") {
        problem = problem.hint(
            "the lines of the test script end in a carriage return, as in files of Windows, which \
             a shell takes for a part of each line: remove them, as by `sed -i 's/\\r$//' FILE`",
        );
    }
    if setup.flags.sandbox.sandbox != SandboxMode::On {
        // It does not fail outside either, so the reason is another one.
        oracle.set_sandbox(None);
    }
    let diagnosed = folder_of(setup.inputs)
        .canonicalize()
        .map_err(|error| Box::new(error) as Box<dyn Error>)
        .and_then(|folder| {
            input
                .with_candidate(|candidate| {
                    nubbin_oracle::diagnose_with(oracle, candidate, &folder, stop.token())
                })
                .map_err(Into::into)
        });
    match diagnosed {
        _ if stop.is_requested() => stopped(),
        Ok(diagnosis) => {
            let is_rare = |finding: &Finding| {
                matches!(finding, Finding::Unmet { .. } | Finding::Flaky { .. })
            };
            let may_be_rare = setup.may_repeat && diagnosis.findings.iter().any(is_rare);
            let problem = problem.hint(
                diagnosis
                    .with_advice(|finding| advice::for_finding(finding, folder_of(setup.inputs))),
            );
            let problem = match may_be_rare {
                true => problem.hint(RARE),
                false => problem,
            };
            match oracle.sandbox() {
                Some(_) => problem.hint(sandbox::advice(&Refusal::of_run(&diagnosis.private))),
                None => problem,
            }
        }
        Err(error) => problem.because(error.as_ref()),
    }
}

/// Returns the folder where the user would try the test by hand: that of the input. Several inputs
/// keep their folders, as seen from the current one.
pub(super) fn folder_of(inputs: &[PathBuf]) -> &Path {
    match inputs {
        [input] => input
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty()),
        _ => None,
    }
    .unwrap_or(Path::new("."))
}

/// Returns the access rights of the user's own files, in the order of these names. A file that does
/// not exist, since a generator makes it, is private.
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
