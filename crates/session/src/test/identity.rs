//! The identity of a test: everything that verdicts depend on.

use super::setup::TestSetup;
use crate::files::Source;
use crate::flags::{NotationFlags, PersistentMode};
use crate::grammar;
use crate::settings::FailureSettings;
use crate::stamp::{stamp, stamp_line};
use nubbin_oracle::CommandOracle;
use nubbin_reduce::edit::fingerprint;
use std::path::PathBuf;

/// Returns the identity of a test: everything on which verdicts depend, except the candidate.
pub fn identity(setup: TestSetup<'_>, oracle: &CommandOracle, sources: &[Source]) -> String {
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
        // One process per test gives the same verdicts as programs that are started directly.
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
        // The text of an environment omits the values.
        fingerprint(&values).0,
        setup.flags.limits,
    )
}

/// Returns the files of the grammar that every candidate has to fit.
fn valid_files(flags: &FailureSettings) -> Vec<PathBuf> {
    match &flags.valid_for[..] {
        [] => vec![],
        paths => grammar::all_files(paths, &NotationFlags::default()),
    }
}
