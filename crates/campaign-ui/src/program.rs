//! Programs under test, from their tables.

use super::config::{InputTo, ProgramTable, Words};
use super::flag_keys::{sandbox_of, test_flags};
use super::origin::Origin;
use crate::confined::Loosened;
use crate::engine::Profile;
use crate::exit::Exit;
use crate::flags::{EngineFlags, ShellFlags};
use crate::problem::Problem;
use crate::settings::{SandboxSettings, TestSettings};
use crate::stack;
use crate::stamp::{stamp, stamp_line};
use crate::{endless, files, test};
use nubbin_campaign::{Persistent, Program, Rules, Variant, reasons};
use nubbin_oracle::{CommandOracle, Extra, Options, PrivateFolder, TestCommand};
use nubbin_reduce::edit::fingerprint;
use nubbin_verdict::{Cancel, Candidate, File};
use regex::bytes::Regex;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use toml::{Spanned, Value};

/// The time limit of a test without one, in seconds.
const USUAL_TIME: Duration = Duration::from_secs(10);
/// The maximum number of bytes of a version.
const LONGEST_VERSION: usize = 100;

/// A program under test, with the facts that only this crate knows.
pub(super) struct Built {
    pub(super) program: Arc<Program>,
    /// The profile of an engine.
    pub(super) profile: Option<Profile>,
    version: Option<TestCommand>,
    table: ProgramTable,
    span: Range<usize>,
    memory: Option<u64>,
    sandbox: SandboxSettings,
    /// The permissions that the trial of the sandbox has given.
    loosened: OnceLock<Loosened>,
}

/// A file that a program reports something to.
struct Reporting<'a> {
    variable: &'a str,
    folder: &'a Path,
}

/// The common settings of all programs of a campaign.
pub(super) struct Surroundings<'a> {
    pub(super) origin: &'a Origin,
    /// The folder of the campaign, which paths are relative to.
    pub(super) folder: &'a Path,
    /// The number of tests that run on this machine at the same time.
    pub(super) cores: usize,
    pub(super) is_quiet: bool,
}

impl Built {
    /// Makes a program of its table.
    pub(super) fn new(
        name: &str,
        table: &ProgramTable,
        span: &Range<usize>,
        around: &Surroundings<'_>,
    ) -> Result<Self, Problem> {
        Built::make(name, table, span, around, None)
    }

    /// Returns whether the program is tried in the sandbox and outside. A program that runs many
    /// tests in one process reads no file for a trial, so its refusals are only counted.
    pub(super) fn is_tried(&self) -> bool {
        self.table.persistent.is_none()
    }

    /// Returns the user's settings of the sandbox.
    pub(super) fn sandbox_flags(&self) -> &SandboxSettings {
        &self.sandbox
    }

    /// Stores the permissions from the trial of the sandbox, which the tests already have.
    pub(super) fn loosen(&self, loosened: Loosened) {
        // A program has only one trial, so the value is set only once.
        let _ = self.loosened.set(loosened);
    }

    /// Returns the memory limit of a test.
    pub(super) fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// Returns the reason why the tests of the program run on this machine, even if the campaign
    /// has a farm.
    pub(super) fn stays_here(&self) -> Option<String> {
        // A client cannot enforce them on a worker.
        let limits = ["memory", "cpu", "file-size", "disk"];
        let limit = self.table.flags().find(|(name, _)| limits.contains(name));
        let key = match (&self.table.persistent, &self.table.until, limit) {
            (Some(_), ..) => {
                return Some("a persistent program runs many in a process".to_owned());
            }
            (_, Some(_), _) => "until",
            (.., Some((name, _))) => name,
            (None, None, None) => return None,
        };
        Some(format!("`{key}` has no effect on the workers of a farm"))
    }

    /// Makes the program once more, for one job at a time. An environment variable gives this
    /// program the path of a file in the private folder.
    pub(super) fn reporting(
        &self,
        variable: &str,
        around: &Surroundings<'_>,
    ) -> Result<(Program, PrivateFolder), Problem> {
        let folder = PrivateFolder::new(64 << 20).map_err(|error| {
            let what = "cannot make a folder for the program's coverage";
            Problem::new(Exit::Test, what).because(&error)
        })?;
        let reporting = Reporting {
            variable,
            folder: folder.path(),
        };
        let around = Surroundings {
            cores: 1,
            ..*around
        };
        let name = self.program.name();
        let built = Built::make(name, &self.table, &self.span, &around, Some(reporting))?;
        if let Some(loosened) = self.loosened.get() {
            loosened.apply(built.program.oracle());
        }
        let program = Arc::into_inner(built.program)
            .ok_or_else(|| Problem::new(Exit::Test, format!("the program `{name}` is in use")))?;
        Ok((program, folder))
    }

    fn make(
        name: &str,
        table: &ProgramTable,
        span: &Range<usize>,
        around: &Surroundings<'_>,
        reporting: Option<Reporting<'_>>,
    ) -> Result<Self, Problem> {
        let origin = around.origin;
        let profile = profile(table, origin)?;
        let (command, place) = tested(table, span, profile.as_ref(), around)?;
        let mut test = test_flags(table.flags(), origin)?;
        if let Some(Reporting { variable, folder }) = reporting {
            let mut text = OsString::from(format!("{variable}="));
            text.push(folder.join("coverage"));
            test.run.env.insert(0, text);
            test.sandbox.writable.push(folder.to_owned());
        }
        let given = table.name.as_ref();
        let usual = match &profile {
            Some(profile) => profile.script_name("script"),
            None => "test.txt".to_owned(),
        };
        let file_name = files::name_for_test(
            Path::new(given.map_or(&usual, |name| name.get_ref())),
            false,
        )?;
        let options = options(command, file_name, table, &test, around)?;
        let persistent = match &table.persistent {
            None => None,
            Some(mark) => {
                let has_place = options.command.has_place();
                Some(persistent(mark, has_place, table, &options, around)?)
            }
        };
        let oracle =
            CommandOracle::new(options).map_err(|error| origin.wrong(&place, &reasons(&error)))?;
        let version = version_command(table, profile.as_ref(), around)?;
        let rules = rules(table, profile.as_ref(), origin)?;
        let program = Program::new(name, oracle, rules)
            .variants(variants(table, around)?)
            .persistent(persistent);
        let built = Built {
            program: Arc::new(program),
            profile,
            version,
            table: table.clone(),
            span: span.clone(),
            memory: test.limits.memory,
            sandbox: test.sandbox,
            loosened: OnceLock::new(),
        };
        built.program.set_version(built.version());
        Ok(built)
    }

    /// Returns the version of the program: its output, or a fingerprint of the files that its
    /// command names.
    pub(super) fn version(&self) -> String {
        version(&self.program, self.version.as_ref())
    }

    /// Returns a function that asks for the version again.
    pub(super) fn version_finder(&self) -> impl Fn() -> String + Send + Sync + use<> {
        let (program, command) = (Arc::clone(&self.program), self.version.clone());
        move || version(&program, command.as_ref())
    }
}

fn version(program: &Program, command: Option<&TestCommand>) -> String {
    let oracle = program.oracle();
    if let Some(command) = command {
        let file = [File {
            name: program.file(),
            bytes: b"",
        }];
        let candidate = Candidate::new(&file);
        if let Ok(run) = oracle.observe_other(command, &candidate, 0, &Cancel::new()) {
            let text = match run.stdout().trim_ascii().is_empty() {
                true => run.stderr(),
                false => run.stdout(),
            };
            let line = text.trim_ascii().split(|&byte| byte == b'\n').next();
            let line = String::from_utf8_lossy(line.unwrap_or_default());
            let line: String = line.trim().chars().take(LONGEST_VERSION).collect();
            if !line.is_empty() {
                return line;
            }
        }
    }
    let command = oracle.command();
    let mut stamps = stamp(command.program());
    for word in command.args().iter().filter_map(|word| word.to_str()) {
        stamps += &stamp_line(word);
        // The word is a script, and the program before it is its interpreter.
        if !word.contains("{}") && Path::new(word).is_file() {
            stamps += &stamp(Path::new(word));
        }
    }
    format!("{:08x}", fingerprint(stamps.as_bytes()).0 as u32)
}

fn profile(table: &ProgramTable, origin: &Origin) -> Result<Option<Profile>, Problem> {
    let Some(engine) = &table.engine else {
        return Ok(None);
    };
    let flags = EngineFlags {
        engine: Some(engine.get_ref().clone()),
        program: None,
        shell: ShellFlags {
            timeout: None,
            memory: 1 << 30,
            sandbox: crate::flags::SandboxFlags::default(),
        },
    };
    let profile = Profile::of(&flags, None);
    profile
        .map(Some)
        .map_err(|problem| origin.wrong(&engine.span(), problem.what()))
}

/// Makes a program that runs many tests in one process.
fn persistent(
    mark: &Spanned<String>,
    has_place: bool,
    table: &ProgramTable,
    options: &Options,
    around: &Surroundings<'_>,
) -> Result<Persistent, Problem> {
    let wrong = |what: &str| around.origin.wrong(&mark.span(), what);
    if mark.get_ref().is_empty() {
        return Err(wrong("the mark at the end of a test is empty"));
    }
    if has_place || table.input != InputTo::File {
        let what = "a persistent program reads the paths of tests from standard input, so `{}` and \
                    `input` have no place";
        return Err(wrong(what));
    }
    let known = ["timeout", "sandbox", "writable", "network"];
    if let Some((name, value)) = table.flags().find(|(name, _)| !known.contains(name)) {
        let what = format!("`{name}` has no effect on a persistent program");
        return Err(around.origin.wrong(&value.span(), &what));
    }
    let made = Persistent::new(
        options.command.clone(),
        mark.get_ref(),
        options.timeout.unwrap_or(USUAL_TIME),
        options.sandbox.clone(),
        (&options.names[0], around.cores),
        true,
    );
    made.map_err(|error| wrong(&reasons(&error)))
}

fn pattern(text: &Spanned<String>, origin: &Origin) -> Result<Regex, Problem> {
    Regex::new(text.get_ref()).map_err(|error| origin.wrong(&text.span(), &error.to_string()))
}

/// Returns the rules by which a run is an issue.
fn rules(
    table: &ProgramTable,
    profile: Option<&Profile>,
    origin: &Origin,
) -> Result<Rules, Problem> {
    let patterns = |texts: &[Spanned<String>]| {
        let each = texts.iter().map(|text| pattern(text, origin));
        each.collect::<Result<Vec<_>, _>>()
    };
    let mut rules = Rules {
        identity: patterns(&table.identity)?,
        stderr: patterns(&table.stderr)?,
        ignore: patterns(&table.ignore)?,
        exit: table.exit.clone(),
        usual_exit: table.usual_exit.clone(),
        until: table
            .until
            .as_ref()
            .map(|until| pattern(until, origin))
            .transpose()?,
        only_stderr: profile.is_some(),
        hang: table.hang,
    };
    if let Some(profile) = profile {
        rules.ignore.extend(profile.harmless().iter().cloned());
        rules.usual_exit.get_or_insert_with(|| profile.exit.clone());
    }
    Ok(rules)
}

/// Returns the command of a table or of its engine, and the place that it is from.
fn tested(
    table: &ProgramTable,
    span: &Range<usize>,
    profile: Option<&Profile>,
    around: &Surroundings<'_>,
) -> Result<(TestCommand, Range<usize>), Problem> {
    let origin = around.origin;
    let (command, place) = match (&table.command, profile) {
        (Some(words), _) => (command(words, around)?, words.span()),
        (None, Some(profile)) => {
            let words = profile.command.iter().map(OsString::from).collect();
            let found = TestCommand::new(words, around.folder);
            let engine = table.engine.as_ref().map_or(span.clone(), Spanned::span);
            let command = found.map_err(|error| origin.wrong(&engine, &error.to_string()))?;
            (command, engine)
        }
        (None, None) => return Err(origin.wrong(span, "this program has no `command`")),
    };
    let has_no_place = !command.has_place() && !command.runs_candidate();
    match table.input {
        InputTo::Argument => {
            let is_inside = |word: &OsString| {
                word != "{}" && word.to_str().is_some_and(|word| word.contains("{}"))
            };
            if command.args().iter().any(is_inside) {
                let what = "`{}` has to be a word of its own with `input = \"argument\"`";
                return Err(origin.wrong(&place, what));
            }
            let command = as_argument(&command, around.folder)
                .map_err(|error| origin.wrong(&place, &error.to_string()))?;
            Ok((command, place))
        }
        InputTo::File if table.persistent.is_none() && has_no_place => {
            let what = "the command does not name the test: write `{}` in its place, or give the \
                        test on standard input (`--stdin`, or `input = \"stdin\"` in a file)";
            Err(origin.wrong(&place, what))
        }
        _ => Ok((command, place)),
    }
}

/// Returns the options of the oracle that runs a program.
fn options(
    command: TestCommand,
    file_name: PathBuf,
    table: &ProgramTable,
    test: &TestSettings,
    around: &Surroundings<'_>,
) -> Result<Options, Problem> {
    let origin = around.origin;
    let mut options = Options::new(command, vec![file_name]);
    options.stdin = table.input == InputTo::Stdin;
    options.tracer = stack::tracer();
    options.timeout = Some(test.run.timeout.unwrap_or(USUAL_TIME));
    options.environment = test::environment(&test.run)?;
    options.sandbox = sandbox_of(
        &test.sandbox,
        table.writable.as_ref(),
        (origin, around.is_quiet),
    )?;
    test::limit(&mut options, &test.limits);
    let until = table.until.as_ref();
    options.until = until.map(|until| pattern(until, origin)).transpose()?;
    options.jobs = around.cores;
    options.owns_children = true;
    for path in &test.run.with {
        endless::refuse(path)?;
        let extra = Extra::new(path, around.folder);
        options.extras.push(extra.map_err(|error| {
            let what = format!("cannot use `with = [\"{}\"]`", path.display());
            Problem::new(Exit::Input, what).because(&error)
        })?);
    }
    Ok(options)
}

/// Returns the variants of a program: the same test with another command.
fn variants(table: &ProgramTable, around: &Surroundings<'_>) -> Result<Vec<Variant>, Problem> {
    let variant = |(name, words): (&String, &Spanned<Words>)| {
        let command = command_of(words, around)?;
        let command = match table.input {
            InputTo::Argument => as_argument(&command, around.folder)
                .map_err(|error| around.origin.wrong(&words.span(), &error.to_string()))?,
            _ => command,
        };
        let name = name.clone();
        Ok(Variant { name, command })
    };
    table.variant.iter().map(variant).collect()
}

/// Returns the command that prints the version of a program.
fn version_command(
    table: &ProgramTable,
    profile: Option<&Profile>,
    around: &Surroundings<'_>,
) -> Result<Option<TestCommand>, Problem> {
    if let Some(words) = &table.version {
        return command_of(words, around).map(Some);
    }
    let words = profile.and_then(|profile| profile.version.as_ref());
    Ok(words.and_then(|words| {
        let words = words.iter().map(OsString::from).collect();
        TestCommand::new(words, around.folder).ok()
    }))
}

/// Returns the command of a table.
pub(super) fn command_of(
    words: &Spanned<Words>,
    around: &Surroundings<'_>,
) -> Result<TestCommand, Problem> {
    command(words, around)
}

fn command(words: &Spanned<Words>, around: &Surroundings<'_>) -> Result<TestCommand, Problem> {
    let made = match words.get_ref() {
        Words::Line(line) => TestCommand::shell_in(line, around.folder),
        Words::List(list) => {
            let words = list.iter().map(OsString::from).collect();
            TestCommand::new(words, around.folder)
        }
    };
    made.map_err(|error| around.origin.wrong(&words.span(), &error.to_string()))
}

/// Returns a command that reads the test from its file and gives it to another as an argument. A
/// null byte cannot be in an argument, and is left out.
fn as_argument(
    command: &TestCommand,
    folder: &Path,
) -> Result<TestCommand, nubbin_oracle::CommandError> {
    // The shell drops line feeds at the end, so a mark is added after the text.
    const SCRIPT: &str = "text=$(tr -d '\\000' <\"$0\"; printf x); text=${text%x}; \
                          for word; do shift; \
                          [ \"$word\" = '@@' ] && word=$text; set -- \"$@\" \"$word\"; done; \
                          exec \"$@\"";
    let program = std::iter::once(command.program().as_os_str());
    let words = program.chain(command.args().iter().map(OsString::as_os_str));
    let word = |word: &std::ffi::OsStr| match word == "{}" {
        true => OsString::from("@@"),
        false => word.to_owned(),
    };
    let script = ["sh", "-c", SCRIPT, "{}"].map(OsString::from);
    let all: Vec<OsString> = script.into_iter().chain(words.map(word)).collect();
    TestCommand::new(all, folder)
}

/// Returns a number of seconds.
pub(super) fn seconds(value: &Spanned<Value>, origin: &Origin) -> Result<Duration, Problem> {
    let seconds = match value.get_ref() {
        Value::Integer(number) => *number as f64,
        Value::Float(number) => *number,
        _ => 0.0,
    };
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err(origin.wrong(&value.span(), "expected a number of seconds, more than 0")),
    }
}
