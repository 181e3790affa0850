//! The record of the settings of a run, by which the same command continues it.

use super::outcomes;
use crate::config::{Config, ConfigFile, NAME};
use crate::exit::Exit;
use crate::output::{Access, write};
use crate::problem::Problem;
use crate::store;
use nubbin_campaign::Store;
use std::io;
use std::path::Path;

/// Returns the settings of an earlier run; `None` without a record that can be read.
pub(super) fn earlier(campaign: &Path) -> Option<Config> {
    let file = ConfigFile::read(campaign).ok()?;
    file.parse().ok()
}

/// Returns the extension of the files of an earlier run, if all had the same.
pub(super) fn extension(config: &Config) -> Option<String> {
    let mut programs = config.program.values();
    let name = programs.next()?.get_ref().name.as_ref()?;
    let extension = Path::new(name.get_ref()).extension()?;
    Some(extension.to_string_lossy().into_owned())
}

/// Creates the folder of a campaign with a record of its settings, or opens the folder of an
/// earlier run with the same settings.
///
/// The record is a file of a campaign, so that `nubbin campaign` has the programs of the folder. A
/// run of `reduce-all` has its settings from its flags.
pub(super) fn open(
    campaign: &Path,
    earlier: Option<&Config>,
    config: &Config,
) -> Result<(), Problem> {
    let cannot = |error: &io::Error| {
        let what = format!("cannot write `{}`", campaign.display());
        Problem::new(Exit::Output, what).because(error)
    };
    if earlier == Some(config) {
        return Ok(());
    }
    let path = campaign.join(NAME);
    if path.exists() {
        // A run without a failure has left no results, so its record can be replaced.
        if !Store::discard_without_issues(campaign).map_err(|error| store::problem(&error))? {
            let what = format!("`{}` has results of another command", campaign.display());
            return Err(Problem::new(Exit::Output, what).hint(
                "give another folder with `-o DIR`, or the same command as before; the limits and \
                 `--exit` may have more than before",
            ));
        }
        outcomes::remove(campaign)?;
        std::fs::remove_file(&path).map_err(|error| cannot(&error))?;
    }
    let text = text(config)?;
    let access = Access::OWNER;
    let made = access.make_dirs(campaign);
    made.map_err(|error| cannot(&error))?;
    let written = access.write_new(&path, text.as_bytes());
    written.map_err(|error| cannot(&error))
}

/// Replaces the record of an earlier run that this one continues.
pub(super) fn replace(campaign: &Path, config: &Config) -> Result<(), Problem> {
    let path = campaign.join(NAME);
    let mode = Some(Access::OWNER.mode());
    write::replace(&path, text(config)?.as_bytes(), mode).map_err(|error| {
        let what = format!("cannot write `{}`", path.display());
        Problem::new(Exit::Output, what).because(&error)
    })
}

fn text(config: &Config) -> Result<String, Problem> {
    toml::to_string(config).map_err(|error| {
        let what = "the settings of the run cannot be recorded";
        Problem::new(Exit::Usage, what).because(&error)
    })
}

#[cfg(test)]
mod tests {
    use super::super::table::settings;
    use super::*;
    use crate::flags::{Command, CommandLine};
    use clap::Parser as _;

    fn settings_of(line: &str) -> Config {
        let line = format!("nubbin reduce-all crashes {line} -- cat {{}}");
        let Command::ReduceAll(flags) = CommandLine::parse_from(line.split_whitespace()).command
        else {
            panic!("another command");
        };
        let made = settings(&flags, Path::new("/crashes"), Some("c"));
        made.unwrap().0
    }

    #[test]
    fn only_a_run_with_equal_settings_continues_one() {
        let folder = tempfile::tempdir().unwrap();
        let campaign = folder.path().join("campaign");
        let lines = [
            "",
            "--exit 1,2",
            "--identity x(?<y>.) --stderr \"[a]",
            "--hang 2.5",
            "--timeout 2.5",
            "--memory 512M",
            "--env A=b --with . --stdin",
            "--sandbox on --writable . --network",
            "--max-tests 7 --language c",
        ];
        let all = lines.map(settings_of);
        for config in &all {
            let _ = std::fs::remove_dir_all(&campaign);
            open(&campaign, None, config).unwrap();
            let earlier = earlier(&campaign).unwrap();
            let is_same = |other: &&Config| **other == earlier;
            assert_eq!(all.iter().filter(is_same).count(), 1, "{config:?}");
            assert_eq!(extension(&earlier).as_deref(), Some("c"));
            open(&campaign, Some(&earlier), config).unwrap();
        }
    }
}
