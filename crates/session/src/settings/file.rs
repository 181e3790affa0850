//! The files with defaults: their paths, their owners, and the positions of keys in them.

use super::lists::{COMMANDS, NO_DEFAULTS, OF_PROJECT, OF_USER, names};
use crate::exit::Exit;
use crate::problem::Problem;
use nubbin_grammar::suggest;
use std::io::Read as _;
use std::ops::Range;
use std::path::PathBuf;
use toml::Value;
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

/// A key of a file, with its value.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) value: Value,
    /// The value as it is written.
    shown: String,
    /// The line of the key in the file, from 1.
    line: usize,
}

impl File {
    /// Returns the keys of a command that the file sets.
    pub(super) fn entries(&self, command: &str) -> Result<Vec<Entry>, Problem> {
        let all = DeTable::parse(&self.text).map_err(|error| {
            let what = match error.span() {
                Some(span) => self.at(&span),
                None => format!("`{}`", self.path.display()),
            };
            Problem::new(Exit::Usage, format!("{what}: {}", error.message()))
                .hint("`--no-config` ignores the file")
        })?;
        let all = all.get_ref();
        let unknown = all
            .keys()
            .find(|key| !COMMANDS.contains(&key.get_ref().as_ref()));
        if let Some(key) = unknown {
            let what = format!("`{}` is not a command with defaults", key.get_ref());
            return Err(self.wrong(&key.span(), &what).hint(format!(
                "write flags below `[{command}]`, such as `jobs = 2`"
            )));
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
        let mut entries = vec![];
        for (key, value) in table {
            let (span, key) = (key.span(), key.get_ref().as_ref());
            self.check(command, &known, key, &span)?;
            let shown = self.text.get(value.span()).unwrap_or_default().to_owned();
            let value = value_of(value.get_ref()).ok_or_else(|| {
                let what = format!("`{shown}` is not a value of a flag");
                self.wrong(&span, &what)
            })?;
            entries.push(Entry {
                key: key.to_owned(),
                value,
                shown,
                line: self.line_of(&span),
            });
        }
        Ok(entries)
    }

    /// Refuses a key that the file may not set.
    fn check(
        &self,
        command: &str,
        known: &[String],
        key: &str,
        span: &Range<usize>,
    ) -> Result<(), Problem> {
        if NO_DEFAULTS.contains(&key) {
            let what = format!("`--{key}` applies to one run only and has no default");
            return Err(self.wrong(span, &what));
        }
        if !known.iter().any(|name| name == key) {
            let what = format!("`nubbin {command}` has no flag `--{key}`");
            let problem = self.wrong(span, &what);
            let names = known.iter().map(String::as_str);
            return Err(match suggest::nearest(key, names) {
                Some(near) => problem.hint(format!("did you mean `{near}`?")),
                None => problem,
            });
        }
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
                .hint("`--no-config` ignores the file"));
        }
        Ok(())
    }

    /// Returns the problem of a value that the key cannot have.
    pub(super) fn refused(&self, entry: &Entry, why: &str) -> Problem {
        self.of_entry(
            entry,
            &format!(
                "`{}` is not a value of `--{}`: {why}",
                entry.shown, entry.key
            ),
        )
    }

    /// Returns a problem with the position of a key.
    pub(super) fn of_entry(&self, entry: &Entry, what: &str) -> Problem {
        let what = format!("`{}`, line {}: {what}", self.path.display(), entry.line);
        Problem::new(Exit::Usage, what).hint("`--no-config` ignores the file")
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

impl Entry {
    /// Returns whether the key is set: `false` does not change a flag.
    pub(super) fn is_set(&self) -> bool {
        self.value.as_bool() != Some(false)
    }

    /// Returns the key as the flags that set it, for a message.
    pub(super) fn flags(&self) -> String {
        let flag = |value: &Value| match value {
            Value::Boolean(_) => format!("--{}", self.key),
            Value::String(text) => format!("--{}={text}", self.key),
            value => format!("--{}={value}", self.key),
        };
        match &self.value {
            Value::Array(values) => values.iter().map(flag).collect::<Vec<_>>().join(" "),
            value => flag(value),
        }
    }
}

/// Returns a value without its place. Tables and times are no values of flags.
fn value_of(value: &DeValue<'_>) -> Option<Value> {
    Some(match value {
        DeValue::Boolean(is_set) => Value::Boolean(*is_set),
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(number) => {
            Value::Integer(i64::from_str_radix(number.as_str(), number.radix()).ok()?)
        }
        DeValue::Float(number) => Value::Float(number.as_str().parse().ok()?),
        DeValue::Array(values) => {
            let each = values.iter().map(|value| value_of(value.get_ref()));
            Value::Array(each.collect::<Option<_>>()?)
        }
        DeValue::Table(_) | DeValue::Datetime(_) => return None,
    })
}

/// Returns the files with defaults, the project's file first.
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
            "`{}` {why}, so its defaults are ignored",
            path.display()
        ));
        return Ok(None);
    }
    let mut text = String::new();
    let read = opened.take(LONGEST + 1).read_to_string(&mut text);
    read.map_err(|error| {
        cannot()
            .because(&error)
            .hint("`--no-config` ignores the file")
    })?;
    if text.len() as u64 > LONGEST {
        let what = format!("`{}` is longer than {LONGEST} bytes", path.display());
        return Err(Problem::new(Exit::Usage, what).hint("`--no-config` ignores the file"));
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
