//! The settings of the campaign of `nubbin reduce-all`, from its flags.

use crate::config::{Config, GeneratorTable, InputTo, ProgramTable, ReduceTable, Words};
use crate::exit::Exit;
use crate::flags::{ReduceAllFlags, SandboxMode};
use crate::new::absolute;
use crate::origin::{FlagNames, Origin};
use crate::problem::Problem;
use crate::sandbox;
use crate::test::with_placeholder;
use clap::ValueEnum as _;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};
use toml::{Spanned, Value};

/// Programs that run the program in the next word.
const INTERPRETERS: [&str; 8] = [
    "sh", "bash", "python", "python3", "node", "ruby", "perl", "env",
];

/// Returns the name of the program. For an interpreter, this is the name of its script, without the
/// extension.
pub(super) fn program(command: &[OsString]) -> String {
    let stem = |word: &OsStr| {
        let stem = Path::new(word).file_stem().unwrap_or(word);
        stem.to_string_lossy().into_owned()
    };
    let mut words = command.iter().map(|word| stem(word));
    let first = words.next().unwrap_or_default();
    if !INTERPRETERS.contains(&&*first) {
        return first;
    }
    match command.get(1).filter(|word| Path::new(word).is_file()) {
        Some(script) => stem(script),
        None => first,
    }
}

/// Returns the settings of the campaign, and the flags that they are from. `folder` is the whole
/// path of the folder of the files, and `extension` the extension of a test.
pub(super) fn settings(
    flags: &ReduceAllFlags,
    folder: &Path,
    extension: Option<&str>,
) -> Result<(Config, Origin), Problem> {
    let mut names = FlagNames::default();
    let program = table(flags, extension, &mut names)?;
    let generator = GeneratorTable {
        folder: Some(names.value("DIR", folder.to_owned())),
        ..GeneratorTable::default()
    };
    let config = Config {
        program: BTreeMap::from([(
            self::program(&flags.command),
            names.value("COMMAND", program),
        )]),
        generator: BTreeMap::from([("files".to_owned(), names.value("DIR", generator))]),
        ..Config::default()
    };
    Ok((config, Origin::Flags(names)))
}

/// Returns the settings of the program.
fn table(
    flags: &ReduceAllFlags,
    extension: Option<&str>,
    names: &mut FlagNames,
) -> Result<ProgramTable, Problem> {
    let words = with_placeholder(flags.command.clone(), &[]);
    let words = (words.iter().enumerate())
        .map(|(at, word)| absolute(word, at > 0))
        .collect::<Result<_, Problem>>()?;
    let mut texts = |name: &str, texts: &[String]| -> Vec<Spanned<String>> {
        let each = texts.iter().map(|text| names.value(name, text.clone()));
        each.collect()
    };
    let (identity, stderr) = (
        texts("--identity", &flags.identity),
        texts("--stderr", &flags.stderr),
    );
    let with = flags.with.iter().map(|path| with(path));
    let (with, env) = (with.collect::<Result<Vec<_>, _>>()?, env(flags)?);
    let sandbox = sandbox::absolute(flags.sandbox.clone().into())?;
    let mode = match sandbox.sandbox {
        SandboxMode::Auto => None,
        mode => mode.to_possible_value(),
    };
    let time = match flags.hang {
        Some(time) => Some(("--hang", time)),
        None => flags.timeout.map(|time| ("--timeout", time)),
    };
    let name = extension.map(|extension| format!("test.{extension}"));
    let mut value = |name: &str, value: Value| names.value(name, value);
    Ok(ProgramTable {
        identity,
        stderr,
        exit: flags.exit.clone(),
        hang: flags.hang.is_some(),
        timeout: time.map(|(name, time)| value(name, time.as_secs_f64().into())),
        env: (!env.is_empty()).then(|| value("--env", env.into())),
        with: paths("--with", &with)?.map(|with| value("--with", with)),
        memory: (flags.memory).map(|bytes| {
            // No machine has more than the largest number of the file.
            let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
            value("--memory", bytes.into())
        }),
        sandbox: mode.map(|mode| value("--sandbox", mode.get_name().into())),
        writable: paths("--writable", &sandbox.writable)?.map(|all| value("--writable", all)),
        network: (sandbox.network).then(|| value("--network", true.into())),
        input: match flags.stdin {
            true => InputTo::Stdin,
            false => InputTo::File,
        },
        reduce: ReduceTable {
            max_tests: flags.max_tests,
            language: (flags.language.clone()).map(|name| names.value("--language", name)),
            ..ReduceTable::default()
        },
        name: name.map(|name| names.value("DIR", name)),
        command: Some(names.value("COMMAND", Words::List(words))),
        ..ProgramTable::default()
    })
}

/// Returns the variables of the environment.
fn env(flags: &ReduceAllFlags) -> Result<Vec<String>, Problem> {
    let each = flags.env.iter().map(|pair| {
        let pair = pair.to_str().ok_or_else(|| {
            let what = format!("`--env {}` is not UTF-8", pair.to_string_lossy());
            Problem::new(Exit::Usage, what)
        })?;
        Ok(pair.to_owned())
    });
    each.collect()
}

/// Returns the whole path of a file or folder that is next to each file that is tested.
fn with(path: &Path) -> Result<PathBuf, Problem> {
    // The test has a folder under its own name.
    let first = path.components().next();
    let shared = match first {
        Some(Component::Normal(name)) => Path::new(name),
        _ => path,
    };
    shared.canonicalize().map_err(|error| {
        let what = format!("cannot use `--with {}`", path.display());
        Problem::new(Exit::Input, what).because(&error)
    })
}

/// Returns paths as the value of a key; `None` without a path.
fn paths(flag: &str, paths: &[PathBuf]) -> Result<Option<Value>, Problem> {
    let texts = paths.iter().map(|path| match path.to_str() {
        Some(path) => Ok(Value::from(path)),
        None => {
            let what = format!("`{flag} {}` is not UTF-8", path.display());
            Err(Problem::new(Exit::Usage, what))
        }
    });
    let texts: Vec<Value> = texts.collect::<Result<_, _>>()?;
    Ok((!texts.is_empty()).then(|| texts.into()))
}
