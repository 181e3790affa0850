//! Finds the files of this machine that a test needs on a worker.

use crate::script;
use nubbin_oracle::{CommandOracle, TestCommand};
use std::path::{Path, PathBuf};

/// Folders that belong to the system. A worker has its own.
const SYSTEM: [&str; 10] = [
    "/bin", "/dev", "/etc", "/lib", "/lib64", "/nix", "/proc", "/sbin", "/sys", "/usr",
];
/// The maximum size in bytes of a file that is sent without a request by the user.
const LARGEST: u64 = 64 << 20;

/// Returns the files and folders that are sent: files that the user requests, the programs of the
/// test and of other commands, and files that their words name by absolute paths.
pub(crate) fn inputs(
    oracle: &CommandOracle,
    others: &[TestCommand],
    given: &[PathBuf],
) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = vec![];
    for path in given {
        all.push(std::path::absolute(path).unwrap_or_else(|_| path.clone()));
    }
    let predicate = oracle.predicate();
    let commands = [Some(oracle.command()), predicate.other_command()];
    for command in commands.into_iter().flatten().chain(others) {
        if !command.runs_candidate() && !script::is_in_path(command) {
            all.push(command.program().to_owned());
        }
        let args = command.args().iter().filter_map(|arg| arg.to_str());
        let ends = |char: char| char.is_whitespace() || "'\"=;|&<>()".contains(char);
        let words = args.flat_map(|arg| arg.split(ends));
        all.extend(words.map(PathBuf::from).filter(|path| path.is_absolute()));
    }
    let asked = given.len();
    let mut sent: Vec<PathBuf> = vec![];
    for (nth, path) in all.into_iter().enumerate() {
        let is_file = || {
            path.metadata()
                .is_ok_and(|meta| meta.is_file() && meta.len() <= LARGEST)
        };
        let is_new = !sent.iter().any(|known| path.starts_with(known));
        if is_new && (nth < asked || (is_file() && !is_of_system(&path))) {
            sent.push(path);
        }
    }
    sent
}

pub(crate) fn is_of_system(path: &Path) -> bool {
    SYSTEM.iter().any(|folder| path.starts_with(folder))
}
