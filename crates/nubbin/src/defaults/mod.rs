//! `nubbin.toml`: flags that need not be typed.
//!
//! A file has a table for each command, and a key for each long flag. The command line counts
//! before the file of the project, and that before the file of the user.

mod file;
mod lists;

use crate::flags::CommandLine;
use crate::problem::Problem;
use clap::CommandFactory as _;
use clap::error::ErrorKind;
use file::File;
use lists::COMMANDS;
use std::ffi::OsString;

/// The arguments with defaults, and the line that tells about them.
#[derive(Debug)]
pub(crate) struct WithDefaults {
    pub(crate) args: Vec<OsString>,
    /// `None` if no file has a default that counts.
    pub(crate) note: Option<String>,
}

/// Adds the defaults of the files to a command line, which begins with the name of the program.
///
/// # Errors
/// A file that cannot be read, or that has a key without a flag of the command.
pub(crate) fn add(args: Vec<OsString>) -> Result<WithDefaults, Problem> {
    let name = args.get(1).and_then(|word| word.to_str());
    let command = COMMANDS.into_iter().find(|command| name == Some(command));
    let own = args.iter().take_while(|arg| *arg != "--");
    let (Some(command), false) = (command, own.clone().any(|arg| arg == "--no-config")) else {
        return Ok(WithDefaults { args, note: None });
    };
    with(args, command, &file::found()?)
}

fn with(args: Vec<OsString>, command: &str, files: &[File]) -> Result<WithDefaults, Problem> {
    let mut args = args;
    let mut notes = vec![];
    let all = files.iter().map(|file| Ok((file, file.flags(command)?)));
    let all = all.collect::<Result<Vec<_>, Problem>>()?;
    let is_limited_by_user = |key: &str| {
        let own = all.iter().filter(|(file, _)| file.is_of_user);
        let mut own = own.flat_map(|(_, flags)| flags);
        lists::LIMITS.contains(&key) && own.any(|flag| flag.key == key)
    };
    for (file, flags) in &all {
        let mut used = vec![];
        for flag in flags {
            if !file.is_of_user && is_limited_by_user(&flag.key) {
                continue;
            }
            let mut more = args.clone();
            more.splice(2..2, flag.words.iter().map(OsString::from));
            if is_given(&args, command, &flag.key) || is_in_conflict(&more, &args) {
                continue;
            }
            if let Some(why) = wrong_value(&more) {
                return Err(file.refused(flag, &why));
            }
            used.extend(flag.words.iter().cloned());
            args = more;
        }
        if !used.is_empty() {
            notes.push(format!("`{}`: {}", file.path.display(), used.join(" ")));
        }
    }
    let note = (!notes.is_empty()).then(|| format!("defaults of {}", notes.join(", ")));
    Ok(WithDefaults { args, note })
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

/// Returns why a command line has a wrong value, if it has one.
fn wrong_value(args: &[OsString]) -> Option<String> {
    let kinds = [
        ErrorKind::InvalidValue,
        ErrorKind::ValueValidation,
        ErrorKind::NoEquals,
        ErrorKind::WrongNumberOfValues,
        ErrorKind::TooManyValues,
        ErrorKind::TooFewValues,
    ];
    let error = CommandLine::command().try_get_matches_from(args).err()?;
    let text = kinds
        .contains(&error.kind())
        .then(|| error.render().to_string())?;
    let first = text.lines().next()?;
    Some(first.strip_prefix("error: ").unwrap_or(first).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(line: &str, files: &[(&str, bool)]) -> Result<String, Problem> {
        let args = line.split(' ').map(OsString::from).collect();
        let files: Vec<File> = files
            .iter()
            .map(|(text, is_of_user)| File {
                path: file::NAME.into(),
                text: (*text).to_owned(),
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
        let plain = [("[reduce]\nplain = true\n", true)];
        let line = added("nubbin reduce x --progress line -- t", &plain).unwrap();
        assert_eq!(line, "nubbin reduce x --progress line -- t");
    }

    #[test]
    fn invalid_defaults_are_refused() {
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

    #[test]
    fn an_error_names_the_file_and_the_line() {
        for (file, line, what) in [
            (
                "[reduce]\njobs = 2\n\nbuild = 'id'\n",
                4,
                "a project cannot set `--build`",
            ),
            (
                "[reduce]\nquiet = true\nbuild = 'id'\n",
                3,
                "a project cannot set `--build`",
            ),
            (
                "[reduce]\nseed = 1\nquiet = true\n",
                3,
                "a project cannot set `--quiet`",
            ),
            (
                "[reduce]\n\njbos = 2\n",
                3,
                "`nubbin reduce` has no flag `--jbos`",
            ),
            (
                "[reduce]\ntimeout = 'soon'\n",
                2,
                "invalid value 'soon' for '--timeout <SECS>'",
            ),
            (
                "[reduce]\njobs = [[1]]\n",
                2,
                "`[[1]]` is not a value of `--jobs`",
            ),
            ("[reduce]\nforce = true\n", 2, "`--force` is about one run"),
            ("reduce = 3\n", 1, "`reduce` is not a table"),
            ("[isolate]\n[run]\n", 2, "`run` is not a command"),
            ("[reduce]\njobs = \n", 2, ""),
        ] {
            let problem = added("nubbin reduce x -- t", &[(file, false)]).unwrap_err();
            let start = format!("`nubbin.toml`, line {line}: {what}");
            assert!(problem.what().starts_with(&start), "{}", problem.what());
        }
    }

    #[test]
    fn a_project_raises_no_limit_that_the_user_has_set() {
        let project = ("[reduce]\nmemory = '9G'\ntimeout = 900\nseed = 1\n", false);
        let own = ("[reduce]\nmemory = '1G'\nseed = 2\n", true);
        let line = added("nubbin reduce x -- t", &[project, own]).unwrap();
        let expected = "nubbin reduce --memory=1G --timeout=900 --seed=1 x -- t";
        assert_eq!(line, expected);
    }
}
