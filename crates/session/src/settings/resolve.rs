//! `nubbin.toml`: settings that need not be typed.
//!
//! The first value of a setting in this order is used: from the command line, from the project's
//! file, from the user's file, and the default. There are two exceptions. For limits on tests
//! ([`LIMITS`]), the user's file comes before the project's file. A file sets no key that conflicts
//! with a flag that comes before the file.

use super::command::{ExplainSettings, IsolateSettings, ReduceSettings};
use super::file::{self, Entry, File};
use super::keys::Keys;
use super::lists::{LIMITS, NEEDS};
use crate::flags::{CommandLine, ExplainFlags, IsolateFlags, ReduceFlags};
use crate::problem::{Problem, answer_in_json, say};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, CommandFactory as _, Id};

/// The settings of a command, with their sources.
pub trait Sourced: Keys + From<Self::Flags> {
    /// The command line.
    type Flags;
    /// The name of the command.
    const COMMAND: &'static str;

    /// Returns whether the files with defaults are not read.
    fn is_without_files(flags: &Self::Flags) -> bool;

    /// Returns whether only errors are printed.
    fn is_quiet(&self) -> bool;

    /// Sets the settings that other settings imply. Returns whether the output is JSON.
    fn settle(&mut self) -> bool;
}

impl Sourced for ReduceSettings {
    type Flags = ReduceFlags;
    const COMMAND: &'static str = "reduce";

    fn is_without_files(flags: &ReduceFlags) -> bool {
        flags.test.no_config
    }

    fn is_quiet(&self) -> bool {
        self.output_flags.quiet
    }

    fn settle(&mut self) -> bool {
        self.output_flags.settle()
    }
}

impl Sourced for IsolateSettings {
    type Flags = IsolateFlags;
    const COMMAND: &'static str = "isolate";

    fn is_without_files(flags: &IsolateFlags) -> bool {
        flags.test.no_config
    }

    fn is_quiet(&self) -> bool {
        self.output_flags.quiet
    }

    fn settle(&mut self) -> bool {
        self.output_flags.settle()
    }
}

impl Sourced for ExplainSettings {
    type Flags = ExplainFlags;
    const COMMAND: &'static str = "explain";

    fn is_without_files(flags: &ExplainFlags) -> bool {
        flags.test.no_config
    }

    fn is_quiet(&self) -> bool {
        self.quiet
    }

    fn settle(&mut self) -> bool {
        self.json
    }
}

/// Returns the settings of a command line and of the files. A message names the settings from
/// files, if there are any. `matches` is the whole command line.
///
/// # Errors
/// Returns an error if a file cannot be read, if it has a key that the command does not have or
/// that the file may not set, or if a value does not fit its key.
pub fn resolve<S: Sourced>(flags: S::Flags, matches: &ArgMatches) -> Result<S, Problem> {
    let is_without_files = S::is_without_files(&flags);
    let mut settings = S::from(flags);
    if let Some(matches) = matches.subcommand_matches(S::COMMAND)
        && !is_without_files
    {
        let note = layered(&mut settings, S::COMMAND, matches, &file::found()?)?;
        if settings.settle() {
            answer_in_json();
        }
        if let Some(note) = note.filter(|_| !settings.is_quiet()) {
            say(&note);
        }
    }
    Ok(settings)
}

/// Applies the settings of the files that the command line does not set, and returns a line that
/// names these settings. The first file counts most.
pub(super) fn layered(
    settings: &mut dyn Keys,
    command: &str,
    matches: &ArgMatches,
    files: &[File],
) -> Result<Option<String>, Problem> {
    let all = files
        .iter()
        .map(|file| Ok((file, file.entries(command)?)))
        .collect::<Result<Vec<_>, Problem>>()?;
    let is_limited_by_user = |key: &str| {
        let own = all.iter().filter(|(file, _)| file.is_of_user);
        let mut own = own.flat_map(|(_, entries)| entries);
        LIMITS.contains(&key) && own.any(|entry| entry.key == key)
    };
    let commands = CommandLine::command();
    let Some(flags) = commands.find_subcommand(command) else {
        return Ok(None);
    };
    let mut present = Present::of(flags, matches);
    let mut notes = vec![];
    for (file, entries) in &all {
        let mut used = vec![];
        for entry in entries {
            let is_left_to_user = !file.is_of_user && is_limited_by_user(&entry.key);
            if is_left_to_user || !present.leaves_open(&entry.key) {
                continue;
            }
            set(settings, file, entry)?;
            if entry.is_set() {
                present.add(&entry.key);
                used.push((entry, entry.flags()));
            }
        }
        if !used.is_empty() {
            notes.push((*file, used));
        }
    }
    for (file, used) in &notes {
        for (entry, _) in used {
            if let Some(needed) = present.missing(&entry.key) {
                let what = format!("`{}` needs `{needed}`", entry.key);
                return Err(file.of_entry(entry, &what));
            }
        }
    }
    let note = |(file, used): &(&File, Vec<(&Entry, String)>)| {
        let flags: Vec<&str> = used.iter().map(|(_, flags)| flags.as_str()).collect();
        format!("`{}`: {}", file.path.display(), flags.join(" "))
    };
    let notes: Vec<String> = notes.iter().map(note).collect();
    Ok((!notes.is_empty()).then(|| format!("defaults of {}", notes.join(", "))))
}

fn set(settings: &mut dyn Keys, file: &File, entry: &Entry) -> Result<(), Problem> {
    let set = settings.set(&entry.key, &entry.value);
    // Every flag that a file may set is a key.
    let set = set.unwrap_or_else(|| Err("this flag cannot be set in a file".to_owned()));
    set.map_err(|why| file.refused(entry, &why))
}

/// The flags that have a value so far.
struct Present<'a> {
    flags: &'a clap::Command,
    ids: Vec<Id>,
}

impl<'a> Present<'a> {
    /// Returns the flags that were typed.
    fn of(flags: &'a clap::Command, matches: &ArgMatches) -> Self {
        let is_typed =
            |id: &Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
        let args = flags.get_arguments().map(|arg| arg.get_id().clone());
        let known = |id: &Id| matches.ids().any(|known| known == id);
        Present {
            flags,
            ids: args.filter(|id| known(id) && is_typed(id)).collect(),
        }
    }

    fn arg(&self, key: &str) -> Option<&'a Arg> {
        let mut args = self.flags.get_arguments();
        args.find(|arg| arg.get_long() == Some(key))
    }

    fn has(&self, key: &str) -> bool {
        self.arg(key)
            .is_some_and(|arg| self.ids.contains(arg.get_id()))
    }

    /// Returns whether a flag has no value yet and does not conflict with a flag that has a value.
    fn leaves_open(&self, key: &str) -> bool {
        let Some(arg) = self.arg(key) else {
            return false;
        };
        let excludes = |one: &Arg, other: &Id| {
            let excluded = self.flags.get_arg_conflicts_with(one);
            excluded.iter().any(|arg| arg.get_id() == other)
        };
        let mut args = self.flags.get_arguments();
        let is_excluded = args.any(|other| {
            self.ids.contains(other.get_id())
                && (excludes(arg, other.get_id()) || excludes(other, arg.get_id()))
        });
        !self.has(key) && !is_excluded
    }

    fn add(&mut self, key: &str) {
        self.ids
            .extend(self.arg(key).map(|arg| arg.get_id().clone()));
    }

    /// Returns a flag that this flag needs and that has no value. A flag that conflicts with
    /// another flag is not needed, since it has no effect.
    fn missing(&self, key: &str) -> Option<&'static str> {
        let needs = NEEDS.iter().filter(|(of, _)| *of == key);
        let mut needed = needs.map(|(_, needed)| *needed);
        needed.find(|needed| self.leaves_open(needed))
    }
}
