//! `nubbin.toml`: flags that need not be typed.
//!
//! A file has a table for each command, and a key for each long flag. The command line counts
//! before the file of the project, and that before the file of the user.

use crate::exit::Exit;
use crate::flags::CommandLine;
use crate::problem::Problem;
use clap::CommandFactory as _;
use clap::error::ErrorKind;
use nubbin_grammar::suggest;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The name of the file.
const NAME: &str = "nubbin.toml";

/// The commands that have defaults.
const COMMANDS: [&str; 3] = ["reduce", "isolate", "explain"];

/// Flags that are about one run.
const NO_DEFAULTS: [&str; 9] = [
    "choices",
    "force",
    "fresh",
    "help",
    "in-place",
    "no-config",
    "output",
    "resume",
    "test",
];

/// Flags that run a program, allow more to tests, or send files to others. A project from elsewhere
/// must not set them.
const OF_USER: [&str; 16] = [
    "differs-from",
    "format",
    "generator",
    "network",
    "notify",
    "parser",
    "proposer",
    "remote",
    "remote-ca",
    "remote-cert",
    "remote-input",
    "remote-key",
    "remote-token-command",
    "remote-token-file",
    "sandbox",
    "writable",
];

/// The arguments with defaults, and the line that tells about them.
#[derive(Debug)]
pub(crate) struct WithDefaults {
    pub(crate) args: Vec<OsString>,
    /// `None` if no file has a default that counts.
    pub(crate) note: Option<String>,
}

/// A file with defaults.
#[derive(Debug)]
struct Defaults {
    path: PathBuf,
    table: Table,
    is_of_user: bool,
}

/// Adds the defaults of the files to a command line, which begins with the name of the program.
///
/// # Errors
/// A file that cannot be read, or that sets what is no flag of the command.
pub(crate) fn add(args: Vec<OsString>) -> Result<WithDefaults, Problem> {
    let name = args.get(1).and_then(|word| word.to_str());
    let command = COMMANDS.into_iter().find(|command| name == Some(command));
    let own = args.iter().take_while(|arg| *arg != "--");
    let (Some(command), false) = (command, own.clone().any(|arg| arg == "--no-config")) else {
        return Ok(WithDefaults { args, note: None });
    };
    let mut files = vec![];
    files.extend(
        project()
            .map(|path| read(path, false))
            .transpose()?
            .flatten(),
    );
    files.extend(
        of_user()
            .map(|path| read(path, true))
            .transpose()?
            .flatten(),
    );
    with(args, command, &files)
}

fn with(args: Vec<OsString>, command: &str, files: &[Defaults]) -> Result<WithDefaults, Problem> {
    let mut args = args;
    let mut notes = vec![];
    for file in files {
        let mut used = vec![];
        for (key, words) in flags(file, command)? {
            let mut more = args.clone();
            more.splice(2..2, words.iter().map(OsString::from));
            if is_given(&args, command, &key) || is_in_conflict(&more, &args) {
                continue;
            }
            used.extend(words);
            args = more;
        }
        if !used.is_empty() {
            notes.push(format!("`{}`: {}", file.path.display(), used.join(" ")));
        }
    }
    let note = (!notes.is_empty()).then(|| format!("defaults of {}", notes.join(", ")));
    Ok(WithDefaults { args, note })
}

/// Returns the flags of a file with their words on a command line.
fn flags(file: &Defaults, command: &str) -> Result<Vec<(String, Vec<String>)>, Problem> {
    let wrong = |what: String| {
        let what = format!("`{}`: {what}", file.path.display());
        Problem::new(Exit::Usage, what)
    };
    let unknown = file
        .table
        .keys()
        .find(|key| !COMMANDS.contains(&key.as_str()));
    if let Some(key) = unknown {
        return Err(wrong(format!("`{key}` is not a command with defaults"))
            .hint(format!("write flags below `[{command}]`, as in `jobs = 2`")));
    }
    let table = match file.table.get(command) {
        None => return Ok(vec![]),
        Some(Value::Table(table)) => table,
        Some(_) => {
            return Err(wrong(format!(
                "`{command}` is not a table: write `[{command}]`"
            )));
        }
    };
    let known = names(command);
    let mut flags = vec![];
    for (key, value) in table {
        if NO_DEFAULTS.contains(&key.as_str()) {
            return Err(wrong(format!(
                "`--{key}` is about one run and has no default"
            )));
        }
        let Some((_, takes_value)) = known.iter().find(|(name, _)| name == key) else {
            let problem = wrong(format!("`nubbin {command}` has no flag `--{key}`"));
            let names = known.iter().map(|(name, _)| name.as_str());
            return Err(match suggest::nearest(key, names) {
                Some(near) => problem.hint(format!("did you mean `{near}`?")),
                None => problem,
            });
        };
        if OF_USER.contains(&key.as_str()) && !file.is_of_user {
            return Err(wrong(format!("a project cannot set `--{key}`"))
                .hint(
                    "it runs programs or allows more to tests: type it, or set it in your own file",
                )
                .hint("`--no-config` leaves the file out"));
        }
        let words = words(key, value, *takes_value)
            .ok_or_else(|| wrong(format!("`{key} = {value}` is no value of `--{key}`")))?;
        flags.push((key.clone(), words));
    }
    Ok(flags)
}

/// Returns the words of a flag on a command line; `None` if the value does not fit.
fn words(key: &str, value: &Value, takes_value: bool) -> Option<Vec<String>> {
    Some(match (value, takes_value) {
        (Value::Boolean(true), false) => vec![format!("--{key}")],
        (Value::Boolean(false), false) => vec![],
        (Value::String(text), true) => vec![format!("--{key}={text}")],
        (Value::Integer(number), true) => vec![format!("--{key}={number}")],
        (Value::Float(number), true) => vec![format!("--{key}={number}")],
        (Value::Array(values), true) => {
            let each = values.iter().map(|value| match value {
                Value::Array(_) => None,
                value => words(key, value, true),
            });
            each.collect::<Option<Vec<_>>>()?.concat()
        }
        _ => return None,
    })
}

/// Returns the long flags of a command, and whether each takes a value.
fn names(command: &str) -> Vec<(String, bool)> {
    let all = CommandLine::command();
    let found = all.find_subcommand(command);
    let args = found.into_iter().flat_map(clap::Command::get_arguments);
    args.filter_map(|arg| Some((arg.get_long()?.to_owned(), arg.get_action().takes_values())))
        .collect()
}

/// Returns whether the command line has a flag.
fn is_given(args: &[OsString], command: &str, long: &str) -> bool {
    let all = CommandLine::command();
    let arg = all.find_subcommand(command).and_then(|command| {
        command
            .get_arguments()
            .find(|arg| arg.get_long() == Some(long))
    });
    let Some(id) = arg.map(|arg| arg.get_id().to_string()) else {
        return false;
    };
    let Ok(matches) = CommandLine::command().try_get_matches_from(args) else {
        return false;
    };
    let matches = matches.subcommand_matches(command);
    matches.is_some_and(|matches| {
        matches.value_source(&id) == Some(clap::parser::ValueSource::CommandLine)
    })
}

/// Returns whether a default does not go with what was typed.
fn is_in_conflict(with: &[OsString], without: &[OsString]) -> bool {
    let conflicts = |args| {
        let error = CommandLine::command().try_get_matches_from(args).err();
        error.is_some_and(|error| error.kind() == ErrorKind::ArgumentConflict)
    };
    conflicts(with) && !conflicts(without)
}

/// Returns the file of the project: that of the current folder or of the nearest one above it.
fn project() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors()
        .map(|folder| folder.join(NAME))
        .find(|path| path.is_file())
}

/// Returns the path of the user's own file.
fn of_user() -> Option<PathBuf> {
    let set = |name| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let folder = set("XDG_CONFIG_HOME").or_else(|| match cfg!(windows) {
        true => set("APPDATA"),
        false => Some(set("HOME")?.join(".config")),
    });
    Some(folder?.join("nubbin").join(NAME)).filter(|path| path.is_file())
}

/// Reads a file; `None` if it belongs to another user, who could set flags for this one.
fn read(path: PathBuf, is_of_user: bool) -> Result<Option<Defaults>, Problem> {
    if !is_mine(&path) {
        crate::problem::warn(&format!(
            "`{}` is another user's, so its defaults do not count",
            path.display()
        ));
        return Ok(None);
    }
    let cannot = || Problem::new(Exit::Usage, format!("cannot use `{}`", path.display()));
    let text = std::fs::read_to_string(&path).map_err(|error| cannot().because(&error))?;
    let table = text
        .parse::<Table>()
        .map_err(|error| cannot().because(&error).hint("`--no-config` leaves it out"))?;
    Ok(Some(Defaults {
        path,
        table,
        is_of_user,
    }))
}

#[cfg(unix)]
fn is_mine(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let owner = path.metadata().map(|found| found.uid());
    owner.is_ok_and(|owner| owner == rustix::process::geteuid().as_raw() || owner == 0)
}

#[cfg(not(unix))]
fn is_mine(_path: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(line: &str, files: &[(&str, bool)]) -> Result<String, Problem> {
        let args = line.split(' ').map(OsString::from).collect();
        let files: Vec<Defaults> = files
            .iter()
            .map(|(text, is_of_user)| Defaults {
                path: NAME.into(),
                table: text.parse().unwrap(),
                is_of_user: *is_of_user,
            })
            .collect();
        let with = with(args, "reduce", &files)?;
        let words: Vec<_> = with
            .args
            .iter()
            .map(|word| word.to_string_lossy())
            .collect();
        Ok(words.join(" "))
    }

    #[test]
    fn a_default_is_a_flag_before_those_of_the_command_line() {
        let file = "[reduce]\njobs = 2\nquick = true\nslow = false\nwithout = ['chars', 'lines']\n\
                    [isolate]\njobs = 9\n";
        let line = added("nubbin reduce x -- t", &[(file, false)]).unwrap();
        let expected = "nubbin reduce --without=chars --without=lines --quick --jobs=2 x -- t";
        assert_eq!(line, expected);
    }

    #[test]
    fn the_command_line_counts_first_and_then_the_project() {
        let files = [
            ("[reduce]\njobs = 2\n", false),
            ("[reduce]\njobs = 3\nseed = 4\n", true),
        ];
        let line = added("nubbin reduce x -- t", &files).unwrap();
        assert_eq!(line, "nubbin reduce --seed=4 --jobs=2 x -- t");
        let line = added("nubbin reduce x -j 7 -- t", &files).unwrap();
        assert_eq!(line, "nubbin reduce --seed=4 x -j 7 -- t");
        let plain = [("[reduce]\nplain = true\n", false)];
        let line = added("nubbin reduce x --progress line -- t", &plain).unwrap();
        assert_eq!(line, "nubbin reduce x --progress line -- t");
    }

    #[test]
    fn what_is_no_default_is_refused() {
        for (file, is_of_user) in [
            ("[reduce]\njbos = 2\n", true),
            ("[reduce]\njobs = true\n", true),
            ("[reduce]\nquick = 'yes'\n", true),
            ("[reduce]\nforce = true\n", true),
            ("[reduce]\nnotify = 'rm x'\n", false),
            ("[run]\njobs = 2\n", true),
            ("jobs = 2\n", true),
        ] {
            assert!(
                added("nubbin reduce x -- t", &[(file, is_of_user)]).is_err(),
                "{file}"
            );
        }
        let own = [("[reduce]\nnotify = 'beep'\n", true)];
        let line = added("nubbin reduce x -- t", &own).unwrap();
        assert_eq!(line, "nubbin reduce --notify=beep x -- t");
    }
}
