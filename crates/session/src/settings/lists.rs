//! The flags that a file may set. Every long flag of a command with defaults is in one of three
//! lists.

use crate::flags::CommandLine;
use clap::CommandFactory as _;

/// The commands that have defaults.
pub(super) const COMMANDS: [&str; 3] = ["reduce", "isolate", "explain"];

/// Flags that the file of a project may set.
///
/// A project may come from anyone, and its file applies to each command below its folder. A flag in
/// this list runs no program and chooses none. Such a flag writes nothing, reads no other file,
/// sends nothing, and hides no message. Such a flag permits nothing to tests, and changes neither
/// their input nor which of them fail. So a project can make a run longer or shorter, and its
/// result larger or smaller, but not wrong.
pub(super) const OF_PROJECT: &[&str] = &[
    "algorithm",
    "atom",
    "context",
    "cpu",
    "exclude",
    "file-size",
    "fixed",
    "island",
    "jobs",
    "keep",
    "keep-names",
    "language",
    "list-algorithm",
    "max-tests",
    "max-time",
    "memory",
    "must-parse",
    "only",
    "order",
    "passes",
    "prepare",
    "quick",
    "seed",
    "slow",
    "stop-at",
    "stop-when-stalled",
    "timeout",
    "without",
];

/// Limits on tests. A project may not raise them: the limit in the user's own file has precedence
/// over the project's.
pub(super) const LIMITS: &[&str] = &["cpu", "file-size", "memory", "timeout"];

/// Flags that only the user may set, by typing them or in a file of their own.
pub(super) const OF_USER: &[&str] = &[
    // These flags name programs and code.
    "build",
    "differs-from",
    "format",
    "generator",
    "notify",
    "parser",
    "persistent",
    "proposer",
    "proposer-early",
    "ub-free",
    // These flags set variables and files that programs look up. Variables can make programs run
    // other programs.
    "clean-env",
    "env",
    "protocol",
    "reduce-args",
    "reduce-env",
    "stdin",
    "unset-env",
    "with",
    "with-siblings",
    // These flags set permissions, and limits that hold even without a flag.
    "disk",
    "generator-timeout",
    "max-choices",
    "network",
    "output-limit",
    "processes",
    "proposer-timeout",
    "sandbox",
    "writable",
    // These flags decide which tests fail, and how certain a result is.
    "allow-empty",
    "private-failure",
    "exit",
    "flaky",
    "no-keep-marks",
    "not-stderr",
    "not-stdout",
    "same-coverage",
    "same-failure",
    "same-stack",
    "samples",
    "signal",
    "stderr",
    "stdout",
    "timeout-fails",
    "valid-for",
    // These flags name files to read.
    "from",
    "grammar",
    "grammar-format",
    "grammar-json",
    "graph",
    "learn",
    "name",
    "predicate",
    "start",
    // These flags name files to write, or control messages.
    "ci",
    "copy",
    "json",
    "json-events",
    "keep-temp",
    "log-texts",
    "other-failures",
    "plain",
    "progress",
    "quiet",
    "report",
    "stats",
    "verbose",
    // These flags name a farm, and what is sent to it.
    "remote",
    "remote-ca",
    "remote-cert",
    "remote-input",
    "remote-instance",
    "remote-key",
    // The image of a worker is a program.
    "remote-platform",
    "remote-token-command",
    "remote-token-file",
];

/// Flags that are about one run.
pub(super) const NO_DEFAULTS: &[&str] = &[
    "choices",
    "force",
    "fresh",
    "help",
    "in",
    "in-place",
    "inside",
    "no-config",
    "output",
    "resume",
    "test",
];

/// Flags that need another one.
pub(super) const NEEDS: &[(&str, &str)] = &[
    ("generator", "choices"),
    ("grammar-json", "parser"),
    ("graph", "choices"),
    ("island", "grammar"),
    ("log-texts", "json-events"),
    ("name", "choices"),
    ("parser", "grammar-json"),
    ("remote-ca", "remote"),
    ("remote-cert", "remote"),
    ("remote-cert", "remote-key"),
    ("remote-input", "remote"),
    ("remote-instance", "remote"),
    ("remote-key", "remote"),
    ("remote-key", "remote-cert"),
    ("remote-platform", "remote"),
    ("remote-token-command", "remote"),
    ("remote-token-file", "remote"),
    ("timeout-fails", "timeout"),
];

/// Returns the long flags of a command.
pub(super) fn names(command: &str) -> Vec<String> {
    let all = CommandLine::command();
    let found = all.find_subcommand(command);
    let args = found.into_iter().flat_map(clap::Command::get_arguments);
    args.filter_map(|arg| arg.get_long().map(str::to_owned))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_flag_is_in_exactly_one_list() {
        let lists = [OF_PROJECT, OF_USER, NO_DEFAULTS];
        let known: BTreeSet<String> = COMMANDS
            .iter()
            .flat_map(|command| names(command))
            .chain(["help".to_owned()])
            .collect();
        for name in &known {
            let found = lists.iter().filter(|list| list.contains(&name.as_str()));
            assert_eq!(found.count(), 1, "the lists that have `--{name}`");
        }
        for name in lists.into_iter().flatten() {
            assert!(known.contains(*name), "no flag `--{name}`");
        }
    }

    #[test]
    fn a_project_hides_no_message_and_raises_no_limit() {
        for name in ["quiet", "progress", "plain", "json", "verbose"] {
            assert!(!OF_PROJECT.contains(&name), "{name}");
        }
        for name in ["disk", "processes", "output-limit"] {
            assert!(!OF_PROJECT.contains(&name), "{name}");
        }
        assert!(LIMITS.iter().all(|name| OF_PROJECT.contains(name)));
    }
}
