//! The files with defaults: where they are, whose they are, and where in them a flag stands.

use super::lists::{COMMANDS, NO_DEFAULTS, OF_PROJECT, OF_USER, names};
use crate::exit::Exit;
use crate::problem::Problem;
use nubbin_grammar::suggest;
use std::io::Read as _;
use std::ops::Range;
use std::path::PathBuf;
use toml::de::{DeTable, DeValue};

/// The name of the file.
pub(super) const NAME: &str = "nubbin.toml";

/// The longest file in bytes that is read.
const LONGEST: u64 = 1 << 20;

/// A file with defaults.
#[derive(Debug)]
pub(super) struct File {
    pub(super) path: PathBuf,
    pub(super) text: String,
    pub(super) is_of_user: bool,
}

/// A flag that a file sets.
#[derive(Debug)]
pub(super) struct Flag {
    pub(super) key: String,
    /// The words of a command line that set it.
    pub(super) words: Vec<String>,
    /// The line of the flag in the file, from 1.
    line: usize,
}

impl File {
    /// Returns the flags of a command that the file sets.
    pub(super) fn flags(&self, command: &str) -> Result<Vec<Flag>, Problem> {
        let all = DeTable::parse(&self.text).map_err(|error| {
            let what = match error.span() {
                Some(span) => self.at(&span),
                None => format!("`{}`", self.path.display()),
            };
            Problem::new(Exit::Usage, format!("{what}: {}", error.message()))
                .hint("`--no-config` leaves the file out")
        })?;
        let all = all.get_ref();
        let unknown = all
            .keys()
            .find(|key| !COMMANDS.contains(&key.get_ref().as_ref()));
        if let Some(key) = unknown {
            let what = format!("`{}` is not a command with defaults", key.get_ref());
            return Err(self
                .wrong(&key.span(), &what)
                .hint(format!("write flags below `[{command}]`, as in `jobs = 2`")));
        }
        let table = match all.get(command) {
            None => return Ok(vec![]),
            Some(found) => match found.get_ref() {
                DeValue::Table(table) => table,
                _ => {
                    let what = format!("`{command}` is not a table: write `[{command}]`");
                    return Err(self.wrong(&found.span(), &what));
                }
            },
        };
        let known = names(command);
        let mut flags = vec![];
        for (key, value) in table {
            let (span, key) = (key.span(), key.get_ref().as_ref());
            let takes_value = self.check(command, &known, key, &span)?;
            let words = words(key, value.get_ref(), takes_value).ok_or_else(|| {
                let value = self.text.get(value.span()).unwrap_or_default();
                self.wrong(&span, &format!("`{value}` is no value of `--{key}`"))
            })?;
            flags.push(Flag {
                key: key.to_owned(),
                words,
                line: self.line_of(&span),
            });
        }
        Ok(flags)
    }

    /// Refuses a flag that the file may not set. Returns whether the flag takes a value.
    fn check(
        &self,
        command: &str,
        known: &[(String, bool)],
        key: &str,
        span: &Range<usize>,
    ) -> Result<bool, Problem> {
        if NO_DEFAULTS.contains(&key) {
            let what = format!("`--{key}` is about one run and has no default");
            return Err(self.wrong(span, &what));
        }
        let Some((_, takes_value)) = known.iter().find(|(name, _)| name == key) else {
            let what = format!("`nubbin {command}` has no flag `--{key}`");
            let problem = self.wrong(span, &what);
            let names = known.iter().map(|(name, _)| name.as_str());
            return Err(match suggest::nearest(key, names) {
                Some(near) => problem.hint(format!("did you mean `{near}`?")),
                None => problem,
            });
        };
        let allowed: &[&[&str]] = match self.is_of_user {
            true => &[OF_PROJECT, OF_USER],
            false => &[OF_PROJECT],
        };
        if !allowed.iter().any(|list| list.contains(&key)) {
            let own = own_path().unwrap_or_else(|| NAME.into());
            return Err(self
                .wrong(span, &format!("a project cannot set `--{key}`"))
                .hint(format!(
                    "type it, or set it in your own file, `{}`",
                    own.display()
                ))
                .hint(
                    "a project can set only flags that run no program, read and write no file, \
                     permit nothing, hide nothing, and leave open which tests fail",
                )
                .hint("`--no-config` leaves the file out"));
        }
        Ok(*takes_value)
    }

    /// Returns the error that a flag has a value that it cannot have.
    pub(super) fn refused(&self, flag: &Flag, why: &str) -> Problem {
        let what = format!("`{}`, line {}: {why}", self.path.display(), flag.line);
        Problem::new(Exit::Usage, what).hint("`--no-config` leaves the file out")
    }

    fn wrong(&self, span: &Range<usize>, what: &str) -> Problem {
        Problem::new(Exit::Usage, format!("{}: {what}", self.at(span)))
    }

    fn at(&self, span: &Range<usize>) -> String {
        format!("`{}`, line {}", self.path.display(), self.line_of(span))
    }

    fn line_of(&self, span: &Range<usize>) -> usize {
        let before = self.text.as_bytes().iter().take(span.start);
        1 + before.filter(|byte| **byte == b'\n').count()
    }
}

/// Returns the words of a flag on a command line; `None` if the value does not fit.
fn words(key: &str, value: &DeValue<'_>, takes_value: bool) -> Option<Vec<String>> {
    Some(match (value, takes_value) {
        (DeValue::Boolean(true), false) => vec![format!("--{key}")],
        (DeValue::Boolean(false), false) => vec![],
        (DeValue::String(text), true) => vec![format!("--{key}={text}")],
        (DeValue::Integer(number), true) => {
            let number = i64::from_str_radix(number.as_str(), number.radix()).ok()?;
            vec![format!("--{key}={number}")]
        }
        (DeValue::Float(number), true) => {
            let number: f64 = number.as_str().parse().ok()?;
            vec![format!("--{key}={number}")]
        }
        (DeValue::Array(values), true) => {
            let each = values.iter().map(|value| match value.get_ref() {
                DeValue::Array(_) => None,
                value => words(key, value, true),
            });
            each.collect::<Option<Vec<_>>>()?.concat()
        }
        _ => return None,
    })
}

/// Returns the files that count, that of the project first.
pub(super) fn found() -> Result<Vec<File>, Problem> {
    let own = own_path().filter(|path| path.is_file());
    let here = std::env::current_dir().ok();
    let project = here.and_then(|here| {
        let mut paths = here.ancestors().map(|folder| folder.join(NAME));
        paths.find(|path| path.is_file())
    });
    let is_same = |path: &PathBuf| match (&own, path.canonicalize()) {
        (Some(own), Ok(path)) => own.canonicalize().is_ok_and(|own| own == path),
        _ => false,
    };
    let project = project.filter(|path| !is_same(path));
    let mut files = vec![];
    for (path, is_of_user) in [(project, false), (own, true)] {
        if let Some(path) = path {
            files.extend(read(path, is_of_user)?);
        }
    }
    Ok(files)
}

/// Returns the path of the user's own file. A folder that is given relative to the current one does
/// not count, since it could be in a project.
fn own_path() -> Option<PathBuf> {
    let set = |name| {
        let path = std::env::var_os(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let folder = set("XDG_CONFIG_HOME").or_else(|| match cfg!(windows) {
        true => set("APPDATA"),
        false => Some(set("HOME")?.join(".config")),
    });
    Some(folder?.join("nubbin").join(NAME))
}

/// Reads a file; `None` if another user may write it, and so could set flags for this one.
fn read(path: PathBuf, is_of_user: bool) -> Result<Option<File>, Problem> {
    let cannot = || Problem::new(Exit::Usage, format!("cannot use `{}`", path.display()));
    let opened = std::fs::File::open(&path).map_err(|error| cannot().because(&error))?;
    if let Some(why) = of_others(&opened) {
        crate::problem::warn(&format!(
            "`{}` {why}, so its defaults do not count",
            path.display()
        ));
        return Ok(None);
    }
    let mut text = String::new();
    let read = opened.take(LONGEST + 1).read_to_string(&mut text);
    read.map_err(|error| cannot().because(&error).hint("`--no-config` leaves it out"))?;
    if text.len() as u64 > LONGEST {
        let what = format!("`{}` is longer than {LONGEST} bytes", path.display());
        return Err(Problem::new(Exit::Usage, what).hint("`--no-config` leaves it out"));
    }
    Ok(Some(File {
        path,
        text,
        is_of_user,
    }))
}

/// Returns why a file does not count: another user may write it.
#[cfg(unix)]
fn of_others(file: &std::fs::File) -> Option<&'static str> {
    use std::os::unix::fs::MetadataExt as _;
    let Ok(found) = file.metadata() else {
        return Some("cannot be looked at");
    };
    if found.uid() != rustix::process::geteuid().as_raw() && found.uid() != 0 {
        return Some("is another user's");
    }
    (found.mode() & 0o002 != 0).then_some("may be written by every user")
}

#[cfg(not(unix))]
fn of_others(_file: &std::fs::File) -> Option<&'static str> {
    None
}
